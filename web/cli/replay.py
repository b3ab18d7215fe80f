"""`patchyard replay`: recorded scenarios in, the engine's answers out."""

from __future__ import annotations

import argparse
from json import JSONDecodeError

from engine.errors import EngineError
from engine.generate.exact import render_exactly
from engine.replay import Exact, replay
from engine.value.codec import render_json
from web.cli.parsing import NOTHING, Commands, add_command
from web.cli.printing import put
from web.cli.reading import Reader, WrongUse
from web.config import Config


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "replay",
        "answer recorded scenarios",
        "Print a line of JSON for each scenario of FILE, a JSON document a line; - is standard input.",
        "patchyard replay scenarios.jsonl > answers.jsonl",
    )
    parser.add_argument("file", metavar="FILE", help="the scenarios")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the answers, and return the exit status."""
    for number, line in enumerate(Reader().text(options.file, "file of scenarios").split("\n"), start=1):
        try:
            for answer in replay([line]):
                put(render_exactly(answer) if isinstance(answer, Exact) else render_json(answer))
        except (KeyError, TypeError, ValueError, EngineError) as error:
            raise WrongUse(f"line {number} of {options.file!r} is no scenario: {_why(error)}") from error
    return NOTHING


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    if isinstance(error, JSONDecodeError):
        return f"it is no JSON ({error.msg} at column {error.colno})"
    return "expected an object with id and what is asked" if isinstance(error, TypeError) else str(error)
