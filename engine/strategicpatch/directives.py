"""The directives of a strategic merge patch: what they are called, and those that work on a whole map.

`$patch` in a map: `replace` makes the rest of the map the new value, `delete` empties it; in an item of a list:
`delete` takes the item of that merge key away, `replace` drops all live items. `$retainKeys` lists the members that
stay. `$deleteFromPrimitiveList/x` lists values that leave the list x. `$setElementOrder/x` lists how the items of x
are to follow each other.
"""

from __future__ import annotations

from engine.strategicpatch.failures import (
    BadElementOrder,
    BadPrimitiveListDeletion,
    BadRetainKeys,
    UnknownDirective,
)
from engine.strategicpatch.go_text import go_type
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Object, Value

PATCH = "$patch"
RETAIN_KEYS = "$retainKeys"
DELETE_FROM_LIST = "$deleteFromPrimitiveList"
ELEMENT_ORDER = "$setElementOrder"
DELETE, REPLACE, MERGE = "delete", "replace", "merge"


def handle_patch_directive(patch: Object) -> Object:
    """Return what a map becomes whose patch holds `$patch`.

    Raises:
        UnknownDirective: it is neither replace nor delete.
    """
    directive = patch[PATCH]
    if directive == REPLACE:
        return {name: value for name, value in patch.items() if name != PATCH}
    if directive == DELETE:
        return {}
    raise UnknownDirective(directive, patch)


def retained(original: Object, patch: Object) -> Object:
    """Return `original` with only the members that the patch's `$retainKeys` lists.

    Raises:
        BadRetainKeys: the directive is no list, or the patch sets a member that is not in it.
    """
    keys = patch[RETAIN_KEYS]
    if not isinstance(keys, list):
        raise BadRetainKeys
    for name, value in patch.items():
        if value is not None and name != RETAIN_KEYS and not is_parallel_list(name) and name not in keys:
            raise BadRetainKeys
    return {name: value for name, value in original.items() if name in keys}


def agreed(first: Object, second: Object, directive: str) -> Value:
    """Return a directive of two patches that are combined: it must be the same where both have it.

    Raises:
        BadElementOrder, BadRetainKeys: they differ.
    """
    if directive in first and not equal(first[directive], second[directive]):
        raise BadRetainKeys if directive == RETAIN_KEYS else BadElementOrder
    value: Value = second[directive]
    return value


def is_parallel_list(name: str) -> bool:
    """Return True for the name of a directive that stands beside the list it means."""
    return name.startswith((DELETE_FROM_LIST, ELEMENT_ORDER))


def list_named(directive: str, prefix: str) -> str:
    """Return the name of the list that a directive such as `$setElementOrder/ports` means.

    Raises:
        BadElementOrder, BadPrimitiveListDeletion: it names none.
    """
    start, slash, name = directive.partition("/")
    if not slash or start != prefix:
        raise BadElementOrder if prefix == ELEMENT_ORDER else BadPrimitiveListDeletion
    return name


def is_deletion(item: Value) -> bool:
    """Return True if an item of a list says that the item of its merge key goes."""
    return isinstance(item, dict) and item.get(PATCH) == DELETE


def same_type(a: Value, b: Value) -> bool:
    """Return True if Go would hold both in values of one type: integers and floats differ."""
    return go_type(a) == go_type(b)


def new_value(value: Value) -> Value | Missing:
    """Return what becomes of a patch's value that has no live counterpart, MISSING for nothing.

    Nulls are left out, and so is every map that holds `$patch`, whatever it says: there is nothing for it to work on.
    """
    if isinstance(value, dict):
        if PATCH in value:
            return MISSING
        members = ((name, new_value(member)) for name, member in value.items() if member is not None)
        return {name: member for name, member in members if member is not MISSING}
    if isinstance(value, list):
        return [item for item in map(new_value, value) if item is not MISSING]
    return value
