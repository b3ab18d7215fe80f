"""Strategic merge patches from two objects, proven by the engine's own application of them.

Where merging cannot say the change (a repeated merge key, a null, an order that merging does not give), the smallest
list or map around the place that can be is replaced whole, with `$patch: replace`.
"""

from __future__ import annotations

from typing import Any

from engine.errors import EngineError
from engine.generate.exact import exact_size, first_difference
from engine.generate.merge_patch import values_in
from engine.generate.model import Answer, Format, Generated, Impossible, Order
from engine.generate.objects import kind_info, one_object
from engine.said import said
from engine.schema.elements import TypeRef
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.diff import diff
from engine.value.failures import Path, render_path
from engine.value.model import Object, Value

_REPLACE: Object = {"$patch": "replace"}
_MOST_REPLACED = 30


def generate_strategic_patch(order: Order) -> Answer:
    """Return the strategic merge patch from one object to another, or where it cannot say the change."""
    objects = one_object(order)
    if isinstance(objects, Impossible):
        return objects
    before, after = objects
    info = kind_info(order)
    if info is None or info.custom is not None:
        told = said(
            "Strategic merge patches are for built-in kinds; %(kind)s of %(version)s %(found)s, "
            "and the API server answers 415. Use a JSON merge patch, a JSON Patch or an apply.",
            kind=before["kind"],
            version=before["apiVersion"],
            found=said("is a custom resource") if info is not None else said("is of no built-in kind"),
        )
        return Impossible(Format.STRATEGIC, told, ("kind",))
    return _replaced_where_needed(before, after, info.type)


def _replaced_where_needed(before: Object, after: Object, type_ref: TypeRef) -> Answer:
    replaced: list[Path] = []
    path: Path = ()
    trouble = ""
    for _ in range(_MOST_REPLACED):
        start = before
        for each in replaced:
            start = _with(start, each, _at(after, each))
        try:
            patch = diff(start, after, type_ref)
            for each in replaced:
                patch = _with(patch, each, _whole(_at(after, each)))
            made: Value = apply_strategic_merge_patch(before, patch, type_ref)
            trouble = ""
        except EngineError as error:
            made, trouble = start, str(error)
        found = first_difference(made, after)
        if found is None and not trouble:
            return _generated(patch, replaced)
        path = found or path
        around = _replaceable(before, after, path, replaced)
        if around is None:
            break
        replaced = [*(each for each in replaced if each[: len(around)] != around), around]
    return _impossible(after, path, trouble)


def _replaceable(before: Object, after: Object, path: Path, replaced: list[Path]) -> Path | None:
    """Return the smallest list or map around `path` that can be replaced whole, and is not yet."""
    way: list[Path] = []
    old: Any = before
    new: Any = after
    for number, step in enumerate(path):
        if not (isinstance(old, dict) and isinstance(new, dict) and step in old and step in new):
            break
        old, new = old[step], new[step]
        here = path[: number + 1]
        lists = isinstance(old, list) and isinstance(new, list) and all(isinstance(item, dict) for item in new)
        if lists or (isinstance(old, dict) and isinstance(new, dict)):
            way.append(here)
    return next((each for each in reversed(way) if each not in replaced and not _inside(each, replaced)), None)


def _inside(path: Path, replaced: list[Path]) -> bool:
    return any(path[: len(each)] == each for each in replaced)


def _whole(value: Value) -> Value:
    return (
        [_REPLACE, *value] if isinstance(value, list) else {**_REPLACE, **value} if isinstance(value, dict) else value
    )


def _with(obj: Object, path: Path, value: Value) -> Object:
    """Return `obj` with `value` at a path of member names."""
    name = str(path[0])
    if len(path) == 1:
        return {**obj, name: value}
    inner = obj.get(name)
    return {**obj, name: _with(inner if isinstance(inner, dict) else {}, path[1:], value)}


def _at(value: Any, path: Path) -> Value:
    for step in path:
        value = value[step]
    found: Value = value
    return found


def _generated(patch: Object, replaced: list[Path]) -> Generated:
    notes = tuple(
        said("%(path)s is replaced whole: merging would not give it.", path=render_path(path))
        for path in sorted(replaced)
    )
    return Generated(
        Format.STRATEGIC,
        patch,
        values_in(patch),
        exact_size(patch),
        said("applying it by the API server's rules, in this engine"),
        notes,
    )


def _impossible(after: Value, path: Path, trouble: str) -> Impossible:
    place = render_path(path)
    if trouble:
        reason = said("A strategic merge patch cannot say it: %(error)s.", error=trouble)
    elif _leads_to_null(after, path):
        reason = said("A strategic merge patch cannot put the null at %(place)s: in a patch null removes.", place=place)
    else:
        reason = said(
            "A strategic merge patch cannot make %(place)s as wanted: what is merged there has no key to find it by, "
            "or its order is the server's.",
            place=place,
        )
    return Impossible(Format.STRATEGIC, reason, path)


def _leads_to_null(value: Any, path: Path) -> bool:
    try:
        return _at(value, path) is None
    except (KeyError, IndexError, TypeError):
        return False
