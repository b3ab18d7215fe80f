"""A class at work: `python -m tests.load` has many users at one server, and tells how it held."""
