"""Fields that a write may use and that are never stored: what becomes of them."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from engine.meta.gvk import GroupVersionKind
from engine.meta.object_meta import annotations_of, with_metadata
from engine.value.model import Object

TEMPLATE_GENERATION = "deprecated.daemonset.template.generation"


def normal_form(obj: Object, gvk: GroupVersionKind) -> Object:
    """Return an object of a built-in kind as it is stored; the input is not changed."""
    change = _NORMAL.get(gvk.kind)
    return change(obj) if change is not None else obj


def _secret(obj: Object) -> Object:
    """A secret's plain texts become data."""
    plain = obj.get("stringData")
    if not isinstance(plain, dict):
        return obj
    out = {name: value for name, value in obj.items() if name != "stringData"}
    texts = {
        name: base64.b64encode(str(text).encode("utf-8", "surrogatepass")).decode() for name, text in plain.items()
    }
    return {**out, "data": {**(obj.get("data") or {}), **texts}} if plain else out


def _daemon_set(obj: Object) -> Object:
    """A daemon set's template generation shows as an annotation."""
    annotations = annotations_of(obj)
    text = annotations.get(TEMPLATE_GENERATION)
    count = text if isinstance(text, str) and text.isdecimal() else "0"
    return with_metadata(obj, annotations={**annotations, TEMPLATE_GENERATION: count})


_NORMAL: Mapping[str, Callable[[Object], Object]] = {"DaemonSet": _daemon_set, "Secret": _secret}
