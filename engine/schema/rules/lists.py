"""Kubernetes' functions on lists: isSorted, sum, min, max, indexOf, lastIndexOf.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from engine.schema.rules.function import NO_OVERLOAD, CallFailed, Function
from engine.value.equality import equal


def _ordered(items: list[Any]) -> list[Any]:
    """The items, if all can be compared with each other."""
    kinds = {float if isinstance(each, (int, float)) and not isinstance(each, bool) else type(each) for each in items}
    if len(kinds) > 1 or kinds & {dict, list, type(None)}:
        raise CallFailed(NO_OVERLOAD)
    return items


def _is_sorted(items: list[Any]) -> bool:
    return all(not following < each for each, following in pairwise(_ordered(items)))


def _sum(items: list[Any]) -> int | float:
    if any(isinstance(each, bool) or not isinstance(each, (int, float)) for each in items):
        raise CallFailed(NO_OVERLOAD)
    total: int | float = sum(items)
    if isinstance(total, int) and not -(1 << 63) <= total < 1 << 63:
        raise CallFailed("integer overflow")
    return total


def _extreme(name: str, choose: Callable[[list[Any]], Any]) -> Callable[[list[Any]], Any]:
    def call(items: list[Any]) -> Any:
        if not items:
            raise CallFailed(f"{name} called on empty list")
        return choose(_ordered(items))

    return call


def _index_of(items: list[Any], wanted: Any) -> int:
    return next((index for index, each in enumerate(items) if equal(each, wanted)), -1)


def _last_index_of(items: list[Any], wanted: Any) -> int:
    return max((index for index, each in enumerate(items) if equal(each, wanted)), default=-1)


FUNCTIONS = (
    Function("isSorted", ("list",), "bool", _is_sorted),
    Function("sum", ("list",), "dyn", _sum),
    Function("min", ("list",), "dyn", _extreme("min", min)),
    Function("max", ("list",), "dyn", _extreme("max", max)),
    *(
        Function(name, ("list", kind), "int", call)
        for name, call in (("indexOf", _index_of), ("lastIndexOf", _last_index_of))
        for kind in ("int", "double", "string", "bool", "list", "map")
    ),
)
