"""When rules are evaluated, what they see, and how their failures are told."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given

from engine.schema.rules import validate as rules
from engine.schema.rules.program import available
from engine.schema.rules.source import uses_old_self, with_optional_answers
from engine.schema.rules.values import escaped
from engine.schema.validation.cause import Cause, invalid, required
from tests.support.cluster import LAB, Cluster, definition_of, thing
from tests.support.strategies import schemas_with_values

pytestmark = pytest.mark.skipif(not available(), reason="CEL is not installed: install patchyard[cel]")

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}


def struct(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def ruled(schema: dict[str, Any], *told: Any) -> dict[str, Any]:
    """Return a schema with rules, each the text of one or a whole one."""
    every = [{"rule": each} if isinstance(each, str) else each for each in told]
    return {**schema, "x-kubernetes-validations": every}


def causes(value: Any, schema: Any, old: Any = None, wrong: tuple[Cause, ...] = ()) -> list[tuple[str, str]]:
    """Return field and message of what the rules refuse of `{a: value}`, where `{a: old}` was before."""
    live = None if old is None else {"a": old}
    before = copy.deepcopy((value, schema, old))
    found = rules.rule_causes({"a": value}, struct(a=schema), wrong, live)
    assert (value, schema, old) == before
    return [(each.field, each.message) for each in found]


def test_a_rule_that_holds_says_nothing_and_one_that_does_not_is_named() -> None:
    assert causes(2, ruled(NUMBER, "self > 1")) == []
    assert causes(1, ruled(NUMBER, "self > 1")) == [("a", "Invalid value: 1: failed rule: self > 1")]


def test_a_scalar_is_told_and_a_whole_list_or_map_is_not() -> None:
    assert causes("x", ruled(TEXT, "false"))[0][1] == 'Invalid value: "x": failed rule: false'
    assert causes({}, ruled(struct(), "false"))[0][1] == "Invalid value: failed rule: false"
    assert causes([], ruled({"type": "array", "items": TEXT}, "false"))[0][1] == "Invalid value: failed rule: false"


def test_every_rule_of_a_value_is_told_before_those_inside_it() -> None:
    inner = ruled(NUMBER, {"rule": "false", "message": "inner"})
    outer = [{"rule": "false", "message": word} for word in ("first", "second")]
    found = causes({"b": 1}, ruled(struct(b=inner), *outer))
    assert found == [
        ("a", "Invalid value: first"),
        ("a", "Invalid value: second"),
        ("a.b", "Invalid value: 1: inner"),
    ]


PLACES: list[tuple[str, Any, Any, str]] = [
    ("a member", struct(b=ruled(NUMBER, "false")), {"b": 1}, "a.b"),
    ("an item", {"type": "array", "items": ruled(NUMBER, "false")}, [1], "a[0]"),
    ("a value of a free map", {"type": "object", "additionalProperties": ruled(NUMBER, "false")}, {"k": 1}, "a[k]"),
    ("a member of an item", {"type": "array", "items": struct(b=ruled(NUMBER, "false"))}, [{}, {"b": 1}], "a[1].b"),
]


@pytest.mark.parametrize(("phrase", "schema", "value", "field"), PLACES, ids=[each[0] for each in PLACES])
def test_rules_stand_anywhere(phrase: str, schema: Any, value: Any, field: str) -> None:
    assert [each[0] for each in causes(value, schema)] == [field]


def test_null_is_not_looked_at() -> None:
    assert causes(None, ruled({**TEXT, "nullable": True}, "false")) == []


REASONS = [
    ("FieldValueInvalid", "Invalid value: 1: no"),
    ("FieldValueForbidden", "Forbidden: no"),
    ("FieldValueRequired", "Required value: no"),
    ("FieldValueDuplicate", "Duplicate value: 1"),
]


@pytest.mark.parametrize(("reason", "message"), REASONS)
def test_a_reason_words_the_refusal(reason: str, message: str) -> None:
    schema = struct(a=ruled(NUMBER, {"rule": "false", "message": " no ", "reason": reason}))
    (found,) = rules.rule_causes({"a": 1}, schema, ())
    assert (found.reason, found.message) == (reason, message)


FIELD_PATHS = [(".b", "a.b"), (".b.c", "a.b.c"), (".m['k.1']", "a.m[k.1]"), ("['b']", "a.b"), ("", "a")]


@pytest.mark.parametrize(("path", "field"), FIELD_PATHS)
def test_a_field_path_blames_another_field(path: str, field: str) -> None:
    schema = struct(b=struct(c=TEXT), m={"type": "object", "additionalProperties": TEXT})
    assert [each[0] for each in causes({}, ruled(schema, {"rule": "false", "fieldPath": path}))] == [field]


MESSAGES: list[tuple[str, str, str]] = [
    ("an expression is evaluated", "'at most ' + string(self)", "at most 1"),
    ("blanks around it go", "'  x  '", "x"),
    ("one that is empty gives way", "' '", "given"),
    ("one of several lines gives way", "'x\\ny'", "given"),
    ("one that is no text gives way", "self", "given"),
    ("one that fails gives way", "'x' + string(self / 0)", "given"),
    ("one that is no CEL gives way", "'x' +", "given"),
    ("one that is too long gives way", "'x'.replace('x', '" + "y" * 6000 + "')", "given"),
]


@pytest.mark.parametrize(("phrase", "expression", "told"), MESSAGES, ids=[each[0] for each in MESSAGES])
def test_a_message_expression(phrase: str, expression: str, told: str) -> None:
    rule = {"rule": "false", "message": "given", "messageExpression": expression}
    assert causes(1, ruled(NUMBER, rule)) == [("a", f"Invalid value: 1: {told}")]


def test_a_rule_that_fails_tells_why_and_names_itself() -> None:
    missing = ruled(struct(b=NUMBER), "self.b == 1")
    assert causes({}, missing) == [("a", 'Invalid value: "object": no such key: b evaluating rule: self.b == 1')]
    named = ruled(struct(b=NUMBER), {"rule": "self.b == 1", "message": "b is one"})
    assert causes({}, named) == [("a", 'Invalid value: "object": no such key: b evaluating rule: b is one')]


def test_an_int_or_string_of_the_wrong_kind_fails_with_the_operators() -> None:
    schema = ruled({"x-kubernetes-int-or-string": True}, "self < 3")
    told = (
        "Invalid value: \"\": 'no such overload': call arguments did not match a supported operator, "
        "function or macro signature for rule: self < 3"
    )
    assert causes("x", schema) == [("a", told)]


def test_a_rule_that_is_no_cel_is_told() -> None:
    ((field, message),) = causes(1, ruled(NUMBER, "self <"))
    assert field == "a"
    assert message.startswith('Invalid value: "integer": rule compile error: ')


def test_a_transition_rule_needs_a_value_before() -> None:
    schema = ruled(NUMBER, "self >= oldSelf")
    assert causes(1, schema) == []
    assert causes(2, schema, 1) == []
    assert causes(1, schema, 2) == [("a", "Invalid value: 1: failed rule: self >= oldSelf")]


def test_a_transition_rule_compares_items_by_keys_where_it_can() -> None:
    items = ruled(struct(id=NUMBER, v=NUMBER), "self.v >= oldSelf.v")
    plain: dict[str, Any] = {"type": "array", "items": items}
    keyed = {**plain, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"]}
    old, new = [{"id": 1, "v": 5}, {"id": 2, "v": 5}], [{"id": 2, "v": 6}, {"id": 1, "v": 4}, {"id": 3, "v": 0}]
    assert [each[0] for each in causes(new, keyed, old)] == ["a[1]"]
    assert causes(new, plain, old) == []


def test_optional_old_self_is_evaluated_always() -> None:
    schema = ruled(NUMBER, {"rule": "oldSelf.hasValue() && self > oldSelf.value()", "optionalOldSelf": True})
    assert [each[0] for each in causes(1, schema)] == ["a"]
    assert causes(2, schema, 1) == []
    assert [each[0] for each in causes(1, schema, 2)] == ["a"]


def test_optional_old_self_in_a_message_expression_is_not_optional() -> None:
    rule = {"rule": "!oldSelf.hasValue()", "optionalOldSelf": True, "messageExpression": "string(oldSelf.value())"}
    assert causes(2, ruled(NUMBER, rule), 1) == [("a", "Invalid value: 2: failed rule: !oldSelf.hasValue()")]


def test_an_unchanged_value_is_forgiven_and_what_it_holds() -> None:
    schema = ruled(struct(b=NUMBER, l={"type": "array", "items": ruled(NUMBER, "self < 3")}), "self.b < 3")
    assert causes({"b": 9, "l": [9]}, schema, {"b": 9, "l": [9]}) == []
    assert [each[0] for each in causes({"b": 8, "l": [9]}, schema, {"b": 9, "l": [9]})] == ["a"]
    assert [each[0] for each in causes({"b": 9, "l": [9, 1]}, schema, {"b": 9, "l": [9]})] == ["a", "a.l[0]"]


def test_a_transition_rule_forgives_nothing() -> None:
    assert causes(1, ruled(NUMBER, "self > oldSelf"), 1) == [("a", "Invalid value: 1: failed rule: self > oldSelf")]


def test_no_rule_is_evaluated_where_the_schema_is_broken() -> None:
    schema = ruled(NUMBER, "false")
    ((field, message),) = causes(1, schema, wrong=(required("a.b"),))
    assert field == "<nil>"
    assert message.startswith('Invalid value: "null": some validation rules were not checked')
    assert len(causes(1, schema, wrong=(invalid("a", 1, "too small"),))) == 1
    assert causes(1, schema, wrong=(invalid("a", 1, "too small"),))[0][0] == "a"
    assert causes(1, NUMBER, wrong=(required("a.b"),)) == []


SEEN: list[tuple[str, Any, Any, str]] = [
    ("a number that was written whole is a double", {"type": "number"}, 1, "type(self) == double"),
    ("an integer that was written with a point is an int", NUMBER, 1.0, "type(self) == int"),
    ("a date-time is a moment", {**TEXT, "format": "date-time"}, "2020-05-01T00:00:00Z", "self.getFullYear() == 2020"),
    ("a date is one, too", {**TEXT, "format": "date"}, "2020-05-01", "self < timestamp('2021-01-01T00:00:00Z')"),
    ("a duration is one", {**TEXT, "format": "duration"}, "90s", "self == duration('1m30s')"),
    ("bytes are bytes", {**TEXT, "format": "byte"}, "YWI=", "self == b'ab'"),
    ("also inside", struct(w={**TEXT, "format": "date-time"}, n=NUMBER, t=TEXT), {"w": "2020-05-01T00:00:00Z", "n": -1,
     "t": "a\"\\\n'é😀"}, "self.w.getFullYear() == 2020 && self.n == -1 && self.t == 'a\"\\\\\\n\\'é😀'"),
    ("a dash in a name", {**struct(**{"a-b": TEXT})}, {"a-b": "x"}, "self.a__dash__b == 'x' && self.`a-b` == 'x'"),
    ("a keyword", struct(namespace=TEXT), {"namespace": "x"}, "self.__namespace__ == 'x'"),
    ("keys of a free map are as they are", {"type": "object", "additionalProperties": TEXT}, {"a-b": "x"},
     "self.all(k, k == 'a-b')"),
    ("an embedded object's name", {"type": "object", "x-kubernetes-embedded-resource": True},
     {"kind": "K", "metadata": {"name": "n", "labels": {}}}, "self.metadata.name == 'n' && self.kind == 'K'"),
    ("absent is absent", struct(b=TEXT), {}, "!has(self.b)"),
    ("null that may be", struct(b={**TEXT, "nullable": True}), {"b": None}, "self.b == null"),
    ("comments and quotes", TEXT, "x", "self == 'x' // oldSelf"),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "schema", "value", "rule"), SEEN, ids=[each[0] for each in SEEN])
def test_sees(phrase: str, schema: Any, value: Any, rule: str) -> None:
    assert causes(value, ruled(schema, rule)) == []
    assert causes(value, ruled(schema, f"!(\n{rule}\n)")) != []


def test_moments_before_and_after_are_compared() -> None:
    schema = ruled({**TEXT, "format": "date-time"}, {"rule": "!oldSelf.hasValue() || self > oldSelf.value()",
                                                     "optionalOldSelf": True})  # fmt: skip
    later, earlier = "2020-05-01T00:00:00Z", "2020-04-01T00:00:00+02:00"
    assert causes(earlier, schema) == []
    assert causes(later, schema, earlier) == []
    assert len(causes(earlier, schema, later)) == 1


@pytest.mark.parametrize(
    ("rule", "does"),
    [
        ("self > oldSelf", True),
        ("oldSelf.hasValue()", True),
        ("self.oldSelf == 1", False),
        ("self == 'oldSelf'", False),
        ('self == "it\'s oldSelf"', False),
        ("self.`oldSelf` == 1", False),
        ("myoldSelf == 1", False),
        ("self == r'\\' && oldSelf == 1", True),
    ],
)
def test_a_transition_rule_is_told_by_its_words(rule: str, does: bool) -> None:
    assert uses_old_self(rule) is does


def test_answers_that_are_optional_are_made_so() -> None:
    assert with_optional_answers("f.validate(g('(', h())).x") == "f.validate(g('(', h()))[?0].x"
    assert with_optional_answers("'x.validate(y)'") == "'x.validate(y)'"
    assert with_optional_answers("format.named('a').value().validate(self)") == (
        "format.named('a')[?0].value().validate(self)[?0]"
    )


def test_names_are_escaped_as_kubernetes_does() -> None:
    found = [escaped(each) for each in ("plain", "a.b", "a/b", "a__b", "a_b", "in")]
    assert found == ["plain", "a__dot__b", "a__slash__b", "a__underscores__b", "a_b", "__in__"]


def test_the_server_refuses_what_a_rule_does() -> None:
    spec = ruled(struct(n=ruled(NUMBER, {"rule": "self >= oldSelf", "message": "n only grows"})), "has(self.n)")
    cluster = Cluster(LAB, [definition_of(spec)])
    refused = cluster.apply(thing({}), "m")
    assert (refused.code, refused.reason) == (422, "Invalid")
    assert refused.message == 'Thing.lab.example "conf" is invalid: spec: Invalid value: failed rule: has(self.n)'
    assert cluster.apply(thing({"n": 2}), "m").code == 201
    assert cluster.merge({"spec": {"n": 1}}, "m").causes == [
        ("FieldValueInvalid", "spec.n", "Invalid value: 1: n only grows")
    ]


def test_without_cel_the_server_warns_and_lets_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "available", lambda: False)
    answer = Cluster(LAB, [definition_of(ruled(struct(n=NUMBER), "false"))]).create(thing({}), "m")
    assert answer.code == 201
    (warning,) = answer.warnings
    assert "not evaluated" in warning
    assert "patchyard[cel]" in warning
    assert Cluster(LAB, [definition_of(struct(n=NUMBER))]).create(thing({}), "m").warnings == ()


@pytest.mark.parametrize(
    "wrong", [5, "x", {"rule": "false"}, [None], ["false"], [{}], [{"rule": 5}], [{"message": "m"}]]
)
def test_what_is_no_rule_says_nothing(wrong: Any) -> None:
    assert causes(1, {**NUMBER, "x-kubernetes-validations": wrong}) == []


@given(schemas_with_values(1))
def test_any_value_that_fits_can_be_seen(drawn: Any) -> None:
    schema, (value,) = drawn
    assert causes(value, ruled(schema, "self == self")) == []
