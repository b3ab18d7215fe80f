"""A CustomResourceDefinition's own text, with a list or map of its schema owned in another way.

Source: Kubernetes documentation, Server-Side Apply: Merge strategy; apiextensions' rules for list types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.said import said
from engine.schema.describe import ITEM, MEMBER, steps_of_path
from engine.schema.elements import Atom, ListType, TypeRef
from engine.value.codec import parse_yaml
from engine.value.edit import Steps, with_member, without
from engine.value.model import MISSING, Object, Value

_LIST_TYPE, _LIST_KEYS, _MAP_TYPE = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
_BORDER = re.compile(r"^---(?=\s|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Relation:
    """How the elements of a list or map shall relate: atomic, set, map (a list, by `keys`) or granular (a map)."""

    name: str
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} {','.join(self.keys)}".strip()


@dataclass(eq=False)
class NotDefined(EngineError):
    """No definition in the text has the field."""

    path: str

    def __str__(self) -> str:
        return said(
            "no CustomResourceDefinition here has the field %(path)s; expected one of this kind and version",
            path=self.path,
        )


def relations_of(atom: Atom) -> tuple[Relation, ...]:
    """Return the relations that a list or map may have, the present one among them; none for other types.

    A set needs items that are scalars or owned whole. A key of a map list must be a scalar that every item has:
    required, or with a default.
    """
    if sum(part is not None for part in (atom.scalar, atom.list, atom.map)) != 1:
        return ()
    if atom.map is not None:
        return (Relation("granular"), Relation("atomic"))
    return tuple(_list_relations(atom.list)) if atom.list is not None else ()


def _list_relations(shape: ListType) -> Iterator[Relation]:
    yield Relation("atomic")
    items = shape.items.atom
    if items.scalar is not None and items.map is None:
        yield Relation("set")
    present = shape.keys
    if present:
        yield Relation("map", present)
    for key in _possible_keys(shape.items):
        if (key,) != present:
            yield Relation("map", (key,))


def _possible_keys(items: TypeRef) -> list[str]:
    struct = items.atom.map
    return [
        name
        for name, field in (struct.fields.items() if struct is not None else ())
        if field.type.atom.scalar is not None and (field.required or field.default is not MISSING)
    ]


def redefined(text: str, gvk: GroupVersionKind, path: str, relation: Relation) -> str:
    """Return the text of one or more definitions with another relation at `path` of the schema of a kind.

    Raises:
        NotDefined: no definition in the text has it.
        NotInText: the text does not spell the schema there, but behind an alias.
        UnreadableDocument: a document of the text cannot be read.
    """
    borders = [0, *(match.start() for match in _BORDER.finditer(text)), len(text)]
    for start, end in zip(borders, borders[1:], strict=False):
        steps = _schema_steps(_value(text[start:end]), gvk, path)
        if steps is not None:
            return text[:start] + _related(text[start:end], steps, relation) + text[end:]
    raise NotDefined(path)


def _value(text: str) -> Value:
    return parse_yaml(text) if text.removeprefix("---").strip() else None


def _schema_steps(crd: Value, gvk: GroupVersionKind, path: str) -> Steps | None:
    """Where a definition has the schema at `path`; None if it is not of this kind, or has no such field."""
    spec = crd.get("spec") if isinstance(crd, dict) else None
    names = spec.get("names") if isinstance(spec, dict) else None
    if not isinstance(spec, dict) or not isinstance(names, dict):
        return None
    if (spec.get("group"), names.get("kind")) != (gvk.group, gvk.kind):
        return None
    for number, version in enumerate(spec.get("versions") or ()):
        if isinstance(version, dict) and version.get("name") == gvk.version:
            steps: Steps = ("spec", "versions", number, "schema", "openAPIV3Schema", *_inner_steps(path))
            return steps if isinstance(_at(crd, steps), dict) else None
    return None


def _inner_steps(path: str) -> Iterator[str]:
    for step in steps_of_path(path):
        if step == ITEM:
            yield "items"
        elif step == MEMBER:
            yield "additionalProperties"
        else:
            yield from ("properties", step)


def _at(value: Value, steps: Steps) -> Value:
    for step in steps:
        if isinstance(value, dict):
            value = value.get(str(step))
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _related(text: str, steps: Steps, relation: Relation) -> str:
    schema = _at(_value(text), steps)
    assert isinstance(schema, dict)
    if schema.get("type") == "array":
        text = with_member(text, steps, _LIST_TYPE, relation.name)
        return _with_keys(text, steps, schema, relation.keys)
    return with_member(text, steps, _MAP_TYPE, relation.name)


def _with_keys(text: str, steps: Steps, schema: Object, keys: tuple[str, ...]) -> str:
    if keys:
        return with_member(text, steps, _LIST_KEYS, list(keys))
    return without(text, (*steps, _LIST_KEYS)) if _LIST_KEYS in schema else text
