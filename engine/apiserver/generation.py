"""metadata.generation, counted by the server."""

from __future__ import annotations

from engine.meta.object_meta import metadata_of
from engine.value.model import Object


def generation_of(obj: Object) -> int:
    """Return an object's generation; 0 if it has none, or something else in its place."""
    found = metadata_of(obj).get("generation")
    return found if type(found) is int else 0


def with_generation(obj: Object, generation: int) -> Object:
    """Return the object with that generation."""
    return {**obj, "metadata": {**metadata_of(obj), "generation": generation}}


def without_generation(obj: Object) -> Object:
    """Return the object without a generation."""
    metadata = metadata_of(obj)
    return {**obj, "metadata": {k: v for k, v in metadata.items() if k != "generation"}}
