"""kubectl apply without `--server-side`: what it sends for a manifest, given the live object.

Source: `kubectl apply` of kubectl 1.32.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.clientapply.three_way import apply_request
from engine.errors import EngineError
from engine.meta.object_meta import metadata_of, with_metadata
from engine.said import said
from engine.schema.catalog import KindInfo
from engine.value.model import Kind, Object, Value, kind_of

MANAGER = "kubectl-client-side-apply"


@dataclass(eq=False)
class NotAManifest(EngineError):
    """kubectl apply was given what is no object."""

    found: Kind

    def __str__(self) -> str:
        return said("kubectl apply takes an object; found %(found)s", found=self.found.value)


@dataclass(frozen=True, slots=True)
class SentRequest:
    """What kubectl sends; method is None if it sends nothing, because nothing differs."""

    method: str | None
    content_type: str
    body: Value

    def as_object(self) -> Object:
        """Return the request as plain data."""
        return {"method": self.method, "contentType": self.content_type, "body": self.body}


@dataclass(frozen=True, slots=True)
class ClientApply:
    """kubectl apply for objects of one kind in one namespace (empty if the kind has none)."""

    info: KindInfo
    namespace: str

    def request(self, live: Object | None, manifest: Value, *, overwrite: bool = True) -> SentRequest:
        """Return what kubectl sends to bring `live` (None: there is none) in line with `manifest`.

        Raises:
            NotAManifest: the manifest is no object.
            EngineError: what apply_request raises.
        """
        if not isinstance(manifest, dict):
            raise NotAManifest(kind_of(manifest))
        strategic = self.info.type if self.info.custom is None else None
        made = apply_request(live, self._in_namespace(manifest), strategic, overwrite=overwrite)
        if made.content_type is None:
            return SentRequest(None, "", None)
        return SentRequest("POST" if live is None else "PATCH", made.content_type, made.patch)

    def _in_namespace(self, manifest: Object) -> Object:
        """The manifest as kubectl completes it."""
        if not self.namespace or metadata_of(manifest).get("namespace"):
            return manifest
        return with_metadata(manifest, namespace=self.namespace)
