"""JSON and YAML values: what they are, when they are equal, how they are read and written."""
