"""The ways in. Each takes an input that chance made, and raises Broken, or what it should not, where it breaks."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from random import Random
from typing import Any
from urllib.parse import quote

from flask.testing import FlaskClient

from engine.errors import EngineError
from engine.evaluation import Write, WriteKind, evaluate
from engine.explanation import explain
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.fieldpath.path_text import parse_paths, render_paths
from engine.generate.generate import generate
from engine.generate.model import Format, Order
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.operation import Dialect
from engine.json_patch.trace import differences, trace
from engine.schema.structural import MalformedDefinition
from engine.value.codec import parse_json, parse_yaml_stream, render_json, render_yaml
from engine.value.equality import equal
from engine.value.limits import check_shape
from engine.value.model import Value
from tests.fuzz import seeds
from tests.fuzz.mutation import some_value, spoiled_text, spoiled_value
from tests.fuzz.raw_http import raw_http
from web.app import create_app
from web.config import Config
from web.shapes import definition_faults, object_faults

NOW = datetime(2030, 1, 1, tzinfo=UTC)
OURS = ("made Patchyard itself fail", "Patchyard failed", "Traceback (most recent call last)")
"""What an answer says where the fault is Patchyard's own."""
REFERENCE_500 = ("apply-patch+yaml", "strategic-merge-patch+json")
"""Patches of which the reference refuses some with 500: those that do not fit the schema."""
Entry = Callable[[Random], None]


class Broken(AssertionError):
    """An answer that must not be."""


def yaml_text(random: Random) -> None:
    """A YAML text; what can be read can be written, and read again."""
    text = spoiled_text(random, random.choice(seeds.texts()), seeds.texts())
    with suppress(EngineError):
        for document in parse_yaml_stream(text):
            [again] = parse_yaml_stream(render_yaml(document.value)) or [document]
            if not equal(again.value, document.value):
                raise Broken(f"read again it is {again.value!r}")


def json_text(random: Random) -> None:
    """A JSON text; what can be read can be written, and read again."""
    text = spoiled_text(random, random.choice(seeds.JSON + (render_json(seeds.DEFINITION),)), seeds.texts())
    with suppress(EngineError):
        value = parse_json(text)
        written = render_json(value)
        again = parse_json(written)
        # A float beyond 2**53 is written in digits, as the reference does, and read as the integer that they spell.
        if not equal(again, value) and render_json(again) != written:
            raise Broken("read again it is another")


def fields_v1(random: Random) -> None:
    """A set of fields, read and written in both spellings."""
    with suppress(EngineError):
        found = decode_fields_v1(spoiled_value(random, seeds.FIELDS))
        encode_fields_v1(found)
        render_paths(found)


def path_text(random: Random) -> None:
    """Paths as people write them."""
    with suppress(EngineError):
        parse_paths(spoiled_text(random, seeds.PATHS, seeds.texts()))


def json_patch(random: Random) -> None:
    """A JSON Patch, in both dialects, traced and compared."""
    document, patch = random.choice(seeds.objects()), spoiled_value(random, seeds.PATCH)
    for dialect in Dialect:
        with suppress(EngineError):
            apply_json_patch(document, patch, dialect)
        with suppress(EngineError):
            trace(document, patch, dialect)
    for each in differences(document, patch):
        str(each.told)


def write(random: Random) -> None:
    """A write of any kind to any object, with what is known of it; each part may be spoiled."""
    live = random.choice(seeds.objects())
    body = live if random.random() < 0.7 else random.choice(seeds.objects())
    kind = random.choice(list(WriteKind))
    if kind is WriteKind.JSON_PATCH:
        body = seeds.PATCH
    live = spoiled_value(random, live) if random.random() < 0.3 else live
    crds = [spoiled_value(random, seeds.DEFINITION) if random.random() < 0.5 else seeds.DEFINITION]
    wanted = Write(
        kind,
        live if isinstance(live, dict) else None,
        spoiled_value(random, body),
        tuple(each for each in crds if isinstance(each, dict)) if random.random() < 0.5 else (),
        random.choice(("", "ci", "é", "x" * 200)),
        random.random() < 0.3,
        random.random() < 0.1,
        random.choice(("", "", "", "status", "scale")),
        random.choice(("Warn", "Strict", "Ignore")),
    )
    if _unreadable(wanted):
        return
    with suppress(MalformedDefinition):
        done = evaluate(wanted, now=NOW, new_uid=lambda: "u")
        if done.code < 300:
            explain(wanted, done)


def definitions(random: Random) -> None:
    """A definition of a custom resource, spoiled two or three times, and writes to an object of its kind."""
    definition: Value = seeds.DEFINITION
    for _ in range(random.choice((2, 3))):
        definition = spoiled_value(random, definition)
    if not isinstance(definition, dict):
        return
    thing = seeds.THING if random.random() < 0.5 else spoiled_value(random, seeds.THING)
    for kind in (WriteKind.CREATE, WriteKind.APPLY, WriteKind.UPDATE):
        wanted = Write(kind, None, thing, (definition,), "ci")
        if _unreadable(wanted):
            return
        with suppress(MalformedDefinition):
            done = evaluate(wanted, now=NOW, new_uid=lambda: "u")
            if done.code < 300 and done.after is not None:
                evaluate(replace(wanted, live=done.after, body=seeds.THING), now=NOW, new_uid=lambda: "u")


def kinds(random: Random) -> None:
    """An object of any built-in kind, created and then written again, to itself or to a part; each may be spoiled."""
    thing = random.choice(seeds.built_in())
    sent = spoiled_value(random, thing) if random.random() < 0.5 else thing
    live = sent if isinstance(sent, dict) else thing
    created = Write(WriteKind.CREATE, None, sent, (), "ci")
    if not _unreadable(created):
        live = evaluate(created, now=NOW, new_uid=lambda: "u").after or live
    for _ in range(2):
        kind = random.choice((WriteKind.UPDATE, WriteKind.APPLY, WriteKind.JSON_MERGE, WriteKind.STRATEGIC_MERGE))
        part = random.choice(("", "status", "status", "scale"))
        body = spoiled_value(random, random.choice((live, thing, *seeds.STATUSES)))
        wanted = Write(kind, live, body, (), "ci", force=True, subresource=part)
        if not _unreadable(wanted):
            evaluate(wanted, now=NOW, new_uid=lambda: "u")


def patches(random: Random) -> None:
    """A merge patch and a strategic merge patch, spoiled, of an object that is sound."""
    live = random.choice(seeds.objects())
    body = spoiled_value(random, random.choice((live, *seeds.DIRECTIVES)))
    for kind in (WriteKind.JSON_MERGE, WriteKind.STRATEGIC_MERGE):
        wanted = Write(kind, live, body, (seeds.DEFINITION,), "ci")
        if not _unreadable(wanted):
            evaluate(wanted, now=NOW, new_uid=lambda: "u")


def _unreadable(wanted: Write) -> bool:
    """True for what every front refuses before the engine gets it; the entry `pages` sees to that."""
    try:
        for value in (wanted.live, wanted.body, *wanted.crds):
            check_shape(value)
    except EngineError:
        return True
    return any(True for _ in object_faults(wanted.live or {})) or any(
        True for each in wanted.crds for _ in definition_faults(each)
    )


def generated(random: Random) -> None:
    """Two documents, in every format."""
    before = seeds.value_of(random.choice(seeds.texts()))
    after = spoiled_value(random, before) if random.random() < 0.8 else some_value(random)
    with suppress(EngineError):
        check_shape(after)
        generate(Order(before, after, random.choice(list(Format))))


@cache
def _client() -> FlaskClient:
    app = create_app(Config(log="none", max_seconds=0, workspace_rate=0, workspaces=10**6), lambda: NOW)
    app.logger.disabled = True
    return app.test_client()


def pages(random: Random) -> None:
    """A form of any page, with any field spoiled."""
    draft = {name: value for name, value in asdict(random.choice(seeds.drafts())).items() if isinstance(value, str)}
    place, names = random.choice(FORMS)
    form = {**draft, "force": "on", **{name: random.choice(seeds.texts() + CHOICES) for name in names}}
    for name in random.sample(sorted(form), random.choice((0, 1, 2))):
        form[name] = spoiled_text(random, form[name], seeds.texts())
    headers = {"HX-Request": "true"} if random.random() < 0.5 else {}
    data = {name: text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for name, text in form.items()}
    _check(_client().post(place, data=data, headers=headers), place)


FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    *(("/evaluate", ("view", "way")), ("/", ("way", "last_good")), ("/resolve", ("way",)), ("/store", ("workspace",))),
    *(
        ("/schema", ("redefine", "schema_path")),
        ("/formats", ()),
        ("/doctor", ()),
        ("/export", ()),
        ("/reasons", ()),
        ("/compare", ()),
    ),
    *(("/open", ("text",)), ("/intake", ("text",)), ("/fields", ("fields", "paths", "turn")), ("/migration", ())),
    ("/race", ("change_a", "change_b", "order", "add", "manner_a", "preset")),
    ("/generate", ("before", "after", "format", "key", "lists", "guard", "last_good")),
    ("/generate/answer", ("before", "after", "format", "key", "lists", "guard", "moves", "copies")),
    ("/lessons/check", ("lesson", "lesson_step", "lesson_choice")),
)
CHOICES = ("patch", "fields", "why", "schema", "response", "strategic", "merge-patch", "apply", "named", "values", "1")


def json_bodies(random: Random) -> None:
    """A request to the JSON API, or a history, spoiled anywhere."""
    draft = random.choice(seeds.drafts())
    write = {"kind": draft.kind, "live": draft.live, "body": draft.body, "manager": draft.manager, "crds": []}
    steps = {"live": draft.live, "steps": [{"kind": draft.kind, "body": draft.body, "manager": "m"}] * 2}
    places: dict[str, Value] = {
        "/api/evaluate": {**write, "crds": [seeds.DEFINITION]},
        "/api/explain": write,
        "/api/generate": {"before": seeds.THING, "after": seeds.value_of(draft.live), "format": "json-patch"},
        "/timeline": steps,
        "/scenario": steps,
    }
    place = random.choice(list(places))
    body = json.dumps(spoiled_value(random, places[place]))
    if random.random() < 0.1:
        body = spoiled_text(random, body, seeds.texts())
    _check(_client().post(place, data=body.encode("utf-8", "replace"), content_type="application/json"), place)


TARGETS = (
    ("api/v1/namespaces/default/configmaps", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}),
    ("apis/lab.io/v1/namespaces/default/things", seeds.THING),
    ("apis/apiextensions.k8s.io/v1/customresourcedefinitions", seeds.DEFINITION),
)
KINDS = ("json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml", "json", "yaml", "x")
QUERIES = (
    "fieldManager=m&force=true",
    "dryRun=All",
    "fieldValidation=Strict",
    "labelSelector=",
    "fieldSelector=",
    "limit=",
)
ACCEPTS = ("", "application/yaml", "application/json;as=Table;v=v1;g=meta.k8s.io", "*/*", ";,")


def kubernetes(random: Random) -> None:
    """Requests to a workspace's Kubernetes API: any verb, any body, any query."""
    if random.random() < 0.02:
        _client().delete("/w/fuzz/" + TARGETS[2][0] + "/things.lab.io")
    for place, whole in reversed(TARGETS):
        _client().post(f"/w/fuzz/{place}", json=whole)
    place, whole = random.choice(TARGETS)
    method = random.choice(("POST", "PUT", "PATCH", "PATCH", "PATCH", "DELETE", "GET"))
    named = (
        "" if method == "POST" or random.random() < 0.1 else "/a" if whole is not seeds.DEFINITION else "/things.lab.io"
    )
    part = random.choice(("", "", "", "/status", "/scale", "/x")) if named else ""
    query = random.choice(QUERIES) + (random.choice(SELECTORS) if random.random() < 0.5 else "")
    kind = random.choice(KINDS)
    body = json.dumps(spoiled_value(random, seeds.PATCH if kind.startswith("json-patch") else whole)).encode()
    if random.random() < 0.2:
        body = spoiled_text(random, body.decode(), seeds.texts()).encode("utf-8", "replace")
    if method in ("POST", "PUT") and random.random() < 0.7:
        kind = "json"
    address = f"/w/fuzz/{place}{named}{part}"
    answer = _client().open(
        address,
        method=method,
        data=body,
        query_string=quote(query, safe="=&"),
        content_type=f"application/{kind}",
        headers={"Accept": random.choice(ACCEPTS)},
    )
    may_fail = method == "PATCH" and kind in REFERENCE_500
    _check(answer, f"{method} {address} {kind}", allowed=(500,) if may_fail else ())


SELECTORS = ("a=b", "a in (b,c)", "!a", "a,b,,", "(" * 50, "a notin (", "metadata.name=a", "a" * 400, "=", "9" * 5000)


def _check(answer: Any, place: str, allowed: tuple[int, ...] = ()) -> None:
    text = answer.get_data().decode("utf-8", "replace")
    if any(each in text for each in OURS) or (answer.status_code >= 500 and answer.status_code not in allowed):
        raise Broken(f"{place}: {answer.status_code} {text[:300]}")


ENTRIES: dict[str, Entry] = {
    "yaml": yaml_text,
    "json": json_text,
    "fields": fields_v1,
    "paths": path_text,
    "json-patch": json_patch,
    "write": write,
    "definitions": definitions,
    "kinds": kinds,
    "patches": patches,
    "generate": generated,
    "pages": pages,
    "json-api": json_bodies,
    "kubernetes": kubernetes,
    "raw-http": raw_http,
}
