"""What the server itself sets in an object of a built-in kind, when it is created and when it is written to.

One function a kind and occasion; the tables at the end say which. None changes its input.

Source: PrepareForCreate and PrepareForUpdate of the registry strategies, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.apiserver.addresses import with_addresses, with_kept_addresses
from engine.meta.object_meta import annotations_of, metadata_of, text_of, with_metadata
from engine.schema.normal import TEMPLATE_GENERATION
from engine.schema.qos import quality_of_service
from engine.value.equality import equal
from engine.value.model import Object

OnCreate = Callable[[Object, str], Object]
"""Takes the new object and the moment."""
OnUpdate = Callable[[Object, Object, str], Object]
"""Takes the new object, the live one and the moment."""


def _status(obj: Object) -> Object:
    status = obj.get("status")
    return status if isinstance(status, dict) else {}


def _spec(obj: Object) -> Object:
    spec = obj.get("spec")
    return spec if isinstance(spec, dict) else {}


def _new_pod(obj: Object, now: str) -> Object:
    return {**obj, "status": {**_status(obj), "phase": "Pending", "qosClass": quality_of_service(obj)}}


def _pod_status(new: Object, live: Object, now: str) -> Object:
    """A pod's class and its owners are not the kubelet's to change."""
    status = {**_status(new)}
    if "qosClass" in _status(live):
        status["qosClass"] = _status(live)["qosClass"]
    owners = metadata_of(live).get("ownerReferences")
    metadata = {k: v for k, v in metadata_of(new).items() if k != "ownerReferences"}
    if owners:
        metadata["ownerReferences"] = owners
    return {**new, "metadata": metadata, "status": status}


def _deployment_status(new: Object, live: Object, now: str) -> Object:
    """Labels are written with the deployment, not with its status."""
    metadata = {k: v for k, v in metadata_of(new).items() if k != "labels"}
    labels = metadata_of(live).get("labels")
    return {**new, "metadata": {**metadata, "labels": labels} if labels else metadata}


def _metadata_kept(new: Object, live: Object, now: str) -> Object:
    """Only managedFields changes with a status of these kinds."""
    metadata = {k: v for k, v in metadata_of(live).items() if k != "managedFields"}
    entries = metadata_of(new).get("managedFields")
    return {**new, "metadata": {**metadata, "managedFields": entries} if entries else metadata}


def _new_daemon_set(obj: Object, now: str) -> Object:
    return with_metadata(obj, annotations={**annotations_of(obj), TEMPLATE_GENERATION: "1"})


def _daemon_set(new: Object, live: Object, now: str) -> Object:
    generation = annotations_of(live).get(TEMPLATE_GENERATION, "0")
    count = int(generation) if str(generation).isdecimal() else 0
    if not equal(_spec(new).get("template"), _spec(live).get("template")):
        count += 1
    return with_metadata(new, annotations={**annotations_of(new), TEMPLATE_GENERATION: str(count)})


def _new_namespace(obj: Object, now: str) -> Object:
    finalizers = list(_spec(obj).get("finalizers") or [])
    if "kubernetes" not in finalizers:
        finalizers.append("kubernetes")
    return {**obj, "spec": {**_spec(obj), "finalizers": finalizers}, "status": {"phase": "Active"}}


def _namespace(new: Object, live: Object, now: str) -> Object:
    """Finalizers of a namespace are changed through /finalize alone."""
    return {**new, "spec": live.get("spec", {})}


def _new_persistent_volume(obj: Object, now: str) -> Object:
    return {**obj, "status": {"phase": "Pending", "lastPhaseTransitionTime": now}}


def _persistent_volume_status(new: Object, live: Object, now: str) -> Object:
    status = {**_status(new)}
    before = _status(live)
    if status.get("phase") != before.get("phase") and not status.get("lastPhaseTransitionTime"):
        status["lastPhaseTransitionTime"] = now
    elif "lastPhaseTransitionTime" not in status and "lastPhaseTransitionTime" in before:
        status["lastPhaseTransitionTime"] = before["lastPhaseTransitionTime"]
    return {**new, "status": status}


def _new_job(obj: Object, now: str) -> Object:
    """A job finds its pods by labels made of its uid, unless it says that it brings a selector."""
    spec = _spec(obj)
    if spec.get("manualSelector"):
        return obj
    uid, name = text_of(obj, "uid"), text_of(obj, "name")
    template: dict[str, Any] = dict(spec.get("template") or {})
    metadata = dict(template.get("metadata") or {})
    metadata["labels"] = {
        **(metadata.get("labels") or {}),
        "batch.kubernetes.io/controller-uid": uid,
        "batch.kubernetes.io/job-name": name,
        "controller-uid": uid,
        "job-name": name,
    }
    selector = dict(spec.get("selector") or {})
    selector["matchLabels"] = {**(selector.get("matchLabels") or {}), "batch.kubernetes.io/controller-uid": uid}
    spec = {**spec, "selector": selector, "template": {**template, "metadata": metadata}}
    return {**obj, "spec": spec}


def _new_service(obj: Object, now: str) -> Object:
    return {**obj, "spec": with_addresses(_spec(obj), text_of(obj, "uid"))}


def _service(new: Object, live: Object, now: str) -> Object:
    spec = with_kept_addresses(_spec(new), _spec(live))
    return {**new, "spec": with_addresses(spec, text_of(live, "uid"))}


def _new_definition(obj: Object, now: str) -> Object:
    """A definition is established at once: no other server has to learn of it."""
    spec = _spec(obj)
    stored = [v.get("name") for v in spec.get("versions") or () if isinstance(v, dict) and v.get("storage")]
    told = (("NamesAccepted", "NoConflicts", "no conflicts found"), ("Established", "InitialNamesAccepted", _ACCEPTED))
    conditions = [
        {"type": kind, "status": "True", "lastTransitionTime": now, "reason": reason, "message": message}
        for kind, reason, message in told
    ]
    names = spec.get("names") or {}
    return {**obj, "status": {"conditions": conditions, "acceptedNames": names, "storedVersions": stored}}


_ACCEPTED = "the initial names have been accepted"

ON_CREATE: Mapping[str, OnCreate] = {
    "CustomResourceDefinition": _new_definition,
    "DaemonSet": _new_daemon_set,
    "Job": _new_job,
    "Namespace": _new_namespace,
    "PersistentVolume": _new_persistent_volume,
    "Pod": _new_pod,
    "Service": _new_service,
}


def _definition(new: Object, live: Object, now: str) -> Object:
    """A version that objects are stored in from now on joins those that they were stored in before."""
    status = _status(new)
    stored = list(status.get("storedVersions") or ())
    for version in (new.get("spec") or {}).get("versions") or ():
        if version.get("storage") and version.get("name") not in stored:
            stored.append(version.get("name"))
    return {**new, "status": {**status, "storedVersions": stored}}


ON_UPDATE: Mapping[str, OnUpdate] = {
    "CustomResourceDefinition": _definition,
    "DaemonSet": _daemon_set,
    "Namespace": _namespace,
    "Service": _service,
}

ON_STATUS_UPDATE: Mapping[str, OnUpdate] = {
    "APIService": _metadata_kept,
    "CustomResourceDefinition": _metadata_kept,
    "Deployment": _deployment_status,
    "FlowSchema": _metadata_kept,
    "PersistentVolume": _persistent_volume_status,
    "Pod": _pod_status,
    "PriorityLevelConfiguration": _metadata_kept,
}
