"""One request to a collection: list, in pages or whole; watch; delete all that are chosen.

Source: the list, watch and delete-collection handlers of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from engine.apiserver.call import Call
from engine.apiserver.failures import BadRequest, Expired
from engine.apiserver.request import Request, Response
from engine.apiserver.selectors import Selector, parse_selector
from engine.apiserver.storage import TooOld
from engine.apiserver.watching import BOOKMARKS_FROM_NOWHERE, Event, Watch
from engine.meta.object_meta import metadata_of, text_of
from engine.value.model import Object


class CollectionCall(Call):
    """A request to all objects of a kind, in a namespace or in all."""

    @property
    def selector(self) -> Selector:
        """What the request is about.

        Raises:
            BadRequest: its selectors cannot be read.
        """
        query = self.request.query
        return parse_selector(query.get("labelSelector", ""), query.get("fieldSelector", ""), self.info.gvk)

    def _chosen(self) -> list[Object]:
        selector = self.selector
        gvk = self.info.gvk
        listed = map(
            self.strategy.encode, self.server.store.list_objects(gvk.group, self.info.resource, self._namespace)
        )
        return [obj for obj in listed if selector.chooses(obj)]

    @property
    def _namespace(self) -> str:
        return self.request.namespace if self.info.namespaced else ""

    def get(self) -> Response:
        """Answer a GET with a list, or the page of it that the request asks for."""
        limit, token = self._limit(), self.request.query.get("continue", "")
        chosen = self._chosen()
        metadata: Object = {"resourceVersion": str(self.server.store.revision)}
        if token:
            after, metadata["resourceVersion"] = _decode_token(token)
            chosen = [obj for obj in chosen if _place(obj) > after]
        page = chosen[:limit] if limit else chosen
        if len(page) < len(chosen):
            metadata["continue"] = _encode_token(_place(page[-1]), metadata["resourceVersion"])
            if not self.selector:
                metadata["remainingItemCount"] = len(chosen) - len(page)
        return Response(200, self._list(page, metadata))

    def _limit(self) -> int:
        text = self.request.query.get("limit", "")
        if text and not text.isdecimal():
            raise BadRequest(f'strconv.ParseInt: parsing "{text}": invalid syntax')
        return int(text[:18]) if text else 0

    def _list(self, objects: list[Object], metadata: Object) -> Object:
        custom = self.info.custom is not None
        items = (
            objects if custom else [{k: v for k, v in o.items() if k not in ("apiVersion", "kind")} for o in objects]
        )
        gvk = self.info.gvk
        return {"kind": f"{gvk.kind}List", "apiVersion": gvk.api_version, "metadata": metadata, "items": items}

    def delete(self) -> Response:
        """Answer a DELETE of the collection with what it was, each object deleted as alone."""
        chosen = self._chosen()
        for obj in chosen:
            request = self.request
            one = Request(
                "DELETE",
                request.gvk,
                text_of(obj, "name"),
                text_of(obj, "namespace"),
                body=request.body,
                query=request.query,
            )
            Call(self.server, one, self.info, self.warnings).delete()
        return Response(200, self._list(chosen, {"resourceVersion": str(self.server.store.revision)}))

    def watch(self) -> Watch:
        """Return what the request watches.

        Raises:
            BadRequest: its selectors cannot be read.
        """
        gvk = self.info.gvk
        return Watch(gvk.group, self.info.resource, self._namespace, self.selector, self.strategy.encode)

    def past_events(self) -> tuple[list[Event], int]:
        """Return the events up to now that a watch begins with, and the revision that it goes on from.

        Without a resourceVersion, or from "0", a watch begins with what is there; from another, with what came after.

        Raises:
            Expired: the store has forgotten what came after.
            BadRequest: the resourceVersion is no number.
        """
        watch, store = self.watch(), self.server.store
        since = self.request.query.get("resourceVersion", "")
        if since in ("", "0"):
            if since == "0" and self.request.query.get("allowWatchBookmarks") in ("true", "1"):
                return [Event("ERROR", _bookmark_status())], -1
            return watch.initial(store), store.revision
        if not since.isdecimal():
            raise BadRequest(f'invalid resource version: Invalid value: "{since}"')
        try:
            changes = store.changes(int(since[:18]))
        except TooOld as error:
            raise Expired(str(error)) from None
        return watch.events(changes), store.revision


def _bookmark_status() -> Object:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": BOOKMARKS_FROM_NOWHERE,
        "reason": "InternalError",
        "code": 500,
    }


def _place(obj: Object) -> tuple[str, str]:
    metadata = metadata_of(obj)
    return str(metadata.get("namespace", "")), str(metadata.get("name", ""))


def _encode_token(place: tuple[str, str], version: str) -> str:
    return base64.urlsafe_b64encode(json.dumps({"after": place, "rv": version}).encode()).decode().rstrip("=")


def _decode_token(token: str) -> tuple[tuple[str, str], str]:
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
        namespace, name = found["after"]
        return (str(namespace), str(name)), str(found["rv"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadRequest("continue key is not valid: the token was not given by this server") from None
