"""Which rules a built-in kind has: one line a kind.

A kind without a line has no rules of its own beside metadata. Where only `update` of a kind is empty, an object that
replaces another is checked as a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from engine.schema.catalog import KindInfo
from engine.schema.validation import (
    access,
    admission,
    autoscaling,
    batch,
    config,
    definitions,
    devices,
    flow,
    network,
    pods,
    ranges,
    storage,
    workloads,
)
from engine.schema.validation.cause import Cause
from engine.value.model import Object

OfOne = Callable[[Object], Iterable[Cause]]
OfTwo = Callable[[Object, Object], Iterable[Cause]]
"""Takes the new object and the one that it replaces."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a kind: of a new object, of one that replaces another, of a write to /status."""

    create: OfOne
    update: OfTwo | None = None
    status: OfTwo | None = None


RULES: Mapping[str, Rules] = {
    "APIService": Rules(definitions.api_service),
    "CSIDriver": Rules(storage.csi_driver, storage.csi_driver_update),
    "CSINode": Rules(storage.csi_node),
    "CSIStorageCapacity": Rules(storage.csi_storage_capacity, storage.csi_storage_capacity_update),
    "ClusterRole": Rules(access.cluster_role),
    "ClusterRoleBinding": Rules(access.cluster_role_binding, access.cluster_role_binding_update),
    "ConfigMap": Rules(config.config_map, config.config_map_update),
    "ControllerRevision": Rules(config.controller_revision, config.controller_revision_update),
    "CronJob": Rules(batch.cron_job),
    "CustomResourceDefinition": Rules(
        definitions.custom_resource_definition, definitions.custom_resource_definition_update
    ),
    "DaemonSet": Rules(workloads.daemon_set, workloads.daemon_set_update),
    "Deployment": Rules(workloads.deployment, workloads.deployment_update, workloads.deployment_status),
    "DeviceClass": Rules(devices.device_class),
    "EndpointSlice": Rules(network.endpoint_slice, network.endpoint_slice_update),
    "Endpoints": Rules(network.endpoints),
    "FlowSchema": Rules(flow.flow_schema),
    "HorizontalPodAutoscaler": Rules(autoscaling.horizontal_pod_autoscaler),
    "IPAddress": Rules(ranges.ip_address, ranges.ip_address_update),
    "Ingress": Rules(network.ingress),
    "IngressClass": Rules(network.ingress_class, network.ingress_class_update),
    "Job": Rules(batch.job, batch.job_update),
    "Lease": Rules(config.lease),
    "LimitRange": Rules(config.limit_range),
    "MutatingAdmissionPolicy": Rules(admission.mutating_policy),
    "MutatingAdmissionPolicyBinding": Rules(admission.mutating_binding),
    "MutatingWebhookConfiguration": Rules(admission.webhooks),
    "NetworkPolicy": Rules(network.network_policy),
    "Node": Rules(config.node, config.node_update),
    "PersistentVolume": Rules(storage.persistent_volume, storage.persistent_volume_update),
    "PersistentVolumeClaim": Rules(storage.persistent_volume_claim, storage.persistent_volume_claim_update),
    "Pod": Rules(pods.pod, pods.pod_update),
    "PodDisruptionBudget": Rules(workloads.pod_disruption_budget),
    "PodTemplate": Rules(workloads.pod_template),
    "PriorityClass": Rules(config.priority_class, config.priority_class_update),
    "PriorityLevelConfiguration": Rules(flow.priority_level),
    "ReplicaSet": Rules(workloads.replica_set, workloads.replica_set_update, workloads.replica_set_status),
    "ReplicationController": Rules(workloads.replication_controller, None, workloads.replica_set_status),
    "ResourceClaim": Rules(devices.resource_claim, devices.claim_kept),
    "ResourceClaimTemplate": Rules(devices.resource_claim_template, devices.claim_kept),
    "ResourceQuota": Rules(config.resource_quota, config.resource_quota_update),
    "ResourceSlice": Rules(devices.resource_slice, devices.resource_slice_update),
    "Role": Rules(access.role),
    "RoleBinding": Rules(access.role_binding, access.role_binding_update),
    "RuntimeClass": Rules(config.runtime_class, config.runtime_class_update),
    "Secret": Rules(config.secret, config.secret_update),
    "Service": Rules(network.service, network.service_update),
    "ServiceCIDR": Rules(ranges.service_cidr, ranges.service_cidr_update),
    "StatefulSet": Rules(workloads.stateful_set, workloads.stateful_set_update, workloads.stateful_set_status),
    "StorageClass": Rules(storage.storage_class, storage.storage_class_update),
    "ValidatingAdmissionPolicy": Rules(admission.admission_policy),
    "ValidatingAdmissionPolicyBinding": Rules(admission.admission_binding),
    "ValidatingWebhookConfiguration": Rules(admission.webhooks),
    "VolumeAttachment": Rules(storage.volume_attachment, storage.volume_attachment_update),
    "VolumeAttributesClass": Rules(storage.volume_attributes_class, storage.volume_attributes_class_update),
}


def validate_builtin(obj: Object, info: KindInfo) -> tuple[Cause, ...]:
    """Return what is wrong with a new object."""
    rules = RULES.get(info.gvk.kind)
    return tuple(rules.create(obj)) if rules is not None else ()


def validate_builtin_update(new: Object, live: Object, info: KindInfo, subresource: str) -> tuple[Cause, ...]:
    """Return what is wrong with an object that replaces `live`, written to the object or to a subresource."""
    rules = RULES.get(info.gvk.kind)
    if rules is None:
        return ()
    if subresource == "status":
        return tuple(rules.status(new, live)) if rules.status is not None else ()
    return tuple(rules.update(new, live) if rules.update is not None else rules.create(new))
