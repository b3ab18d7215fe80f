"""One change in every format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from engine.evaluation import WriteKind
from engine.meta.object_meta import without_metadata
from engine.value.codec import parse_yaml
from engine.value.limits import DEFAULT_LIMITS
from web.contexts import Draft
from web.evaluating import evaluated
from web.examples import load_examples
from web.formats import CREATED, REFUSED, SAME, change_in_formats
from web.forms import read_write

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LIVE = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, resourceVersion: '5'}, data: {a: one, b: two}}"


def told(**draft: str) -> dict[str, str]:
    partial = change_in_formats(Draft(**{"manager": "ci", **draft}), DEFAULT_LIMITS, NOW)
    assert partial.nothing == ""
    return {each.label: each.made.text or each.made.reason for each in partial.formats}


def test_a_change_is_spelled_in_each_format() -> None:
    texts = told(kind="json-patch", live=LIVE, body='[{"op": "replace", "path": "/data/a", "value": "three"}]')
    assert list(texts) == ["JSON Patch", "JSON merge patch", "Strategic merge", "Apply intent", "PUT"]
    assert '"/data/a"' in texts["JSON Patch"]
    assert all("three" in text for text in texts.values())


def test_what_the_server_writes_by_itself_is_no_part_of_it() -> None:
    texts = told(kind="merge", live=LIVE, body="{data: {a: three}}")
    assert not any("resourceVersion" in text or "managedFields" in text for text in texts.values())


def test_a_format_that_cannot_say_it_says_why() -> None:
    live = "{apiVersion: lab.example/v1, kind: Thing, metadata: {name: c}, spec: {l: [1]}}"
    texts = told(kind="json-patch", live=live, body='[{"op": "replace", "path": "/spec/l", "value": [2]}]')
    assert "no built-in kind" in texts["Strategic merge"]


def intents() -> Iterator[tuple[str, Draft, str]]:
    """The examples whose change an intent can say, each with that intent."""
    for example in load_examples():
        draft = replace(example.draft, dry_run=False)
        if draft.kind == "create" or draft.subresource:
            continue
        made = {each.label: each.made.text for each in change_in_formats(draft, DEFAULT_LIMITS, NOW).formats}
        if made.get("Apply intent"):
            yield example.slug, draft, made["Apply intent"]


INTENTS = list(intents())


def test_most_changes_can_be_said_by_an_intent() -> None:
    assert len(INTENTS) >= 15


@pytest.mark.parametrize(("slug", "draft", "intent"), INTENTS, ids=[slug for slug, *_ in INTENTS])
def test_the_intent_that_is_told_does_what_the_write_did(slug: str, draft: Draft, intent: str) -> None:
    write = read_write(draft, DEFAULT_LIMITS)
    wanted = evaluated(write, NOW).after
    told = replace(write, kind=WriteKind.APPLY, body=parse_yaml(intent), force=True)
    found = evaluated(replace(told, manager=write.manager or "patchyard"), NOW)
    assert found.after is not None, found.body
    assert wanted is not None
    counted = ("managedFields", "resourceVersion", "generation")
    assert without_metadata(found.after, *counted) == without_metadata(wanted, *counted)


@pytest.mark.parametrize(
    ("draft", "nothing"),
    [
        ({"kind": "apply", "live": "", "body": LIVE.replace(", resourceVersion: '5'", "")}, CREATED),
        ({"kind": "merge", "live": LIVE, "body": "{data: {a: one}}"}, SAME),
        ({"kind": "merge", "live": LIVE, "body": "{data: {a: 1}}"}, REFUSED),
    ],
)
def test_where_there_is_no_change_it_says_so(draft: dict[str, str], nothing: str) -> None:
    partial = change_in_formats(Draft(**{"manager": "ci", **draft}), DEFAULT_LIMITS, NOW)
    assert (partial.formats, partial.nothing) == ((), nothing)


def test_the_page_gets_a_part(client: FlaskClient) -> None:
    answer = client.post("/formats", data={"kind": "merge", "live": LIVE, "body": "{data: {a: three}}"})
    assert answer.status_code == 200
    assert answer.get_data(as_text=True).count("<summary>") == 5
    assert client.post("/formats", data={"body": "{"}).status_code == 409
