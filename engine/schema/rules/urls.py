"""Kubernetes' functions on URLs.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36: a URL is absolute, or a path from the root.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, urlsplit

from engine.schema.rules.function import CallFailed, Function, stand_in, succeeds, text_in
from engine.value.json_writer import render_json

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}")
_UNESCAPED_IN_PATH = "/%:@!$&'()*+,;=~-._[]"


def _fault(text: str) -> str:
    """What is wrong with a URL, empty if nothing is."""
    if not text:
        return "empty url"
    if _CONTROL.search(text):
        return "invalid control character in URL"
    if not _SCHEME.match(text) and text[0] != "/":
        return "invalid URI for request"
    bad = _BAD_ESCAPE.search(text)
    if bad:
        return f"invalid URL escape {render_json(bad[0])}"
    try:
        parts = urlsplit(text)
        port = parts.netloc.rpartition("]")[2].rpartition("@")[2].partition(":")[2]
    except ValueError:
        return "missing ']' in host"
    return f"invalid port {render_json(':' + port)} after host" if port and not port.isdigit() else ""


def _url(text: str) -> Any:
    fault = _fault(text)
    if fault:
        spelled = render_json(text)
        raise CallFailed(f"URL parse error during conversion from string: parse {spelled}: {fault}")
    return stand_in("url", text)


def _parts(value: Any) -> SplitResult:
    return urlsplit(text_in("url", value))


def _host(value: Any) -> str:
    return _parts(value).netloc.rpartition("@")[2]


def _hostname(value: Any) -> str:
    host = _host(value)
    return host[1:].partition("]")[0] if host[:1] == "[" else host.partition(":")[0]


def _port(value: Any) -> str:
    return _host(value).rpartition("]")[2].partition(":")[2]


def _escaped_path(value: Any) -> str:
    return quote(_parts(value).path, safe=_UNESCAPED_IN_PATH)


def _query(value: Any) -> dict[str, list[str]]:
    return parse_qs(_parts(value).query, keep_blank_values=True)


FUNCTIONS = (
    Function("url", ("string",), "map", _url, member=False),
    Function("isURL", ("string",), "bool", succeeds(_url), member=False),
    Function("getScheme", ("map",), "string", lambda value: _parts(value).scheme),
    Function("getHost", ("map",), "string", _host),
    Function("getHostname", ("map",), "string", _hostname),
    Function("getPort", ("map",), "string", _port),
    Function("getEscapedPath", ("map",), "string", _escaped_path),
    Function("getQuery", ("map",), "map", _query),
)
