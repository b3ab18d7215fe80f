"""The API of one workspace: an HTTP request in, an answer or a stream of watch events out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from secrets import choice

from engine.apiserver.failures import BadRequest, NotFound, UnsupportedMediaType
from engine.apiserver.request import Request
from engine.apiserver.storage import TooOld
from engine.apiserver.watching import Event
from engine.errors import EngineError
from engine.meta.object_meta import metadata_of
from engine.schema.catalog import Catalog
from engine.value.codec import parse_json, parse_yaml
from engine.value.model import Object, Value
from web.kubeapi.discovery import VERSION, discover
from web.kubeapi.exchange import (
    HttpAnswer,
    HttpRequest,
    answer,
    body_of,
    engine_request,
    plain_status,
    refusal,
    spelled,
    unavailable,
)
from web.kubeapi.openapi import EMPTY_V2, PROTOBUF_V2, document_v2, document_v3, index_v3
from web.kubeapi.partial import OBJECT, NotAcceptable, partial, wanted_partial
from web.kubeapi.paths import Target, parse_path
from web.kubeapi.protobuf import PROTOBUF, decode_protobuf
from web.kubeapi.table import table, wants_table
from web.storage.quota import QuotaExceeded
from web.storage.sqlite import StoreFailed
from web.workspaces import Workspace, rfc3339

HEARTBEAT_SECONDS = 20.0
"""How often a watch that has nothing to tell shows that it lives; a client that is gone is noticed then."""

_REVIEWS = ("SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview")
_EXPIRED = "The resourceVersion for the provided watch is too old."

Now = Callable[[], datetime]


class Api:
    """Answers requests to one workspace. base is the path before it, for addresses in answers."""

    def __init__(self, workspace: Workspace, base: str, now: Now) -> None:
        self._workspace, self._base, self._now = workspace, base, now

    def handle(self, http: HttpRequest) -> HttpAnswer | Iterator[bytes]:
        """Return the answer, or the lines of a watch."""
        try:
            catalog = self._workspace.catalog
            told = self._about(http, catalog)
        except (EngineError, StoreFailed) as error:
            return _refused(error)
        return told if told is not None else self._noted(http, catalog)

    def _noted(self, http: HttpRequest, catalog: Catalog) -> HttpAnswer | Iterator[bytes]:
        """The answer to a request about objects, which those who look on are told of."""
        told: HttpAnswer | Iterator[bytes]
        try:
            told = self._handle(http, catalog)
        except (EngineError, StoreFailed, QuotaExceeded) as error:
            told = _refused(error)
        code, changes = (told.code, told.changes) if isinstance(told, HttpAnswer) else (200, ())
        path = f"{http.path}?{http.query}" if http.query else http.path
        kind = http.content_type if http.body else ""
        self._workspace.journal.add(rfc3339(self._now()), http.method, path, kind, code, changes)
        return told

    def _handle(self, http: HttpRequest, catalog: Catalog) -> HttpAnswer | Iterator[bytes]:
        target = parse_path(http.path, catalog)
        if target is None:
            return plain_status(404, "NotFound", "the server could not find the requested resource")
        if http.method == "GET" and not target.name and _is_set(http.parameters.get("watch")):
            return self._watch(http, target)
        if target.info.gvk.kind in _REVIEWS and http.method == "POST":
            return HttpAnswer(201, spelled(_allowed(http, target)))
        _check_version(http, target)
        body = self._body(http, target)
        self._check_namespace(http, target)
        response, changes = self._workspace.handle(self._request(http, target, body))
        return replace(answer(response, http, target.info, self._now()), changes=tuple(changes))

    def _about(self, http: HttpRequest, catalog: Catalog) -> HttpAnswer | None:
        """The answer to a question about the API itself, or None if it is about objects."""
        path = http.path.strip("/")
        if path == "version":
            return HttpAnswer(200, spelled(VERSION))
        if path in ("healthz", "livez", "readyz"):
            return HttpAnswer(200, b"ok", "text/plain")
        if path == "openapi/v3":
            return HttpAnswer(200, spelled(index_v3(self._base, catalog)))
        if path.startswith("openapi/v3/"):
            document = document_v3(path.removeprefix("openapi/v3/"), catalog)
            if document is None:
                return plain_status(404, "NotFound", "the server could not find the requested resource")
            return HttpAnswer(200, spelled(document))
        if path == "openapi/v2":
            if "protobuf" in http.accept:
                return HttpAnswer(200, EMPTY_V2, PROTOBUF_V2)
            return HttpAnswer(200, spelled(document_v2()))
        found = discover(path, http.accept, catalog) if http.method == "GET" else None
        return HttpAnswer(200, spelled(found[0]), found[1]) if found is not None else None

    def _body(self, http: HttpRequest, target: Target) -> Value:
        kind = http.content_type.split(";")[0].strip().lower()
        if kind == PROTOBUF:
            return decode_protobuf(http.body)
        accepted = ("application/json", "application/yaml", *((PROTOBUF,) if target.info.custom is None else ()))
        # The reference takes a body without a type; a web page can send such a one to any server: refused here.
        if http.method in ("POST", "PUT") and kind not in accepted:
            raise UnsupportedMediaType(http.content_type, accepted)
        return body_of(http)

    def _request(self, http: HttpRequest, target: Target, body: Value) -> Request:
        request = engine_request(http, target, body)
        if http.method == "POST" and not target.name:
            body = _generated(_parsed(body, http), target)
            return Request(
                "POST",
                target.info.gvk,
                "",
                target.namespace,
                content_type=request.content_type,
                body=body,
                query=request.query,
                user_agent=request.user_agent,
            )
        return request

    def _check_namespace(self, http: HttpRequest, target: Target) -> None:
        """Return if what a write would create has a namespace to be in.

        Raises:
            NotFound: it has not.
        """
        creates = http.method in ("POST", "PUT") or (http.method == "PATCH" and "apply" in http.content_type)
        if creates and target.info.namespaced and not self._workspace.has_namespace(target.namespace):
            raise NotFound("namespaces", "", target.namespace)

    def _watch(self, http: HttpRequest, target: Target) -> Iterator[bytes]:
        """The lines of a watch; what is refused is refused before the first of them."""
        stop = _seconds(http.parameters.get("timeoutSeconds", ""))
        request = engine_request(http, target, None)
        call = self._workspace.server.collection(request)
        events, revision = call.past_events()

        def line(event: Event) -> bytes:
            if wants_table(http.accept) and event.type != "ERROR":
                rows = table(
                    [event.object], target.info, {}, self._now(), http.parameters.get("includeObject", "Metadata")
                )
                return spelled({"type": event.type, "object": rows})
            if wanted_partial(http.accept) and event.type != "ERROR":
                return spelled({"type": event.type, "object": partial(event.object, OBJECT)})
            return spelled(event.as_object())

        def lines() -> Iterator[bytes]:
            nonlocal revision
            yield from map(line, events)
            if revision < 0:
                return
            waited = quiet = 0.0
            bookmarks = http.parameters.get("allowWatchBookmarks") in ("1", "true")
            while (stop is None or waited < stop) and not self._workspace.closed:
                pause = min(0.5, stop - waited) if stop is not None else 0.5
                before = revision
                try:
                    changes = self._workspace.changes_after(revision, pause)
                except (TooOld, StoreFailed) as error:
                    yield spelled({"type": "ERROR", "object": _gone() if isinstance(error, TooOld) else _failed(error)})
                    return
                if changes:
                    revision = max((change.revision for change in changes), default=revision)
                    found = call.watch().events(changes)
                    yield from map(line, found)
                    quiet = 0.0 if found else quiet
                if revision == before:
                    waited, quiet = waited + pause, quiet + pause
                if quiet >= HEARTBEAT_SECONDS:
                    quiet = 0.0
                    yield spelled(_bookmark(target, revision)) if bookmarks else b"\n"

        return lines()


def _refused(error: Exception) -> HttpAnswer:
    if isinstance(error, NotAcceptable):
        return plain_status(406, "NotAcceptable", str(error))
    return refusal(error) if isinstance(error, EngineError) else unavailable(error)


def _check_version(http: HttpRequest, target: Target) -> None:
    """Return if a list is asked for at a resourceVersion that can be one.

    Raises:
        BadRequest: it cannot.
    """
    text = http.parameters.get("resourceVersion", "")
    if http.method == "GET" and not target.name and text and not (text.isascii() and text.isdecimal()):
        reason = f'strconv.ParseUint: parsing "{text}": invalid syntax'
        raise BadRequest(f'resourceVersion: Invalid value: "{text}": {reason}')


def _parsed(body: Value, http: HttpRequest) -> Value:
    """A body's value where that can be read here; the engine says what is wrong with any other."""
    if not isinstance(body, str):
        return body
    try:
        return parse_yaml(body) if "yaml" in http.content_type else parse_json(body)
    except EngineError:
        return body


def _generated(body: Value, target: Target) -> Value:
    """A body with a name, if it asks for one to be made."""
    if not isinstance(body, dict):
        return body
    metadata = metadata_of(body)
    prefix = metadata.get("generateName")
    if metadata.get("name") or not isinstance(prefix, str) or not prefix:
        return body
    return {**body, "metadata": {**metadata, "name": prefix + _suffix()}}


def _suffix() -> str:
    """Five characters that make a name unlike others, of those that make no words."""

    return "".join(choice("bcdfghjklmnpqrstvwxz2456789") for _ in range(5))


def _allowed(http: HttpRequest, target: Target) -> Object:
    """The answer to whoever asks whether they may do something: here everybody may do everything.

    Raises:
        BadRequest: the question is no object. In protobuf, which kubectl asks in, it is not read.
    """
    gvk = target.info.gvk
    asked: Value = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {}, "spec": {}}
    if not http.content_type.lower().startswith(PROTOBUF):
        asked = _parsed(body_of(http), http)
    if not isinstance(asked, dict):
        raise BadRequest("the body must be an object")
    return {**asked, "status": {"allowed": True}}


def _is_set(text: str | None) -> bool:
    """True if a parameter is there and not false, as the reference reads truth values."""
    return text is not None and text.lower() not in ("0", "false")


def _seconds(text: str) -> float | None:
    """How long a watch lasts: None without end, as the reference takes a zero.

    Raises:
        BadRequest: that is no number.
    """
    if not text:
        return None
    try:
        seconds = int(text[:19])
    except ValueError:
        raise BadRequest(f'strconv.ParseInt: parsing "{text}": invalid syntax') from None
    return max(0.0, float(seconds)) if seconds else None


def _bookmark(target: Target, revision: int) -> Object:
    gvk = target.info.gvk
    obj = {"kind": gvk.kind, "apiVersion": gvk.api_version, "metadata": {"resourceVersion": str(revision)}}
    return {"type": "BOOKMARK", "object": obj}


def _failed(error: StoreFailed) -> Object:
    status: Object = json.loads(unavailable(error).body)
    return status


def _gone() -> Object:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": _EXPIRED,
        "reason": "Expired",
        "code": 410,
    }
