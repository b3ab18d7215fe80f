"""A result of the playground -> an object of a workspace, with its owners as they are.

A POST would make the poster an owner of every field; so the object is checked as a POST would be, by a dry run, and
then laid into the store as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from engine.apiserver.request import Request, Response
from engine.apiserver.storage import Raced
from engine.apiserver.strategies import strategy_of
from engine.errors import EngineError
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import text_of, with_metadata, without_metadata
from engine.schema.catalog import KindInfo
from engine.schema.structural import MalformedDefinition
from engine.value.limits import Limits
from engine.value.model import Object
from web import messages
from web.contexts import Draft
from web.deadline import Deadline
from web.evaluating import evaluated, uid_of
from web.forms import Unusable, read_write
from web.translation import gettext as _
from web.workspaces import Workspace, rfc3339
from web.workspaces.workspace import DEFINITION, NAMESPACE

_AGENT = "patchyard-playground/1"
_ATTEMPTS = 5


@dataclass(eq=False)
class NotStored(Exception):
    """Why there is nothing to store, or why it cannot be stored."""

    sentence: str

    def __str__(self) -> str:
        return self.sentence


def store_result(workspace: Workspace, draft: Draft, limits: Limits, deadline: Deadline, now: datetime) -> None:
    """Lay what the write of a draft leaves into a workspace; where there is no write, the live object.

    Raises:
        NotStored: there is no result, or the workspace does not take it.
        QuotaExceeded: there would be too much.
        StoreFailed: the store cannot be written now.
        TimeUp: the write takes too long; nothing is stored.
    """
    with deadline.within():
        obj, definitions = _result(draft, limits, now)
    for definition in definitions:
        told = _post(workspace, Request("POST", DEFINITION, text_of(definition, "name"), body=definition))
        if told.code not in (201, 409):
            raise NotStored(_refusal(told))
    info = workspace.catalog.kind(gvk_of(obj))
    if info is None:
        kind = f"{obj.get('kind', '')} ({obj.get('apiVersion', '')})"
        raise NotStored(_("The workspace has no kind %(kind)s. Paste its definition under the live object.", kind=kind))
    _lay(workspace, info, obj, now)


def _result(draft: Draft, limits: Limits, now: datetime) -> tuple[Object, tuple[Object, ...]]:
    try:
        write = read_write(draft, limits)
        if write.body is None:
            obj = write.live
        else:
            done = evaluated(write, now)
            if done.after is None:
                raise NotStored(_refusal(Response(done.code, done.body)))
            obj = done.after
    except Unusable as error:
        raise NotStored(error.problems[0].message) from None
    except MalformedDefinition as error:
        raise NotStored(messages.sentence(error, "crds")) from None
    except EngineError as error:
        raise NotStored(messages.sentence(error, "body")) from None
    if obj is None:
        raise NotStored(_("There is nothing to store yet: write an object, or something that is to become of one."))
    return obj, write.crds


def _lay(workspace: Workspace, info: KindInfo, obj: Object, now: datetime) -> None:
    namespace = (text_of(obj, "namespace") or "default") if info.namespaced else ""
    name, moment = text_of(obj, "name"), rfc3339(now)
    if namespace and not workspace.has_namespace(namespace):
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
        _post(workspace, Request("POST", NAMESPACE, namespace, body=body))
    new = without_metadata(obj, "resourceVersion")
    trial = _post(workspace, Request("POST", info.gvk, name, namespace, body=new, query={"dryRun": "All"}))
    if trial.code not in (201, 409):
        raise NotStored(_refusal(trial))
    given = {"uid": text_of(new, "uid") or uid_of(new)}
    given["creationTimestamp"] = text_of(new, "creationTimestamp") or moment
    if namespace:
        given["namespace"] = namespace
    stored = strategy_of(info).to_store(with_metadata(new, **given))
    key = workspace.server().key(info, namespace, name)
    for attempt in range(_ATTEMPTS):
        there = workspace.store.get(key)
        try:
            laid = workspace.store.put(key, stored, text_of(there, "resourceVersion") if there is not None else None)
            break
        except Raced as error:
            if attempt == _ATTEMPTS - 1:
                raise NotStored(str(error)) from None
    path = "/".join(filter(None, (info.resource, namespace, name)))
    code, revision = (201 if there is None else 200), int(text_of(laid, "resourceVersion"))
    workspace.journal.add(moment, "STORE", path, "", code, (revision,))


def _post(workspace: Workspace, request: Request) -> Response:
    asked = Request(
        request.method,
        request.gvk,
        request.name,
        request.namespace,
        body=request.body,
        query=request.query,
        user_agent=_AGENT,
    )
    return workspace.handle(asked)[0]


def _refusal(response: Response) -> str:
    message = response.body.get("message", "") if isinstance(response.body, dict) else ""
    return _("The API server refuses this object, so it is not stored: %(message)s", message=message)
