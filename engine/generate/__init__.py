"""Patches made from two documents, each proven by applying it."""
