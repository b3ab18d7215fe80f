"""The page's own JSON API: what the commands do, over HTTP, and the OpenAPI document that describes it."""
