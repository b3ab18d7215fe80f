"""Ownership brought in line with a schema whose lists and maps turned atomic since it was written.

Rules: what was owned inside a list or map that is atomic now becomes ownership of the whole. What became granular
needs nothing: its owner goes on owning the list or map itself. Deduced maps are left alone.

Source: structured-merge-diff's typed.ReconcileFieldSetWithSchema, as in Kubernetes 1.36.
"""

from __future__ import annotations

from engine.fieldpath.element import PathElement
from engine.fieldpath.field_set import FieldSet
from engine.schema.deduced import deduced
from engine.schema.elements import Atom, ListType, MapType, TypeRef


def reconcile(fields: FieldSet, type_ref: TypeRef) -> FieldSet:
    """Return `fields` as they are owned under the type as it is now; the same set if nothing changed."""
    return _children(fields, type_ref.atom)


def _children(fields: FieldSet, atom: Atom) -> FieldSet:
    """Reconcile what is owned inside a value of a granular type."""
    if not fields.children or (atom.map is None and atom.list is not None and not _goes_deeper(fields, atom.list)):
        return fields
    collapsed: set[PathElement] = set()
    children: dict[PathElement, FieldSet] = {}
    for element, child in fields.children.items():
        child_type = _child_type(atom, element)
        if child_type is None or child_type.atom is deduced().atom:
            children[element] = child
        elif _is_atomic(child_type.atom):
            collapsed.add(element)
        else:
            children[element] = _children(child, child_type.atom)
    if not collapsed and all(children[element] is fields.children[element] for element in children):
        return fields
    return FieldSet(fields.members | collapsed, children)


def _goes_deeper(fields: FieldSet, shape: ListType) -> bool:
    """Return True if the items of a list have to be looked at: they are atomic, or something inside them may be."""
    return _is_atomic(shape.items.atom) or any(child.children for child in fields.children.values())


def _is_atomic(atom: Atom) -> bool:
    shape: MapType | ListType | None = atom.map or (atom.list if atom.scalar is None else None)
    return shape is not None and shape.is_atomic


def _child_type(atom: Atom, element: PathElement) -> TypeRef | None:
    if atom.map is not None:
        return atom.map.member(element[2:]) if element[:2] == "f:" else None
    return atom.list.items if atom.list is not None else None
