"""A result of the playground is stored in a workspace with one click, its owners as they are."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from web.app import create_app
from web.config import Config

MAPS = "api/v1/namespaces/default/configmaps"
LIVE = """
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
  namespace: default
  uid: 0f0d2d5c-7d5e-4f6e-9f5f-3a3f5f6f7f8f
  resourceVersion: "7"
  creationTimestamp: "2029-12-31T00:00:00Z"
  managedFields:
  - {manager: ops, operation: Apply, apiVersion: v1, time: "2029-12-31T00:00:00Z", fieldsType: FieldsV1,
     fieldsV1: {"f:data": {"f:k": {}}}}
data: {k: v}
"""
INTENT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {other: x}\n"
DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.lab.io}
spec:
  group: lab.io
  scope: Namespaced
  names: {kind: Thing, plural: things}
  versions:
  - {name: v1, served: true, storage: true,
     schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
"""
NAMELESS = DEFINITION.replace("kind: Thing, ", "")


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config(open=0), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


def store(client: FlaskClient, **fields: str) -> TestResponse:
    return client.post("/store", data={"kind": "apply", "manager": "ci", **fields})


def managers(obj: Any) -> dict[str, Any]:
    return {entry["manager"]: entry["fieldsV1"] for entry in obj["metadata"]["managedFields"]}


def test_a_result_goes_into_a_new_workspace_with_its_owners(client: FlaskClient) -> None:
    stored = store(client, live=LIVE, body=INTENT)
    assert stored.status_code == 303
    there = stored.headers["Location"]
    assert re.fullmatch(r"/w/[0-9a-f]{32}/", there)
    obj = client.get(f"{there}{MAPS}/web").get_json()
    assert obj["data"] == {"k": "v", "other": "x"}
    assert managers(obj) == {"ops": {"f:data": {"f:k": {}}}, "ci": {"f:data": {"f:other": {}}}}
    assert obj["metadata"]["uid"] == "0f0d2d5c-7d5e-4f6e-9f5f-3a3f5f6f7f8f"
    assert obj["metadata"]["resourceVersion"] != "7"
    shown = client.get(there, headers={"Accept": "text/html"}).text
    assert "STORE /configmaps/default/web" in shown


def test_a_workspace_is_named_by_its_id_or_its_address_and_the_object_replaced(client: FlaskClient) -> None:
    name = client.post("/w/").get_json()["id"]
    for number, given in enumerate((name, f"http://localhost/w/{name}", f"http://localhost/w/{name}/")):
        stored = store(client, live=LIVE, body=INTENT.replace("x}", f'"{number}"}}'), workspace=given)
        assert (stored.status_code, stored.headers["Location"]) == (303, f"/w/{name}/")
        assert client.get(f"/w/{name}/{MAPS}/web").get_json()["data"]["other"] == str(number)


def test_without_a_write_the_live_object_is_stored_and_its_namespace_made(client: FlaskClient) -> None:
    there = store(client, live=LIVE.replace("namespace: default", "namespace: team"), body="").headers["Location"]
    obj = client.get(f"{there}api/v1/namespaces/team/configmaps/web").get_json()
    assert managers(obj) == {"ops": {"f:data": {"f:k": {}}}}
    assert client.get(f"{there}api/v1/namespaces/team").status_code == 200


def test_a_custom_resource_brings_its_definition(client: FlaskClient) -> None:
    body = "apiVersion: lab.io/v1\nkind: Thing\nmetadata: {name: t, namespace: default}\nspec: {a: 1}\n"
    there = store(client, live="", body=body, crds=DEFINITION).headers["Location"]
    assert client.get(f"{there}apis/lab.io/v1/namespaces/default/things/t").get_json()["spec"] == {"a": 1}
    refused = store(client, live="", body=body, workspace=client.post("/w/").get_json()["id"])
    assert refused.status_code == 422
    assert "The workspace has no kind Thing (lab.io/v1)" in refused.text


@pytest.mark.parametrize(
    ("fields", "code", "told"),
    [
        ({"live": "", "body": ""}, 422, "There is nothing to store yet"),
        ({"live": "a: [", "body": ""}, 422, "Nothing was stored"),
        ({"live": LIVE, "body": INTENT.replace("other: x", "k: w")}, 422, "Apply failed with 1 conflict"),
        ({"live": LIVE, "body": INTENT, "workspace": "unheard-of"}, 404, "there is no workspace"),
        ({"live": LIVE, "body": INTENT, "workspace": "NO GOOD"}, 404, "is no workspace"),
        ({"live": LIVE.replace("name: web", "name: WEB"), "body": ""}, 422, "lowercase RFC 1123"),
        ({"live": LIVE, "body": INTENT, "crds": NAMELESS}, 422, "spec.names.kind"),
        ({"live": LIVE, "body": "", "crds": NAMELESS}, 422, "spec.names.kind"),
        ({"live": LIVE, "body": "x", "kind": "strategic"}, 422, "Nothing was stored"),
    ],
)
def test_what_cannot_be_stored_is_told(client: FlaskClient, fields: dict[str, str], code: int, told: str) -> None:
    refused = store(client, **fields)
    assert refused.status_code == code
    assert told in refused.text


def test_a_link_without_the_right_and_a_foreign_page_store_nothing(client: FlaskClient) -> None:
    name = client.post("/w/").get_json()["id"]
    key = client.post(f"/w/{name}/links", json={"name": "x", "verbs": ["get", "create", "patch"]}).get_json()["id"]
    assert store(client, live=LIVE, body=INTENT, workspace=key).status_code == 403
    foreign = {"Sec-Fetch-Site": "cross-site"}
    sent = {"live": LIVE, "kind": "apply", "workspace": name}
    assert client.post("/store", data=sent, headers=foreign).status_code == 403
    assert client.get(f"/w/{name}/{MAPS}/web").status_code == 404
