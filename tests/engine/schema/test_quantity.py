"""Resource quantities."""

from __future__ import annotations

import pytest

from engine.schema.quantity import MalformedQuantity, canonical_quantity

LARGEST = str(2**63 - 1)


@pytest.mark.parametrize(
    ("phrase", "given", "expected"),
    [
        ("a half in thousandths", "0.5", "500m"),
        ("the largest binary suffix", "1024Mi", "1Gi"),
        ("finer than a billionth is rounded up", "1e-999", "1e-9"),
        ("more than there may be is the most", "1e999", LARGEST),
        ("less than there may be is the least", "-1e999", f"-{LARGEST}"),
        ("hundreds of digits", "9" * 400, LARGEST),
        ("hundreds of digits and a suffix", "9" * 400 + "Ei", LARGEST),
        ("a large float", 1e300, LARGEST),
    ],
)
def test_the_normal_form(phrase: str, given: str | float, expected: str) -> None:
    assert canonical_quantity(given) == expected


@pytest.mark.parametrize("given", ["", "x", "1e9999", "1.2.3", True, None, [], "9" * 401, "1 Gi"])
def test_what_is_no_quantity(given: object) -> None:
    with pytest.raises(MalformedQuantity):
        canonical_quantity(given)  # type: ignore[arg-type]
