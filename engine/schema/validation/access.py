"""What the server refuses of roles and their bindings.

Source: pkg/apis/rbac/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, invalid, not_supported, required
from engine.schema.validation.names import path_segment_faults, subdomain_faults
from engine.schema.validation.rules import formed, items, label_selector, struct, unchanged
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
