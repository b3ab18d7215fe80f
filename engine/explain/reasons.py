"""Why each field of a result is as it is.

The reasons come from what the write worked with: what it said, and who owned what before and after it.

Rules, the first that fits:
- What identifies the object, and what the server keeps for itself, is nobody's.
- A leaf that changed was set by the write if the write said it, else filled in by the server.
- A leaf that an applier said again is shared with its other owners, or kept.
- A leaf that an applier owned and did not say again is held by its other owners, left where it is the key of an item
  that holds fields of others, or else reset: it went, and the server filled in its default.
- Any other leaf is kept by its owners, or nobody's.
- A leaf that is gone was removed because its applier dropped it and nobody else owned it, or taken away by the write.

Source: Server-Side Apply in the Kubernetes documentation, and structured-merge-diff's updater.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.explain.leaves import Leaf, leaves
from engine.explain.reason import Reason, Why
from engine.fieldpath.element import Key, Path, parse_element
from engine.fieldpath.field_set import FieldSet
from engine.meta.manager import ManagerIdentifier
from engine.meta.object_meta import without_metadata
from engine.schema.elements import TypeRef
from engine.typed.locate import Locator
from engine.value.equality import equal
from engine.value.model import MISSING, Object

_ENVELOPE = ("apiVersion", "kind")
_IDENTITY = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "generateName",
    "generation",
    "name",
    "namespace",
    "resourceVersion",
    "selfLink",
    "uid",
)

Ownership = Mapping[ManagerIdentifier, FieldSet]


@dataclass(frozen=True, slots=True)
class Account:
    """What a write worked with.

    before and after are the object (None: there is none; after is None, too, if the write was refused). said is what
    the write spelled out: the intent, the object, or what the patch makes of `before`. owned_before and owned_after
    tell who owns what. conflicts are the fields for which the write was refused.
    """

    before: Object | None
    after: Object | None
    said: Locator
    type: TypeRef
    writer: ManagerIdentifier
    owned_before: Ownership
    owned_after: Ownership
    conflicts: frozenset[Path] = frozenset()


def reasons(account: Account) -> tuple[Reason, ...]:
    """Return one reason for every leaf of the result, then one for every leaf that is gone; managedFields has none."""
    before = _leaves(account.before, account.type)
    if account.after is None:
        return tuple(_refused(account, leaf) for leaf in before.values())
    after = _leaves(account.after, account.type)
    told = [_present(account, leaf, before.get(_place(leaf))) for leaf in after.values()]
    gone = [leaf for place, leaf in before.items() if place not in after]
    return (*told, *(_gone(account, leaf) for leaf in gone))


def _place(leaf: Leaf) -> tuple[object, ...]:
    """What makes two leaves the same one, before and after: the field, and the way on inside a whole."""
    return (leaf.field, leaf.steps if leaf.in_whole else ())


def _leaves(obj: Object | None, type_ref: TypeRef) -> dict[tuple[object, ...], Leaf]:
    if obj is None:
        return {}
    shown = without_metadata(obj, "managedFields")
    out: dict[tuple[object, ...], Leaf] = {}
    for leaf in leaves(shown, type_ref):
        place = _place(leaf)
        out[place if place not in out else (*place, leaf.steps)] = leaf
    return out


def _present(account: Account, leaf: Leaf, was: Leaf | None) -> Reason:
    now = _owners(account.owned_after, leaf.field)
    others = tuple(each for each in now if each != account.writer)
    return Reason(_why(account, leaf, was, now), leaf.steps, leaf.field, others)


def _why(account: Account, leaf: Leaf, was: Leaf | None, now: tuple[ManagerIdentifier, ...]) -> Why:
    if _is_identity(leaf):
        return Why.IDENTITY
    if was is None or not equal(was.value, leaf.value):
        if _is_said(account, leaf):
            return Why.WHOLE if leaf.in_whole else Why.SET
        return Why.RESET if was is not None and _is_dropped(account, leaf) else Why.DEFAULTED
    if account.writer.applied and account.writer in now:
        return Why.SHARED if len(now) > 1 else Why.KEPT
    if _is_dropped(account, leaf):
        return Why.HELD if now else Why.LEFT if _is_key(leaf) else Why.RESET
    return Why.KEPT if now else Why.UNOWNED


def _is_dropped(account: Account, leaf: Leaf) -> bool:
    """Return True if an applier owned a leaf, and does not own it any more."""
    writer = account.writer
    return (
        writer.applied
        and writer in _owners(account.owned_before, leaf.field)
        and writer not in _owners(account.owned_after, leaf.field)
    )


def _is_key(leaf: Leaf) -> bool:
    """Return True if a leaf is what its list item is found by: where the item stays for others, so does it."""
    if len(leaf.field) < 2 or leaf.field[-2][:2] != "k:":
        return False
    step = parse_element(leaf.field[-2])
    return isinstance(step, Key) and leaf.field[-1][2:] in dict(step.fields)


def _is_said(account: Account, leaf: Leaf) -> bool:
    return account.said.value(leaf.field) is not MISSING


def _is_identity(leaf: Leaf) -> bool:
    if len(leaf.steps) == 1:
        return leaf.steps[0] in _ENVELOPE
    return len(leaf.steps) == 2 and leaf.steps[0] == "metadata" and leaf.steps[1] in _IDENTITY


def _gone(account: Account, leaf: Leaf) -> Reason:
    then = _owners(account.owned_before, leaf.field)
    others = tuple(each for each in then if each != account.writer)
    dropped = account.writer.applied and account.writer in then and not _is_said(account, leaf)
    return Reason(Why.REMOVED if dropped else Why.TAKEN, leaf.steps, leaf.field, others)


def _refused(account: Account, leaf: Leaf) -> Reason:
    now = _owners(account.owned_before, leaf.field)
    if _is_identity(leaf):
        why = Why.IDENTITY
    elif any(leaf.field[:length] in account.conflicts for length in range(len(leaf.field) + 1)):
        why = Why.REFUSED
    else:
        why = Why.KEPT if now else Why.UNOWNED
    return Reason(why, leaf.steps, leaf.field, tuple(each for each in now if each != account.writer))


def _owners(owned: Ownership, field: Path) -> tuple[ManagerIdentifier, ...]:
    return tuple(_holders(owned, field))


def _holders(owned: Ownership, field: Path) -> Iterator[ManagerIdentifier]:
    """Whoever owns a field, or all that is in it because something around it is theirs as a whole."""
    for manager, fields in owned.items():
        if field in fields:
            yield manager
