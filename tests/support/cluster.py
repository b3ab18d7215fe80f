"""An API server with one object that tests write to, and a clock that ticks with every request."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.apiserver.request import Request, Response
from engine.apiserver.server import APIServer
from engine.meta.gvk import GroupVersionKind
from engine.patch.patch_type import PatchType
from engine.schema.catalog import Catalog, builtin_catalog
from engine.schema.structural import kinds_of_definition

CONFIG_MAP = GroupVersionKind("", "v1", "ConfigMap")
NAMESPACE = "default"
NAME = "conf"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, taken apart."""

    response: Response

    @property
    def code(self) -> int:
        return self.response.code

    @property
    def body(self) -> Any:
        return self.response.body

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.response.warnings

    @property
    def message(self) -> str:
        return str(self.body.get("message", ""))

    @property
    def reason(self) -> str:
        return str(self.body.get("reason", ""))

    @property
    def causes(self) -> list[tuple[str, str, str]]:
        found = (self.body.get("details") or {}).get("causes") or []
        return [(each.get("reason", ""), each.get("field", ""), each.get("message", "")) for each in found]


class Cluster:
    """A server over one object. Every request is checked to leave what it was given as it was."""

    def __init__(
        self, gvk: GroupVersionKind = CONFIG_MAP, crds: Iterable[dict[str, Any]] = (), name: str = NAME
    ) -> None:
        self.gvk, self.name, self.seconds, self.uids = gvk, name, 0, 0
        self.server = APIServer(catalog_with(crds), self.now, self.new_uid)

    def now(self) -> str:
        return f"2030-01-01T00:{self.seconds // 60:02}:{self.seconds % 60:02}Z"

    def new_uid(self) -> str:
        self.uids += 1
        return f"00000000-0000-4000-8000-{self.uids:012}"

    def ask(self, method: str, body: Any = None, *, kind: str = "application/json", **options: Any) -> Answer:
        """Return the answer to a request; options: manager, version, subresource, and query parameters."""
        self.seconds += 1
        subresource, version = options.pop("subresource", ""), options.pop("version", self.gvk.version)
        query = {{"manager": "fieldManager"}.get(k, k): str(v) for k, v in options.items() if v not in (None, False)}
        query |= {"force": "true"} if query.get("force") == "True" else {}
        before = copy.deepcopy((body, self.stored))
        request = Request(
            method=method,
            gvk=GroupVersionKind(self.gvk.group, version, self.gvk.kind),
            name="" if method == "POST" else self.name,
            namespace=NAMESPACE,
            subresource=subresource,
            content_type=kind,
            body=body,
            query=query,
            user_agent="tests/1.0",
        )
        held = self.stored
        response = self.server.handle(request)
        assert (body, held) == before, "the request changed what it was given"
        return Answer(response)

    def create(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("POST", body, manager=manager, **options)

    def update(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("PUT", body, manager=manager, **options)

    def apply(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("PATCH", body, kind=PatchType.APPLY.value, manager=manager, **options)

    def merge(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("PATCH", body, kind=PatchType.JSON_MERGE.value, manager=manager, **options)

    def json_patch(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("PATCH", body, kind=PatchType.JSON_PATCH.value, manager=manager, **options)

    def strategic(self, body: Any, manager: str, **options: Any) -> Answer:
        return self.ask("PATCH", body, kind=PatchType.STRATEGIC_MERGE.value, manager=manager, **options)

    @property
    def stored(self) -> Any:
        """The object as the store holds it, None if there is none."""
        info = self.server.catalog.kind(self.gvk)
        assert info is not None
        return self.server.store.get(self.server.key(info, NAMESPACE, self.name))

    @property
    def object(self) -> Any:
        """The object as a GET shows it."""
        answer = self.ask("GET")
        assert answer.code == 200, answer.body
        return answer.body

    @property
    def managed_fields(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.object["metadata"].get("managedFields", [])
        return found

    def owned(self) -> dict[tuple[str, str], Any]:
        """Return the fields of each entry by manager and operation."""
        return {(each["manager"], each["operation"]): each["fieldsV1"] for each in self.managed_fields}


def catalog_with(crds: Iterable[dict[str, Any]]) -> Catalog:
    """Return the built-in kinds with those of some definitions."""
    catalog = builtin_catalog()
    for crd in crds:
        catalog = catalog.with_kinds(kinds_of_definition(crd))
    return catalog


LAB = GroupVersionKind("lab.example", "v1", "Thing")


def definition_of(spec: dict[str, Any], *, status: bool = False, **more: Any) -> dict[str, Any]:
    """Return a CustomResourceDefinition of `Thing` whose objects have this schema for `spec`."""
    properties = {"spec": spec, **({"status": {"type": "object", **_ANYTHING}} if status else {}), **more}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
        **({"subresources": {"status": {}}} if status else {}),
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.lab.example"},
        "spec": {
            "group": LAB.group,
            "scope": "Namespaced",
            "names": {"plural": "things", "singular": "thing", "kind": LAB.kind},
            "versions": [version],
        },
    }


_ANYTHING = {"x-kubernetes-preserve-unknown-fields": True}


def thing(spec: Any, **metadata: Any) -> dict[str, Any]:
    """Return a `Thing` with this spec."""
    body: dict[str, Any] = {"apiVersion": LAB.api_version, "kind": LAB.kind, "metadata": {"name": NAME, **metadata}}
    return {**body, "spec": spec} if spec is not None else body


def config_map(data: Any = None, **metadata: Any) -> dict[str, Any]:
    """Return a ConfigMap with this data."""
    body: dict[str, Any] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME, **metadata}}
    return {**body, "data": data} if data is not None else body


def version_of(answer: Answer) -> int:
    """Return the resourceVersion of an object that was answered."""
    return int(answer.body["metadata"]["resourceVersion"])
