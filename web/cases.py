"""The public cases: reports of what surprised people, each with what one expects, what happens and what helps.

Most have a draft that shows it: the last write of the case. Its live object is made by playing the writes before it.
What an API server insists on and a report leaves out is filled in. A case that is about more than one object or write
has no draft.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.meta.gvk import gvk_of
from engine.meta.last_applied import encode_last_applied, with_last_applied
from engine.value.codec import render_yaml
from engine.value.model import Object
from web.contexts import CaseGroup, CaseRow, Draft
from web.texts import texts_of
from web.translation import gettext, marked

FILE = Path(__file__).resolve().parent / "data/cases.json"
NOW = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)
UID = "6f1d7c3a-52b8-4e0f-9d64-0c8b7f21e5aa"
GROUPS = {
    "A": marked("Server-side apply"),
    "B": marked("Strategic merge and kubectl apply"),
    "C": "JSON Patch",
    "D": marked("JSON merge patch"),
    "E": marked("Patches made from two documents"),
    "F": marked("Updates"),
}
OTHERS = marked("Others")
_PATCHES = {"json": WriteKind.JSON_PATCH, "merge": WriteKind.JSON_MERGE, "strategic": WriteKind.STRATEGIC_MERGE}


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what a person expects, what happens and why (story), and how to live with it (cure).

    pair are the two documents of a case about generating a patch, as JSON texts. closed is why a case with neither a
    draft nor a pair cannot be opened, and empty for all others.
    """

    number: str
    title: str
    expect: str
    story: str
    cure: str
    closed: str
    sources: tuple[str, ...]
    draft: Draft | None
    pair: tuple[str, str] | None


@cache
def load_cases() -> tuple[Case, ...]:
    """Return all cases, by number."""
    return tuple(_read(each) for each in json.loads(FILE.read_text("utf-8")))


def spoken_case(case: Case) -> Case:
    """Return a case with its texts in the reader's language."""
    texts = texts_of("cases", case.number)
    return replace(
        case,
        title=texts.get("title", case.title),
        expect=texts.get("expect", case.expect),
        story=texts.get("story", case.story),
        cure=texts.get("cure", case.cure),
        closed=texts.get("closed", case.closed),
    )


def case_groups(cases: Sequence[Case]) -> tuple[CaseGroup, ...]:
    """Return the cases by subject, as the page lists them."""
    groups: dict[str, list[CaseRow]] = {}
    for case in map(spoken_case, cases):
        before, after = case.pair or ("", "")
        sources = tuple((address, address.partition("://")[2]) for address in case.sources)
        row = CaseRow(
            number=case.number,
            title=case.title,
            expect=case.expect,
            story=case.story,
            cure=case.cure,
            closed=case.closed,
            sources=sources,
            opens=case.draft is not None,
            before=before,
            after=after,
        )
        groups.setdefault(gettext(GROUPS.get(case.number[0], OTHERS)), []).append(row)
    return tuple(CaseGroup(title, tuple(rows)) for title, rows in groups.items())


def _read(case: dict[str, Any]) -> Case:
    pair = (json.dumps(case["before"], indent=2), json.dumps(case["after"], indent=2)) if "after" in case else None
    return Case(
        number=case["id"],
        title=case["title"],
        expect=case["expect"],
        story=case["expected"],
        cure=case["cure"],
        closed=case.get("closed", ""),
        sources=tuple(case["source"]),
        draft=_draft(case),
        pair=pair,
    )


def _draft(case: dict[str, Any]) -> Draft | None:
    """The draft that shows a case. `open` tells it where the report itself holds no write that could be made."""
    if case["id"] in _LONG:
        return _LONG[case["id"]]()
    if "open" in case:
        return _told(case["open"])
    if "steps" in case:
        return _last_step(case)
    before, patch = case.get("before"), case.get("patch")
    if case["kind"] == "csa":
        return _client_apply(case)
    if not isinstance(before, dict) or not gvk_of(before).kind or not isinstance(patch, dict | list):
        return None
    kind = WriteKind.APPLY if case["kind"] == "ssa" else _PATCHES.get(case["kind"])
    if kind is None:
        return None
    manager = "ci" if kind is WriteKind.APPLY else "kubectl"
    body = json.dumps(patch, indent=2) if kind is WriteKind.JSON_PATCH else render_yaml(patch)
    return Draft(kind=kind.value, live=render_yaml(completed(before)), body=body, manager=manager)


def _client_apply(case: dict[str, Any]) -> Draft | None:
    if not isinstance(case.get("manifest"), dict):
        return None
    live = completed(case["before"])
    if case.get("last_applied"):
        live = with_last_applied(live, encode_last_applied(case["last_applied"]))
    return Draft(
        kind=WriteKind.CLIENT_APPLY.value,
        live=render_yaml(live),
        body=render_yaml(case["manifest"]),
        manager="kubectl-client-side-apply",
    )


def _told(told: dict[str, Any]) -> Draft:
    live = told["live"]
    if "applied" in told:
        live = with_last_applied(live, encode_last_applied(told["applied"]))
    return Draft(kind=told["kind"], live=render_yaml(live), body=render_yaml(told["body"]), manager=told["manager"])


def _too_large_to_annotate() -> Draft:
    """A manifest of more bytes than annotations may have (262,144)."""
    data = {"k": "x" * 263_000}
    made = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "conf"}, "data": data}
    return Draft(
        kind=WriteKind.CLIENT_APPLY.value, live="", body=render_yaml(made), manager="kubectl-client-side-apply"
    )


def _too_many_operations() -> Draft:
    """One operation more than the API server takes (10,000)."""
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "conf"}, "data": {"k": "1"}}
    patch = ",\n".join(['{"op": "test", "path": "/data/k", "value": "1"}'] * 10_001)
    return Draft(kind=WriteKind.JSON_PATCH.value, live=render_yaml(live), body=f"[\n{patch}\n]\n", manager="kubectl")


_LONG: dict[str, Callable[[], Draft]] = {"B33": _too_large_to_annotate, "C20": _too_many_operations}
"""Drafts that are too long to be written out in the file of the cases."""


def _last_step(case: dict[str, Any]) -> Draft | None:
    live = _with_owners(completed(case["before"]), case["owners_before"]) if case["before"] else None
    for step in case["steps"][:-1]:
        done = _written(live, step)
        live = done.after if done.after is not None else live
    last = case["steps"][-1]
    write = _write(live, last)
    return Draft(
        kind=write.kind.value,
        live=render_yaml(live) if live is not None else "",
        body=render_yaml(write.body),
        manager=write.manager,
        force=write.force,
    )


def _write(live: Object | None, step: dict[str, Any]) -> Write:
    kind = WriteKind.APPLY if step["op"] == "apply" else WriteKind.UPDATE if live is not None else WriteKind.CREATE
    body = completed(step["object"], whole=kind is not WriteKind.APPLY or live is None)
    return Write(kind, live, body, manager=step["manager"], force=step.get("force", False))


def _written(live: Object | None, step: dict[str, Any]) -> Evaluation:
    return evaluate(_write(live, step), now=NOW, new_uid=lambda: UID)


def _with_owners(obj: Object, owners: dict[str, Any]) -> Object:
    entries = []
    for name, fields in owners.items():
        manager, _, operation = name.partition("|")
        told = {"manager": manager, "operation": operation, "apiVersion": gvk_of(obj).api_version}
        entries.append({**told, "fieldsType": "FieldsV1", "fieldsV1": fields})
    return {**obj, "metadata": {**obj.get("metadata", {}), "managedFields": entries}} if entries else obj


def completed(obj: Object, *, whole: bool = True) -> Object:
    """Return a Deployment or Pod with what an API server insists on and a report about something else leaves out.

    An intent that is not the whole object gets no containers that it does not speak of.
    """
    kind = gvk_of(obj).kind
    if kind == "Pod":
        return {**obj, "spec": _pod_spec(obj.get("spec"), whole=whole)}
    if kind != "Deployment":
        return obj
    spec: Object = dict(obj.get("spec") or {})
    template: Object = dict(spec.get("template") or {})
    metadata: Object = dict(template.get("metadata") or {})
    labels = metadata.get("labels") or _LABELS
    selector = spec.get("selector") or {"matchLabels": labels}
    template |= {"metadata": {**metadata, "labels": labels}, "spec": _pod_spec(template.get("spec"), whole=whole)}
    return {**obj, "spec": {**spec, "selector": selector, "template": template}}


_LABELS: Object = {"app": "web"}


def _pod_spec(spec: Any, *, whole: bool) -> Object:
    spec = dict(spec) if isinstance(spec, dict) else {}
    containers = spec.get("containers") or ([{"name": "main"}] if whole else [])
    return {**spec, "containers": [{"image": "web:1", **each} for each in containers]} if containers else spec
