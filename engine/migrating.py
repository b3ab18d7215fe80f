"""From client-side to server-side apply and back, stage by stage; every stage is a real write.

kubectl applies; where a client-side applier's entry is left, it applies the last-applied annotation alone (where it
applies as itself), takes the entry over by a JSON Patch, and applies again, as recorded.

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
from engine.managedfields.field_manager import KUBECTL
from engine.meta.gvk import gvk_of
from engine.meta.last_applied import last_applied_text, with_last_applied, without_last_applied
from engine.meta.manager import APPLY
from engine.meta.object_meta import metadata_of
from engine.ownership.blame import blame
from engine.schema.structural import catalog_with
from engine.value.model import MISSING, Missing, Object, Value

KEEPER = "kubectl-last-applied"
"""As whom kubectl applies the annotation, where it applies as itself."""

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """What comes of a first server-side apply to an object that was applied on the client's side.

    clients: those whose claims are taken over. first: the apply that kubectl begins with. patch: what it sends then,
    None where there is nothing to take over; keeps_annotation: whether before that it applies the last-applied
    annotation alone, as KEEPER; migrated: the object after all these. applied: the apply again, or the first where that
    was all. pruned: the fields that go with it; held:
    those that the manifest dropped and others hold, with their reasons; reset: those that it dropped and the server
    fills in again. stuck: the fields that go with the patch, and that the first apply leaves.
    """

    has_last_applied: bool
    clients: tuple[str, ...]
    first: Evaluation
    keeps_annotation: bool
    patch: tuple[Object, ...] | None
    migrated: Object
    applied: Evaluation
    pruned: tuple[Steps, ...]
    held: tuple[Reason, ...]
    reset: tuple[Steps, ...]
    stuck: tuple[Steps, ...]


@dataclass(frozen=True, slots=True)
class Hostage:
    """What is one applier's alone: by an apply that leaves it out it goes, or returns to its default."""

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
    apply = replace(write, kind=WriteKind.APPLY)
    first = _done(apply, clock)
    kept = _with_annotation_kept(apply, first.after, clock) if first.after is not None else None
    then = kept or first.after or live
    patch = migration_patch(then, write.manager) if first.after is not None else None
    applied = first
    if patch is not None:
        done = _done(Write(WriteKind.JSON_PATCH, then, patch[:1], write.crds, write.manager), clock)
        apply = replace(apply, live=done.after or then)
        applied = _done(apply, clock)
    reasons = explain(apply, applied)
    pruned = tuple(each.steps for each in reasons if each.why is Why.REMOVED)
    return Upgrade(
        has_last_applied=bool(last_applied_text(live)),
        clients=tuple(sorted(client_side_appliers(live))),
        first=first,
        keeps_annotation=kept is not None,
        patch=tuple(patch) if patch is not None else None,
        migrated=apply.live or live,
        applied=applied,
        pruned=pruned,
        held=tuple(each for each in reasons if each.why is Why.HELD),
        reset=tuple(each.steps for each in reasons if each.why is Why.RESET),
        stuck=tuple(steps for steps in pruned if first.after is not None and _is_at(first.after, steps)),
    )


def _with_annotation_kept(apply: Write, obj: Object, clock: Clock) -> Object | None:
    """The object after kubectl has applied the annotation alone, so that it stays; None if it does not do that."""
    text = last_applied_text(obj)
    if apply.manager != KUBECTL or not text or not client_side_appliers(obj):
        return None
    names = {name: value for name, value in metadata_of(obj).items() if name in ("name", "namespace")}
    named = {"apiVersion": obj.get("apiVersion"), "kind": obj.get("kind"), "metadata": names}
    return _done(replace(apply, live=obj, body=with_last_applied(named, text), manager=KEEPER), clock).after


def hostages(obj: Object, crds: tuple[Object, ...]) -> tuple[Hostage, ...]:
    """Return for every applier of an object which of its values it owns alone, appliers by name.

    Raises:
        as `upgrade`.
    """
    told = blame(obj, catalog_with(crds).type_of(gvk_of(obj)))
    alone: dict[str, list[Steps]] = {owner.manager: [] for owner in told.owners if owner.operation == APPLY}
    for line in told.lines:
        if len(line.owners) == 1 and told.owners[line.owners[0]].operation == APPLY:
            alone[told.owners[line.owners[0]].manager].append(line.path)
    return tuple(Hostage(manager, tuple(dict.fromkeys(alone[manager]))) for manager in sorted(alone))


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
