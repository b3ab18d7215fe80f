"""The API's OpenAPI documents: version 3 in full, version 2 as far as clients read it."""

from __future__ import annotations

import gzip
import json
from functools import cache
from hashlib import sha256
from typing import Any

from engine.schema.catalog import Catalog, KindInfo
from engine.value.model import Object
from web.kubeapi.discovery import DATA

PROTOBUF_V2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"
EMPTY_V2 = bytes((0x0A, 0x03, 0x32, 0x2E, 0x30))
"""An OpenAPI v2 document that says nothing but its version, as protobuf: enough for kubectl 1.27 and 1.28."""

_PREFIX = "#/components/schemas/"
_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


@cache
def _documents() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(gzip.decompress((DATA / "openapi-v3.json.gz").read_bytes()))
    return loaded


def index_v3(base: str, catalog: Catalog) -> Object:
    """Return where the OpenAPI v3 documents are; base is the path before `/openapi`."""
    paths = dict.fromkeys([*_documents(), *(_path(info) for info in _custom(catalog))])
    return {
        "paths": {
            path: {"serverRelativeURL": f"{base}/openapi/v3/{path}?hash={_hash(path, catalog)}"} for path in paths
        }
    }


def document_v3(path: str, catalog: Catalog) -> Object | None:
    """Return the OpenAPI v3 document of one API group version, or None if there is none."""
    known = _documents().get(path)
    mine = [info for info in _custom(catalog) if _path(info) == path]
    if known is None and not mine:
        return None
    paths = dict((known or {}).get("paths", {}))
    schemas = dict((known or {}).get("schemas", {}))
    if mine:
        schemas |= _meta_schemas()
    for info in mine:
        schemas[_name(info)] = _schema(info)
        paths |= _paths(info)
    return {
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "v1.36.0"},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def document_v2() -> Object:
    """Return an OpenAPI v2 document that names no path: clients that need one find version 3."""
    return {"swagger": "2.0", "info": {"title": "Kubernetes", "version": "v1.36.0"}, "paths": {}, "definitions": {}}


def _custom(catalog: Catalog) -> list[KindInfo]:
    return [info for info in catalog.kinds.values() if info.custom is not None]


def _path(info: KindInfo) -> str:
    return f"apis/{info.gvk.group}/{info.gvk.version}"


def _hash(path: str, catalog: Catalog) -> str:
    mine = [info.custom.schema for info in _custom(catalog) if _path(info) == path and info.custom is not None]
    return sha256(json.dumps([path, mine], sort_keys=True).encode()).hexdigest()[:32].upper()


def _name(info: KindInfo) -> str:
    return ".".join((*reversed(info.gvk.group.split(".")), info.gvk.version, info.gvk.kind))


def _schema(info: KindInfo) -> Object:
    assert info.custom is not None
    schema = info.custom.schema
    envelope: Object = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"allOf": [{"$ref": _PREFIX + _META}]},
    }
    gvk = {"group": info.gvk.group, "version": info.gvk.version, "kind": info.gvk.kind}
    return {
        **schema,
        "properties": {**schema.get("properties", {}), **envelope},
        "x-kubernetes-group-version-kind": [gvk],
    }


def _meta_schemas() -> dict[str, Any]:
    schemas = _documents()["api/v1"]["schemas"]
    names = [name for name in schemas if name.startswith("io.k8s.apimachinery.pkg.apis.meta.v1.")]
    return {name: schemas[name] for name in names}


def _paths(info: KindInfo) -> Object:
    """The operations that clients look for: whether a write takes fieldValidation, and of which kind it is."""
    gvk = {"group": info.gvk.group, "version": info.gvk.version, "kind": info.gvk.kind}
    names = ("dryRun", "fieldManager", "fieldValidation", "force")
    parameters = [{"in": "query", "name": name, "schema": {"type": "string"}} for name in names]
    namespaced = "namespaces/{namespace}/" if info.namespaced else ""
    base = f"/apis/{info.gvk.group}/{info.gvk.version}/{namespaced}{info.resource}"

    def operation(action: str) -> Object:
        content = {"application/json": {"schema": {"$ref": _PREFIX + _name(info)}}}
        return {
            "parameters": parameters,
            "responses": {"200": {"content": content}},
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": gvk,
        }

    one = {"get": operation("get"), "put": operation("put"), "patch": operation("patch"), "delete": operation("delete")}
    return {base: {"get": operation("list"), "post": operation("post")}, base + "/{name}": one}
