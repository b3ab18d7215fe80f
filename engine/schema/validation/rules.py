"""Rules that many types share: numbers, names, references, enumerations, selectors.

Each function yields causes; `path` is where the value is.

Source: apimachinery's and pkg/apis/core's validation, Kubernetes 1.36.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required
from engine.schema.validation.names import (
    label_value_faults,
    port_name_faults,
    port_number_faults,
    qualified_name_faults,
)
from engine.value.equality import equal
from engine.value.model import Object, Value

Faults = Callable[[str], list[str]]
_PERCENT = re.compile(r"[0-9]{1,9}%", re.ASCII)
IMMUTABLE = "field is immutable"
MISMATCH = "`selector` does not match template `labels`"


def items(holder: Object, name: str) -> list[Any]:
    """Return a list member, empty if it is none."""
    found = holder.get(name)
    return found if isinstance(found, list) else []


def struct(holder: Object, name: str) -> Object:
    """Return a map member, empty if it is none."""
    found = holder.get(name)
    return found if isinstance(found, dict) else {}


def non_negative(holder: Object, names: Iterable[str], path: str) -> Iterator[Cause]:
    """Numbers that may not be below zero."""
    for name in names:
        value = holder.get(name)
        if isinstance(value, int) and value < 0:
            yield invalid(f"{path}.{name}", value, "must be greater than or equal to 0")


def one_of(holder: Object, name: str, allowed: Iterable[str], path: str, *, needed: bool = False) -> Iterator[Cause]:
    """A text that must be one of a few; absent is fine unless it is needed."""
    value = holder.get(name)
    if value in (None, ""):
        if needed:
            yield required(f"{path}.{name}")
    elif value not in allowed:
        yield not_supported(f"{path}.{name}", value, allowed)


def needs(holder: Object, names: Iterable[str], path: str, detail: str = "") -> Iterator[Cause]:
    """Members that must be there and not be empty."""
    for name in names:
        if holder.get(name) in (None, "", [], {}):
            yield required(f"{path}.{name}", detail)


def named(value: Value, faults: Faults, path: str) -> Iterator[Cause]:
    """A name that must be there and of a form."""
    if value in (None, ""):
        yield required(path)
    else:
        for fault in faults(str(value)):
            yield invalid(path, value, fault)


def formed(value: Value, faults: Faults, path: str) -> Iterator[Cause]:
    """A name of a form, if it is there."""
    if isinstance(value, str) and value:
        for fault in faults(value):
            yield invalid(path, value, fault)


def labels(values: Mapping[str, Any], path: str) -> Iterator[Cause]:
    """Label keys and values."""
    for key, value in values.items():
        for fault in qualified_name_faults(key):
            yield invalid(path, key, fault)
        for fault in label_value_faults(str(value)):
            yield invalid(path, value, fault)


def port(value: Value, path: str) -> Iterator[Cause]:
    """A port by number or by name."""
    if isinstance(value, str):
        for fault in port_name_faults(value):
            yield invalid(path, value, fault)
    elif isinstance(value, int):
        for fault in port_number_faults(value):
            yield invalid(path, value, fault)


def portion(value: Value, path: str) -> Iterator[Cause]:
    """A number of pods, or a percentage of them."""
    if isinstance(value, str):
        if not _PERCENT.fullmatch(value):
            yield invalid(
                path,
                value,
                "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',"
                "  or '93%', regex used for validation is '[0-9]+%')",
            )
    elif isinstance(value, int) and value < 0:
        yield invalid(path, value, "must be greater than or equal to 0")


def is_none(value: Value) -> bool:
    """Return True for a portion that is zero, written in any way."""
    return value in (0, "0%", None)


def label_selector(selector: Object, path: str) -> Iterator[Cause]:
    """A selector by labels and expressions."""
    yield from labels(struct(selector, "matchLabels"), f"{path}.matchLabels")
    for index, expression in enumerate(items(selector, "matchExpressions")):
        yield from _requirement(expression, f"{path}.matchExpressions[{index}]")


def _requirement(expression: Object, path: str) -> Iterator[Cause]:
    operator, values = expression.get("operator"), items(expression, "values")
    if operator in ("In", "NotIn"):
        if not values:
            yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            yield forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
    else:
        yield invalid(f"{path}.operator", operator or "", "not a valid selector operator")
    for fault in qualified_name_faults(str(expression.get("key", ""))):
        yield invalid(f"{path}.key", expression.get("key", ""), fault)
    for index, value in enumerate(values):
        for fault in label_value_faults(str(value)):
            yield invalid(f"{path}.values[{index}]", value, fault)


def selects(selector: Value, chosen: Mapping[str, Any]) -> bool:
    """Return True if a selector, of labels and expressions or of labels alone, chooses something with these labels.

    Without a selector nothing is chosen, by an empty one everything.
    """
    if not isinstance(selector, dict):
        return False
    plain = selector if not {"matchLabels", "matchExpressions"} & selector.keys() else struct(selector, "matchLabels")
    if any(chosen.get(key) != value for key, value in plain.items()):
        return False
    return all(_chooses(each, chosen) for each in items(selector, "matchExpressions"))


def _chooses(expression: Object, chosen: Mapping[str, Any]) -> bool:
    key, operator, values = expression.get("key", ""), expression.get("operator"), items(expression, "values")
    if operator == "In":
        return key in chosen and chosen[key] in values
    if operator == "NotIn":
        return key not in chosen or chosen[key] not in values
    return (key in chosen) == (operator == "Exists")


def unchanged(new: Object, live: Object, names: Iterable[str], path: str, detail: str = IMMUTABLE) -> Iterator[Cause]:
    """Members that may not change."""
    for name in names:
        if not equal(new.get(name), live.get(name)):
            yield invalid(f"{path}.{name}" if path else name, new.get(name), detail)
