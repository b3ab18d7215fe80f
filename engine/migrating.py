"""From client-side to server-side apply and back, stage by stage; every stage is a real write.

Source: kubectl 1.32 and client-go's csaupgrade; Kubernetes documentation, Server-Side Apply: Upgrading from
client-side apply to server-side apply, and Downgrading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from engine.clientapply.migration import client_side_appliers, migration_patch
from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.explain.reason import Reason, Why
from engine.explanation import explain
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.last_applied import last_applied_text, with_last_applied, without_last_applied
from engine.meta.manager import APPLY
from engine.meta.object_meta import metadata_of
from engine.value.model import MISSING, Missing, Object, Value

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What comes of a first server-side apply to an object that was applied on the client's side.

    clients: those whose claims are taken over. patch: what kubectl sends before the apply, None where there is nothing
    to take over; migrated: the object after it. applied: the apply itself. pruned: the fields that go with it; held:
    those that the manifest dropped and others hold, with their reasons. without: the same apply without the patch;
    stuck: the fields that would go with the patch, and stay without it.
    """

    has_last_applied: bool
    clients: tuple[str, ...]
    patch: tuple[Object, ...] | None
    migrated: Object
    applied: Evaluation
    pruned: tuple[Steps, ...]
    held: tuple[Reason, ...]
    without: Evaluation
    stuck: tuple[Steps, ...]


@dataclass(frozen=True, slots=True)
class Hostage:
    """What is one applier's alone: an apply that leaves it out removes it."""

    manager: str
    fields: tuple[Steps, ...]


@dataclass(frozen=True, slots=True)
class Downgrade:
    """What comes of a `kubectl apply` without `--server-side` afterwards: with last-applied, and where it is lost.

    kept: fields that the manifest dropped, which go with the annotation and stay without it.
    """

    applied: Evaluation
    without: Evaluation
    kept: tuple[Steps, ...]


@dataclass(frozen=True, slots=True)
class Clock:
    """What writes need from outside."""

    now: datetime
    new_uid: Callable[[], str]


def upgrade(write: Write, clock: Clock) -> Upgrade:
    """Return the stages of a first server-side apply. write: the live object, and the apply of the manifest to it.

    Raises:
        MalformedFields, MalformedElement: managedFields of the live object cannot be read.
        MalformedDefinition: one of the definitions defines no kind.
    """
    live = write.live or {}
    clients = tuple(sorted(client_side_appliers(live)))
    patch = migration_patch(live, write.manager)
    migrated = live
    if patch is not None:
        done = _done(Write(WriteKind.JSON_PATCH, live, patch[:1], write.crds, write.manager), clock)
        migrated = done.after or live
    apply = replace(write, kind=WriteKind.APPLY, live=migrated)
    applied = _done(apply, clock)
    without = _done(replace(apply, live=live), clock)
    reasons = explain(apply, applied)
    pruned = tuple(each.steps for each in reasons if each.why is Why.REMOVED)
    return Upgrade(
        has_last_applied=bool(last_applied_text(live)),
        clients=clients,
        patch=tuple(patch) if patch is not None else None,
        migrated=migrated,
        applied=applied,
        pruned=pruned,
        held=tuple(each for each in reasons if each.why in (Why.HELD, Why.LEFT)),
        without=without,
        stuck=tuple(steps for steps in pruned if without.after is not None and _is_at(without.after, steps)),
    )


def hostages(obj: Object, crds: tuple[Object, ...], clock: Clock) -> tuple[Hostage, ...]:
    """Return for every applier of an object what its next apply would remove by leaving it out, appliers by name.

    Each is tried: an apply that says nothing but the object's name.

    Raises:
        as `upgrade`.
    """
    named = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind"), "metadata": _identity(obj)}
    appliers = {each.manager for each in decode_entries(entries_of(obj)).fields if each.operation == APPLY}
    found = []
    for manager in sorted(appliers):
        write = Write(WriteKind.APPLY, obj, named, crds, manager)
        reasons = explain(write, _done(write, clock))
        fields = tuple(each.steps for each in reasons if each.why is Why.REMOVED)
        found.append(Hostage(manager, fields))
    return tuple(found)


def downgrade(obj: Object, earlier: Object, manifest: Value, crds: tuple[Object, ...], clock: Clock) -> Downgrade:
    """Return what `kubectl apply` without `--server-side` makes of an object, with last-applied and without.

    earlier is the object as it was while the annotation was kept: it is taken over from there if `obj` lost it.

    Raises:
        as `upgrade`.
    """
    text = last_applied_text(obj) or last_applied_text(earlier) or ""
    write = Write(WriteKind.CLIENT_APPLY, _annotated(obj, text), manifest, crds)
    applied = _done(write, clock)
    without = _done(replace(write, live=_annotated(obj, "")), clock)
    gone = [each.steps for each in explain(write, applied) if each.why is Why.TAKEN]
    kept = tuple(steps for steps in gone if without.after is not None and _is_at(without.after, steps))
    return Downgrade(applied, without, kept)


def _done(write: Write, clock: Clock) -> Evaluation:
    return evaluate(write, now=clock.now, new_uid=clock.new_uid)


def _identity(obj: Object) -> Object:
    return {name: value for name, value in metadata_of(obj).items() if name in ("name", "namespace")}


def _annotated(obj: Object, text: str) -> Object:
    """The object with this last-applied annotation, or without one if the text is empty."""
    plain = without_last_applied(obj)
    return with_last_applied(plain, text) if text else plain


def _is_at(value: Value, steps: Steps) -> bool:
    found: Value | Missing = value
    for step in steps:
        if isinstance(found, dict):
            found = found.get(str(step), MISSING)
        elif isinstance(found, list) and isinstance(step, int) and step < len(found):
            found = found[step]
        else:
            return False
    return found is not MISSING
