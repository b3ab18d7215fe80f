"""Random pairs of documents that generators of JSON Patches are measured on: `python -m tests.corpus`."""
