"""The JSON API: what it answers is what its own description says, whatever it is sent."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.json_patch.apply import apply_json_patch
from tests.web.kubeapi.test_journal import DEFINITION
from web.app import create_app
from web.config import Config

LIVE = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {
        "name": "web",
        "namespace": "default",
        "managedFields": [
            {
                "manager": "ops",
                "operation": "Apply",
                "apiVersion": "v1",
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {"f:k": {}}},
            }
        ],
    },
    "data": {"k": "v"},
}
INTENT = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}, "data": {"k": "w"}}


def new_client() -> FlaskClient:
    return create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return new_client()


@pytest.fixture(scope="module")
def described(client: FlaskClient) -> Any:
    return client.get("/api/openapi.json").get_json()


def ask(client: FlaskClient, described: Any, operation: str, body: Any) -> tuple[int, Any]:
    """The code and the answer to a request, the answer checked against the description."""
    answer = client.post(f"/api/{operation}", json=body)
    responses = described["paths"][f"/api/{operation}"]["post"]["responses"]
    assert str(answer.status_code) in responses, (answer.status_code, answer.text)
    schema = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator(schema).validate(answer.get_json())
    return answer.status_code, answer.get_json()


def test_the_description_is_one_and_describes_every_operation(described: Any) -> None:
    assert described["openapi"].startswith("3.1")
    assert set(described["paths"]) == {"/api/evaluate", "/api/explain", "/api/generate"}
    for path in described["paths"].values():
        jsonschema.Draft202012Validator.check_schema(
            path["post"]["requestBody"]["content"]["application/json"]["schema"]
        )


def test_a_write_is_evaluated_with_its_conflicts(client: FlaskClient, described: Any) -> None:
    code, told = ask(client, described, "evaluate", {"live": LIVE, "body": INTENT, "manager": "ci"})
    assert (code, told["code"], told["after"]) == (200, 409, None)
    assert told["conflicts"] == [
        {
            "path": ".data.k",
            "manager": "ops",
            "operation": "Apply",
            "apiVersion": "",
            "subresource": "",
            "message": told["conflicts"][0]["message"],
            "live": "v",
            "intended": "w",
        }
    ]
    code, told = ask(client, described, "evaluate", {"live": LIVE, "body": INTENT, "manager": "ci", "force": True})
    assert (told["code"], told["after"]["data"]) == (200, {"k": "w"})
    assert told["jsonPatch"] == [{"op": "replace", "path": "/data/k", "value": "w"}]


def test_documents_may_be_texts(client: FlaskClient, described: Any) -> None:
    body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  k: w # wanted\n"
    code, told = ask(client, described, "evaluate", {"live": json.dumps(LIVE), "body": body, "force": True})
    assert (code, told["after"]["data"]) == (200, {"k": "w"})


def test_reasons_are_told(client: FlaskClient, described: Any) -> None:
    code, told = ask(client, described, "explain", {"live": LIVE, "body": INTENT, "force": True, "manager": "ci"})
    assert code == 200
    reason = next(each for each in told if each["path"] == ["data", "k"])
    assert (reason["reason"], reason["sentence"]) == ("set", "Set by this write.")
    assert reason["rule"]


@pytest.mark.parametrize("wanted", ["json-patch", "merge-patch", "strategic", "apply"])
def test_a_patch_is_generated_in_every_format(client: FlaskClient, described: Any, wanted: str) -> None:
    after = {**LIVE, "data": {"k": "w", "l": "x"}}
    code, told = ask(client, described, "generate", {"before": LIVE, "after": after, "format": wanted})
    assert (code, told["possible"]) == (200, True)
    if wanted == "json-patch":
        assert apply_json_patch(LIVE, told["patch"]) == after


def test_what_a_format_cannot_say_is_told(client: FlaskClient, described: Any) -> None:
    asked = {"before": {"a": 1}, "after": {"a": None}, "format": "merge-patch"}
    code, told = ask(client, described, "generate", asked)
    assert (code, told["possible"], told["path"]) == (200, False, ["a"])
    assert told["reason"]


def test_a_custom_resource_brings_its_definition(client: FlaskClient, described: Any) -> None:
    thing = {"apiVersion": "lab.io/v1", "kind": "Thing", "metadata": {"name": "t", "namespace": "default"}}
    _, told = ask(client, described, "evaluate", {"body": thing, "crds": [DEFINITION]})
    assert told["code"] == 201


@pytest.mark.parametrize(
    ("operation", "body", "code", "told"),
    [
        ("evaluate", {}, 400, "The request lacks 'body'"),
        ("evaluate", [], 400, "The body is no JSON object"),
        ("evaluate", {"body": {}, "kind": "magic"}, 400, "'kind' is 'magic'; expected one of 'apply', 'strategic'"),
        ("evaluate", {"body": {}, "force": "yes"}, 400, "'force' is not true or false"),
        ("evaluate", {"body": {}, "shout": 1}, 400, "There is no 'shout' in such a request; expected kind, live"),
        ("evaluate", {"body": "a: ["}, 400, "The document 'body' cannot be used"),
        ("evaluate", {"body": "a: 1\na: 2"}, 400, "The document 'body' cannot be used"),
        ("evaluate", {"body": ""}, 400, "The document 'body' is empty"),
        ("evaluate", {"body": {}, "live": [1]}, 400, "The document 'live' is no object"),
        ("evaluate", {"body": {}, "crds": [{"kind": "X"}]}, 400, "A definition in 'crds' cannot be used"),
        ("evaluate", {"body": {}, "crds": [{}] * 101}, 413, "'crds' holds 101 documents"),
        ("evaluate", {"body": "x" * 2_000_000}, 413, "cannot be used"),
        ("explain", {"live": {}}, 400, "The request lacks 'body'"),
        ("generate", {"before": 1}, 400, "The request lacks 'after'"),
    ],
)
def test_what_cannot_be_used_is_told(
    client: FlaskClient, described: Any, operation: str, body: Any, code: int, told: str
) -> None:
    found, answer = ask(client, described, operation, body)
    assert (found, told in answer["error"]) == (code, True), answer


def test_other_requests_are_refused(client: FlaskClient) -> None:
    assert client.post("/api/evaluate", data="{}", content_type="text/plain").status_code == 415
    assert client.post("/api/evaluate", data="{", content_type="application/json").status_code == 400
    assert client.post("/api/evaluate", data=b"\xff", content_type="application/json").status_code == 400
    assert client.post("/api/nothing", json={}).status_code == 404
    assert client.get("/api/evaluate").status_code == 405


_DEEP = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = st.sampled_from(
    ["kind", "live", "body", "crds", "manager", "force", "subresource", "before", "after", "format", "key", "guard"]
)


@settings(max_examples=150)
@given(st.sampled_from(["evaluate", "explain", "generate"]), st.dictionaries(_FIELDS, _DEEP, max_size=6))
def test_whatever_is_sent_the_answer_is_as_described(operation: str, body: Any) -> None:
    described = _ONE.get("/api/openapi.json").get_json()
    ask(_ONE, described, operation, body)


@settings(max_examples=100)
@given(st.sampled_from(["evaluate", "explain"]), _DEEP, _DEEP, st.sampled_from(["apply", "strategic", "update"]))
def test_whatever_the_documents_are_the_answer_is_as_described(operation: str, live: Any, body: Any, kind: str) -> None:
    described = _ONE.get("/api/openapi.json").get_json()
    ask(_ONE, described, operation, {"live": {**LIVE, "data": live}, "body": {**INTENT, "data": body}, "kind": kind})


_ONE = new_client()
