"""What the server refuses of services, endpoints, ingresses and network policies.

Source: pkg/apis/{core,discovery,networking}/validation of Kubernetes 1.36.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, duplicate, forbidden, invalid, not_supported, required, too_many
from engine.schema.validation.containers import PROTOCOLS
from engine.schema.validation.names import label_faults, subdomain_faults
from engine.schema.validation.rules import formed, items, label_selector, labels, named, one_of, port, struct, unchanged
from engine.value.model import Object, Value

_SERVICE_TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_FAMILIES = ("IPv4", "IPv6")


def _address_fault(value: Value) -> str:
    try:
        ipaddress.ip_address(str(value))
    except ValueError:
        return "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
    return ""


def service(obj: Object) -> Iterator[Cause]:
    """A service."""
    spec = struct(obj, "spec")
    kind = spec.get("type")
    headless = spec.get("clusterIP") == "None"
    if not items(spec, "ports") and not headless and kind != "ExternalName":
        yield required("spec.ports")
    yield from one_of(spec, "type", _SERVICE_TYPES, "spec", needed=True)
    yield from _service_ports(items(spec, "ports"), str(kind), headless)
    if isinstance(spec.get("selector"), dict):
        yield from labels(spec["selector"], "spec.selector")
    yield from one_of(spec, "sessionAffinity", ("ClientIP", "None"), "spec", needed=True)
    yield from _affinity(spec)
    yield from _cluster_addresses(spec)
    if kind == "ExternalName":
        yield from named(spec.get("externalName"), subdomain_faults, "spec.externalName")
    for index, each in enumerate(items(spec, "externalIPs")):
        fault = _address_fault(each)
        if fault:
            yield invalid(f"spec.externalIPs[{index}]", each, fault)
    yield from _traffic(spec, kind)


def _service_ports(values: list[Any], kind: str, headless: bool) -> Iterator[Cause]:
    names: set[str] = set()
    taken: list[tuple[Value, Value]] = []
    for index, each in enumerate(values):
        at, name = f"spec.ports[{index}]", each.get("name")
        if len(values) > 1 and not name:
            yield required(f"{at}.name")
        elif name:
            yield from formed(name, label_faults, f"{at}.name")
            if name in names:
                yield duplicate(f"{at}.name", name)
            names.add(name)
        yield from port(each.get("port", 0), f"{at}.port")
        yield from one_of(each, "protocol", PROTOCOLS, at, needed=True)
        yield from port(each.get("targetPort"), f"{at}.targetPort")
        if each.get("nodePort") and kind == "ClusterIP":
            yield forbidden(f"{at}.nodePort", "may not be used when `type` is 'ClusterIP'")
        key = (each.get("protocol"), each.get("port"))
        if key in taken:
            yield duplicate(at, _port_dump(each))
        taken.append(key)


def _port_dump(value: Object) -> Object:
    """A port as the reference spells it in a duplicate: only what makes it one."""
    return {
        "Name": "",
        "Protocol": value.get("protocol"),
        "AppProtocol": None,
        "Port": value.get("port"),
        "TargetPort": 0,
        "NodePort": 0,
    }


def _affinity(spec: Object) -> Iterator[Cause]:
    config = struct(spec, "sessionAffinityConfig")
    seconds = struct(config, "clientIP").get("timeoutSeconds")
    if spec.get("sessionAffinity") == "ClientIP":
        if isinstance(seconds, int) and not 0 < seconds <= 86400:
            path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds"
            yield invalid(path, seconds, "must be greater than 0 and less than 86400")
    elif config:
        yield forbidden("spec.sessionAffinityConfig", "must not be set when session affinity is None")


def _cluster_addresses(spec: Object) -> Iterator[Cause]:
    addresses, families = items(spec, "clusterIPs"), items(spec, "ipFamilies")
    for index, each in enumerate(families):
        if each not in _FAMILIES:
            yield not_supported(f"spec.ipFamilies[{index}]", each, _FAMILIES)
    if "None" in addresses and (len(addresses) > 1 or addresses[0] != "None"):
        yield invalid("spec.clusterIPs", addresses, "'None' must be the first and only value")
        return
    if addresses and spec.get("clusterIP") != addresses[0]:
        yield invalid("spec.clusterIP", addresses, "first value must match `clusterIP`")
    for index, each in enumerate(addresses):
        fault = _address_fault(each) if each != "None" else ""
        if fault:
            yield invalid(f"spec.clusterIPs[{index}]", each, fault)
    if len(addresses) > 2:
        yield too_many("spec.clusterIPs", len(addresses), 2)


def _traffic(spec: Object, kind: Value) -> Iterator[Cause]:
    yield from one_of(spec, "internalTrafficPolicy", ("Cluster", "Local"), "spec")
    policy = spec.get("externalTrafficPolicy")
    if policy and kind not in ("LoadBalancer", "NodePort"):
        yield invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services")
    yield from one_of(spec, "externalTrafficPolicy", ("Cluster", "Local"), "spec")
    if spec.get("loadBalancerClass") and kind != "LoadBalancer":
        yield forbidden("spec.loadBalancerClass", "may only be used when `type` is 'LoadBalancer'")


def service_update(new: Object, live: Object) -> Iterator[Cause]:
    """A service that replaces another: its addresses stay."""
    yield from service(new)
    spec, old = struct(new, "spec"), struct(live, "spec")
    before, after = items(old, "clusterIPs"), items(spec, "clusterIPs")
    if "ExternalName" not in (spec.get("type"), old.get("type")) and before and after and before[0] != after[0]:
        yield invalid("spec.clusterIPs[0]", after, "may not change once set")
    families, was = items(spec, "ipFamilies"), items(old, "ipFamilies")
    if families and was and families[0] != was[0] and families[0] in _FAMILIES:
        yield invalid("spec.ipFamilies[0]", families, "may not change once set")


def endpoints(obj: Object) -> Iterator[Cause]:
    """Endpoints."""
    for index, each in enumerate(items(obj, "subsets")):
        yield from _subset(each, f"subsets[{index}]")


def _subset(value: Object, path: str) -> Iterator[Cause]:
    if not items(value, "addresses") and not items(value, "notReadyAddresses"):
        yield required(path, "must specify `addresses` or `notReadyAddresses`")
    for name in ("addresses", "notReadyAddresses"):
        for index, each in enumerate(items(value, name)):
            fault = _address_fault(each.get("ip"))
            if fault:
                yield invalid(f"{path}.{name}[{index}].ip", each.get("ip", ""), fault)
            yield from formed(each.get("hostname"), label_faults, f"{path}.{name}[{index}].hostname")
    several = len(items(value, "ports")) > 1
    for index, each in enumerate(items(value, "ports")):
        at = f"{path}.ports[{index}]"
        if several and not each.get("name"):
            yield required(f"{at}.name")
        yield from formed(each.get("name"), label_faults, f"{at}.name")
        yield from port(each.get("port", 0), f"{at}.port")
        yield from one_of(each, "protocol", PROTOCOLS, at, needed=True)


def endpoint_slice(obj: Object) -> Iterator[Cause]:
    """An endpoint slice."""
    kind = obj.get("addressType", "")
    if not kind:
        yield required("addressType")
    elif kind not in ("FQDN", "IPv4", "IPv6"):
        yield not_supported("addressType", kind, ("FQDN", "IPv4", "IPv6"))
    for index, each in enumerate(items(obj, "endpoints")):
        at, addresses = f"endpoints[{index}]", items(each, "addresses")
        if not addresses:
            yield required(f"{at}.addresses", "must contain at least 1 address")
        if len(addresses) > 100:
            yield too_many(f"{at}.addresses", len(addresses), 100)
        for position, address in enumerate(addresses):
            fault = _address_fault(address) if kind in ("IPv4", "IPv6") else ""
            if fault:
                yield invalid(f"{at}.addresses[{position}]", address, fault)
    names: set[str] = set()
    for index, each in enumerate(items(obj, "ports")):
        if each.get("name", "") in names:
            yield duplicate(f"ports[{index}].name", each.get("name", ""))
        names.add(each.get("name", ""))
        yield from one_of(each, "protocol", PROTOCOLS, f"ports[{index}]", needed=True)


def endpoint_slice_update(new: Object, live: Object) -> Iterator[Cause]:
    """An endpoint slice that replaces another."""
    yield from endpoint_slice(new)
    if new.get("addressType", "") != live.get("addressType", ""):
        yield invalid("addressType", new.get("addressType", ""), "field is immutable")


def ingress(obj: Object) -> Iterator[Cause]:
    """An ingress."""
    spec = struct(obj, "spec")
    if not items(spec, "rules") and not struct(spec, "defaultBackend"):
        yield invalid("spec", spec.get("rules"), "either `defaultBackend` or `rules` must be specified")
    if struct(spec, "defaultBackend"):
        yield from _backend(spec["defaultBackend"], "spec.defaultBackend")
    for index, each in enumerate(items(spec, "rules")):
        at = f"spec.rules[{index}]"
        host = str(each.get("host", ""))
        yield from formed(host.removeprefix("*."), subdomain_faults, f"{at}.host")
        if isinstance(each.get("http"), dict):
            yield from _paths(each["http"], f"{at}.http")
    yield from formed(spec.get("ingressClassName"), subdomain_faults, "spec.ingressClassName")


def _paths(value: Object, path: str) -> Iterator[Cause]:
    if not items(value, "paths"):
        yield required(f"{path}.paths")
    for index, each in enumerate(items(value, "paths")):
        at, kind, where = f"{path}.paths[{index}]", each.get("pathType"), each.get("path", "")
        kinds = ("Exact", "ImplementationSpecific", "Prefix")
        if kind is None:
            yield required(f"{at}.pathType", "pathType must be specified")
        elif kind not in kinds:
            yield not_supported(f"{at}.pathType", kind, kinds)
        elif kind in ("Exact", "Prefix") and not where.startswith("/"):
            yield invalid(f"{at}.path", where, "must be an absolute path")
        yield from _backend(struct(each, "backend"), f"{at}.backend")


def _backend(value: Object, path: str) -> Iterator[Cause]:
    has_service, has_resource = isinstance(value.get("service"), dict), isinstance(value.get("resource"), dict)
    if has_service and has_resource:
        yield invalid(path, "", "cannot set both resource and service backends")
    elif not has_service and not has_resource:
        yield invalid(path, "", "resource or service backend is required")
    elif has_service:
        yield from named(value["service"].get("name"), label_faults, f"{path}.service.name")
        target = struct(value["service"], "port")
        if target.get("name") and target.get("number"):
            yield invalid(path, "", "cannot set both port name & port number")
        elif not target.get("name") and not target.get("number"):
            yield required(path, "port name or number is required")
        else:
            where = "name" if target.get("name") else "number"
            yield from port(target[where], f"{path}.service.port.{where}")
    else:
        for name in ("kind", "name"):
            if not value["resource"].get(name):
                yield required(f"{path}.resource.{name}")


def network_policy(obj: Object) -> Iterator[Cause]:
    """A network policy."""
    spec = struct(obj, "spec")
    yield from label_selector(struct(spec, "podSelector"), "spec.podSelector")
    for direction, peers in (("ingress", "from"), ("egress", "to")):
        for index, each in enumerate(items(spec, direction)):
            at = f"spec.{direction}[{index}]"
            for position, wanted in enumerate(items(each, "ports")):
                yield from _policy_port(wanted, f"{at}.ports[{position}]")
            for position, peer in enumerate(items(each, peers)):
                yield from _peer(peer, f"{at}.{peers}[{position}]")
    kinds = items(spec, "policyTypes")
    if len(kinds) > 2:
        yield invalid("spec.policyTypes", kinds, "may not specify more than two policyTypes")
        return
    for index, kind in enumerate(kinds):
        if kind not in ("Egress", "Ingress"):
            yield not_supported(f"spec.policyTypes[{index}]", kind, ("Egress", "Ingress"))


def _policy_port(value: Object, path: str) -> Iterator[Cause]:
    yield from one_of(value, "protocol", PROTOCOLS, path)
    yield from port(value.get("port"), f"{path}.port")
    last, first = value.get("endPort"), value.get("port")
    if last is not None:
        if not isinstance(first, int):
            yield required(f"{path}.port", "must be specified when `endPort` is specified")
        elif last < first:
            yield invalid(f"{path}.endPort", last, "must be greater than or equal to `port`")


def _peer(value: Object, path: str) -> Iterator[Cause]:
    given = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if isinstance(value.get(name), dict)]
    for name in given:
        if name != "ipBlock":
            yield from label_selector(value[name], f"{path}.{name}")
        else:
            yield from _block(value[name], f"{path}.ipBlock")
    if not given:
        yield required(path, "must specify a peer")
    elif len(given) > 1 and "ipBlock" in given:
        yield forbidden(path, "may not specify both ipBlock and another peer")


def _block(value: Object, path: str) -> Iterator[Cause]:
    text = value.get("cidr")
    if not text:
        yield required(f"{path}.cidr")
        return
    try:
        ipaddress.ip_network(str(text), strict=False)
    except ValueError:
        yield invalid(f"{path}.cidr", text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")


def ingress_class_update(new: Object, live: Object) -> Iterator[Cause]:
    """An ingress class that replaces another: its controller stays."""
    yield from ingress_class(new)
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("controller",), "spec")


def ingress_class(obj: Object) -> Iterator[Cause]:
    """An ingress class."""
    controller = struct(obj, "spec").get("controller")
    if not controller:
        yield required("spec.controller")
    elif "/" not in str(controller):
        told = 'must be a domain-prefixed path (such as "acme.io/foo")'
        yield invalid("spec.controller", controller, told)
