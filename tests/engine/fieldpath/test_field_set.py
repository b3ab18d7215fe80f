from __future__ import annotations

from hypothesis import given

from engine.fieldpath.element import Path
from engine.fieldpath.field_set import EMPTY, FieldSet, field_set
from tests.support.scenario import schema_type
from tests.support.strategies import path_lists


def paths_of(fields: FieldSet) -> set[Path]:
    return set(fields)


def goes_on_from(path: Path, others: set[Path]) -> bool:
    return any(path[:length] in others for length in range(1, len(path)))


@given(path_lists)
def test_a_set_holds_its_paths_and_no_others(given: list[Path]) -> None:
    fields = field_set(given)
    assert paths_of(fields) == set(given)
    assert len(fields) == len(set(given))
    assert bool(fields) is bool(given)
    assert all(path in fields for path in given)
    assert ("f:nowhere",) not in fields
    assert () not in fields


@given(path_lists)
def test_a_path_comes_before_those_that_go_on_from_it(given: list[Path]) -> None:
    order = list(field_set(given))
    assert len(order) == len(set(order))
    for index, path in enumerate(order):
        assert not any(path[: len(earlier)] == earlier and len(path) < len(earlier) for earlier in order[:index])
        assert not any(later == path[: len(later)] for later in order[index + 1 :])


@given(path_lists, path_lists)
def test_the_operations_are_those_of_sets_of_paths(left: list[Path], right: list[Path]) -> None:
    a, b = field_set(left), field_set(right)
    assert paths_of(a.union(b)) == set(left) | set(right)
    assert paths_of(a.intersection(b)) == set(left) & set(right)
    assert paths_of(a.difference(b)) == set(left) - set(right)
    rest = {path for path in set(left) - set(right) if not goes_on_from(path, set(right))}
    assert paths_of(a.recursive_difference(b)) == rest
    assert paths_of(a.leaves()) == {
        path for path in left if not any(other[: len(path)] == path and other != path for other in left)
    }
    assert (a, b) == (field_set(left), field_set(right))


@given(path_lists, path_lists, path_lists)
def test_the_laws_of_sets_hold(one: list[Path], two: list[Path], three: list[Path]) -> None:
    a, b, c = map(field_set, (one, two, three))
    assert a.union(b) == b.union(a)
    assert a.union(b).union(c) == a.union(b.union(c))
    assert a.intersection(b.union(c)) == a.intersection(b).union(a.intersection(c))
    assert a.difference(b).union(a.intersection(b)) == a
    assert a.difference(b.union(c)) == a.difference(b).difference(c)
    assert a.union(EMPTY) == a
    assert a.difference(a) == EMPTY
    assert a.intersection(a) == a


@given(path_lists)
def test_no_child_is_ever_empty(given: list[Path]) -> None:
    def all_full(fields: FieldSet) -> bool:
        return all(child and all_full(child) for child in fields.children.values())

    fields = field_set(given)
    half = field_set(given[::2])
    for each in (fields, fields.difference(half), fields.intersection(half), fields.recursive_difference(half)):
        assert all_full(each)


@given(path_lists)
def test_below_is_what_goes_on(given: list[Path]) -> None:
    fields = field_set(given)
    for path in given:
        below = {other[len(path) :] for other in given if other[: len(path)] == path and other != path}
        assert paths_of(fields.below(path)) == below
    assert fields.below(("f:nowhere", "f:at all")) == EMPTY


def test_a_set_is_equal_to_nothing_else() -> None:
    assert field_set([("f:a",)]) != {("f:a",)}
    assert field_set([("f:a",)]) != field_set([("f:a", "f:b")])
    assert "f:a" in repr(field_set([("f:a",)]))


def test_declared_fields_that_a_path_goes_through_are_named() -> None:
    words = {"type": "object", "additionalProperties": {"type": "string"}}
    inner = {"type": "object", "properties": {"words": words}}
    items = {"type": "object", "properties": {"id": {"type": "string"}, "inner": inner}}
    schema = {
        "type": "object",
        "properties": {
            "list": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["id"],
                "items": items,
            },
            "words": words,
        },
    }
    item = 'k:{"id":"x"}'
    given = [("f:list", item, "f:inner", "f:words", "f:w"), ("f:words", "f:w"), ("f:unknown", "f:w")]
    named = field_set(given).with_named_fields(schema_type(schema))
    passed = [
        ("f:list",),
        ("f:list", item, "f:inner"),
        ("f:list", item, "f:inner", "f:words"),
        ("f:words",),
    ]
    assert paths_of(named) == {*given, *passed}
