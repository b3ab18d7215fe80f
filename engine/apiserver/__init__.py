"""An API server without HTTP: requests in, answers out, objects kept in a store."""
