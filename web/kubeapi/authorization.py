"""What a request wants to do, and whether its user may: the verbs and the refusals of the reference.

Source: the request info resolver and the authorization filter of the API server, Kubernetes 1.36. Questions about the
API itself (discovery, OpenAPI, version) are answered to everybody.
"""

from __future__ import annotations

from engine.apiserver.failures import BadRequest, Forbidden
from engine.value.codec import render_json
from engine.value.model import Object, Value
from web.kubeapi.exchange import HttpRequest
from web.kubeapi.paths import Target
from web.kubeapi.watching import is_watch
from web.workspaces import Rights

REVIEWS = ("SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview")
"""Kinds that ask whether something may be done. They are answered, never stored."""
_VERBS = {"POST": "create", "PUT": "update", "PATCH": "patch"}


def verb_of(http: HttpRequest, target: Target) -> str:
    """Return the verb that a request wants, as the reference calls it."""
    if http.method == "GET":
        return "get" if target.name else "watch" if is_watch(http, target) else "list"
    if http.method == "DELETE":
        return "delete" if target.name else "deletecollection"
    return _VERBS[http.method]


def check_rights(rights: Rights, verb: str, target: Target) -> None:
    """Return if a user may do that.

    Raises:
        Forbidden: the user may not.
    """
    if rights.allows(verb):
        return
    gvk, info = target.info.gvk, target.info
    resource = f"{info.resource}/{target.subresource}" if target.subresource else info.resource
    namespace = target.name if gvk.kind == "Namespace" and not gvk.group else target.namespace
    where = f"in the namespace {_quoted(namespace)}" if namespace else "at the cluster scope"
    told = f"cannot {verb} resource {_quoted(resource)} in API group {_quoted(gvk.group)} {where}"
    raise Forbidden(info.resource, gvk.group, target.name, f"User {_quoted(rights.user)} {told}")


def reviewed(asked: Value, target: Target, rights: Rights) -> Object:
    """Return the answer to whoever asks whether they may do something.

    Raises:
        BadRequest: the question is no object.
    """
    if not isinstance(asked, dict):
        raise BadRequest("the body must be an object")
    spec = asked.get("spec")
    attributes = spec.get("resourceAttributes") if isinstance(spec, dict) else None
    verb = attributes.get("verb") if isinstance(attributes, dict) else None
    allowed = rights.is_full if verb in (None, "*") else rights.allows(str(verb))
    gvk = target.info.gvk
    question = {"apiVersion": gvk.api_version, "kind": gvk.kind, "metadata": {}, **asked}
    return {**question, "status": {"allowed": attributes is None or allowed}}


def _quoted(text: str) -> str:
    return render_json(text)
