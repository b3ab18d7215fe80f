"""Small requests that would make large answers, or much work: each is refused first, with a sentence."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine.value.limits import DEFAULT_LIMITS
from web.app import create_app
from web.config import Config
from web.forms import read_document
from web.json_fields import json_in

MAPS = "/w/a/api/v1/namespaces/default/configmaps"
ALIASES = "args:\n- &a " + "x" * 100_000 + "\n" + "- *a\n" * 2_000


@pytest.fixture
def site() -> FlaskClient:
    return create_app(Config(log="none"), lambda: datetime(2030, 1, 1, tzinfo=UTC)).test_client()


def processor(site: FlaskClient, method: str, address: str, **given: Any) -> float:
    """The seconds of the processor that an answer takes."""
    began = time.thread_time()
    site.open(address, method=method, **given)
    return time.thread_time() - began


def test_aliases_of_a_long_text_are_counted_as_what_they_stand_for(site: FlaskClient) -> None:
    told = "bytes by alias"
    body = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a}}\n{ALIASES}"
    page = site.post("/evaluate", data={"kind": "create", "body": body, "view": "response"})
    assert told in page.text
    assert "PATCHYARD_MAX_DOCUMENT_BYTES" in page.text
    assert len(page.data) < 100_000
    assert told in site.post("/generate", data={"before": "a: 1", "after": body}).text
    answer = site.post(MAPS, data=body, content_type="application/yaml")
    assert (answer.status_code, told in answer.get_json()["message"]) == (413, True)


def test_defaults_make_no_object_larger_than_one_may_be(site: FlaskClient) -> None:
    item = {"type": "object", "properties": {"a": {"type": "string", "default": "x" * 100_000}}}
    schema = {"type": "object", "properties": {"l": {"type": "array", "items": item}}}
    names = {"kind": "Foo", "plural": "foos", "singular": "foo"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.x.io"},
        "spec": {"group": "x.io", "scope": "Namespaced", "names": names, "versions": [version]},
    }
    foo = {"apiVersion": "x.io/v1", "kind": "Foo", "metadata": {"name": "a"}, "l": [{}] * 2_000}
    draft = {"kind": "create", "body": json.dumps(foo), "crds": json.dumps(crd), "view": "response"}
    page = site.post("/evaluate", data=draft)
    assert "bytes in all" in page.text
    assert len(page.data) < 1_000_000
    definitions = "/w/a/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    assert site.post(definitions, json=crd).status_code == 201
    answer = site.post("/w/a/apis/x.io/v1/namespaces/default/foos?dryRun=All", json=foo)
    assert answer.status_code == 413


@pytest.mark.parametrize("selector", ["a{}", "a{}=b", "a in (b{}", "{}"])
def test_blanks_in_a_selector_cost_no_more_than_they_are_long(site: FlaskClient, selector: str) -> None:
    query = {"labelSelector": selector.format(" " * 100_000)}
    assert processor(site, "GET", MAPS, query_string=query) < 2


@pytest.mark.parametrize("text", ['conflict with "' * 16_000, ('conflict with "a" ' * 200 + "\n") * 250])
def test_a_message_that_repeats_itself_is_read_in_time(site: FlaskClient, text: str) -> None:
    assert processor(site, "POST", "/intake", data={"text": text}) < 5


def test_a_path_of_too_many_levels_is_refused(site: FlaskClient) -> None:
    page = site.post("/fields", data={"turn": "paths", "paths": ".a" * 600})
    assert page.status_code == 200
    assert "made Patchyard itself fail" not in page.text
    assert "at most 200 are read" in page.text


def test_a_form_of_too_many_fields_is_refused_before_it_is_read(site: FlaskClient) -> None:
    kind = "application/x-www-form-urlencoded"
    answer = site.post("/evaluate", data="a&" * 1_000_000, content_type=kind)
    assert answer.status_code == 413
    assert site.post("/evaluate", data="a&" * 900, content_type=kind).status_code == 200


def test_json_of_a_million_lists_is_not_read() -> None:
    assert json_in("[" + "[]," * 1_100_000 + "0]") is None


def test_protobuf_is_bounded_by_its_bytes(site: FlaskClient) -> None:
    answer = site.post(MAPS, data=b"k8s\0" + b"\0" * (1 << 20), content_type="application/vnd.kubernetes.protobuf")
    assert answer.status_code == 413
    assert "PATCHYARD_MAX_DOCUMENT_BYTES" in answer.get_json()["message"]


def test_warnings_are_cut_as_the_api_server_cuts_them(site: FlaskClient) -> None:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, **{f"x{n}": 1 for n in range(5_000)}}
    warned = site.post(MAPS, json=body).headers.getlist("Warning")
    assert 10 < len(warned) < 500
    assert warned[0] == '299 - "unknown field \\"x0\\""'


def test_a_frame_of_another_site_makes_no_workspace(site: FlaskClient) -> None:
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Accept": "text/html"}
    assert site.get("/w/framed/", headers={**foreign, "Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert site.get("/w/linked/", headers={**foreign, "Sec-Fetch-Dest": "document"}).status_code == 200


def test_a_document_that_is_kept_keeps_no_places_and_finds_them_all_the_same() -> None:
    for text in ('{"a": {"b": [1, 2]}}', "a:\n  b: [1, &x 2, *x]\n"):
        document = read_document(text, DEFAULT_LIMITS)
        kept = document.without_places()
        assert not isinstance(kept.positions, dict)
        for path in (("a",), ("a", "b", 1), ("a", "b", 9)):
            assert kept.place_of(path) == document.place_of(path)
