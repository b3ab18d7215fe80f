"""Hostile inputs without end: `python -m tests.fuzz` sends whatever chance makes through every entry there is."""
