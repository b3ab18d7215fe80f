from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation import Write, WriteKind, evaluate
from engine.generate import json_patch as json_patches
from engine.generate.exact import exact_size, first_difference, identical, read_exactly, render_exactly
from engine.generate.generate import generate, reverse
from engine.generate.model import Format, Generated, Impossible, Order
from engine.json_patch.options import Fewest, Options
from engine.jsonmergepatch.apply import Dialect, apply_merge_patch
from engine.replay import replay
from engine.schema.catalog import builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.value.model import Value
from tests.engine.value.strategies import small_values, values

POD = next(info.type for gvk, info in builtin_catalog().kinds.items() if (gvk.group, gvk.kind) == ("", "Pod"))


def pod(*containers: Any, **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": {"containers": list(containers), **spec},
    }


def config_map(data: Any, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", **metadata}, "data": data}


def made(before: Any, after: Any, wanted: Format, **options: Any) -> Generated:
    answer = generate(Order(before, after, wanted, **options))
    assert isinstance(answer, Generated), answer
    return answer


def refused(before: Any, after: Any, wanted: Format, **options: Any) -> Impossible:
    answer = generate(Order(before, after, wanted, **options))
    assert isinstance(answer, Impossible), answer
    return answer


@given(values, values, st.sampled_from(list(Fewest)))
def test_every_change_is_a_json_patch(before: Any, after: Any, fewest: Fewest) -> None:
    answer = made(before, after, Format.JSON_PATCH, options=Options(fewest=fewest))
    patch: Any = answer.patch
    assert identical(jsonpatch.apply_patch(*json.loads(json.dumps([before, patch]))), after)
    assert answer.operations == len(patch)
    assert answer.size == len(json.dumps(patch, separators=(",", ":"), ensure_ascii=False).encode())
    assert "jsonpatch" in answer.proved_by


@given(small_values, small_values)
def test_a_merge_patch_is_right_or_names_the_place_that_it_cannot_say(before: Any, after: Any) -> None:
    untouched = copy.deepcopy((before, after))
    answer = generate(Order(before, after, Format.MERGE_PATCH))
    if isinstance(answer, Generated):
        assert identical(apply_merge_patch(before, answer.patch, Dialect.STRICT), after)
    else:
        assert answer.path is not None
        assert "null" in answer.reason
    assert (before, after) == untouched


def test_a_merge_patch_is_the_smallest() -> None:
    before, after = config_map({"a": "1", "b": "2"}), config_map({"a": "1", "c": "3"}, labels={"x": "y"})
    answer = made(before, after, Format.MERGE_PATCH)
    assert answer.patch == {"data": {"b": None, "c": "3"}, "metadata": {"labels": {"x": "y"}}}
    assert (answer.operations, answer.size) == (3, exact_size(answer.patch))


def test_a_merge_patch_cannot_put_null_and_kubernetes_not_even_inside_a_list() -> None:
    assert refused({"a": 1}, {"a": None}, Format.MERGE_PATCH).path == ("a",)
    after = {"l": [{"a": None}]}
    assert made({"l": []}, after, Format.MERGE_PATCH).patch == after
    answer = refused(config_map({}, l=[]), config_map({}, l=[{"a": None}]), Format.MERGE_PATCH)
    assert answer.path == ("metadata", "l", 0, "a")
    assert "inside lists, too" in answer.reason


def test_a_strategic_patch_merges_by_key_and_orders() -> None:
    before = pod({"name": "a", "image": "a:1"}, {"name": "b", "image": "b:1"})
    after = pod({"name": "b", "image": "b:2"}, {"name": "a", "image": "a:1"})
    answer = made(before, after, Format.STRATEGIC)
    spec: Any = answer.patch
    assert spec["spec"]["containers"] == [{"image": "b:2", "name": "b"}]
    assert spec["spec"]["$setElementOrder/containers"] == [{"name": "b"}, {"name": "a"}]
    assert identical(apply_strategic_merge_patch(before, answer.patch, POD), after)
    assert answer.notes == ()


def test_where_merging_cannot_say_it_a_list_is_replaced_whole() -> None:
    twins = [{"name": "X", "value": "1"}, {"name": "X", "value": "2"}]
    answer = made(pod({"name": "a", "env": twins}), pod({"name": "a", "env": twins[::-1]}), Format.STRATEGIC)
    assert answer.notes == (".spec.containers is replaced whole: merging would not give it.",)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": 1}, {"a": 2}, "the first document is a map without apiVersion and kind"),
        (config_map({}), [1], "the second document is a list"),
        (config_map({}), {**config_map({}), "kind": "Secret"}, 'cannot change kind, here from "ConfigMap" to "Secret"'),
        (config_map({}), config_map({}, name="d"), 'cannot change metadata.name, here from "c" to "d"'),
        (
            {**config_map({}), "apiVersion": "x.io/v1", "kind": "Thing"},
            {**config_map({"a": "1"}), "apiVersion": "x.io/v1", "kind": "Thing"},
            "is of no built-in kind",
        ),
    ],
)
def test_what_no_strategic_patch_can_say(before: Any, after: Any, said: str) -> None:
    assert said in refused(before, after, Format.STRATEGIC).reason


CRD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "group": "x.io",
        "names": {"kind": "Thing", "plural": "things"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                "type": "object",
                                "properties": {
                                    "parts": {
                                        "type": "array",
                                        "x-kubernetes-list-type": "map",
                                        "x-kubernetes-list-map-keys": ["name"],
                                        "items": {
                                            "type": "object",
                                            "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
                                        },
                                    }
                                },
                            }
                        },
                    }
                },
            }
        ],
    },
}


def thing(*parts: Any) -> dict[str, Any]:
    return {"apiVersion": "x.io/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {"parts": list(parts)}}


def test_a_custom_resource_is_applied_by_its_definition_and_not_patched_strategically() -> None:
    catalog = builtin_catalog().with_kinds(kinds_of_definition(CRD))
    before, after = thing({"name": "a", "size": 1}), thing({"name": "a", "size": 2})
    assert "415" in refused(before, after, Format.STRATEGIC, catalog=catalog).reason
    intent: Any = made(before, after, Format.APPLY, catalog=catalog).patch
    assert intent["spec"] == {"parts": [{"name": "a", "size": 2}]}
    unknown = made(before, after, Format.APPLY)
    assert any("Nothing is known of this kind" in note for note in unknown.notes)


def applied(live: Any, intent: Any, manager: str, *, force: bool = False) -> Any:
    write = Write(WriteKind.APPLY, live, intent, manager=manager, force=force)
    return evaluate(write, now=datetime(2030, 1, 1, tzinfo=UTC), new_uid=lambda: "0").after


def test_an_intent_holds_what_the_manager_keeps_and_what_changes() -> None:
    live = applied(None, config_map({"a": "1", "b": "2"}), "ci")
    live = applied(live, config_map({"c": "3"}), "other")
    wanted = copy.deepcopy(live)
    wanted["data"] = {"a": "1", "c": "3", "d": "4"}
    answer = made(live, wanted, Format.APPLY, manager="ci")
    intent: Any = answer.patch
    assert intent["data"] == {"a": "1", "d": "4"}
    assert answer.notes == ()
    after = applied(live, answer.patch, "ci")
    assert after["data"] == wanted["data"]


def test_an_intent_cannot_remove_what_others_own() -> None:
    live = applied(None, config_map({"a": "1", "b": "2"}), "other")
    wanted = copy.deepcopy(live)
    del wanted["data"]["b"]
    assert "it belongs to other" in refused(live, wanted, Format.APPLY, manager="ci").reason
    intent: Any = made(live, wanted, Format.APPLY, manager="other").patch
    assert intent["data"] == {"a": "1"}
    bare = refused(config_map({"a": "1"}), config_map({}), Format.APPLY)
    assert "has no managedFields" in bare.reason


def test_an_intent_says_whom_it_takes_fields_from() -> None:
    live = applied(None, config_map({"a": "1"}), "other")
    wanted = {**live, "data": {"a": "2"}}
    answer = made(live, wanted, Format.APPLY, manager="ci")
    assert answer.notes == ("It needs --force-conflicts, and takes from their owners: .data.a (other).",)


def test_an_apply_needs_a_manager() -> None:
    assert "name of a manager" in refused(config_map({}), config_map({"a": "1"}), Format.APPLY, manager="").reason


@given(small_values, small_values, st.sampled_from(list(Format)))
def test_nothing_that_can_be_typed_raises(before: Any, after: Any, wanted: Format) -> None:
    frame = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    answer = generate(Order({**frame, "data": before}, {**frame, "data": after}, wanted))
    assert isinstance(answer, Generated) or answer.reason.endswith(".")
    generate(Order({**frame, "metadata": before}, {**frame, "metadata": after}, wanted))


labels = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["1", "2"]), max_size=3)
containers = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["a", "b", "c"])},
        optional={
            "image": st.sampled_from(["i:1", "i:2"]),
            "args": st.lists(st.sampled_from(["x", "y"]), max_size=2),
            "env": st.lists(
                st.fixed_dictionaries({"name": st.sampled_from("XYZ"), "value": st.sampled_from("12")}),
                max_size=3,
                unique_by=lambda each: each["name"],
            ),
        },
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda each: each["name"],
)
tolerations = st.lists(st.fixed_dictionaries({"key": st.sampled_from("kl")}), max_size=2)
pods = st.builds(
    lambda these, those, marks, ends: {
        **pod(*these, tolerations=those),
        "metadata": {"name": "p", "labels": marks, "finalizers": ends},
    },
    containers,
    tolerations,
    labels,
    st.lists(st.sampled_from(["f/a", "f/b", "f/c"]), max_size=3, unique=True),
)


@given(pods, pods)
def test_strategic_patches_between_pods_are_proven(before: Any, after: Any) -> None:
    answer = made(before, after, Format.STRATEGIC)
    assert isinstance(answer.patch, dict)
    assert identical(apply_strategic_merge_patch(before, answer.patch, POD), after)


datas = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["1", "2"]), max_size=4)


@given(datas, datas, datas)
def test_an_intent_makes_the_wanted_object_or_names_whose_field_stays(mine: Any, theirs: Any, wanted: Any) -> None:
    live = applied(applied(None, config_map(mine), "ci"), config_map(theirs), "other", force=True)
    answer = generate(Order(live, {**live, "data": wanted}, Format.APPLY, manager="ci"))
    if isinstance(answer, Generated):
        after = applied(live, answer.patch, "ci", force=True)
        assert after.get("data", {}) == wanted
    else:
        assert "it belongs to other" in answer.reason
        assert any(name not in wanted for name in theirs)


def test_the_way_back_is_a_patch_of_its_own() -> None:
    order = Order({"a": 1}, {"a": 2}, Format.JSON_PATCH)
    assert reverse(order) == generate(replace(order, before=order.after, after=order.before))


def test_nothing_counts_as_proved_that_the_other_implementation_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_patches, "diff", lambda *_: [{"op": "remove", "path": "/z"}])
    assert isinstance(generate(Order({"a": 1}, {"a": 2})), Impossible)
    monkeypatch.setattr(json_patches, "diff", lambda *_: [{"op": "replace", "path": "/a", "value": 2.0}])
    assert isinstance(generate(Order({"a": 1}, {"a": 2})), Impossible)


def test_kubernetes_objects_get_patches_that_the_api_server_can_take() -> None:
    answer = made(config_map({}), {**config_map({}), "data": {"x": "y" * 9}}, Format.JSON_PATCH)
    assert answer.notes == ()
    short = Options(fewest=Fewest.BYTES)
    whole: Any = made(config_map({"a": "1"}), config_map({"b": "2"}), Format.JSON_PATCH, options=short).patch
    assert all(each["path"] for each in whole)
    bare: Any = made({"a": {"b": 1}}, {"c": [2]}, Format.JSON_PATCH, options=short)
    assert any("Kubernetes would refuse it" in note for note in bare.notes) == (bare.patch[0]["path"] == "")


def test_json_is_read_and_written_to_the_letter() -> None:
    text = '{"a": 1.0, "b": 12345678901234567890123, "c": 1, "d": true, "e": 1e2}'
    document = read_exactly(text)
    assert render_exactly(document.value) == '{"a":1.0,"b":12345678901234567890123,"c":1,"d":true,"e":100.0}'
    assert read_exactly("a: 1.0").value == {"a": 1}
    assert read_exactly("12345678901234567890123").value == 12345678901234567890123


@given(values, values)
def test_the_first_difference_is_one(a: Any, b: Any) -> None:
    path = first_difference(a, b)
    if identical(a, b):
        assert path is None
        return
    assert path is not None
    inside: list[Value] = []
    for side in (a, b):
        for step in path[:-1]:
            side = side[step]
        inside.append(side)
    assert not identical(inside[0], inside[1])


def test_replay_answers_generate_lines() -> None:
    def ask(**order: Any) -> Any:
        [answer] = replay([json.dumps({"id": 1, "generate": order})])
        return answer["got"]

    assert ask(before={"a": 1}, after={"a": 1.0}, format="json-patch", fewest="operations") == {
        "patch": [{"op": "replace", "path": "/a", "value": 1.0}]
    }
    assert ask(before=1, after=2, format="json-patch", fewest="bytes") == {
        "patch": [{"op": "add", "path": "", "value": 2}]
    }
    assert list(ask(before={"a": 1}, after={"a": None}, format="merge-patch")) == ["impossible"]
    assert ask(before=config_map({}), after=config_map({"a": "1"}), format="strategic") == {
        "patch": {"data": {"a": "1"}}
    }
    assert ask(before=config_map({}), after=config_map({"a": "1"}), format="apply")["patch"] == config_map({"a": "1"})
