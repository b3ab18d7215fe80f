"""`patchyard last-applied`: what kubectl apply noted in an object, and the patch that notes something else."""

from __future__ import annotations

import argparse

from engine.clientapply.failures import NoLastApplied, UnreadableLastApplied
from engine.clientapply.last_applied import set_last_applied, view_last_applied
from engine.value.codec import render_json
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import put, style_of, written
from web.cli.reading import WrongUse, object_in, reader_for
from web.config import Config


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "last-applied",
        "view or set what kubectl applied last",
        "Print the configuration that kubectl apply noted in LIVE; with --set, the merge patch that notes another.",
        "patchyard last-applied live.yaml --set web.yaml",
        "with --set: the annotation changes",
    )
    parser.add_argument("live", metavar="LIVE", help="the live object; - is standard input")
    parser.add_argument("--set", metavar="MANIFEST", dest="manifest", help="the configuration to note")
    parser.add_argument("--create-annotation", action="store_true", help="with --set: also where there is none")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the configuration or the patch, and return the exit status."""
    reader = reader_for(config)
    live = reader.document(options.live, "live object")
    try:
        if options.manifest is None:
            put(written(view_last_applied(object_in(live, "live object")), style_of(live)))
            return NOTHING
        manifest = object_in(reader.document(options.manifest, "manifest"), "manifest")
        patch = set_last_applied(object_in(live, "live object"), manifest, create=options.create_annotation)
    except (NoLastApplied, UnreadableLastApplied) as error:
        raise WrongUse(str(error)) from error
    if patch is None:
        return NOTHING
    put(render_json(patch, 2))
    return FOUND
