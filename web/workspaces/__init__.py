"""Workspaces: a Kubernetes API each, who may do what in them, and how long they stay."""

from __future__ import annotations

from web.workspaces.access import ALL, VERBS, Link, Rights
from web.workspaces.directory import Directory, Entry
from web.workspaces.failures import BadLink, BadWorkspaceId, NoSuchWorkspace, Unauthorized
from web.workspaces.workspace import FIRST_NAMESPACES, Clock, Places, Workspace, rfc3339
from web.workspaces.workspaces import Bounds, Entrance, Workspaces

__all__ = [
    "ALL",
    "FIRST_NAMESPACES",
    "VERBS",
    "BadLink",
    "BadWorkspaceId",
    "Bounds",
    "Clock",
    "Directory",
    "Entrance",
    "Entry",
    "Link",
    "NoSuchWorkspace",
    "Places",
    "Rights",
    "Unauthorized",
    "Workspace",
    "Workspaces",
    "rfc3339",
]
