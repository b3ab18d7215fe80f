"""The API of one workspace: an HTTP request in, an answer or a stream of watch events out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from secrets import choice

from engine.apiserver.failures import BadRequest, NotFound, UnsupportedMediaType
from engine.apiserver.request import Request
from engine.apiserver.storage import ObjectKey
from engine.errors import EngineError
from engine.meta.object_meta import metadata_of
from engine.schema.catalog import Catalog
from engine.value.failures import LimitExceeded
from engine.value.limits import DEFAULT_LIMITS, Limits, check_shape
from engine.value.model import Value
from web.deadline import ENDLESS, Deadline, TimeUp
from web.kubeapi.authorization import REVIEWS, check_rights, reviewed, verb_of
from web.kubeapi.bodies import body_value
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
from web.kubeapi.partial import NotAcceptable
from web.kubeapi.paths import Target, parse_path
from web.kubeapi.protobuf import PROTOBUF, decode_protobuf
from web.kubeapi.watching import is_watch, watch_lines
from web.limits import SECONDS
from web.storage.failure import StoreFailed
from web.storage.quota import QuotaExceeded
from web.workspaces import ALL, Rights, Workspace, rfc3339

Now = Callable[[], datetime]
_TIMED_OUT = "Timeout: request did not complete within requested timeout - context deadline exceeded"
"""Source: the API server's timeout filter, Kubernetes 1.36."""


class Api:
    """Answers requests to one workspace. base is the path before it; warning is told with every answer.

    limits bound what is sent, and deadline how long an answer is worked on.
    """

    def __init__(
        self,
        workspace: Workspace,
        base: str,
        now: Now,
        rights: Rights = ALL,
        warning: str = "",
        limits: Limits = DEFAULT_LIMITS,
        deadline: Deadline = ENDLESS,
    ) -> None:
        self._workspace, self._base, self._now, self._rights = workspace, base, now, rights
        self._warnings = (warning,) if warning else ()
        self._limits, self._deadline = limits, deadline

    def handle(self, http: HttpRequest, is_gone: Callable[[], bool] = lambda: False) -> HttpAnswer | Iterator[bytes]:
        """Return the answer, or the lines of a watch, which ends once its client is gone."""
        try:
            catalog = self._workspace.catalog
            told = self._about(http, catalog)
        except (EngineError, StoreFailed) as error:
            return _refused(error)
        return told if told is not None else self._noted(http, catalog, is_gone)

    def _noted(self, http: HttpRequest, catalog: Catalog, is_gone: Callable[[], bool]) -> HttpAnswer | Iterator[bytes]:
        """The answer to a request about objects, which those who look on are told of."""
        told: HttpAnswer | Iterator[bytes]
        try:
            with self._deadline.within():
                told = self._handle(http, catalog, is_gone)
        except (EngineError, StoreFailed, QuotaExceeded) as error:
            told = _refused(error)
        except TimeUp:
            told = plain_status(504, "Timeout", f"{_TIMED_OUT} (the setting {SECONDS}: {self._deadline.seconds:g} s)")
        said = told if isinstance(told, HttpAnswer) else HttpAnswer(200, b"")
        path = f"{http.path}?{http.query}" if http.query else http.path
        kind, moment = http.content_type if http.body else "", rfc3339(self._now())
        self._workspace.journal.add(moment, http.method, path, kind, said.code, said.revisions, http.body, said.body)
        if self._warnings and isinstance(told, HttpAnswer):
            return replace(told, warnings=(*told.warnings, *self._warnings))
        return told

    def _handle(self, http: HttpRequest, catalog: Catalog, is_gone: Callable[[], bool]) -> HttpAnswer | Iterator[bytes]:
        target = parse_path(http.path, catalog)
        if target is None:
            return plain_status(404, "NotFound", "the server could not find the requested resource")
        if target.info.gvk.kind in REVIEWS and http.method == "POST":
            asked = body_value(self._body(http, target), http, self._limits)
            return HttpAnswer(201, spelled(reviewed(asked, target, self._rights)))
        check_rights(self._rights, verb_of(http, target), target)
        if is_watch(http, target):
            return watch_lines(self._workspace, http, target, self._now, is_gone)
        _check_version(http, target)
        body = self._body(http, target)
        self._check_namespace(http, target)
        wanted = replace(self._request(http, target, body), limits=self._limits)
        response, revisions = self._workspace.handle(wanted, self._creation_check(target), self._deadline.settle)
        if response.code == 201 and http.method != "POST":
            check_rights(self._rights, "create", target)  # a dry run, which stored nothing
        return replace(answer(response, http, target.info, self._now()), revisions=revisions)

    def _creation_check(self, target: Target) -> Callable[[ObjectKey], None] | None:
        """What refuses that a PATCH or PUT makes an object, for those who may not create; the reference does so too."""
        if self._rights.allows("create"):
            return None
        return lambda _: check_rights(self._rights, "create", target)

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
            if len(http.body) > self._limits.max_bytes:
                raise LimitExceeded("bytes", self._limits.max_bytes, len(http.body))
            value = decode_protobuf(http.body)
            check_shape(value, self._limits)
            return value
        accepted = ("application/json", "application/yaml", *((PROTOBUF,) if target.info.custom is None else ()))
        # The reference takes a body without a type; a web page can send such a one to any server: refused here.
        if http.method in ("POST", "PUT") and kind not in accepted:
            raise UnsupportedMediaType(http.content_type, accepted)
        return body_of(http)

    def _request(self, http: HttpRequest, target: Target, body: Value) -> Request:
        request = engine_request(http, target, body)
        if http.method == "POST" and not target.name:
            body = _generated(body_value(body, http, self._limits), target)
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
