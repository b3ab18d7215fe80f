"""What kind of Kubernetes object a document is, if it is one."""

from __future__ import annotations

from engine.generate.model import Format, Impossible, Order
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import metadata_of, text_of
from engine.said import said
from engine.schema.catalog import KindInfo
from engine.value.model import Kind, Object, Value, kind_of

KIND_NAMES = {
    Kind.NULL: said("null"),
    Kind.BOOLEAN: said("true or false"),
    Kind.NUMBER: said("a number"),
    Kind.STRING: said("a text"),
    Kind.LIST: said("a list"),
    Kind.MAP: said("a map"),
}
FORMAT_NAMES = {
    Format.JSON_PATCH: said("A JSON Patch"),
    Format.MERGE_PATCH: said("A JSON merge patch"),
    Format.STRATEGIC: said("A strategic merge patch"),
    Format.APPLY: said("An apply intent"),
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
    told: str
    for which, value in ((said("first document"), before), (said("second document"), after)):
        if not isinstance(value, dict) or not is_object(value):
            found = said("a map without apiVersion and kind") if isinstance(value, dict) else KIND_NAMES[kind_of(value)]
            told = said(
                "%(format)s changes a Kubernetes object; the %(document)s is %(found)s.",
                format=name,
                document=which,
                found=found,
            )
            return Impossible(order.format, told, ())
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    for member in ("apiVersion", "kind"):
        if before[member] != after[member]:
            told = _unchangeable(name, member, str(before[member]), str(after[member]))
            return Impossible(order.format, told, (member,))
    for member in ("name", "namespace"):
        if metadata_of(before).get(member) != metadata_of(after).get(member):
            told = _unchangeable(name, f"metadata.{member}", text_of(before, member), text_of(after, member))
            return Impossible(order.format, told, ("metadata", member))
    return before, after


def _unchangeable(name: str, member: str, before: str, after: str) -> str:
    return said(
        '%(format)s cannot change %(member)s, here from "%(before)s" to "%(after)s".',
        format=name,
        member=member,
        before=before,
        after=after,
    )
