"""The documents that speed is measured on, made from a fixed pattern: every run and every machine has the same ones.

`deployment` is a recording: the object, what is written to it, and what the API server of Kubernetes 1.36 answered.
The others are made larger after it. Each document comes with one small change, at a fixed place in its middle.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pkgutil import get_data
from typing import Any

from engine.meta.gvk import gvk_of
from engine.schema.catalog import Catalog, KindInfo, builtin_catalog
from engine.schema.structural import kinds_of_definition
from engine.value.model import Object

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A document: the object as somebody applies it, the same with one value changed, and its kind.

    crds is the kind's definition if it is a custom one.
    """

    name: str
    intent: Object
    changed: Object
    catalog: Catalog
    crds: tuple[Object, ...] = ()

    @property
    def info(self) -> KindInfo:
        """The kind, as the catalog has it."""
        info = self.catalog.kind(gvk_of(self.intent))
        assert info is not None
        return info


def recording() -> dict[str, Any]:
    """Return the recorded Deployment: `live`, and for each write its manager, its body and the server's `result`."""
    data = get_data("web", "data/bench/deployment.json")
    assert data is not None
    recorded: dict[str, Any] = json.loads(data)
    return recorded


def samples() -> tuple[Sample, ...]:
    """Return all documents, the smallest first."""
    return config_map(), deployment(), large_deployment(), custom_resource(), keyed_list(10_000)


def config_map() -> Sample:
    """Return a ConfigMap of ten entries."""
    data = {f"key-{n}": f"value {n}" for n in range(10)}
    return _sample("configmap", _object("v1", "ConfigMap", data=data), _set("data", "key-5", to="other"))


def deployment() -> Sample:
    """Return the Deployment of the recording, with the intent that is applied with force as the change."""
    recorded = recording()
    intents = recorded["apply_noop"]["intent"], recorded["apply_force"]["intent"]
    return Sample("deployment", *intents, builtin_catalog())


def large_deployment() -> Sample:
    """Return a Deployment of about 500 lines: 14 containers with ports, variables and mounts."""
    volumes: list[Object] = [{"name": name, "emptyDir": {}} for name in ("data", "logs")]
    containers = [_container(number) for number in range(14)]
    template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers, "volumes": volumes}}
    spec = {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "template": template}
    change = _set("spec", "template", "spec", "containers", 7, "image", to="registry.example/app:2")
    return _sample("deployment-500", _object("apps/v1", "Deployment", spec=spec), change)


def custom_resource() -> Sample:
    """Return a custom resource of about 5,000 lines: a keyed list of 100 groups, each with maps and lists inside."""
    groups = [
        {
            "name": f"group-{n}",
            "labels": {f"label-{m}": f"value-{m}" for m in range(10)},
            "rules": [{"name": f"rule-{m}", "weight": m, "target": f"host-{m}.example"} for m in range(12)],
            "size": n,
        }
        for n in range(100)
    ]
    rule = _struct(name=TEXT, weight=NUMBER, target=TEXT)
    group = _struct(name=TEXT, labels={"type": "object", "additionalProperties": TEXT}, rules=_keyed(rule), size=NUMBER)
    change = _set("spec", "groups", 50, "rules", 6, "target", to="other.example")
    return _custom("custom-5000", _struct(groups=_keyed(group)), {"groups": groups}, change)


def keyed_list(size: int) -> Sample:
    """Return a custom resource with one keyed list of `size` items."""
    items = [{"name": f"item-{n}", "value": n} for n in range(size)]
    change = _set("spec", "items", size // 2, "value", to=-1)
    schema = _struct(items=_keyed(_struct(name=TEXT, value=NUMBER)))
    return _custom(f"keyed-{size}", schema, {"items": items}, change)


def _container(number: int) -> Object:
    return {
        "name": f"app-{number}",
        "image": "registry.example/app:1",
        "ports": [{"name": "http", "containerPort": 8000 + number, "protocol": "TCP"}],
        "env": [{"name": f"VARIABLE_{n}", "value": f"value {n}"} for n in range(8)],
        "resources": {"limits": {"cpu": "500m", "memory": "128Mi"}, "requests": {"cpu": "100m", "memory": "64Mi"}},
        "volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "logs", "mountPath": "/logs"}],
    }


def _custom(name: str, spec_schema: Object, spec: Object, change: Callable[[Any], None]) -> Sample:
    names = {"kind": "Sample", "plural": "samples", "singular": "sample"}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec_schema}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "samples.bench.example"},
        "spec": {"group": "bench.example", "names": names, "scope": "Namespaced", "versions": [version]},
    }
    catalog = builtin_catalog().with_kinds(kinds_of_definition(definition))
    plain = _sample(name, _object("bench.example/v1", "Sample", spec=spec), change)
    return Sample(name, plain.intent, plain.changed, catalog, (definition,))


def _struct(**members: Object) -> Object:
    return {"type": "object", "properties": members}


def _keyed(items: Object) -> Object:
    return {"type": "array", "items": items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}


def _object(api_version: str, kind: str, **members: Any) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "sample", "namespace": "default"}, **members}


def _sample(name: str, intent: Object, change: Callable[[Any], None]) -> Sample:
    changed = deepcopy(intent)
    change(changed)
    return Sample(name, intent, changed, builtin_catalog())


def _set(*path: str | int, to: Any) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change
