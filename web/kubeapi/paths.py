"""The paths of the Kubernetes API: which kind, namespace, object and subresource they name."""

from __future__ import annotations

from dataclasses import dataclass

from engine.schema.catalog import Catalog, KindInfo


@dataclass(frozen=True, slots=True)
class Target:
    """What a path names. name is empty for a collection; a collection of a namespaced kind may be of all namespaces."""

    info: KindInfo
    namespace: str
    name: str
    subresource: str


def parse_path(path: str, catalog: Catalog) -> Target | None:
    """Return what `api/v1/namespaces/default/configmaps/a` and the like name, or None if that is nothing served."""
    steps = path.strip("/").split("/")
    if steps[0] == "api" and len(steps) >= 3:
        group, version, rest = "", steps[1], steps[2:]
    elif steps[0] == "apis" and len(steps) >= 4:
        group, version, rest = steps[1], steps[2], steps[3:]
    else:
        return None
    namespace = ""
    if rest[0] == "namespaces" and len(rest) >= 3 and rest[2] not in ("status", "finalize"):
        namespace, rest = rest[1], rest[2:]
    info = catalog.resource(group, version, rest[0])
    if info is None or len(rest) > 3 or (namespace and not info.namespaced):
        return None
    name, subresource = (*rest[1:], "", "")[:2]
    if name and info.namespaced and not namespace:
        return None
    return Target(info, namespace, name, subresource)
