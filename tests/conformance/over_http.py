"""Hold the server against the recordings, request by request over HTTP, and count as in process.

`python -m tests.conformance.over_http [--chunks N] [SUITE ...]` prints the scenarios in which the two ways differ, and
how many are exact in each. Every scenario gets a workspace of its own. What the server makes up, uids and revisions,
is translated to what `engine.replay` would have made up.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from threading import Thread
from typing import Any
from urllib.parse import urlencode

from engine.apiserver.request import Request, Response
from engine.apiserver.watching import Event
from engine.replay import USER_AGENT, Scenario
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.value.codec import render_json
from tests.conformance.comparison import Outcome, _outcome, outcomes, recorded
from web.app import create_app
from web.config import Config
from web.serving.server import SiteServer, listen

SUITES = ("builtin", "cel", "collection", "crd", "managers", "smp", "status", "topology")
BEGINNING = datetime(2030, 1, 1, tzinfo=UTC)
OFFSET = 950_000_000
"""What is added to the server's revisions, so that they look like those of a replay."""

_UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_MADE_UP = re.compile(r"00000000-0000-4000-8000-\d{12}")
_REVISION = re.compile(r'(\\*"resourceVersion\\*": ?\\*")(\d+)(\\*")')
"""Also where an object is quoted in a message."""
_TOLD_REVISION = re.compile(r"\b95\d{7}\b")
DEFINITIONS = "apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Moment:
    """The clock of the server: the step that is answered now."""

    step = 0

    def __call__(self) -> datetime:
        return BEGINNING + timedelta(seconds=self.step)


class Site:
    """A server, and a connection to it."""

    def __init__(self, connection: HTTPConnection, clock: Moment) -> None:
        self.connection, self.clock = connection, clock
        self.workspaces = 0

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, list[str]]:
        """Return the code, the body and the warnings of an answer."""
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        warnings = [
            text.removeprefix('299 - "')[:-1].replace('\\"', '"').replace("\\\\", "\\")
            for text in answer.headers.get_all("Warning", [])
        ]
        return answer.status, answer.read(), warnings


@contextmanager
def served() -> Iterator[Site]:
    """Serve with a clock that stands at the step."""
    clock, listening = Moment(), listen("127.0.0.1", 0)
    app = create_app(Config(workspace_rate=0, workspaces=10**6, open=1, log="none"), clock)
    server = SiteServer(listening, app, 12, None)
    server.prepare()
    Thread(target=server.serve, daemon=True).start()
    connection = HTTPConnection(*listening.getsockname()[:2], timeout=60)
    try:
        yield Site(connection, clock)
    finally:
        connection.close()
        server.stop()


class HttpScenario(Scenario):
    """A scenario whose requests go over HTTP, to a workspace of its own. It is the server that it asks."""

    def __init__(self, scenario: Any, catalog: Catalog, definition: Any, site: Site) -> None:
        super().__init__(scenario, catalog)
        self._site, self._uids, self._made = site, dict[str, str](), dict[str, str]()
        site.workspaces += 1
        self._base = f"/w/s{site.workspaces}"
        self.catalog = catalog
        self.server = self  # type: ignore[assignment]
        site.clock.step = 0
        if definition is not None:
            self._define(definition)

    def _define(self, definition: Any) -> None:
        """Make a definition, or change it where there is one."""
        name = definition["metadata"]["name"]
        headers = {"Content-Type": "application/json"}
        code, there, _ = self._site.ask("GET", f"{self._base}/{DEFINITIONS}/{name}", None, headers)
        body = json.dumps(definition)
        method, path = "POST", f"{self._base}/{DEFINITIONS}"
        if code == 200:
            version = json.loads(there)["metadata"]["resourceVersion"]
            changed = {**definition, "metadata": {**definition["metadata"], "resourceVersion": version}}
            method, path, body = "PUT", f"{path}/{name}", json.dumps(changed)
        code, told, _ = self._site.ask(method, path, body.encode(), headers)
        assert code in (200, 201), told

    def handle(self, request: Request) -> Response:
        """Return the server's answer to a request."""
        code, text, warnings = self._sent(request, {})
        return Response(code, json.loads(self._translated(text)), tuple(map(self._translated_text, warnings)))

    def collection(self, request: Request) -> HttpWatch:
        """Return a watch."""
        _, text, _ = self._sent(request, {"watch": "1", "timeoutSeconds": "-1"})
        return HttpWatch([json.loads(line) for line in self._translated(text).splitlines() if line])

    def _answer(self, step: Any) -> Any:
        self._site.clock.step = self.step
        if "schema" in step["request"]:
            self._define(self.scenario["crd_after"])
        return super()._answer(step)

    def _sent(self, request: Request, more: dict[str, str]) -> tuple[int, bytes, list[str]]:
        query = urlencode({**request.query, **more})
        path = f"{self._path(request)}?{query}" if query else self._path(request)
        body = request.body
        if body is not None and not isinstance(body, str):
            body = render_json(body)
        data = self._untranslated(body).encode("utf-8", "surrogatepass") if isinstance(body, str) else None
        headers = {"Content-Type": request.content_type or "application/json", "User-Agent": USER_AGENT}
        return self._site.ask(request.method, self._untranslated(path), data, headers)

    def _path(self, request: Request) -> str:
        info = self.catalog.kind(request.gvk)
        gvk = request.gvk
        steps = [self._base.strip("/"), *(("apis", gvk.group) if gvk.group else ("api",)), gvk.version]
        if info is not None and info.namespaced:
            steps += ["namespaces", request.namespace]
        steps.append(info.resource if info is not None else self.scenario["resource"])
        if request.name and request.method != "POST":
            steps.append(request.name)
        return "/" + "/".join(filter(None, (*steps, request.subresource)))

    def _translated(self, text: bytes) -> str:
        return self._translated_text(
            _REVISION.sub(lambda found: f"{found[1]}{OFFSET + int(found[2])}{found[3]}", text.decode())
        )

    def _translated_text(self, text: str) -> str:
        return _UID.sub(lambda found: self._uid(found[0]), text)

    def _uid(self, actual: str) -> str:
        if _MADE_UP.fullmatch(actual):
            return actual
        if actual not in self._uids:
            self._uids[actual] = self.tokens.new_uid()
            self._made[self._uids[actual]] = actual
        return self._uids[actual]

    def _untranslated(self, text: str) -> str:
        text = _MADE_UP.sub(lambda found: self._made.get(found[0], found[0]), text)
        return _TOLD_REVISION.sub(lambda found: str(int(found[0]) - OFFSET), text)


class HttpWatch:
    """What a watch told."""

    def __init__(self, told: list[Any]) -> None:
        self._told = told

    def past_events(self) -> tuple[list[Event], int]:
        """Return the events."""
        return [Event(each["type"], each["object"]) for each in self._told], 0


def outcomes_over_http(suite: str, chunk: int = 0, chunks: int = 1) -> list[Outcome]:
    """Return how the server does in every `chunks`-th scenario of a suite; see comparison.outcomes."""
    definitions, scenarios = recorded(suite)
    by_name = {each["crd"]["metadata"]["name"]: each["crd"] for each in definitions if "crd" in each}
    catalog = builtin_catalog()
    for definition in by_name.values():
        catalog = catalog.with_kinds(kinds_of_definition(definition))
    found = []
    with served() as site:
        for scenario in scenarios[chunk::chunks]:
            asked = HttpScenario(scenario, catalog, by_name.get(scenario.get("crd") or ""), site)
            answer = {"id": scenario["id"], "steps": list(asked.answers())}
            found.append(_outcome(scenario, json.loads(render_json(answer))))
    return found


def main() -> None:
    """Compare both ways, and print where they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", default=list(SUITES), metavar="SUITE")
    parser.add_argument("--chunks", type=int, default=1, help="take every N-th scenario only")
    options = parser.parse_args()
    for suite in options.suites:
        inside = outcomes(suite, chunks=options.chunks)
        outside = outcomes_over_http(suite, chunks=options.chunks)
        for there, here in zip(outside, inside, strict=True):
            if str(there.first) != str(here.first):
                print(f"{there.id}\n  over HTTP   {there.first}\n  in process  {here.first}")
        counts = (sum(each.exact for each in found) for found in (outside, inside))
        print(f"{suite}: {len(inside)} scenarios, exact over HTTP {next(counts)}, in process {next(counts)}")


if __name__ == "__main__":
    main()
