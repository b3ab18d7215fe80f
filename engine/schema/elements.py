"""The type system of server-side apply: scalars, lists and maps, and how their elements relate.

A type is an Atom: what a value may be if it is a scalar, a list or a map. Most atoms allow one of the three; untyped
and deduced ones allow all. Types refer to each other by TypeRef, which resolves once, at first use, so that a
recursive or large schema costs nothing until it is walked.

Source: structured-merge-diff's schema model, as Kubernetes 1.36 fills it from OpenAPI.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.schema.patch_meta import NO_PATCH_META, PatchMeta
from engine.value.model import MISSING, Missing, Value


class ElementRelationship(Enum):
    """How the elements of a list or map relate: owned one by one, or all together."""

    ASSOCIATIVE = "associative"
    """A list whose items are found by their keys (a map list) or by their value (a set)."""
    ATOMIC = "atomic"
    """A list or map that is owned and replaced as a whole."""
    SEPARABLE = "separable"
    """A map or struct whose members are owned one by one (granular)."""


class ScalarType(Enum):
    """What a scalar may hold. UNTYPED takes any scalar."""

    STRING = "string"
    NUMERIC = "numeric"
    BOOLEAN = "boolean"
    UNTYPED = "untyped"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar. `format` narrows it: int32, int64, double, byte, date-time, int-or-string, quantity or empty."""

    type: ScalarType
    format: str = ""


class TypeRef:
    """A reference to a type. `atom` resolves it, once; `name` is the definition's name, empty for an inline type."""

    __slots__ = ("_atom", "_load", "name")

    def __init__(self, load: Callable[[], Atom] | Atom, name: str = "") -> None:
        self.name = name
        self._atom: Atom | None = load if isinstance(load, Atom) else None
        self._load: Callable[[], Atom] | None = None if isinstance(load, Atom) else load

    @property
    def atom(self) -> Atom:
        """The type itself."""
        if self._atom is None:
            assert self._load is not None
            self._atom = self._load()
            self._load = None
        return self._atom

    def with_relationship(self, relationship: ElementRelationship) -> TypeRef:
        """Return a reference to the same type whose list or map is atomic or granular as the referring field says."""
        return TypeRef(lambda: self.atom.with_relationship(relationship), self.name)

    def __repr__(self) -> str:
        return f"TypeRef({self.name or 'inline'})"


@dataclass(frozen=True, slots=True)
class StructField:
    """A declared member of a map: its type, its default (MISSING if none) and its strategic merge metadata."""

    name: str
    type: TypeRef
    default: Value | Missing = MISSING
    required: bool = False
    patch: PatchMeta = NO_PATCH_META


@dataclass(frozen=True, slots=True)
class ListType:
    """A list. Associative with keys: a map list; associative without: a set; else atomic."""

    items: TypeRef
    relationship: ElementRelationship = ElementRelationship.ATOMIC
    keys: tuple[str, ...] = ()

    @property
    def is_atomic(self) -> bool:
        """True if the list is owned as a whole."""
        return self.relationship is ElementRelationship.ATOMIC


@dataclass(frozen=True, slots=True)
class MapType:
    """A map or struct: its declared fields, and the type of all other members (None: others are unknown)."""

    fields: Mapping[str, StructField] = field(default_factory=dict)
    values: TypeRef | None = None
    relationship: ElementRelationship = ElementRelationship.SEPARABLE

    @property
    def is_atomic(self) -> bool:
        """True if the map is owned as a whole."""
        return self.relationship is ElementRelationship.ATOMIC

    def member(self, name: str) -> TypeRef | None:
        """Return the type of the member `name`, or None if the map does not know such a member."""
        declared = self.fields.get(name)
        return self.values if declared is None else declared.type


@dataclass(frozen=True, slots=True)
class Atom:
    """A type: what a value of it may be. None means that it may not be of that kind."""

    scalar: Scalar | None = None
    list: ListType | None = None
    map: MapType | None = None

    def with_relationship(self, relationship: ElementRelationship) -> Atom:
        """Return this atom with the relationship of its map (atomic or separable) or list (atomic) overridden."""
        return Atom(
            self.scalar,
            replace(self.list, relationship=relationship) if self.list else None,
            replace(self.map, relationship=relationship) if self.map else None,
        )
