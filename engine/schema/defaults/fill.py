"""Fills an object in, by its schema."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

from engine.schema.defaults import resources, workloads
from engine.schema.defaults.constants import CONSTANTS
from engine.schema.elements import ListType, MapType, TypeRef
from engine.schema.go_fields import short_name
from engine.value.model import Object, Value

Fill = Callable[[Object], None]
"""Changes a copy of its own of a struct."""

DERIVED: Mapping[str, tuple[Fill, ...]] = {
    "apps.v1.DaemonSetUpdateStrategy": (workloads.daemon_set_strategy,),
    "apps.v1.DeploymentStrategy": (workloads.deployment_strategy,),
    "apps.v1.StatefulSetSpec": (workloads.stateful_set_spec,),
    "apps.v1.StatefulSetUpdateStrategy": (workloads.stateful_set_strategy,),
    "autoscaling.v2.HorizontalPodAutoscaler": (workloads.horizontal_pod_autoscaler,),
    "batch.v1.Job": (workloads.job,),
    "core.v1.Container": (workloads.container,),
    "core.v1.EphemeralContainer": (workloads.container,),
    "core.v1.LimitRangeItem": (resources.limit_range_item,),
    "core.v1.Namespace": (resources.namespace_spec,),
    "core.v1.Node": (resources.node,),
    "core.v1.PersistentVolumeClaimStatus": (resources.persistent_volume_claim_status,),
    "core.v1.Pod": (workloads.pod,),
    "core.v1.Probe": (workloads.probe_terminations,),
    "core.v1.ReplicationController": (workloads.replication_controller,),
    "core.v1.Secret": (resources.secret,),
    "core.v1.ServiceSpec": (resources.service_spec,),
    "core.v1.Volume": (workloads.volume,),
    "flowcontrol.v1.FlowSchemaSpec": (resources.flow_schema_spec,),
    "flowcontrol.v1.LimitResponse": (resources.limit_response,),
    "flowcontrol.v1.PriorityLevelConfigurationSpec": (resources.priority_level_spec,),
    "networking.v1.NetworkPolicySpec": (resources.network_policy_spec,),
    "rbac.v1.RoleRef": (resources.role_ref,),
    "rbac.v1.Subject": (resources.subject,),
    "resource.v1.DeviceSubRequest": (resources.device_request,),
    "resource.v1.ExactDeviceRequest": (resources.device_request,),
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames": (
        resources.definition_names,
    ),
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec": (
        resources.definition_spec,
    ),
}
"""What is filled in by functions, by type."""


def filled(value: Object, type_ref: TypeRef) -> Object:
    """Return an object of a built-in type with what the server fills in; the input is not changed."""
    out = _fill(value, type_ref)
    assert isinstance(out, dict)
    return out


def _fill(value: Value, type_ref: TypeRef) -> Value:
    atom = type_ref.atom
    if isinstance(value, dict) and atom.map is not None:
        return _fill_map(value, atom.map, type_ref.name)
    if isinstance(value, list) and atom.list is not None:
        return _fill_list(value, atom.list)
    return value


def _fill_map(value: Object, shape: MapType, name: str) -> Object:
    if not shape.fields:
        return value
    out = _with_own_defaults(value, name)
    for member, content in out.items():
        if isinstance(content, (dict, list)):
            declared = shape.fields.get(member)
            if declared is not None:
                out[member] = _fill(content, declared.type)
    return out


def _with_own_defaults(value: Object, name: str) -> Object:
    out = dict(value)
    short = short_name(name)
    for member, default in CONSTANTS.get(short, _NONE).items():
        if out.get(member) is None or (out[member] == "" and isinstance(default, str)):
            out[member] = copy.copy(default)
    for fill in DERIVED.get(short, ()):
        fill(out)
    return out


_NONE: Mapping[str, Any] = {}


def _fill_list(value: list[Any], shape: ListType) -> Value:
    return [_fill(item, shape.items) for item in value]
