"""A small language for histories of writes on one typed value, told in YAML.

    - phrase: whoever drops its own key takes it out of the value
      type: words
      steps:
      - {apply: a, value: {x: one, y: two}}
      - {apply: a, value: {x: one}, gives: {x: one}, owners: {a|Apply: [.x]}}

A step is a verb with its writer, and the value that is written: `apply`, `force` (an apply that takes what others own)
or `update` (the value replaces the old one whole). Owners are `name|Apply` and `name|Update`. What is expected of a
step stands with it: `gives` the value after it, `owners` all owners with their paths, `unchanged: true`, `conflicts`
(owner and path of each) or `refused` (the text). A case that expects nothing is malformed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.fieldpath.element import render_path
from engine.fieldpath.managed import VersionedSet
from engine.fieldpath.writable import EVERYTHING, Writable
from engine.merge import updater
from engine.merge.conflict import Conflicts
from engine.schema.catalog import definition
from engine.schema.elements import TypeRef
from engine.schema.openapi import type_ref
from engine.typed.typed_value import TypedValue
from engine.typed.validate import DoesNotFit, validate

VERSION = "v1"
VERBS = ("apply", "force", "update")
EXPECTED = ("gives", "owners", "unchanged", "conflicts", "refused")


@dataclass(frozen=True, slots=True)
class OneVersion:
    """A kind that has one API version only."""

    writable: Writable = EVERYTHING

    def convert(self, typed: TypedValue, api_version: str) -> TypedValue | None:
        """Return the value as it is."""
        return typed


@dataclass(frozen=True, slots=True)
class State:
    """A value and who owns what of it."""

    typed: TypedValue
    owners: Mapping[str, VersionedSet] = field(default_factory=dict)

    def paths(self) -> dict[str, list[str]]:
        """Return the owners with their paths as they are printed."""
        return {owner: [render_path(path) for path in owned.fields] for owner, owned in self.owners.items()}


def schema_type(schema: dict[str, Any]) -> TypeRef:
    """Return the type that an OpenAPI schema describes."""
    return type_ref(schema, definition)


def apply(state: State, manager: str, config: Any, *, force: bool = False) -> State:
    """Return the state after an apply; it is checked against the type first, as a server does.

    Raises:
        Conflicts, DoesNotFit: it is refused.
    """
    typed = TypedValue(config, state.typed.type)
    validate(typed)
    value, owners = updater.apply(
        state.typed, typed, VERSION, state.owners, f"{manager}|Apply", OneVersion(), force=force
    )
    return State(state.typed if value is None else value, owners)


def update(state: State, manager: str, new: Any) -> State:
    """Return the state after the value was replaced."""
    typed = TypedValue(new, state.typed.type)
    owners = updater.update(state.typed, typed, VERSION, state.owners, f"{manager}|Update", OneVersion())
    return State(typed, owners)


def written(state: State, step: dict[str, Any]) -> State:
    """Return the state after a step of the language."""
    if "update" in step:
        return update(state, step["update"], step["value"])
    return apply(state, step.get("apply") or step["force"], step["value"], force="force" in step)


def play(case: dict[str, Any], types: Mapping[str, TypeRef]) -> None:
    """Play a case, and assert what it expects."""
    state = State(TypedValue(case.get("live"), types[case["type"]]))
    assert any(name in step for step in case["steps"] for name in EXPECTED), "the case expects nothing"
    for number, step in enumerate(case["steps"], 1):
        unknown = step.keys() - {*VERBS, *EXPECTED, "value"}
        assert not unknown, f"step {number} has {unknown}, which the language does not know"
        state = _played(state, step, f"step {number} of: {case['phrase']}")


def _played(state: State, step: dict[str, Any], where: str) -> State:
    after, conflicts, refused = _attempt(state, step)
    assert conflicts == sorted(step.get("conflicts", [])), where
    assert refused == step.get("refused"), where
    if "gives" in step:
        assert after.typed.value == step["gives"], where
    if "owners" in step:
        wanted = {owner: sorted(paths) for owner, paths in step["owners"].items()}
        assert {owner: sorted(paths) for owner, paths in after.paths().items()} == wanted, where
    if step.get("unchanged"):
        assert after.typed.value == state.typed.value, where
        assert after.paths() == state.paths(), where
    return after


def _attempt(state: State, step: dict[str, Any]) -> tuple[State, list[str], str | None]:
    """Return the state after a step, its conflicts, and why it was refused otherwise."""
    try:
        return written(state, step), [], None
    except Conflicts as error:
        return state, sorted(f"{each.manager} {render_path(each.path)}" for each in error.conflicts), None
    except DoesNotFit as error:
        return state, [], str(error)
