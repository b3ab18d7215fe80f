"""Makes the JSON Patch from one document to another: adds, removes and replaces, in the order of the document.

A map is compared member by member, a list by an alignment of its equal items; what lies between two aligned items is
changed in place as far as both sides have items, the rest removed or added. Where the changes inside a value take more
text than the new value, the value is replaced.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from engine.json_patch.alignment import align
from engine.json_patch.pointer import render_pointer
from engine.value.equality import equal
from engine.value.failures import Path
from engine.value.json_writer import render_json, sorted_members
from engine.value.model import Object, Value

Operations: TypeAlias = list[Object]


def diff(before: Value, after: Value) -> Operations:
    """Return a JSON Patch that turns `before` into `after`; an empty one if they are equal.

    Guarantee: applied by RFC 6902, strictly or as the API server does, it gives a value equal to `after`. (The API
    server cannot replace a whole document; it never has to where both are maps.) Work is bounded: on long lists that
    have little in common the patch is right and not the smallest.
    """
    return _diff(before, after, ())


def _diff(before: Value, after: Value, path: Path) -> Operations:
    if isinstance(before, dict) and isinstance(after, dict):
        operations = _diff_maps(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        operations = _diff_lists(before, after, path)
    else:
        return [] if equal(before, after) else [_replace(path, after)]
    return operations if not path or _is_shorter(operations, path, after) else [_replace(path, after)]


def _diff_maps(before: Object, after: Object, path: Path) -> Operations:
    operations: Operations = [_remove((*path, name)) for name in before if name not in after]
    for name, value in after.items():
        inner = (*path, name)
        operations += _diff(before[name], value, inner) if name in before else [_add(inner, value)]
    return operations


def _diff_lists(before: list[Any], after: list[Any], path: Path) -> Operations:
    operations: Operations = []
    pairs = align([_token(item) for item in before], [_token(item) for item in after])
    done_before = done_after = 0
    for i, j in [*pairs, (len(before), len(after))]:
        operations += _diff_stretch(before[done_before:i], after[done_after:j], path, done_after)
        done_before, done_after = i + 1, j + 1
    return operations


def _diff_stretch(before: list[Any], after: list[Any], path: Path, start: int) -> Operations:
    """Return the operations between two aligned items; what stands before position `start` is done."""
    shared = min(len(before), len(after))
    operations: Operations = []
    for offset in range(shared):
        operations += _diff(before[offset], after[offset], (*path, start + offset))
    operations += [_remove((*path, start + shared)) for _ in before[shared:]]
    operations += [_add((*path, start + shared + offset), item) for offset, item in enumerate(after[shared:])]
    return operations


def _token(value: Value) -> str:
    """Return a text that is the same for equal values and for no others."""
    if isinstance(value, (float, dict, list)):
        return render_json(sorted_members(_whole(value)))
    return render_json(value)


def _whole(value: Any) -> Any:
    """Return `value` with floats that are integers as such: 1.0 equals 1, and is to look like it."""
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_shorter(operations: Operations, path: Path, after: Value) -> bool:
    if len(operations) <= 1:
        return True
    return len(render_json(operations)) <= len(render_json([_replace(path, after)]))


def _add(path: Path, value: Value) -> Object:
    return {"op": "add", "path": render_pointer(path), "value": value}


def _remove(path: Path) -> Object:
    return {"op": "remove", "path": render_pointer(path)}


def _replace(path: Path, value: Value) -> Object:
    return {"op": "replace", "path": render_pointer(path), "value": value}
