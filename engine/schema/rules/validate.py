"""What a custom resource's rules refuse.

Rules:
- A rule looks at the value that it stands with, and never at null. The rules of a value come before those inside it.
- A rule that speaks of oldSelf is left out where there was no comparable value before, unless it says
  optionalOldSelf. Members compare by name, items of map lists by keys, other items with nothing.
- A failure of a rule without oldSelf is forgiven where the value, or what holds it, is as it was.
- Where the schema is broken in a way that a rule may trip over, no rule is evaluated, and one cause says so.
- A messageExpression that comes to no text on one line gives way to the message.

CEL has a budget of iterations and none of cost: a rule may keep the process busy, and fill it, as long as it likes.
Whoever evaluates the rules of strangers has SETTING hold a judge that bounds them.

Source: apiextensions' CEL validation, Kubernetes 1.36. Deviations: no budget of cost, a forgiven failure is not warned
of, and rules are not checked against the schema's types before they run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.schema.rules.function import NO_OVERLOAD
from engine.schema.rules.program import RuleFailed, RuleNotCompiled, available, evaluate
from engine.schema.rules.source import bound, holds_typed, literal, uses_old_self, with_optional_answers
from engine.schema.rules.values import object_value, rule_value
from engine.schema.structural import members
from engine.schema.validation.cause import Cause, forbidden, invalid, required, spell
from engine.schema.validation.structural import OldMembers
from engine.value.equality import equal
from engine.value.model import MISSING, Missing, Object, Value

_RULES = "x-kubernetes-validations"
_BLOCKING = frozenset(
    {
        "FieldValueNotSupported",
        "FieldValueRequired",
        "FieldValueTooLong",
        "FieldValueTooMany",
        "FieldValueTypeInvalid",
    }
)
_BLOCKED = Cause(
    "FieldValueInvalid",
    "<nil>",
    'Invalid value: "null": some validation rules were not checked because the object was invalid; '
    "correct the existing errors to complete validation",
)
_NOT_EVALUATED = (
    "x-kubernetes-validations: the rules of this kind were not evaluated, because CEL is not installed; "
    "install patchyard[cel]"
)
_NO_BUDGET = "validation failed due to running out of cost budget, no further validation rules will be run"
_LONGEST_MESSAGE = 5120
_STEP = re.compile(r"\.([^.\[\]]+)|\['((?:[^'\\]|\\.)*)'\]")


def rule_causes(obj: Object, schema: Object, causes: Iterable[Cause], live: Object | None = None) -> tuple[Cause, ...]:
    """Return what the rules of `schema` refuse of a custom resource that replaces `live`; nothing without CEL.

    causes are what is wrong with it otherwise: some of them keep the rules from being evaluated.
    """
    if not has_rules(schema) or not available():
        return ()
    if any(cause.reason in _BLOCKING for cause in causes):
        return (_BLOCKED,)
    return SETTING.judge(obj, schema, live)


def judged(obj: Object, schema: Object, live: Object | None) -> tuple[Cause, ...]:
    """Return what the rules refuse of an object that nothing else keeps them from looking at, here and unbounded."""
    old = MISSING if live is None else live
    root = _Place(obj, old, schema, "", live is not None and equal(obj, live), object_value)
    return tuple(_failures(root))


Judge = Callable[[Object, Object, Object | None], tuple[Cause, ...]]
"""Does what `judged` does."""


@dataclass(slots=True)
class Setting:
    """What this process evaluates rules with."""

    judge: Judge = judged


SETTING = Setting()


def out_of_budget(schema: Object, bound: str) -> tuple[Cause, ...]:
    """Return what is told of an object whose rules came to no end within a budget; `bound` names it."""
    return (invalid("<nil>", schema.get("type", ""), f"{_NO_BUDGET} ({bound})"),)


def rule_warnings(schema: Object) -> tuple[str, ...]:
    """Return what a person must know of the rules of a kind: that they were not evaluated, where they were not."""
    return (_NOT_EVALUATED,) if has_rules(schema) and not available() else ()


def has_rules(schema: Object) -> bool:
    """Return True if a schema has a rule anywhere."""
    below = [*(schema.get("properties") or {}).values(), schema.get("items"), schema.get("additionalProperties")]
    return bool(_rules(schema)) or any(has_rules(each) for each in below if isinstance(each, dict))


def _rules(schema: Object) -> list[Mapping[str, Any]]:
    """The rules of a schema. What is none is refused in a definition that is stored, and ignored in a pasted one."""
    found = schema.get(_RULES)
    every = found if isinstance(found, list) else ()
    return [each for each in every if isinstance(each, dict) and isinstance(each.get("rule"), str)]


@dataclass(frozen=True, slots=True)
class _Place:
    """A value and what it was before, with its schema and path; forgiven: it, or what holds it, is as it was."""

    value: Value
    old: Value | Missing
    schema: Object
    path: str
    forgiven: bool
    seen: Callable[[Any, Object], Any] = rule_value

    def below(self) -> Iterator[_Place]:
        """Yield each member and item."""
        properties = self.schema.get("properties") or {}
        before = OldMembers(self.old, self.schema)
        for step, member, schema in members(self.value, self.schema):
            old = before.of(step, member)
            declared = isinstance(step, str) and step in properties
            path = (f"{self.path}.{step}" if self.path else str(step)) if declared else f"{self.path}[{step}]"
            forgiven = self.forgiven if isinstance(old, Missing) else equal(member, old)
            yield _Place(member, old, schema, path, forgiven)


def _failures(place: _Place) -> Iterator[Cause]:
    if place.value is None:
        return
    for rule in _rules(place.schema):
        cause = _failure(rule, place)
        if cause is not None and (not place.forgiven or uses_old_self(rule["rule"])):
            yield cause
    for each in place.below():
        yield from _failures(each)


def _failure(rule: Mapping[str, Any], place: _Place) -> Cause | None:
    """What a rule has to say of the value at a place, None if nothing."""
    text, comparable = rule["rule"], not isinstance(place.old, Missing) and place.old is not None
    optional = bool(rule.get("optionalOldSelf"))
    if not text.strip() or (uses_old_self(text) and not comparable and not optional):
        return None
    try:
        passed = _run(text, place, optional=optional, comparable=comparable)
    except RuleNotCompiled as error:
        return _broken(place, f"rule compile error: {error}")
    except RuleFailed as error:
        return _broken(place, _told(str(error), rule))
    if passed is True:
        return None
    return _refusal(rule, place, _message(rule, place, comparable))


def _run(text: str, place: _Place, *, optional: bool, comparable: bool) -> Any:
    value = place.seen(place.value, place.schema)
    old = place.seen(place.old, place.schema) if comparable else None
    expression, variables = with_optional_answers(text), {"self": value, "oldSelf": old}
    if optional and uses_old_self(text):
        expression = bound("oldSelf", "optional.of(dyn(oldSelf))" if comparable else "optional.none()", expression)
    for name in ("oldSelf", "self"):
        if holds_typed(variables[name]):
            expression = bound(name, literal(variables[name]), expression)
            variables[name] = None
    return evaluate(expression, variables)


def _told(error: str, rule: Mapping[str, Any]) -> str:
    if error.startswith(NO_OVERLOAD):
        return (
            f"'{error}': call arguments did not match a supported operator, function or macro signature "
            f"for rule: {_name(rule)}"
        )
    return f"{error} evaluating rule: {_name(rule)}"


def _name(rule: Mapping[str, Any]) -> str:
    return str(rule.get("message") or rule["rule"]).strip()


def _broken(place: _Place, detail: str) -> Cause:
    return invalid(place.path or "<nil>", place.schema.get("type", ""), detail)


def _message(rule: Mapping[str, Any], place: _Place, comparable: bool) -> str:
    if rule.get("messageExpression"):
        try:
            # The reference hands oldSelf over as it is, also where the rule itself sees an optional.
            told = _run(rule["messageExpression"], place, optional=False, comparable=comparable)
        except RuleFailed:
            told = None
        if isinstance(told, str) and told.strip() and "\n" not in told.strip() and len(told) <= _LONGEST_MESSAGE:
            return told.strip()
    return str(rule["message"]).strip() if rule.get("message") else f"failed rule: {_name(rule)}"


def _refusal(rule: Mapping[str, Any], place: _Place, detail: str) -> Cause:
    path = _path(place, rule.get("fieldPath") or "") or "<nil>"
    reason = rule.get("reason") or "FieldValueInvalid"
    if reason == "FieldValueRequired":
        return required(path, detail)
    if reason == "FieldValueForbidden":
        return forbidden(path, detail)
    shown = "" if isinstance(place.value, (dict, list)) else spell(place.value)
    if reason == "FieldValueDuplicate":
        return Cause(reason, path, f"Duplicate value: {shown}" if shown else "Duplicate value")
    return Cause("FieldValueInvalid", path, "Invalid value: " + (f"{shown}: " if shown else "") + detail)


def _path(place: _Place, field_path: str) -> str:
    """The path of the field that a rule blames: members of structs after a dot, keys of free maps in brackets."""
    path, schema = place.path, place.schema
    for match in _STEP.finditer(field_path):
        name = match[1] or re.sub(r"\\(.)", r"\1", match[2] or "")
        properties = schema.get("properties") or {}
        if name in properties:
            path, schema = (f"{path}.{name}" if path else name), properties[name]
        else:
            path, schema = f"{path}[{name}]", schema.get("additionalProperties") or {}
    return path
