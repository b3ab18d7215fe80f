"""What each operation of the JSON API does with a request that was read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from engine.errors import EngineError
from engine.evaluation import ConflictView, Evaluation, Write, WriteKind
from engine.explain.reason import Reason
from engine.explain.wording import RULES, sentence
from engine.explanation import explain
from engine.generate.generate import generate
from engine.generate.model import Format, Generated, Order
from engine.generate.objects import kind_info
from engine.json_patch.failures import TooManyOperations
from engine.json_patch.options import ByNamedKey, ByPosition, BySchema, Fewest, Guard, Lists, Options, Transfer
from engine.schema.catalog import builtin_catalog
from engine.schema.structural import MalformedDefinition, kinds_of_definition
from engine.value.limits import Limits
from engine.value.model import Missing, Object, Value
from web.evaluating import evaluated
from web.jsonapi.reading import Unusable, document, object_or_none, objects
from web.limits import with_setting

Told = dict[str, Any]
Operation = Callable[[Told, Limits, datetime], Value]


def evaluate_write(told: Told, limits: Limits, now: datetime) -> Value:
    """Return what comes of a write."""
    _, done = _evaluated(told, limits, now)
    return {
        "code": done.code,
        "body": done.body,
        "warnings": list(done.warnings),
        "before": done.before,
        "after": done.after,
        "jsonPatch": list(done.json_patch),
        "conflicts": [_conflict(each) for each in done.conflicts],
        "requestSent": done.request_sent,
    }


def explain_write(told: Told, limits: Limits, now: datetime) -> Value:
    """Return the reason for each field of a write's result."""
    write, done = _evaluated(told, limits, now)
    return [_reason(each) for each in explain(write, done)]


def generate_patch(told: Told, limits: Limits, now: datetime) -> Value:
    """Return what turns one document into another, or why the format cannot say it."""
    catalog = builtin_catalog()
    try:
        for definition in objects("crds", told["crds"], limits):
            catalog = catalog.with_kinds(kinds_of_definition(definition))
    except MalformedDefinition as error:
        raise Unusable(400, f"A definition in 'crds' cannot be used: {error}.") from None
    before, after = (document(name, told[name], limits) for name in ("before", "after"))
    info = kind_info(Order(before, None, catalog=catalog))
    lists: Lists = ByNamedKey(told["key"]) if told["key"] else BySchema(info.type) if info else ByPosition()
    allowed = {Transfer.MOVE: told["moves"], Transfer.COPY: told["copies"]}
    transfers = frozenset(each for each in Transfer if allowed[each])
    options = Options(Fewest(told["fewest"]), transfers, Guard(told["guard"]), lists)
    answer = generate(Order(before, after, Format(told["format"]), options, told["manager"], catalog))
    about: Object = {"format": told["format"], "possible": isinstance(answer, Generated)}
    if not isinstance(answer, Generated):
        return {**about, "reason": str(answer.reason), "path": list(answer.path) if answer.path is not None else None}
    return {
        **about,
        "patch": answer.patch,
        "operations": answer.operations,
        "bytes": answer.size,
        "provedBy": str(answer.proved_by),
        "notes": [str(each) for each in answer.notes],
    }


OPERATIONS: dict[str, Operation] = {
    "evaluate": evaluate_write,
    "explain": explain_write,
    "generate": generate_patch,
}


def _evaluated(told: Told, limits: Limits, now: datetime) -> tuple[Write, Evaluation]:
    write = Write(
        kind=WriteKind(told["kind"]),
        live=object_or_none("live", told["live"], limits),
        body=document("body", told["body"], limits),
        crds=objects("crds", told["crds"], limits),
        manager=told["manager"],
        force=told["force"] and told["kind"] == WriteKind.APPLY.value,
        dry_run=told["dryRun"],
        subresource=told["subresource"],
        field_validation=told["fieldValidation"],
        limits=limits,
    )
    if write.body is None:
        raise Unusable(400, "The document 'body' is empty: expected what is to be written.")
    if write.kind is WriteKind.JSON_PATCH and isinstance(write.body, list):
        _check_operations(write.body, limits)
    try:
        return write, evaluated(write, now)
    except MalformedDefinition as error:
        raise Unusable(400, f"A definition in 'crds' cannot be used: {error}.") from None
    except EngineError as error:
        raise Unusable(400, f"The write cannot be evaluated: {error}.") from None


def _check_operations(patch: list[Value], limits: Limits) -> None:
    if len(patch) > limits.max_operations:
        error = TooManyOperations(limits.max_operations, len(patch))
        raise Unusable(413, f"The document 'body' cannot be used: {with_setting(error)}.")


def _conflict(conflict: ConflictView) -> Object:
    told: Object = {
        "path": conflict.path,
        "manager": conflict.manager,
        "operation": conflict.operation,
        "apiVersion": conflict.api_version,
        "subresource": conflict.subresource,
        "message": conflict.message,
    }
    for name, value in (("live", conflict.live), ("intended", conflict.intended)):
        if not isinstance(value, Missing):
            told[name] = value
    return told


def _reason(reason: Reason) -> Object:
    rule = RULES[reason.why]
    owners: list[Value] = [
        {"manager": owner.manager, "operation": owner.operation, "subresource": owner.subresource}
        for owner in reason.owners
    ]
    return {
        "path": list(reason.steps),
        "reason": reason.why.value,
        "sentence": str(sentence(reason)),
        "owners": owners,
        "rule": str(rule.text),
        "source": rule.source,
    }
