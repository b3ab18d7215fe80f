"""A value as a built-in Go type reads it and writes it again.

Rules:
- Fields that the type does not have are dropped, and told. Null is the same as absent.
- A struct that is held by value is always written, as `{}` if it has nothing; a pointer to one only if it was there.
- Optional fields that are empty vanish, unless they are pointers (go_fields.py); required ones are written, as zero, as
  null for a list, if they are not there.
- Quantities take their normal form; an int-or-string stays what it was; integers are checked against their range.

What a type makes of a value is worked out once, when the type is first met: each type has a reader, each struct a plan
of its members. Reading the recorded Deployment takes 3.4 units so, and took 10.4 when every rule was looked up for each
value (a unit is told of in web/bench/measure.py).

Source: encoding/json and sigs.k8s.io/json over the types of k8s.io/api, Kubernetes 1.36.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from engine.schema.elements import ListType, MapType, Scalar, ScalarType, StructField, TypeRef
from engine.schema.go_fields import keeps_zero, time_written_null, written_empty
from engine.schema.quantity import canonical_quantity
from engine.schema.undecodable import RANGES, Place, mismatch, out_of_range
from engine.schema.undecodable import Undecodable as Undecodable
from engine.value.model import MISSING, Kind, Missing, Object, Value, kind_of

QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity"
INT_OR_STRING = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.Time"
MICRO_TIME = "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime"
_ANY_JSON = frozenset(
    f"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.{name}"
    for name in ("JSON", "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray")
)
"""Types that keep whatever is written, an empty text or list too: a schema's default may be one."""
_VERBATIM = _ANY_JSON | {
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
}
_EMPTY_STRUCTS = frozenset(
    ("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus",)
)
"""Types without fields that are held by pointer: that they are there is all that they say."""
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_MOST_TYPES = 20_000
"""Readers that are kept: more than the built-in types need."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """What came of a value, and the paths of the fields that the type does not have, as they stand in the value."""

    value: Object
    unknown: tuple[str, ...]


def decode(value: Object, type_ref: TypeRef) -> Decoded:
    """Return an object as its built-in type reads and writes it. The input is not changed.

    Raises:
        Undecodable: something in it is of a kind that its field cannot take.
        MalformedQuantity: a quantity is none.
    """
    unknown: list[str] = []
    out = _struct_of(type_ref).read(value, None, unknown)
    return Decoded(out, tuple(unknown))


Reader: TypeAlias = Callable[[Value, "Place | None", list[str]], Value]
"""Reads a value that is not null and stands at a place; the paths of unknown fields are added to the list."""


@dataclass(frozen=True, slots=True)
class _Member:
    """How one member of a struct is read, and what of it vanishes.

    is_text: a plain text, of which nothing is to be read. drops_zero: zero, false and the empty text vanish.
    keeps_empty: an empty list is written as null, and an empty free map as it is; else they vanish.
    """

    reader: Reader
    is_text: bool
    is_verbatim: bool
    is_free_map: bool
    drops_zero: bool
    keeps_empty: bool

    def read(self, value: Value, place: Place, unknown: list[str]) -> Value | Missing:
        read = self.reader(value, place, unknown)
        if read or self.is_verbatim:
            return read
        if isinstance(read, list):
            return None if self.keeps_empty else MISSING
        if isinstance(read, dict):
            return MISSING if self.is_free_map and not self.keeps_empty else read
        return MISSING if self.drops_zero else read


class _Struct:
    """How a struct is read: its members, and what is written for those that are not there."""

    def __init__(self, type_ref: TypeRef) -> None:
        shape = type_ref.atom.map
        assert shape is not None
        self._declared, self._owner = shape.fields, type_ref.name
        self._name = type_ref.name.rpartition(".")[2]
        self._rank = {name: rank for rank, name in enumerate(shape.fields)}

    @cached_property
    def _members(self) -> dict[str, _Member]:
        return {name: _member(declared, self._owner) for name, declared in self._declared.items()}

    @cached_property
    def _absent(self) -> tuple[tuple[str, Callable[[], Value]], ...]:
        """What makes the values of members that are written though they are not there."""
        made = ((name, _absent(declared, self._owner)) for name, declared in self._declared.items())
        return tuple((name, make) for name, make in made if make is not None)

    def read(self, value: Object, place: Place | None, unknown: list[str]) -> Object:
        """Return the struct as it is written again, its members in the order of the type."""
        read: Object = {}
        members, struct = self._members, self._name
        for name, content in value.items():
            member = members.get(name)
            if member is None:
                unknown.append(Place(place, struct, name).path)
            elif member.is_text and type(content) is str and content:
                read[name] = content
            elif content is not None:
                written = member.read(content, Place(place, struct, name), unknown)
                if written is not MISSING:
                    read[name] = written
        for name, make in self._absent:
            if value.get(name) is None:
                read[name] = make()
        return {name: read[name] for name in sorted(read, key=self._rank.__getitem__)}


@lru_cache(maxsize=_MOST_TYPES)
def _struct_of(type_ref: TypeRef) -> _Struct:
    return _Struct(type_ref)


def _member(declared: StructField, owner: str) -> _Member:
    type_ref = declared.type
    scalar = type_ref.atom.scalar
    kept = declared.required or written_empty(owner, declared.name)
    drops_zero = (
        scalar is not None
        and not kept
        and type_ref.name != INT_OR_STRING
        and not keeps_zero(owner, declared.name, _openapi_kind(scalar))
    )
    return _Member(
        reader=_reader(type_ref),
        is_text=_is_text(type_ref),
        is_verbatim=type_ref.name in _ANY_JSON,
        is_free_map=_is_free_map(type_ref),
        drops_zero=drops_zero,
        keeps_empty=kept,
    )


def _is_text(type_ref: TypeRef) -> bool:
    named = _VERBATIM | {QUANTITY, INT_OR_STRING, TIME, MICRO_TIME}
    scalar = type_ref.atom.scalar
    return type_ref.name not in named and scalar == Scalar(ScalarType.STRING)


def _absent(declared: StructField, owner: str) -> Callable[[], Value] | None:
    """What makes the value of a field that is not there, None if nothing is written for it."""
    if declared.default == {}:
        return _empty_struct(declared.type) if _is_struct(declared.type) else dict
    if declared.type.name in (TIME, MICRO_TIME):
        return _nothing if time_written_null(owner, declared.name) else None
    if not declared.required and not written_empty(owner, declared.name):
        return None
    if isinstance(declared.default, Missing) and keeps_zero(owner, declared.name, "string"):
        return None
    zero = _zero(declared.type)
    return None if isinstance(zero, Missing) else lambda: zero


def _nothing() -> None:
    return None


def _empty_struct(type_ref: TypeRef) -> Callable[[], Value]:
    return lambda: _struct_of(type_ref).read({}, None, [])


def _zero(type_ref: TypeRef) -> Value | Missing:
    atom = type_ref.atom
    if type_ref.name == QUANTITY:
        return "0"
    if type_ref.name == INT_OR_STRING:
        return 0
    if atom.list is not None or (atom.map is not None and _is_free_map(type_ref)):
        return None
    if atom.scalar is None:
        return MISSING
    zeros: dict[ScalarType, Value] = {ScalarType.NUMERIC: 0, ScalarType.BOOLEAN: False}
    return zeros.get(atom.scalar.type, "")


@lru_cache(maxsize=_MOST_TYPES)
def _reader(type_ref: TypeRef) -> Reader:
    """Return what reads the values of a type."""
    name = type_ref.name
    if name in _VERBATIM:
        return lambda value, place, unknown: value
    if name == QUANTITY:
        return lambda value, place, unknown: canonical_quantity(value)
    if name == INT_OR_STRING:
        return _int_or_string
    if name in (TIME, MICRO_TIME):
        layout = "2006-01-02T15:04:05.000000Z07:00" if name == MICRO_TIME else "2006-01-02T15:04:05Z07:00"
        return lambda value, place, unknown: _time(value, layout, place)
    atom = type_ref.atom
    if atom.scalar is not None:
        scalar = atom.scalar
        return lambda value, place, unknown: _scalar(value, scalar, place)
    if atom.list is not None:
        return _list_reader(atom.list, type_ref)
    assert atom.map is not None
    return _map_reader(atom.map, type_ref)


def _list_reader(shape: ListType, type_ref: TypeRef) -> Reader:
    def read(value: Value, place: Place | None, unknown: list[str]) -> Value:
        if not isinstance(value, list):
            raise mismatch(value, place, _go_type(type_ref))
        item = _reader(shape.items)
        return [
            _element(shape.items) if each is None else item(each, Place(place, None, index), unknown)
            for index, each in enumerate(value)
        ]

    return read


def _map_reader(shape: MapType, type_ref: TypeRef) -> Reader:
    def read(value: Value, place: Place | None, unknown: list[str]) -> Value:
        if not isinstance(value, dict):
            raise mismatch(value, place, _go_type(type_ref))
        if shape.fields:
            return _struct_of(type_ref).read(value, place, unknown)
        if shape.values is None:
            return {}
        values, member = shape.values, _reader(shape.values)
        return {
            name: _element(values) if each is None else member(each, Place(place, None, name), unknown)
            for name, each in value.items()
        }

    return read


def _element(type_ref: TypeRef) -> Value:
    """The zero value, which null is as an item of a list or a member of a free map."""
    if _is_struct(type_ref):
        return _struct_of(type_ref).read({}, None, [])
    zero = _zero(type_ref)
    return None if isinstance(zero, Missing) else zero


def _scalar(value: Value, shape: Scalar, place: Place | None) -> Value:
    kind = kind_of(value)
    if shape.type is ScalarType.BOOLEAN:
        if kind is not Kind.BOOLEAN:
            raise mismatch(value, place, "bool")
    elif shape.type is ScalarType.NUMERIC:
        return _number(value, shape.format, place)
    elif kind is not Kind.STRING:
        raise mismatch(value, place, "[]uint8" if shape.format == "byte" else "string")
    elif shape.format == "byte":
        return _bytes(str(value), place)
    return value


def _int_or_string(value: Value, place: Place | None, unknown: list[str]) -> Value:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise mismatch(value, place, "int32")
    return _number(value, "int32", place)


def _time(value: Value, layout: str, place: Place | None) -> Value:
    if not isinstance(value, str):
        raise mismatch(value, place, "string")
    if not _RFC3339.fullmatch(value):
        told = f'parsing time "{value}" as "{layout}": cannot parse "{value}" as "2006"'
        raise Undecodable(place.path if place else "", told)
    return value


def _number(value: Value, written: str, place: Place | None) -> Value:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise mismatch(value, place, "float64" if written == "double" else written)
    if written not in RANGES:
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    low, high = RANGES[written]
    if isinstance(value, float) or not low <= value <= high:
        raise out_of_range(value, place, written)
    return value


def _bytes(value: str, place: Place | None) -> str:
    try:
        raw = base64.b64decode(value.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        told = f"illegal base64 data at input byte {_bad_byte(value)}"
        raise Undecodable(place.path if place else "", told) from None
    return base64.b64encode(raw).decode()


def _bad_byte(value: str) -> int:
    """Where the reference stops reading: the first character outside the alphabet, else the last whole group."""
    for index, character in enumerate(value):
        if not (character.isascii() and (character.isalnum() or character in "+/=")):
            return index
    return len(value) // 4 * 4


def _go_type(type_ref: TypeRef) -> str:
    """The Go type's name: `[]v1.Container`, `map[string]string`, `v1.PodSpec`."""
    atom = type_ref.atom
    if type_ref.name:
        parts = type_ref.name.split(".")
        return ".".join(parts[-2:])
    if atom.list is not None:
        return "[]" + _go_type(atom.list.items)
    if atom.map is not None and atom.map.values is not None:
        if atom.map.values.name == QUANTITY:
            return "v1.ResourceList"
        return "map[string]" + _go_type(atom.map.values)
    return _scalar_go_type(atom.scalar)


def _scalar_go_type(shape: Scalar | None) -> str:
    if shape is None:
        return "interface {}"
    if shape.type is ScalarType.NUMERIC:
        return "float64" if shape.format == "double" else shape.format
    if shape.type is ScalarType.BOOLEAN:
        return "bool"
    return "[]uint8" if shape.format == "byte" else "string"


def _openapi_kind(shape: Scalar) -> str:
    return {ScalarType.NUMERIC: "integer", ScalarType.BOOLEAN: "boolean"}.get(shape.type, "string")


def _is_struct(type_ref: TypeRef) -> bool:
    if type_ref.name in _VERBATIM or type_ref.name in (QUANTITY, INT_OR_STRING):
        return False
    shape = type_ref.atom.map
    return shape is not None and bool(shape.fields)


def _is_free_map(type_ref: TypeRef) -> bool:
    if type_ref.name in _EMPTY_STRUCTS:
        return False
    shape = type_ref.atom.map
    return shape is not None and not shape.fields and type_ref.atom.scalar is None and shape.values is not None
