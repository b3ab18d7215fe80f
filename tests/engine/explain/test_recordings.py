"""Reasons over recorded writes: every leaf of every recorded result has exactly one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.explain.leaves import leaves
from engine.explain.reason import GONE, Why
from engine.explain.reasons import Account, reasons
from engine.managedfields.entries import decode_entries, entries_of
from engine.meta.gvk import gvk_of
from engine.meta.manager import applier, updater
from engine.meta.object_meta import without_metadata
from engine.schema.catalog import builtin_catalog
from engine.typed.locate import Locator
from engine.value.model import MISSING

RECORDINGS = Path(__file__).parents[2] / "conformance"
SUITES = ("builtin", "smp", "status")


def recorded(suite: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield request, object before and object after of each recorded write that was granted."""
    with gzip.open(RECORDINGS / f"{suite}.jsonl.gz", "rt") as lines:
        for line in lines:
            live: Any = None
            for step in json.loads(line)["steps"]:
                body = (step.get("response") or {}).get("body")
                if step["request"]["method"] == "GET" or step["response"]["code"] >= 300:
                    continue
                if isinstance(body, dict) and body.get("kind") not in ("Scale", "Status", None):
                    yield step["request"], live, body
                    live = body


def account(request: Any, before: Any, after: Any) -> Account:
    is_apply = "apply" in (request.get("contentType") or "")
    name = (request.get("query") or {}).get("fieldManager", "") if isinstance(request.get("query"), dict) else ""
    writer = applier(name) if is_apply else updater(name, gvk_of(after).api_version)
    type_ref = builtin_catalog().type_of(gvk_of(after))
    assert type_ref is not None

    def owned(obj: Any) -> Any:
        return {who: owned.fields for who, owned in decode_entries(entries_of(obj or {})).fields.items()}

    said = request.get("body") if isinstance(request.get("body"), dict) else MISSING
    return Account(before, after, Locator(said, type_ref), type_ref, writer, owned(before), owned(after))


@pytest.mark.parametrize("suite", SUITES)
def test_every_leaf_of_every_recorded_result_has_one_reason(suite: str) -> None:
    count = 0
    for request, before, after in recorded(suite):
        told = account(request, before, after)
        found = reasons(told)
        present = [each.steps for each in found if each.why not in GONE]
        assert present == [leaf.steps for leaf in leaves(without_metadata(after, "managedFields"), told.type)]
        assert len(set(present)) == len(present)
        for each in found:
            now = {who for who, fields in told.owned_after.items() if each.field in fields}
            if each.why is Why.HELD:
                assert each.owners
            if each.why is Why.UNOWNED:
                assert not now
        count += 1
    assert count > 500
