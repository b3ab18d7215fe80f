"""The annotation in which kubectl apply keeps what it applied last."""

from __future__ import annotations

import json

from engine.meta.object_meta import annotations_of, metadata_of
from engine.value.model import Object

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def last_applied_text(obj: Object) -> str | None:
    """Return the annotation's text, or None if the object has none."""
    found = annotations_of(obj).get(LAST_APPLIED)
    return found if isinstance(found, str) else None


def without_last_applied(obj: Object) -> Object:
    """Return the object without the annotation."""
    annotations = annotations_of(obj)
    if LAST_APPLIED not in annotations:
        return obj
    rest = {name: value for name, value in annotations.items() if name != LAST_APPLIED}
    return {**obj, "metadata": {**metadata_of(obj), "annotations": rest}}


def with_last_applied(obj: Object, text: str) -> Object:
    """Return the object with the annotation set to `text`."""
    annotations = {**annotations_of(obj), LAST_APPLIED: text}
    return {**obj, "metadata": {**metadata_of(obj), "annotations": annotations}}


def encode_last_applied(config: Object) -> str:
    """Return the annotation's text for `config`: compact JSON, keys sorted, HTML characters escaped as Go does."""
    text = json.dumps(config, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    for character, escape in (("&", "\\u0026"), ("<", "\\u003c"), (">", "\\u003e")):
        text = text.replace(character, escape)
    return text + "\n"
