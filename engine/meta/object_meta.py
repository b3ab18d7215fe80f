"""Reading an object's metadata without trusting its shape."""

from __future__ import annotations

from typing import Any

from engine.value.model import Object, Value


def metadata_of(obj: Object) -> Object:
    """Return the object's metadata, an empty map if there is none."""
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def text_of(obj: Object, name: str) -> str:
    """Return a member of the metadata that should be text, empty if it is not."""
    found = metadata_of(obj).get(name)
    return found if isinstance(found, str) else ""


def annotations_of(obj: Object) -> dict[str, Any]:
    """Return the object's annotations, an empty map if there are none."""
    found = metadata_of(obj).get("annotations")
    return found if isinstance(found, dict) else {}


def with_metadata(obj: Object, **members: Value) -> Object:
    """Return the object with these members of its metadata set; the rest is shared."""
    return {**obj, "metadata": {**metadata_of(obj), **members}}


def without_metadata(obj: Object, *names: str) -> Object:
    """Return the object without these members of its metadata; an empty metadata stays."""
    metadata = metadata_of(obj)
    if not any(name in metadata for name in names):
        return obj
    return {**obj, "metadata": {name: value for name, value in metadata.items() if name not in names}}
