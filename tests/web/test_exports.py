"""A draft as commands, a program and a report."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from engine.value.limits import DEFAULT_LIMITS
from web.contexts import Draft
from web.exports import _heredoc, exported
from web.forms import Unusable

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LIVE = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 1}}"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  k: it's\n"


def texts(**draft: object) -> dict[str, str]:
    return exported(Draft(**{"manager": "ci", **draft}), DEFAULT_LIMITS, NOW)  # type: ignore[arg-type]


def test_an_apply_as_kubectl() -> None:
    told = texts(body=MAP, force=True, dry_run=True)["kubectl"]
    command = (
        "kubectl apply --server-side -f - --namespace=default --field-manager=ci --force-conflicts --dry-run=server"
    )
    assert told == f"{command} <<'END'\n{MAP.rstrip()}\nEND\n"


@pytest.mark.parametrize(
    ("kind", "body", "start"),
    [
        ("merge", "{spec: {replicas: 2}}", "kubectl patch deployments.apps/web --type=merge --patch-file /dev/stdin"),
        ("strategic", "{spec: {replicas: 2}}", "kubectl patch deployments.apps/web --type=strategic"),
        ("json-patch", '[{"op": "remove", "path": "/spec"}]', "kubectl patch deployments.apps/web --type=json"),
        ("update", LIVE, "kubectl replace -f - --namespace=shop"),
        ("kubectl-apply", LIVE, "kubectl apply -f - --namespace=shop <<"),
    ],
)
def test_each_kind_of_write_as_kubectl(kind: str, body: str, start: str) -> None:
    assert texts(kind=kind, live=LIVE, body=body)["kubectl"].startswith(start)


def test_a_request_as_curl() -> None:
    told = texts(live=LIVE, body="{spec: {replicas: 2}}", kind="merge", subresource="scale")["curl"]
    assert "curl -X PATCH" in told
    assert '-H "Content-Type: application/merge-patch+json"' in told
    path = "/apis/apps/v1/namespaces/shop/deployments/web/scale?fieldManager=ci&fieldValidation=Warn"
    assert f"\"$SERVER\"'{path}' <<'END'" in told
    assert '"replicas": 2' in told


def test_what_kubectl_apply_sends_as_curl() -> None:
    body = LIVE.replace("replicas: 1", "replicas: 2")
    assert "strategic-merge-patch+json" in texts(kind="kubectl-apply", live=LIVE, body=body)["curl"]


@pytest.mark.parametrize("kind", ["apply", "update", "create", "merge", "json-patch", "strategic"])
def test_a_program_is_python(kind: str) -> None:
    body = '[{"op": "add", "path": "/data", "value": {}}]' if kind == "json-patch" else MAP
    told = texts(kind=kind, live="" if kind == "create" else MAP, body=body)["python"]
    compile(told, "program", "exec")
    assert "api_version='v1', kind='ConfigMap'" in told


def test_a_report_has_its_parts() -> None:
    told = texts(live=LIVE, body="{spec: {replicas: 2}}", kind="merge")["markdown"]
    assert told.startswith("**JSON merge** by `ci`: ")
    assert told.count("```") == 6


def test_a_text_that_holds_the_mark_or_a_fence_is_not_cut() -> None:
    body = MAP.replace("  k: it's\n", "  END: |\n    ```\n") + "# the next line ends nothing\n# \\\nEND: 1\n"
    told = texts(body=body)
    assert "````yaml" in told["markdown"]
    shell = "kubectl() { cat; }\n" + told["kubectl"]
    done = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=True)
    assert done.stdout == body.rstrip("\n") + "\n"


def test_the_mark_is_none_of_the_lines() -> None:
    assert _heredoc("cat", "a\nEND\nEND_") == "cat <<'END__'\na\nEND\nEND_\nEND__\n"


def test_a_draft_that_is_no_request_has_no_texts(client: FlaskClient) -> None:
    with pytest.raises(Unusable):
        texts(body="{")
    assert client.post("/export", data={"body": "{"}).status_code == 409


def test_the_page_asks_for_all_texts_at_once(client: FlaskClient) -> None:
    told = client.post("/export", data={"body": MAP, "manager": "ci"}).get_json()
    assert sorted(told) == ["curl", "kubectl", "markdown", "python"]
