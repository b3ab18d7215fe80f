"""What a strategic merge patch needs to know of a type: the type and the metadata of its members."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.schema.elements import TypeRef
from engine.schema.patch_meta import NO_PATCH_META, PatchMeta
from engine.strategicpatch.failures import NotAStruct, UnknownField

REPLACE, MERGE, RETAIN_KEYS = "replace", "merge", "retainKeys"


@dataclass(frozen=True, slots=True)
class Member:
    """A member as a patch treats it. type: of the member itself or, of a list, of its items; None if not known."""

    type: TypeRef | None = None
    meta: PatchMeta = field(default=NO_PATCH_META)

    @property
    def strategy(self) -> str:
        """The strategy of the member but for retainKeys: merge, replace or empty."""
        return next((strategy for strategy in self.meta.strategies if strategy != RETAIN_KEYS), "")


def map_member(type_ref: TypeRef | None, name: str) -> Member:
    """Return the member `name`, of a map type, of a struct.

    Raises:
        UnknownField: the struct has no such member.
        NotAStruct: the type has no declared members; only structs tell how to merge.
    """
    if type_ref is None:
        return Member()
    struct = type_ref.atom.map
    if struct is None or not struct.fields:
        raise NotAStruct("map" if struct is not None and struct.values is not None else "interface")
    declared = struct.fields.get(name)
    if declared is None:
        raise UnknownField(_short(type_ref.name), name)
    return Member(declared.type, declared.patch)


def list_member(type_ref: TypeRef | None, name: str) -> Member:
    """Return the member `name`, of a list type, of a struct, with the type of its items.

    Raises: as `map_member`.
    """
    member = map_member(type_ref, name)
    if member.type is None:
        return member
    items = member.type.atom.list
    return Member(items.items if items else None, member.meta)


def type_name(type_ref: TypeRef | None) -> str:
    """Return the Go name of a type, as messages spell it."""
    return _short(type_ref.name) if type_ref else ""


def _short(name: str) -> str:
    return name.rpartition(".")[2]
