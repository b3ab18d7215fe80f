"""The envelope that every API object has: its kind, its metadata, its managers."""
