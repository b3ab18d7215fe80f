"""What the server refuses of a CustomResourceDefinition.

Source: apiextensions' validation, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.structural import MalformedDefinition, kinds_of_definition
from engine.schema.validation.cause import Cause, invalid, not_supported, required
from engine.schema.validation.names import label_1035_faults, subdomain_faults
from engine.schema.validation.rules import items, named, struct
from engine.value.model import Object


def custom_resource_definition(obj: Object) -> Iterator[Cause]:
    """A definition of a custom resource."""
    spec = struct(obj, "spec")
    names = struct(spec, "names")
    group, plural = spec.get("group", ""), names.get("plural", "")
    yield from named(group, subdomain_faults, "spec.group")
    yield from named(plural, label_1035_faults, "spec.names.plural")
    yield from named(names.get("singular"), label_1035_faults, "spec.names.singular")
    for name in ("kind", "listKind"):
        if not names.get(name):
            yield required(f"spec.names.{name}")
    if spec.get("scope") not in ("Cluster", "Namespaced"):
        yield not_supported("spec.scope", spec.get("scope", ""), ("Cluster", "Namespaced"))
    name = struct(obj, "metadata").get("name")
    if plural and group and name != f"{plural}.{group}":
        yield invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')
    yield from _versions(items(spec, "versions"))
    try:
        kinds_of_definition(obj)
    except MalformedDefinition as error:
        yield required(error.path, error.expected)


def _versions(values: list[Any]) -> Iterator[Cause]:
    if not values:
        yield required("spec.versions", "must have at least one version")
    stored = [each for each in values if each.get("storage")]
    if values and len(stored) != 1:
        yield invalid("spec.versions", len(stored), "must have exactly one version marked as storage version")
    for index, each in enumerate(values):
        at = f"spec.versions[{index}]"
        yield from named(each.get("name"), label_1035_faults, f"{at}.name")
        if not isinstance(struct(each, "schema").get("openAPIV3Schema"), dict):
            yield required(f"{at}.schema.openAPIV3Schema", "schemas are required")
