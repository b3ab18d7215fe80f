"""One change in every format: what a write of the playground did, spelled as each patch format would."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.generate.generate import generate
from engine.generate.model import Format, Order
from engine.meta.object_meta import without_metadata
from engine.schema.structural import catalog_with
from engine.value.codec import render_yaml
from engine.value.limits import Limits
from engine.value.model import Object
from web.contexts import Draft, FormatsPartial, GenerateDraft, MadePatch, SpelledChange
from web.evaluating import evaluated
from web.forms import read_write
from web.generate_answers import made_patch
from web.generate_forms import FORMATS, order_of
from web.translation import gettext, marked

_COUNTED = ("resourceVersion", "generation")
_BOOKKEEPING = ("managedFields", *_COUNTED)
REFUSED = marked("The write is refused: there is no change to spell.")
CREATED = marked("The object is new: every format but a whole object needs one to change.")
SAME = marked("Nothing changes: there is nothing to spell.")


def change_in_formats(draft: Draft, limits: Limits, now: datetime) -> FormatsPartial:
    """Return the change that a draft's write makes in every format, or why there is none.

    The change is without managedFields, resourceVersion and generation: the server writes these by itself.

    Raises:
        Unusable, EngineError: the draft is no request.
    """
    write = read_write(draft, limits)
    done = evaluated(write, now)
    if done.after is None:
        return FormatsPartial((), gettext(REFUSED))
    if done.before is None:
        return FormatsPartial((), gettext(CREATED))
    before, after = (without_metadata(each, *_BOOKKEEPING) for each in (done.before, done.after))
    if before == after:
        return FormatsPartial((), gettext(SAME))
    catalog = catalog_with(write.crds)
    asked = order_of(GenerateDraft(manager=write.manager or "patchyard"), before, after)
    order = replace(asked, catalog=catalog)
    # What an intent has to say depends on who owns what.
    owned = replace(order, before=without_metadata(done.before, *_COUNTED))
    rows = [
        SpelledChange(gettext(label), _made(owned if Format(value) is Format.APPLY else order, Format(value)))
        for value, label in FORMATS.items()
    ]
    return FormatsPartial((*rows, SpelledChange("PUT", _whole(after))), "")


def _made(order: Order, wanted: Format) -> MadePatch:
    return made_patch(generate(replace(order, format=wanted)))


def _whole(after: Object) -> MadePatch:
    text = render_yaml(after)
    size = f"{len(text.encode('utf-8', 'surrogatepass')):,}"
    facts = gettext("the whole object, %(size)s bytes", size=size)
    return MadePatch(text, facts, gettext("Whatever is left out is removed, whoever owns it."), (), "", "")
