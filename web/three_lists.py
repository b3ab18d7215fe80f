"""What kubectl apply works with, as four texts: last-applied, what it deletes, what it changes, and the sum."""

from __future__ import annotations

from engine.clientapply.three_way import three_lists
from engine.errors import EngineError
from engine.evaluation import Evaluation, Write, WriteKind
from engine.meta.gvk import gvk_of
from engine.schema.catalog import builtin_catalog
from engine.value.codec import render_yaml
from engine.value.model import Object
from web.translation import gettext as _


def three_lists_of(write: Write, done: Evaluation) -> tuple[tuple[str, str], ...]:
    """Return the lists of a kubectl apply to an object that is there, each with its title; none for other writes."""
    if write.kind is not WriteKind.CLIENT_APPLY or done.before is None or not isinstance(write.body, dict):
        return ()
    builtin = builtin_catalog().type_of(gvk_of(done.before))
    try:
        found = three_lists(done.before, write.body, builtin)
    except EngineError:
        return ()  # The answer tells why there is no patch.
    rows = (
        (_("Last applied, as its annotation says"), found.last_applied),
        (_("Deletions: last applied against the manifest"), found.deletions),
        (_("Additions and changes: the live object against the manifest"), found.changes),
        (_("Their sum, which is sent"), found.sum),
    )
    return tuple((title, _yaml(value)) for title, value in rows)


def _yaml(value: Object) -> str:
    return render_yaml(value) if value else _("nothing") + "\n"
