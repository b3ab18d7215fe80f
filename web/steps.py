"""A JSON Patch that is written: step by step, and where RFC 6902 and the API server part on it."""

from __future__ import annotations

from engine.errors import EngineError
from engine.generate.exact import render_exactly
from engine.json_patch.trace import Step, differences, trace
from engine.meta.object_meta import without_metadata
from engine.value.codec import render_yaml
from engine.value.failures import LimitExceeded
from engine.value.limits import Limits, check_result
from engine.value.model import Missing, Object, Value
from web.contexts import TraceStep
from web.limits import setting_of
from web.translation import translated

MOST_STEPS, MOST_CHARACTERS = 50, 200_000
"""What the page shows of a long patch on a large object: its first steps, with this much of YAML."""
_SMALL = Limits(max_nodes=MOST_CHARACTERS // 4)


def steps_of(live: Object, patch: Value) -> tuple[TraceStep, ...]:
    """Return the object after each operation, up to the first that fails; none if this is no JSON Patch."""
    if not isinstance(patch, list):
        return ()
    try:
        steps = trace(live, patch[:MOST_STEPS])
    except EngineError:
        return ()
    shown: list[TraceStep] = []
    room = MOST_CHARACTERS
    for step in steps:
        if isinstance(step.document, Missing) or (room >= 0 and _fits(step.document)):
            shown.append(_shown(step))
            room -= len(shown[-1].document)
    return tuple(shown)


def _fits(document: Value) -> bool:
    """Return True if a document is small enough to be written out at all."""
    try:
        check_result(document, _SMALL)
    except LimitExceeded:
        return False
    return True


def dialects_of(live: Object, patch: Value) -> tuple[str, ...]:
    """Return a sentence for each operation that RFC 6902 and the API server take differently."""
    if isinstance(patch, list):
        patch = patch[:MOST_STEPS]
    return tuple(translated(each.told) for each in differences(live, patch))


def _shown(step: Step) -> TraceStep:
    operation = render_exactly(step.operation)
    if isinstance(step.document, Missing):
        assert step.failure is not None
        setting = setting_of(step.failure)
        told = translated(str(step.failure))
        return TraceStep(step.index, operation, "", f"{told} ({setting})" if setting else told)
    document = step.document
    if isinstance(document, dict):
        document = without_metadata(document, "managedFields")
    return TraceStep(step.index, operation, render_yaml(document), "")
