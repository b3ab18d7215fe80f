"""Apply intents from two objects: what a manager has to apply to the first to make the second of it.

The intent holds what the manager applied before and still wants, and what changes. What the manager drops goes only if
nobody else owns it. Proven by the rules of server-side apply, with defaults and validation left out.
"""

from __future__ import annotations

from engine.errors import EngineError
from engine.fieldpath.element import render_path as render_fields
from engine.fieldpath.field_set import EMPTY
from engine.generate.exact import exact_size, first_difference
from engine.generate.extract import extract
from engine.generate.merge_patch import values_in
from engine.generate.model import Answer, Format, Generated, Impossible, Order
from engine.generate.objects import kind_info, one_object
from engine.managedfields.entries import Managed, decode_entries, entries_of
from engine.managedfields.field_manager import FieldManager
from engine.managedfields.versions import KindVersions
from engine.merge.conflict import Conflicts
from engine.meta.gvk import gvk_of
from engine.meta.manager import ManagerIdentifier, applier
from engine.meta.object_meta import metadata_of, without_metadata
from engine.said import said
from engine.typed.compare import Comparison, compare
from engine.typed.to_field_set import to_field_set
from engine.value.failures import Path, render_path
from engine.value.model import Object, Value

_IDENTITY = ("name", "namespace")
_BY_THE_SERVER = ("managedFields", "resourceVersion", "uid", "creationTimestamp", "generation", "selfLink")
_MOST_NAMED = 5


def generate_apply_intent(order: Order) -> Answer:
    """Return the intent by which `order.manager` makes the second object of the first, or why none does."""
    objects = one_object(order)
    if isinstance(objects, Impossible):
        return objects
    if not order.manager:
        return Impossible(Format.APPLY, said("An apply needs the name of a manager: say who applies."))
    try:
        return _Intents(order, *objects).answer()
    except EngineError as error:
        return Impossible(Format.APPLY, said("An apply intent cannot say it: %(error)s.", error=str(error)), ())


class _Intents:
    """The tries to tell one change as an intent, the smallest first."""

    def __init__(self, order: Order, before: Object, after: Object) -> None:
        self.before, self.manager = before, order.manager
        self.after = without_metadata(after, "managedFields")
        versions = KindVersions(order.catalog, gvk_of(before))
        self.keeper = FieldManager(versions, lambda obj: obj, {})
        self.type_ref = versions.typed(before).type
        self.known = kind_info(order) is not None
        live, wanted = versions.typed(without_metadata(before, "managedFields")), versions.typed(self.after)
        self.changes: Comparison = compare(live, wanted)
        self.managed: Managed = decode_entries(entries_of(before))

    def answer(self) -> Answer:
        path: Path = ()
        trouble = ""
        for intent, whole in ((self._smallest(), False), (self._whole(), True)):
            try:
                made = self._applied(intent, force=True)
            except EngineError as error:
                trouble = str(error)
                continue
            found = first_difference(made, self.after)
            if found is None:
                return self._generated(intent, whole)
            path = path or found
        return self._impossible(path, trouble)

    def _smallest(self) -> Object:
        held = self.managed.fields.get(self._who())
        own = held.fields if held is not None else EMPTY
        kept = own.intersection(to_field_set(self.keeper.versions.typed(self.after)))
        fields = kept.union(self.changes.added).union(self.changes.modified)
        found = extract(without_metadata(self.after, *_BY_THE_SERVER), self.type_ref, fields)
        return self._with_identity(found if isinstance(found, dict) else {})

    def _whole(self) -> Object:
        return without_metadata(self.after, *_BY_THE_SERVER)

    def _with_identity(self, intent: Object) -> Object:
        metadata = {name: value for name, value in metadata_of(self.after).items() if name in _IDENTITY}
        said = {**metadata, **metadata_of(intent)}
        head = {"apiVersion": self.after["apiVersion"], "kind": self.after["kind"]}
        return {**head, **({"metadata": said} if said else {}), **{k: v for k, v in intent.items() if k != "metadata"}}

    def _who(self) -> ManagerIdentifier:
        return applier(self.manager, "")

    def _applied(self, intent: Object, *, force: bool) -> Value:
        made = self.keeper.apply(self.before, intent, self.manager, None, force=force)
        return without_metadata(made, "managedFields")

    def _generated(self, intent: Object, whole: bool) -> Generated:
        notes = list(self._conflict_notes(intent))
        if whole:
            notes.append(
                said("The whole object is applied: items change their order, which a smaller intent does not give.")
            )
        if not self.known:
            notes.append(
                said("Nothing is known of this kind, so each list is taken as one value. A definition tells more.")
            )
        return Generated(
            Format.APPLY,
            intent,
            values_in(intent),
            exact_size(intent),
            said("applying it by the rules of server-side apply, in this engine"),
            tuple(notes),
        )

    def _conflict_notes(self, intent: Object) -> list[str]:
        try:
            self._applied(intent, force=False)
        except Conflicts as error:
            return [_needs_force(error)]
        return []

    def _impossible(self, path: Path, trouble: str) -> Impossible:
        if trouble:
            return Impossible(Format.APPLY, said("An apply intent cannot say it: %(error)s.", error=trouble), path)
        held = self._held_by_others()
        if held:
            return Impossible(Format.APPLY, held, path)
        return Impossible(
            Format.APPLY,
            said(
                "An apply intent cannot make %(path)s as wanted: the server decides what stands there.",
                path=render_path(path),
            ),
            path,
        )

    def _held_by_others(self) -> str:
        """Return why a field that is to go does not, or nothing if no field is to go."""
        for field in self.changes.removed.leaves():
            owners = [who.manager for who, owned in self.managed.fields.items() if field in owned.fields]
            others = [name for name in owners if name != self.manager]
            if others:
                because = said("it belongs to %(owners)s", owners=", ".join(dict.fromkeys(others)))
            elif not self.managed.fields:
                because = said("the object has no managedFields, so it belongs to nobody that could give it up")
            elif owners:
                continue
            else:
                because = said("%(manager)s never applied it", manager=self.manager)
            return said(
                "An apply intent cannot remove %(field)s: %(because)s. Apply removes only what its manager owns alone.",
                field=render_fields(field),
                because=because,
            )
        return ""


def _needs_force(error: Conflicts[ManagerIdentifier]) -> str:
    """Return what an intent takes from others, and from whom."""
    pairs = [(render_fields(each.path), each.manager.manager) for each in error.conflicts]
    told = ", ".join(f"{path} ({manager})" for path, manager in pairs[:_MOST_NAMED])
    if len(pairs) <= _MOST_NAMED:
        return said("It needs --force-conflicts, and takes from their owners: %(fields)s.", fields=told)
    return said(
        "It needs --force-conflicts, and takes from their owners: %(fields)s and %(number)s more.",
        fields=told,
        number=len(pairs) - _MOST_NAMED,
    )
