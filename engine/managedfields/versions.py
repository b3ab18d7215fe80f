"""The API versions of one kind, as the rules of ownership see them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.fieldpath.writable import EVERYTHING, Writable
from engine.meta.gvk import GroupVersionKind, gvk_of, parse_api_version
from engine.schema.catalog import Catalog
from engine.schema.conversion import convert
from engine.schema.deduced import deduced
from engine.schema.elements import TypeRef
from engine.typed.typed_value import TypedValue
from engine.value.model import Object


@dataclass(frozen=True, slots=True)
class KindVersions:
    """One kind, written in the version of `gvk`; its other versions are those that the catalog serves.

    writable are the fields that a write to this resource or subresource can change.
    """

    catalog: Catalog
    gvk: GroupVersionKind
    writable: Writable = EVERYTHING

    @property
    def api_version(self) -> str:
        """The API version of the request."""
        return self.gvk.api_version

    def typed(self, obj: Object) -> TypedValue:
        """Return an object of the request's version with its type."""
        return TypedValue(obj, self._type(self.api_version) or deduced())

    def convert(self, typed: TypedValue, api_version: str) -> TypedValue | None:
        """Return the object in another API version, or None if that is not served."""
        wanted = self._type(api_version)
        if wanted is None:
            return typed if api_version == self.api_version else None
        if wanted is typed.type or not isinstance(typed.value, dict):
            return TypedValue(typed.value, wanted)
        group, version = parse_api_version(api_version)
        target = GroupVersionKind(group, version, self.gvk.kind)
        have = gvk_of(typed.value)
        return TypedValue(convert(typed.value, have, target) if have.version else typed.value, wanted)

    def _type(self, api_version: str) -> TypeRef | None:
        group, version = parse_api_version(api_version)
        return self.catalog.type_of(GroupVersionKind(group, version, self.gvk.kind))
