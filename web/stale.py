"""A write that is refused for its resourceVersion alone: no owner is in its way, and force does not help."""

from __future__ import annotations

import shlex
from dataclasses import replace
from datetime import datetime
from enum import Enum

from engine.errors import EngineError
from engine.evaluation import Evaluation, Write, WriteKind
from engine.meta.object_meta import text_of
from engine.value.codec import parse_yaml
from engine.value.edit import NotInText, with_value, without
from engine.value.limits import Limits
from web.contexts import Draft, WayCard
from web.evaluating import evaluated
from web.forms import Unusable, read_write
from web.translation import gettext as _
from web.translation import marked, translated
from web.ways import text_changes

_PLACE = ("metadata", "resourceVersion")


class StaleWay(Enum):
    """What can be done, by the name that forms use."""

    CURRENT = "current-version"
    VERSIONLESS = "no-version"


TITLES = {
    StaleWay.CURRENT: marked("Write with the live version"),
    StaleWay.VERSIONLESS: marked("Write without a version"),
}
SUMMARIES = {
    StaleWay.CURRENT: marked(
        "You have seen what changed meanwhile and still want to write: your text gets the resourceVersion of now."
    ),
    StaleWay.VERSIONLESS: marked(
        "Let the server not ask: whatever changed meanwhile may be overwritten without a word."
    ),
}


def is_stale(done: Evaluation) -> bool:
    """True if a write was refused because it named a resourceVersion that the object has left behind."""
    return done.code == 409 and not done.conflicts and done.before is not None and _named(done) == "Conflict"


def stale_cards(write: Write, done: Evaluation, text: str, now: datetime) -> tuple[WayCard, ...]:
    """Return what can be done about a stale version; none if that is not what the write was refused for."""
    if not is_stale(done):
        return ()
    return tuple(_card(way, write, done, text, now) for way in StaleWay)


def freshened(draft: Draft, name: str, limits: Limits, now: datetime) -> Draft | None:
    """Return the draft after one of the ways was chosen by its name; None if it is not refused for its version."""
    if name not in {way.value for way in StaleWay}:
        return None
    try:
        done = evaluated(read_write(draft, limits), now)
        return replace(draft, body=_rewritten(StaleWay(name), done, draft.body)) if is_stale(done) else None
    except (Unusable, EngineError):
        return None


def _named(done: Evaluation) -> str:
    return str(done.body.get("reason", "")) if isinstance(done.body, dict) else ""


def _card(way: StaleWay, write: Write, done: Evaluation, text: str, now: datetime) -> WayCard:
    title, summary = _(TITLES[way]), _(SUMMARIES[way])
    try:
        after = _rewritten(way, done, text)
        code = evaluated(replace(write, body=parse_yaml(after)), now).code
    except NotInText as error:
        return WayCard(way.value, title, summary, "", (), "", (), translated(str(error)))
    answer = "" if code < 300 else _("It would still be refused with %(code)s.", code=code)
    return WayCard(way.value, title, summary, answer, (), _command(write), text_changes(text, after), "")


def _command(write: Write) -> str:
    """The kubectl line that sends the text of a file as this write does."""
    manager = f" --field-manager={shlex.quote(write.manager)}" if write.manager else ""
    if write.kind in _PATCHES:
        return f"kubectl patch KIND NAME --type={_PATCHES[write.kind]} --patch-file FILE{manager}"
    verb = "replace" if write.kind is WriteKind.UPDATE else "apply --server-side"
    return f"kubectl {verb} -f FILE{manager}"


_PATCHES = {WriteKind.STRATEGIC_MERGE: "strategic", WriteKind.JSON_MERGE: "merge", WriteKind.JSON_PATCH: "json"}


def _rewritten(way: StaleWay, done: Evaluation, text: str) -> str:
    """The person's text with another resourceVersion, or with none. Raises: NotInText."""
    if way is StaleWay.VERSIONLESS:
        return without(text, _PLACE)
    return with_value(text, _PLACE, text_of(done.before or {}, "resourceVersion"))
