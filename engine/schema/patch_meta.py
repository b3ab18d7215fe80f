"""How a strategic merge patch treats a field: its strategies and its merge key."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PatchMeta:
    """`x-kubernetes-patch-strategy` (split at commas) and `x-kubernetes-patch-merge-key` of one struct field."""

    strategies: tuple[str, ...] = ()
    merge_key: str = ""

    @property
    def merges(self) -> bool:
        """True if a list in this field merges with the live one instead of replacing it."""
        return "merge" in self.strategies

    @property
    def retains_keys(self) -> bool:
        """True if the field's map keeps only the keys that `$retainKeys` lists."""
        return "retainKeys" in self.strategies


NO_PATCH_META = PatchMeta()
