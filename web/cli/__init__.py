"""The `patchyard` command: one module for each of its commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from web.cli import apply, diff, explain, patch, replay, serve
from web.cli.parsing import INTERRUPTED, NOTHING, WRONG_USE
from web.cli.printing import Unwritable, complain, finish, speak_utf8
from web.cli.reading import WrongUse
from web.config import BadSetting, Config, config_from

DESCRIPTION = "Patchyard: a playground for Kubernetes patches, in your browser and on the command line."
EPILOG = """\
settings, from the environment:
  PATCHYARD_HOST                address to listen on (127.0.0.1)
  PATCHYARD_PORT                port to listen on (8080; 0 takes any free one)
  PATCHYARD_STORE               SQLite file that keeps the workspaces (in memory if it is not set)
  PATCHYARD_THREADS             requests answered at the same time (64)
  PATCHYARD_MAX_DOCUMENT_BYTES  largest document that is read (1048576)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own if None) and return its exit status."""
    speak_utf8()
    try:
        config = config_from(os.environ)
    except BadSetting as error:
        complain(str(error))
        return WRONG_USE
    parser = _parser(config)
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return NOTHING
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    try:
        status: int = options.run(options)
        finish()
        return status
    except WrongUse as error:
        complain(str(error))
        return WRONG_USE
    except BrokenPipeError:
        _forget_output()  # who read it has seen enough
        return NOTHING
    except Unwritable as error:
        if sys.stdout is not None:
            _forget_output()
        complain(f"standard output cannot be written: {error}")
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED


def _forget_output() -> None:
    """Send what the process still holds for standard output nowhere, so that its end does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(config: Config) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "patchyard", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"patchyard {version('patchyard')}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    for command in (apply, explain, patch, diff):
        command.register(commands, config)
    replay.register(commands, config)
    serve.register(commands, config)
    return parser
