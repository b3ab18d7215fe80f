"""What the server refuses of an object's metadata.

Source: apimachinery's ObjectMeta validation, Kubernetes 1.36.
"""

from __future__ import annotations

from engine.meta.object_meta import metadata_of
from engine.schema.catalog import KindInfo
from engine.schema.validation.cause import Cause, invalid
from engine.value.model import Object


def validate_metadata(obj: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with the metadata of a new object."""
    return ()


def validate_metadata_update(new: Object, live: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with the metadata of an object that replaces `live`."""
    causes = validate_metadata(new, info)
    for name in ("name", "namespace", "uid"):
        value = metadata_of(new).get(name)
        if value != metadata_of(live).get(name):
            # The reference checks twice, and tells twice.
            causes += (invalid(f"metadata.{name}", value, "field is immutable"),) * 2
    return causes
