"""How items of keyed lists find each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.json_patch.alignment import longest_rising
from engine.json_patch.numbering import Node
from engine.json_patch.options import ByNamedKey, ByPosition, Lists
from engine.schema.elements import ElementRelationship, TypeRef
from engine.value.model import MISSING, Missing, Value, kind_of


@dataclass(frozen=True, slots=True)
class Keyed:
    """The items of two lists that have the same keys: those that keep their order, and those that change places."""

    names: tuple[str, ...]
    kept: list[tuple[int, int]]
    moved: tuple[tuple[int, int], ...]


def keyed_pairs(a: Node, b: Node, lists: Lists, type_ref: TypeRef | None, moves: bool) -> Keyed | None:
    """Return which items of two lists have the same keys, or None if the lists have none, or they repeat.

    Without `moves` what would change places is left out: it goes and comes again.
    """
    names = _names(lists, type_ref)
    if not names or not isinstance(a.kids, list) or not isinstance(b.kids, list):
        return None
    defaults = tuple(_default(type_ref, name) for name in names)
    old, new = _keys(a.kids, names, defaults), _keys(b.kids, names, defaults)
    if old is None or new is None:
        return None
    places = {key: j for j, key in enumerate(new)}
    pairs = [(i, places[key]) for i, key in enumerate(old) if key in places]
    kept = longest_rising(pairs)
    staying = set(kept)
    return Keyed(names, kept, tuple(pair for pair in pairs if pair not in staying) if moves else ())


def _names(lists: Lists, type_ref: TypeRef | None) -> tuple[str, ...]:
    if isinstance(lists, ByPosition):
        return ()
    if isinstance(lists, ByNamedKey):
        return (lists.name,)
    found = type_ref.atom.list if type_ref is not None else None
    return found.keys if found is not None and found.relationship is ElementRelationship.ASSOCIATIVE else ()


def _default(type_ref: TypeRef | None, name: str) -> Value | Missing:
    items = type_ref.atom.list if type_ref is not None else None
    struct = items.items.atom.map if items is not None else None
    declared = struct.fields.get(name) if struct is not None else None
    return declared.default if declared is not None else MISSING


def _keys(
    items: Sequence[Node], names: tuple[str, ...], defaults: tuple[Value | Missing, ...]
) -> list[tuple[object, ...]] | None:
    """Return the key of each item, None if one has none or two have the same."""
    keys: list[tuple[object, ...]] = []
    for node in items:
        if not isinstance(node.value, dict):
            return None
        found = [node.value.get(name, default) for name, default in zip(names, defaults, strict=True)]
        if any(value is MISSING or isinstance(value, (dict, list)) for value in found):
            return None
        keys.append(tuple((kind_of(value), value) for value in found))
    return keys if len(set(keys)) == len(keys) else None
