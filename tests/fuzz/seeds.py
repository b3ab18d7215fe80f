"""What inputs are made of: the site's own examples, and a document for each corner of the formats."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engine.value.codec import parse_json, parse_yaml, render_json
from engine.value.model import Object, Value
from web.contexts import Draft
from web.examples import load_examples
from web.lessons import load_lessons

YAML = (
    "a: &a {b: 1, c: [1, 2.5, .inf, 0x1f, 0o17, 1_000, yes, ~]}\nd: *a\n<<: *a\ne: |\n  text\nf: >-\n  folded\n",
    "? \"key\"\n: !!str 1\n\"\\u00e9\\x41\": 'it''s'\n# comment\n- no\n",
    "--- 1\n--- {a: b}\n...\n---\n- - - 1\n",
    "x: [a, {b: c}, 'd', \"e\\n\"]\ny: !!binary aGk=\nz: 2001-01-01\n",
)
JSON = (
    '{"a": [1, 2.5, -0, 1e3, true, null, "\\u00e9\\ud83d\\ude00"], "b": {"c": {}}, "a": 2}',
    "[[[]]]",
    '"x"',
    "-1.5e-3",
)
FIELDS: Object = {
    "f:metadata": {"f:labels": {".": {}, "f:a": {}}, "f:finalizers": {'v:"x"': {}}},
    "f:spec": {"f:list": {'k:{"name":"a","port":80}': {".": {}, "f:name": {}}, "i:0": {}, "v:1.5": {}}},
}
PATHS = '.metadata.labels.a\n.spec.list[name="a",port=80].name\n.spec.set[="x"]\n.spec.items[0]\n.a["b.c"]\n'
LIST = {
    "type": "array",
    "items": {"type": "string", "pattern": "^a+$", "maxLength": 9},
    "x-kubernetes-list-type": "set",
}
ITEM = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "n": {"type": "integer"}}}
KEYED = {"type": "array", "items": ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
SPEC = {
    "type": "object",
    "properties": {
        "set": LIST,
        "keyed": KEYED,
        "size": {"type": "integer", "minimum": 0, "multipleOf": 2, "default": 4},
        "either": {"x-kubernetes-int-or-string": True},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "x-kubernetes-map-type": "atomic"},
        "map": {"type": "object", "additionalProperties": {"type": "string", "enum": ["a", "b"]}},
    },
    "x-kubernetes-validations": [{"rule": "!has(self.size) || self.size > 1", "message": "too small"}],
}
DEFINITION: Object = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "things.lab.io"},
    "spec": {
        "group": "lab.io",
        "scope": "Namespaced",
        "names": {"kind": "Thing", "plural": "things", "singular": "thing", "listKind": "ThingList"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".s"}},
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": SPEC}}},
            }
        ],
    },
}
THING: Object = {
    "apiVersion": "lab.io/v1",
    "kind": "Thing",
    "metadata": {"name": "a"},
    "spec": {"set": ["aa"], "keyed": [{"name": "x", "n": 1}], "size": 4, "either": "1", "map": {"k": "a"}, "free": {}},
}
PATCH: Value = [
    {"op": "test", "path": "/metadata/name", "value": "a"},
    {"op": "add", "path": "/spec/template/spec/containers/-", "value": {"name": "b", "image": "i"}},
    {"op": "copy", "from": "/spec", "path": "/spec/copy"},
    {"op": "move", "from": "/metadata/labels", "path": "/metadata/annotations"},
    {"op": "replace", "path": "/spec/replicas", "value": 5},
    {"op": "remove", "path": "/spec/template/spec/containers/-1"},
]
DIRECTIVES: tuple[Object, ...] = (
    {"metadata": {"labels": {"$patch": "replace", "a": "b"}, "annotations": {"$patch": "delete"}, "finalizers": None}},
    {"spec": {"template": {"spec": {"containers": [{"name": "a", "$patch": "delete"}, {"name": "b", "image": "i"}]}}}},
    {
        "spec": {
            "strategy": {"$retainKeys": ["type"], "type": "Recreate"},
            "template": {
                "spec": {
                    "$setElementOrder/containers": [{"name": "b"}, {"name": "a"}],
                    "containers": [{"name": "b", "ports": [{"containerPort": 80, "$patch": "replace"}]}],
                }
            },
        }
    },
    {
        "metadata": {
            "$deleteFromPrimitiveList/finalizers": ["x/y"],
            "$setElementOrder/finalizers": ["a/b", "x/y"],
            "finalizers": ["a/b"],
        }
    },
)
"""Strategic merge patches with every directive."""

COUNTS = (
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "currentReplicas",
    "fullyLabeledReplicas",
)
STATUSES: tuple[Object, ...] = (
    {"status": {**dict.fromkeys(COUNTS, 1), "unavailableReplicas": 0, "observedGeneration": 1, "collisionCount": 0}},
    {"status": {"conditions": [{"type": "A", "status": "True"}], "phase": "Bound", "capacity": {"storage": "1Gi"}}},
    {"status": {"active": 1, "succeeded": 0, "startTime": "2030-01-01T00:00:00Z", "uncountedTerminatedPods": {}}},
)
"""What controllers tell."""


@cache
def drafts() -> tuple[Draft, ...]:
    """Return the drafts of all examples and lessons, and one with a definition."""
    thing = render_json(THING)
    own = Draft("apply", thing, thing, render_json(DEFINITION), "ci")
    patch = Draft("json-patch", load_examples()[0].draft.live, render_json(PATCH), "", "ci")
    taught = (step.draft for lesson in load_lessons() for step in lesson.steps)
    return (own, patch, *(each.draft for each in load_examples()), *taught)


@cache
def texts() -> tuple[str, ...]:
    """Return texts that documents are made of."""
    told = {text for draft in drafts() for text in (draft.live, draft.body, draft.crds) if text.strip()}
    return (*YAML, *JSON, PATHS, render_json(FIELDS), *sorted(told))


@cache
def objects() -> tuple[Object, ...]:
    """Return objects that writes are made to."""
    found = [parse_yaml(each.live) for each in drafts() if each.live.strip()]
    return (THING, *(each for each in found if isinstance(each, dict) and "kind" in each))


@cache
def built_in() -> tuple[Object, ...]:
    """Return objects of built-in kinds: those of the tables that tell of their defaults, and of what is refused."""
    folder = Path(__file__).resolve().parents[1] / "engine/schema/builtin"
    rows = [row for name in ("defaults", "refusals") for row in _table(folder / f"{name}.yaml")]
    return tuple(row["given"] for row in rows if isinstance(row.get("given"), dict))


def _table(file: Path) -> list[Any]:
    rows: list[Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return rows


def value_of(text: str) -> Value:
    """Return the value of a seed; a text that is none stays a text."""
    try:
        return parse_json(text) if text[:1] in "[{" else parse_yaml(text)
    except Exception:
        return text
