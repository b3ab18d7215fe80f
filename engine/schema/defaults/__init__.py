"""What the API server fills in: constants as a table, one line per type; what depends on other fields, as functions.

A default belongs to a type, not to a kind: a container gets its own wherever a pod template is nested. `fill.py` walks
an object by its schema and applies what stands here, a struct before what is inside it.
"""
