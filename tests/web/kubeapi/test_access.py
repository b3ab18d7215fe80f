"""Links with fewer rights, tokens, requests a second, and the end of workspaces that nobody writes to."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from web.app import create_app
from web.config import Config
from web.workspaces.workspace import Bucket

DEPLOYMENTS = "apis/apps/v1/namespaces/default/deployments"
MAPS = "api/v1/namespaces/default/configmaps"
APPLY = "application/apply-patch+yaml"
MERGE = "application/merge-patch+json"
HTML = {"Accept": "text/html"}
START = datetime(2030, 1, 1, tzinfo=UTC)


class Moment:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Moment:
    return Moment()


MakeClient = Callable[..., FlaskClient]


@pytest.fixture(params=["memory", "sqlite", "etcd"])
def site(request: pytest.FixtureRequest, tmp_path: Path, clock: Moment) -> MakeClient:
    """Makes a site with some settings, on each sort of store."""
    store = str(tmp_path / "s.db") if request.param == "sqlite" else ""
    if request.param == "etcd":
        store = f"{request.getfixturevalue('etcd').store}/{tmp_path.name}"
    return lambda **settings: create_app(Config(store=store, **settings), clock).test_client()


def config_map(name: str, value: str = "v") -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"k": value}}


def link(client: FlaskClient, workspace: str, *verbs: str, name: str = "guest") -> str:
    made = client.post(f"/w/{workspace}/links", json={"name": name, "verbs": list(verbs)})
    assert made.status_code == 201, made.text
    assert re.fullmatch(r"[0-9a-f]{32}", made.get_json()["id"])
    return str(made.get_json()["id"])


def ask(client: FlaskClient, method: str, path: str, body: Any = None, kind: str = "application/json") -> TestResponse:
    return client.open(path, method=method, data=json.dumps(body) if body is not None else None, content_type=kind)


def assert_forbidden(answer: TestResponse, message: str, name: str = "a", kind: str = "configmaps") -> None:
    told = answer.get_json()
    assert (answer.status_code, told["kind"], told["reason"], told["code"]) == (403, "Status", "Forbidden", 403)
    assert told["message"] == message
    assert told["details"] == {**({"name": name} if name else {}), "kind": kind}


def test_a_refusal_is_worded_as_the_reference_does(site: MakeClient) -> None:
    client = site(open=1)
    key = link(client, "a", "get")
    where = 'resource "configmaps" in API group "" in the namespace "default"'
    told = f'configmaps "a" is forbidden: User "link:guest" cannot %s {where}'
    path = f"/w/{key}/{MAPS}"
    assert_forbidden(ask(client, "PUT", f"{path}/a", config_map("a")), told % "update")
    assert_forbidden(ask(client, "PATCH", f"{path}/a", {}, MERGE), told % "patch")
    assert_forbidden(ask(client, "DELETE", f"{path}/a"), told % "delete")
    several = f'configmaps is forbidden: User "link:guest" cannot %s {where}'
    assert_forbidden(ask(client, "POST", path, config_map("a")), several % "create", name="")
    assert_forbidden(ask(client, "DELETE", path), several % "deletecollection", name="")
    refused = ask(client, "PATCH", f"/w/{key}/{DEPLOYMENTS}/x/scale", {}, MERGE).get_json()
    assert refused["message"] == (
        'deployments.apps "x" is forbidden: User "link:guest" cannot patch resource "deployments/scale" '
        'in API group "apps" in the namespace "default"'
    )
    assert refused["details"] == {"name": "x", "group": "apps", "kind": "deployments"}
    cluster = ask(client, "DELETE", f"/w/{key}/api/v1/nodes/n").get_json()["message"]
    assert cluster.endswith('cannot delete resource "nodes" in API group "" at the cluster scope')
    own = ask(client, "DELETE", f"/w/{key}/api/v1/namespaces/default").get_json()["message"]
    assert own.endswith('cannot delete resource "namespaces" in API group "" in the namespace "default"')


def test_reading_brings_list_and_watch_and_nothing_else_does(site: MakeClient) -> None:
    client = site(open=1)
    assert ask(client, "POST", f"/w/a/{MAPS}", config_map("a")).status_code == 201
    reader, writer = link(client, "a", "get"), link(client, "a", "create", "update", "patch", "delete")
    for path in (f"{MAPS}/a", MAPS, f"{MAPS}?watch=1&timeoutSeconds=1"):
        assert client.get(f"/w/{reader}/{path}").status_code == 200
        assert client.get(f"/w/{writer}/{path}").status_code == 403
    for path in ("version", "apis", "openapi/v3", "kubeconfig"):
        assert client.get(f"/w/{writer}/{path}").status_code == 200
    assert client.get(f"/w/{writer}/events").status_code == 403
    assert ask(client, "DELETE", f"/w/{writer}/{MAPS}/a").status_code == 200


@pytest.mark.parametrize("query", ["?fieldManager=ci", "?fieldManager=ci&dryRun=All"])
def test_an_apply_that_would_create_wants_the_right_to(site: MakeClient, query: str) -> None:
    client = site(open=1)
    patcher, both = link(client, "a", "patch"), link(client, "a", "patch", "create")
    told = (
        'configmaps "a" is forbidden: User "link:guest" cannot create resource "configmaps" in API group "" '
        'in the namespace "default"'
    )
    assert_forbidden(ask(client, "PATCH", f"/w/{patcher}/{MAPS}/a{query}", config_map("a"), APPLY), told)
    assert client.get(f"/w/a/{MAPS}/a").status_code == 404
    assert ask(client, "PATCH", f"/w/{both}/{MAPS}/a?fieldManager=ci", config_map("a"), APPLY).status_code == 201
    assert ask(client, "PATCH", f"/w/{patcher}/{MAPS}/a{query}", config_map("a", "w"), APPLY).status_code == 200


def test_a_put_that_would_create_wants_the_right_to(site: MakeClient) -> None:
    client = site(open=1)
    updater = link(client, "a", "update")
    role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "r"}, "rules": []}
    path = "apis/rbac.authorization.k8s.io/v1/namespaces/default/roles"
    refused = ask(client, "PUT", f"/w/{updater}/{path}/r", role)
    whole = ask(client, "PUT", f"/w/a/{path}/r", role)
    if whole.status_code == 201:
        assert refused.status_code == 403
        assert 'cannot create resource "roles"' in refused.get_json()["message"]
    else:
        assert refused.status_code == whole.status_code == 404


def test_whoever_asks_is_told_what_the_link_allows(site: MakeClient) -> None:
    client = site(open=1)
    key = link(client, "a", "get")

    def may(workspace: str, verb: str) -> bool:
        body = {"spec": {"resourceAttributes": {"verb": verb, "resource": "configmaps"}}}
        answer = ask(client, "POST", f"/w/{workspace}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body)
        assert answer.status_code == 201
        return bool(answer.get_json()["status"]["allowed"])

    assert [may(key, verb) for verb in ("get", "list", "watch", "create", "deletecollection", "*")] == [True] * 3 + [
        False
    ] * 3
    assert may("a", "*") is may("a", "deletecollection") is True


def test_links_are_made_and_taken_back_by_the_owner_only(site: MakeClient) -> None:
    client = site(open=0)
    owner = client.post("/w/").get_json()["id"]
    key = link(client, owner, "get", "create", "update", "patch", "delete")
    assert client.post(f"/w/{key}/links", json={"name": "x", "verbs": ["get"]}).status_code == 403
    assert client.delete(f"/w/{key}/links/{key}").status_code == 403
    assert owner not in client.get(f"/w/{key}/", headers=HTML).text
    assert owner not in client.get(f"/w/{key}/kubeconfig").text
    assert client.get(f"/w/{key}/{MAPS}").status_code == 200
    assert client.delete(f"/w/{owner}/links/{key}").status_code == 200
    assert client.get(f"/w/{key}/{MAPS}").status_code == 404
    assert client.get(f"/w/{owner}/{MAPS}").status_code == 200


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"name": "x", "verbs": []}, "the link has no rights: choose one or more of get, create"),
        ({"name": "x", "verbs": ["fly"]}, "'fly' is no right: expected one or more of get, create"),
        ({"name": "", "verbs": ["get"]}, "the link has no usable name: expected 1 to 60 letters"),
        ({"name": "x" * 61, "verbs": ["get"]}, "the link has no usable name"),
        ({}, "the link has no rights"),
    ],
)
def test_a_link_that_cannot_be_made_is_told(site: MakeClient, sent: dict[str, Any], told: str) -> None:
    client = site(open=1)
    refused = client.post("/w/a/links", json=sent)
    assert (refused.status_code, refused.get_json()["reason"]) == (422, "Invalid")
    assert told in refused.get_json()["message"]
    shown = client.post("/w/a/links", data=sent, headers=HTML)
    assert shown.status_code == 422
    assert 'role="alert"' in shown.text


def test_a_form_makes_a_link_and_takes_it_back_without_javascript(site: MakeClient) -> None:
    client = site(open=1)
    made = client.post("/w/a/links", data={"name": "readers <b>", "verbs": ["get", "patch"]}, headers=HTML)
    assert (made.status_code, made.headers["Location"]) == (303, "/w/a/#links-title")
    shown = client.get("/w/a/", headers=HTML).text
    assert "readers &lt;b&gt;" in shown
    assert "<td>get, patch</td>" in shown
    removal = re.findall(r'action="(/w/a/links/[0-9a-f]{32}/remove)"', shown)
    assert client.post(removal[0], headers=HTML).status_code == 303
    assert "readers" not in client.get("/w/a/", headers=HTML).text


def test_a_page_of_another_site_makes_no_link(site: MakeClient) -> None:
    client = site(open=1)
    foreign = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.post("/w/a/links", data={"name": "x", "verbs": "get"}, headers=foreign).status_code == 403
    assert client.post("/w/", headers=foreign).status_code == 403


def test_a_workspace_with_a_token_opens_with_it_only(site: MakeClient) -> None:
    client = site(open=0)
    made = client.post("/w/", json={"token": True}).get_json()
    path, token = f"/w/{made['id']}/{MAPS}", made["token"]
    refused = client.get(path)
    assert (refused.status_code, refused.get_json()["reason"]) == (401, "Unauthorized")
    assert "this workspace wants its token" in refused.get_json()["message"]
    assert refused.headers["WWW-Authenticate"].startswith("Basic ")
    basic = base64.b64encode(f"me:{token}".encode()).decode()
    for given in (f"Bearer {token}", f"Basic {basic}"):
        assert client.get(path, headers={"Authorization": given}).status_code == 200
    for given in ("Bearer x", "Bearer ", "Basic eDp5", "Basic ???", "Nonsense", f"Bearer {token}x"):
        assert client.get(path, headers={"Authorization": given}).status_code == 401
    right = {"Authorization": f"Bearer {token}"}
    config = yaml.safe_load(client.get(f"/w/{made['id']}/kubeconfig", headers=right).text)
    assert config["users"][0]["user"] == {"token": token}
    key = client.post(f"/w/{made['id']}/links", json={"name": "x", "verbs": ["get"]}, headers=right).get_json()["id"]
    assert client.get(f"/w/{key}/{MAPS}").status_code == 200
    assert token not in client.get(f"/w/{key}/kubeconfig").text


def test_a_token_is_shown_once_and_kept_as_a_digest_only(tmp_path: Path, clock: Moment) -> None:
    client = create_app(Config(store=str(tmp_path / "s.db"), open=0), clock).test_client()
    shown = client.post("/w/", data={"token": "1"}, headers=HTML)
    assert shown.status_code == 201
    token = re.findall(r"Token: <code>([\w-]{40,})</code>", shown.text)[0]
    assert token.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_browser_makes_a_workspace_with_one_button(site: MakeClient) -> None:
    client = site(open=0)
    shown = client.get("/w/", headers=HTML)
    assert shown.status_code == 200
    assert '<form method="post" action="/w/"' in shown.text
    made = client.post("/w/", headers=HTML)
    assert made.status_code == 303
    opened = client.get(made.headers["Location"], headers=HTML)
    assert opened.status_code == 200
    assert f"kubectl --server http://localhost{made.headers['Location'].rstrip('/')} get" in opened.text


def test_only_so_many_requests_a_second_are_taken(site: MakeClient) -> None:
    client = site(open=1, workspace_rate=5)
    codes = [client.get("/w/a/version").status_code for _ in range(12)]
    assert codes[:10] == [200] * 10
    assert codes[-1] == 429
    refused = client.get("/w/a/version")
    assert int(refused.headers["Retry-After"]) >= 1
    assert "this workspace takes 5 requests a second" in refused.get_json()["message"]
    assert client.get("/w/b/version").status_code == 200


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(2)
    assert [bucket.take(0.0) for _ in range(5)] == [0, 0, 0, 0, 0.5]
    assert bucket.take(0.4) > 0
    assert bucket.take(0.6) == 0
    assert [bucket.take(100.0) for _ in range(5)][-1] > 0
    assert all(Bucket(0).take(0.0) == 0 for _ in range(100))


def test_a_workspace_that_nobody_writes_to_is_deleted_after_a_warning(site: MakeClient, clock: Moment) -> None:
    client = site(open=0, workspace_days=10)
    name, other = (client.post("/w/").get_json()["id"] for _ in range(2))
    key = link(client, name, "get")
    assert ask(client, "POST", f"/w/{name}/{MAPS}", config_map("a")).status_code == 201
    assert "Warning" not in client.get(f"/w/{name}/{MAPS}/a").headers
    clock.now = START + timedelta(days=9, hours=1)
    warned = client.get(f"/w/{name}/{MAPS}/a")
    assert warned.headers["Warning"] == (
        '299 - "this workspace will be deleted on 2030-01-11 00:00 UTC unless something is written to it before"'
    )
    assert "will be deleted on 2030-01-11 00:00 UTC" in client.get(f"/w/{name}/", headers=HTML).text
    assert ask(client, "PUT", f"/w/{name}/{MAPS}/a", config_map("a", "w")).status_code == 200
    clock.now = START + timedelta(days=11)
    assert client.get(f"/w/{name}/{MAPS}/a").status_code == 200
    assert client.get(f"/w/{other}/{MAPS}").status_code == 404
    clock.now = START + timedelta(days=20)
    for gone in (name, key):
        assert client.get(f"/w/{gone}/{MAPS}").status_code == 404
    assert client.get("/w/").status_code == 200
