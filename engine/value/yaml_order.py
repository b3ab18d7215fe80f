"""The order in which kubectl prints the keys of a map: goyaml's, where 9 stands before 10.

Source: gopkg.in/yaml.v2 sorter.go. The order is not transitive for a few odd sets of keys; those may come out
otherwise than in Go, whose outcome depends on its sorting algorithm there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key, lru_cache


def sorted_keys(keys: Iterable[str]) -> list[str]:
    """Return `keys` in goyaml's order: letters after other characters, runs of digits by their number."""
    names = tuple(keys)
    return list(_known(names) if len(names) <= _FEW else _sorted(names))


_FEW = 50


@lru_cache(maxsize=4096)
def _known(names: tuple[str, ...]) -> list[str]:
    """Sort names that are likely to come again, as those of a container or a port do."""
    return _sorted(names)


def _sorted(names: tuple[str, ...]) -> list[str]:
    # Names of letters only sort as strings do.
    if all(name.isalpha() for name in names):
        return sorted(names)
    return sorted(names, key=_order_key)


def _compare(a: str, b: str) -> int:
    if a == b:
        return 0
    return -1 if _stands_before(a, b) else 1


_order_key = cmp_to_key(_compare)


def _stands_before(a: str, b: str) -> bool:
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
    if at is None:
        return len(a) < len(b)
    if a[at].isalpha() or b[at].isalpha():
        return a[at] < b[at] if a[at].isalpha() and b[at].isalpha() else b[at].isalpha()
    lead = 1 if "0" in (a[at], b[at]) and _follows_other_than_zero(a, at) else 0
    (left, left_end), (right, right_end) = _digits(a, at, lead), _digits(b, at, lead)
    if left != right:
        return left < right
    return left_end < right_end if left_end != right_end else a[at] < b[at]


def _follows_other_than_zero(text: str, at: int) -> bool:
    """True if the digits right before `at` are more than zeros: then a zero at `at` is no leading one."""
    digits = text[:at][len(text[:at].rstrip("0123456789")) :]
    return bool(digits.strip("0"))


def _digits(text: str, at: int, lead: int) -> tuple[int, int]:
    """Return the number that the digits from `at` on make, `lead` put before them, and where they end."""
    end, number = at, lead
    while end < len(text) and text[end].isdecimal():
        number = number * 10 + ord(text[end]) - ord("0")
        end += 1
    return number, end
