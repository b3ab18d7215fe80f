"""Kubernetes' named formats: `format.dns1123Label().validate(self)`, `format.named("uuid")`.

Both answer an optional, which a function of ours cannot: these answer a list of at most one item, and source.py has CEL
take its first.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from typing import Any

from engine.schema.rules.function import CallFailed, Function, stand_in, text_in
from engine.schema.rules.urls import FUNCTIONS as _URL_FUNCTIONS
from engine.schema.validation.names import (
    label_1035_faults,
    label_faults,
    label_value_faults,
    qualified_name_faults,
    subdomain_faults,
)

Check = Callable[[str], list[str]]

_UUID = re.compile("[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_url = next(each.call for each in _URL_FUNCTIONS if each.name == "url")


def _prefix(check: Check) -> Check:
    """The check of what other characters will follow: it may end with a dash."""
    return lambda text: check(text[:-1] + "a" if len(text) > 1 and text[-1] == "-" else text)


def _uri(text: str) -> list[str]:
    try:
        _url(text)
    except CallFailed as error:
        return [str(error).partition("string: ")[2]]
    return []


def _uuid(text: str) -> list[str]:
    return [] if _UUID.fullmatch(text) else ["does not match the UUID format"]


def _byte(text: str) -> list[str]:
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return ["invalid base64"]
    return []


def _readable(pattern: re.Pattern[str], read: Callable[[str], object], fault: str) -> Check:
    def check(text: str) -> list[str]:
        try:
            if pattern.fullmatch(text):
                read(text.upper().replace("Z", "+00:00"))
                return []
        except ValueError:
            pass
        return [fault]

    return check


_CHECKS: Mapping[str, Check] = {
    "dns1123Label": label_faults,
    "dns1123Subdomain": subdomain_faults,
    "dns1035Label": label_1035_faults,
    "qualifiedName": qualified_name_faults,
    "dns1123LabelPrefix": _prefix(label_faults),
    "dns1123SubdomainPrefix": _prefix(subdomain_faults),
    "dns1035LabelPrefix": _prefix(label_1035_faults),
    "labelValue": label_value_faults,
    "uri": _uri,
    "uuid": _uuid,
    "byte": _byte,
    "date": _readable(_DATE, date.fromisoformat, "invalid date"),
    "datetime": _readable(_DATETIME, datetime.fromisoformat, "invalid datetime"),
}


def _named(name: str) -> list[Any]:
    return [stand_in("format", name)] if name in _CHECKS else []


def _validate(value: Any, text: str) -> list[list[str]]:
    faults = _CHECKS[text_in("format", value)](text)
    return [faults] if faults else []


def _format(name: str) -> Callable[[], Any]:
    return lambda: stand_in("format", name)


FUNCTIONS = (
    *(Function(f"format.{name}", (), "map", _format(name), member=False) for name in _CHECKS),
    Function("format.named", ("string",), "list", _named, member=False),
    Function("validate", ("map", "string"), "list", _validate),
)
