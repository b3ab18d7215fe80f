"""What the API server does of its own accord after a write.

Source: the config consumer of API priority and fairness, Kubernetes 1.36.
"""

from __future__ import annotations

from engine.meta.object_meta import text_of
from engine.schema.validation.rules import items, struct
from engine.value.model import Object

FLOW_SCHEMA_CONSUMER = "api-priority-and-fairness-config-consumer-v1"
_BUILT_IN_LEVELS = frozenset(("catch-all", "exempt"))


def flow_schema_status(schema: Object, levels: frozenset[str], now: str) -> Object | None:
    """Return the status that the server applies to a FlowSchema, or None if it says so already.

    levels are the names of the PriorityLevelConfigurations that are stored; two more are always there.
    """
    named = struct(struct(schema, "spec"), "priorityLevelConfiguration").get("name", "")
    level = named if isinstance(named, str) else ""
    told = f'This FlowSchema references the PriorityLevelConfiguration object named "{level}"'
    if level in levels or level in _BUILT_IN_LEVELS:
        wanted = {"status": "False", "reason": "Found", "message": f"{told} and it exists"}
    else:
        wanted = {"status": "True", "reason": "NotFound", "message": f"{told} but there is no such object"}
    conditions = (each for each in items(struct(schema, "status"), "conditions") if isinstance(each, dict))
    have: Object = next((each for each in conditions if each.get("type") == "Dangling"), {})
    if all(have.get(name) == value for name, value in wanted.items()):
        return None
    condition = {"type": "Dangling", "lastTransitionTime": now, **wanted}
    return {
        "apiVersion": schema["apiVersion"],
        "kind": schema["kind"],
        "metadata": {"name": text_of(schema, "name")},
        "status": {"conditions": [condition]},
    }
