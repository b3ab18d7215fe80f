"""Browser tests: a server process and a real browser; one user story per file."""
