"""From client-side to server-side apply and back, told in stages."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path

from engine.clientapply.migration import client_side_appliers
from engine.errors import EngineError
from engine.evaluation import Evaluation, Write, WriteKind
from engine.explain.reason import Reason
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.last_applied import last_applied_text
from engine.migrating import KEEPER, Clock, Downgrade, Hostage, Upgrade, downgrade, hostages, upgrade
from engine.value.codec import render_json, render_yaml
from engine.value.limits import Limits
from engine.value.model import Object
from web import messages
from web.contexts import Block, Draft, Listing, MigrationAnswer, MigrationDraft, Outcome, Problem, Stage
from web.evaluating import uid_of
from web.examples import example_in
from web.forms import Unusable, read_write
from web.lines import path_text
from web.translation import gettext as _
from web.translation import ngettext

SAMPLE = Path(__file__).resolve().parent / "data/migration.yaml"
MOST_FIELDS = 40
_ANNOTATION = ("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
Steps = tuple[str | int, ...]


@cache
def sample() -> MigrationDraft:
    """Return an object that client-side apply and an autoscaler made, and the manifest to go on with."""
    draft = example_in(SAMPLE).draft
    return MigrationDraft(draft.live, draft.body, draft.crds, draft.manager)


def migration(draft: MigrationDraft, limits: Limits, now: datetime) -> MigrationAnswer:
    """Return the stages of a migration, or what is wrong with what was typed."""
    manager = draft.manager or "kubectl"
    try:
        write = read_write(Draft(WriteKind.APPLY.value, draft.live, draft.body, draft.crds, manager), limits)
        if write.live is None or not isinstance(write.body, dict):
            sentence = _("Paste the live object and the manifest: both are needed to tell what a migration would do.")
            return MigrationAnswer(Outcome("idle", "", sentence))
        return _answer(write, write.live, Clock(now, lambda: uid_of(write.body)))
    except Unusable as unusable:
        return MigrationAnswer(_stale(len(unusable.problems)), problems=unusable.problems)
    except EngineError as error:
        return MigrationAnswer(_stale(1), problems=(Problem("live", messages.sentence(error, "live")),))


def _stale(count: int) -> Outcome:
    return Outcome("stale", "", messages.stale(count))


def _answer(write: Write, live: Object, clock: Clock) -> MigrationAnswer:
    up = upgrade(write, clock)
    stages = [_now(live, up), _taking_over(live, up), _apply(write, live, up)]
    if up.applied.after is not None:
        stages.append(_later(hostages(up.applied.after, write.crds)))
        stages.append(_back(live, up.applied.after, downgrade(up.applied.after, live, write.body, write.crds, clock)))
    refused = up.applied.after is None
    sentence = (
        messages.refusal(up.applied.body, len({each.field for each in up.applied.conflicts}))
        if refused
        else ngettext(
            "Migrated: %(num)s field goes with it.", "Migrated: %(num)s fields go with it.", len(_told(up.pruned))
        )
    )
    return MigrationAnswer(Outcome("refused" if refused else "done", str(up.applied.code), sentence), tuple(stages))


def _now(live: Object, up: Upgrade) -> Stage:
    said = [
        _("The last-applied annotation is there: it holds the manifest of the last kubectl apply.")
        if up.has_last_applied
        else _("There is no last-applied annotation: nobody knows what kubectl applied last.")
    ]
    if up.clients:
        names = ", ".join(up.clients)
        said.append(
            _(
                "%(names)s owns that annotation by an update: whoever does is a client-side applier, "
                "whatever its name.",
                names=names,
            )
        )
    else:
        said.append(_("Nobody owns that annotation by an update: there is nothing to take over."))
    return Stage(_("1. What the object says now"), tuple(said), (_owners(live),), _annotation_block(live))


def _annotation_block(live: Object) -> tuple[Block, ...]:
    text = last_applied_text(live)
    return (Block(_("last-applied-configuration"), text.strip()),) if text else ()


def _owners(obj: Object) -> Listing:
    clients = client_side_appliers(obj)
    rows = []
    for manager, owned in decode_entries(entries_of(obj)).fields.items():
        name = messages.owner(manager.manager, manager.operation, owned.api_version, manager.subresource)
        note = ngettext("%(num)s field", "%(num)s fields", len(owned.fields))
        if manager.manager in clients and not manager.applied:
            note = _("%(fields)s; by client-side apply", fields=note)
        rows.append((name, note))
    return Listing(_("Owners"), tuple(rows))


def _taking_over(live: Object, up: Upgrade) -> Stage:
    title = _("2. How kubectl takes over")
    if up.patch is None:
        return Stage(title, (_("There is nothing to take over: it applies once."),))
    said = [
        _(
            "kubectl applies, makes the client-side entry its own by this JSON Patch, and applies again; the server "
            "refuses the patch where the object has changed meanwhile. Other tools must do so themselves: client-go "
            "has a function for it, and patchyard migrate prints it."
        )
    ]
    if up.keeps_annotation:
        said.append(
            _(
                "In between it applies the last-applied annotation alone, as %(name)s: so it stays for the way back.",
                name=KEEPER,
            )
        )
    patch = Block(_("JSON Patch"), render_json(list(up.patch), 2))
    return Stage(title, tuple(said), (_owners(up.migrated),), (patch,))


def _apply(write: Write, live: Object, up: Upgrade) -> Stage:
    title = _("3. The apply")
    manager = write.manager
    command = Block(_("Command"), f"kubectl apply --server-side --field-manager={manager} -f FILE")
    if up.applied.after is None:
        conflicts = Listing(_("Conflicts"), tuple((each.path, each.message) for each in up.applied.conflicts))
        said = _(
            "It is refused: %(message)s Settle the conflicts in the playground first.", message=_message(up.applied)
        )
        return Stage(title, (said,), (conflicts,), (command,))
    pruned, stuck = _told(up.pruned), _told(up.stuck)
    said = (
        _("These go: the manifest does not have them any more, and with the entry taken over nobody else owns them.")
        if pruned
        else _("Nothing goes: the manifest has all that was applied before, or others own it, too.")
    )
    sticks = (
        _("Without stage 2 they would stick: the client-side entry would own them beside you, and never let go.")
        if stuck
        else ""
    )
    listings = [_fields(_("Goes"), pruned)] if pruned else []
    if up.held:
        listings.append(_held(up.held))
    if up.reset:
        listings.append(_fields(_("Dropped, and filled in again by the server: nobody owns it now"), up.reset))
    listings.append(_owners(up.applied.after))
    noted = (
        _("The last-applied annotation goes, too: it was part of the entry that was taken over.")
        if _ANNOTATION in up.pruned
        else ""
    )
    told = tuple(filter(None, (said, sticks, noted, _let_through(live, up, manager))))
    return Stage(title, told, tuple(listings), (command,))


def _let_through(live: Object, up: Upgrade, applier: str) -> str:
    """What to say if the server took claims of others away without being forced, as it does for kubectl alone."""
    before, after = (decode_entries(entries_of(obj)).fields for obj in (live, up.first.after or {}))
    losers = sorted(
        {
            manager.manager
            for manager, owned in before.items()
            if manager.manager not in (applier, *up.clients)
            if manager not in after or owned.fields.difference(after[manager].fields)
        }
    )
    if not losers:
        return ""
    return _(
        "Without force %(names)s lost fields: the server lets kubectl change what its last-applied annotation says it "
        "applied before, and no other manager.",
        names=", ".join(losers),
    )


def _held(held: Iterable[Reason]) -> Listing:
    rows = [(path_text(each.steps), _names(each)) for each in held if each.steps != _ANNOTATION]
    return Listing(_("Dropped, and stays: others own it"), tuple(rows[:MOST_FIELDS]), max(len(rows) - MOST_FIELDS, 0))


def _names(reason: Reason) -> str:
    return ", ".join(
        messages.owner(each.manager, each.operation, each.api_version, each.subresource) for each in reason.owners
    )


def _later(found: Iterable[Hostage]) -> Stage:
    said = _(
        "From now on leaving a field out is an opinion. What is one applier's alone goes, or returns to its default, "
        "when its next apply does not say it; this is what each holds alone."
    )
    listings = [_fields(each.manager, _told(each.fields)) for each in found]
    return Stage(_("4. What a later apply could remove"), (said,), tuple(listings))


def _back(live: Object, applied: Object, back: Downgrade) -> Stage:
    said = [
        _(
            "kubectl apply without --server-side works from the last-applied annotation again. Server-side apply by "
            "kubectl keeps it up to date where it is there; another manager does not."
        )
    ]
    if last_applied_text(live) and not last_applied_text(applied):
        said.append(
            _(
                "Stage 3 took it away. Put it back first, with kubectl apply set-last-applied or patchyard "
                "last-applied set; what follows is with the annotation of stage 1 put back."
            )
        )
    kept = _told(back.kept)
    listings = []
    if kept:
        said.append(_("With the annotation these go from the object; without it they stay, and kubectl warns."))
        listings.append(_fields(_("Goes only with last-applied"), kept))
    elif not last_applied_text(live):
        said.append(_("The annotation is not there, so fields that a manifest drops will stay."))
    said.append(
        _("The apply entry stays as well: what kubectl applied before is owned twice, and conflicts for others remain.")
    )
    if back.applied.after is not None:
        listings.append(_owners(back.applied.after))
    blocks = tuple(_sent(back.applied))
    return Stage(_("5. The way back to client-side apply"), tuple(said), tuple(listings), blocks)


def _sent(done: Evaluation) -> Iterable[Block]:
    sent = done.request_sent or {}
    if sent.get("method"):
        yield Block(
            _("What kubectl sends then"), f"{sent['method']} {sent['contentType']}\n{render_yaml(sent['body'])}"
        )


def _fields(title: str, fields: Iterable[Steps]) -> Listing:
    rows = [(path_text(steps), "") for steps in fields]
    return Listing(title, tuple(rows[:MOST_FIELDS]), max(len(rows) - MOST_FIELDS, 0))


def _told(fields: Iterable[Steps]) -> list[Steps]:
    """The fields that people think of: kubectl's own bookkeeping is told in words."""
    return [steps for steps in fields if steps != _ANNOTATION]


def _message(done: Evaluation) -> str:
    message = done.body.get("message") if isinstance(done.body, dict) else ""
    return message if isinstance(message, str) else ""
