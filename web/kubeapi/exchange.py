"""An HTTP request to a workspace's API as a request of the engine's, and its answer as HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import parse_qsl

from engine.apiserver.failures import UnprocessablePatch
from engine.apiserver.request import Request, Response
from engine.apiserver.status import status_of
from engine.errors import EngineError
from engine.json_patch.failures import TooManyOperations
from engine.schema.catalog import KindInfo
from engine.value.codec import render_json, render_yaml
from engine.value.model import Object, Value
from web.kubeapi.partial import partial, wanted_partial
from web.kubeapi.paths import Target
from web.kubeapi.table import table, wants_table
from web.limits import setting_of
from web.storage.quota import ObjectTooLarge, QuotaExceeded

JSON = "application/json"
_WRITES = ("POST", "PUT", "PATCH")


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """What came over the wire: the verb, the path below the workspace, the headers that count, the body."""

    method: str
    path: str
    query: str = ""
    content_type: str = ""
    accept: str = ""
    user_agent: str = ""
    body: bytes = b""

    @property
    def parameters(self) -> dict[str, str]:
        """The query's parameters; of several with one name the first counts."""
        found: dict[str, str] = {}
        for name, value in parse_qsl(self.query, keep_blank_values=True):
            found.setdefault(name, value)
        return found


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What goes over the wire, and what was changed before."""

    code: int
    body: bytes
    content_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    revisions: tuple[int, ...] = ()


def engine_request(http: HttpRequest, target: Target, body: Value) -> Request:
    """Return the engine's request for what an HTTP request asks of a target; body is the decoded one."""
    return Request(
        method=http.method,
        gvk=target.info.gvk,
        name=target.name,
        namespace=target.namespace,
        subresource=target.subresource,
        content_type=http.content_type or JSON,
        body=body,
        query=http.parameters,
        user_agent=http.user_agent,
    )


def body_of(http: HttpRequest) -> Value:
    """Return a request's body as the engine takes it: text, or None if there is none."""
    return http.body.decode("utf-8", "replace") if http.body else ("" if http.method in _WRITES else None)


def answer(response: Response, http: HttpRequest, info: KindInfo | None, now: datetime) -> HttpAnswer:
    """Return an engine's response as HTTP, in the form that the request's Accept header wants.

    Raises:
        NotAcceptable: it cannot take that form.
    """
    body = response.body
    if response.error is not None and isinstance(body, dict):
        body = _with_setting(body, response.error)
    if info is not None and wants_table(http.accept) and isinstance(body, dict) and response.code < 300:
        include = http.parameters.get("includeObject", "Metadata")
        if body.get("kind") == f"{info.gvk.kind}List":
            envelope = {"apiVersion": info.gvk.api_version, "kind": info.gvk.kind}
            body = table([{**envelope, **each} for each in body["items"]], info, body["metadata"], now, include)
        elif body.get("kind") == info.gvk.kind:
            body = table([body], info, {"resourceVersion": body["metadata"].get("resourceVersion", "")}, now, include)
    wanted = wanted_partial(http.accept)
    if info is not None and wanted and isinstance(body, dict) and response.code < 300 and body["kind"] != "Status":
        body = partial(body, wanted)
    headers = {"Retry-After": "1"} if response.code in (429, 503) else {}
    if _wants_yaml(http.accept):
        return HttpAnswer(response.code, render_yaml(body).encode(), "application/yaml", headers, response.warnings)
    return HttpAnswer(response.code, spelled(body), JSON, headers, response.warnings)


def spelled(value: Value) -> bytes:
    """Return a value as JSON with a line feed, as the API server sends it."""
    return (render_json(value) + "\n").encode("utf-8", "surrogatepass")


def _wants_yaml(accept: str) -> bool:
    first = accept.split(",")[0].split(";")[0].strip()
    return first == "application/yaml"


def refusal(error: EngineError, code: int | None = None) -> HttpAnswer:
    """Return a failure as the Status that it is."""
    status = _with_setting(status_of(error), error)
    if code is not None:
        status = {**status, "code": code}
    return HttpAnswer(status["code"], spelled(status))


def _with_setting(status: Object, error: EngineError) -> Object:
    """Return a Status that names the setting of the limit that it is about, unless its words are the reference's."""
    cause = error.error if isinstance(error, UnprocessablePatch) else error
    setting = setting_of(cause)
    if not setting or isinstance(error, TooManyOperations):
        return status
    told = status["message"] if cause is error else f"{status['message']}: {cause}"
    return {**status, "message": f"{told} (the setting {setting} of this server)"}


def plain_status(code: int, reason: str, message: str, headers: Mapping[str, str] | None = None) -> HttpAnswer:
    """Return a refusal that is the transport's, not the engine's."""
    status: Object = {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": message,
        "reason": reason,
        "code": code,
    }
    later = {"Retry-After": "1"} if code in (429, 503) else {}
    return HttpAnswer(code, json.dumps(status).encode() + b"\n", JSON, {**later, **(headers or {})})


def unavailable(error: Exception) -> HttpAnswer:
    """Return the refusal of what is too large (413), what there is no room for (429), or what cannot be now (503)."""
    if isinstance(error, ObjectTooLarge):
        return plain_status(413, "RequestEntityTooLarge", str(error))
    if isinstance(error, QuotaExceeded):
        return plain_status(429, "TooManyRequests", str(error))
    return plain_status(503, "ServiceUnavailable", str(error))
