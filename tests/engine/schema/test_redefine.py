"""Another list or map type, written into the definition's own text."""

from __future__ import annotations

import pytest

from engine.meta.gvk import GroupVersionKind
from engine.schema.describe import describe
from engine.schema.redefine import NotDefined, Relation, redefined, relations_of
from engine.schema.structural import kinds_of_definition
from engine.value.codec import parse_yaml

GVK = GroupVersionKind("example.com", "v1", "Crate")
TEXT = """\
# the first document is another kind
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lids.example.com}
spec:
  group: example.com
  names: {kind: Lid, plural: lids}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: crates.example.com # ours
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
          spec:
            type: object
            properties:
              # who may open it
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string}
                    protocol: {type: string, default: TCP}
                    note: {type: string}
              tags: {type: array, items: {type: string}}
              labels:
                additionalProperties: {type: string}
                type: object
"""


def described(text: str, path: str) -> object:
    crd = parse_yaml(text.split("\n---\n")[1])
    assert isinstance(crd, dict)
    return describe(kinds_of_definition(crd)[0].type, path, custom=True)[0]


@pytest.mark.parametrize(
    ("path", "relation", "list_type", "keys", "map_type"),
    [
        (".spec.ports", Relation("atomic"), "atomic", (), ""),
        (".spec.ports", Relation("map", ("protocol",)), "map", ("protocol",), ""),
        (".spec.tags", Relation("set"), "set", (), ""),
        (".spec.tags", Relation("atomic"), "atomic", (), ""),
        (".spec.labels", Relation("atomic"), "", (), "atomic"),
        (".spec", Relation("atomic"), "", (), "atomic"),
        (".spec.ports[]", Relation("atomic"), "", (), "atomic"),
    ],
)
def test_the_schema_says_it_afterwards(path, relation, list_type, keys, map_type) -> None:  # type: ignore[no-untyped-def]
    found = described(redefined(TEXT, GVK, path, relation), path)
    assert (found.list_type, found.keys, found.map_type) == (list_type, keys, map_type)  # type: ignore[attr-defined]


def test_comments_and_other_documents_stay() -> None:
    after = redefined(TEXT, GVK, ".spec.ports", Relation("atomic"))
    kept = [line for line in TEXT.splitlines() if line in after.splitlines()]
    assert len(kept) == len(TEXT.splitlines()) - 2  # the list type and the keys
    assert "# who may open it" in after


def test_there_and_back_is_the_same_text() -> None:
    there = redefined(TEXT, GVK, ".spec.ports", Relation("map", ("protocol",)))
    assert redefined(there, GVK, ".spec.ports", Relation("map", ("name",))).replace('["name"]', "[name]") == TEXT


def test_what_no_definition_has_is_refused() -> None:
    with pytest.raises(NotDefined):
        redefined(TEXT, GVK, ".spec.absent", Relation("atomic"))
    with pytest.raises(NotDefined):
        redefined(TEXT, GroupVersionKind("example.com", "v2", "Crate"), ".spec.ports", Relation("atomic"))


def test_only_what_the_server_would_take_is_offered() -> None:
    crd = parse_yaml(TEXT.split("\n---\n")[1])
    assert isinstance(crd, dict)
    spec = kinds_of_definition(crd)[0].type.atom.map.fields["spec"].type.atom.map  # type: ignore[union-attr]
    offered = {name: [str(each) for each in relations_of(field.type.atom)] for name, field in spec.fields.items()}  # type: ignore[union-attr]
    assert offered == {
        "ports": ["atomic", "map name", "map protocol"],
        "tags": ["atomic", "set"],
        "labels": ["granular", "atomic"],
    }
