"""`patchyard replay`: a scenario checked, or recorded scenarios answered."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import UTC, datetime
from json import JSONDecodeError
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.generate.exact import render_exactly
from engine.replay import Exact, replay
from engine.value.codec import parse_yaml, render_json
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import put
from web.cli.reading import WrongUse, reader_for
from web.config import Config

if TYPE_CHECKING:
    from web.scenario import Checked

DESCRIPTION = """\
Play the writes of a scenario, as the page exports one, and say where their codes, results or owners are not those
that the file expects. A FILE of JSON lines is taken for recorded scenarios: a line is printed for each, with what the
engine answers."""


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "replay",
        "check a scenario, or answer recorded ones",
        DESCRIPTION,
        "patchyard replay conflict.yaml",
        "something came otherwise than the scenario expects",
    )
    parser.add_argument("file", metavar="FILE", help="the scenario, or the scenarios; - is standard input")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print what came, and return the exit status."""
    reader = reader_for(config)
    text = reader.text(options.file, "file of scenarios")
    return _check(text, options.file, config) if _is_one_document(text) else _answer(text, options.file)


def _is_one_document(text: str) -> bool:
    """True for YAML, whose first line that says something is no JSON object."""
    first = next((line.lstrip() for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    return bool(first) and not first.startswith("{") and ":" in first


def _check(text: str, name: str, config: Config) -> int:
    from web.scenario import NoScenario, check_scenario  # what a check needs takes long to load

    limits = config.limits
    failed = steps = 0
    try:
        for checked in check_scenario(parse_yaml(text, limits), limits, datetime.now(UTC)):
            put("\n".join(_lines(checked)))
            failed, steps = failed + bool(checked.differences), steps + 1
    except (NoScenario, EngineError) as error:
        raise WrongUse(f"{name!r} is no scenario: {error}") from error
    put(
        f"{steps} {'step' if steps == 1 else 'steps'}, "
        + (f"{failed} not as expected" if failed else "all as expected")
    )
    return FOUND if failed else NOTHING


def _lines(checked: Checked) -> Iterable[str]:
    mark = "DIFFERS" if checked.differences else "ok"
    yield f"{mark:8}step {checked.number}: {checked.title}, {checked.code}"
    for each in checked.differences:
        yield f"        {each.place}: expected {each.expected}, got {each.got}"


def _answer(text: str, name: str) -> int:
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            for answer in replay([line]):
                put(render_exactly(answer) if isinstance(answer, Exact) else render_json(answer))
        except (KeyError, TypeError, ValueError, EngineError) as error:
            raise WrongUse(f"line {number} of {name!r} is no scenario: {_why(error)}") from error
    return NOTHING


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]!r}"
    if isinstance(error, JSONDecodeError):
        return f"it is no JSON ({error.msg} at column {error.colno})"
    return "expected an object with id and what is asked" if isinstance(error, TypeError) else str(error)
