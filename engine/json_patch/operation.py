"""Operations of a JSON Patch, and their decoding."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.json_patch.failures import (
    MissingMember,
    OperationNotAnObject,
    PatchNotAList,
    TooManyOperations,
    WrongMember,
)
from engine.json_patch.pointer import parse_pointer
from engine.said import said
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import MISSING, Missing, Object, Value, kind_of

KINDS = ("add", "remove", "replace", "move", "copy", "test")
_WITH_FROM = ("move", "copy")
_WITH_VALUE = ("add", "replace", "test")


class Dialect(Enum):
    """Whose rules a patch is read and applied by."""

    STRICT = "strict"
    """RFC 6902."""
    KUBERNETES = "kubernetes"
    """What the API server's library accepts, which is more."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. path and from_path are pointers as written; what an operation does not have is MISSING.

    Under RFC 6902 an operation has all that its kind needs; in the Kubernetes dialect anything may lack.
    """

    op: str | Missing
    path: str | Missing
    from_path: str | Missing = MISSING
    value: Value | Missing = MISSING


def decode_operations(
    patch: Value, dialect: Dialect = Dialect.KUBERNETES, limits: Limits = DEFAULT_LIMITS
) -> tuple[Operation, ...]:
    """Return the operations of a JSON Patch. To the API server null is a patch without operations.

    Raises:
        PatchNotAList, OperationNotAnObject, WrongMember: it has not the form of a patch.
        MissingMember: an operation lacks op, path, from or value (RFC 6902; the API server minds later or not at all).
        TooManyOperations: there are more than `limits` allows.
    """
    if patch is None and dialect is Dialect.KUBERNETES:
        return ()
    if not isinstance(patch, list):
        raise PatchNotAList(kind_of(patch).value)
    if len(patch) > limits.max_operations:
        raise TooManyOperations(limits.max_operations, len(patch))
    return tuple(_decode(index, item, dialect) for index, item in enumerate(patch))


def _decode(index: int, item: Value, dialect: Dialect) -> Operation:
    if item is None and dialect is Dialect.KUBERNETES:
        item = {}
    if not isinstance(item, dict):
        raise OperationNotAnObject(index, kind_of(item).value)
    operation = Operation(
        _text(index, item, "op"), _text(index, item, "path"), _text(index, item, "from"), item.get("value", MISSING)
    )
    if dialect is Dialect.STRICT:
        _check(index, operation)
    return operation


def _text(index: int, item: Object, member: str) -> str | Missing:
    found: Value | Missing = item.get(member, MISSING)
    if found is None or isinstance(found, Missing):
        return MISSING
    if not isinstance(found, str):
        raise WrongMember(index, member, kind_of(found).value, said("a string"))
    return found


def _check(index: int, operation: Operation) -> None:
    if isinstance(operation.op, Missing):
        raise MissingMember(index, "op")
    if operation.op not in KINDS:
        raise WrongMember(index, "op", f'"{operation.op}"', said("one of %(names)s", names=", ".join(KINDS)))
    _check_pointer(index, "path", operation.path)
    if operation.op in _WITH_FROM:
        _check_pointer(index, "from", operation.from_path)
    if operation.op in _WITH_VALUE and operation.value is MISSING:
        raise MissingMember(index, "value")


def _check_pointer(index: int, member: str, pointer: str | Missing) -> None:
    if isinstance(pointer, Missing):
        raise MissingMember(index, member)
    if parse_pointer(pointer) is None:
        raise WrongMember(
            index, member, f'"{pointer}"', said('a JSON Pointer: empty, or beginning with "/", with ~0 for ~')
        )
