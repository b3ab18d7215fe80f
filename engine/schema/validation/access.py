"""What the server refuses of roles, bindings, webhooks, policies of admission, flow control and device claims.

Source: pkg/apis/{rbac,admissionregistration,flowcontrol,resource}/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, duplicate, forbidden, invalid, not_supported, required
from engine.schema.validation.names import path_segment_faults, subdomain_faults
from engine.schema.validation.rules import formed, items, label_selector, named, one_of, struct, unchanged
from engine.value.equality import equal
from engine.value.model import Object

_RBAC = "rbac.authorization.k8s.io"


def role(obj: Object) -> Iterator[Cause]:
    """A role, which has no use for paths outside the API."""
    yield from _policy_rules(items(obj, "rules"), namespaced=True)


def cluster_role(obj: Object) -> Iterator[Cause]:
    """A cluster role."""
    yield from _policy_rules(items(obj, "rules"), namespaced=False)
    for index, each in enumerate(items(struct(obj, "aggregationRule"), "clusterRoleSelectors")):
        yield from label_selector(each, f"aggregationRule.clusterRoleSelectors[{index}]")


def _policy_rules(values: list[Any], *, namespaced: bool) -> Iterator[Cause]:
    for index, each in enumerate(values):
        at = f"rules[{index}]"
        if not items(each, "verbs"):
            yield required(f"{at}.verbs", "verbs must contain at least one value")
        urls = items(each, "nonResourceURLs")
        if urls:
            if namespaced:
                told = "namespaced rules cannot apply to non-resource URLs"
                yield invalid(f"{at}.nonResourceURLs", urls, told)
            if items(each, "apiGroups") or items(each, "resources") or items(each, "resourceNames"):
                told = "rules cannot apply to both regular resources and non-resource URLs"
                yield invalid(f"{at}.nonResourceURLs", urls, told)
            continue
        if not items(each, "apiGroups"):
            yield required(f"{at}.apiGroups", "resource rules must supply at least one api group")
        if not items(each, "resources"):
            yield required(f"{at}.resources", "resource rules must supply at least one resource")


def role_binding(obj: Object) -> Iterator[Cause]:
    """A binding of a role or a cluster role."""
    yield from _binding(obj, ("Role", "ClusterRole"))


def cluster_role_binding(obj: Object) -> Iterator[Cause]:
    """A binding of a cluster role."""
    yield from _binding(obj, ("ClusterRole",))


def _binding(obj: Object, kinds: tuple[str, ...]) -> Iterator[Cause]:
    ref = struct(obj, "roleRef")
    if ref.get("apiGroup") != _RBAC:
        yield not_supported("roleRef.apiGroup", ref.get("apiGroup", ""), (_RBAC,))
    if ref.get("kind") not in kinds:
        yield not_supported("roleRef.kind", ref.get("kind", ""), kinds)
    if not ref.get("name"):
        yield required("roleRef.name")
    else:
        for fault in path_segment_faults(str(ref["name"])):
            yield invalid("roleRef.name", ref["name"], fault)
    for index, each in enumerate(items(obj, "subjects")):
        yield from _subject(each, f"subjects[{index}]")


def _subject(value: Object, path: str) -> Iterator[Cause]:
    if not value.get("name"):
        yield required(f"{path}.name")
    kind, group = value.get("kind", ""), value.get("apiGroup", "")
    if kind == "ServiceAccount":
        yield from formed(value.get("name"), subdomain_faults, f"{path}.name")
        if group:
            yield not_supported(f"{path}.apiGroup", group, ("",))
        if not value.get("namespace"):
            yield required(f"{path}.namespace")
    elif kind in ("User", "Group"):
        if group != _RBAC:
            yield not_supported(f"{path}.apiGroup", group, (_RBAC,))
    else:
        yield not_supported(f"{path}.kind", kind, ("ServiceAccount", "User", "Group"))


def role_binding_update(new: Object, live: Object) -> Iterator[Cause]:
    """A binding that replaces another: what it binds stays."""
    yield from role_binding(new)
    yield from unchanged(new, live, ("roleRef",), "", "cannot change roleRef")


def cluster_role_binding_update(new: Object, live: Object) -> Iterator[Cause]:
    """A cluster-wide binding that replaces another."""
    yield from cluster_role_binding(new)
    yield from unchanged(new, live, ("roleRef",), "", "cannot change roleRef")


def webhooks(obj: Object) -> Iterator[Cause]:
    """A configuration of webhooks."""
    seen: set[str] = set()
    for index, each in enumerate(items(obj, "webhooks")):
        at, name = f"webhooks[{index}]", each.get("name", "")
        yield from _webhook_name(str(name), f"{at}.name")
        if name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        yield from _webhook(each, at)


def _webhook_name(name: str, path: str) -> Iterator[Cause]:
    if not name:
        yield required(path)
        return
    for fault in subdomain_faults(name):
        yield invalid(path, name, fault)
    if len(name.split(".")) < 3:
        yield invalid(path, name, "should be a domain with at least three segments separated by dots")


def _webhook(value: Object, path: str) -> Iterator[Cause]:
    versions = items(value, "admissionReviewVersions")
    if not versions:
        yield required(f"{path}.admissionReviewVersions", "must specify one of v1, v1beta1")
    elif not {"v1", "v1beta1"} & set(map(str, versions)):
        told = "must include at least one of v1, v1beta1"
        yield invalid(f"{path}.admissionReviewVersions", versions, told)
    for index, each in enumerate(items(value, "rules")):
        yield from _rule(each, f"{path}.rules[{index}]")
    yield from one_of(value, "failurePolicy", ("Fail", "Ignore"), path)
    yield from one_of(value, "matchPolicy", ("Equivalent", "Exact"), path)
    effects = ("None", "NoneOnDryRun")
    if not value.get("sideEffects"):
        yield required(f"{path}.sideEffects", "must specify one of None, NoneOnDryRun")
    elif value["sideEffects"] not in effects:
        yield not_supported(f"{path}.sideEffects", value["sideEffects"], effects)
    seconds = value.get("timeoutSeconds")
    if isinstance(seconds, int) and not 1 <= seconds <= 30:
        yield invalid(f"{path}.timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds")
    for name in ("namespaceSelector", "objectSelector"):
        if isinstance(value.get(name), dict):
            yield from label_selector(value[name], f"{path}.{name}")
    yield from _client(struct(value, "clientConfig"), f"{path}.clientConfig")


def _client(value: Object, path: str) -> Iterator[Cause]:
    url, service = value.get("url"), value.get("service")
    if (url is None) == (service is None):
        yield required(path, "exactly one of url or service is required")
    elif isinstance(service, dict):
        for name in ("name", "namespace"):
            if not service.get(name):
                yield required(f"{path}.service.{name}", f"service {name} is required")
        if service.get("path") and not str(service["path"]).startswith("/"):
            yield invalid(f"{path}.service.path", service["path"], "must start with a '/'")
    elif not str(url).startswith("https://"):
        yield invalid(f"{path}.url", url, "'https' is the only allowed URL scheme; desired format: https://host[/path]")


def _rule(value: Object, path: str) -> Iterator[Cause]:
    for name in ("operations", "apiGroups", "apiVersions", "resources"):
        values = items(value, name)
        if not values:
            yield required(f"{path}.{name}")
        elif "*" in values and len(values) > 1:
            told = "if '*' is present, must not specify other " + {
                "apiGroups": "API groups",
                "apiVersions": "API versions",
            }.get(name, name)
            if name != "resources":
                yield invalid(f"{path}.{name}", values, told)
    known = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
    for index, each in enumerate(items(value, "operations")):
        if each not in known:
            yield not_supported(f"{path}.operations[{index}]", each, known)
    yield from one_of(value, "scope", ("*", "Cluster", "Namespaced"), path)


def admission_policy(obj: Object) -> Iterator[Cause]:
    """A policy of admission that validates."""
    spec = struct(obj, "spec")
    yield from one_of(spec, "failurePolicy", ("Fail", "Ignore"), "spec", needed=True)
    constraints = spec.get("matchConstraints")
    if not isinstance(constraints, dict):
        yield required("spec.matchConstraints")
    else:
        if not items(constraints, "resourceRules"):
            yield required("spec.matchConstraints.resourceRules")
        for index, each in enumerate(items(constraints, "resourceRules")):
            yield from _rule(each, f"spec.matchConstraints.resourceRules[{index}]")
    if not items(spec, "validations") and not items(spec, "auditAnnotations"):
        told = "validations or auditAnnotations must be non-empty"
        yield required("spec.validations", told)
    for index, each in enumerate(items(spec, "validations")):
        if not str(each.get("expression", "")).strip():
            yield required(f"spec.validations[{index}].expression", "expression is not specified")


def admission_binding(obj: Object) -> Iterator[Cause]:
    """A binding of a validating policy of admission."""
    spec = struct(obj, "spec")
    yield from named(spec.get("policyName"), subdomain_faults, "spec.policyName")
    known = ("Audit", "Deny", "Warn")
    if not items(spec, "validationActions"):
        yield required("spec.validationActions")
    for index, each in enumerate(items(spec, "validationActions")):
        if each not in known:
            yield not_supported(f"spec.validationActions[{index}]", each, known)


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


def device_class(obj: Object) -> Iterator[Cause]:
    """A device class."""
    for index, each in enumerate(items(struct(obj, "spec"), "selectors")):
        if not isinstance(each.get("cel"), dict):
            yield required(f"spec.selectors[{index}].cel")


def resource_claim(obj: Object) -> Iterator[Cause]:
    """A claim of devices."""
    yield from _claim(struct(obj, "spec"), "spec")


def resource_claim_template(obj: Object) -> Iterator[Cause]:
    """A template of claims of devices."""
    yield from _claim(struct(struct(obj, "spec"), "spec"), "spec.spec")


def _claim(spec: Object, path: str) -> Iterator[Cause]:
    seen: set[str] = set()
    for index, each in enumerate(items(struct(spec, "devices"), "requests")):
        at, name = f"{path}.devices.requests[{index}]", each.get("name", "")
        yield from named(name, subdomain_faults, f"{at}.name")
        if name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        if not isinstance(each.get("exactly"), dict) and not items(each, "firstAvailable"):
            yield required(at, "exactly one of `exactly` or `firstAvailable` is required")
        elif isinstance(each.get("exactly"), dict) and not each["exactly"].get("deviceClassName"):
            yield required(f"{at}.exactly.deviceClassName")


def claim_kept(new: Object, live: Object) -> Iterator[Cause]:
    """A claim that replaces another: its spec stays."""
    if not equal(struct(new, "spec"), struct(live, "spec")):
        yield invalid("spec", struct(new, "spec"), "field is immutable")
