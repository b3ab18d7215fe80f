"""Hold the engine against recorded answers of a real API server.

`python -m tests.conformance.comparison [--live] [SUITE ...]` prints the first difference per scenario, and the table.

Rules: answers are exact, JSON types kept apart (1 is not 1.0 and not true). Of a refusal, the order of the causes and
of the parts of the message is left out, and so are whole objects that the message spells: the reference leaves these
to chance. README.md beside this file tells the form of the recordings.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine.replay import replay
from engine.value.codec import render_json

FOLDER = Path(__file__).parent
EXACT = FOLDER / "exact.txt"
SUITES = tuple(sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.jsonl.gz")))

Json = Any


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where an answer is not as it was recorded; `step` counts from 0."""

    step: int
    path: str
    recorded: Json
    got: Json

    def __str__(self) -> str:
        recorded, got = (json.dumps(each, ensure_ascii=False)[:300] for each in (self.recorded, self.got))
        return f"step {self.step}, {self.path or '/'}: recorded {recorded}, got {got}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the engine did in one scenario: steps in all, steps exact, and where it went wrong first."""

    id: str
    steps: int
    steps_exact: int
    first: Difference | None

    @property
    def exact(self) -> bool:
        """True if every step is."""
        return self.first is None


@cache
def recorded(suite: str) -> tuple[tuple[Json, ...], tuple[Json, ...]]:
    """Return the definitions and the scenarios of a suite. They must not be changed."""
    with gzip.open(FOLDER / f"{suite}.jsonl.gz", "rt") as lines:
        items = [json.loads(line) for line in lines]
    return tuple(each for each in items if "id" not in each), tuple(each for each in items if "id" in each)


def outcomes(suite: str, *, live: bool = False, chunk: int = 0, chunks: int = 1) -> list[Outcome]:
    """Return how the engine does in every `chunks`-th scenario of a suite, from the scenario `chunk` on.

    live: the engine is given the recorded object before each request, so that a wrong step does not spoil the next.
    """
    definitions, scenarios = recorded(suite)
    wanted = scenarios[chunk::chunks]
    questions = [json.dumps(question(each, live)) for each in wanted]
    answers = _answers([json.dumps(each) for each in definitions], questions)
    return [_outcome(scenario, answer) for scenario, answer in zip(wanted, answers, strict=True)]


def _answers(definitions: list[str], questions: list[str]) -> Iterator[Json]:
    """Yield an answer to each question; where the engine raises, what it raised."""
    todo = list(questions)
    while todo:
        answered = 0
        try:
            for answer in replay([*definitions, *todo]):
                yield json.loads(render_json(answer))
                answered += 1
        except Exception as error:
            yield {"raised": f"{type(error).__name__}: {error}"}
            answered += 1
        todo = todo[answered:]


def _outcome(scenario: Json, answer: Json) -> Outcome:
    pairs = list(_pairs(scenario, answer))
    found = [(step, first_difference(normal(want), normal(got))) for step, want, got in pairs]
    wrong = [Difference(step, *each) for step, each in found if each is not None]
    return Outcome(scenario["id"], len(pairs), len(pairs) - len(wrong), wrong[0] if wrong else None)


def _pairs(scenario: Json, answer: Json) -> Iterator[tuple[int, Json, Json]]:
    """Yield each step that counts, with its answer as it was recorded and as it is."""
    if "steps" not in scenario:
        yield 0, scenario["want"], answer.get("got", answer)
        return
    got = answer.get("steps", [])
    for index, step in enumerate(scenario["steps"]):
        if "schema" not in step["request"]:
            yield index, step["response"], got[index]["response"] if index < len(got) else answer


def first_difference(want: Json, got: Json, path: str = "") -> tuple[str, Json, Json] | None:
    """Return (path, recorded, got) of the first place where two JSON values differ, or None."""
    if type(want) is not type(got):
        return path, want, got
    if not isinstance(want, (dict, list)):
        return None if want == got else (path, want, got)
    left, right = (each if isinstance(each, dict) else dict(enumerate(each)) for each in (want, got))
    for step in sorted(left.keys() | right.keys()):
        where = f"{path}/{step}"
        if step not in left or step not in right:
            return where, left.get(step, "(absent)"), right.get(step, "(absent)")
        found = first_difference(left[step], right[step], where)
        if found is not None:
            return found
    return None


_TEXT, _WHOLE = r'"(?:[^"\\]|\\.)*"', r"[\[{].*?[\]}]"
_SPELLED = re.compile(rf"\b(Invalid|Duplicate) value: ({_TEXT}|{_WHOLE})(?=: |$|,|\])", re.DOTALL)
_LONGEST_COMPARED = 60
_SEPARATORS = re.compile(r"[\[\]\n]|, ")


def normal(answer: Json) -> Json:
    """Return an answer without what does not count of a refusal."""
    body = answer.get("body") if isinstance(answer, dict) else None
    if not isinstance(body, dict) or answer.get("code", 0) < 400:
        return answer
    body = dict(body)
    if isinstance(body.get("message"), str):
        body["message"] = sorted(_SEPARATORS.split(_without_wholes(body["message"])))
    details = body.get("details")
    if isinstance(details, dict) and details.get("causes"):
        causes = ({**cause, "message": _without_wholes(cause.get("message", ""))} for cause in details["causes"])
        body["details"] = {**details, "causes": sorted(causes, key=json.dumps)}
    return {**answer, "body": body}


def _without_wholes(text: str) -> str:
    """Return a message without the long values that it spells, in whichever notation."""
    return _SPELLED.sub(
        lambda match: match[0] if len(match[2]) <= _LONGEST_COMPARED else f"{match[1]} value: ...", text
    )


def question(scenario: Json, live: bool) -> Json:
    """Return a scenario as the engine gets it: without its answers; with `live`, with the objects that they left."""
    if "steps" not in scenario:
        return {name: value for name, value in scenario.items() if name != "want"}
    steps = _live_steps(scenario) if live else ({"request": step["request"]} for step in scenario["steps"])
    return {**scenario, "steps": list(steps)}


def _live_steps(scenario: Json) -> Iterator[Json]:
    """Yield the requests, each with the object before it and the numbers that new tokens get."""
    before: Json = None
    known, tokens = True, _NextTokens()
    for step in scenario["steps"]:
        request, response = step["request"], step["response"]
        if "schema" in request or "path" in request:
            yield {"request": request}
            continue
        tokens.note(request)
        yield {"request": request, "next": tokens.numbers(), **({"live": before} if known else {})}
        tokens.note(response)
        if response["code"] in (200, 201) and "dryRun" not in request["query"]:
            before, known = _after(scenario, request, response["body"], before, known)


def _after(scenario: Json, request: Json, body: Json, before: Json, known: bool) -> tuple[Json, bool]:
    """Return the object after a request that was granted, and whether the answer tells it at all."""
    if request["method"] == "DELETE":
        return None, True
    if isinstance(body, dict) and body.get("kind") == scenario["kind"]:
        return body, True
    return before, known and request["method"] == "GET"  # what a write through scale made of it shows only later


class _NextTokens:
    """Which number the next new resourceVersion and uid of a scenario get."""

    def __init__(self) -> None:
        self._next = {"rv": 0, "uid": 0}

    def note(self, value: Json) -> None:
        """Count the tokens of a request or an answer."""
        for kind, number in re.findall(r'"(rv|uid)(\d+)', json.dumps(value)):
            self._next[kind] = max(self._next[kind], int(number) + 1)

    def numbers(self) -> dict[str, int]:
        """Return the numbers as they are now."""
        return dict(self._next)


def exact_ids() -> frozenset[str]:
    """Return the scenarios that are known to be exact."""
    return frozenset(EXACT.read_text().split())


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table; a suite's chunks add up."""

    suite: str
    scenarios: int
    exact: int
    steps: int
    steps_exact: int
    steps_exact_live: int


def row(suite: str, plain: Iterable[Outcome], live: Iterable[Outcome]) -> Row:
    """Return what some outcomes of a suite, and those of the same scenarios with `live`, come to."""
    plain = list(plain)
    return Row(
        suite,
        len(plain),
        sum(each.exact for each in plain),
        sum(each.steps for each in plain),
        sum(each.steps_exact for each in plain),
        sum(each.steps_exact for each in live),
    )


def table(rows: Iterable[Row]) -> list[str]:
    """Return the lines of the table, rows of one suite added up."""
    counts: dict[str, list[int]] = {}
    for each in rows:
        numbers = [each.scenarios, each.exact, each.steps, each.steps_exact, each.steps_exact_live]
        counts[each.suite] = [a + b for a, b in zip(counts.get(each.suite, [0] * 5), numbers, strict=True)]
    lines = [f"{'suite':<12}{'scenarios exact':>18}{'steps exact':>18}{'with --live':>14}"]
    for suite, (scenarios, exact, steps, steps_exact, with_live) in sorted(counts.items()):
        shown = f"{f'{exact} of {scenarios}':>18}{f'{steps_exact} of {steps}':>18}{with_live:>14}"
        lines.append(f"{suite:<12}{shown}")
    return lines


def main() -> None:
    """Print the first difference of each scenario, and the table."""
    parser = argparse.ArgumentParser(description="Compare the engine with recorded answers of a real API server.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="one of " + ", ".join(SUITES) + " (default: all)")
    parser.add_argument("--live", action="store_true", help="show the differences that remain with the recorded object")
    options = parser.parse_args()
    rows = []
    for suite in options.suites or SUITES:
        plain, live = outcomes(suite), outcomes(suite, live=True)
        for each in live if options.live else plain:
            if each.first is not None:
                print(f"{each.id}: {each.first}")
        rows.append(row(suite, plain, live))
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
