"""The types used where no schema is known: everything allowed, structure deduced from the value itself."""

from __future__ import annotations

from functools import cache

from engine.schema.elements import Atom, ElementRelationship, ListType, MapType, Scalar, ScalarType, TypeRef

_ANY_SCALAR = Scalar(ScalarType.UNTYPED)


@cache
def untyped_atomic() -> TypeRef:
    """Return the type of anything, lists and maps owned as a whole."""
    return TypeRef(
        lambda: Atom(
            _ANY_SCALAR,
            ListType(untyped_atomic()),
            MapType(values=untyped_atomic(), relationship=ElementRelationship.ATOMIC),
        ),
        "untyped_atomic",
    )


@cache
def deduced() -> TypeRef:
    """Return the type of anything, lists owned as a whole, maps member by member."""
    return TypeRef(
        lambda: Atom(_ANY_SCALAR, ListType(untyped_atomic()), MapType(values=deduced())),
        "deduced",
    )
