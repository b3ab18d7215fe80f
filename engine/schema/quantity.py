"""Resource quantities: `500m`, `1Gi`, `2`.

Source: apimachinery's resource.Quantity, Kubernetes 1.36.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal

from engine.errors import EngineError
from engine.value.model import Value

_PATTERN = re.compile(r"([+-]?)([0-9]{0,400})(?:\.([0-9]{0,400}))?([a-zA-Z]{0,2}|[eE][+-]?[0-9]{1,3})", re.ASCII)
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_EXACT = Context(prec=1000)
_LARGEST = Decimal(2**63 - 1)

FORMAT_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"


@dataclass(eq=False)
class MalformedQuantity(EngineError):
    """A text or number that is no quantity."""

    found: Value

    def __str__(self) -> str:
        return FORMAT_ERROR


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount, and how it was written: with a binary suffix, a decimal one, or an exponent."""

    amount: Decimal
    style: str


def parse_quantity(text: str) -> Quantity:
    """Return the quantity that `text` spells. Amounts finer than a billionth are rounded up.

    Raises:
        MalformedQuantity: it spells none.
    """
    match = _PATTERN.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise MalformedQuantity(text)
    sign, whole, fraction, suffix = match[1], match[2] or "0", match[3] or "", match[4]
    number = Decimal(f"{sign}{whole}.{fraction or '0'}")
    if suffix in _BINARY:
        return Quantity(_bounded(_EXACT.multiply(number, Decimal(2 ** _BINARY[suffix]))), "binary")
    if suffix in _DECIMAL:
        return Quantity(_bounded(number.scaleb(_DECIMAL[suffix], _EXACT)), "decimal")
    if suffix[:1] in ("e", "E") and suffix[1:]:
        return Quantity(_bounded(number.scaleb(int(suffix[1:]), _EXACT)), "exponent")
    raise MalformedQuantity(text)


def _bounded(amount: Decimal) -> Decimal:
    amount = max(min(amount, _LARGEST), -_LARGEST)
    return amount.quantize(Decimal("1e-9"), rounding=ROUND_CEILING, context=_EXACT)


def canonical_quantity(value: Value) -> str:
    """Return a quantity in its normal form: `0.5` is `500m`, `1024Mi` is `1Gi`, `1000` stays.

    Raises:
        MalformedQuantity: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise MalformedQuantity(value)
    quantity = parse_quantity(value if isinstance(value, str) else _plain(value))
    if quantity.style == "binary" and abs(quantity.amount) >= 1024 and quantity.amount % 1 == 0:
        return _binary(int(quantity.amount))
    return _decimal(quantity.amount, quantity.style)


def _plain(value: int | float) -> str:
    return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)


def _binary(amount: int) -> str:
    suffix = ""
    for name in _BINARY:
        if amount % 1024 or not amount:
            break
        amount, suffix = amount // 1024, name
    return f"{amount}{suffix}"


def _decimal(amount: Decimal, style: str) -> str:
    if not amount:
        return "0"
    exponent = -9
    digits = int(amount.scaleb(9, _EXACT))
    while digits % 1000 == 0 and exponent < 18:
        digits, exponent = digits // 1000, exponent + 3
    if style == "exponent":
        return f"{digits}e{exponent}" if exponent else str(digits)
    return f"{digits}{_SUFFIX[exponent]}"
