"""Server-side apply on whole objects: metadata.managedFields read, kept and written."""
