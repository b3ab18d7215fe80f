"""`patchyard migrate`: the patch by which server-side apply takes over from client-side apply."""

from __future__ import annotations

import argparse

from engine.clientapply.migration import client_side_appliers, migration_patch
from engine.fieldpath.element import MalformedElement
from engine.fieldpath.fields_v1 import MalformedFields
from engine.value.codec import render_json
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import note, put
from web.cli.reading import WrongUse, object_in, reader_for
from web.config import Config


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "migrate",
        "take over what client-side apply owns",
        "Print the JSON Patch by which kubectl apply --server-side takes over what client-side apply owns in LIVE.",
        "patchyard migrate live.yaml --manager kubectl | kubectl patch deploy web --type json --patch-file /dev/stdin",
        "there is something to take over",
    )
    parser.add_argument("live", metavar="LIVE", help="the live object, with its managedFields; - is standard input")
    parser.add_argument("--manager", default="kubectl", help="who applies from now on (default kubectl)")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the patch, and return the exit status."""
    live = object_in(reader_for(config).document(options.live, "live object"), "live object")
    try:
        patch = migration_patch(live, options.manager)
        clients = sorted(client_side_appliers(live))
    except (MalformedFields, MalformedElement) as error:
        raise WrongUse(f"managedFields of the live object cannot be read: {error}") from error
    if patch is None:
        note("no client-side applier owns anything: there is nothing to take over")
        return NOTHING
    note(f"{', '.join(clients)}: taken over by {options.manager}")
    put(render_json(patch, 2))
    return FOUND
