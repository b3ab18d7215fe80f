"""What the server refuses of flow schemas and priority levels.

Source: pkg/apis/flowcontrol/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.names import subdomain_faults
from engine.schema.validation.rules import formed, items, struct
from engine.value.model import Object

_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_FLOW_SUBJECTS = ("Group", "ServiceAccount", "User")


def flow_schema(obj: Object) -> Iterator[Cause]:
    """A flow schema."""
    spec = struct(obj, "spec")
    order = spec.get("matchingPrecedence", 0)
    if order <= 0:
        yield invalid("spec.matchingPrecedence", order, "must be a positive value")
    elif order > 10000:
        yield invalid("spec.matchingPrecedence", order, "must not be greater than 10000")
    level = struct(spec, "priorityLevelConfiguration").get("name")
    if not level:
        yield required("spec.priorityLevelConfiguration.name", "must reference a priority level")
    else:
        yield from formed(level, subdomain_faults, "spec.priorityLevelConfiguration.name")
    for index, each in enumerate(items(spec, "rules")):
        yield from _flow_rule(each, f"spec.rules[{index}]")


def _flow_rule(value: Object, path: str) -> Iterator[Cause]:
    if not items(value, "subjects"):
        yield required(f"{path}.subjects", "subjects must contain at least one value")
    for index, each in enumerate(items(value, "subjects")):
        yield from _flow_subject(each, f"{path}.subjects[{index}]")
    if not items(value, "resourceRules") and not items(value, "nonResourceRules"):
        yield required(path, "at least one of resourceRules and nonResourceRules has to be non-empty")
    for index, each in enumerate(items(value, "resourceRules")):
        yield from _flow_resource(each, f"{path}.resourceRules[{index}]")
    for index, each in enumerate(items(value, "nonResourceRules")):
        at = f"{path}.nonResourceRules[{index}]"
        yield from _flow_verbs(items(each, "verbs"), f"{at}.verbs")
        if not items(each, "nonResourceURLs"):
            yield required(f"{at}.nonResourceURLs", "nonResourceURLs must contain at least one value")


def _flow_subject(value: Object, path: str) -> Iterator[Cause]:
    kind = value.get("kind", "")
    if kind not in _FLOW_SUBJECTS:
        yield not_supported(f"{path}.kind", kind, _FLOW_SUBJECTS)
        return
    fields = {"Group": "group", "ServiceAccount": "serviceAccount", "User": "user"}
    field = fields[kind]
    for other in fields.values():
        if other != field and isinstance(value.get(other), dict):
            yield forbidden(
                f"{path}.{other}", f"{other} is forbidden when subject kind is not '{_kind_of(fields, other)}'"
            )
    if not isinstance(value.get(field), dict):
        yield required(f"{path}.{field}", f"{field} is required when subject kind is '{kind}'")
    elif not value[field].get("name"):
        yield required(f"{path}.{field}.name")


def _kind_of(fields: dict[str, str], field: str) -> str:
    return next(kind for kind, name in fields.items() if name == field)


def _flow_verbs(values: list[Any], path: str) -> Iterator[Cause]:
    if not values:
        yield required(path, "verbs must contain at least one value")
    elif "*" in values:
        if len(values) > 1:
            yield invalid(path, values, "if '*' is present, must not specify other verbs")
    elif not set(values) <= set(_VERBS):
        yield not_supported(path, sorted(values), _VERBS)


def _flow_resource(value: Object, path: str) -> Iterator[Cause]:
    yield from _flow_verbs(items(value, "verbs"), f"{path}.verbs")
    if not items(value, "apiGroups"):
        yield required(f"{path}.apiGroups", "resource rules must supply at least one api group")
    if not items(value, "resources"):
        yield required(f"{path}.resources", "resource rules must supply at least one resource")
    if not items(value, "namespaces") and not value.get("clusterScope"):
        told = "resource rules that are not cluster scoped must supply at least one namespace"
        yield required(f"{path}.namespaces", told)


def priority_level(obj: Object) -> Iterator[Cause]:
    """A priority level configuration."""
    spec = struct(obj, "spec")
    kind = spec.get("type", "")
    if kind not in ("Exempt", "Limited"):
        yield not_supported("spec.type", kind, ("Exempt", "Limited"))
    elif kind == "Limited" and not isinstance(spec.get("limited"), dict):
        yield required("spec.limited", "must not be empty when type is Limited")
    elif kind == "Exempt" and isinstance(spec.get("limited"), dict):
        yield forbidden("spec.limited", "must be nil if the type is not Limited")
