"""`patchyard explain`: why each field of a write's result is as it is."""

from __future__ import annotations

import argparse
import re
from uuid import uuid4

from engine.evaluation import Write, WriteKind, evaluate
from engine.explain.reason import Reason, Why
from engine.explain.wording import RULES, sentence
from engine.explanation import explain
from engine.schema.structural import MalformedDefinition
from engine.value.codec import render_json
from engine.value.model import Object
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import complain, note, put
from web.cli.reading import WrongUse, object_in, reader_for
from web.config import Config
from web.wsgi import utc_now

_KINDS = [kind.value for kind in WriteKind]
_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_-]*", re.ASCII)
_QUIET = (Why.IDENTITY, Why.UNOWNED, Why.DEFAULTED)
"""Not told unless all is asked for: what this write and its rivals have no part in."""


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "explain",
        "tell why each field of a result is as it is",
        "Print one reason for every field of what a write makes of an object, and for every field that it removes.",
        "patchyard explain web.yaml --live live.yaml --manager ci --rules",
        "the write was refused",
    )
    parser.add_argument("body", metavar="BODY", help="the intent, patch or object to write; - is standard input")
    parser.add_argument("--live", metavar="FILE", help="the live object; without it there is none")
    parser.add_argument("--type", choices=_KINDS, default="apply", help="how it is written (default apply)")
    parser.add_argument("--manager", default="kubectl", help="who writes (default kubectl)")
    parser.add_argument("--force-conflicts", action="store_true", help="take the fields that others own")
    parser.add_argument("--crd", action="append", default=[], metavar="FILE", help="a CustomResourceDefinition")
    parser.add_argument("--all", action="store_true", help="tell of defaults, of unowned fields and of the name, too")
    parser.add_argument("--rules", action="store_true", help="add the rule behind each reason, and its source")
    parser.add_argument("-o", "--output", choices=["text", "json"], default="text", help="default text")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the reasons, and return the exit status."""
    reader = reader_for(config)
    body = reader.document(options.body, "write")
    live = object_in(reader.document(options.live, "live object"), "live object") if options.live else None
    write = Write(
        kind=WriteKind(options.type),
        live=live,
        body=body.value,
        crds=reader.objects(options.crd, "CustomResourceDefinition"),
        manager=options.manager,
        force=options.force_conflicts,
    )
    try:
        done = evaluate(write, now=utc_now(), new_uid=lambda: str(uuid4()))
    except MalformedDefinition as error:
        raise WrongUse(str(error)) from error
    for warning in done.warnings:
        note(warning)
    told = [each for each in explain(write, done) if options.all or each.why not in _QUIET]
    if options.output == "json":
        put(render_json([_as_object(each) for each in told], 2))
    else:
        put("\n".join(line for each in told for line in _lines(each, rules=options.rules)))
    if done.after is None:
        message = done.body.get("message") if isinstance(done.body, dict) else None
        complain(f"refused with {done.code}: {message or 'the server gives no reason'}")
        return FOUND
    return NOTHING


def place(reason: Reason) -> str:
    """Return where a field is, as a person points at it: `spec.containers[0].image`."""
    return "".join(_spelled(step) for step in reason.steps).removeprefix(".") or "the object"


def _spelled(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _PLAIN.fullmatch(step) else f"[{render_json(step)}]"


def _lines(reason: Reason, *, rules: bool) -> list[str]:
    lines = [f"{place(reason)}: {sentence(reason)}"]
    if rules:
        rule = RULES[reason.why]
        lines.append(f"    {rule.text} ({rule.source})")
    return lines


def _as_object(reason: Reason) -> Object:
    rule = RULES[reason.why]
    owners: list[Object] = [
        {"manager": owner.manager, "operation": owner.operation, "subresource": owner.subresource}
        for owner in reason.owners
    ]
    return {
        "path": list(reason.steps),
        "reason": reason.why.value,
        "sentence": sentence(reason),
        "owners": list(owners),
        "rule": rule.text,
        "source": rule.source,
    }
