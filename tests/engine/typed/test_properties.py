"""What holds for every schema and every value that fits it."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings

from engine.fieldpath.field_set import FieldSet, field_set
from engine.schema.elements import TypeRef
from engine.typed.compare import compare
from engine.typed.locate import value_at
from engine.typed.merge import merge
from engine.typed.reconcile import reconcile
from engine.typed.remove import remove_items
from engine.typed.to_field_set import to_field_set
from engine.typed.typed_value import TypedValue
from engine.typed.validate import validate
from engine.value.equality import equal
from engine.value.model import MISSING
from tests.support.scenario import schema_type
from tests.support.strategies import Schema, schemas_with_values

Drawn = tuple[Schema, list[Any]]


def typed(drawn: Drawn) -> tuple[TypedValue, ...]:
    of: TypeRef = schema_type(drawn[0])
    return tuple(TypedValue(value, of) for value in drawn[1])


@given(schemas_with_values(1))
def test_what_fits_a_schema_is_valid(drawn: Drawn) -> None:
    for each in typed(drawn):
        validate(each)


@given(schemas_with_values(2))
def test_nothing_changes_its_inputs(drawn: Drawn) -> None:
    before = copy.deepcopy(drawn)
    live, config = typed(drawn)
    fields = to_field_set(live)
    kept = copy.deepcopy(list(fields))
    merge(live, config)
    compare(live, config)
    remove_items(live, to_field_set(config))
    reconcile(fields, live.type)
    assert drawn == before
    assert list(fields) == kept


@given(schemas_with_values(2))
def test_merging_an_intent_twice_is_merging_it_once(drawn: Drawn) -> None:
    live, config = typed(drawn)
    once = merge(live, config)
    assert equal(merge(once, config).value, once.value)


@given(schemas_with_values(2))
def test_what_was_merged_fits_and_holds_the_intent(drawn: Drawn) -> None:
    live, config = typed(drawn)
    merged = merge(live, config)
    validate(merged)
    comparison = compare(config, merged)
    assert not comparison.modified.intersection(to_field_set(config).leaves())
    assert not comparison.removed


@given(schemas_with_values(1))
def test_merging_a_value_over_itself_or_nothing_gives_it_back(drawn: Drawn) -> None:
    (value,) = typed(drawn)
    assert equal(merge(value, value).value, value.value) or not value.value
    assert equal(merge(TypedValue(None, value.type), value).value, value.value) or not value.value


@given(schemas_with_values(2))
def test_comparing_backwards_swaps_added_and_removed(drawn: Drawn) -> None:
    a, b = typed(drawn)
    there, back = compare(a, b), compare(b, a)
    assert there.added == back.removed
    assert there.removed == back.added
    assert there.modified == back.modified
    assert not compare(a, a)


@given(schemas_with_values(2))
def test_a_comparison_tells_what_is_in_each(drawn: Drawn) -> None:
    a, b = typed(drawn)
    comparison = compare(a, b)
    for path in comparison.added:
        assert value_at(b.value, b.type, path) is not MISSING
    for path in comparison.removed:
        assert value_at(a.value, a.type, path) is not MISSING
    for path in comparison.modified:
        assert not equal(found(a, path), found(b, path))


def found(value: TypedValue, path: tuple[str, ...]) -> Any:
    at = value_at(value.value, value.type, path)
    assert at is not MISSING
    return at


@given(schemas_with_values(1))
def test_every_field_of_a_value_is_found_in_it(drawn: Drawn) -> None:
    (value,) = typed(drawn)
    for path in to_field_set(value):
        assert value_at(value.value, value.type, path) is not MISSING


@given(schemas_with_values(2))
def test_what_is_removed_is_gone_and_what_is_not_stays(drawn: Drawn) -> None:
    value, other = typed(drawn)
    everything = to_field_set(value)
    fields = everything.intersection(to_field_set(other))
    rest = remove_items(value, fields)
    left = to_field_set(rest)
    assert not left.intersection(fields.leaves()) or holds_emptied(left.intersection(fields.leaves()), rest)
    assert everything.recursive_difference(fields).difference(left) == FieldSet()


def holds_emptied(fields: FieldSet, value: TypedValue) -> bool:
    """True if each of the fields is an empty or null one now: what becomes of a list or map that lost all it had."""
    return all(not value_at(value.value, value.type, path) for path in fields)


@given(schemas_with_values(1))
def test_removing_everything_leaves_nothing(drawn: Drawn) -> None:
    (value,) = typed(drawn)
    assert isinstance(value.value, dict)
    tops = field_set((f"f:{name}",) for name in value.value)
    assert not remove_items(value, tops).value


@settings(max_examples=50)
@given(schemas_with_values(1))
def test_ownership_under_an_unchanged_schema_needs_no_reconciling(drawn: Drawn) -> None:
    (value,) = typed(drawn)
    fields = to_field_set(value)
    assert reconcile(fields, value.type) is fields
