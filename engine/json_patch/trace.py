"""A JSON Patch step by step, and where the two dialects part on a given document."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import EngineError
from engine.json_patch.apply import Draft
from engine.json_patch.failures import InapplicableOperation, UndecodablePatch
from engine.json_patch.operation import Dialect, Operation, decode_operations
from engine.said import said
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import MISSING, Missing, Value

_LOOSE = re.compile(r"[-+][0-9]+|0[0-9]+", re.ASCII)
"""An index that only the API server reads."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operation of a patch, at `index` from 0, and the document after it; MISSING and the failure if it fails."""

    index: int
    operation: Value
    document: Value | Missing
    failure: EngineError | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """An operation that RFC 6902 and the API server take differently. A failure is None where it is done.

    index is the operation's place, None for the patch as a whole; told is a sentence on the difference.
    """

    index: int | None
    strict: EngineError | None
    kubernetes: EngineError | None
    told: str


def trace(
    document: Value, patch: Value, dialect: Dialect = Dialect.KUBERNETES, limits: Limits = DEFAULT_LIMITS
) -> tuple[Step, ...]:
    """Return the steps of `patch` up to the first that fails. Documents share what did not change.

    Raises:
        UndecodablePatch, TooManyOperations: `patch` is no JSON Patch; in the strict dialect no operation may be
            misshapen, also one whose turn never comes.
    """
    decode_operations(patch, dialect, limits)
    draft, steps = Draft(document, dialect, limits), list[Step]()
    for index, item in enumerate(patch if isinstance(patch, list) else ()):
        draft.owned.clear()  # a document that was told is not changed any more
        failure = _failure(draft, index, item)
        if failure is not None:
            return (*steps, Step(index, item, MISSING, failure))
        steps.append(Step(index, item, draft.root))
    return tuple(steps)


def differences(document: Value, patch: Value) -> tuple[Difference, ...]:
    """Return where RFC 6902 and the API server differ on this very patch and document, in order.

    Each operation is tried in both dialects on the document as the API server has it by then; what follows an
    operation that the API server refuses is not looked at. A patch that is none to both has no differences.
    An operation that both do gives one document, so only refusals differ. Each operation costs what it touches.
    """
    if not isinstance(patch, list):
        return _of_no_list(patch)
    strict, kubernetes = Draft(document, Dialect.STRICT), Draft(document, Dialect.KUBERNETES)
    found: list[Difference] = []
    for index, item in enumerate(patch):
        failures = _failure(strict, index, item), _failure(kubernetes, index, item)
        if failures[0] or failures[1]:
            told = _told(item, *failures)
            found += [Difference(index, *failures, told)] if told else []
            if failures[1]:
                break
            # From here on both go on from the API server's document, so neither may change what the other holds.
            strict, kubernetes.owned = Draft(kubernetes.root, Dialect.STRICT), {}
            strict.copied = kubernetes.copied
    return tuple(found)


def _failure(draft: Draft, index: int, item: Value) -> EngineError | None:
    """Do one operation; return why it cannot be done."""
    try:
        [operation] = decode_operations([item], draft.dialect)
        draft.do(index, operation)
    except EngineError as error:
        return _at(index, error)
    return None


def _at(index: int, error: EngineError) -> EngineError:
    """Return a failure of an operation that was decoded alone, told of its place in the patch."""
    if hasattr(error, "index"):
        error.index = index
    return error


def _of_no_list(patch: Value) -> tuple[Difference, ...]:
    if patch is not None:
        return ()
    try:
        decode_operations(patch, Dialect.STRICT)
    except UndecodablePatch as error:
        told = said(
            "RFC 6902 refuses the patch: %(error)s. Kubernetes reads null as a patch without operations.",
            error=str(error),
        )
        return (Difference(None, error, None, told),)
    return ()


def _told(item: Value, strict: EngineError | None, kubernetes: EngineError | None) -> str:
    if strict and kubernetes:
        return ""
    if strict:
        return said("RFC 6902 refuses %(what)s. %(why)s", what=_words(strict), why=_why_done(item))
    if kubernetes is None:
        return ""
    return said("Kubernetes refuses %(what)s. %(why)s", what=_words(kubernetes), why=_why_refused(item))


def _words(error: EngineError) -> str:
    """Return the operation and why it is refused."""
    told = str(error)
    if isinstance(error, InapplicableOperation):
        return told
    return said("a misshapen one: %(told)s", told=told)


def _why_done(item: Value) -> str:
    """Return why the API server does what RFC 6902 refuses."""
    [operation] = decode_operations([item])
    if isinstance(operation.path, str) and operation.path and not operation.path.startswith("/"):
        return said("Kubernetes does not look at what stands before the first slash.")
    if operation.op in ("add", "replace", "test") and operation.value is MISSING:
        return said("Kubernetes takes a value that is left out for null.")
    rules = {
        "replace": said("Kubernetes adds the member that is to be replaced."),
        "copy": said("Kubernetes copies null from a member that is not there."),
        "test": said("Kubernetes takes a missing member for null."),
    }
    if _has_loose_index(operation):
        return said("Kubernetes counts a negative index from the end, and takes signs and leading zeros.")
    return rules.get(str(operation.op), said("Kubernetes does it."))


def _has_loose_index(operation: Operation) -> bool:
    pointers = [each for each in (operation.path, operation.from_path) if isinstance(each, str)]
    parts = [part for pointer in pointers for part in pointer.split("/")]
    return any(_LOOSE.fullmatch(part) is not None for part in parts)


def _why_refused(item: Value) -> str:
    """Return why the API server refuses what RFC 6902 does."""
    [operation] = decode_operations([item])
    if operation.path == "" or operation.from_path == "":
        return said("It has no pointer for the whole document.")
    if operation.op == "test":
        return said("It compares numbers as they are written, so 1.0 is not 1.")
    return said("It is stricter here.")
