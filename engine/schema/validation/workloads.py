"""What the server refuses of what makes pods: deployments, sets, controllers, jobs, autoscalers, budgets.

Source: pkg/apis/{apps,batch,autoscaling,policy}/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.pods import template
from engine.schema.validation.rules import (
    MISMATCH,
    is_none,
    items,
    label_selector,
    non_negative,
    one_of,
    portion,
    selects,
    struct,
    unchanged,
)
from engine.value.equality import equal
from engine.value.model import Object


def _selector(spec: Object, kind: str, path: str = "spec") -> Iterator[Cause]:
    selector = spec.get("selector")
    if not isinstance(selector, dict):
        yield required(f"{path}.selector")
        return
    yield from label_selector(selector, f"{path}.selector")
    if not struct(selector, "matchLabels") and not items(selector, "matchExpressions"):
        yield invalid(f"{path}.selector", selector, f"empty selector is invalid for {kind}")


def _template(spec: Object, path: str = "spec", policies: tuple[str, ...] = ("Always",)) -> Iterator[Cause]:
    value, at = struct(spec, "template"), f"{path}.template"
    chosen = struct(value, "metadata").get("labels")
    if not selects(spec.get("selector"), chosen if isinstance(chosen, dict) else {}):
        yield invalid(f"{at}.metadata.labels", chosen, MISMATCH)
    yield from template(value, at)
    policy = struct(value, "spec").get("restartPolicy")
    if policy not in policies:
        yield not_supported(f"{at}.spec.restartPolicy", policy, policies)
    if struct(value, "spec").get("activeDeadlineSeconds") is not None:
        yield forbidden(f"{at}.spec.activeDeadlineSeconds", "activeDeadlineSeconds in ReplicaSet is not Supported")


def deployment(obj: Object) -> Iterator[Cause]:
    """A deployment."""
    spec = struct(obj, "spec")
    yield from non_negative(
        spec, ("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"), "spec"
    )
    yield from _selector(spec, "deployment")
    yield from _template(spec)
    strategy = struct(spec, "strategy")
    yield from _deployment_strategy(strategy, "spec.strategy")
    deadline = spec.get("progressDeadlineSeconds")
    if isinstance(deadline, int) and deadline <= spec.get("minReadySeconds", 0):
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def _deployment_strategy(value: Object, path: str) -> Iterator[Cause]:
    rolling = value.get("rollingUpdate")
    if value.get("type") == "Recreate":
        if rolling is not None:
            yield forbidden(f"{path}.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
    elif value.get("type") == "RollingUpdate":
        if not isinstance(rolling, dict):
            yield required(f"{path}.rollingUpdate", "this should be defaulted and never be nil")
            return
        yield from _rolling(rolling, f"{path}.rollingUpdate")
        if is_none(rolling.get("maxUnavailable")) and is_none(rolling.get("maxSurge")):
            yield invalid(
                f"{path}.rollingUpdate.maxUnavailable",
                rolling.get("maxUnavailable"),
                "may not be 0 when `maxSurge` is 0",
            )
    else:
        yield not_supported(f"{path}.type", value.get("type", ""), ("Recreate", "RollingUpdate"))


def _rolling(value: Object, path: str) -> Iterator[Cause]:
    for name in ("maxUnavailable", "maxSurge"):
        yield from portion(value.get(name), f"{path}.{name}")
    most = value.get("maxUnavailable")
    share = most[:-1].lstrip("0") if isinstance(most, str) and most[:-1].isdecimal() else ""
    if len(share) > 3 or int(share or 0) > 100:
        yield invalid(f"{path}.maxUnavailable", most, "must not be greater than 100%")


def selector_kept(new: Object, live: Object) -> Iterator[Cause]:
    """A selector stays what it was."""
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("selector",), "spec")


def deployment_update(new: Object, live: Object) -> Iterator[Cause]:
    """A deployment that replaces another."""
    yield from deployment(new)
    yield from selector_kept(new, live)


def deployment_status(new: Object, live: Object) -> Iterator[Cause]:
    """What a deployment has come to."""
    status = struct(new, "status")
    names = ("observedGeneration", "replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    yield from non_negative(status, (*names, "unavailableReplicas"), "status")
    yield from _at_most(status, ("updatedReplicas", "readyReplicas", "availableReplicas"), "replicas")
    yield from _available_are_ready(status)


def _at_most(status: Object, names: tuple[str, ...], whole: str) -> Iterator[Cause]:
    for name in names:
        count = status.get(name, 0)
        if count > status.get(whole, 0):
            yield invalid(f"status.{name}", count, f"cannot be greater than status.{whole}")


def _available_are_ready(status: Object) -> Iterator[Cause]:
    count = status.get("availableReplicas", 0)
    if count > status.get("readyReplicas", 0):
        yield invalid("status.availableReplicas", count, "cannot be greater than readyReplicas")


def replica_set_status(new: Object, live: Object) -> Iterator[Cause]:
    """What a replica set or replication controller has come to."""
    status = struct(new, "status")
    names = ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")
    yield from non_negative(status, ("replicas", "observedGeneration", *names), "status")
    yield from _at_most(status, names, "replicas")
    yield from _available_are_ready(status)


def stateful_set_status(new: Object, live: Object) -> Iterator[Cause]:
    """What a stateful set has come to."""
    status = struct(new, "status")
    names = ("readyReplicas", "currentReplicas", "updatedReplicas")
    yield from non_negative(status, ("replicas", "observedGeneration", "collisionCount", *names), "status")
    yield from _at_most(status, names, "replicas")


def replica_set(obj: Object) -> Iterator[Cause]:
    """A replica set."""
    spec = struct(obj, "spec")
    yield from non_negative(spec, ("replicas", "minReadySeconds"), "spec")
    yield from _selector(spec, "deployment")
    yield from _template(spec)


def replica_set_update(new: Object, live: Object) -> Iterator[Cause]:
    """A replica set that replaces another."""
    yield from replica_set(new)
    yield from selector_kept(new, live)


def replication_controller(obj: Object) -> Iterator[Cause]:
    """A replication controller: its selector is labels alone."""
    spec = struct(obj, "spec")
    yield from non_negative(spec, ("replicas", "minReadySeconds"), "spec")
    if not struct(spec, "selector"):
        yield required("spec.selector")
    if not isinstance(spec.get("template"), dict):
        yield required("spec.template")
    elif struct(spec, "selector"):
        yield from _template(spec)
    else:
        yield from template(struct(spec, "template"), "spec.template")


def daemon_set(obj: Object) -> Iterator[Cause]:
    """A daemon set."""
    spec = struct(obj, "spec")
    yield from non_negative(spec, ("minReadySeconds", "revisionHistoryLimit"), "spec")
    if isinstance(spec.get("selector"), dict):
        yield from _selector(spec, "daemonset")
    yield from _template(spec)
    strategy = struct(spec, "updateStrategy")
    if strategy.get("type") == "RollingUpdate":
        rolling = struct(strategy, "rollingUpdate")
        path = "spec.updateStrategy.rollingUpdate"
        yield from _rolling(rolling, path)
        surge, missing = rolling.get("maxSurge"), rolling.get("maxUnavailable")
        if not is_none(missing) and not is_none(surge):
            yield invalid(f"{path}.maxSurge", surge, "may not be set when maxUnavailable is non-zero")
        elif is_none(missing) and is_none(surge):
            yield required(f"{path}.maxUnavailable", "cannot be 0 when maxSurge is 0")
    elif strategy.get("type") != "OnDelete":
        yield not_supported("spec.updateStrategy.type", strategy.get("type", ""), ("OnDelete", "RollingUpdate"))


def daemon_set_update(new: Object, live: Object) -> Iterator[Cause]:
    """A daemon set that replaces another."""
    yield from daemon_set(new)
    yield from selector_kept(new, live)


_STATEFUL_FREE = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
_STATEFUL_TEXT = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)


def stateful_set(obj: Object) -> Iterator[Cause]:
    """A stateful set."""
    spec = struct(obj, "spec")
    policy = spec.get("podManagementPolicy")
    if not policy:
        yield required("spec.podManagementPolicy")
    elif policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    kind = struct(spec, "updateStrategy").get("type")
    if not kind:
        yield required("spec.updateStrategy")
    elif kind not in ("OnDelete", "RollingUpdate"):
        yield invalid("spec.updateStrategy", struct(spec, "updateStrategy"), "must be 'RollingUpdate' or 'OnDelete'")
    yield from non_negative(
        struct(struct(spec, "updateStrategy"), "rollingUpdate"), ("partition",), "spec.updateStrategy.rollingUpdate"
    )
    yield from non_negative(spec, ("replicas", "minReadySeconds"), "spec")
    yield from _selector(spec, "statefulset")
    yield from _template(_with_claims(spec))


def _with_claims(spec: Object) -> Object:
    """The spec with its templates of claims as volumes of the pod, which is what they become."""
    pod = struct(struct(spec, "template"), "spec")
    taken = {each.get("name") for each in items(pod, "volumes")}
    names = dict.fromkeys(struct(each, "metadata").get("name") for each in items(spec, "volumeClaimTemplates"))
    made = [{"name": n, "persistentVolumeClaim": {"claimName": n}} for n in names if n not in taken]
    if not made:
        return spec
    pod = {**pod, "volumes": [*items(pod, "volumes"), *made]}
    return {**spec, "template": {**struct(spec, "template"), "spec": pod}}


def stateful_set_update(new: Object, live: Object) -> Iterator[Cause]:
    """A stateful set that replaces another."""
    yield from stateful_set(new)
    spec, old = struct(new, "spec"), struct(live, "spec")
    if not equal(_without(spec, _STATEFUL_FREE), _without(old, _STATEFUL_FREE)):
        yield forbidden("spec", _STATEFUL_TEXT)


def _without(value: Object, names: tuple[str, ...]) -> Object:
    return {k: v for k, v in value.items() if k not in names}


def pod_disruption_budget(obj: Object) -> Iterator[Cause]:
    """A pod disruption budget."""
    spec = struct(obj, "spec")
    if spec.get("minAvailable") is not None and spec.get("maxUnavailable") is not None:
        yield invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set")
    for name in ("minAvailable", "maxUnavailable"):
        yield from portion(spec.get(name), f"spec.{name}")
    if isinstance(spec.get("selector"), dict):
        yield from label_selector(spec["selector"], "spec.selector")
    yield from one_of(spec, "unhealthyPodEvictionPolicy", ("AlwaysAllow", "IfHealthyBudget"), "spec")


def pod_template(obj: Object) -> Iterator[Cause]:
    """A stored pod template."""
    yield from template(struct(obj, "template"), "template")
