"""Applies a JSON Patch, in the dialect of RFC 6902 or in that of the API server.

The document is never changed: a list or map is copied when an operation first changes it, and changed in place from
then on (`Draft.owned`). A copy operation makes one value stand in two places, so after it nothing counts as owned.
So a patch costs what it touches, not what the document holds.

Where Kubernetes is laxer than the RFC: replace on a missing member adds it; copy from a missing member adds null; add
and replace without a value put null; test of null passes on a missing member; indices may be negative, counted from
the end, and have a sign or leading zeros; what stands before a pointer's first slash is not looked at; a missing path,
an unknown kind are only found when their turn comes. It is stricter in two things: the whole document has no pointer,
and a number written as a float (1.0) is not equal to an integer.

Source: RFC 6902; evanphx/json-patch 4 as in Kubernetes 1.36.
"""

from __future__ import annotations

import re
from typing import Any

from engine.json_patch.failures import (
    BadIndex,
    CopiesTooLarge,
    InvalidOperation,
    MissingLocation,
    MoveIntoItself,
    RootRemoval,
    TestFailed,
)
from engine.json_patch.operation import KINDS, Dialect, Operation, decode_operations
from engine.json_patch.pointer import parse_loose_pointer, parse_pointer, render_pointer
from engine.value.equality import equal
from engine.value.failures import LimitExceeded
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import MISSING, Missing, Value

_INDEX = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)
_LOOSE_INDEX = re.compile(r"[-+]?0*[0-9]{1,18}", re.ASCII)
_END = "-"


def apply_json_patch(
    document: Value, patch: Value, dialect: Dialect = Dialect.KUBERNETES, limits: Limits = DEFAULT_LIMITS
) -> Value:
    """Return `document` with the operations of `patch` done, one after the other. Parts that did not change are shared.

    Raises:
        UndecodablePatch: `patch` has not the form of a JSON Patch.
        TooManyOperations: it has more operations than `limits` allows.
        InapplicableOperation: one of them cannot be done; the failure names it, and how far its pointer leads.
        LimitExceeded: the result would be nested too deeply.
    """
    return apply_operations(document, decode_operations(patch, dialect, limits), dialect, limits)


def apply_operations(
    document: Value,
    operations: tuple[Operation, ...],
    dialect: Dialect = Dialect.KUBERNETES,
    limits: Limits = DEFAULT_LIMITS,
) -> Value:
    """Return `document` with decoded operations done. Raises: as `apply_json_patch`."""
    draft = Draft(document, dialect, limits)
    for index, operation in enumerate(operations):
        draft.do(index, operation)
    return draft.root


class Draft:
    """A document under work: `owned` holds the lists and maps that this patch made and may change in place."""

    def __init__(self, root: Value, dialect: Dialect, limits: Limits = DEFAULT_LIMITS) -> None:
        """Start from `root`, which is not changed."""
        self.root, self.dialect, self.limits = root, dialect, limits
        self.strict = dialect is Dialect.STRICT
        self.owned: dict[int, Any] = {}
        self.copied = 0
        self.measured: dict[int, tuple[Any, int, int]] = {}
        self.index, self.op, self.path = 0, "", ""

    def do(self, index: int, operation: Operation) -> None:
        """Do an operation, the patch's `index`-th from 0; after a failure the draft is of no further use.

        Raises: as `apply_json_patch`.
        """
        self.index, self.op, self.path = index, str(operation.op or ""), str(operation.path or "")
        if self.op not in KINDS:
            raise self._invalid(f'"{self.op}" is no operation; expected one of {", ".join(KINDS)}')
        if isinstance(operation.path, Missing):
            raise self._invalid("it has no path")
        if self.op in ("add", "replace"):
            self._put(operation)
        elif self.op == "remove":
            self._remove(operation.path)
        elif self.op == "test":
            self._test(operation)
        else:
            self._transfer(operation)

    def _put(self, operation: Operation) -> None:
        value = None if operation.value is MISSING else operation.value
        if self.op == "replace":
            self._replace(str(operation.path), value)
        else:
            self._add(str(operation.path), value)

    def _transfer(self, operation: Operation) -> None:
        if isinstance(operation.from_path, Missing):
            raise self._invalid("it has no from")
        source, target = operation.from_path, str(operation.path)
        if self.op == "move":
            if self.strict and (target + "/").startswith(source + "/") and target != source:
                raise self._failure(MoveIntoItself, source)
            moved = self._found(self._get(source), source)
            if target != source:
                self._remove(source)
                self._add(target, moved)
            return
        value = self._get(source)
        if value is MISSING and not self.strict:
            value = None  # the API server copies null from a member that is not there
        self._copy(target, self._found(value, source))

    def _copy(self, target: str, value: Value) -> None:
        allowed = self.limits.max_copied_bytes
        self.copied += self._measure(value)[0]
        if self.copied > allowed:
            raise CopiesTooLarge(self.index, self.op, self.path, target, "", allowed)
        self._share(value)
        self._add(target, value)

    def _share(self, value: Value) -> None:
        """Let nothing of a value be changed in place any more: it will stand in two places.

        What is owned lies in what is owned, so the walk ends where nothing is.
        """
        pending: list[Any] = [value]
        while pending:
            current = pending.pop()
            if isinstance(current, (dict, list)) and self.owned.pop(id(current), None) is not None:
                pending += current.values() if isinstance(current, dict) else current

    def _test(self, operation: Operation) -> None:
        found = self._get(str(operation.path))
        expected = None if operation.value is MISSING else operation.value
        if found is MISSING and self.strict:
            raise self._missing(str(operation.path))
        same = expected is None if isinstance(found, Missing) else self._equal(found, expected)
        if not same:
            raise TestFailed(self.index, self.op, self.path, self.path, self.path, expected, found)

    def _equal(self, found: Value, expected: Any) -> bool:
        return equal(found, expected) and (self.strict or not _has_whole_float(expected))

    def _get(self, pointer: str) -> Value | Missing:
        """Return the value at `pointer`, MISSING if only the last member of a map is not there."""
        parts = self._parts(pointer)
        if not parts:
            return self.root
        parent = self._walk(pointer, parts)
        if isinstance(parent, dict):
            value: Value | Missing = parent.get(parts[-1], MISSING)
            return value
        item: Value = parent[self._position(pointer, parent, parts[-1], len(parent))]
        return item

    def _add(self, pointer: str, value: Value) -> None:
        parts = self._parts(pointer)
        self._check_depth(len(parts), value)
        if not parts:
            self.root = value
            return
        parent = self._walk(pointer, parts, own=True)
        if isinstance(parent, dict):
            parent[parts[-1]] = value
        elif parts[-1] == _END:
            parent.append(value)
        else:
            parent.insert(self._position(pointer, parent, parts[-1], len(parent) + 1), value)

    def _check_depth(self, above: int, value: Value) -> None:
        """Refuse a value that would reach below the deepest level a document may have."""
        if above + self._measure(value)[1] > self.limits.max_depth + 1:
            raise LimitExceeded("levels", self.limits.max_depth)

    def _measure(self, value: Any) -> tuple[int, int]:
        """Return about how many bytes `value` takes as JSON, and how many lists and maps it has inside one another.

        A list or map that copies made many of is measured once: only what is owned changes any more.
        """
        if isinstance(value, str):
            return len(value) + 2, 0
        if not isinstance(value, (dict, list)):
            return 2, 0
        known = self.measured.get(id(value))
        if known is not None:
            return known[1], known[2]
        children = list(map(self._measure, value.values() if isinstance(value, dict) else value))
        names = sum(map(len, value)) + 4 * len(value) if isinstance(value, dict) else 0
        size = 2 + names + sum(child[0] for child in children)
        levels = 1 + max((child[1] for child in children), default=0)
        if id(value) not in self.owned:
            self.measured[id(value)] = (value, size, levels)
        return size, levels

    def _replace(self, pointer: str, value: Value) -> None:
        parts = self._parts(pointer)
        self._check_depth(len(parts), value)
        if not parts:
            self.root = value
            return
        parent = self._walk(pointer, parts, own=True)
        if isinstance(parent, list):
            parent[self._position(pointer, parent, parts[-1], len(parent))] = value
        elif self.strict and parts[-1] not in parent:
            raise self._missing(pointer)
        else:
            parent[parts[-1]] = value

    def _remove(self, pointer: str) -> None:
        parts = self._parts(pointer)
        if not parts:
            raise self._failure(RootRemoval, pointer)
        parent = self._walk(pointer, parts, own=True)
        if isinstance(parent, list):
            del parent[self._position(pointer, parent, parts[-1], len(parent))]
        elif parts[-1] in parent:
            del parent[parts[-1]]
        else:
            raise self._missing(pointer)

    def _parts(self, pointer: str) -> tuple[str, ...]:
        if self.strict:
            return parse_pointer(pointer) or ()
        parts = parse_loose_pointer(pointer)
        if not parts:
            raise self._missing(pointer)
        return parts

    def _walk(self, pointer: str, parts: tuple[str, ...], own: bool = False) -> Any:
        """Return the list or map that holds the last part; with `own`, one that may be changed in place."""
        if own:
            self.root = self._owned(self.root)
        current: Any = self.root
        for part in parts[:-1]:
            key = self._key(pointer, parts, current, part)
            child = current[key]
            if own and isinstance(child, (dict, list)):
                current[key] = child = self._owned(child)
            current = child
        if not isinstance(current, (dict, list)):
            raise self._missing(pointer)
        return current

    def _key(self, pointer: str, parts: tuple[str, ...], parent: Any, part: str) -> str | int:
        if isinstance(parent, list):
            return self._position(pointer, parent, part, len(parent))
        if not isinstance(parent, dict) or part not in parent:
            raise self._missing(pointer)
        return part

    def _owned(self, container: Any) -> Any:
        """Return a list or map that may be changed: itself if this patch made it, else a copy of its first level."""
        if id(container) in self.owned or not isinstance(container, (dict, list)):
            return container
        copy = container.copy()
        self.owned[id(copy)] = copy
        return copy

    def _position(self, pointer: str, items: list[Any], part: str, size: int) -> int:
        """Return the index that `part` means in `items` where `size` positions are possible."""
        pattern = _INDEX if self.strict else _LOOSE_INDEX
        position = int(part) if pattern.fullmatch(part) else size
        position += size if position < 0 else 0
        if not 0 <= position < size:
            raise BadIndex(self.index, self.op, self.path, pointer, self._reach(pointer), part, len(items))
        return position

    def _found(self, value: Value | Missing, pointer: str) -> Value:
        if isinstance(value, Missing):
            raise self._missing(pointer)
        return value

    def _missing(self, pointer: str) -> MissingLocation:
        return MissingLocation(self.index, self.op, self.path, pointer, self._reach(pointer))

    def _failure(self, kind: type[MoveIntoItself | RootRemoval], pointer: str) -> MoveIntoItself | RootRemoval:
        return kind(self.index, self.op, self.path, pointer, pointer)

    def _invalid(self, problem: str) -> InvalidOperation:
        return InvalidOperation(self.index, self.op, self.path, self.path, "", problem)

    def _reach(self, pointer: str) -> str:
        """Return the pointer of the last value on the way that `pointer` describes."""
        parts = (parse_pointer(pointer) or ()) if self.strict else parse_loose_pointer(pointer)
        current: Any = self.root
        for depth, part in enumerate(parts):
            if isinstance(current, dict) and part in current:
                current = current[part]
            elif isinstance(current, list) and _INDEX.fullmatch(part) and int(part) < len(current):
                current = current[int(part)]
            else:
                return render_pointer(parts[:depth])
        return pointer


def _has_whole_float(value: Any) -> bool:
    """True if a number that is written as a float, and needs not be, is in `value`: the server compares the texts."""
    if isinstance(value, dict):
        return any(map(_has_whole_float, value.values()))
    if isinstance(value, list):
        return any(map(_has_whole_float, value))
    return isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53
