"""Numbers as Kubernetes holds and prints them: 64-bit integers, and Go's ways to write a float."""

from __future__ import annotations

import math

INT64_MIN, INT64_MAX = -(1 << 63), (1 << 63) - 1
UINT64_MAX = (1 << 64) - 1

# An integer of more digits than this is beyond 64 bits in every base but 2; Python would take quadratic time to read
# it, and refuses to above 4300 digits.
_MOST_DIGITS = 22


def parse_decimal(digits: str) -> int | float:
    """Return the number that `digits`, a JSON integer, stands for: beyond 64 bits it is a float, maybe infinite.

    Source: sigs.k8s.io/json of Kubernetes 1.36.
    """
    if len(digits) <= _MOST_DIGITS:
        number = int(digits)
        if INT64_MIN <= number <= INT64_MAX:
            return number
    return float(digits)


def shortest_decimal(number: float) -> tuple[bool, str, int]:
    """Return sign, digits and decimal exponent of the shortest decimal that reads back as `number`.

    The number is 0.DIGITS times ten to the exponent; digits has no zeros at either end, except for zero itself.
    """
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or "0") - (len(whole + fraction) - len(digits))
    return math.copysign(1, number) < 0, digits.rstrip("0") or "0", point if digits else 1


def json_number(number: float) -> str:
    """Return a float as Go's encoding/json writes it: `1`, `0.000001`, `1e-7`, `1e+21`."""
    negative, digits, point = shortest_decimal(number)
    size = abs(number)
    if size != 0 and (size < 1e-6 or size >= 1e21):
        text = _scientific(digits, point, least_exponent_digits=1)
    else:
        text = _positional(digits, point)
    return "-" + text if negative else text


def general_number(number: float) -> str:
    """Return a float as Go's `%g` of shortest precision writes it: `1.5`, `1e+06`, `4.885e+08`, `1e-05`."""
    negative, digits, point = shortest_decimal(number)
    # Go's %g turns to an exponent below 10^-4 and from 10^6 on when it is free to choose the precision.
    if number != 0 and not -4 <= point - 1 < 6:
        text = _scientific(digits, point, least_exponent_digits=2)
    else:
        text = _positional(digits, point)
    return "-" + text if negative else text


def yaml_number(number: float) -> str:
    """Return a float as `kubectl -o yaml` prints it: whole numbers of 64 bits as integers, others as `%g` does.

    kubectl makes JSON first and reads that as YAML, so a float that JSON writes as an integer has become one.
    """
    whole = whole_number(number)
    if whole is not None and INT64_MIN <= whole <= UINT64_MAX:
        return str(whole)
    return general_number(number)


def whole_number(number: float) -> int | None:
    """Return the integer that Go's JSON writes for a float (its shortest digits, padded with zeros), or None.

    None stands for a fraction, and for what JSON writes with an exponent (from 1e21 on).
    """
    if not math.isfinite(number) or abs(number) >= 1e21 or number != int(number):
        return None
    return int(json_number(number))


def through_json(number: float) -> int | float:
    """Return what is left of a float that Go writes as JSON and Kubernetes reads again: 1.0 becomes the integer 1."""
    whole = whole_number(number)
    return number if whole is None or not INT64_MIN <= whole <= INT64_MAX else whole


def _positional(digits: str, point: int) -> str:
    if point <= 0:
        return "0" if digits == "0" else "0." + "0" * -point + digits
    whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
    return f"{whole}.{fraction}" if fraction else whole


def _scientific(digits: str, point: int, least_exponent_digits: int) -> str:
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    exponent = point - 1
    return f"{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):0{least_exponent_digits}d}"
