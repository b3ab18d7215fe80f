"""Why each field of a write's result is as it is: engine.explain over what `evaluate` returned."""

from __future__ import annotations

from engine.errors import EngineError
from engine.evaluation import PATCH_TYPES, Evaluation, Write, WriteKind
from engine.explain.reason import Reason
from engine.explain.reasons import Account, Ownership, reasons
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.gvk import gvk_of
from engine.meta.manager import ManagerIdentifier, applier, updater
from engine.patch.body import decode_body
from engine.patch.patch_type import PatchType, patch_type_of
from engine.patch.patchers import apply_patch
from engine.typed.locate import Locator
from engine.value.limits import Limits
from engine.value.model import MISSING, Missing, Object, Value


def explain(write: Write, done: Evaluation) -> tuple[Reason, ...]:
    """Return one reason for every leaf of the result, and for every leaf that is gone; managedFields has none.

    done is what `evaluate` returned for the write. If it was refused, the reasons are those of the object as it stays.
    """
    account = Account(
        before=done.before,
        after=done.after,
        said=Locator(_said(write, done), done.type),
        type=done.type,
        writer=_writer(write, done),
        owned_before=_ownership(done.before),
        owned_after=_ownership(done.after),
        conflicts=frozenset(conflict.field for conflict in done.conflicts),
    )
    return reasons(account)


def _writer(write: Write, done: Evaluation) -> ManagerIdentifier:
    name = write.writer
    if write.kind is WriteKind.APPLY:
        return applier(name, write.subresource)
    written = done.after if done.after is not None else done.before
    return updater(name, gvk_of(written or {}).api_version, write.subresource)


def _ownership(obj: Object | None) -> Ownership:
    if obj is None:
        return {}
    try:
        managed = decode_entries(entries_of(obj))
    except EngineError:
        return {}  # a server takes entries that cannot be read for none
    return {manager: owned.fields for manager, owned in managed.fields.items()}


def _said(write: Write, done: Evaluation) -> Value | Missing:
    """What the write spelled out: the document itself, or what its patch makes of the object."""
    if done.after is None:
        return MISSING
    if write.kind is WriteKind.CLIENT_APPLY:
        sent = done.request_sent or {}
        if not sent.get("method"):
            return done.before
        return _after(patch_type_of(sent["contentType"]), sent["body"], done, write.limits)
    return _after(PATCH_TYPES.get(write.kind), write.body, done, write.limits)


def _after(patch_type: PatchType | None, body: Value, done: Evaluation, limits: Limits) -> Value:
    if patch_type is None or patch_type is PatchType.APPLY or done.before is None:
        return body
    try:
        return apply_patch(patch_type, done.before, decode_body(patch_type, body, limits), done.type, limits)
    except EngineError:
        return done.after  # the patch names what a server made up, and `before` is shown without
