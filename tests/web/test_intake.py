"""What people paste is sorted as they mean it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from engine.value.limits import Limits
from web.intake import conflicts_in, sorted_in

LIVE = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  uid: u\n# kept\ndata: {x: '1'}\n"
INTENT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata: {x: '2'} # mine\n"
CRD = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\nspec: {}\n"
SINGLE = 'error: Apply failed with 1 conflict: conflict with "kube-controller" using apps/v1: .spec.replicas\n'
MANY = """\
error: Apply failed with 3 conflicts: conflicts with "hpa" with subresource "scale" using apps/v1:
- .spec.replicas
- .spec.template.spec.containers[name="web"].image
conflicts with "a \\"b\\"":
- .metadata.labels.x
Please review the fields above--they currently have other managers.
"""


def test_a_live_object_an_intent_and_a_definition_go_each_to_its_editor() -> None:
    found = sorted_in(f"{CRD}---\n{INTENT}---\n{LIVE}", Limits())
    assert found.draft is not None
    assert (found.draft.live, found.draft.body, found.draft.crds) == (LIVE, INTENT, CRD)
    assert found.definitions == 1


def test_a_list_is_its_items() -> None:
    items = "".join(f"- metadata: {{name: c{number}, uid: u}}\n" for number in range(3))
    found = sorted_in(f"apiVersion: v1\nkind: ConfigMapList\nitems:\n{items}", Limits())
    assert found.draft is None
    assert [each.name for each in found.rows] == ["ConfigMap c0", "ConfigMap c1", "ConfigMap c2"]
    assert "kind: ConfigMap\n" in found.rows[0].draft.live


def test_several_intents_are_for_choosing() -> None:
    found = sorted_in(f"{INTENT}---\n{INTENT.replace('name: c', 'name: d')}", Limits())
    assert (found.draft, [each.role for each in found.rows]) == (None, ["to be written"] * 2)
    assert found.rows[0].draft.body == INTENT


def test_operations_are_a_json_patch() -> None:
    found = sorted_in('[{"op": "remove", "path": "/data"}]', Limits())
    assert found.draft is not None
    assert found.draft.kind == "json-patch"


def test_a_definition_alone_is_a_schema() -> None:
    found = sorted_in(CRD, Limits())
    assert found.draft is not None
    assert found.draft.crds == CRD


def test_a_conflict_is_listed_with_its_managers() -> None:
    assert [(each.field, each.manager, each.more) for each in conflicts_in(SINGLE)] == [
        (".spec.replicas", "kube-controller", "using apps/v1")
    ]
    assert [(each.field, each.manager) for each in conflicts_in(MANY)] == [
        (".spec.replicas", "hpa"),
        ('.spec.template.spec.containers[name="web"].image', "hpa"),
        (".metadata.labels.x", 'a \\"b\\"'),
    ]


@pytest.mark.parametrize("text", ["", " \n", "just words", "a: [", "1", "--- \n---\n", "\x00"])
def test_what_is_nothing_is_told(text: str) -> None:
    assert sorted_in(text, Limits()).problems


@given(st.text(alphabet='-kind: List\nconflict with "a":.{}[]&*', max_size=80))
def test_any_text_is_sorted_or_told(text: str) -> None:
    found = sorted_in(text, Limits())
    assert found.draft or found.rows or found.conflicts or found.problems


def test_the_page_works_without_scripts(client: FlaskClient) -> None:
    def opened(**form: Any) -> str:
        return client.post("/open", data=form, content_type="multipart/form-data").get_data(as_text=True)

    assert 'name="live"' in opened(text=LIVE)
    assert "kube-controller" in opened(text=SINGLE)
    assert 'aria-label="Open ConfigMap d in the playground"' in opened(
        text=f"{INTENT}---\n{INTENT.replace('name: c', 'name: d')}"
    )
    assert "# mine" in opened(text="", file=(io.BytesIO(INTENT.encode()), "intent.yaml"))
    assert client.get("/open").status_code == 200
    assert client.post("/intake", data={"text": INTENT}).get_json()["draft"]["body"] == INTENT
