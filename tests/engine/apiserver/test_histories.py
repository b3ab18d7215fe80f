"""What holds after every write, whatever the schema and whatever was written before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings

from engine.fieldpath.element import render_path
from engine.fieldpath.field_set import FieldSet
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.managedfields.entries import decode_entries, encode_entries
from engine.ownership.blame import blame
from engine.schema.elements import TypeRef
from engine.schema.validation.structural import validate_custom
from engine.typed.locate import value_at
from engine.typed.to_field_set import to_field_set
from engine.typed.typed_value import TypedValue
from engine.typed.validate import Duplicates, validate
from engine.value.equality import equal
from engine.value.model import MISSING
from tests.support.cluster import LAB, Answer, Cluster, definition_of, thing, version_of
from tests.support.strategies import History, Write, histories

HISTORIES = settings(max_examples=60, deadline=None)


class Told:
    """A history that is being written: after each write, the object before it, the answer, and the object."""

    def __init__(self, history: History) -> None:
        self.cluster = Cluster(LAB, [definition_of(history.schema)])
        self.history = history
        info = self.cluster.server.catalog.kind(LAB)
        assert info is not None
        assert info.custom is not None
        self.type: TypeRef = info.type
        self.schema = info.custom.schema

    def __iter__(self) -> Iterator[tuple[Write, Any, Answer, Any]]:
        for write in self.history.writes:
            before = self.cluster.stored
            yield write, before, self.write(write), self.cluster.stored

    def write(self, write: Write) -> Answer:
        body = thing(write.spec)
        if write.verb in ("apply", "force"):
            return self.cluster.apply(body, write.manager, force=write.verb == "force")
        if self.cluster.stored is None:
            return self.cluster.create(body, write.manager)
        if write.verb == "merge":
            return self.cluster.merge({"spec": write.spec}, write.manager)
        version = self.cluster.stored["metadata"]["resourceVersion"]
        return self.cluster.update(thing(write.spec, resourceVersion=version), write.manager)

    def fields(self, obj: Any) -> FieldSet:
        return to_field_set(TypedValue(obj, self.type))


def owners(obj: Any) -> dict[tuple[str, str], FieldSet]:
    entries = obj["metadata"].get("managedFields", []) if obj else []
    return {(each["manager"], each["operation"]): decode_fields_v1(each["fieldsV1"]) for each in entries}


def granted(answer: Answer) -> bool:
    return answer.code in (200, 201)


@HISTORIES
@given(histories())
def test_a_write_is_granted_or_is_a_conflict_of_owners(history: History) -> None:
    for write, _, answer, _ in Told(history):
        assert granted(answer) or (write.verb == "apply" and answer.code == 409), answer.body
        if not granted(answer):
            assert {reason for reason, _, _ in answer.causes} == {"FieldManagerConflict"}


@HISTORIES
@given(histories())
def test_the_version_grows_with_each_real_write_and_with_no_other(history: History) -> None:
    for _, before, answer, after in Told(history):
        if not granted(answer) or (before is not None and unversioned(before) == unversioned(after)):
            assert before == after
        elif before is not None:
            assert version_of(answer) > int(before["metadata"]["resourceVersion"])


def unversioned(obj: Any) -> Any:
    return {**obj, "metadata": {k: v for k, v in obj["metadata"].items() if k != "resourceVersion"}}


@HISTORIES
@given(histories())
def test_applying_an_intent_twice_changes_nothing(history: History) -> None:
    told = Told(history)
    for write, before, answer, after in told:
        # If nobody owns anything, the next apply is a first one, and books what is there.
        if write.verb not in ("apply", "force") or not granted(answer) or not owners(after):
            continue
        if takes_two(write, before, after):
            assert told.write(write).code == 200
            after = told.cluster.stored
        assert told.write(write).code == 200
        assert told.cluster.stored == after


def takes_two(write: Write, before: Any, after: Any) -> bool:
    """Return True if an apply may come to rest the second time only, as in the reference.

    An empty list is no field that anybody could own, and keeps nothing that holds it. An apply that leaves empty lists
    only takes them and what holds them along; the next one puts back what its intent or an updater has of that.
    """
    everyone = [*(owners(before) if before is not None else ()), *owners(after)]
    updated = any(operation == "Update" for _, operation in everyone)
    return updated or holds_empty_list(write.spec) or holds_empty_list(before)


def holds_empty_list(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(holds_empty_list, value.values()))
    return isinstance(value, list) and (not value or any(map(holds_empty_list, value)))


@HISTORIES
@given(histories())
def test_a_result_fits_its_schema(history: History) -> None:
    told = Told(history)
    for _, _, answer, after in told:
        if granted(answer):
            validate(TypedValue(after, told.type), Duplicates.REFUSED)
            assert validate_custom(after, told.schema) == ()


@HISTORIES
@given(histories())
def test_managers_stand_in_order_and_read_back(history: History) -> None:
    for _, _, answer, after in Told(history):
        if granted(answer):
            entries = after["metadata"].get("managedFields", [])
            keys = [(e["operation"], e.get("time", ""), e["manager"], e["apiVersion"]) for e in entries]
            assert keys == sorted(keys)
            assert len({(e["manager"], e["operation"]) for e in entries}) == len(entries)
            assert encode_entries(decode_entries(entries)) == entries
            for each in entries:
                assert encode_fields_v1(decode_fields_v1(each["fieldsV1"])) == each["fieldsV1"]
                assert each["fieldsV1"]


@HISTORIES
@given(histories())
def test_without_force_nobody_loses_a_field_that_still_exists(history: History) -> None:
    told = Told(history)
    for write, before, answer, after in told:
        if write.verb != "apply" or not granted(answer) or before is None:
            continue
        now = owners(after)
        for owner, fields in owners(before).items():
            if owner == (write.manager, "Apply"):
                continue
            lost = fields.difference(now.get(owner, FieldSet()))
            assert not lost.intersection(told.fields(after)), "lost a field that is still there"
            for path in fields.difference(lost).leaves():
                if not isinstance(at(before, told, path), (dict, list)):
                    assert equal(at(before, told, path), at(after, told, path)), render_path(path)


def at(obj: Any, told: Told, path: tuple[str, ...]) -> Any:
    found = value_at(obj, told.type, path)
    return "nothing" if found is MISSING else found


@HISTORIES
@given(histories())
def test_after_a_forced_apply_those_who_disagreed_own_the_contested_fields_no_more(history: History) -> None:
    told = Told(history)
    for write, before, answer, _ in told:
        if write.verb != "apply" or granted(answer):
            continue
        contested = [(manager_in(message), field) for _, field, message in answer.causes]
        forced = told.write(Write("force", write.manager, write.spec))
        assert forced.code == 200
        now = owners(told.cluster.stored)
        for manager, field in contested:
            assert any(name == manager for name, _ in owners(before))
            for (name, operation), fields in now.items():
                if name == manager and (name, operation) != (write.manager, "Apply"):
                    assert field not in [render_path(path) for path in fields]


def manager_in(message: str) -> str:
    return message.split('"')[1]


@HISTORIES
@given(histories())
def test_whoever_applies_owns_all_of_the_intent_and_nothing_else(history: History) -> None:
    told = Told(history)
    for write, _, answer, after in told:
        if write.verb in ("apply", "force") and granted(answer):
            intent = told.fields(thing(write.spec)).below(("f:spec",))
            mine = owners(after).get((write.manager, "Apply"), FieldSet())
            assert mine.below(("f:spec",)) == intent


@HISTORIES
@given(histories())
def test_blame_agrees_with_managed_fields(history: History) -> None:
    told = Told(history)
    for _, _, answer, after in told:
        if not granted(answer):
            continue
        found = blame(after, told.type)
        names = [(each.manager, each.operation) for each in found.owners]
        owning = owners(after)
        assert set(names) == set(owning)
        by_path = {line.path: {names[index] for index in line.owners} for line in found.lines}
        claimed = {
            owner: {place for path in fields if (place := concrete(after, told.type, path)) is not None}
            for owner, fields in owning.items()
        }
        for owner, places in claimed.items():
            for place in places & by_path.keys():
                assert owner in by_path[place], (owner, place)
        for place, shown in by_path.items():
            for owner in shown:
                assert any(place[: len(each)] == each for each in claimed[owner]), (owner, place)


def concrete(obj: Any, of: TypeRef, path: tuple[str, ...]) -> tuple[str | int, ...] | None:
    """Return a field path in plain steps, or None if the object has no such field."""
    steps: list[str | int] = []
    for length in range(1, len(path) + 1):
        inside = value_at(obj, of, path[: length - 1])
        here = value_at(obj, of, path[:length])
        if here is MISSING:
            return None
        if isinstance(inside, list):
            steps.append(next(index for index, item in enumerate(inside) if item is here or equal(item, here)))
        else:
            steps.append(path[length - 1][2:])
    return tuple(steps)
