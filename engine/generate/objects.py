"""What kind of Kubernetes object a document is, if it is one."""

from __future__ import annotations

from engine.generate.model import Format, Impossible, Order
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import metadata_of, text_of
from engine.schema.catalog import KindInfo
from engine.value.model import Kind, Object, Value, kind_of

KIND_NAMES = {
    Kind.NULL: "null",
    Kind.BOOLEAN: "true or false",
    Kind.NUMBER: "a number",
    Kind.STRING: "a text",
    Kind.LIST: "a list",
    Kind.MAP: "a map",
}
FORMAT_NAMES = {
    Format.JSON_PATCH: "A JSON Patch",
    Format.MERGE_PATCH: "A JSON merge patch",
    Format.STRATEGIC: "A strategic merge patch",
    Format.APPLY: "An apply intent",
}


def is_object(value: Value) -> bool:
    """Return True for a map that names its apiVersion and kind."""
    return isinstance(value, dict) and all(isinstance(value.get(name), str) for name in ("apiVersion", "kind"))


def kind_info(order: Order) -> KindInfo | None:
    """Return what is known of the kind of the first document, None if it is no object or of an unknown kind."""
    before = order.before
    if not isinstance(before, dict) or not is_object(before):
        return None
    return order.catalog.kind(gvk_of(before))


def one_object(order: Order) -> tuple[Object, Object] | Impossible:
    """Return both documents as maps of one kind and name, or why they are not."""
    before, after = order.before, order.after
    name = FORMAT_NAMES[order.format]
    for which, value in (("first", before), ("second", after)):
        if not isinstance(value, dict) or not is_object(value):
            found = KIND_NAMES[kind_of(value)] if not isinstance(value, dict) else "a map without apiVersion and kind"
            return Impossible(order.format, f"{name} changes a Kubernetes object; the {which} document is {found}.", ())
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    for member in ("apiVersion", "kind"):
        if before[member] != after[member]:
            told = f'{name} cannot change {member}, here from "{before[member]}" to "{after[member]}".'
            return Impossible(order.format, told, (member,))
    for member in ("name", "namespace"):
        if metadata_of(before).get(member) != metadata_of(after).get(member):
            told = (
                f"{name} cannot change metadata.{member}, here from "
                f'"{text_of(before, member)}" to "{text_of(after, member)}".'
            )
            return Impossible(order.format, told, ("metadata", member))
    return before, after
