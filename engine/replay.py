"""Recorded scenarios in, the engine's answers out: `python -m engine.replay`.

Reads JSON lines from standard input and writes one line per scenario. The form is told in tests/conformance/README.md.
Times, resourceVersions and uids stand as tokens (`t3`, `rv0`, `uid0`): `Tokens` translates them to what a server works
with, and back.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.apiserver.request import Request
from engine.apiserver.server import APIServer
from engine.apiserver.storage import MemoryStore
from engine.clientapply.client import ClientApply
from engine.errors import EngineError
from engine.generate.exact import render_exactly
from engine.generate.generate import generate
from engine.generate.model import Format, Generated, Order
from engine.json_patch.options import Fewest, Options
from engine.meta.gvk import GroupVersionKind, gvk_of
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.value.codec import parse_yaml, render_json
from engine.value.model import Object, Value

USER_AGENT = "recorder/1.0 (linux)"
NAMESPACE = "default"

_FIRST_REVISION = 900_000_000
_TOKEN = re.compile(r"t\d+|rv\d+|uid\d+")
_ACTUAL = re.compile(r"2030-01-01T\d\d:\d\d:\d\dZ|9\d{8}|00000000-0000-4000-8000-\d{12}")
_TOKEN_IN_TEXT = re.compile(r"\b(?:t|rv|uid)\d+\b")


@dataclass
class Tokens:
    """The two ways between tokens and what stands for them in one scenario.

    seen counts, per kind, the tokens so far; what is new in an answer gets the next number.
    """

    actual: dict[str, str] = field(default_factory=dict)
    token: dict[str, str] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=lambda: {"rv": 0, "uid": 0})
    uids: int = 0

    def new_uid(self) -> str:
        """Return an identifier that no other object has."""
        self.uids += 1
        return f"00000000-0000-4000-8000-{self.uids:012}"

    def decode(self, value: Value, store: MemoryStore) -> Value:
        """Return a value of a request with its tokens replaced by what they stand for."""
        if isinstance(value, str):
            return self._decode_text(value, store)
        if isinstance(value, list):
            return [self.decode(item, store) for item in value]
        if isinstance(value, dict):
            return {name: self.decode(member, store) for name, member in value.items()}
        return value

    def _decode_text(self, text: str, store: MemoryStore) -> str:
        if _TOKEN.fullmatch(text):
            return self._stands_for(text, store)
        if text[:1] in "{[" and "metadata" in text:
            return _TOKEN_IN_TEXT.sub(lambda match: self._stands_for(match[0], store), text)
        return text

    def _stands_for(self, token: str, store: MemoryStore) -> str:
        if token[0] == "t":
            return moment(int(token[1:]))
        if token not in self.actual:
            kind = "rv" if token[0] == "r" else "uid"
            self._bind(token, self.new_uid() if kind == "uid" else str(store.next_revision()))
            self.seen[kind] = max(self.seen[kind], int(token.removeprefix(kind)) + 1)
        return self.actual[token]

    def _bind(self, token: str, actual: str) -> None:
        self.actual[token], self.token[actual] = actual, token

    def encode(self, value: Value) -> Value:
        """Return a value of an answer with tokens in it."""
        if isinstance(value, str):
            return _ACTUAL.sub(lambda match: self._token_for(match[0]), value)
        if isinstance(value, list):
            return [self.encode(item) for item in value]
        if isinstance(value, dict):
            return {name: self.encode(member) for name, member in value.items()}
        return value

    def _token_for(self, actual: str) -> str:
        if actual.startswith("2030"):
            hours, minutes, seconds = map(int, actual[11:19].split(":"))
            return f"t{hours * 3600 + minutes * 60 + seconds}"
        if actual not in self.token:
            kind = "rv" if "-" not in actual else "uid"
            self._bind(f"{kind}{self.seen[kind]}", actual)
            self.seen[kind] += 1
        return self.token[actual]


def moment(step: int) -> str:
    """Return the fixed time of a step."""
    return f"2030-01-01T{step // 3600 % 24:02}:{step // 60 % 60:02}:{step % 60:02}Z"


class Scenario:
    """One scenario: a server of its own, and its steps answered one by one."""

    def __init__(self, scenario: Object, catalog: Catalog) -> None:
        self.scenario = scenario
        self.store = MemoryStore(_FIRST_REVISION)
        self.tokens = Tokens()
        self.step = 0
        self.page = ""
        self.server = APIServer(catalog, lambda: moment(self.step), self.tokens.new_uid, self.store)

    def answers(self) -> Iterator[Object]:
        """Yield the answer to each step."""
        for number, step in enumerate(self.scenario["steps"]):
            self.step = number
            yield {"response": self._answer(step)}

    def _answer(self, step: Object) -> Object:
        request = step["request"]
        if "schema" in request:
            kinds = kinds_of_definition(self.scenario["crd_after"])
            self.server.catalog = self.server.catalog.with_kinds(kinds)
            return {"code": 0, "body": None}
        if "path" in request:
            return self._collection_answer(request)
        self.tokens.seen |= step.get("next", {})
        if "live" in step:
            self._load(step["live"])
        response = self.server.handle(self._request(request))
        answer: Object = {"code": response.code, "body": self.tokens.encode(response.body)}
        if response.warnings:
            answer["warnings"] = self.tokens.encode(list(response.warnings))
        return answer

    def _collection_answer(self, request: Object) -> Object:
        """The answer to a step that names a path in the namespace instead of the scenario's one object."""
        asked = self._path_request(request)
        if request.get("watch"):
            events, _ = self.server.collection(asked).past_events()
            return {"code": 200, "body": [self.tokens.encode(event.as_object()) for event in events]}
        response = self.server.handle(asked)
        body = response.body
        if isinstance(body, dict) and str(body.get("kind", "")).endswith("List"):
            self.page = body["metadata"].get("continue", self.page)
            metadata = {**body["metadata"], "resourceVersion": "list"}
            if "continue" in metadata:
                metadata["continue"] = "continue"
            body = {**body, "metadata": metadata}
        answer: Object = {"code": response.code, "body": self.tokens.encode(body)}
        if response.warnings:
            answer["warnings"] = self.tokens.encode(list(response.warnings))
        return answer

    def _path_request(self, request: Object) -> Request:
        resource, _, name = request["path"].partition("/")
        kinds = self.server.catalog.kinds.values()
        gvk = next(i.gvk for i in kinds if i.resource == resource and i.gvk.kind == self.scenario["kind"])
        query = {
            key: self.page if (key, value) == ("continue", "continue") else str(self.tokens.decode(value, self.store))
            for key, value in request.get("query", {}).items()
        }
        return Request(
            method=request["method"],
            gvk=gvk,
            name=name,
            namespace=NAMESPACE,
            content_type=request.get("contentType", ""),
            body=self.tokens.decode(request.get("body"), self.store),
            query=query,
            user_agent=USER_AGENT,
        )

    def _gvk(self, request: Object) -> GroupVersionKind:
        scenario = self.scenario
        return GroupVersionKind(scenario["group"], request.get("version") or scenario["version"], scenario["kind"])

    def _request(self, request: Object) -> Request:
        body = self.tokens.decode(request.get("body"), self.store)
        return Request(
            method=request["method"],
            gvk=self._gvk(request),
            name=self.scenario["name"],
            namespace=NAMESPACE if self.scenario["namespaced"] else "",
            subresource=request.get("subresource", ""),
            content_type=request.get("contentType", ""),
            body=body,
            query=request.get("query", {}),
            user_agent=USER_AGENT,
        )

    def _load(self, live: Object | None) -> None:
        """Hold `live` before the next request, whatever the steps before came to."""
        info = self.server.catalog.kind(self._gvk(self.scenario))
        assert info is not None
        key = self.server.key(info, NAMESPACE, self.scenario["name"])
        obj = self.tokens.decode(live, self.store)
        assert obj is None or isinstance(obj, dict)
        self.store.load(key, obj)


def read_yaml_spec(text: str) -> Object:
    """Return the `spec` of a YAML document, or that it cannot be read."""
    try:
        value = parse_yaml(text)
    except EngineError:
        return {"error": True}
    return {"spec": value.get("spec") if isinstance(value, dict) else None}


def sent_by_kubectl(case: Object, catalog: Catalog) -> Object:
    """Return the request by which kubectl apply brings `live` in line with `manifest`, a YAML text."""
    if "crd" in case:
        catalog = catalog.with_kinds(kinds_of_definition(case["crd"]))
    manifest = parse_yaml(case["manifest"])
    assert isinstance(manifest, dict)
    info = catalog.kind(gvk_of(manifest))
    assert info is not None
    sent = ClientApply(info, NAMESPACE if info.namespaced else "").request(case["live"], manifest)
    return {"contentType": sent.content_type or None, "patch": sent.body}


class Exact(dict[str, Any]):
    """An answer whose numbers are written as they are, and not as a server would write them."""


def generated(case: Object, catalog: Catalog) -> Object:
    """Return the patch that a `generate` line asks for, or the sentence why there is none in its format."""
    options = Options(fewest=Fewest(case.get("fewest") or Fewest.OPERATIONS.value))
    wanted = Format(case.get("format") or Format.JSON_PATCH.value)
    answer = generate(Order(case["before"], case["after"], wanted, options, catalog=catalog))
    return {"patch": answer.patch} if isinstance(answer, Generated) else {"impossible": answer.reason}


def replay(lines: Iterable[str]) -> Iterator[Object]:
    """Yield the answer to each scenario; a `crd` line holds for all scenarios after it."""
    catalog = builtin_catalog()
    for line in lines:
        if not line.strip():
            continue
        item: Any = json.loads(line)
        if "steps" in item:
            yield {"id": item["id"], "steps": list(Scenario(item, catalog).answers())}
        elif "threeway" in item:
            yield {"id": item["id"], "got": sent_by_kubectl(item["threeway"], catalog)}
        elif "generate" in item:
            yield Exact(id=item["id"], got=generated(item["generate"], catalog))
        elif "yaml" in item:
            yield {"id": item["id"], "got": read_yaml_spec(item["yaml"])}
        elif "crd" in item and "id" not in item:
            catalog = catalog.with_kinds(kinds_of_definition(item["crd"]))


def main() -> None:
    """Answer standard input on standard output."""
    for answer in replay(sys.stdin):
        text = render_exactly(answer) if isinstance(answer, Exact) else render_json(answer)
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
