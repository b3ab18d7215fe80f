"""Who may do what from where: headers, other sites, cookies, addresses to be led to, and workspaces of others."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask

from tests.support.server import ServerProcess
from web.app import create_app
from web.config import Config

MAPS = "api/v1/namespaces/default/configmaps"
SECRET = "hunter2-nobody-else-may-read-this"
FOREIGN: list[dict[str, str]] = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:81"},
    {"Origin": "http://[localhost"},
]
OWN: list[dict[str, str]] = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Origin": "http://localhost"},
]


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config(), lambda: datetime(2030, 1, 1, tzinfo=UTC))


def changing(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield method and address of everything that may change something."""
    parts = {"workspace": "a", "path": MAPS, "key": "k", "operation": "generate", "slug": "s", "number": "1"}
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}):
            yield method, re.sub(r"<(?:\w+:)?(\w+)>", lambda found: parts[found[1]], rule.rule)


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_site_changes_nothing(app: Flask, headers: dict[str, str]) -> None:
    addresses = list(changing(app))
    assert len(addresses) > 20
    for method, address in addresses:
        answer = app.test_client().open(address, method=method, headers=headers, json={})
        assert answer.status_code == 403, (method, address)
        assert "another site" in answer.text
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_own_pages_and_programs_are_served(app: Flask, headers: dict[str, str]) -> None:
    client = app.test_client()
    assert client.post("/evaluate", data={"kind": "apply"}, headers=headers).status_code == 200
    assert client.post("/w/", headers=headers).status_code == 201


@pytest.mark.parametrize(
    "address", ["/", "/generate", "/nothing", "/static/icon.svg", "/w/a/version", "/api/openapi.json", "/healthz"]
)
def test_every_answer_has_the_headers_that_keep_others_out(app: Flask, address: str) -> None:
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "none"}
    answer = app.test_client().get(address, headers=foreign)
    headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert ("script-src 'self'; " in policy) is (answer.mimetype == "text/html")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in headers["Permissions-Policy"]
    assert not [name for name, _ in headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize(
    ("base", "expected"), [("https://lab.example", True), ("https://localhost", False), ("http://lab.example", False)]
)
def test_a_name_that_was_served_over_tls_is_kept_to_it(base: str, expected: bool) -> None:
    app = create_app(Config(hosts="*"), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    assert ("Strict-Transport-Security" in app.test_client().get("/", base_url=base).headers) is expected


@pytest.mark.parametrize("secure", [True, False])
def test_the_only_cookie_is_the_language_and_it_is_shut(secure: bool) -> None:
    app = create_app(Config(hosts="*"), lambda: datetime(2030, 1, 1, tzinfo=UTC))
    answer = app.test_client().get("/?language=zh-Hant", base_url="https://a.example" if secure else "http://a.example")
    [cookie] = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("patchyard_language=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert ("Secure" in cookie) is secure
    for address in ("/", "/generate", "/lessons", "/w/"):
        assert "Set-Cookie" not in app.test_client().get(address).headers


@pytest.mark.parametrize("address", ["//evil.example", "//evil.example/%2f..", "/\\evil.example", "/lessons"])
def test_nobody_is_led_elsewhere(app: Flask, address: str) -> None:
    client = app.test_client()
    for method in ("GET", "POST"):
        answer = client.open(address, method=method, query_string={"language": "zh-Hant", "next": "//evil.example"})
        led = answer.headers.get("Location", "/")
        assert re.match(r"(http://localhost)?/(?![/\\])|/$", led), led


def test_a_stored_result_leads_to_the_workspace_whatever_it_is_called(app: Flask) -> None:
    form = {"kind": "apply", "body": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "manager": "m"}
    for name in ("//evil.example/", "https://evil.example/", "\\\\evil.example", "/w/ok/"):
        led = app.test_client().post("/store", data={**form, "workspace": name}).headers.get("Location", "/w/none/")
        assert re.fullmatch(r"/w/[a-z0-9._-]+/", led)


def ask(address: str, method: str = "GET", body: Any = None, **headers: str) -> tuple[int, str]:
    """What a server answers to somebody outside."""
    data = json.dumps(body).encode() if body is not None else None
    sent = urllib.request.Request(address, data, {"Content-Type": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(sent, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.slow
@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_workspaces_do_not_see_each_other(store: str, tmp_path: Any) -> None:
    options = () if store == "memory" else ("--store", str(tmp_path / "store.db"))
    with ServerProcess("--no-open", *options) as server:
        mine, other = (json.loads(ask(f"{server.address}/w/", "POST", {})[1])["id"] for _ in range(2))
        link = json.loads(ask(f"{server.address}/w/{mine}/links", "POST", {"name": "r", "verbs": ["get"]})[1])["id"]
        secret = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "mine"}, "data": {"k": SECRET}}
        own = f"{server.address}/w/{mine}/api/v1/namespaces/default/configmaps"
        assert ask(own, "POST", secret)[0] == 201
        assert SECRET in ask(own)[1]
        others = f"{server.address}/w/{other}"
        paths = ["", "/", "/api/v1/configmaps", "/api/v1/namespaces/default/configmaps/mine", "/kubeconfig"]
        paths += [
            f"/../{mine}/api/v1/configmaps",
            f"/..%2f{mine}/api/v1/configmaps",
            f"/api/v1/namespaces/..%2f..%2f{mine}/configmaps",
        ]
        paths += ["/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=0", f"/links/{link}"]
        for path in paths:
            for accept in ("application/json", "text/html"):
                if path.startswith("/../"):
                    continue  # a client takes that for the other address before it sends anything
                told = ask(others + path, Accept=accept)[1]
                assert SECRET not in told, path
                assert mine not in told, path
        assert ask(f"{others}/api/v1/namespaces/default/configmaps/mine", "DELETE")[0] == 404
        assert ask(f"{others}/links/{link}", "DELETE")[0] in (200, 404)
        assert SECRET in ask(f"{server.address}/w/{link}/api/v1/namespaces/default/configmaps/mine")[1]
        guessed = ask(f"{server.address}/w/{mine[:-1]}0/api/v1/configmaps")
        assert guessed[0] == 404 or mine.endswith("0")
        assert SECRET not in ask(f"{server.address}/metrics")[1]
        assert SECRET in ask(own)[1]


DEEP = "[" * 100_000
HALF = '{"steps": [{"kind": "json-patch", "manager": "\\ud800", "body": "[]"}], "live": "\\ud800"}'


@pytest.mark.parametrize(
    "text", [DEEP, HALF, "NaN", '{"live": 1e999}', "\x00", '{"body": "\\ud800", "manager": "\\udfff"}']
)
def test_json_that_is_none_or_too_deep_or_half_a_character_breaks_nothing(app: Flask, text: str) -> None:
    client = app.test_client()
    for address in ("/timeline", "/scenario", "/w/", "/w/a/links", "/api/evaluate", f"/w/a/{MAPS}"):
        assert client.post(address, data=text, content_type="application/json").status_code < 500, address
    for address in ("/", "/generate"):
        assert client.post(address, data={"last_good": text, "body": "a: [", "before": "a: ["}).status_code == 200
