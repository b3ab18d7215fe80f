"""The built-in kinds as data; README.md tells how it is made."""
