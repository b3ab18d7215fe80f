"""The comparisons that quantities and versions share by name.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36.
"""

from __future__ import annotations

from typing import Any

from engine.schema.rules.function import Function, kind_in
from engine.schema.rules.quantities import amount_of
from engine.schema.rules.versions import order_of


def _compare(value: Any, other: Any) -> int:
    key = order_of if kind_in(value) == "semver" else amount_of
    left: Any = key(value)
    right: Any = key(other)
    return int(left > right) - int(left < right)


FUNCTIONS = (
    Function("compareTo", ("map", "map"), "int", _compare),
    Function("isGreaterThan", ("map", "map"), "bool", lambda value, other: _compare(value, other) > 0),
    Function("isLessThan", ("map", "map"), "bool", lambda value, other: _compare(value, other) < 0),
)
