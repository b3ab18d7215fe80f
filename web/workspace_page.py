"""A workspace -> what its page shows."""

from __future__ import annotations

from collections.abc import Iterator

from engine.meta.object_meta import metadata_of, text_of
from engine.schema.catalog import KindInfo
from engine.value.codec import render_yaml
from engine.value.model import Object
from web.contexts import ObjectRow, RequestRow, WorkspacePage
from web.kubeapi.journal import Happening, Ownership
from web.workspaces import FIRST_NAMESPACES, Workspace

MOST_OBJECTS = 200
MOST_LETTERS = 500_000
"""What the page holds of objects, each with its text for the playground."""


def workspace_page(workspace: Workspace, server: str, nonce: str, asset_version: str) -> WorkspacePage:
    """Return what the page of a workspace shows; server is the address of its API."""
    happened = workspace.journal.after(0)
    objects, more = _objects(workspace)
    return WorkspacePage(
        nonce=nonce,
        asset_version=asset_version,
        name=workspace.name,
        server=server,
        requests=tuple(_request(each) for each in reversed(happened)),
        last_seen=happened[-1].number if happened else 0,
        objects=objects,
        more=more,
    )


def _request(happening: Happening) -> RequestRow:
    return RequestRow(
        happening.time,
        happening.method,
        "/" + happening.path,
        happening.content_type,
        happening.code,
        tuple(map(_sentence, happening.ownership)),
    )


def _sentence(ownership: Ownership) -> str:
    parts = [
        f"{verb} {', '.join(paths)}"
        for verb, paths in (("gained", ownership.gained), ("lost", ownership.lost))
        if paths
    ]
    more = f", and {ownership.more:,} more" if ownership.more else ""
    return f"{ownership.target}: {ownership.manager} ({ownership.operation}) {'; '.join(parts)}{more}"


def _objects(workspace: Workspace) -> tuple[tuple[ObjectRow, ...], int]:
    """The rows of the objects that the page has room for, and how many others there are."""
    rows: list[ObjectRow] = []
    letters = more = 0
    for info, obj in _stored(workspace):
        if len(rows) == MOST_OBJECTS or letters > MOST_LETTERS:
            more += 1
            continue
        rows.append(_row(workspace, info, obj))
        letters += len(rows[-1].live) + len(rows[-1].crds)
    return tuple(rows), more


def _stored(workspace: Workspace) -> Iterator[tuple[KindInfo, Object]]:
    """Yield the objects that somebody made, each once, those of kinds with namespaces first."""
    seen = set[tuple[str, str]]()
    kinds = sorted(workspace.catalog.kinds.values(), key=lambda info: (not info.namespaced, info.gvk.kind))
    for info in kinds:
        place = (info.gvk.group, info.resource)
        if place in seen or not info.resource:
            continue
        seen.add(place)
        for obj in workspace.store.list_objects(*place, ""):
            if info.gvk.kind != "Namespace" or text_of(obj, "name") not in FIRST_NAMESPACES:
                yield info, obj


def _row(workspace: Workspace, info: KindInfo, obj: Object) -> ObjectRow:
    entries = metadata_of(obj).get("managedFields") or []
    managers = dict.fromkeys(str(entry.get("manager", "")) for entry in entries)
    definition = _definition(workspace, info)
    return ObjectRow(
        kind=info.gvk.kind,
        namespace=text_of(obj, "namespace"),
        name=text_of(obj, "name"),
        managers=", ".join(managers),
        live=render_yaml(obj),
        crds=render_yaml(definition) if definition is not None else "",
    )


def _definition(workspace: Workspace, info: KindInfo) -> Object | None:
    if info.custom is None:
        return None
    definitions = workspace.store.list_objects("apiextensions.k8s.io", "customresourcedefinitions", "")
    return next((each for each in definitions if text_of(each, "name") == f"{info.resource}.{info.gvk.group}"), None)
