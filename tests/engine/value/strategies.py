"""Hypothesis strategies for JSON values and for texts that are hard on YAML."""

from __future__ import annotations

from hypothesis import strategies as st

_HARD = [
    *"ab10yn\n \t:#-.|>?'\"\\{}[],&*!%@`~=<_é",
    *["\x00", "\x07", "😀", "\ufeff", "\xa0", "true", "0x", "1e3", "<<", "---", "...", "null", ".inf", "k" * 130],
]

names = st.text("ab/~-01", max_size=3) | st.sampled_from(["name", "$patch", "a.b", ""])
texts = st.lists(st.sampled_from(_HARD), max_size=6).map("".join)
numbers = st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(allow_nan=False, allow_infinity=False)
small_scalars = st.sampled_from([None, True, False, 0, 1, 1.0, 1.5, "", "a", "1"])
scalars = small_scalars | numbers | texts


def values_of(leaves: st.SearchStrategy[object], keys: st.SearchStrategy[str] = names) -> st.SearchStrategy[object]:
    """Return JSON values with the given leaves and keys."""
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=5), max_leaves=20
    )


values = values_of(scalars, names | texts)
small_values = values_of(small_scalars)
"""Values with few distinct leaves, so that two of them have much in common."""
