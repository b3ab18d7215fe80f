"""Kubernetes' functions on IP addresses and blocks of them (CIDR).

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36. Addresses of version 4 written as version 6 and zones are
refused, as there.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_interface
from typing import Any

from engine.schema.rules.function import CallFailed, Function, kind_in, stand_in, succeeds, text_in
from engine.value.json_writer import render_json

Address = IPv4Address | IPv6Address


def _parsed(text: str, source: str) -> Address:
    what = f"IP Address {render_json(source)} parse error during conversion from string"
    try:
        address = ip_address(text)
    except ValueError:
        raise CallFailed(f"{what}: ParseAddr({render_json(text)}): unable to parse IP") from None
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        raise CallFailed(f"{what}: IPv6 zones are not allowed")
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        raise CallFailed(f"{what}: IPv4-mapped IPv6 address is not allowed")
    return address


def _ip(text: str) -> Any:
    return stand_in("ip", str(_parsed(text, text)))


def _address(value: Any) -> Address:
    text = value if isinstance(value, str) else text_in("ip", value)
    return _parsed(text, text)


def _is_canonical(text: str) -> bool:
    return str(_parsed(text, text)) == text


def _is_link_local_multicast(value: Any) -> bool:
    address = _address(value)
    if isinstance(address, IPv6Address):
        return address.is_multicast and address.packed[1] & 0x0F == 2
    return address.packed[:3] == b"\xe0\x00\x00"


def _is_global_unicast(value: Any) -> bool:
    address = _address(value)
    local = address.is_unspecified or address.is_loopback or address.is_link_local or address.is_multicast
    return not local and address.packed != b"\xff\xff\xff\xff"


def _cidr(text: str) -> Any:
    what = f"network address parse error during conversion from string: network address {render_json(text)}"
    address, slash, length = text.partition("/")
    bits = _parsed(address, text).max_prefixlen
    if not slash or not length.isdigit() or str(int(length)) != length or int(length) > bits:
        raise CallFailed(f"{what}: expected an address, a slash and a number of bits up to {bits}")
    return stand_in("cidr", str(ip_interface(text)))


def _block(value: Any) -> Any:
    text = value if isinstance(value, str) else text_in("cidr", value)
    return ip_interface(text_in("cidr", _cidr(text)))


def _contains_ip(value: Any, other: Any) -> bool:
    block, address = _block(value), _address(other)
    return block.version == address.version and address in block.network


def _contains_block(value: Any, other: Any) -> bool:
    outer, inner = _block(value), _block(other)
    return outer.version == inner.version and bool(inner.network.subnet_of(outer.network))


def _spelled(value: Any) -> str:
    return text_in("cidr", value) if kind_in(value) == "cidr" else text_in("ip", value)


FUNCTIONS = (
    Function("ip", ("string",), "map", _ip, member=False),
    Function("isIP", ("string",), "bool", succeeds(_ip), member=False),
    Function("ip.isCanonical", ("string",), "bool", _is_canonical, member=False),
    Function("family", ("map",), "int", lambda value: _address(value).version),
    Function("isUnspecified", ("map",), "bool", lambda value: _address(value).is_unspecified),
    Function("isLoopback", ("map",), "bool", lambda value: _address(value).is_loopback),
    Function("isLinkLocalMulticast", ("map",), "bool", _is_link_local_multicast),
    Function("isLinkLocalUnicast", ("map",), "bool", lambda value: _address(value).is_link_local),
    Function("isGlobalUnicast", ("map",), "bool", _is_global_unicast),
    Function("cidr", ("string",), "map", _cidr, member=False),
    Function("isCIDR", ("string",), "bool", succeeds(_cidr), member=False),
    *(Function("containsIP", ("map", other), "bool", _contains_ip) for other in ("map", "string")),
    *(Function("containsCIDR", ("map", other), "bool", _contains_block) for other in ("map", "string")),
    Function("ip", ("map",), "map", lambda value: stand_in("ip", str(_block(value).ip))),
    Function("masked", ("map",), "map", lambda value: stand_in("cidr", str(_block(value).network))),
    Function("prefixLength", ("map",), "int", lambda value: _block(value).network.prefixlen),
    Function("string", ("map",), "string", _spelled, member=False),
)
