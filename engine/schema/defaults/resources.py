"""What the server fills in for all other types, where it depends on other fields.

Each function gets a copy of its own and changes it.

Source: pkg/apis/{core,networking,rbac,resource,discovery}/v1 defaults of Kubernetes 1.36.
"""

from __future__ import annotations

from typing import Any

from engine.value.model import Object

_RBAC = "rbac.authorization.k8s.io"


def service_spec(value: Object) -> None:
    """Ports lead to themselves; traffic policies and affinity as the type asks."""
    if isinstance(value.get("ports"), list):
        value["ports"] = [_with_target(port) for port in value["ports"]]
    if value.get("sessionAffinity") == "ClientIP":
        config = value.get("sessionAffinityConfig") or {}
        client = {"timeoutSeconds": 10800, **(config.get("clientIP") or {})}
        value["sessionAffinityConfig"] = {**config, "clientIP": client}
    elif value.get("sessionAffinity") == "None":
        value.pop("sessionAffinityConfig", None)
    kind = value.get("type")
    if kind in ("NodePort", "LoadBalancer") and not value.get("externalTrafficPolicy"):
        value["externalTrafficPolicy"] = "Cluster"
    if kind in ("NodePort", "LoadBalancer", "ClusterIP") and not value.get("internalTrafficPolicy"):
        value["internalTrafficPolicy"] = "Cluster"
    if kind == "LoadBalancer":
        value.setdefault("allocateLoadBalancerNodePorts", True)


def _with_target(port: Any) -> Any:
    if not isinstance(port, dict) or port.get("targetPort") not in (None, 0, ""):
        return port
    return {**port, "targetPort": port.get("port", 0)}


def secret(value: Object) -> None:
    """A secret has a type, even an empty one is replaced."""
    value["type"] = value.get("type") or "Opaque"


def namespace_spec(value: Object) -> None:
    """A namespace is found by its name as a label, too."""
    metadata = dict(value.get("metadata") or {})
    if metadata.get("name"):
        metadata["labels"] = {**(metadata.get("labels") or {}), "kubernetes.io/metadata.name": metadata["name"]}
        value["metadata"] = metadata


def node(value: Object) -> None:
    """A node's address ranges are told in the singular and in the plural."""
    spec = dict(value.get("spec") or {})
    if spec.get("podCIDR") and (not spec.get("podCIDRs") or spec["podCIDRs"][0] != spec["podCIDR"]):
        spec["podCIDRs"] = [spec["podCIDR"]]
    elif spec.get("podCIDRs") and not spec.get("podCIDR"):
        spec["podCIDR"] = spec["podCIDRs"][0]
    value["spec"] = spec
    status = value.get("status") or {}
    if status.get("capacity") and not status.get("allocatable"):
        value["status"] = {**status, "allocatable": dict(status["capacity"])}


def limit_range_item(value: Object) -> None:
    """A container's defaults follow from its limits."""
    if value.get("type") != "Container":
        return
    default = {**(value.get("max") or {}), **(value.get("default") or {})}
    request = {**(value.get("min") or {}), **default, **(value.get("defaultRequest") or {})}
    for name, made in (("default", default), ("defaultRequest", request)):
        if made:
            value[name] = made


def network_policy_spec(value: Object) -> None:
    """A policy is about what comes in, and about what goes out if it says anything of it."""
    if not value.get("policyTypes"):
        value["policyTypes"] = ["Ingress", "Egress"] if value.get("egress") else ["Ingress"]


def role_ref(value: Object) -> None:
    """Roles are of the RBAC group."""
    value["apiGroup"] = value.get("apiGroup") or _RBAC


def subject(value: Object) -> None:
    """Users and groups are of the RBAC group, service accounts of the core one."""
    if not value.get("apiGroup") and value.get("kind") in ("User", "Group"):
        value["apiGroup"] = _RBAC


def device_request(value: Object) -> None:
    """One device, exactly."""
    value["allocationMode"] = value.get("allocationMode") or "ExactCount"
    if value["allocationMode"] == "ExactCount" and not value.get("count"):
        value["count"] = 1


def persistent_volume_claim_status(value: Object) -> None:
    """A claim waits."""
    value["phase"] = value.get("phase") or "Pending"


def definition_names(value: Object) -> None:
    """A kind's singular name and the kind of its list follow from its name."""
    kind = value.get("kind")
    if isinstance(kind, str) and kind:
        value["singular"] = value.get("singular") or kind.lower()
        value["listKind"] = value.get("listKind") or kind + "List"


def definition_spec(value: Object) -> None:
    """Versions are not converted unless something says how."""
    if not value.get("conversion"):
        value["conversion"] = {"strategy": "None"}


def flow_schema_spec(value: Object) -> None:
    """A flow schema stands in the middle of the order."""
    value["matchingPrecedence"] = value.get("matchingPrecedence") or 1000


def limit_response(value: Object) -> None:
    """A queue is of the usual size."""
    if value.get("type") == "Queue" and not value.get("queuing"):
        value["queuing"] = {"handSize": 8, "queues": 64, "queueLengthLimit": 50}


def priority_level_spec(value: Object) -> None:
    """What is exempt has a share, too."""
    if value.get("type") == "Exempt" and "exempt" not in value:
        value["exempt"] = {"nominalConcurrencyShares": 0, "lendablePercent": 0}
