"""A request's body as an object of its kind: POST and PUT.

The texts of what cannot be read are the reference's.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.apiserver.failures import BadRequest
from engine.apiserver.request import Request
from engine.apiserver.strategy import Strategy
from engine.errors import EngineError
from engine.managedfields.entries import entries_of
from engine.schema.catalog import KindInfo
from engine.schema.decode import Decoded, Undecodable
from engine.schema.quantity import MalformedQuantity
from engine.value.codec import parse_json, parse_yaml
from engine.value.failures import LimitExceeded
from engine.value.limits import check_managers
from engine.value.model import Object, Value


def read_body(request: Request, strategy: Strategy, warnings: list[str]) -> Object:
    """Return the object that a POST or PUT carries, with defaults; what the server warns of is added to `warnings`.

    Raises:
        BadRequest: the body is no object of this kind, or, under Strict, has fields that the kind does not know.
        LimitExceeded: it is too large.
    """
    info = strategy.info
    body = parsed(request)
    if not isinstance(body, dict):
        raise BadRequest(_unhandled(info, "json: cannot unmarshal the body into Go value of type " + info.gvk.kind))
    check_managers(entries_of(body), request.limits)
    body = {"apiVersion": info.gvk.api_version, "kind": info.gvk.kind, **body}
    if body["apiVersion"] != info.gvk.api_version:
        raise BadRequest(
            f"the API version in the data ({body['apiVersion']}) "
            f"does not match the expected API version ({info.gvk.api_version})"
        )
    if body["kind"] != info.gvk.kind:
        raise BadRequest(_unhandled(info, f'no kind "{body["kind"]}" is registered for this resource'))
    try:
        decoded = strategy.decode(body)
    except (Undecodable, MalformedQuantity) as error:
        raise BadRequest(_unhandled(info, str(error))) from None
    warnings += check_unknown(decoded, request, lambda text: BadRequest(_unhandled(info, text)))
    return decoded.value


def parsed(request: Request) -> Value:
    """Return the value that a body spells, JSON or YAML as its content type says; a value is taken as it is.

    Raises:
        BadRequest: it cannot be read.
        LimitExceeded: it is too large.
    """
    body = request.body
    if not isinstance(body, str):
        return body
    try:
        return (parse_yaml if "yaml" in request.content_type else parse_json)(body, request.limits)
    except LimitExceeded:
        raise
    except EngineError as error:
        raise BadRequest(f"the object provided is unrecognized: {error}") from None


def check_unknown(decoded: Decoded, request: Request, refusal: Callable[[str], EngineError]) -> tuple[str, ...]:
    """Return the warnings for unknown fields, as the request's fieldValidation wants it.

    Raises:
        EngineError: what `refusal` makes of the reference's text, under Strict.
    """
    told = tuple(f'unknown field "{path}"' for path in decoded.unknown)
    if not told or request.field_validation == "Ignore":
        return ()
    if request.field_validation == "Strict":
        raise refusal("strict decoding error: " + ", ".join(told))
    return told


def _unhandled(info: KindInfo, reason: str) -> str:
    return f'{info.gvk.kind} in version "{info.gvk.version}" cannot be handled as a {info.gvk.kind}: {reason}'
