"""`patchyard apply`: an object after an apply, or the conflicts, without a cluster."""

from __future__ import annotations

import argparse
from uuid import uuid4

from engine.evaluation import ConflictView, Evaluation, Write, WriteKind, evaluate
from engine.meta.object_meta import without_metadata
from engine.schema.structural import MalformedDefinition
from engine.value.codec import render_json
from engine.value.document import Document, Format
from engine.value.model import Missing, Value
from web import messages
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import changes, complain, note, put, style_of, written
from web.cli.reading import WrongUse, object_in, reader_for
from web.config import Config
from web.wsgi import utc_now


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "apply",
        "apply an intent to a live object",
        "Print what the API server makes of INTENT, or the conflicts. Documents are YAML or JSON; - is standard input.",
        "kubectl get deploy web -o yaml --show-managed-fields | patchyard apply web.yaml --live - --manager ci -o diff",
        "a conflict or another refusal; with -o diff: the object changes",
    )
    parser.add_argument("intent", metavar="INTENT", help="what to apply")
    parser.add_argument("--live", metavar="FILE", help="the live object; without it the object is created")
    parser.add_argument("--manager", default="kubectl", help="who applies (default kubectl)")
    parser.add_argument("--force-conflicts", action="store_true", help="take the fields that others own")
    parser.add_argument("--client-side", action="store_true", help="as kubectl apply without --server-side does")
    parser.add_argument(
        "--overwrite",
        choices=["true", "false"],
        default="true",
        help="with --client-side: false refuses to take back what others changed since the last apply",
    )
    parser.add_argument("--crd", action="append", default=[], metavar="FILE", help="a CustomResourceDefinition")
    parser.add_argument("--show-managed-fields", action="store_true", help="print metadata.managedFields, too")
    parser.add_argument("-o", "--output", choices=["json", "yaml", "diff", "json-patch"], help="default: as INTENT")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the object after the apply, and return the exit status."""
    reader = reader_for(config)
    intent = reader.document(options.intent, "intent")
    live = object_in(reader.document(options.live, "live object"), "live object") if options.live else None
    write = Write(
        kind=WriteKind.CLIENT_APPLY if options.client_side else WriteKind.APPLY,
        live=live,
        body=object_in(intent, "intent"),
        crds=reader.objects(options.crd, "CustomResourceDefinition"),
        manager="kubectl-client-side-apply" if options.client_side else options.manager,
        force=options.force_conflicts and not options.client_side,
        overwrite=options.overwrite == "true",
    )
    try:
        done = evaluate(write, now=utc_now(), new_uid=lambda: str(uuid4()))
    except MalformedDefinition as error:
        raise WrongUse(str(error)) from error
    for warning in done.warnings:
        note(warning)
    if done.after is None:
        return _refused(done)
    return _print(options, done, options.output or style_of(intent), intent.format)


def _print(options: argparse.Namespace, done: Evaluation, style: str, written_as: Format) -> int:
    hidden = () if options.show_managed_fields else ("managedFields",)
    before, after = (without_metadata(each, *hidden) if each else {} for each in (done.before, done.after))
    if style == "json-patch":
        put(render_json(done.json_patch, 2))
    elif style != "diff":
        put(written(after, style))
    elif before != after:
        put(changes(Document("", written_as, before), Document("", written_as, after)))
        return FOUND
    return NOTHING


def _refused(done: Evaluation) -> int:
    if done.conflicts:
        noun = "conflict" if len(done.conflicts) == 1 else "conflicts"
        complain(f"{len(done.conflicts)} {noun}; force with --force-conflicts, drop the field, or take its live value:")
        for each in done.conflicts:
            complain(f"  {each.path}: yours {_short(each.intended)}, live {_short(each.live)}, of {_owner(each)}")
        return FOUND
    message = done.body.get("message") if isinstance(done.body, dict) else None
    complain(f"refused with {done.code}: {message or 'the server gives no reason'}")
    return FOUND


def _owner(conflict: ConflictView) -> str:
    return messages.owner(conflict.manager, conflict.operation, conflict.api_version, conflict.subresource)


def _short(value: Value | Missing) -> str:
    return "nothing" if isinstance(value, Missing) else render_json(value)
