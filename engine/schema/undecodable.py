"""What a Go type says of a value that it cannot take, and where it stands.

Source: encoding/json and sigs.k8s.io/json, Kubernetes 1.36; the texts are theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import EngineError
from engine.value.model import Kind, Value, kind_of

RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_GO_KINDS = {
    Kind.BOOLEAN: "bool",
    Kind.LIST: "slice",
    Kind.MAP: "map",
    Kind.NULL: "invalid",
    Kind.NUMBER: "float64",
    Kind.STRING: "string",
}
_GO_SCALARS = ("bool", "float64", "int32", "int64", "string")


@dataclass(eq=False)
class Undecodable(EngineError):
    """A value of a kind that the Go type cannot take; `path` is where, in field names.

    detail is what the JSON decoder says of it, converted what the converter says through which a strategic merge goes.
    """

    path: str
    detail: str
    converted: str = ""

    def __str__(self) -> str:
        return self.detail


class Place(NamedTuple):
    """One step of the way to a value: the member of a struct, the key of a map (struct: None), or an item's index.

    A chain, and put into words only where something is wrong: nearly no value is.
    """

    outer: Place | None
    struct: str | None
    step: str | int

    def steps(self) -> Iterator[Place]:
        """Yield the steps of the way, the first one first."""
        if self.outer is not None:
            yield from self.outer.steps()
        yield self

    @property
    def path(self) -> str:
        """The way with indices: `spec.containers[0].name`."""
        words = (f"[{each.step}]" if isinstance(each.step, int) else f".{each.step}" for each in self.steps())
        return "".join(words).removeprefix(".")

    @property
    def target(self) -> str:
        """What Go calls the field: the innermost struct, and the names of the fields on the way."""
        members = [each for each in self.steps() if each.struct is not None]
        if not members:
            return "Go value"
        return f"Go struct field {members[-1].struct}.{'.'.join(str(each.step) for each in members)}"


def mismatch(value: Value, place: Place | None, wanted: str) -> Undecodable:
    """Return the refusal of a value of another kind than the Go type `wanted` takes."""
    names = {Kind.BOOLEAN: "bool", Kind.MAP: "object", Kind.LIST: "array"}
    found = names.get(kind_of(value), kind_of(value).value)
    told = f"json: cannot unmarshal {found} into {place.target if place else 'Go value'} of type {wanted}"
    return Undecodable(place.path if place else "", told, _unconvertible(value, wanted))


def out_of_range(value: int | float, place: Place | None, wanted: str) -> Undecodable:
    """Return the refusal of a number that is not of the Go type `wanted`: too large, or with a fraction."""
    told = f"json: cannot unmarshal number {value} into {place.target if place else 'Go value'} of type {wanted}"
    converted = _unconvertible(value, wanted) if isinstance(value, float) else ""
    return Undecodable(place.path if place else "", told, converted)


def _unconvertible(value: Value, wanted: str) -> str:
    """What runtime.DefaultUnstructuredConverter says of a value that its target cannot take."""
    found = "int64" if isinstance(value, int) and not isinstance(value, bool) else _GO_KINDS[kind_of(value)]
    if wanted.startswith("[]"):
        return f"cannot restore slice from {found}"
    if wanted.startswith("map["):
        return f"cannot restore map from {found}"
    if wanted not in _GO_SCALARS:
        return f"cannot restore struct from: {found}"
    convertible = (found == "int64" and wanted == "string") or (found == "float64" and wanted in RANGES)
    return f"cannot convert {found} to {wanted}" if convertible else f"unrecognized type: {wanted}"
