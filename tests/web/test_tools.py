"""The tools through their addresses: what is typed comes back, and what follows is told."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from web.migration import sample
from web.two_clients import FOUR_STEPS, LIVE


def text(answer: object) -> str:
    return answer.get_data(as_text=True)  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("address", ["/tools", "/fields", "/migration", "/race"])
def test_every_tool_opens_with_an_example(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "outcome-refused" not in text(answer) or address == "/race"  # the race begins with a lost update


def test_paths_become_fields_and_the_other_way_round(client: FlaskClient) -> None:
    there = client.post("/fields", data={"paths": ".spec.ports[port=80].name\n", "turned": "paths"})
    assert "k:{\\&#34;port\\&#34;:80}" in text(there)
    back = client.post("/fields", data={"fields": '{"f:spec": {"f:replicas": {}}}', "turned": "fields"})
    assert ".spec.replicas" in text(back)


def test_an_entry_of_managed_fields_will_do(client: FlaskClient) -> None:
    entry = "- manager: a\n  fieldsV1:\n    f:data:\n      f:x: {}\n"
    assert ".data.x" in text(client.post("/fields", data={"fields": entry}))


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ({"paths": "spec", "turned": "paths"}, "line 1, column 1"),
        ({"fields": "[1]", "turned": "fields"}, "fieldsV1 must be a map"),
        ({"fields": "{a", "turned": "fields"}, "line 1"),
        ({"fields": '{"x": {}}', "turned": "fields"}, "missing colon"),
    ],
)
def test_what_is_no_field_set_is_told_and_comes_back(client: FlaskClient, form: dict[str, str], told: str) -> None:
    answer = text(client.post("/fields", data=form))
    assert told in answer
    assert form.get("paths", form.get("fields", "")).split("\n")[0][:2] in answer


def test_the_migration_of_the_example_says_what_sticks_and_what_goes(client: FlaskClient) -> None:
    page = text(client.get("/migration"))
    stages = re.findall(r'<h2 id="stage-\d">([^<]+)', page)
    assert [each[:2] for each in stages] == ["1.", "2.", "3.", "4.", "5."]
    goes = page[page.index("stage-3") : page.index("stage-4")]
    assert "env" in re.sub("<wbr>", "", goes[goes.index("Goes") :])
    assert "team-b (Apply" in goes[goes.index("others own it") :]
    assert "Without stage 2 they would stick" in page


def test_only_kubectl_is_let_through_by_its_annotation(client: FlaskClient) -> None:
    draft = sample()
    body = draft.body.replace("    app: web\nspec", "    app: web\n    tier: back\nspec", 1)
    let = text(client.post("/migration", data={"live": draft.live, "body": body, "manager": "kubectl"}))
    assert "Without force team-b lost fields" in let
    refused = text(client.post("/migration", data={"live": draft.live, "body": body, "manager": "ci"}))
    assert "Without force" not in refused
    assert "409" in refused
    assert "Without force" not in text(client.post("/migration", data={"live": draft.live, "body": draft.body}))


def test_a_migration_that_conflicts_says_so(client: FlaskClient) -> None:
    entry = "{manager: ops, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {'f:data': {'f:x': {}}}}"
    head = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"
    live = f"{head}  managedFields: [{entry}]\ndata: {{x: '1'}}\n"
    body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {x: '2'}\n"
    page = text(client.post("/migration", data={"live": live, "body": body}))
    assert "409" in page
    assert ".data" in page
    assert "Nobody owns that annotation" in page


@pytest.mark.parametrize("form", [{}, {"live": "a: ["}, {"live": "- 1", "body": "x"}, {"body": "a: b"}])
def test_a_migration_of_nonsense_is_answered(client: FlaskClient, form: dict[str, str]) -> None:
    assert client.post("/migration", data=form).status_code == 200


def race(client: FlaskClient, **more: str) -> str:
    form = {"live": LIVE, "change_a": "data: {cpu: '2'}", "change_b": "data: {memory: 2Gi}", "order": FOUR_STEPS}
    return text(client.post("/race", data={**form, **more}))


def test_ready_examples_set_order_and_manner(client: FlaskClient) -> None:
    assert "Lost: the server took the write of anna" in race(client, preset="lost")
    refused = race(client, preset="refused")
    assert "Nothing is lost. ben was refused" in refused
    assert "409" in refused
    assert "Nothing is lost: every change" in race(client, preset="retried")
    assert "Nothing is lost: every change" in race(client, preset="patched")


def test_the_lock_stands_beside_it(client: FlaskClient) -> None:
    assert "ben would have waited" in race(client, preset="lost")
    assert "ben would still be waiting" in race(client, order="anna get, ben get", manner_a="put")


def test_moves_are_added_and_taken_back(client: FlaskClient) -> None:
    assert 'value="anna get, ben write"' in race(client, order="anna get", add="ben write")
    assert 'value="anna get"' in race(client, order="anna get, ben get", back="1")
    assert 'name="order" id="order" form="tool" value=""' in race(client, clear="1")


@pytest.mark.parametrize("order", ["x", "anna fly", "anna get," * 30])
def test_an_order_that_cannot_be_played_is_told(client: FlaskClient, order: str) -> None:
    page = race(client, order=order)
    assert re.search(r'id="problems-order"[^>]*>\s*<li', page)


def test_a_change_that_is_no_map_is_told(client: FlaskClient) -> None:
    assert re.search(r'id="problems-change_a"[^>]*>\s*<li', race(client, change_a="- 1"))
    assert re.search(r'id="problems-live"[^>]*>\s*<li', race(client, live="[1]"))
