"""Objects as the rows of a table, as `kubectl get` prints them: the cells are made by the server.

Which columns a resource has is data (data/kubernetes/tables.json); how a cell is made of an object is a function in
cells.py, by resource and column. A column without a function is empty.

Source: pkg/printers of Kubernetes 1.36.
"""

from __future__ import annotations

from datetime import UTC, datetime

from engine.meta.object_meta import metadata_of, text_of
from engine.schema.catalog import KindInfo
from engine.value.model import Object, Value
from web.kubeapi.cells import CELLS, COMMON
from web.kubeapi.discovery import data

_GENERIC = [
    {"name": "Name", "type": "string", "format": "name", "description": "", "priority": 0},
    {"name": "Age", "type": "date", "format": "", "description": "", "priority": 0},
]


def wants_table(accept: str) -> bool:
    """Return True if a request's Accept header asks for a table first."""
    first = accept.split(",")[0]
    return "as=Table" in first and "v=v1" in first


def table(objects: list[Object], info: KindInfo, metadata: Object, now: datetime, include: str) -> Object:
    """Return the table of some objects of a kind. include says what each row carries: Metadata, Object or None."""
    columns = data("tables.json").get(_path(info), _GENERIC)
    rows = [{"cells": [_cell(c["name"], o, info, now) for c in columns], **_carried(o, include)} for o in objects]
    described = [{"description": "", **column} for column in columns]
    return {
        "kind": "Table",
        "apiVersion": "meta.k8s.io/v1",
        "metadata": metadata,
        "columnDefinitions": described,
        "rows": rows,
    }


def _path(info: KindInfo) -> str:
    group = info.gvk.group
    return f"{'apis/' + group if group else 'api'}/{info.gvk.version}/{info.resource}"


def _carried(obj: Object, include: str) -> Object:
    if include == "None":
        return {}
    if include == "Object":
        return {"object": obj}
    partial = {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata_of(obj)}
    return {"object": partial}


def _cell(column: str, obj: Object, info: KindInfo, now: datetime) -> Value:
    if column == "Name":
        return text_of(obj, "name")
    if column == "Age":
        return age(text_of(obj, "creationTimestamp"), now)
    if column == "Created At":
        return text_of(obj, "creationTimestamp")
    make = CELLS.get(info.resource, {}).get(column) or COMMON.get(column)
    return make(obj) if make is not None else ""


def age(text: str, now: datetime) -> str:
    """Return how long ago a moment was, in kubectl's short form: `5m`, `3h12m`, `2d`."""
    try:
        seconds = int((now - datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)).total_seconds())
    except ValueError:
        return "<unknown>"
    if seconds < 120:
        return f"{max(seconds, 0)}s"
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if minutes < 10:
        return f"{minutes}m{seconds % 60}s" if seconds % 60 else f"{minutes}m"
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return f"{hours}h{minutes % 60}m" if minutes % 60 else f"{hours}h"
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return f"{days}d{hours % 24}h" if hours % 24 else f"{days}d"
    if days < 2 * 365:
        return f"{days}d"
    years = days // 365
    return f"{years}y{days % 365}d" if years < 8 and days % 365 else f"{years}y"
