"""The operations that are measured, on each document that they apply to.

An apply spans the way from the parsed live object with its managedFields and the parsed intent to
the parsed result with its managedFields. Defaults, validation and storage are outside, and so is the parsing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.apiserver.strategies import strategy_of
from engine.evaluation import Write, WriteKind, evaluate
from engine.explanation import explain
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.diff import diff
from engine.jsonmergepatch import diff as merge_diff
from engine.jsonmergepatch.apply import apply_merge_patch
from engine.jsonmergepatch.three_way import three_way_merge_patch
from engine.managedfields.field_manager import FieldManager
from engine.managedfields.versions import KindVersions
from engine.ownership.blame import blame
from engine.strategicpatch import diff as strategic_diff
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.strategicpatch.three_way import three_way_strategic_patch
from engine.value.codec import parse_yaml, render_yaml
from engine.value.model import Object
from web.bench.documents import Sample, recording

TIME = "2026-12-01T00:00:00Z"
"""When all is written: after the recording, since entries are sorted by their times."""
ONE, TWO = "one", "two"


@dataclass(frozen=True, slots=True)
class Operation:
    """Something to measure: `run` does it once and returns its result."""

    name: str
    document: str
    run: Callable[[], Any]


def keeper(sample: Sample) -> FieldManager:
    """Return what keeps the managedFields of a document, without the defaults that a server fills in."""
    strategy = strategy_of(sample.info)
    versions = KindVersions(sample.catalog, sample.info.gvk, strategy.writable(""))
    return FieldManager(versions, lambda obj: obj, strategy.empty())


def operations(sample: Sample) -> Iterator[Operation]:
    """Yield all operations on a document."""
    fields = keeper(sample)
    absent: Object = {name: sample.intent[name] for name in ("apiVersion", "kind", "metadata")}
    live = fields.apply(absent, sample.intent, ONE, TIME, force=False)
    if sample.name == "deployment":
        live = recording()["live"]
    text = render_yaml(sample.intent)
    runs: dict[str, Callable[[], Any]] = {
        "parse-yaml": lambda: parse_yaml(text),
        "render-yaml": lambda: render_yaml(sample.intent),
        "apply-create": lambda: fields.apply(absent, sample.intent, ONE, TIME, force=False),
        "apply-noop": lambda: fields.apply(live, sample.intent, ONE, TIME, force=False),
        "apply-change": lambda: fields.apply(live, sample.changed, ONE, TIME, force=False),
        "apply-force": lambda: fields.apply(live, sample.changed, TWO, TIME, force=True),
        **_dropping(sample, fields, live),
        **_of_ten_managers(sample, fields, live),
        **_patches(sample, live),
        **_tellings(sample, fields, live),
    }
    return (Operation(name, sample.name, run) for name, run in runs.items())


def _dropping(sample: Sample, fields: FieldManager, live: Object) -> dict[str, Callable[[], Any]]:
    """An apply that leaves out the item in the middle of a list that it applied before."""
    items = sample.intent.get("spec", {}).get("items")
    if items is None:
        return {}
    fewer = [item for index, item in enumerate(items) if index != len(items) // 2]
    intent = {**sample.intent, "spec": {"items": fewer}}
    return {"apply-drop": lambda: fields.apply(live, intent, ONE, TIME, force=False)}


def _of_ten_managers(sample: Sample, fields: FieldManager, live: Object) -> dict[str, Callable[[], Any]]:
    shared = live
    for number in range(9):
        shared = fields.apply(shared, sample.intent, f"manager-{number}", TIME, force=False)
    return {"apply-ten-managers": lambda: fields.apply(shared, sample.changed, TWO, TIME, force=True)}


def _patches(sample: Sample, live: Object) -> dict[str, Callable[[], Any]]:
    """The patches on the parsed object: the recorded ones, or those that make the sample's change."""
    kind = sample.info
    after = sample.intent, sample.changed
    if sample.name == "deployment":
        recorded = recording()
        strategic, merge, json_patch = (recorded[name]["patch"] for name in ("strategic", "merge_patch", "json_patch"))
    else:
        strategic = {} if kind.custom else strategic_diff.diff(*after, kind.type)
        merge, json_patch = merge_diff.diff(*after), diff(*after)
    runs: dict[str, Callable[[], Any]] = {
        "merge-patch": lambda: apply_merge_patch(live, merge),
        "json-patch": lambda: apply_json_patch(live, json_patch),
        "three-way": lambda: three_way_merge_patch(*after, live),
        "generate": lambda: diff(*after),
    }
    if not kind.custom:
        runs["strategic"] = lambda: apply_strategic_merge_patch(live, strategic, kind.type)
        runs["three-way"] = lambda: three_way_strategic_patch(*after, live, kind.type)
    return runs


def _tellings(sample: Sample, fields: FieldManager, live: Object) -> dict[str, Callable[[], Any]]:
    """An update, and what the page tells of a write: the reasons, and the owners of each line."""
    changed = apply_json_patch(live, diff(sample.intent, sample.changed))
    assert isinstance(changed, dict)
    write = Write(WriteKind.APPLY, live, sample.changed, sample.crds, TWO, force=True)
    done = evaluate(write, now=datetime.fromisoformat(TIME), new_uid=lambda: "00000000-0000-4000-8000-000000000001")
    return {
        "update": lambda: fields.update(live, changed, TWO, TIME),
        "explain": lambda: explain(write, done),
        "blame": lambda: blame(live, sample.info.type),
    }
