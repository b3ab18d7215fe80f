"""What the API tells of itself: its groups, versions and resources, plain and aggregated."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from engine.schema.catalog import Catalog, KindInfo
from engine.value.model import Object

DATA = Path(__file__).resolve().parent.parent / "data" / "kubernetes"
AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
VERSION: Object = {
    "major": "1",
    "minor": "36",
    "gitVersion": "v1.36.0",
    "gitCommit": "",
    "gitTreeState": "clean",
    "buildDate": "1970-01-01T00:00:00Z",
    "goVersion": "",
    "compiler": "",
    "platform": "linux/amd64",
}
_VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"]


@cache
def data(name: str) -> dict[str, Any]:
    """Return one of the data files. It must not be changed."""
    loaded: dict[str, Any] = json.loads((DATA / name).read_text())
    return loaded


def wants_aggregated(accept: str) -> bool:
    """Return True if a request's Accept header asks for aggregated discovery first.

    kubectl 1.27 to 1.29 ask for its beta only, which is not served any more: they get the plain documents.
    """
    parameters = {each.strip() for each in accept.split(",")[0].split(";")}
    return {"as=APIGroupDiscoveryList", "v=v2"} <= parameters


def discover(path: str, accept: str, catalog: Catalog) -> tuple[Object, str] | None:
    """Return a discovery document and its media type, or None if `path` names none."""
    path = path.strip("/")
    custom = [info for info in catalog.kinds.values() if info.custom is not None]
    if path in ("api", "apis") and wants_aggregated(accept):
        return _aggregated("/" + path, custom if path == "apis" else []), AGGREGATED
    document = _plain(path, custom)
    return (document, "application/json") if document is not None else None


def _aggregated(path: str, custom: list[KindInfo]) -> Object:
    base: Object = data("aggregated-discovery.json")[path]
    groups: dict[str, dict[str, list[KindInfo]]] = {}
    for info in custom:
        groups.setdefault(info.gvk.group, {}).setdefault(info.gvk.version, []).append(info)
    added = [
        {
            "metadata": {"name": group},
            "versions": [
                {"version": version, "resources": [_discovered(i) for i in infos], "freshness": "Current"}
                for version, infos in versions.items()
            ],
        }
        for group, versions in groups.items()
    ]
    return {**base, "items": [*base["items"], *added]}


def _discovered(info: KindInfo) -> Object:
    gvk = info.gvk
    kind = {"group": gvk.group, "version": gvk.version, "kind": gvk.kind}
    return {
        "resource": info.resource,
        "responseKind": kind,
        "scope": "Namespaced" if info.namespaced else "Cluster",
        "singularResource": info.singular,
        "verbs": _VERBS,
        "subresources": [
            {"subresource": each, "responseKind": kind, "verbs": ["get", "patch", "update"]}
            for each in info.subresources
        ],
    }


def _plain(path: str, custom: list[KindInfo]) -> Object | None:
    documents = data("discovery.json")
    if path == "api":
        return dict(documents["/api"])
    if path == "apis":
        groups = [_group(name, custom) for name in dict.fromkeys(info.gvk.group for info in custom)]
        return {**documents["/apis"], "groups": [*documents["/apis"]["groups"], *groups]}
    if path in documents:
        return dict(documents[path])
    steps = path.split("/")
    if steps[0] != "apis":
        return None
    if len(steps) == 2:
        known = next((g for g in documents["/apis"]["groups"] if g["name"] == steps[1]), None)
        known = known or (_group(steps[1], custom) if any(i.gvk.group == steps[1] for i in custom) else None)
        return {"kind": "APIGroup", "apiVersion": "v1", **known} if known else None
    mine = [info for info in custom if [info.gvk.group, info.gvk.version] == steps[1:]]
    return _resources("/".join(steps[1:]), mine) if mine and len(steps) == 3 else None


def _group(name: str, custom: list[KindInfo]) -> Object:
    versions = [
        {"groupVersion": f"{name}/{version}", "version": version}
        for version in dict.fromkeys(info.gvk.version for info in custom if info.gvk.group == name)
    ]
    return {"name": name, "versions": versions, "preferredVersion": versions[0]}


def _resources(group_version: str, infos: list[KindInfo]) -> Object:
    rows: list[Object] = []
    for info in infos:
        row = {"name": info.resource, "singularName": info.singular, "namespaced": info.namespaced}
        rows.append({**row, "kind": info.gvk.kind, "verbs": _VERBS})
        for each in info.subresources:
            name = f"{info.resource}/{each}"
            rows.append(
                {**row, "name": name, "singularName": "", "kind": info.gvk.kind, "verbs": ["get", "patch", "update"]}
            )
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": rows}
