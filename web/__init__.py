"""The web front: the only place that knows HTTP."""
