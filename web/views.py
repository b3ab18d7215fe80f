"""The panes of the result, each made only when it is looked at: a long object costs what the open pane costs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, lru_cache

from engine.evaluation import Evaluation, Write, WriteKind
from engine.explain.reason import Reason
from engine.explanation import explain
from engine.meta.gvk import gvk_of
from engine.ownership.blame import Blame, blame
from engine.schema.catalog import Catalog
from engine.schema.structural import catalog_with
from engine.value.codec import render_json
from engine.value.equality import equal
from engine.value.model import Object
from web import messages
from web.contexts import Draft, Operation, Result
from web.entries import entries, entry_owners, size_of
from web.lines import gutter, result_lines
from web.owners import Legend, legend
from web.schema_view import schema_view
from web.steps import dialects_of, steps_of
from web.three_lists import three_lists_of
from web.translation import gettext
from web.why import why_rows

MOST_LINES = 1_000
"""Lines that are shown unless all are asked for: more would take a browser longer than a person waits for a key."""
_MOST_KEPT = 1 << 20
"""Characters of a live object whose owners are kept from one key to the next."""
_NO_OWNERS = Blame((), ())


@dataclass(frozen=True)
class Subject:
    """What the panes are about: a write and what came of it, or (done: None) a live object alone."""

    write: Write
    done: Evaluation | None
    draft: Draft
    now: datetime

    @property
    def before(self) -> Object | None:
        """The object before the write."""
        return self.done.before if self.done is not None else self.write.live

    @property
    def after(self) -> Object | None:
        """The object that is shown: after the write, or as it stays where the write is refused."""
        return self.before if self.done is None or self.done.after is None else self.done.after

    @property
    def refused(self) -> bool:
        """True if there was a write and the server refused it."""
        return self.done is not None and self.done.after is None

    @cached_property
    def catalog(self) -> Catalog:
        """The built-in kinds with those that were pasted."""
        return catalog_with(self.write.crds)

    @cached_property
    def legend(self) -> Legend:
        """The owners before and after."""
        return legend([entry_owners(self.before), entry_owners(self.after)])

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each field is as it is; none where nothing is written."""
        return explain(self.write, self.done) if self.done is not None else ()

    def blamed(self, obj: Object | None) -> Blame:
        """Return the owners of each line of an object."""
        return _NO_OWNERS if obj is None else blame(obj, self.catalog.type_of(gvk_of(obj)))


def _blamed_before(subject: Subject) -> Blame:
    """Return the owners of the object before, found once for a live object that stays as it is while a key follows."""
    before, draft = subject.before, subject.draft
    if len(draft.live) > _MOST_KEPT:
        return subject.blamed(before)
    kept = _kept(draft.live, draft.crds)
    if not kept or kept[0][0] != before:
        kept[:] = [(before, subject.blamed(before))]
    return kept[0][1]


@lru_cache(maxsize=4)
def _kept(live: str, crds: str) -> list[tuple[Object | None, Blame]]:
    """Return the place where the owners of what one text holds are kept: empty at first."""
    return []


def shown(subject: Subject, views: Collection[str]) -> Result:
    """Return the panes that are asked for, by their names in the form."""
    result = Result(owners=subject.legend.badges, views=frozenset(views))
    for view in views:
        result = _PANES[view](result, subject)
    return result


def _lines(result: Result, subject: Subject) -> Result:
    before = _blamed_before(subject)
    is_same = subject.after is not None and subject.before is not None and equal(subject.before, subject.after)
    after = before if is_same else subject.blamed(subject.after)
    contested = frozenset(each.path for each in subject.done.conflicts) if subject.done else frozenset[str]()
    most = None if subject.draft.whole else MOST_LINES
    lines = result_lines(before, after, subject.legend, contested, most)
    note = gettext(messages.REFUSED_SHOWS_LIVE) if subject.refused and subject.before is not None else ""
    return replace(
        result,
        lines=lines,
        gutter=gutter(lines),
        left_out=sum(line.folded for line in lines),
        whole=subject.draft.whole and len(lines) > MOST_LINES,
        note=note,
    )


def _patch(result: Result, subject: Subject) -> Result:
    done = subject.done
    if done is None:
        return result
    stepwise = subject.write.kind is WriteKind.JSON_PATCH and done.before is not None
    return replace(
        result,
        operations=tuple(_operation(operation) for operation in done.json_patch),
        patch=render_json(done.json_patch, 2) if done.json_patch else "",
        dialects=dialects_of(done.before, subject.write.body) if stepwise and done.before else (),
        steps=steps_of(done.before, subject.write.body) if stepwise and done.before else (),
    )


def _fields(result: Result, subject: Subject) -> Result:
    before = subject.before if subject.done is not None else None
    return replace(result, entries=entries(before, subject.after, subject.legend), size=size_of(subject.after))


def _why(result: Result, subject: Subject) -> Result:
    return replace(result, why=why_rows(subject.reasons, subject.legend))


def _schema(result: Result, subject: Subject) -> Result:
    return replace(result, schema=schema_view(subject.write, subject.catalog, subject.draft.schema_path))


def _response(result: Result, subject: Subject) -> Result:
    done = subject.done
    if done is None:
        return result
    sent = done.request_sent
    return replace(
        result,
        response=render_json(done.body, 2),
        warnings=done.warnings,
        request_line=f"{sent['method']} {sent['contentType']}" if sent else "",
        request_body=render_json(sent["body"], 2) if sent else "",
        three_lists=three_lists_of(subject.write, done),
    )


_PANES: Mapping[str, Callable[[Result, Subject], Result]] = {
    "result": _lines,
    "patch": _patch,
    "fields": _fields,
    "why": _why,
    "schema": _schema,
    "response": _response,
}


def _operation(operation: Object) -> Operation:
    value = render_json(operation["value"], 2) if "value" in operation else ""
    return Operation(str(operation["op"]), str(operation["path"]), str(operation.get("from", "")), value)
