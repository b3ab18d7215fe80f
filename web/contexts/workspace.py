"""What the pages of workspaces are given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A request that came: what it was, its answer, and a line for each owner that gained or lost fields.

    sent and told are the beginnings of its body and of the answer; number tells requests apart.
    """

    number: int

    time: str
    method: str
    path: str
    content_type: str
    code: int
    sent: str
    told: str
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
class LinkRow:
    """A link into the workspace: what it is called, its address, what it allows, and what is posted to to remove it."""

    label: str
    server: str
    verbs: str
    removal: str


@dataclass(frozen=True, slots=True)
class WorkspacePage:
    """workspace.html: the last requests first; more counts the objects that are not listed.

    rights is what a link allows, empty for the workspace's own address; problem is why a link could not be made.
    """

    nonce: str
    asset_version: str
    name: str
    server: str
    requests: tuple[RequestRow, ...]
    last_seen: int
    objects: tuple[ObjectRow, ...]
    more: int
    reads: bool
    rights: str
    links: tuple[LinkRow, ...]
    verbs: tuple[str, ...]
    warning: str
    problem: str


@dataclass(frozen=True, slots=True)
class NewWorkspacePage:
    """workspace_new.html: days is after how many days without a write a workspace is deleted, 0 for never."""

    nonce: str
    asset_version: str
    days: int


@dataclass(frozen=True, slots=True)
class MadeWorkspacePage:
    """workspace_made.html: a workspace that wants a token, which is shown this once."""

    nonce: str
    asset_version: str
    server: str
    token: str
    kubeconfig: str
