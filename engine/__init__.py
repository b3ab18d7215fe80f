"""The pure engine: values, schemas, patch formats, server-side apply and an API server without HTTP."""
