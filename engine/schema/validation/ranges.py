"""What the server refuses of the addresses that services take: ServiceCIDR and IPAddress.

Source: pkg/apis/networking/validation of Kubernetes 1.36.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from engine.schema.validation.cause import Cause, invalid, required
from engine.schema.validation.names import path_segment_faults, subdomain_faults
from engine.schema.validation.rules import IMMUTABLE, formed, items, named, struct, unchanged
from engine.value.model import Object, Value


def _network(value: Value) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    try:
        return ipaddress.ip_network(str(value))
    except ValueError:
        return None


def service_cidr(obj: Object) -> Iterator[Cause]:
    """A range of addresses: one, or one of each family."""
    cidrs = items(struct(obj, "spec"), "cidrs")
    if not cidrs:
        yield required("spec.cidrs", "at least one CIDR required")
    if len(cidrs) > 2:
        yield invalid("spec.cidrs", cidrs, "may only hold up to 2 values")
    networks = [_network(each) for each in cidrs]
    for index, (each, network) in enumerate(zip(cidrs, networks, strict=True)):
        if network is None:
            yield invalid(
                f"spec.cidrs[{index}]", each, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
            )
    if len(networks) == 2 and len({network.version for network in networks if network is not None}) == 1:
        told = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"
        yield invalid("spec.cidrs", cidrs, told)


def service_cidr_update(new: Object, live: Object) -> Iterator[Cause]:
    """A range that replaces another: a second family may join, nothing else may change."""
    after, before = items(struct(new, "spec"), "cidrs"), items(struct(live, "spec"), "cidrs")
    if len(after) < len(before) or not before:
        yield invalid("spec.cidrs", after, IMMUTABLE)
        return
    if len(after) > len(before):
        yield from service_cidr(new)
    for index, (now, then) in enumerate(zip(after, before, strict=False)):
        if now != then:
            yield invalid(f"spec.cidrs[{index}]", now, IMMUTABLE)


def ip_address(obj: Object) -> Iterator[Cause]:
    """An address that something holds; its name is the address as it is written shortest."""
    name = str(struct(obj, "metadata").get("name", ""))
    try:
        shortest = str(ipaddress.ip_address(name))
    except ValueError:
        yield invalid("metadata.name", name, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")
    else:
        if shortest != name:
            yield invalid("metadata.name", name, f'must be in canonical form ("{shortest}")')
    parent = struct(obj, "spec").get("parentRef")
    if not isinstance(parent, dict):
        yield required("spec.parentRef")
        return
    yield from formed(parent.get("group"), subdomain_faults, "spec.parentRef.group")
    for field in ("resource", "name"):
        yield from named(parent.get(field), path_segment_faults, f"spec.parentRef.{field}")
    yield from formed(parent.get("namespace"), path_segment_faults, "spec.parentRef.namespace")


def ip_address_update(new: Object, live: Object) -> Iterator[Cause]:
    """An address that replaces another: its holder stays."""
    yield from ip_address(new)
    yield from unchanged(struct(new, "spec"), struct(live, "spec"), ("parentRef",), "spec")
