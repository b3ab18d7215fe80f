"""A pod's quality of service class.

Source: pkg/apis/core/helper/qos of Kubernetes 1.36.
"""

from __future__ import annotations

from typing import Any

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.value.model import Object

_COMPUTE = ("cpu", "memory")


def quality_of_service(pod: Object) -> str:
    """Return Guaranteed, Burstable or BestEffort.

    Guaranteed: every container is limited in processor time and memory, and asks for just that much. BestEffort: none
    asks for anything or is limited in any way.
    """
    spec = pod.get("spec") or {}
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    if spec.get("resources"):
        containers = [{"resources": spec["resources"]}]
    if not any(_positive(each, "requests") or _positive(each, "limits") for each in containers):
        return "BestEffort"
    return "Guaranteed" if all(_is_guaranteed(each) for each in containers) else "Burstable"


def _positive(container: Any, name: str) -> dict[str, Any]:
    """What a container asks for or is limited to of processor time and memory, zeros left out."""
    amounts = ((container.get("resources") or {}).get(name)) or {}
    return {k: v for k, v in amounts.items() if k in _COMPUTE and _amount(v) > 0}


def _is_guaranteed(container: Any) -> bool:
    limits, requests = _positive(container, "limits"), _positive(container, "requests")
    if set(limits) != set(_COMPUTE):
        return False
    return all(_amount(requests.get(name, limits[name])) == _amount(limits[name]) for name in _COMPUTE)


def _amount(text: Any) -> Any:
    try:
        return parse_quantity(str(text)).amount
    except MalformedQuantity:
        return 0
