"""Which fields a write to an object, or to a subresource of it, can change."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.fieldpath.element import Path
from engine.fieldpath.field_set import EMPTY, FieldSet

ANY = "*"
"""In a pattern: any element."""


@dataclass(frozen=True, slots=True)
class Writable:
    """All fields but those of `without`; where `within` has patterns, only those that are at or below one of them."""

    without: FieldSet = field(default_factory=FieldSet)
    within: tuple[Path, ...] = ()

    def of(self, fields: FieldSet) -> FieldSet:
        """Return those of the fields that can be written."""
        kept = fields.recursive_difference(self.without)
        return _below(kept, self.within) if self.within else kept


EVERYTHING = Writable()
"""No field is out of reach."""


def _below(fields: FieldSet, patterns: tuple[Path, ...]) -> FieldSet:
    if () in patterns:
        return fields
    ends = {pattern[0] for pattern in patterns if len(pattern) == 1}
    children = {}
    for element, child in fields.children.items():
        rests = tuple(pattern[1:] for pattern in patterns if pattern[0] in (element, ANY))
        kept = _below(child, rests) if rests else EMPTY
        if kept:
            children[element] = kept
    return FieldSet((each for each in fields.members if each in ends or ANY in ends), children)
