"""Server-side apply and the bookkeeping of all other writes, on whole objects.

The steps of each kind of write stand in `apply` and `update`, to be read from top to bottom.

Source: apimachinery's managedfields.FieldManager, as in Kubernetes 1.36.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import EngineError
from engine.fieldpath.field_set import FieldSet
from engine.managedfields.entries import (
    NOBODY,
    Managed,
    decode_entries,
    encode_entries,
    entries_of,
    is_reset,
)
from engine.managedfields.steps import book_update, cap_updaters, strip_unowned
from engine.managedfields.versions import KindVersions
from engine.merge import updater as rules
from engine.merge.conflict import Conflict, Conflicts
from engine.meta.last_applied import encode_last_applied, last_applied_text, with_last_applied, without_last_applied
from engine.meta.manager import ManagerIdentifier, applier, updater
from engine.meta.object_meta import text_of, with_metadata, without_metadata
from engine.typed.compare import compare
from engine.typed.to_field_set import to_field_set
from engine.typed.validate import DoesNotFit, validate
from engine.value.model import Object

BEFORE_FIRST_APPLY = "before-first-apply"
KUBECTL = "kubectl"
"""The one manager whose applies honour and keep up the last-applied annotation of client-side apply."""

_THIS_WRITE = ManagerIdentifier("current-operation", "Update")


@dataclass(eq=False)
class IntentDoesNotFit(EngineError):
    """An intent that does not fit the schema; `what` names the object as the reference does."""

    what: str
    error: DoesNotFit

    def __str__(self) -> str:
        return f"failed to create typed patch object ({self.what}): {self.error}"


@dataclass(frozen=True, slots=True)
class FieldManager:
    """Keeps the managedFields of one kind's objects, for writes to the object or to one subresource.

    empty is what a new object is held against, and what is booked before the first apply.

    normalize is what the server makes of an object before it stores it: decoded as its type is, defaults filled in.
    """

    versions: KindVersions
    normalize: Callable[[Object], Object]
    empty: Object
    subresource: str = ""

    def update(self, live: Object | None, new: Object, manager: str, time: str | None) -> Object:
        """Return `new`, a whole object that replaces `live` (None: that creates it), with its managedFields.

        managedFields in `new` replaces the live one if it can be read; an empty list or `[{}]` clears it. An object
        without managedFields stays so until the next apply. Entries keep their time unless this write takes fields.
        """
        managed = self._sent_or_live(live, new)
        new = without_metadata(new, "managedFields")
        if live is not None and not managed.fields:
            return new
        before = without_metadata(live, "managedFields") if live is not None else self.empty
        api_version = self.versions.api_version
        who = updater(manager, api_version, self.subresource)
        managed = self._book(before, new, managed, who, time)
        return _with_entries(new, cap_updaters(managed))

    def apply(self, live: Object, config: Object, manager: str, time: str | None, *, force: bool) -> Object:
        """Return the object after `manager` applied `config` to `live`, with its managedFields.

        live is `{}` plus identity if there is no object yet. An apply that changes no value moves no time.

        Raises:
            Conflicts: without force, if the apply changes fields that others own.
            IntentDoesNotFit: config does not fit the schema.
            MalformedEntry, MalformedFields, MalformedElement: managedFields of the live object cannot be read.
        """
        managed = decode_entries(entries_of(live))
        if not managed.fields:
            before_first = updater(BEFORE_FIRST_APPLY, self.versions.api_version, self.subresource)
            managed = self._book(self.empty, without_metadata(live, "managedFields"), managed, before_first, time)
        who = applier(manager, self.subresource)
        try:
            result, managed = self._apply(live, config, managed, who, time, force=force)
        except Conflicts as error:
            if manager != KUBECTL or not self._forgiven(live, error):
                raise
            result, managed = self._apply(live, config, managed, who, time, force=True)
        if manager == KUBECTL and last_applied_text(result) is not None:
            result = with_last_applied(result, encode_last_applied(without_last_applied(config)))
        return _with_entries(result, managed)

    def _apply(
        self, live: Object, config: Object, managed: Managed, who: ManagerIdentifier, time: str | None, *, force: bool
    ) -> tuple[Object, Managed]:
        live = without_metadata(live, "managedFields")
        typed_config = self.versions.typed(config)
        try:
            validate(typed_config)
        except DoesNotFit as error:
            raise IntentDoesNotFit(self._name(config), error) from None
        value, fields = rules.apply(
            self.versions.typed(live),
            typed_config,
            self.versions.api_version,
            managed.fields,
            who,
            self.versions,
            force=force,
        )
        managed = managed.with_fields(strip_unowned(fields, who))
        if value is None:
            return live, managed
        assert isinstance(value.value, dict)
        return self.normalize(value.value), managed.with_time(who, time)

    def _name(self, config: Object) -> str:
        return f"{text_of(config, 'namespace')}/{text_of(config, 'name')}; {self.versions.gvk}"

    def _book(self, live: Object, new: Object, managed: Managed, who: ManagerIdentifier, time: str | None) -> Managed:
        """The ownership after `who` made `new` of `live`."""
        fields = rules.update(
            self.versions.typed(live),
            self.versions.typed(new),
            self.versions.api_version,
            managed.fields,
            _THIS_WRITE,
            self.versions,
        )
        managed = managed.with_fields(strip_unowned(fields, _THIS_WRITE))
        return book_update(managed, _THIS_WRITE, who, time)

    def _sent_or_live(self, live: Object | None, new: Object) -> Managed:
        sent = entries_of(new)
        if self.subresource:
            return _readable(live)
        if is_reset(sent):
            return NOBODY
        managed = _readable(new)
        return managed if managed.fields else _readable(live)

    def _forgiven(self, live: Object, error: Conflicts[ManagerIdentifier]) -> bool:
        """Return True if all conflicts are on fields that client-side apply put there; else keep those that are not.

        Raises:
            Conflicts: the ones that are not forgiven.
        """
        allowed = self._last_applied_unchanged(live)
        if allowed is None:
            return False
        rest: tuple[Conflict[ManagerIdentifier], ...] = tuple(c for c in error.conflicts if c.path not in allowed)
        if rest:
            raise Conflicts(rest) from None
        return True

    def _last_applied_unchanged(self, live: Object) -> FieldSet | None:
        """The fields whose live value is what the last-applied annotation says; None if it says nothing."""
        try:
            last = json.loads(last_applied_text(live) or "")
        except (ValueError, RecursionError):
            return None
        if not isinstance(last, dict):
            return None
        typed_last, typed_live = self.versions.typed(last), self.versions.typed(live)
        try:
            validate(typed_last)
        except DoesNotFit:
            return None
        differs = compare(typed_last, typed_live)
        fields = to_field_set(typed_last)
        return fields.difference(differs.modified).difference(differs.added).difference(differs.removed)


def _readable(obj: Object | None) -> Managed:
    """The ownership that an object's managedFields tells, nobody's if it cannot be read."""
    try:
        return decode_entries(entries_of(obj)) if obj is not None else NOBODY
    except EngineError:
        return NOBODY


def _with_entries(obj: Object, managed: Managed) -> Object:
    entries = encode_entries(managed)
    obj = without_metadata(obj, "managedFields")
    return with_metadata(obj, managedFields=entries) if entries else obj
