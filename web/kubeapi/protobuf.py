"""Bodies that kubectl sends in Kubernetes' protobuf: the envelope, and objects by their field numbers.

kubectl 1.32 and newer create objects so when a generator makes them (`kubectl create configmap` and the like). The wire
format names no fields; which number is which field of which type is data (protobuf.json), as far as those generators
fill fields.

Source: the protobuf encoding specification; the field numbers of k8s.io/api, Kubernetes 1.36.
"""

from __future__ import annotations

import base64
from typing import Any

from engine.apiserver.failures import BadRequest
from engine.value.model import Object, Value
from web.kubeapi.discovery import data

PROTOBUF = "application/vnd.kubernetes.protobuf"
_MAGIC = b"k8s\x00"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def decode_protobuf(body: bytes) -> Value:
    """Return the object that a protobuf body holds.

    Raises:
        BadRequest: it is none, or of a kind whose fields are not known here.
    """
    if not body.startswith(_MAGIC):
        raise BadRequest("the body is no Kubernetes protobuf: expected it to begin with k8s and a zero byte")
    envelope = _fields(body[len(_MAGIC) :])
    about = _fields(_only(envelope, 1))
    api_version, kind = _only(about, 1).decode("utf-8", "replace"), _only(about, 2).decode("utf-8", "replace")
    types = data("protobuf.json")
    name = types["kinds"].get(f"{api_version}/{kind}")
    if name is None:
        raise BadRequest(
            f"{kind} ({api_version}) cannot be read as protobuf here. "
            "Send it as JSON: kubectl ... --dry-run=client -o yaml | kubectl apply -f -"
        )
    return {"apiVersion": api_version, "kind": kind, **_message(_only(envelope, 2), name, types["messages"])}


def _only(fields: dict[int, list[Any]], number: int) -> bytes:
    found = fields.get(number, [b""])[-1]
    if not isinstance(found, bytes):
        raise BadRequest(f"the protobuf body is malformed: field {number} is no text")
    return found


def _fields(message: bytes) -> dict[int, list[Any]]:
    """Return the values of a message by field number: whole numbers, or bytes."""
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        number, wire = tag >> 3, tag & 7
        value: Any
        if wire == _VARINT:
            value, at = _varint(message, at)
        elif wire == _BYTES:
            size, at = _varint(message, at)
            value, at = message[at : at + size], at + size
        elif wire in (_FIXED64, _FIXED32):
            size = 8 if wire == _FIXED64 else 4
            value, at = int.from_bytes(message[at : at + size], "little"), at + size
        else:
            raise BadRequest(f"the protobuf body is malformed: wire type {wire}")
        if at > len(message):
            raise BadRequest("the protobuf body ends in the middle of a field")
        found.setdefault(number, []).append(value)
    return found


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise BadRequest("the protobuf body ends in the middle of a number")
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _message(message: bytes, name: str, messages: Any) -> Object:
    """A message as an object: known fields by their names."""
    known = messages[name]
    out: Object = {}
    for number, values in _fields(message).items():
        declared = known.get(str(number))
        if declared is None:
            continue
        field, kind = declared
        value = _value(values, kind, messages)
        if field == "-" and isinstance(value, dict):
            out |= value  # an embedded struct: its fields stand among its holder's
        elif value is not None:
            out[field] = value
    return out


def _value(values: list[Any], kind: str, messages: Any) -> Value:
    if kind.startswith("[]"):
        return [_single(each, kind[2:], messages) for each in values]
    if kind.startswith("map:"):
        pairs = (_fields(each) for each in values)
        return {
            _only(pair, 1).decode("utf-8", "replace"): _single(pair.get(2, [b""])[-1], kind[4:], messages)
            for pair in pairs
        }
    return _single(values[-1], kind, messages)


def _single(value: Any, kind: str, messages: Any) -> Value:
    if kind == "string":
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    if kind == "bytes":
        return base64.b64encode(value).decode() if isinstance(value, bytes) else ""
    if kind == "bool":
        return bool(value)
    if kind == "int":
        return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value
    if not isinstance(value, bytes):
        raise BadRequest(f"the protobuf body is malformed: {kind} is no message")
    if kind == "Quantity":
        return _only(_fields(value), 1).decode("utf-8", "replace")
    if kind == "IntOrString":
        fields = _fields(value)
        if fields.get(1, [0])[-1] == 1:
            return _only(fields, 3).decode("utf-8", "replace")
        number = fields.get(2, [0])[-1]
        return int(number)
    if kind == "Time":
        return None
    return _message(value, kind, messages)
