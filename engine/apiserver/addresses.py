"""The addresses and ports that a service is given.

A real server keeps a table of what is taken. Here an address is made of the service's uid: the same for the same
service, another for another, in the ranges of a server's defaults.

Source: pkg/registry/core/service of Kubernetes 1.36.
"""

from __future__ import annotations

import hashlib
from typing import Any

from engine.value.model import Object

_NONE = "None"
_EXTERNAL_NAME = "ExternalName"
_NODE_PORTS = range(30000, 32768)
_WITH_NODE_PORTS = ("NodePort", "LoadBalancer")


def with_addresses(spec: Object, uid: str) -> Object:
    """Return a service's spec with its cluster address, its address families and, where it has them, node ports."""
    if spec.get("type") == _EXTERNAL_NAME:
        return spec
    out = dict(spec)
    families = list(out.get("ipFamilies") or [])
    if not families:
        families = ["IPv6" if ":" in str(out.get("clusterIP", "")) else "IPv4"]
    out["ipFamilies"] = families
    if not out.get("ipFamilyPolicy"):
        headless = out.get("clusterIP") == _NONE and not out.get("selector")
        out["ipFamilyPolicy"] = "RequireDualStack" if headless else "SingleStack"
        if headless and len(families) == 1:
            out["ipFamilies"] = [*families, "IPv4" if families[0] == "IPv6" else "IPv6"]
    addresses = list(out.get("clusterIPs") or [])
    address = out.get("clusterIP") or (addresses[0] if addresses else "") or _address(uid, families[0])
    out["clusterIP"] = address
    out["clusterIPs"] = addresses or [address]
    if out.get("type") in _WITH_NODE_PORTS and out.get("allocateLoadBalancerNodePorts", True):
        out["ports"] = _with_node_ports(out.get("ports") or [], uid)
    return out


def with_kept_addresses(new: Object, live: Object) -> Object:
    """Return a service's new spec with the addresses and node ports that the live one has, where it names none."""
    out = dict(new)
    if new.get("type") == _EXTERNAL_NAME or live.get("type") == _EXTERNAL_NAME:
        return out
    for name in ("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if not out.get(name) and live.get(name):
            out[name] = live[name]
    if out.get("type") in _WITH_NODE_PORTS and live.get("type") in _WITH_NODE_PORTS:
        taken = {(p.get("port"), p.get("protocol")): p.get("nodePort") for p in live.get("ports") or []}
        out["ports"] = [_with_kept_port(port, taken) for port in out.get("ports") or []]
    return out


def _with_kept_port(port: Object, taken: dict[Any, Any]) -> Object:
    kept = taken.get((port.get("port"), port.get("protocol")))
    return {**port, "nodePort": kept} if kept and not port.get("nodePort") else port


def _number(uid: str, salt: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{uid}/{salt}".encode()).digest()[:4], "big")


def _address(uid: str, family: str) -> str:
    number = _number(uid, family)
    if family == "IPv6":
        return f"fd00:10:96::{number & 0xFFFF:x}"
    return f"10.{96 + (number >> 16) % 16}.{(number >> 8) & 0xFF}.{1 + (number & 0xFF) % 254}"


def _with_node_ports(ports: list[Any], uid: str) -> list[Any]:
    out, taken = [], {port.get("nodePort") for port in ports}
    for port in ports:
        if not port.get("nodePort"):
            start = _number(uid, f"{port.get('protocol')}/{port.get('port')}") % len(_NODE_PORTS)
            free = (_NODE_PORTS[(start + n) % len(_NODE_PORTS)] for n in range(len(_NODE_PORTS)))
            chosen = next(p for p in free if p not in taken)
            taken.add(chosen)
            port = {**port, "nodePort": chosen}
        out.append(port)
    return out
