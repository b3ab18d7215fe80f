"""What the page of a workspace is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request that came: what it was, its answer, and a line for each owner that gained or lost fields."""

    time: str
    method: str
    path: str
    content_type: str
    code: int
    ownership: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectRow:
    """An object of the workspace. live and crds are what the playground's editors are given of it."""

    kind: str
    namespace: str
    name: str
    managers: str
    live: str
    crds: str


@dataclass(frozen=True, slots=True)
class WorkspacePage:
    """workspace.html: the last requests first; more counts the objects that are not listed."""

    nonce: str
    asset_version: str
    name: str
    server: str
    requests: tuple[RequestRow, ...]
    last_seen: int
    objects: tuple[ObjectRow, ...]
    more: int
