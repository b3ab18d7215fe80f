"""A patch's body, read: text as it came over the wire, or a value.

The texts of what cannot be read are the reference's.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.patch.patch_type import PatchType
from engine.value.codec import parse_json, parse_yaml
from engine.value.failures import EmptyDocument, LimitExceeded, UnreadableDocument
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import Kind, Value, kind_of

_GO_NAMES = {Kind.BOOLEAN: "bool", Kind.MAP: "object", Kind.LIST: "array"}


@dataclass(eq=False)
class UndecodableBody(EngineError):
    """A body that is no patch of its kind."""

    reason: str
    cause: EngineError | None = None

    def __str__(self) -> str:
        return self.reason


def decode_body(patch_type: PatchType, body: Value, limits: Limits = DEFAULT_LIMITS) -> Value:
    """Return the patch that a body holds; text is parsed, a value is taken as it is.

    Raises:
        UndecodableBody: it is no patch of this kind.
        LimitExceeded: it is too large.
    """
    if patch_type is PatchType.APPLY:
        return _intent(body, limits)
    value = _json(body, limits) if isinstance(body, str) else body
    wanted = list if patch_type is PatchType.JSON_PATCH else dict
    if value is None and patch_type is not PatchType.JSON_PATCH:
        return value
    if not isinstance(value, wanted):
        target = "[]handlers.jsonPatchOp" if wanted is list else "map[string]interface {}"
        raise UndecodableBody(
            f"error decoding patch: json: cannot unmarshal {_go_kind(value)} into Go value of type {target}"
        )
    return value


def _json(text: str, limits: Limits) -> Value:
    try:
        return parse_json(text, limits)
    except LimitExceeded:
        raise
    except EngineError as error:
        raise UndecodableBody(f"error decoding patch: {_go_json_error(text, error)}", error) from None


def _go_json_error(text: str, error: EngineError) -> str:
    column = getattr(error, "offset", None)
    ended = isinstance(error, EmptyDocument) or "end" in str(error).lower() or column == len(text)
    return "unexpected end of JSON input" if ended else f"invalid JSON: {error}"


def _intent(body: Value, limits: Limits) -> Value:
    value = body
    if isinstance(body, str):
        try:
            value = parse_yaml(body, limits)
        except EmptyDocument:
            return {}
        except LimitExceeded:
            raise
        except EngineError as error:
            raise UndecodableBody(
                f"error decoding YAML: error converting YAML to JSON: yaml: {_go_yaml_error(error)}", error
            ) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UndecodableBody(
            "error decoding YAML: error unmarshaling JSON: while decoding JSON: "
            f"json: cannot unmarshal {_go_kind(value)} into Go value of type map[string]interface {{}}"
        )
    return value


def _go_yaml_error(error: EngineError) -> str:
    """The reference's words: it counts a parser's lines from 0, a scanner's from 1, and leaves line 0 out."""
    if not isinstance(error, UnreadableDocument) or error.line is None:
        return str(error)
    problem, _, context = error.found.partition(" while ")
    line = error.line - context.startswith("parsing")
    return f"line {line}: {problem}" if line else problem


def _go_kind(value: Value) -> str:
    return _GO_NAMES.get(kind_of(value), kind_of(value).value)
