"""A value as a built-in Go type reads it and writes it again.

Rules:
- Fields that the type does not have are dropped, and told. Null is the same as absent.
- A struct that is held by value is always written, as `{}` if it has nothing; a pointer to one only if it was there.
- Optional fields that are empty vanish, unless they are pointers (go_fields.py); required ones are written, as zero, as
  null for a list, if they are not there.
- Quantities take their normal form; an int-or-string stays what it was; integers are checked against their range.

Source: encoding/json and sigs.k8s.io/json over the types of k8s.io/api, Kubernetes 1.36; the texts are theirs.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.schema.elements import ListType, MapType, Scalar, ScalarType, StructField, TypeRef
from engine.schema.go_fields import keeps_zero, time_written_null, written_empty
from engine.schema.quantity import canonical_quantity
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
_RANGES = {"int32": (-(2**31), 2**31 - 1), "int64": (-(2**63), 2**63 - 1)}
_GO_KINDS = {
    Kind.BOOLEAN: "bool",
    Kind.LIST: "slice",
    Kind.MAP: "map",
    Kind.NULL: "invalid",
    Kind.NUMBER: "float64",
    Kind.STRING: "string",
}
_GO_SCALARS = ("bool", "float64", "int32", "int64", "string")
_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


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
    reader = _Reader()
    out = reader.struct(value, type_ref, _Place())
    return Decoded(out, tuple(reader.unknown))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is: the innermost struct, the field names to it, and the path with indices."""

    struct: str = ""
    fields: tuple[str, ...] = ()
    path: str = ""

    def member(self, struct: str, name: str) -> _Place:
        return _Place(struct, (*self.fields, name), f"{self.path}.{name}" if self.path else name)

    def item(self, index: int) -> _Place:
        return _Place(self.struct, self.fields, f"{self.path}[{index}]")

    def key(self, name: str) -> _Place:
        return _Place(self.struct, self.fields, f"{self.path}.{name}")


@dataclass(slots=True)
class _Reader:
    """One reading; collects the unknown fields that it meets."""

    unknown: list[str] = field(default_factory=list)

    def struct(self, value: Object, type_ref: TypeRef, place: _Place) -> Object:
        shape = type_ref.atom.map
        assert shape is not None
        name = type_ref.name
        struct = name.rpartition(".")[2]
        read: dict[str, Value | Missing] = {}
        for member, content in value.items():
            declared = shape.fields.get(member)
            if declared is None:
                self.unknown.append(place.member(struct, member).path)
            else:
                read[member] = self._field(content, declared, name, place.member(struct, member))
        out: Object = {}
        for declared in shape.fields.values():
            written = read[declared.name] if declared.name in read else self._absent(declared, name, place)
            if not isinstance(written, Missing):
                out[declared.name] = written
        return out

    def _field(self, value: Value, declared: StructField, owner: str, place: _Place) -> Value | Missing:
        if value is None:
            return self._absent(declared, owner, place)
        if declared.type.name in _ANY_JSON:
            return value
        read = self.value(value, declared.type, place)
        if read in ("", 0, False) and not isinstance(read, (list, dict)):
            shape = declared.type.atom.scalar
            kept = declared.required or written_empty(owner, declared.name) or declared.type.name == INT_OR_STRING
            if shape is not None and not kept and not keeps_zero(owner, declared.name, _openapi_kind(shape)):
                return MISSING
        elif read == [] or (read == {} and _is_free_map(declared.type)):
            kept = declared.required or written_empty(owner, declared.name)
            return (None if read == [] else read) if kept else MISSING
        return read

    def _absent(self, declared: StructField, owner: str, place: _Place) -> Value | Missing:
        """What is written for a field that is not there."""
        if declared.default == {}:
            return self.struct({}, declared.type, place) if _is_struct(declared.type) else {}
        if declared.type.name in (TIME, MICRO_TIME):
            return None if time_written_null(owner, declared.name) else MISSING
        if not declared.required and not written_empty(owner, declared.name):
            return MISSING
        if isinstance(declared.default, Missing) and keeps_zero(owner, declared.name, "string"):
            return MISSING
        return self._zero(declared.type)

    def _zero(self, type_ref: TypeRef) -> Value | Missing:
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

    def value(self, value: Value, type_ref: TypeRef, place: _Place) -> Value:
        """Read a value that is not null."""
        name = type_ref.name
        if name in _VERBATIM:
            return value
        if name == QUANTITY:
            return canonical_quantity(value)
        if name == INT_OR_STRING:
            return self._int_or_string(value, place)
        if name in (TIME, MICRO_TIME):
            return self._time(value, name, place)
        atom = type_ref.atom
        if atom.scalar is not None:
            return self._scalar(value, atom.scalar, place)
        if atom.list is not None:
            return self._list(value, atom.list, type_ref, place)
        assert atom.map is not None
        return self._map(value, atom.map, type_ref, place)

    def _map(self, value: Value, shape: MapType, type_ref: TypeRef, place: _Place) -> Value:
        if not isinstance(value, dict):
            raise _mismatch(value, place, _go_type(type_ref))
        if shape.fields:
            return self.struct(value, type_ref, place)
        if shape.values is None:
            return {}
        return {name: self._element(member, shape.values, place.key(name)) for name, member in value.items()}

    def _list(self, value: Value, shape: ListType, type_ref: TypeRef, place: _Place) -> Value:
        if not isinstance(value, list):
            raise _mismatch(value, place, _go_type(type_ref))
        return [self._element(item, shape.items, place.item(index)) for index, item in enumerate(value)]

    def _element(self, value: Value, type_ref: TypeRef, place: _Place) -> Value:
        """Read an item of a list or a member of a free map, where null is the zero value."""
        if value is not None:
            return self.value(value, type_ref, place)
        if _is_struct(type_ref):
            return self.struct({}, type_ref, place)
        zero = self._zero(type_ref)
        return None if isinstance(zero, Missing) else zero

    def _scalar(self, value: Value, shape: Scalar, place: _Place) -> Value:
        kind = kind_of(value)
        if shape.type is ScalarType.BOOLEAN:
            if kind is not Kind.BOOLEAN:
                raise _mismatch(value, place, "bool")
        elif shape.type is ScalarType.NUMERIC:
            return _number(value, shape.format, place)
        elif kind is not Kind.STRING:
            raise _mismatch(value, place, "[]uint8" if shape.format == "byte" else "string")
        elif shape.format == "byte":
            return _bytes(str(value), place)
        return value

    def _int_or_string(self, value: Value, place: _Place) -> Value:
        if isinstance(value, str):
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise _mismatch(value, place, "int32")
        return _number(value, "int32", place)

    def _time(self, value: Value, name: str, place: _Place) -> Value:
        if not isinstance(value, str):
            raise _mismatch(value, place, "string")
        if not _RFC3339.fullmatch(value):
            layout = "2006-01-02T15:04:05.000000Z07:00" if name == MICRO_TIME else "2006-01-02T15:04:05Z07:00"
            raise Undecodable(place.path, f'parsing time "{value}" as "{layout}": cannot parse "{value}" as "2006"')
        return value


def _number(value: Value, written: str, place: _Place) -> Value:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _mismatch(value, place, "float64" if written == "double" else written)
    if written not in _RANGES:
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    low, high = _RANGES[written]
    if isinstance(value, float) or not low <= value <= high:
        told = f"json: cannot unmarshal number {value} into {_target(place)} of type {written}"
        raise Undecodable(place.path, told, _unconvertible(value, written) if isinstance(value, float) else "")
    return value


def _bytes(value: str, place: _Place) -> str:
    try:
        raw = base64.b64decode(value.replace("\n", "").replace("\r", ""), validate=True)
    except (binascii.Error, ValueError):
        raise Undecodable(place.path, f"illegal base64 data at input byte {_bad_byte(value)}") from None
    return base64.b64encode(raw).decode()


def _bad_byte(value: str) -> int:
    """Where the reference stops reading: the first character outside the alphabet, else the last whole group."""
    for index, character in enumerate(value):
        if not (character.isascii() and (character.isalnum() or character in "+/=")):
            return index
    return len(value) // 4 * 4


def _mismatch(value: Value, place: _Place, wanted: str) -> Undecodable:
    names = {Kind.BOOLEAN: "bool", Kind.MAP: "object", Kind.LIST: "array"}
    found = names.get(kind_of(value), kind_of(value).value)
    told = f"json: cannot unmarshal {found} into {_target(place)} of type {wanted}"
    return Undecodable(place.path, told, _unconvertible(value, wanted))


def _unconvertible(value: Value, wanted: str) -> str:
    """What runtime.DefaultUnstructuredConverter says of a value that its target cannot take."""
    found = "int64" if isinstance(value, int) and not isinstance(value, bool) else _GO_KINDS[kind_of(value)]
    if wanted.startswith("[]"):
        return f"cannot restore slice from {found}"
    if wanted.startswith("map["):
        return f"cannot restore map from {found}"
    if wanted not in _GO_SCALARS:
        return f"cannot restore struct from: {found}"
    convertible = (found == "int64" and wanted == "string") or (found == "float64" and wanted in _RANGES)
    return f"cannot convert {found} to {wanted}" if convertible else f"unrecognized type: {wanted}"


def _target(place: _Place) -> str:
    return f"Go struct field {place.struct}.{'.'.join(place.fields)}" if place.fields else "Go value"


def _go_type(type_ref: TypeRef) -> str:
    """The Go type's name: `[]v1.Container`, `map[string]string`, `v1.PodSpec`."""
    atom = type_ref.atom
    if type_ref.name:
        parts = type_ref.name.split(".")
        return ".".join(parts[-2:])
    if atom.list is not None:
        items = _go_type(atom.list.items)
        return "[]" + (items if not items.startswith("[]") else items)
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
