"""Kubernetes' functions on quantities.

Source: k8s.io/apiserver's CEL library, Kubernetes 1.36.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from engine.schema.quantity import MalformedQuantity, parse_quantity
from engine.schema.rules.function import CallFailed, Function, stand_in, succeeds, text_in

_INT64 = 1 << 63


def _stand_in(amount: Decimal) -> Any:
    return stand_in("quantity", format(amount.normalize(), "f"))


def _quantity(text: str) -> Any:
    try:
        return _stand_in(parse_quantity(text).amount)
    except MalformedQuantity as error:
        raise CallFailed(str(error)) from None


def amount_of(value: Any) -> Decimal:
    """Return the amount of a quantity.

    Raises:
        CallFailed: the value is none.
    """
    return Decimal(text_in("quantity", value))


def _is_integer(value: Any) -> bool:
    amount = amount_of(value)
    return amount % 1 == 0 and -_INT64 <= amount < _INT64


def _as_integer(value: Any) -> int:
    if not _is_integer(value):
        raise CallFailed("cannot convert value to integer")
    return int(amount_of(value))


def _sign(value: Any) -> int:
    amount = amount_of(value)
    return (amount > 0) - (amount < 0)


def _operand(value: Any) -> Decimal:
    return Decimal(value) if isinstance(value, int) else amount_of(value)


def _add(value: Any, other: Any) -> Any:
    return _stand_in(amount_of(value) + _operand(other))


def _sub(value: Any, other: Any) -> Any:
    return _stand_in(amount_of(value) - _operand(other))


FUNCTIONS = (
    Function("quantity", ("string",), "map", _quantity, member=False),
    Function("isQuantity", ("string",), "bool", succeeds(_quantity), member=False),
    Function("isInteger", ("map",), "bool", _is_integer),
    Function("asInteger", ("map",), "int", _as_integer),
    Function("asApproximateFloat", ("map",), "double", lambda value: float(amount_of(value))),
    Function("sign", ("map",), "int", _sign),
    *(Function("add", ("map", other), "map", _add) for other in ("map", "int")),
    *(Function("sub", ("map", other), "map", _sub) for other in ("map", "int")),
)
