"""JSON merge patches from two documents, proven by the engine's own application of them."""

from __future__ import annotations

from engine.errors import EngineError
from engine.generate.exact import exact_size, first_difference, identical
from engine.generate.model import Answer, Format, Generated, Impossible, Order
from engine.generate.objects import KIND_NAMES, is_object
from engine.jsonmergepatch.apply import Dialect, apply_merge_patch
from engine.said import said
from engine.value.failures import Path, render_path
from engine.value.model import Object, Value, kind_of


def generate_merge_patch(order: Order) -> Answer:
    """Return the smallest merge patch from the first document to the second, or where it cannot say the change.

    Kubernetes objects are patched as the API server does, which drops nulls inside lists, too; other documents by
    RFC 7386.
    """
    kubernetes = is_object(order.before) and is_object(order.after)
    dialect = Dialect.KUBERNETES if kubernetes else Dialect.STRICT
    patch = _changes(order.before, order.after)
    try:
        made = apply_merge_patch(order.before, patch, dialect)
    except EngineError as error:
        return Impossible(
            Format.MERGE_PATCH, said("A JSON merge patch cannot say it: %(error)s.", error=str(error)), ()
        )
    path = first_difference(made, order.after)
    if path is not None or not identical(made, order.after):
        return _impossible(order.after, path or (), dialect)
    by = said("applying it by RFC 7386, in this engine")
    if kubernetes:
        by = said("applying it by the API server's rules, in this engine")
    return Generated(Format.MERGE_PATCH, patch, values_in(patch), exact_size(patch), by)


def _changes(before: Value, after: Value) -> Value:
    if not isinstance(after, dict):
        return after
    old = before if isinstance(before, dict) else {}
    patch: Object = {name: None for name in old if name not in after}
    for name, value in after.items():
        if name not in old or not identical(old[name], value):
            both_maps = name in old and isinstance(old[name], dict) and isinstance(value, dict)
            patch[name] = _changes(old[name], value) if both_maps else value
    return patch


def _impossible(after: Value, path: Path, dialect: Dialect) -> Impossible:
    place = render_path(path)
    found = _at(after, path)
    if found is None or _has_null(found):
        reason = said(
            "A JSON merge patch cannot put the null at %(place)s: in a merge patch null removes.", place=place
        )
        if dialect is Dialect.KUBERNETES:
            reason = said(
                "A JSON merge patch cannot put the null at %(place)s: in a merge patch null removes "
                "(the API server drops it inside lists, too).",
                place=place,
            )
    else:
        kind = KIND_NAMES[kind_of(found)]
        reason = said("A JSON merge patch cannot make %(place)s %(kind)s of what it was.", place=place, kind=kind)
    return Impossible(Format.MERGE_PATCH, reason, path)


def _at(value: Value, path: Path) -> Value:
    for step in path:
        if isinstance(value, dict) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
    return value


def _has_null(value: Value) -> bool:
    if isinstance(value, dict):
        return any(member is None or _has_null(member) for member in value.values())
    return isinstance(value, list) and any(item is None or _has_null(item) for item in value)


def values_in(patch: Value) -> int:
    """Return how many values a patch sets or removes: its leaves; a list counts as one."""
    if isinstance(patch, dict) and patch:
        return sum(values_in(member) for member in patch.values())
    return 0 if patch == {} else 1
