"""What ails the managedFields of the object that a write leaves, in sentences, and the patch that cleans them up."""

from __future__ import annotations

from datetime import datetime

from engine.errors import EngineError
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import text_of
from engine.ownership.checkup import LONG, Ailment, Checkup, EntryCheck, examine
from engine.schema.structural import catalog_with
from engine.value.codec import render_json
from engine.value.limits import Limits
from engine.value.model import Object
from web import messages
from web.contexts import DoctorPartial, Draft, EntryAdvice
from web.evaluating import evaluated
from web.forms import read_write
from web.translation import gettext as _
from web.translation import marked, ngettext

ADVICE = {
    Ailment.SILENT: marked(
        "Wrote last %(days)s days ago. If nothing runs under this name any more, its claims only stand in the way of "
        "others: let its successor take them over."
    ),
    Ailment.UNDATED: marked("Without a time: its writes changed owners only, and no value."),
    Ailment.TWO_VERSIONS: marked("Has another entry in another API version: the manager moved on and left this one."),
    Ailment.TWO_OPERATIONS: marked(
        "Both applies and updates: what it updates it cannot remove by applying. Migrate it to apply alone."
    ),
    Ailment.DEAD: marked("Claims fields that the object does not have: %(fields)s."),
    Ailment.ANCIENT: marked("Holds what the oldest updaters owned; whose it was cannot be told any more."),
    Ailment.BEFORE_FIRST_APPLY: marked(
        "Holds what was there before the first apply; an applier shares these fields, and never removes them."
    ),
}
MOST_DEAD = 5


def diagnosis(draft: Draft, limits: Limits, now: datetime) -> DoctorPartial:
    """Return what ails the object that a draft's write leaves, or the live one if it writes nothing.

    Raises:
        Unusable, EngineError: the draft is no request.
    """
    write = read_write(draft, limits)
    obj = write.live
    if write.body is not None:
        obj = evaluated(write, now).after or obj
    if obj is None:
        return DoctorPartial(nothing=_("There is no object, and so nothing to examine."))
    catalog = catalog_with(write.crds)
    try:
        found = examine(obj, catalog.type_of(gvk_of(obj)), now)
    except EngineError as error:
        return DoctorPartial(nothing=messages.sentence(error, "live"))
    if not found.entries:
        return DoctorPartial(nothing=_("The object has no managedFields: nobody owns anything, and nothing is stored."))
    return _told(obj, found)


def _told(obj: Object, found: Checkup) -> DoctorPartial:
    patch = render_json(list(found.clean_up), 2) if found.clean_up else ""
    return DoctorPartial(
        findings=tuple(_findings(found)),
        entries=tuple(_advice(each) for each in found.entries),
        branches=tuple((each.path, _bytes(each.bytes)) for each in found.branches),
        clean_up=_clean_up(found),
        patch=patch,
        command=_command(obj, list(found.clean_up)) if found.clean_up else "",
    )


def _findings(found: Checkup) -> list[str]:
    share = 100 * found.bytes // max(found.object_bytes, 1)
    size = _(
        "managedFields takes %(part)s of the object's %(whole)s bytes (%(share)s %%).",
        part=f"{found.bytes:,}",
        whole=f"{found.object_bytes:,}",
        share=share,
    )
    cap = _(
        "%(count)s of at most %(most)s entries of updates; with one more the oldest are folded into one without names.",
        count=found.updaters,
        most=found.most_updaters,
    )
    return [size, cap]


def _advice(entry: EntryCheck) -> EntryAdvice:
    manager = entry.manager
    fields = ngettext("%(num)s field", "%(num)s fields", entry.fields)
    return EntryAdvice(
        messages.owner(manager.manager, manager.operation, entry.api_version, manager.subresource),
        f"{fields}, {_bytes(entry.bytes)}",
        tuple(_sentence(each, entry) for each in entry.ailments),
    )


def _sentence(ailment: Ailment, entry: EntryCheck) -> str:
    more = f" (+{len(entry.dead) - MOST_DEAD})" if len(entry.dead) > MOST_DEAD else ""
    return _(ADVICE[ailment], days=entry.days, long=LONG, fields=", ".join(entry.dead[:MOST_DEAD]) + more)


def _bytes(number: int) -> str:
    return _("%(number)s bytes", number=f"{number:,}")


def _clean_up(found: Checkup) -> str:
    if found.clean_up is None:
        return _("There is nothing to clean up: every entry holds claims that no other entry of its manager has.")
    return _(
        "This patch saves %(saved)s bytes and takes nobody's claim away: fields that are gone, and entries that "
        "another entry of the same manager covers. It is refused if the object has changed meanwhile.",
        saved=f"{found.saved:,}",
    )


def _command(obj: Object, patch: list[Object]) -> str:
    gvk = gvk_of(obj)
    resource = f"{gvk.kind.lower()}.{gvk.group}" if gvk.group else gvk.kind.lower()
    namespace = text_of(obj, "namespace")
    where = f" --namespace={namespace}" if namespace else ""
    spelled = render_json(patch).replace("'", "'\\''")
    return f"kubectl patch {resource} {text_of(obj, 'name')}{where} --type=json --patch '{spelled}'"
