"""Stores for workspaces: one SQLite file, or memory."""
