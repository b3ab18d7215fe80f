"""Requests to a workspace's Kubernetes API that no client should send: each is answered with a Status."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

NAMESPACED = "api/v1/namespaces/default/configmaps"
CONFIG_MAP: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}}
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"
DEFINITIONS = "apis/apiextensions.k8s.io/v1/customresourcedefinitions"


@pytest.fixture
def api(client: FlaskClient, request: pytest.FixtureRequest) -> Any:
    """A function that asks a workspace of this test's own, which has one ConfigMap."""
    name = sha256(request.node.name.encode()).hexdigest()[:20]

    def ask(method: str, path: str, body: Any = None, kind: str = "application/json", **headers: str) -> TestResponse:
        data = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        return client.open(f"/w/{name}/{path}", method=method, data=data, content_type=kind, headers=headers)

    assert ask("POST", NAMESPACED, CONFIG_MAP).status_code == 201
    return ask


def status(response: TestResponse) -> tuple[int, str]:
    """A refusal's code and reason; it must be a Status that says why."""
    assert response.content_type == "application/json"
    body = response.get_json()
    assert (body["kind"], body["status"], body["code"]) == ("Status", "Failure", response.status_code)
    assert body["message"]
    return response.status_code, body.get("reason", "")


@pytest.mark.parametrize("method", ["TRACE", "OPTIONS", "LINK"])
def test_an_unknown_method_is_a_status(api: Any, method: str) -> None:
    assert status(api(method, NAMESPACED)) == (405, "MethodNotAllowed")


def test_more_than_is_read_at_all_is_a_status_with_the_limit(api: Any) -> None:
    answer = api("POST", NAMESPACED, b"x" * 17_000_000)
    assert status(answer) == (413, "RequestEntityTooLarge")
    assert "16,777,216 bytes" in answer.get_json()["message"]


def test_a_document_over_the_limit_is_too_large(api: Any) -> None:
    answer = api("POST", NAMESPACED, {**CONFIG_MAP, "data": {"k": "x" * 3_000_000}})
    assert status(answer) == (413, "RequestEntityTooLarge")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/cbor"])
@pytest.mark.parametrize(("method", "path"), [("POST", NAMESPACED), ("PUT", f"{NAMESPACED}/a")])
def test_a_body_of_another_kind_is_refused_with_the_kinds_that_are_taken(
    api: Any, method: str, path: str, kind: str
) -> None:
    answer = api(method, path, CONFIG_MAP, kind)
    assert status(answer) == (415, "UnsupportedMediaType")
    assert "application/json, application/yaml" in answer.get_json()["message"]


def test_a_media_type_is_read_whatever_its_case_and_parameters(api: Any) -> None:
    assert api("PUT", f"{NAMESPACED}/a", CONFIG_MAP, "Application/JSON; charset=utf-8").status_code == 200


@pytest.mark.parametrize("seconds", ["x", "\u00b2", "1.5", "-"])
def test_a_watch_of_no_number_of_seconds_is_refused(api: Any, seconds: str) -> None:
    assert status(api("GET", f"{NAMESPACED}?watch=1&timeoutSeconds={seconds}"))[0] == 400


def test_a_watch_that_has_no_time_tells_what_is_there_and_ends(api: Any) -> None:
    answer = api("GET", f"{NAMESPACED}?watch=True&timeoutSeconds=-1")
    assert [json.loads(line)["type"] for line in answer.text.splitlines()] == ["ADDED"]


MISSHAPEN = {
    "metadata that is a number": {"metadata": 5},
    "metadata that is a list": {"metadata": ["a"]},
    "labels that are a list": {"metadata": {"name": "b", "labels": ["a"]}},
    "a label that is a number": {"metadata": {"name": "b", "labels": {"a": 5}}},
    "managedFields that is a map": {"metadata": {"name": "b", "managedFields": {}}},
    "an entry that is a number": {"metadata": {"name": "b", "managedFields": [5]}},
    "a manager that is a number": {"metadata": {"name": "b", "managedFields": [{"manager": 5}]}},
    "a time that is none": {"metadata": {"name": "b", "managedFields": [{"time": "soon"}]}},
    "data that is a list": {"metadata": {"name": "b"}, "data": []},
    "data with a number": {"metadata": {"name": "b"}, "data": {"k": 5}},
    "another kind": {"kind": "Secret"},
    "a kind that is a number": {"kind": 5},
    "another version": {"apiVersion": "v2"},
}


@pytest.mark.parametrize("change", MISSHAPEN.values(), ids=MISSHAPEN)
def test_a_misshapen_object_is_a_bad_request(api: Any, change: dict[str, Any]) -> None:
    assert status(api("POST", NAMESPACED, {**CONFIG_MAP, **change})) == (400, "BadRequest")


@pytest.mark.parametrize("body", ["", "null", "5", "[]", '"x"', "{", "[" * 10_000, "\ufeff{}", b"\xff\xfe", "{}{}"])
def test_a_body_that_is_no_object_is_refused(api: Any, body: str | bytes) -> None:
    code, _ = status(api("POST", NAMESPACED, body))
    assert code in (400, 413, 422)


def test_a_schema_that_makes_no_sense_is_invalid(api: Any) -> None:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"$ref": "x"}}}
    names = {"kind": "Widget", "plural": "widgets"}
    spec = {"group": "example.com", "scope": "Namespaced", "names": names, "versions": [version]}
    head = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    answer = api("POST", DEFINITIONS, {**head, "metadata": {"name": "widgets.example.com"}, "spec": spec})
    assert status(answer) == (422, "Invalid")
    assert "openAPIV3Schema.$ref: Forbidden: $ref is not supported" in answer.get_json()["message"]


def test_a_stale_version_is_a_conflict(api: Any) -> None:
    for method, kind in (("PUT", "application/json"), ("PATCH", MERGE)):
        stale = {**CONFIG_MAP, "metadata": {"name": "a", "resourceVersion": "1"}}
        assert status(api(method, f"{NAMESPACED}/a", stale, kind)) == (409, "Conflict")


def test_an_apply_without_a_manager_is_refused(api: Any) -> None:
    assert status(api("PATCH", f"{NAMESPACED}/a", CONFIG_MAP, APPLY)) == (422, "Invalid")


@pytest.mark.parametrize(
    "path", ["", "nothing", "api/v1/nothings", "api/v2/configmaps", f"{NAMESPACED}/a/b/c", "api/%00"]
)
def test_what_is_not_served_is_not_found(api: Any, path: str) -> None:
    assert status(api("GET", path)) == (404, "NotFound")
