"""What ails an object's managedFields: its size and what makes it so, entries too many, too old or doubled.

The clean-up loses nobody's claim: whoever owned a field that is there owns it afterwards, under the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from engine.fieldpath.element import Path, render_path
from engine.fieldpath.field_set import FieldSet, field_set
from engine.fieldpath.fields_v1 import encode_fields_v1
from engine.fieldpath.managed import VersionedSet
from engine.managedfields.entries import Managed, decode_entries, encode_entries, entries_of
from engine.managedfields.steps import ANCIENT, MAX_UPDATE_MANAGERS
from engine.meta.gvk import gvk_of
from engine.meta.manager import ManagerIdentifier
from engine.meta.object_meta import text_of, without_metadata
from engine.schema.elements import TypeRef
from engine.typed.locate import Locator
from engine.value.codec import render_json
from engine.value.model import MISSING, Object, Value

LONG = 30
"""Days without a write after which a manager counts as silent, unless asked otherwise."""
MOST_BRANCHES = 5


class Ailment(Enum):
    """What may be wrong with one entry."""

    SILENT = "silent"
    """Its manager has written nothing for long."""
    UNDATED = "undated"
    """It has no time, so nobody can tell."""
    TWO_VERSIONS = "two versions"
    """Its manager has another entry for updates in another API version."""
    TWO_OPERATIONS = "two operations"
    """Its manager both applies and updates: its own update can stand in the way of its apply."""
    DEAD = "dead fields"
    """It names fields that the object does not have."""
    ANCIENT = "ancient"
    """It holds what the oldest updaters owned, whose names are lost."""
    BEFORE_FIRST_APPLY = "before first apply"
    """It holds what was there before anybody was tracked."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A field and all below it: its path, and how many bytes they take in one entry or in all."""

    path: str
    bytes: int


@dataclass(frozen=True, slots=True)
class EntryCheck:
    """One entry: whose, how many fields and bytes, days since its time (None without one), and what ails it."""

    manager: ManagerIdentifier
    api_version: str
    fields: int
    bytes: int
    days: int | None
    dead: tuple[str, ...]
    ailments: tuple[Ailment, ...]


@dataclass(frozen=True, slots=True)
class Checkup:
    """An object's managedFields examined. Sizes are bytes of compact JSON; branches are the largest, largest first.

    updaters count towards the most that a server keeps. clean_up is a JSON Patch, None if there is nothing to mend;
    saved is how many bytes it saves.
    """

    object_bytes: int
    bytes: int
    entries: tuple[EntryCheck, ...]
    branches: tuple[Branch, ...]
    updaters: int
    most_updaters: int
    clean_up: tuple[Object, ...] | None
    saved: int


def examine(obj: Object, type_ref: TypeRef | None, now: datetime, long: int = LONG) -> Checkup:
    """Return what ails the managedFields of `obj`, and how to clean it up. Without a type, lists count as atomic.

    Raises:
        MalformedEntry, MalformedFields, MalformedElement: managedFields cannot be read.
    """
    managed = decode_entries(entries_of(obj))
    places = Locator(without_metadata(obj, "managedFields"), type_ref) if type_ref is not None else None
    dead = {manager: tuple(_dead(obj, places, owned)) for manager, owned in managed.fields.items()}
    checks = tuple(_check(manager, managed, dead[manager], now, long) for manager in managed.fields)
    cleaned = encode_entries(_cleaned(managed, dead, str(obj.get("apiVersion", ""))))
    before = encode_entries(managed)
    return Checkup(
        object_bytes=_size(obj),
        bytes=_size(before) if before else 0,
        entries=checks,
        branches=_branches(managed),
        updaters=sum(not manager.applied and not manager.subresource for manager in managed.fields),
        most_updaters=MAX_UPDATE_MANAGERS,
        clean_up=_patch(obj, cleaned) if cleaned != before else None,
        saved=_size(before) - _size(cleaned),
    )


def _size(value: Value) -> int:
    return len(render_json(value).encode("utf-8", "surrogatepass"))


def _check(
    manager: ManagerIdentifier, managed: Managed, dead: tuple[Path, ...], now: datetime, long: int
) -> EntryCheck:
    owned = managed.fields[manager]
    days = _days(managed.times.get(manager), now)
    return EntryCheck(
        manager=manager,
        api_version=owned.api_version,
        fields=len(owned.fields),
        bytes=_size(encode_fields_v1(owned.fields)),
        days=days,
        dead=tuple(render_path(path) for path in dead),
        ailments=tuple(_ailments(manager, managed, dead, days, long)),
    )


def _ailments(
    manager: ManagerIdentifier, managed: Managed, dead: Sequence[Path], days: int | None, long: int
) -> Iterator[Ailment]:
    others = [each for each in managed.fields if each != manager and _same_name(each, manager)]
    if manager.manager == ANCIENT:
        yield Ailment.ANCIENT
    if manager.manager == "before-first-apply":
        yield Ailment.BEFORE_FIRST_APPLY
    if days is None:
        yield Ailment.UNDATED
    elif days >= long:
        yield Ailment.SILENT
    if any(each.applied is manager.applied for each in others):
        yield Ailment.TWO_VERSIONS
    if any(each.applied is not manager.applied for each in others):
        yield Ailment.TWO_OPERATIONS
    if dead:
        yield Ailment.DEAD


def _same_name(one: ManagerIdentifier, other: ManagerIdentifier) -> bool:
    return (one.manager, one.subresource) == (other.manager, other.subresource)


def _days(time: str | None, now: datetime) -> int | None:
    """Whole days from an RFC 3339 time to `now`; None if there is no such time."""
    try:
        then = datetime.fromisoformat((time or "").replace("Z", "+00:00"))
    except ValueError:
        return None
    return (now - then).days if then.tzinfo is not None and now.tzinfo is not None else None


def _dead(obj: Object, places: Locator | None, owned: VersionedSet) -> Iterator[Path]:
    """The fields of an entry that lead to nothing; of other API versions nobody can tell without converting."""
    if places is None or owned.api_version != gvk_of(obj).api_version:
        return
    yield from (path for path in owned.fields if places.value(path) is MISSING)


def _branches(managed: Managed) -> tuple[Branch, ...]:
    """The branches that take most, of all entries together: as deep as they hold most of what is above them."""
    whole = FieldSet()
    sizes: dict[Path, int] = {}
    for owned in managed.fields.values():
        whole = whole.union(owned.fields)
        for path, size in _sizes(owned.fields, (), 3):
            sizes[path] = sizes.get(path, 0) + size
    largest = sorted(sizes.items(), key=lambda each: (-each[1], each[0]))
    inner = [(path, size) for path, size in largest if not _mostly_below(path, size, sizes)]
    return tuple(Branch(render_path(path), size) for path, size in inner[:MOST_BRANCHES])


def _sizes(fields: FieldSet, above: Path, depth: int) -> Iterator[tuple[Path, int]]:
    for element, child in fields.children.items():
        path = (*above, element)
        yield path, _size(encode_fields_v1(child)) + len(element) + 4
        if depth > 1:
            yield from _sizes(child, path, depth - 1)


def _mostly_below(path: Path, size: int, sizes: Mapping[Path, int]) -> bool:
    return any(below[:-1] == path and inner >= 0.8 * size for below, inner in sizes.items())


def _cleaned(managed: Managed, dead: Mapping[ManagerIdentifier, Sequence[Path]], version: str) -> Managed:
    """The ownership without dead fields and doubled entries."""
    fields = dict(managed.fields)
    times = dict(managed.times)
    for manager, paths in dead.items():
        fields[manager] = replace(fields[manager], fields=fields[manager].fields.difference(field_set(paths)))
    for manager in [each for each in fields if not each.applied]:
        heir = _heir(manager, fields, version)
        if heir is not None:
            fields[heir] = replace(fields[heir], fields=fields[heir].fields.union(fields.pop(manager).fields))
            times[heir] = max(times.get(heir, ""), times.pop(manager, ""))
    kept = {manager: owned for manager, owned in fields.items() if owned.fields}
    return Managed(kept, {manager: time for manager, time in times.items() if manager in kept and time})


def _heir(
    manager: ManagerIdentifier, fields: Mapping[ManagerIdentifier, VersionedSet], version: str
) -> ManagerIdentifier | None:
    """Whose entry has an updater's claims as well: its own apply, or its update in the object's version.

    Only an entry that has them all, spelled alike: an applier's must not grow, for its next apply would remove what it
    never applied; and what another version calls a field nobody can tell without converting.
    """
    mine = fields[manager].fields
    for other, owned in fields.items():
        today = owned.api_version == version and (other.applied or fields[manager].api_version != version)
        if other != manager and _same_name(other, manager) and today and not mine.difference(owned.fields):
            return other
    return None


def _patch(obj: Object, entries: list[Object]) -> tuple[Object, ...]:
    """The patch, which the server refuses where the object has changed meanwhile."""
    out: list[Object] = [{"op": "replace", "path": "/metadata/managedFields", "value": entries or [{}]}]
    version = text_of(obj, "resourceVersion")
    if version:
        out.append({"op": "replace", "path": "/metadata/resourceVersion", "value": version})
    return tuple(out)
