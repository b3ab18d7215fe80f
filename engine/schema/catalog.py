"""Which kinds there are and what type each is of: the built-in ones, and custom resources added to them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pkgutil import get_data
from typing import Any

from engine.meta.gvk import GroupVersionKind
from engine.schema import openapi
from engine.schema.elements import TypeRef
from engine.value.model import Object

OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


@dataclass(frozen=True, slots=True)
class KindInfo:
    """What an API server knows of a kind beside its fields.

    put_creates_absent and put_without_resource_version tell what PUT does with an absent object and with a body
    that names no resourceVersion (200: accepted, 422: refused).
    """

    gvk: GroupVersionKind
    resource: str
    singular: str
    namespaced: bool
    type: TypeRef
    subresources: tuple[str, ...] = ()
    has_generation: bool = False
    generation_grows_on_label: bool = False
    put_creates_absent: bool = False
    put_without_resource_version: int = 200
    custom: CustomResource | None = None

    @property
    def group_resource(self) -> str:
        """The resource with its group, as messages name it: `deployments.apps`, `configmaps`."""
        return f"{self.resource}.{self.gvk.group}" if self.gvk.group else self.resource

    @property
    def group_kind(self) -> str:
        """The kind with its group, as messages name it: `Deployment.apps`, `ConfigMap`."""
        return f"{self.gvk.kind}.{self.gvk.group}" if self.gvk.group else self.gvk.kind


@dataclass(frozen=True, slots=True)
class CustomResource:
    """One version of a custom resource: its openAPIV3Schema, whole, and what its definition says beside it."""

    schema: Object
    is_storage_version: bool = True
    status_subresource: bool = False
    scale: Object | None = None


@dataclass(frozen=True, slots=True)
class Catalog:
    """The kinds that are served. A catalog is a value: `with_kinds` returns a new one."""

    kinds: Mapping[GroupVersionKind, KindInfo]
    _resources: dict[tuple[str, str, str], KindInfo] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[tuple[str, str, str], KindInfo] = {}
        for gvk, info in self.kinds.items():
            found.setdefault((gvk.group, gvk.version, info.resource), info)
        object.__setattr__(self, "_resources", found)

    def resource(self, group: str, version: str, resource: str) -> KindInfo | None:
        """Return the kind of a resource (`deployments`), or None if it is not served."""
        return self._resources.get((group, version, resource))

    def kind(self, gvk: GroupVersionKind) -> KindInfo | None:
        """Return what is known of a kind, or None if it is not served."""
        return self.kinds.get(gvk)

    def type_of(self, gvk: GroupVersionKind) -> TypeRef | None:
        """Return the type of a kind's objects, or None if the kind is not served."""
        info = self.kinds.get(gvk)
        return info.type if info else None

    def with_kinds(self, kinds: tuple[KindInfo, ...]) -> Catalog:
        """Return a catalog that serves `kinds`, too; a kind that is known already is replaced."""
        return replace(self, kinds={**self.kinds, **{info.gvk: info for info in kinds}})


def _data(name: str) -> bytes:
    # Not importlib.resources: it takes 15 ms to load, a tenth of the time in which `patchyard diff` answers.
    data = get_data("engine.schema.data", name)
    assert data is not None
    return data


@cache
def _definitions() -> dict[str, Any]:
    text = _data("definitions.json")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def definition(name: str) -> TypeRef:
    """Return the built-in type of that name, `io.k8s.api.core.v1.PodSpec` for example.

    Raises:
        KeyError: when something asks for the type, if there is no such definition.
    """
    return TypeRef(lambda: openapi.atom(_definitions()[name], definition), name)


def definition_schema(name: str) -> Object:
    """Return the OpenAPI schema of a built-in definition, without prose. It must not be changed."""
    schema: Object = _definitions()[name]
    return schema


@cache
def builtin_catalog() -> Catalog:
    """Return the built-in kinds of Kubernetes 1.36. Types are read from the data when they are first walked."""
    table: dict[str, Any] = json.loads(_data("kinds.json"))
    infos = (_kind_info(key, row) for key, row in table.items())
    return Catalog({info.gvk: info for info in infos})


def _kind_info(key: str, row: dict[str, Any]) -> KindInfo:
    api_version, _, kind = key.rpartition("/")
    group, _, version = api_version.rpartition("/")
    return KindInfo(
        gvk=GroupVersionKind(group, version, kind),
        resource=row["resource"],
        singular=row["singular"],
        namespaced=row["namespaced"],
        type=definition(row["definition"]),
        subresources=tuple(row["subresources"]),
        has_generation=row.get("has_generation", False),
        generation_grows_on_label=row.get("generation_grows_on_label", False),
        put_creates_absent=row.get("put_creates_absent", False),
        put_without_resource_version=row.get("put_without_resourceVersion", 200),
    )
