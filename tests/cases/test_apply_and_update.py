"""Public reports of trouble with server-side apply, by their number: the engine does what the reference was seen to do.

The reference is its library alone: no defaults are filled in, nothing is validated but the intent against the schema.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.fieldpath.element import render_path
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.fieldpath.managed import VersionedSet
from engine.managedfields.steps import UNOWNED
from engine.merge.conflict import Conflicts
from engine.schema.catalog import definition
from engine.typed.typed_value import TypedValue
from engine.typed.validate import DoesNotFit
from tests.support.cluster import Cluster, config_map
from tests.support.scenario import VERSION, State, apply, update

CASES = json.loads((Path(__file__).parents[2] / "web/data/cases.json").read_text("utf-8"))
OBSERVED = [each for each in CASES if each["kind"] in ("ssa", "update") and each["observed"]]
BY_NUMBER = {each["id"]: each for each in CASES}

EMPTIED = {("A10", 2): "spec", ("A15", 5): "data"}
"""The steps after which a map has lost all its members. The library that the cases were run with left null there; the
API server of the recordings leaves the map, empty, and so does the engine (29 scenarios of the suite crd show it)."""


def stripped(state: State) -> State:
    owners = {name: owned.with_fields(owned.fields.difference(UNOWNED)) for name, owned in state.owners.items()}
    return State(state.typed, {name: owned for name, owned in owners.items() if owned.fields})


def start(case: dict[str, Any]) -> State:
    owners = {
        name: VersionedSet(decode_fields_v1(fields), VERSION, name.endswith("|Apply"))
        for name, fields in case["owners_before"].items()
    }
    return State(TypedValue(case["before"], definition(case["type"])), owners)


def step(state: State, asked: dict[str, Any]) -> tuple[State, str, str]:
    """Return the state after a step, what came of it, and the reference's words for a refusal."""
    try:
        if asked["op"] == "update":
            return stripped(update(state, asked["manager"], asked["object"])), "written", ""
        after = stripped(apply(state, asked["manager"], asked["object"], force=asked.get("force", False)))
    except Conflicts as error:
        told = [f'conflict with "{each.manager}": {render_path(each.path)}' for each in error.conflicts]
        return state, "conflict", "; ".join(told)
    except DoesNotFit as error:
        return state, "rejected", str(error)
    return after, "object unchanged" if after.typed.value == state.typed.value else "changed", ""


def expected_object(number: str, observed: dict[str, Any]) -> dict[str, Any]:
    emptied = EMPTIED.get((number, observed["step"]))
    told: dict[str, Any] = observed["object"]
    if emptied is None:
        return told
    assert told[emptied] is None
    return {**told, emptied: {}}


@pytest.mark.parametrize("case", OBSERVED, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    state = start(case)
    assert len(case["steps"]) == len(case["observed"])
    for asked, observed in zip(case["steps"], case["observed"], strict=True):
        state, result, message = step(state, asked)
        assert result == observed["result"], (case["title"], observed["step"])
        assert message == observed.get("message", "")
        if "object" in observed:
            assert state.typed.value == expected_object(case["id"], observed)
            owners = {name: encode_fields_v1(owned.fields) for name, owned in state.owners.items()}
            assert owners == observed["owners"]


def test_all_cases_are_told_here() -> None:
    told_below = {"A37", "A39", "F3"}
    assert {each["id"] for each in OBSERVED} | told_below == {
        each["id"] for each in CASES if each["kind"] in ("ssa", "update")
    }


def test_case_a37_managed_fields_in_an_intent_are_refused() -> None:
    case, cluster = BY_NUMBER["A37"], Cluster()
    cluster.create(case["before"], "x")
    refusal = cluster.apply(case["patch"], "ci")
    assert (refusal.code, refusal.reason) == (400, "BadRequest")
    assert refusal.message == "metadata.managedFields must be nil"
    assert cluster.apply(case["before"], "ci").code == 200
    assert cluster.update(case["patch"], "x").code == 200


def test_case_a39_the_eleventh_update_manager_folds_the_oldest() -> None:
    cluster = Cluster()
    cluster.apply(config_map({"applied": "v"}), "keeper")
    for number in range(11):
        cluster.merge({"data": {f"k{number}": "v"}}, f"m{number:02}")
    updaters = [each["manager"] for each in cluster.managed_fields if each["operation"] == "Update"]
    assert sorted(updaters) == ["ancient-changes", *(f"m{number:02}" for number in range(2, 11))]
    folded = next(each for each in cluster.managed_fields if each["manager"] == "ancient-changes")
    assert folded["fieldsV1"] == {"f:data": {"f:k0": {}, "f:k1": {}}}
    assert "keeper" in [each["manager"] for each in cluster.managed_fields]


def test_case_f3_a_stale_version_in_an_intent_is_no_conflict_of_owners() -> None:
    case, cluster = BY_NUMBER["F3"], Cluster()
    cluster.create(without_version(case["before"]), "x")
    unforced = cluster.apply(case["patch"], "ci")
    assert (unforced.code, [each[1] for each in unforced.causes]) == (409, [".data.a"])
    forced = cluster.apply(case["patch"], "ci", force=True)
    assert (forced.code, forced.reason, forced.causes) == (409, "Conflict", [])
    assert "the object has been modified" in forced.message


def without_version(obj: dict[str, Any]) -> dict[str, Any]:
    metadata = {name: value for name, value in obj["metadata"].items() if name != "resourceVersion"}
    return {**obj, "metadata": metadata}
