"""What the playground asks for beside the result: the schema, the doctor, two states compared."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crates.example.com}
spec:
  group: example.com
  names: {kind: Crate, plural: crates}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {tags: {type: array, items: {type: string}}}}
"""
CRATE = "apiVersion: example.com/v1\nkind: Crate\nmetadata: {name: c}\nspec: {tags: [red]}\n"
LIVE = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: c
  resourceVersion: "7"
  managedFields:
  - manager: old
    operation: Update
    apiVersion: v1
    time: "2020-01-01T00:00:00Z"
    fieldsType: FieldsV1
    fieldsV1: {"f:data": {"f:a": {}, "f:gone": {}}}
data: {a: "1"}
"""


def test_of_a_long_object_all_lines_are_shown_where_they_are_asked_for(client: FlaskClient) -> None:
    live = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n"
    live += "".join(f"  key-{number:04}: a\n" for number in range(3_000))
    form = {
        "kind": "apply",
        "manager": "ci",
        "live": live,
        "body": live.replace("key-2000: a", "key-2000: b"),
        "force": "1",
    }
    short = client.post("/evaluate", data=form).get_data(as_text=True)
    assert short.count('<li class="line') == 1_000
    assert "<ins>  key-2000: b</ins>" in short
    assert "lines are left out here" in short
    assert 'name="whole"' in short
    whole = client.post("/evaluate", data=form | {"whole": "1"}).get_data(as_text=True)
    assert whole.count('<li class="line') > 3_000
    assert "left out here" not in whole
    assert 'name="whole" id="whole" value="1" form="write" checked' in whole


def test_of_the_lines_that_a_page_holds_those_that_changed_are_sent_alone(client: FlaskClient) -> None:
    body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '1', b: '%s'}\n"
    form = {"kind": "apply", "manager": "ci", "live": LIVE, "body": body % 2}
    whole = client.post("/evaluate", data=form).get_data(as_text=True)
    name = re.search(r'data-name="([0-9a-f]{32})"', whole)
    assert name is not None
    count = whole.count('<li class="line')
    form["body"] = body % 3
    some = client.post("/evaluate", data=form, headers={"X-Lines": name[1]}).get_data(as_text=True)
    stays = re.search(rf'data-held="{name[1]}" data-start="(\d+)" data-end="(\d+)"', some)
    assert stays is not None
    assert some.count('<li class="line') == 1
    assert int(stays[1]) + int(stays[2]) == count - 1
    again = client.post("/evaluate", data=form, headers={"X-Lines": "0" * 32}).get_data(as_text=True)
    assert again.count('<li class="line') == count
    assert "data-held" not in again


def test_each_line_of_the_result_has_its_reason(client: FlaskClient) -> None:
    body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: '1', b: '2'}\n"
    told = client.post("/reasons", data={"kind": "apply", "manager": "ci", "live": LIVE, "body": body}).get_json()
    assert told["sentences"][told["kept"][".data.b"]] == "Set by this write."
    assert told["sentences"][told["kept"][".data.a"]].startswith("Shared: this write says the same as old")
    taken = {"kind": "json-patch", "manager": "ci", "live": LIVE, "body": "- {op: remove, path: /data/a}"}
    told = client.post("/reasons", data=taken).get_json()
    assert told["sentences"][told["gone"][".data.a"]].startswith("Taken away by this write")
    assert client.post("/reasons", data={"live": LIVE}).get_json() == {"sentences": [], "kept": {}, "gone": {}}
    assert client.post("/reasons", data={"live": "{", "body": body}).status_code == 409


def test_a_list_is_made_a_set_in_the_persons_own_text(client: FlaskClient) -> None:
    form = {"crds": CRD, "body": CRATE, "redefine": "set  .spec.tags"}
    crds = client.post("/schema", data=form).get_json()["crds"]
    assert crds == CRD.replace("{tags: {type", '{tags: {"x-kubernetes-list-type": "set", type')


@pytest.mark.parametrize("redefine", ["", "map name .spec.tags", "set  .spec", "set  .absent", "atomic", "x y z"])
def test_what_the_schema_cannot_be_is_refused(client: FlaskClient, redefine: str) -> None:
    assert client.post("/schema", data={"crds": CRD, "body": CRATE, "redefine": redefine}).status_code == 409


def test_a_change_of_the_schema_is_a_step_that_writes_nothing(client: FlaskClient) -> None:
    steps = [{"crds": CRD, "body": CRATE, "redefine": "set  .spec.tags"}, {"crds": CRD, "body": CRATE, "manager": "a"}]
    first, second = client.post("/timeline", json={"live": "", "steps": steps}).get_json()
    assert (first["code"], first["live"]) == ("schema", "")
    assert first["sentence"].startswith("From here on .spec.tags is set")
    assert second["code"] == "201"


def test_the_doctor_tells_what_ails_and_gives_the_command(client: FlaskClient) -> None:
    told = client.post("/doctor", data={"live": LIVE}).get_data(as_text=True)
    assert "Wrote last" in told
    assert ".data.gone" in told
    assert "kubectl patch configmap c --type=json" in told
    assert client.post("/doctor", data={"live": "a: ["}).status_code == 409
    assert "no object" in client.post("/doctor", data={}).get_data(as_text=True)


def test_two_states_are_held_against_each_other(client: FlaskClient) -> None:
    changed = LIVE.replace('a: "1"', 'a: "2"').replace("manager: old", "manager: new")
    told = client.post("/compare", data={"live": LIVE, "body": changed}).get_data(as_text=True)
    assert "2 lines differ" in told
    assert "gone since then" in told
    same = client.post("/compare", data={"live": LIVE, "body": LIVE}).get_data(as_text=True)
    assert "No line and no owner differs" in same
    assert "cannot be read" in client.post("/compare", data={"live": "a: [", "body": LIVE}).get_data(as_text=True)


@pytest.mark.parametrize("path", [".spec.replicas", ".nothing", "[", ""])
def test_the_schema_view_follows_the_path(client: FlaskClient, path: str) -> None:
    body = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    form = {"body": body, "view": "schema", "schema_path": path}
    told = client.post("/evaluate", data=form, headers={"HX-Request": "true"}).get_data(as_text=True)
    assert 'id="schema-path"' in told
    assert ("expected one of" in told) == (path == ".nothing")


def test_owners_keep_their_letters_where_two_states_are_compared(client: FlaskClient) -> None:
    def held(*managers: str) -> str:
        entry = "{{manager: {name}, operation: Apply, apiVersion: v1, fieldsType: FieldsV1, "
        entry += "fieldsV1: {{f:data: {{f:{name}: {{}}}}}}}}"
        entries = "".join(f"\n  - {entry.format(name=name)}" for name in managers)
        data = ", ".join(f"{name}: x" for name in managers)
        return f"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  managedFields:{entries}\ndata: {{{data}}}\n"

    def letters(shown: str) -> dict[str, str]:
        page = client.post("/compare", data={"live": held("a", "b"), "body": held("a"), "shown": shown}).text
        return dict(re.findall(r'<li data-letter="(\w)">.*?<b>(\w)</b>', page))

    assert letters("") == {"A": "a", "B": "b"}
    assert letters(held("b", "c", "a")) == {"A": "b", "C": "a"}
    assert letters("no: {") == {"A": "a", "B": "b"}
