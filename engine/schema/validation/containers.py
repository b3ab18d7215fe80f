"""What the server refuses of a container.

Source: pkg/apis/core/validation of Kubernetes 1.36.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.schema.validation.cause import Cause, duplicate, forbidden, invalid, not_found, required
from engine.schema.validation.names import config_key_faults, env_name_faults, label_faults, qualified_name_faults
from engine.schema.validation.rules import (
    formed,
    items,
    named,
    needs,
    non_negative,
    one_of,
    port,
    struct,
)
from engine.value.model import Object, Value

PULL_POLICIES = ("Always", "IfNotPresent", "Never")
PROTOCOLS = ("SCTP", "TCP", "UDP")
_HANDLERS = ("exec", "httpGet", "tcpSocket", "grpc")
_SOURCES = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
_FIELD_PATHS = frozenset(
    (
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "metadata.labels",
        "metadata.annotations",
        "spec.nodeName",
        "spec.serviceAccountName",
        "status.hostIP",
        "status.hostIPs",
        "status.podIP",
        "status.podIPs",
    )
)
_SUBSCRIPT = re.compile(r"(metadata\.(?:labels|annotations))\['[^']*'\]")


def containers(values: list[Any], volumes: Collection[str], path: str, seen: set[str]) -> Iterator[Cause]:
    """Containers of one list. seen holds the names of all containers of the pod so far, and is added to."""
    for index, each in enumerate(values):
        at = f"{path}[{index}]"
        yield from _container(each, volumes, at)
        name = each.get("name")
        if name and name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)


def _container(value: Object, volumes: Collection[str], path: str) -> Iterator[Cause]:
    yield from named(value.get("name"), label_faults, f"{path}.name")
    yield from _image(value.get("image"), f"{path}.image")
    yield from one_of(value, "imagePullPolicy", PULL_POLICIES, path, needed=True)
    yield from one_of(value, "terminationMessagePolicy", ("File", "FallbackToLogsOnError"), path)
    yield from _ports(items(value, "ports"), f"{path}.ports")
    for index, each in enumerate(items(value, "env")):
        yield from _env(each, f"{path}.env[{index}]")
    for index, each in enumerate(items(value, "envFrom")):
        yield from _env_from(each, f"{path}.envFrom[{index}]")
    yield from _mounts(items(value, "volumeMounts"), volumes, f"{path}.volumeMounts")
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        if isinstance(value.get(name), dict):
            yield from _probe(value[name], f"{path}.{name}", once=name != "readinessProbe")
    for name in ("postStart", "preStop"):
        handler = struct(value, "lifecycle").get(name)
        if isinstance(handler, dict):
            yield from _handler(handler, f"{path}.lifecycle.{name}", (*_HANDLERS, "sleep"))
    yield from resources(struct(value, "resources"), f"{path}.resources")


def _image(value: Value, path: str) -> Iterator[Cause]:
    if not isinstance(value, str) or not value:
        yield required(path)
    elif value != value.strip():
        yield invalid(path, value, "must not have leading or trailing whitespace")


def _ports(values: list[Any], path: str) -> Iterator[Cause]:
    names: set[str] = set()
    for index, each in enumerate(values):
        at, name, number = f"{path}[{index}]", each.get("name"), each.get("containerPort", 0)
        if name:
            yield from port(name, f"{at}.name")
            if name in names:
                yield duplicate(f"{at}.name", name)
            names.add(name)
        if number == 0:
            yield required(f"{at}.containerPort")
        else:
            yield from port(number, f"{at}.containerPort")
        if each.get("hostPort"):
            yield from port(each["hostPort"], f"{at}.hostPort")
        yield from one_of(each, "protocol", PROTOCOLS, at, needed=True)


def _env(value: Object, path: str) -> Iterator[Cause]:
    name, source = value.get("name"), value.get("valueFrom")
    if not name:
        yield required(f"{path}.name")
    else:
        for fault in env_name_faults(str(name)):
            yield invalid(f"{path}.name", name, fault)
    if isinstance(source, dict):
        yield from _value_from(source, value.get("value"), f"{path}.valueFrom")


def _value_from(source: Object, plain: Value, path: str) -> Iterator[Cause]:
    given = [name for name in _SOURCES if isinstance(source.get(name), dict)]
    if "fieldRef" in given:
        yield from field_ref(source["fieldRef"], f"{path}.fieldRef")
    if "resourceFieldRef" in given:
        yield from needs(source["resourceFieldRef"], ("resource",), f"{path}.resourceFieldRef")
    for name in ("configMapKeyRef", "secretKeyRef"):
        if name in given:
            yield from needs(source[name], ("name",), f"{path}.{name}")
            yield from named(source[name].get("key"), config_key_faults, f"{path}.{name}.key")
    if not given:
        told = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"
        yield invalid(path, "", told)
    elif plain:
        yield invalid(path, "", "may not be specified when `value` is not empty")
    elif len(given) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")


def field_ref(value: Object, path: str) -> Iterator[Cause]:
    """A reference to a field of the pod itself."""
    if not value.get("apiVersion"):
        yield required(f"{path}.apiVersion")
    elif not value.get("fieldPath"):
        yield required(f"{path}.fieldPath")
    else:
        asked = str(value["fieldPath"])
        plain = _SUBSCRIPT.sub(r"\1", asked)
        if plain not in _FIELD_PATHS:
            yield invalid(f"{path}.fieldPath", asked, f"error converting fieldPath: field label not supported: {asked}")


def _env_from(value: Object, path: str) -> Iterator[Cause]:
    yield from formed(value.get("prefix"), env_name_faults, f"{path}.prefix")
    given = [name for name in ("configMapRef", "secretRef") if isinstance(value.get(name), dict)]
    for name in given:
        yield from needs(value[name], ("name",), f"{path}.{name}")
    if not given:
        yield invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
    elif len(given) > 1:
        yield invalid(path, "", "may not have more than one field specified at a time")


def _mounts(values: list[Any], volumes: Collection[str], path: str) -> Iterator[Cause]:
    places: set[str] = set()
    for index, each in enumerate(values):
        at, name, place = f"{path}[{index}]", each.get("name"), each.get("mountPath")
        if not name:
            yield required(f"{at}.name")
        if name not in volumes:
            yield not_found(f"{at}.name", name or "")
        if not place:
            yield required(f"{at}.mountPath")
        if place in places:
            yield invalid(f"{at}.mountPath", place, "must be unique")
        places.add(place)
        for field in ("subPath", "subPathExpr"):
            if each.get(field):
                yield from relative_path(str(each[field]), f"{at}.{field}")
        if each.get("subPath") and each.get("subPathExpr"):
            yield invalid(f"{at}.subPathExpr", each["subPathExpr"], "subPathExpr and subPath are mutually exclusive")
        yield from one_of(each, "mountPropagation", ("Bidirectional", "HostToContainer", "None"), at)


def relative_path(value: str, path: str) -> Iterator[Cause]:
    """A path that stays where it begins."""
    if value.startswith("/"):
        yield invalid(path, value, "must be a relative path")
    if ".." in value.split("/"):
        yield invalid(path, value, "must not contain '..'")


def _probe(value: Object, path: str, *, once: bool) -> Iterator[Cause]:
    yield from _handler(value, path, _HANDLERS)
    numbers = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
    yield from non_negative(value, numbers, path)
    grace = value.get("terminationGracePeriodSeconds")
    if isinstance(grace, int) and grace <= 0:
        yield invalid(f"{path}.terminationGracePeriodSeconds", grace, "must be greater than 0")
    if once and value.get("successThreshold", 1) != 1:
        yield invalid(f"{path}.successThreshold", value.get("successThreshold"), "must be 1")


def _handler(value: Object, path: str, known: tuple[str, ...]) -> Iterator[Cause]:
    given = [name for name in known if isinstance(value.get(name), dict)]
    for name in given[1:]:
        yield forbidden(f"{path}.{name}", "may not specify more than 1 handler type")
    if not given:
        yield required(path, "must specify a handler type")
        return
    handler, at = value[given[0]], f"{path}.{given[0]}"
    if given[0] == "exec":
        yield from needs(handler, ("command",), at)
    elif given[0] in ("httpGet", "tcpSocket", "grpc"):
        if given[0] == "httpGet":
            yield from needs(handler, ("path",), at)
            yield from one_of(handler, "scheme", ("HTTP", "HTTPS"), at)
        yield from port(handler.get("port"), f"{at}.port")


def resources(value: Object, path: str) -> Iterator[Cause]:
    """What a container asks for and is limited to."""
    limits, requests = struct(value, "limits"), struct(value, "requests")
    for name, amounts in (("limits", limits), ("requests", requests)):
        for resource, amount in amounts.items():
            for fault in qualified_name_faults(resource):
                yield invalid(f"{path}.{name}", resource, fault)
            if _amount(amount) < 0:
                yield invalid(f"{path}.{name}[{resource}]", amount, "must be greater than or equal to 0")
    for resource, amount in requests.items():
        if resource in limits and _amount(amount) > _amount(limits[resource]):
            told = f"must be less than or equal to {resource} limit of {limits[resource]}"
            yield invalid(f"{path}.requests", amount, told)


def _amount(text: Value) -> Any:
    try:
        return parse_quantity(str(text)).amount
    except MalformedQuantity:
        return 0
