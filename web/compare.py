"""Two states of an object held against each other: which lines differ, and what each owner gained and lost."""

from __future__ import annotations

from engine.errors import EngineError
from engine.evaluation import WriteKind
from engine.meta.gvk import gvk_of
from engine.ownership.blame import Blame, Owner, blame
from engine.schema.structural import catalog_with
from engine.value.document import read_document
from engine.value.limits import Limits
from engine.value.model import Object
from web.contexts import ComparePartial, Draft
from web.entries import entries, entry_owners
from web.forms import Unusable, read_write
from web.lines import gutter, result_lines
from web.owners import identity, legend
from web.translation import gettext as _

_NOTHING = Blame((), ())


def compared(before: str, after: str, crds: str, limits: Limits, shown: str = "") -> ComparePartial:
    """Return what differs from the object of one text to that of another; an empty text is no object.

    shown: the text of the live object that the page shows, whose owners keep the letters that they have there.
    """
    try:
        write = read_write(Draft(kind=WriteKind.UPDATE.value, live=before, body=after, crds=crds), limits)
        catalog = catalog_with(write.crds)
    except (Unusable, EngineError):
        return ComparePartial(problem=_("One of the two cannot be read any more."))
    old, new = write.live, write.body if isinstance(write.body, dict) else None
    held = [_NOTHING if each is None else blame(each, catalog.type_of(gvk_of(each))) for each in (old, new)]
    owners = [held[0].owners, entry_owners(old), held[1].owners, entry_owners(new)]
    marks = legend([_owners_of(shown, limits), *owners])
    present = {identity(owner) for group in owners for owner in group}
    lines = result_lines(held[0], held[1], marks)
    changed = sum(bool(line.change) for line in lines)
    return ComparePartial(
        changes=changed or (-1 if _stored(old) != _stored(new) else 0),
        lines=lines,
        gutter=gutter(lines),
        owners=tuple(badge for badge in marks.badges if identity(badge) in present),
        entries=entries(old, new, marks),
    )


def _owners_of(text: str, limits: Limits) -> tuple[Owner, ...]:
    try:
        value = read_document(text, limits).value
    except EngineError:
        return ()
    return entry_owners(value) if isinstance(value, dict) else ()


def _stored(obj: Object | None) -> object:
    metadata = obj.get("metadata") if obj else None
    return metadata.get("managedFields") if isinstance(metadata, dict) else None
