"""Whatever is sent to a workspace's Kubernetes API gets an answer: an object or a Status, never a failure of ours.

The reference itself answers some requests with 500 (an intent that does not fit the schema, for example); such an
answer is a Status in the engine's words, which the transport's own failures are not.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web.app import create_app
from web.config import Config

KEYS = (
    "metadata spec status data name generateName namespace labels annotations finalizers managedFields "
    "manager operation apiVersion kind time fieldsV1 f:a . k:{} v:1 resourceVersion uid creationTimestamp "
    "replicas selector template containers ports matchLabels group scope names plural singular versions "
    "served storage schema openAPIV3Schema type properties items default pattern required enum $ref "
    "$patch op path value additionalProperties subresources scale specReplicasPath x-kubernetes-list-type "
    "x-kubernetes-list-map-keys x-kubernetes-validations rule"
)
TEXTS = [
    "",
    "a",
    "v1",
    "object",
    "array",
    "map",
    "string",
    "1",
    "add",
    "/spec",
    "[",
    "2030-01-01T00:00:00Z",
    "\ud800",
    "\x00",
]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(TEXTS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=5),
    max_leaves=15,
)
CONFIG_MAP: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}}
POD: dict[str, Any] = {"containers": [{"name": "c", "image": "i"}]}
DEPLOYMENT: dict[str, Any] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "a"},
    "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": POD}},
}
LIST: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"a": LIST}}}}
DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.lab.io"},
    "spec": {
        "group": "lab.io",
        "scope": "Namespaced",
        "names": {"kind": "Thing", "plural": "things"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}}],
    },
}
THING: dict[str, Any] = {"apiVersion": "lab.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"a": ["x"]}}
CORE, APPS, LAB = (f"{group}/namespaces/default" for group in ("api/v1", "apis/apps/v1", "apis/lab.io/v1"))
TARGETS = [
    (f"{CORE}/configmaps", CONFIG_MAP),
    (f"{APPS}/deployments", DEPLOYMENT),
    (f"{LAB}/things", THING),
    ("apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION),
]
KINDS = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml", "json", "yaml", "x"]
REFUSED_WITH_500 = ("apply-patch+yaml", "strategic-merge-patch+json")
"""Patches of which the reference refuses some with 500: those that do not fit the schema."""
QUERIES = [
    "",
    "fieldManager=m",
    "fieldManager=m&force=true",
    "dryRun=All",
    "dryRun=x",
    "fieldValidation=Strict",
    "limit=\u00b2",
]
ACCEPTS = [
    "",
    "*/*",
    ";,;",
    "application/yaml",
    "application/vnd.kubernetes.protobuf",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside another."""
    yield path
    if isinstance(value, (dict, list)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, step))


def spoiled(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    """A copy of `value` with another value at a path, merged in where both are maps."""
    if not path:
        return {**value, **by} if isinstance(value, dict) and isinstance(by, dict) else by
    step, rest = path[0], path[1:]
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[step] = spoiled(value[step], rest, by)
    return copy


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, bytes, str, str]:
    """Method, address, body, content type and Accept header; the body is an object of the kind, spoiled somewhere."""
    collection, whole = draw(st.sampled_from(TARGETS))
    body = (
        spoiled(whole, draw(st.sampled_from(list(places(whole)))), draw(VALUES))
        if draw(st.booleans())
        else draw(VALUES)
    )
    method = draw(st.sampled_from(["POST", "PUT", "PATCH", "PATCH", "PATCH", "DELETE", "GET"]))
    name = "" if method == "POST" else "/" + whole["metadata"]["name"]
    part = draw(st.sampled_from(["", "", "", "/status", "/scale", "/x"])) if name else ""
    kind = "json" if method in ("POST", "PUT") and draw(st.booleans()) else draw(st.sampled_from(KINDS))
    address = f"{collection}{name}{part}?{draw(st.sampled_from(QUERIES))}"
    return method, address, json.dumps(body).encode(), f"application/{kind}", draw(st.sampled_from(ACCEPTS))


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC))


def begin(client: FlaskClient, workspace: str) -> None:
    """Make sure that a workspace has one object of each kind."""
    for collection, whole in reversed(TARGETS):
        client.post(f"/w/{workspace}/{collection}", json=whole)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sent=st.lists(requests(), min_size=1, max_size=4))
def test_whatever_is_sent_gets_an_answer(
    app: Flask, sent: list[tuple[str, str, bytes, str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    client = app.test_client()
    begin(client, "fuzz")
    for method, address, body, kind, accept in sent:
        answer = client.open(
            f"/w/fuzz/{address}", method=method, data=body, content_type=kind, headers={"Accept": accept}
        )
        assert answer.content_type in ("application/json", "application/yaml")
        assert "made Patchyard itself fail" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.status_code < 500 or (method == "PATCH" and kind.removeprefix("application/") in REFUSED_WITH_500)
        if answer.content_type == "application/json" and answer.status_code >= 400:
            assert answer.get_json()["code"] == answer.status_code
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.binary(max_size=60), head=st.sampled_from([b"", b"k8s\x00", b"k8s\x00\n\x0f\n\x02v1\x12\tConfigMap\x12"])
)
def test_whatever_bytes_are_sent_as_protobuf_get_an_answer(app: Flask, body: bytes, head: bytes) -> None:
    answer = app.test_client().post(
        f"/w/bytes/{CORE}/configmaps", data=head + body, content_type="application/vnd.kubernetes.protobuf"
    )
    assert answer.status_code in (201, 400, 409, 422)
    assert answer.content_type == "application/json"
