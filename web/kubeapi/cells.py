"""The cells of a resource's table, each made of the object by a function: by resource and column.

Source: pkg/printers of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.value.model import Object, Value

Cell = Callable[[Object], Value]

NONE = "<none>"
_MODES = {
    "ReadOnlyMany": "ROX",
    "ReadWriteMany": "RWX",
    "ReadWriteOnce": "RWO",
    "ReadWriteOncePod": "RWOP",
}


def _at(*path: str, default: Value = "") -> Cell:
    def cell(obj: Object) -> Value:
        value: Value = obj
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        return default if value is None else value

    return cell


def _text(*path: str, default: str = "") -> Cell:
    found = _at(*path, default=default)

    def cell(obj: Object) -> Value:
        value = found(obj)
        return value if isinstance(value, str) else str(value)

    return cell


def _items(*path: str) -> Callable[[Object], list[Any]]:
    found = _at(*path, default=[])

    def cell(obj: Object) -> list[Any]:
        value = found(obj)
        return value if isinstance(value, list) else []

    return cell


def _pods(obj: Object) -> list[Any]:
    """The containers of the pods that an object makes."""
    paths = (
        ("spec", "template", "spec", "containers"),
        ("spec", "jobTemplate", "spec", "template", "spec", "containers"),
        ("template", "spec", "containers"),
    )
    return next(filter(None, (_items(*path)(obj) for path in paths)), [])


def _labels(labels: Any) -> str:
    return ",".join(f"{k}={labels[k]}" for k in sorted(labels)) if isinstance(labels, dict) and labels else NONE


def _selector(obj: Object) -> Value:
    selector = (obj.get("spec") or {}).get("selector")
    if not isinstance(selector, dict):
        return NONE
    return _labels(
        selector if not {"matchLabels", "matchExpressions"} & selector.keys() else selector.get("matchLabels")
    )


def _ready(obj: Object) -> Value:
    wanted = (obj.get("spec") or {}).get("replicas", 1)
    return f"{(obj.get('status') or {}).get('readyReplicas', 0)}/{wanted}"


def _pod_ready(obj: Object) -> Value:
    statuses = (obj.get("status") or {}).get("containerStatuses") or []
    ready = sum(1 for each in statuses if each.get("ready"))
    return f"{ready}/{len((obj.get('spec') or {}).get('containers') or [])}"


def _restarts(obj: Object) -> Value:
    statuses = (obj.get("status") or {}).get("containerStatuses") or []
    return str(sum(each.get("restartCount", 0) for each in statuses))


def _service_ports(obj: Object) -> Value:
    ports = (obj.get("spec") or {}).get("ports") or []
    if not ports:
        return NONE
    spelled = (
        f"{p.get('port')}{':' + str(p['nodePort']) if p.get('nodePort') else ''}/{p.get('protocol')}" for p in ports
    )
    return ",".join(spelled)


def _service_address(obj: Object) -> Value:
    spec, status = obj.get("spec") or {}, obj.get("status") or {}
    if spec.get("type") == "ExternalName":
        return str(spec.get("externalName", NONE))
    given = [each.get("ip") or each.get("hostname") for each in (status.get("loadBalancer") or {}).get("ingress") or []]
    given += spec.get("externalIPs") or []
    if given:
        return ",".join(filter(None, given))
    return "<pending>" if spec.get("type") == "LoadBalancer" else NONE


def _modes(obj: Object) -> Value:
    if "claimRef" in (obj.get("spec") or {}) or obj.get("kind") == "PersistentVolume":
        modes = (obj.get("spec") or {}).get("accessModes") or []
    else:
        modes = (obj.get("status") or {}).get("accessModes") or []
    return ",".join(_MODES.get(mode, str(mode)) for mode in modes)


def _claim(obj: Object) -> Value:
    claim = (obj.get("spec") or {}).get("claimRef") or {}
    return f"{claim.get('namespace', '')}/{claim['name']}" if claim.get("name") else ""


def _addresses(obj: Object) -> Value:
    found = [
        f"{address.get('ip')}:{port.get('port')}"
        for subset in obj.get("subsets") or []
        for address in subset.get("addresses") or []
        for port in subset.get("ports") or []
    ]
    return _shortened(found, 3)


def _shortened(found: list[str], limit: int) -> str:
    if not found:
        return NONE
    rest = len(found) - limit
    return ",".join(found[:limit]) + (f" + {rest} more..." if rest > 0 else "")


def _slice_ports(obj: Object) -> Value:
    ports = [str(each.get("port", "*")) for each in obj.get("ports") or []]
    return _shortened(ports, 3) if ports else "<unset>"


def _slice_endpoints(obj: Object) -> Value:
    found = [address for each in obj.get("endpoints") or [] for address in each.get("addresses") or []]
    return _shortened(found, 3) if found else "<unset>"


def _hosts(obj: Object) -> Value:
    hosts = [each.get("host") for each in (obj.get("spec") or {}).get("rules") or [] if each.get("host")]
    return _shortened(hosts, 3) if hosts else "*"


def _metric(metric: Object) -> str:
    source = next((v for v in metric.values() if isinstance(v, dict)), {})
    target = source.get("target") or {}
    name = source.get("name") or (source.get("metric") or {}).get("name") or ""
    share = target.get("averageUtilization")
    wanted = f"{share}%" if share is not None else target.get("averageValue") or target.get("value") or ""
    return f"{name}: <unknown>/{wanted}"


def _targets(obj: Object) -> Value:
    spec = obj.get("spec") or {}
    metrics = spec.get("metrics") or []
    if "targetCPUUtilizationPercentage" in spec:
        return f"cpu: <unknown>/{spec['targetCPUUtilizationPercentage']}%"
    return ", ".join(map(_metric, metrics)) if metrics else NONE


def _subjects(kind: str) -> Cell:
    def cell(obj: Object) -> Value:
        found = [each for each in obj.get("subjects") or [] if each.get("kind") == kind]
        if kind == "ServiceAccount":
            return ", ".join(f"{each.get('namespace', '')}/{each.get('name')}" for each in found)
        return ", ".join(str(each.get("name")) for each in found)

    return cell


def _role(obj: Object) -> Value:
    ref = obj.get("roleRef") or {}
    return f"{ref.get('kind', '')}/{ref.get('name', '')}"


def _job_status(obj: Object) -> Value:
    conditions = {c.get("type"): c.get("status") for c in (obj.get("status") or {}).get("conditions") or []}
    for kind in ("Complete", "Failed", "Suspended"):
        if conditions.get(kind) == "True":
            return kind
    return "Running"


def _completions(obj: Object) -> Value:
    spec = obj.get("spec") or {}
    return f"{(obj.get('status') or {}).get('succeeded', 0)}/{spec.get('completions', spec.get('parallelism', 1))}"


def _count(*path: str) -> Cell:
    found = _at(*path, default={})

    def cell(obj: Object) -> Value:
        value = found(obj)
        return len(value) if isinstance(value, (dict, list)) else 0

    return cell


_DESIRED: Mapping[str, Cell] = {
    "Desired": _at("spec", "replicas", default=0),
    "Current": _at("status", "replicas", default=0),
    "Ready": _at("status", "readyReplicas", default=0),
}

COMMON: Mapping[str, Cell] = {
    "Containers": lambda obj: ",".join(str(each.get("name")) for each in _pods(obj)),
    "Images": lambda obj: ",".join(str(each.get("image")) for each in _pods(obj)),
    "Selector": _selector,
    "Groups": _subjects("Group"),
    "ServiceAccounts": _subjects("ServiceAccount"),
    "Users": _subjects("User"),
    "Role": _role,
}

CELLS: Mapping[str, Mapping[str, Cell]] = {
    "configmaps": {
        "Data": lambda obj: len(obj.get("data") or {}) + len(obj.get("binaryData") or {}),
    },
    "cronjobs": {
        "Schedule": _at("spec", "schedule"),
        "Timezone": _at("spec", "timeZone", default=NONE),
        "Suspend": lambda obj: str(bool((obj.get("spec") or {}).get("suspend"))),
        "Active": _count("status", "active"),
        "Last Schedule": _at("status", "lastScheduleTime", default=NONE),
        "Selector": lambda obj: NONE,
    },
    "daemonsets": {
        "Desired": _at("status", "desiredNumberScheduled", default=0),
        "Current": _at("status", "currentNumberScheduled", default=0),
        "Ready": _at("status", "numberReady", default=0),
        "Up-to-date": _at("status", "updatedNumberScheduled", default=0),
        "Available": _at("status", "numberAvailable", default=0),
        "Node Selector": lambda obj: _labels(_at("spec", "template", "spec", "nodeSelector", default={})(obj)),
    },
    "deployments": {
        "Ready": _ready,
        "Up-to-date": _at("status", "updatedReplicas", default=0),
        "Available": _at("status", "availableReplicas", default=0),
    },
    "endpoints": {"Endpoints": _addresses},
    "endpointslices": {
        "AddressType": _at("addressType"),
        "Ports": _slice_ports,
        "Endpoints": _slice_endpoints,
    },
    "flowschemas": {
        "PriorityLevel": _at("spec", "priorityLevelConfiguration", "name"),
        "MatchingPrecedence": _at("spec", "matchingPrecedence", default=0),
        "DistinguisherMethod": _at("spec", "distinguisherMethod", "type", default=NONE),
        "MissingPL": lambda obj: "False",
    },
    "horizontalpodautoscalers": {
        "Reference": lambda obj: "/".join(str(_at("spec", "scaleTargetRef", each)(obj)) for each in ("kind", "name")),
        "Targets": _targets,
        "MinPods": lambda obj: str(_at("spec", "minReplicas", default="<unset>")(obj)),
        "MaxPods": _at("spec", "maxReplicas", default=0),
        "Replicas": _at("status", "currentReplicas", default=0),
    },
    "ingresses": {
        "Class": _at("spec", "ingressClassName", default=NONE),
        "Hosts": _hosts,
        "Ports": lambda obj: "80, 443" if (obj.get("spec") or {}).get("tls") else "80",
    },
    "jobs": {"Status": _job_status, "Completions": _completions},
    "leases": {"Holder": _at("spec", "holderIdentity")},
    "namespaces": {"Status": _at("status", "phase")},
    "networkpolicies": {
        "Pod-Selector": lambda obj: _labels(_at("spec", "podSelector", "matchLabels", default={})(obj)),
    },
    "nodes": {
        "Status": lambda obj: "Unknown",
        "Roles": lambda obj: NONE,
        "Version": _at("status", "nodeInfo", "kubeletVersion"),
        "Internal-IP": lambda obj: NONE,
        "External-IP": lambda obj: NONE,
        "OS-Image": lambda obj: _at("status", "nodeInfo", "osImage")(obj) or "<unknown>",
        "Kernel-Version": lambda obj: _at("status", "nodeInfo", "kernelVersion")(obj) or "<unknown>",
        "Container-Runtime": lambda obj: _at("status", "nodeInfo", "containerRuntimeVersion")(obj) or "<unknown>",
    },
    "persistentvolumeclaims": {
        "Status": _at("status", "phase"),
        "Volume": _at("spec", "volumeName"),
        "Capacity": _at("status", "capacity", "storage"),
        "Access Modes": _modes,
        "StorageClass": _at("spec", "storageClassName"),
        "VolumeAttributesClass": _at("spec", "volumeAttributesClassName", default="<unset>"),
        "VolumeMode": _at("spec", "volumeMode"),
    },
    "persistentvolumes": {
        "Capacity": _at("spec", "capacity", "storage"),
        "Access Modes": _modes,
        "Reclaim Policy": _at("spec", "persistentVolumeReclaimPolicy"),
        "Status": _at("status", "phase"),
        "Claim": _claim,
        "StorageClass": _at("spec", "storageClassName"),
        "VolumeAttributesClass": _at("spec", "volumeAttributesClassName", default="<unset>"),
        "Reason": _at("status", "reason"),
        "VolumeMode": _at("spec", "volumeMode"),
    },
    "poddisruptionbudgets": {
        "Min Available": _text("spec", "minAvailable", default="N/A"),
        "Max Unavailable": _text("spec", "maxUnavailable", default="N/A"),
        "Allowed Disruptions": _at("status", "disruptionsAllowed", default=0),
    },
    "pods": {
        "Ready": _pod_ready,
        "Status": _at("status", "phase"),
        "Restarts": _restarts,
        "IP": _at("status", "podIP", default=NONE),
        "Node": _at("spec", "nodeName", default=NONE),
        "Nominated Node": _at("status", "nominatedNodeName", default=NONE),
        "Readiness Gates": lambda obj: NONE,
    },
    "podtemplates": {"Pod Labels": lambda obj: _labels(_at("template", "metadata", "labels", default={})(obj))},
    "priorityclasses": {
        "Value": _at("value", default=0),
        "Global-Default": lambda obj: bool(obj.get("globalDefault")),
        "PreemptionPolicy": _at("preemptionPolicy"),
    },
    "replicasets": _DESIRED,
    "replicationcontrollers": _DESIRED,
    "runtimeclasses": {"Handler": _at("handler")},
    "secrets": {"Type": _at("type"), "Data": _count("data")},
    "services": {
        "Type": _at("spec", "type"),
        "Cluster-IP": _at("spec", "clusterIP", default=NONE),
        "External-IP": _service_address,
        "Port(s)": _service_ports,
    },
    "statefulsets": {"Ready": _ready},
    "storageclasses": {
        "Provisioner": _at("provisioner"),
        "ReclaimPolicy": _at("reclaimPolicy"),
        "VolumeBindingMode": _at("volumeBindingMode"),
        "AllowVolumeExpansion": lambda obj: bool(obj.get("allowVolumeExpansion")),
    },
    "mutatingwebhookconfigurations": {"Webhooks": _count("webhooks")},
    "validatingwebhookconfigurations": {"Webhooks": _count("webhooks")},
}
