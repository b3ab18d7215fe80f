"""The `patchyard` command: one module for each of its commands.

Only the module of the command that is asked for is imported: all of them, with the web server, take five times as
long to load as `patchyard diff` needs for its whole run.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from web.cli.parsing import INTERRUPTED, NOTHING, WRONG_USE
from web.cli.printing import Unwritable, complain, finish, speak_utf8
from web.cli.reading import WrongUse
from web.config import BadSetting, Config, config_from
from web.garbage import collect_seldom

DESCRIPTION = "Patchyard: a playground for Kubernetes patches, in your browser and on the command line."
COMMANDS = ("apply", "explain", "patch", "diff", "migrate", "last-applied", "replay", "bench", "serve")
EPILOG = """\
settings, from the environment:
  PATCHYARD_HOST                address to listen on (127.0.0.1)
  PATCHYARD_PORT                port to listen on (8080; 0 takes any free one)
  PATCHYARD_STORE               SQLite file that keeps the workspaces, or etcd://HOST:PORT (in memory if it is not set)
  PATCHYARD_STORE_SYNC          full writes a SQLite file to the disk before it answers, normal soon after (normal)
  PATCHYARD_THREADS             requests answered at the same time (64)
  PATCHYARD_PROCESSES           server processes that share the port and the store (1)
  PATCHYARD_TLS_CERT            file with the certificate, in PEM; the site is served over https then
  PATCHYARD_TLS_KEY             file with the key of the certificate, if it is not in the same file
  PATCHYARD_HOSTS               names that clients may call the server by, with commas between; * is any
                                (this machine's own on an address of this machine alone, else any)
  PATCHYARD_LOG                 errors, requests or none: JSON lines on standard error (errors)
  PATCHYARD_MAX_DOCUMENT_BYTES  largest document that is read (1048576)
  PATCHYARD_MAX_LEVELS          levels of lists and maps inside one another (200)
  PATCHYARD_MAX_VALUES          values in a document, and in what a write makes (200000)
  PATCHYARD_MAX_ALIASED_VALUES  values that the aliases of a document stand for (100000)
  PATCHYARD_MAX_DOCUMENTS       documents in one text (100)
  PATCHYARD_MAX_OPERATIONS      operations of a JSON Patch (10000)
  PATCHYARD_MAX_COPIED_BYTES    bytes that the copies of a JSON Patch add up to (3145728)
  PATCHYARD_MAX_MANAGERS        entries of managedFields (1000)
  PATCHYARD_MAX_SECONDS         seconds that one request may be worked on; 0 is without end (10)
  PATCHYARD_OPEN                1 makes a workspace where it is first used, 0 only by POST /w/
                                (1 on an address of this machine alone, 0 on any other)
  PATCHYARD_WORKSPACES          workspaces that the server holds (5000)
  PATCHYARD_WORKSPACE_OBJECTS   objects in one workspace (10000)
  PATCHYARD_WORKSPACE_BYTES     bytes of all objects in one workspace (67108864)
  PATCHYARD_RULE_SECONDS        processor time for the rules (CEL) of one object (1)
  PATCHYARD_RULE_MEBIBYTES      memory of a process that evaluates rules (256)
  PATCHYARD_OBJECT_BYTES        bytes of one stored object (1572864)
  PATCHYARD_WORKSPACE_WATCHES   watches on one workspace at a time (32)
  PATCHYARD_WORKSPACE_RATE      requests a second to one workspace, in each process; 0 is without bounds (1000)
  PATCHYARD_WORKSPACE_DAYS      days after which a workspace is deleted that nobody wrote to; 0 is never (0)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with `arguments` (the process's own if None) and return its exit status."""
    speak_utf8()
    collect_seldom()
    try:
        config = config_from(os.environ)
    except BadSetting as error:
        complain(str(error))
        return WRONG_USE
    arguments = sys.argv[1:] if arguments is None else arguments
    asked = tuple(each for each in arguments[:1] if each in COMMANDS)
    parser = _parser(config, asked or COMMANDS)
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


def _parser(config: Config, names: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "patchyard", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    for name in names:
        import_module(f"web.cli.{name.replace('-', '_')}").register(commands, config)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"patchyard {version('patchyard')}")
        parser.exit()
