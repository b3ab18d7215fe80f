"""What the server refuses of what adds kinds to it: CustomResourceDefinition and APIService.

Source: the validation of apiextensions and of kube-aggregator, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.structural import MalformedDefinition, kinds_of_definition
from engine.schema.validation.cause import Cause, invalid, not_supported, required
from engine.schema.validation.names import label_1035_faults, subdomain_faults
from engine.schema.validation.rules import formed, items, named, needs, struct, unchanged
from engine.schema.validation.structural_schema import schema_causes
from engine.value.equality import equal
from engine.value.model import Object


def custom_resource_definition(obj: Object) -> Iterator[Cause]:
    """A definition of a custom resource."""
    spec = struct(obj, "spec")
    names = struct(spec, "names")
    group, plural = spec.get("group", ""), names.get("plural", "")
    yield from named(group, subdomain_faults, "spec.group")
    yield from named(plural, label_1035_faults, "spec.names.plural")
    yield from named(names.get("singular"), label_1035_faults, "spec.names.singular")
    yield from needs(names, ("kind", "listKind"), "spec.names")
    if spec.get("scope") not in ("Cluster", "Namespaced"):
        yield not_supported("spec.scope", spec.get("scope", ""), ("Cluster", "Namespaced"))
    name = struct(obj, "metadata").get("name")
    if plural and group and name != f"{plural}.{group}":
        yield invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')
    wrong_versions = (*_versions(items(spec, "versions")), *_schemas(items(spec, "versions")))
    yield from wrong_versions
    if wrong_versions:
        return
    try:
        kinds_of_definition(obj)
    except MalformedDefinition as error:
        yield required(error.path, error.expected)


def custom_resource_definition_update(new: Object, live: Object) -> Iterator[Cause]:
    """A definition that replaces another: what its objects hang on stays, and so do the versions that are stored."""
    yield from custom_resource_definition(new)
    spec, old = struct(new, "spec"), struct(live, "spec")
    conditions = items(struct(live, "status"), "conditions")
    if any(each.get("type") == "Established" and each.get("status") == "True" for each in conditions):
        yield from unchanged(spec, old, ("scope",), "spec")
        yield from unchanged(struct(spec, "names"), struct(old, "names"), ("kind",), "spec.names")
    yield from unchanged(spec, old, ("group",), "spec")
    yield from unchanged(struct(spec, "names"), struct(old, "names"), ("plural",), "spec.names")
    served = [each.get("name") for each in items(spec, "versions")]
    for index, name in enumerate(items(struct(live, "status"), "storedVersions")):
        if name not in served:
            yield invalid(f"status.storedVersions[{index}]", name, "must appear in spec.versions")


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


def _schemas(values: list[Any]) -> Iterator[Cause]:
    """What is wrong with the schemas; one that all versions share is named as that of the whole definition."""
    schemas = [struct(each, "schema").get("openAPIV3Schema") for each in values]
    if schemas and all(equal(each, schemas[0]) for each in schemas):
        schemas, places = schemas[:1], ["spec.validation"]
    else:
        places = [f"spec.versions[{index}].schema" for index in range(len(schemas))]
    for schema, place in zip(schemas, places, strict=True):
        if isinstance(schema, dict):
            yield from schema_causes(schema, f"{place}.openAPIV3Schema")


_PRIORITIES = {"groupPriorityMinimum": 20000, "versionPriority": 1000}
"""The highest of each."""


def api_service(obj: Object) -> Iterator[Cause]:
    """A group and version that another server serves."""
    spec = struct(obj, "spec")
    group, version = str(spec.get("group", "")), str(spec.get("version", ""))
    name = struct(obj, "metadata").get("name")
    if name != f"{version}.{group}":
        yield invalid("metadata.name", name, f'must be `spec.version+"."+spec.group`: "{version}.{group}"')
    if not group and version != "v1":
        yield required("spec.group", "only v1 may have an empty group and it better be legacy kube")
    yield from formed(group, subdomain_faults, "spec.group")
    for fault in label_1035_faults(version):
        yield invalid("spec.version", version, fault)
    for field, highest in _PRIORITIES.items():
        value = spec.get(field, 0)
        if not 0 < value <= highest:
            yield invalid(f"spec.{field}", value, f"must be positive and less than {highest}")
    yield from _served_by(spec)


def _served_by(spec: Object) -> Iterator[Cause]:
    service, insecure = spec.get("service"), spec.get("insecureSkipTLSVerify")
    if not isinstance(service, dict):
        if spec.get("caBundle"):
            yield invalid("spec.caBundle", spec["caBundle"], "local APIServices may not have a caBundle")
        if insecure:
            yield invalid("spec.insecureSkipTLSVerify", True, "local APIServices may not have insecureSkipTLSVerify")
        return
    yield from needs(service, ("namespace", "name"), "spec.service")
    if insecure and spec.get("caBundle"):
        yield invalid("spec.insecureSkipTLSVerify", True, "may not be true if caBundle is present")
