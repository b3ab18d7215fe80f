"""The routes: a page, a partial, and nothing that a person can type breaks them."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web.forms import VIEWS

HTMX = {"HX-Request": "true"}
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  key: value\n"
KINDS = ["apply", "strategic", "merge", "json-patch", "update", "create", "kubectl-apply"]


def post(client: FlaskClient, **fields: str) -> Any:
    return client.post("/evaluate", data=fields, headers=HTMX)


def test_the_page_has_its_headers_and_its_nonce(client: FlaskClient) -> None:
    first, second = client.get("/"), client.get("/")
    policy = first.headers["Content-Security-Policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce
    assert f'<meta name="csp-nonce" content="{nonce[1]}">' in first.text
    assert policy != second.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    assert first.headers["Cache-Control"] == "no-store"
    assert not re.search(r"<script(?! src| type=\"(module\" src|application/json\"))", first.text)


def test_typing_answers_with_the_parts_that_change(client: FlaskClient) -> None:
    answer = post(client, kind="apply", manager="ci", body=OBJECT)
    assert answer.status_code == 200
    assert "HX-Reswap" not in answer.headers
    assert answer.text.lstrip().startswith('<div id="result"')
    assert "<html" not in answer.text
    for part in ("outcome", "conflicts", "problems-live", "problems-crds", "problems-body"):
        assert f'id="{part}"' in answer.text


def test_a_mistake_leaves_the_result_where_it_is(client: FlaskClient) -> None:
    answer = post(client, kind="apply", manager="ci", body="a: [")
    assert answer.headers["HX-Reswap"] == "none"
    assert 'id="result"' not in answer.text
    assert 'id="problems-body"' in answer.text
    assert "outcome-stale" in answer.text


def test_the_plain_form_carries_the_last_good_input_along(client: FlaskClient) -> None:
    page = client.post("/", data={"kind": "apply", "manager": "ci", "body": OBJECT}).text
    kept = re.search(r'name="last_good" value="([^"]*)"', page)
    assert kept
    last_good = kept[1].replace("&#34;", '"').replace("&amp;", "&")
    assert json.loads(last_good)["body"] == OBJECT
    page = client.post("/", data={"kind": "apply", "manager": "ci", "body": "a: [", "last_good": last_good}).text
    assert "key: value" in page
    assert "outcome-stale" in page
    assert re.search(r'<textarea name="body"[^>]*>\na: \[</textarea>', page)


@pytest.mark.parametrize("last_good", ["", "{", "[]", '"x"', "null", '{"body": 3}', '{"kind": "nonsense"}'])
def test_a_tampered_last_good_input_is_no_error(client: FlaskClient, last_good: str) -> None:
    assert client.post("/", data={"body": "a: [", "last_good": last_good}).status_code == 200


def test_unknown_addresses_and_examples_are_told(client: FlaskClient) -> None:
    for path in ("/nowhere", "/?example=nothing", "/examples/nothing.json"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "There is no such page" in answer.text
    assert client.get("/evaluate").status_code == 405


def test_an_example_is_data_for_the_page(client: FlaskClient) -> None:
    data = client.get("/examples/conflict.json").get_json()
    assert data["title"] == "Two managers, one conflict"
    assert data["draft"]["manager"] == "ci"
    assert "managedFields" in data["draft"]["live"]


def test_more_than_the_whole_form_may_hold_is_refused_with_the_limit(client: FlaskClient) -> None:
    answer = post(client, body="x" * 17_000_000)
    assert "16,777,216 bytes" in answer.text
    assert answer.headers["HX-Reswap"] == "none"


def test_the_server_says_that_it_is_there(client: FlaskClient) -> None:
    assert client.get("/healthz").text == "ok\n"


WORDS = "a spec metadata managedFields name kind apiVersion v1 ConfigMap Deployment apps/v1 delete replace null 1 1e999"
SIGNS = [
    "&x ",
    "*x",
    "!!int ",
    "? ",
    "| ",
    "> ",
    "%YAML 1.2\n",
    "op: add",
    "path: /a",
    ".inf",
    "\t",
    "\x00",
    "\u2028",
    "é",
]
LAYOUT = [": ", ":", "\n", "\n  ", "\n- ", "- ", "{", "}", "[", "]", ",", '"', "'", "---\n", "<b>", "~", "0777", "<<"]
DIRECTIVES = ["$patch", "$retainKeys", "$setElementOrder/a", "$deleteFromPrimitiveList/a"]
FRAGMENTS = st.sampled_from([*WORDS.split(), *SIGNS, *LAYOUT, *DIRECTIVES])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), live=st.lists(FRAGMENTS), body=st.lists(FRAGMENTS), crds=st.lists(FRAGMENTS))
def test_whatever_is_typed_gets_an_answer(
    client: FlaskClient, kind: str, live: list[str], body: list[str], crds: list[str]
) -> None:
    answer = post(client, kind=kind, manager="m", live="".join(live), body="".join(body), crds="".join(crds))
    assert answer.status_code == 200
    assert "made Patchyard itself fail" not in answer.text


MEMBERS = (
    "metadata spec data managedFields name containers ports labels fieldsV1 manager operation f:a $patch $retainKeys "
    "template replicas selector apiVersion kind"
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", "a", "v1", "delete", "replace", "merge"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS.split()), inner, max_size=4),
    max_leaves=12,
)
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap"}
DEPLOYMENT = {"apiVersion": "apps/v1", "kind": "Deployment"}
HEADS = st.sampled_from([{}, CONFIG_MAP, DEPLOYMENT, {"kind": "Unknown"}])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kind=st.sampled_from(KINDS),
    view=st.sampled_from(list(VIEWS)),
    head=HEADS,
    live=VALUES,
    body=VALUES,
    force=st.booleans(),
)
def test_whatever_is_read_gets_an_answer(
    client: FlaskClient, kind: str, view: str, head: dict[str, str], live: object, body: object, force: bool
) -> None:
    fields = {"force": "1"} if force else {}
    live_text = json.dumps({**live, **head}) if isinstance(live, dict) else ""
    body_text = json.dumps({**head, **body} if isinstance(body, dict) else body)
    answer = post(client, kind=kind, view=view, manager="m", live=live_text, body=body_text, **fields)
    assert answer.status_code == 200
    assert "made Patchyard itself fail" not in answer.text


def test_a_json_patch_is_told_step_by_step_and_where_the_dialects_part(client: FlaskClient) -> None:
    patch = '[{"op": "replace", "path": "/data/new", "value": "1"}, {"op": "remove", "path": "/data/absent"}]'
    answer = post(client, kind="json-patch", live=OBJECT, body=patch, view="patch").text
    assert "RFC 6902 and Kubernetes differ on this patch" in answer
    assert "Kubernetes adds the member that is to be replaced." in answer
    assert "new: &#34;1&#34;" in answer
    assert '<b class="failed">fails</b>' in answer
    removal = '[{"op": "remove", "path": "/data/key"}]'
    agreed = post(client, kind="json-patch", live=OBJECT, body=removal, view="patch").text
    assert "RFC 6902 and Kubernetes differ" not in agreed
    assert "Your patch step by step" in agreed


def test_the_patch_from_before_to_after_is_granular(client: FlaskClient) -> None:
    live = OBJECT + "  other: x\n  third: z\n"
    body = OBJECT.replace("value", "changed") + "  other: w\n  fourth: z\n"
    answer = post(client, kind="update", live=live, body=body, view="patch").text
    for path in ("/data/key", "/data/other", "/data/third", "/data/fourth"):
        assert f"<code>{path}</code>" in answer
    assert "<code>/data</code>" not in answer
