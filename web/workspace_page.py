"""A workspace -> what its page shows."""

from __future__ import annotations

from collections.abc import Iterator

from engine.meta.object_meta import metadata_of, text_of
from engine.schema.catalog import KindInfo
from engine.value.codec import render_yaml
from engine.value.model import Object
from web.contexts import LinkRow, MadeWorkspacePage, NewWorkspacePage, ObjectRow, RequestRow, WorkspacePage
from web.kubeapi.journal import Happening, Ownership
from web.translation import gettext as _
from web.workspaces import FIRST_NAMESPACES, VERBS, Entrance, Workspace

MOST_OBJECTS = 200
MOST_LETTERS = 500_000
"""What the page holds of objects, each with its text for the playground."""


def workspace_page(entrance: Entrance, base: str, nonce: str, asset_version: str, problem: str = "") -> WorkspacePage:
    """Return what the page of a workspace shows to whoever entered it; base is the address that keys are put after."""
    workspace, rights = entrance.workspace, entrance.rights
    reads = rights.allows("list")
    happened = workspace.journal.after(0) if reads else []
    objects, more = _objects(workspace) if reads else ((), 0)
    links = entrance.entry.links if entrance.is_owner else ()
    return WorkspacePage(
        nonce=nonce,
        asset_version=asset_version,
        name=entrance.key,
        server=base + entrance.key,
        requests=tuple(_request(each) for each in reversed(happened)),
        last_seen=happened[-1].number if happened else 0,
        objects=objects,
        more=more,
        reads=reads,
        rights="" if entrance.is_owner else ", ".join(each for each in VERBS if each in rights.verbs),
        links=tuple(
            LinkRow(each.label, base + each.key, ", ".join(each.verbs), f"/w/{entrance.key}/links/{each.key}/remove")
            for each in links
        ),
        verbs=VERBS,
        warning=_warning(entrance),
        problem=problem,
    )


def _warning(entrance: Entrance) -> str:
    if not entrance.ends_soon or entrance.ends is None:
        return ""
    day = entrance.ends.strftime("%Y-%m-%d %H:%M UTC")
    return _("This workspace will be deleted on %(day)s unless something is written to it before.", day=day)


def new_page(nonce: str, asset_version: str, days: int) -> NewWorkspacePage:
    """Return what the page shows where workspaces are made."""
    return NewWorkspacePage(nonce, asset_version, days)


def made_page(nonce: str, asset_version: str, server: str, token: str, kubeconfig: str) -> MadeWorkspacePage:
    """Return what is shown of a workspace once, when it is made and wants a token."""
    return MadeWorkspacePage(nonce, asset_version, server, token, kubeconfig)


def _request(happening: Happening) -> RequestRow:
    return RequestRow(
        happening.number,
        happening.time,
        happening.method,
        "/" + happening.path,
        happening.content_type,
        happening.code,
        happening.sent,
        happening.told,
        tuple(map(_sentence, happening.ownership)),
    )


def _sentence(ownership: Ownership) -> str:
    gained = _("gained %(paths)s", paths=", ".join(ownership.gained)) if ownership.gained else ""
    lost = _("lost %(paths)s", paths=", ".join(ownership.lost)) if ownership.lost else ""
    more = _(", and %(count)s more", count=f"{ownership.more:,}") if ownership.more else ""
    parts = "; ".join(filter(None, (gained, lost)))
    return f"{ownership.target}: {ownership.manager} ({ownership.operation}) {parts}{more}"


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
