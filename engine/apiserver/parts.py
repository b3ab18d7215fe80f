"""Subresources that write one part of an object and leave all else as it was: resize, ephemeral containers, approval.

/status and /scale are not here: the first is written through the strategy, the second as an object of its own.

Source: the registry strategies of pods, certificate requests and namespaces, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.fieldpath.element import Path
from engine.fieldpath.writable import ANY, Writable
from engine.meta.object_meta import metadata_of
from engine.schema.validation.cause import Cause
from engine.schema.validation.resizing import pod_resize
from engine.value.model import Object


@dataclass(frozen=True, slots=True)
class Part:
    """What a subresource writes: where its fields are, how they are taken over, what is refused of them.

    take gets the new object and the live one, and returns the live one with the part of the new one.
    """

    within: tuple[Path, ...]
    take: Callable[[Object, Object], Object]
    check: Callable[[Object, Object], Iterable[Cause]] | None = None

    @property
    def writable(self) -> Writable:
        """The fields of the part."""
        return Writable(within=self.within)

    def written(self, new: Object, live: Object) -> Object:
        """Return the live object with the part of the new one, and who owns what now."""
        metadata = {k: v for k, v in metadata_of(live).items() if k != "managedFields"}
        managed = metadata_of(new).get("managedFields")
        return {**self.take(new, live), "metadata": {**metadata, **({"managedFields": managed} if managed else {})}}


_CONTAINERS = ("containers", "initContainers")
_RESIZED = ("resources", "resizePolicy")


def _resized(new: Object, live: Object) -> Object:
    spec = dict(live.get("spec") or {})
    for name in _CONTAINERS:
        wanted = {each.get("name"): each for each in _list(new.get("spec"), name)}
        if name in spec:
            spec[name] = [_with_resources(each, wanted.get(each.get("name"))) for each in _list(spec, name)]
    return {**live, "spec": spec}


def _with_resources(container: Object, wanted: Object | None) -> Object:
    if wanted is None:
        return container
    kept = {name: value for name, value in container.items() if name not in _RESIZED}
    return {**kept, **{name: value for name, value in wanted.items() if name in _RESIZED}}


def _list(holder: Any, name: str) -> list[Any]:
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, list) else []


def _member(outer: str, name: str) -> Callable[[Object, Object], Object]:
    """Take one member of spec or status over."""

    def take(new: Object, live: Object) -> Object:
        kept = {k: v for k, v in (live.get(outer) or {}).items() if k != name}
        wanted = new.get(outer) or {}
        return {**live, outer: {**kept, **({name: wanted[name]} if name in wanted else {})}}

    return take


PARTS: Mapping[tuple[str, str], Part] = {
    ("CertificateSigningRequest", "approval"): Part((("f:status", "f:conditions"),), _member("status", "conditions")),
    ("Namespace", "finalize"): Part((("f:spec", "f:finalizers"),), _member("spec", "finalizers")),
    ("Pod", "ephemeralcontainers"): Part(
        (("f:spec", "f:ephemeralContainers"),), _member("spec", "ephemeralContainers")
    ),
    ("Pod", "resize"): Part(
        tuple(("f:spec", f"f:{name}", ANY, f"f:{field}") for name in _CONTAINERS for field in _RESIZED),
        _resized,
        pod_resize,
    ),
}
"""By kind and subresource."""

WRITABLE = frozenset(("status", "scale", *(subresource for _, subresource in PARTS)))
"""The subresources that can be read and written as documents; others are actions that need a running cluster."""
