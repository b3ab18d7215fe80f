"""What a client asks for beside the object: its metadata only; and what a foreign web page may not ask for."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from web.config import Config

MAPS = "/w/a/api/v1/namespaces/default/configmaps"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "v"}}
OBJECT = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
PROTOBUF_FIRST = (
    "application/vnd.kubernetes.protobuf;as={0};g=meta.k8s.io;v=v1,application/json;as={0};g=meta.k8s.io;v=v1"
)


@pytest.fixture
def client() -> FlaskClient:
    """A site whose workspace a has one ConfigMap."""
    made = create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()
    assert made.post(MAPS, json=CONFIG_MAP).status_code == 201
    return made


def asked(client: FlaskClient, path: str, accept: str) -> tuple[int, Any]:
    answer = client.get(MAPS + path, headers={"Accept": accept})
    return answer.status_code, answer.get_json()


@pytest.mark.parametrize(
    "accept", [OBJECT, f"{OBJECT},application/json", PROTOBUF_FIRST.format("PartialObjectMetadata")]
)
def test_an_object_is_given_as_its_metadata(client: FlaskClient, accept: str) -> None:
    whole = client.get(f"{MAPS}/a").get_json()
    assert asked(client, "/a", accept) == (
        200,
        {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": whole["metadata"]},
    )


@pytest.mark.parametrize("accept", [LIST, PROTOBUF_FIRST.format("PartialObjectMetadataList")])
def test_a_list_is_given_as_metadata(client: FlaskClient, accept: str) -> None:
    whole = client.get(MAPS).get_json()
    code, partial = asked(client, "", accept)
    assert (code, partial["kind"], partial["apiVersion"]) == (200, "PartialObjectMetadataList", "meta.k8s.io/v1")
    assert partial["metadata"] == whole["metadata"]
    assert [each["metadata"] for each in partial["items"]] == [each["metadata"] for each in whole["items"]]
    assert {(each["kind"], len(each)) for each in partial["items"]} == {("PartialObjectMetadata", 3)}


def test_a_watch_is_given_as_metadata(client: FlaskClient) -> None:
    text = client.get(f"{MAPS}?watch=1&timeoutSeconds=-1", headers={"Accept": OBJECT}).text
    (event,) = map(json.loads, text.splitlines())
    assert (event["type"], event["object"]["kind"], len(event["object"])) == ("ADDED", "PartialObjectMetadata", 3)


def test_one_is_not_given_for_the_other(client: FlaskClient) -> None:
    for path, accept, told in (("", OBJECT, "is a list"), ("/a", LIST, "is not a list")):
        code, status = asked(client, path, accept)
        assert (code, status["reason"]) == (406, "NotAcceptable")
        assert told in status["message"]


@pytest.mark.parametrize(
    "accept", ["application/json", "*/*", "application/json;as=PartialObjectMetadata", f"application/json,{OBJECT}"]
)
def test_other_answers_stay_whole(client: FlaskClient, accept: str) -> None:
    assert asked(client, "/a", accept)[1]["data"] == {"k": "v"}


def test_a_refusal_stays_a_status(client: FlaskClient) -> None:
    assert asked(client, "/missing", OBJECT)[1]["kind"] == "Status"


@pytest.mark.parametrize("version", ["x", "1x", "-1", "\u00b2", "1.5"])
def test_a_list_at_a_version_that_is_none_is_refused(client: FlaskClient, version: str) -> None:
    code, status = asked(client, f"?resourceVersion={version}", "")
    assert (code, status["reason"]) == (400, "BadRequest")
    assert f'resourceVersion: Invalid value: "{version}"' in status["message"]


@pytest.mark.parametrize("version", ["", "0", "1", "5"])
def test_a_list_at_a_version_is_answered(client: FlaskClient, version: str) -> None:
    assert asked(client, f"?resourceVersion={version}", "")[0] == 200


@pytest.mark.parametrize("kind", ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"])
def test_what_any_web_page_may_send_anywhere_is_not_read(client: FlaskClient, kind: str) -> None:
    body = json.dumps({**CONFIG_MAP, "metadata": {"name": "b"}})
    assert client.post(MAPS, data=body, content_type=kind or None).status_code == 415
    assert client.put(f"{MAPS}/a", data=body, content_type=kind or None).status_code == 415
    assert client.get(f"{MAPS}/b").status_code == 404


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_makes_and_reads_nothing(client: FlaskClient, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
    for method, path in (("POST", "/w/"), ("GET", MAPS), ("GET", "/w/new/kubeconfig"), ("GET", "/w/a/events")):
        answer = client.open(path, method=method, headers=headers)
        assert (answer.status_code, answer.get_json()["reason"]) == (403, "Forbidden")
    form = {**headers, "Sec-Fetch-Mode": "navigate"}
    assert client.post("/w/", headers=form).status_code == 403
    assert client.get("/w/a/", headers={**form, "Accept": "text/html"}).status_code == 200


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_own_page_and_programs_are_served(client: FlaskClient, site: str) -> None:
    assert client.post("/w/", headers={"Sec-Fetch-Site": site}).status_code == 201
    assert client.post("/w/").status_code == 201


NAMES = {
    "\u540d\u5b57": "\u540d\u5b57",
    "\U0001f600": "\U0001f600",
    "a\u2028b": "a\u2028b",
    "\ud800": "\ufffd",
    "a\r\nX: b": "a X: b",
}


@pytest.mark.parametrize(("name", "told"), NAMES.items(), ids=ascii)
def test_a_warning_about_any_name_is_a_header(client: FlaskClient, name: str, told: str) -> None:
    body = {**CONFIG_MAP, "metadata": {"name": "odd"}, f"{name}\x00\x7f": 1}
    answer = client.post(MAPS, data=json.dumps(body), content_type="application/json")
    assert answer.status_code == 201
    (warning,) = answer.headers.getlist("Warning")
    assert warning.encode("latin-1").decode("utf-8") == f'299 - "unknown field \\"{told}\\""'


def test_a_head_is_no_method_of_the_api(client: FlaskClient) -> None:
    for path in (MAPS, f"{MAPS}/a", "/w/a/version"):
        assert client.head(path).status_code == 405
