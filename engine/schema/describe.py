"""What a schema says of a field: its type, how its elements relate, its default, and how each way of writing merges it.

Paths are of types, not of values: `.spec.containers[].ports[].name`, `.metadata.labels.*` for the members of a map
whose names are free, `.spec["a.b"]` for a name with a dot in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from engine.errors import EngineError
from engine.said import said
from engine.schema.defaults.fill import filled
from engine.schema.elements import Atom, ListType, MapType, ScalarType, StructField, TypeRef
from engine.schema.patch_meta import NO_PATCH_META, PatchMeta
from engine.value.model import MISSING, Missing, Value

ITEM, MEMBER = "[]", "*"
_STEP = re.compile(r'\.?(\["(?P<quoted>[^"]*)"\]|\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]|(?P<plain>[^.\[\]]+))')
"""A name, or an item in any spelling: `[]`, `[0]` as in a result, `[name="web"]` as in managedFields."""
_SCALARS = {
    ScalarType.STRING: "string",
    ScalarType.NUMERIC: "number",
    ScalarType.BOOLEAN: "boolean",
    ScalarType.UNTYPED: "any scalar",
}


@dataclass(eq=False)
class NoSuchField(EngineError):
    """A path that the schema does not have; `known` is the part of it that it has, `names` what follows there."""

    path: str
    known: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        known = self.known or said("the object")
        if not self.names:
            return said(
                "the schema has no field %(path)s, only %(known)s; nothing is below it", path=self.path, known=known
            )
        return said(
            "the schema has no field %(path)s, only %(known)s; expected one of %(names)s",
            path=self.path,
            known=known,
            names=", ".join(self.names),
        )


class Parting(Enum):
    """Where server-side apply and strategic merge patch treat a field differently."""

    KEYS = "keys"
    """Both merge the list, but tell its items apart by other keys."""
    REPLACED = "replaced"
    """Apply merges the list item by item, strategic merge replaces it."""
    OWNED_WHOLE = "owned whole"
    """Apply owns the list as a whole, strategic merge merges its items."""
    MAP_WHOLE = "map whole"
    """Apply owns the map as a whole, strategic merge changes its members one by one."""
    RETAINED = "retained"
    """A strategic merge made by kubectl drops the members that it does not say, apply keeps those of others."""
    ABSENT = "absent"
    """Strategic merge does not exist for this kind: its Go types are not known to the server."""


@dataclass(frozen=True, slots=True)
class FieldDescription:
    """A field by its schema.

    kind: string, number, boolean, any scalar, list, map, or anything. type_name is the definition's short name, empty
    for an inline type. list_type is atomic, set or map (with keys), map_type atomic or granular; empty for others.
    inside is the path of the nearest ancestor that is owned as a whole, empty if none is. opens: it has members.
    """

    path: str
    kind: str
    type_name: str
    required: bool
    list_type: str
    keys: tuple[str, ...]
    map_type: str
    patch: PatchMeta
    default: Value | Missing
    parting: Parting | None
    inside: str
    opens: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """A type at a path, with what the field that refers to it says. custom: of a custom resource."""

    path: str
    type: TypeRef
    custom: bool
    field: StructField | None = None
    default: Value | Missing = MISSING
    inside: str = ""


def describe(type_ref: TypeRef, path: str = "", *, custom: bool = False) -> tuple[FieldDescription, ...]:
    """Return the field at `path` first, then the fields right below it, those of a map by name.

    custom: the kind is a custom resource, for which there is no strategic merge patch.

    Raises:
        NoSuchField: the schema does not have the path.
    """
    place = _place_at(type_ref, path, custom)
    return (_description(place), *(_description(each) for each in sorted(_below(place), key=lambda each: each.path)))


def type_at(type_ref: TypeRef, path: str) -> TypeRef:
    """Return the type of the field at `path`.

    Raises:
        NoSuchField: the schema does not have the path.
    """
    return _place_at(type_ref, path, custom=False).type


def steps_of_path(path: str) -> tuple[str, ...]:
    """Return the names of a path; `[]` stands for an item, whichever the path names, `*` for any member."""
    return tuple(_steps(path))


def _place_at(type_ref: TypeRef, path: str, custom: bool) -> _Place:
    place = _Place("", type_ref, custom)
    for step in _steps(path):
        below = {_last_step(each): each for each in _below(place)}
        found = below.get(step) or below.get(MEMBER)
        if found is None:
            raise NoSuchField(path, place.path, tuple(below))
        place = found if _last_step(found) == step else replace(found, path=place.path + _spelled(step))
    return place


def _steps(path: str) -> Iterator[str]:
    position = 0
    text = path.strip().strip(".")
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or match.end() == position:
            raise NoSuchField(path, text[:position], ())
        yield match["quoted"] if match["quoted"] is not None else match["plain"] or ITEM
        position = match.end()


def _spelled(step: str) -> str:
    if step == ITEM:
        return ITEM
    return f'["{step}"]' if re.search(r"[.\[\]]", step) else f".{step}"


def _last_step(place: _Place) -> str:
    return list(_steps(place.path))[-1]


def _below(place: _Place) -> Iterator[_Place]:
    """The places right below one: the members of a map, the items of a list."""
    atom, inside = place.type.atom, place.inside or (place.path if _is_atomic(place.type.atom) else "")
    if _is_anything(atom):
        return
    if atom.list is not None:
        yield _Place(place.path + ITEM, atom.list.items, place.custom, inside=inside)
    if atom.map is not None:
        defaults = _defaults(place)
        for field in atom.map.fields.values():
            default = field.default if not isinstance(field.default, Missing) else defaults.get(field.name, MISSING)
            yield _Place(place.path + _spelled(field.name), field.type, place.custom, field, default, inside)
        if atom.map.values is not None and not _preserves_only(atom.map):
            yield _Place(place.path + _spelled(MEMBER), atom.map.values, place.custom, inside=inside)


def _preserves_only(shape: MapType) -> bool:
    """True for a struct that keeps unknown fields beside those that it declares."""
    return bool(shape.fields)


def _defaults(place: _Place) -> dict[str, Value]:
    """What the server fills into an empty struct of a built-in type."""
    return {} if place.custom or not place.type.name else filled({}, place.type)


def _description(place: _Place) -> FieldDescription:
    atom = place.type.atom
    patch = place.field.patch if place.field else NO_PATCH_META
    anything = _is_anything(atom)
    return FieldDescription(
        path=place.path,
        kind=_kind(atom),
        type_name=place.type.name.rpartition(".")[2],
        required=place.field is not None and place.field.required,
        list_type=_list_type(atom.list) if atom.list and not anything else "",
        keys=atom.list.keys if atom.list and not anything else (),
        map_type="" if anything or atom.map is None else "atomic" if atom.map.is_atomic else "granular",
        patch=patch,
        default=_told(place),
        parting=None if anything else _parting(atom, patch, place.custom),
        inside=place.inside,
        opens=next(_below(place), None) is not None,
    )


def _told(place: _Place) -> Value | Missing:
    """The default; of a built-in type not the empty one, which OpenAPI writes at every struct and means nothing."""
    return MISSING if not place.custom and place.default in ({}, "") else place.default


def _is_anything(atom: Atom) -> bool:
    return sum(part is not None for part in (atom.scalar, atom.list, atom.map)) > 1


def _is_atomic(atom: Atom) -> bool:
    parts = (atom.list, atom.map)
    return not _is_anything(atom) and any(part is not None and part.is_atomic for part in parts)


def _kind(atom: Atom) -> str:
    if _is_anything(atom):
        return "anything"
    if atom.scalar is not None:
        return atom.scalar.format or _SCALARS[atom.scalar.type]
    return "list" if atom.list is not None else "map"


def _list_type(shape: ListType) -> str:
    return "atomic" if shape.is_atomic else "map" if shape.keys else "set"


def _parting(atom: Atom, patch: PatchMeta, custom: bool) -> Parting | None:
    if custom:
        return Parting.ABSENT if atom.list is not None else None
    if atom.list is not None:
        if atom.list.is_atomic:
            return Parting.OWNED_WHOLE if patch.merges else None
        if not patch.merges:
            return Parting.REPLACED
        return Parting.KEYS if atom.list.keys != ((patch.merge_key,) if patch.merge_key else ()) else None
    if atom.map is not None and atom.map.is_atomic:
        return Parting.MAP_WHOLE
    return Parting.RETAINED if patch.retains_keys else None
