"""Objects without all but their metadata, for clients that ask for no more.

Source: the transformations of responses of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.meta.object_meta import metadata_of
from engine.value.model import Object

OBJECT, LIST = "PartialObjectMetadata", "PartialObjectMetadataList"


@dataclass(eq=False)
class NotAcceptable(EngineError):
    """A list was asked for as one object, or one object as a list."""

    wanted: str
    kind: str

    def __str__(self) -> str:
        found = f"a list ({self.kind})" if self.wanted == OBJECT else f"not a list ({self.kind})"
        return f"you requested {self.wanted}, but the requested object is {found}"


def wanted_partial(accept: str) -> str:
    """Return what the first part of an Accept header that can be answered asks for: OBJECT, LIST or nothing."""
    for part in accept.split(","):
        media, *parameters = (each.strip() for each in part.split(";"))
        if media not in ("application/json", "application/yaml"):
            continue
        found = dict(each.partition("=")[::2] for each in parameters)
        wanted = found.get("as", "")
        return wanted if wanted in (OBJECT, LIST) and (found.get("g"), found.get("v")) == ("meta.k8s.io", "v1") else ""
    return ""


def partial(body: Object, wanted: str) -> Object:
    """Return an object, or a list of them, with metadata only.

    Raises:
        NotAcceptable: it is a list and one object is wanted, or the other way round.
    """
    kind = str(body.get("kind", ""))
    if (wanted == LIST) != ("items" in body):
        raise NotAcceptable(wanted, kind)
    if wanted == OBJECT:
        return _only_metadata(body)
    items = [_only_metadata(each) for each in body["items"]]
    return {"kind": LIST, "apiVersion": "meta.k8s.io/v1", "metadata": body.get("metadata", {}), "items": items}


def _only_metadata(obj: Object) -> Object:
    return {"kind": OBJECT, "apiVersion": "meta.k8s.io/v1", "metadata": metadata_of(obj)}
