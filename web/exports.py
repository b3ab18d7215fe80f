"""A draft as something to run or to paste elsewhere: a kubectl command, curl, Python, a block of Markdown."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from engine.evaluation import DEFAULT_NAMESPACE, PATCH_TYPES, Evaluation, Write, WriteKind, free_form_kind
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import text_of
from engine.schema.catalog import KindInfo
from engine.schema.structural import catalog_with
from engine.value.codec import render_json
from engine.value.limits import Limits
from engine.value.model import Object
from web import messages
from web.contexts import Draft
from web.evaluating import evaluated
from web.forms import KIND_LABELS, read_write
from web.translation import gettext

_PATCH_NAMES = {WriteKind.STRATEGIC_MERGE: "strategic", WriteKind.JSON_MERGE: "merge", WriteKind.JSON_PATCH: "json"}


@dataclass(frozen=True, slots=True)
class _Order:
    """A write with what the texts need of it: the object's kind, name and namespace, and the body as it was typed."""

    write: Write
    info: KindInfo
    name: str
    namespace: str
    body: str
    done: Evaluation


def exported(draft: Draft, limits: Limits, now: datetime) -> dict[str, str]:
    """Return every text, by the name of its form.

    Raises:
        Unusable, EngineError: the draft is no request.
    """
    order = _order(draft, limits, now)
    return {name: make(order) for name, make in FORMS.items()}


def _order(draft: Draft, limits: Limits, now: datetime) -> _Order:
    write = read_write(draft, limits)
    done = evaluated(write, now)
    said: Object = write.body if isinstance(write.body, dict) else {}
    whole = write.kind not in _PATCH_NAMES
    holder = said if whole and gvk_of(said).kind else write.live or said
    catalog = catalog_with(write.crds)
    info = catalog.kind(gvk_of(holder)) or free_form_kind(gvk_of(holder))
    named = write.live if write.live is not None else holder
    namespace = text_of(named, "namespace") or (DEFAULT_NAMESPACE if info.namespaced else "")
    return _Order(write, info, text_of(named, "name") or "NAME", namespace, draft.body.rstrip("\n"), done)


def _heredoc(command: str, body: str) -> str:
    mark = "END"
    while mark in body.splitlines():
        mark += "_"
    return f"{command} <<'{mark}'\n{body}\n{mark}\n"


def kubectl(order: _Order) -> str:
    """Return the kubectl command that makes this write."""
    write = order.write
    words = ["kubectl"]
    if write.kind in _PATCH_NAMES:
        group = f".{order.info.gvk.group}" if order.info.gvk.group else ""
        words += ["patch", f"{order.info.resource}{group}/{order.name}", f"--type={_PATCH_NAMES[write.kind]}"]
        words += ["--patch-file", "/dev/stdin"]
    else:
        verb = {WriteKind.UPDATE: "replace", WriteKind.CREATE: "create"}.get(write.kind, "apply")
        words += [verb, *(["--server-side"] if write.kind is WriteKind.APPLY else []), "-f", "-"]
    if order.namespace:
        words += [f"--namespace={order.namespace}"]
    if write.manager and write.kind is not WriteKind.CLIENT_APPLY:
        words += [f"--field-manager={write.manager}"]
    words += ["--force-conflicts"] if write.force else []
    words += [f"--subresource={write.subresource}"] if write.subresource else []
    words += ["--dry-run=server"] if write.dry_run else []
    return _heredoc(" ".join(shlex.quote(word) for word in words), order.body)


def path_of(order: _Order) -> str:
    """Return the path and query of the request at an API server."""
    gvk, write = order.info.gvk, order.write
    parts = ["apis", gvk.group, gvk.version] if gvk.group else ["api", gvk.version]
    parts += ["namespaces", order.namespace] if order.namespace else []
    parts += [order.info.resource]
    parts += [] if write.kind is WriteKind.CREATE else [order.name]
    parts += [write.subresource] if write.subresource else []
    query = {"fieldManager": write.manager or "patchyard", "fieldValidation": write.field_validation}
    query |= {"force": "true"} if write.force else {}
    query |= {"dryRun": "All"} if write.dry_run else {}
    return "/" + "/".join(parts) + "?" + urlencode(query)


def curl(order: _Order) -> str:
    """Return the curl command that makes this write; $SERVER and $TOKEN are the reader's."""
    write, body = order.write, order.body
    method = {WriteKind.UPDATE: "PUT", WriteKind.CREATE: "POST"}.get(write.kind, "PATCH")
    patch_type = PATCH_TYPES.get(write.kind)
    content_type = patch_type.value if patch_type is not None else "application/yaml"
    if write.kind is WriteKind.CLIENT_APPLY:
        sent = order.done.request_sent or {}
        if not sent.get("method"):
            return "# " + gettext("kubectl apply would send nothing: nothing differs.") + "\n"
        method, content_type, body = sent["method"], sent["contentType"], render_json(sent["body"], 2)
    elif content_type not in ("application/yaml", "application/apply-patch+yaml"):
        body = render_json(write.body, 2)
    command = (
        f'curl -X {method} -H "Authorization: Bearer $TOKEN" -H "Content-Type: {content_type}" '
        f'--data-binary @- "$SERVER"{shlex.quote(path_of(order))}'
    )
    return _heredoc(command, body)


def python(order: _Order) -> str:
    """Return a program for the official Python client that makes this write."""
    write, info = order.write, order.info
    head = (
        "from kubernetes import client, config, dynamic\n\n"
        "config.load_kube_config()\n"
        "cluster = dynamic.DynamicClient(client.ApiClient())\n"
        f"resource = cluster.resources.get(api_version={info.gvk.api_version!r}, kind={info.gvk.kind!r})\n"
        f"body = {write.body!r}\n"
    )
    where = f"name={order.name!r}" + (f", namespace={order.namespace!r}" if order.namespace else "")
    manager = f"field_manager={write.manager or 'patchyard'!r}"
    if write.kind is WriteKind.APPLY:
        return f"{head}resource.server_side_apply(body=body, {where}, {manager}, force_conflicts={write.force})\n"
    patch_type = PATCH_TYPES.get(write.kind)
    if patch_type is not None:
        return f"{head}resource.patch(body=body, {where}, content_type={patch_type.value!r}, {manager})\n"
    if write.kind is WriteKind.CLIENT_APPLY:
        return "# " + gettext("kubectl apply is a client of its own: run the kubectl command.") + "\n"
    verb = "create" if write.kind is WriteKind.CREATE else "replace"
    namespace = f", namespace={order.namespace!r}" if order.namespace else ""
    return f"{head}resource.{verb}(body=body{namespace}, {manager})\n"


def markdown(order: _Order) -> str:
    """Return a block for a report: what there was, what was written, what came of it."""
    write, done = order.write, order.done
    told = (
        messages.refusal(done.body, len({each.field for each in done.conflicts}))
        if done.after is None
        else gettext("Written.")
    )
    parts = [
        gettext(
            "**%(kind)s** by `%(manager)s`: %(code)s. %(told)s",
            kind=gettext(KIND_LABELS[write.kind]),
            manager=write.manager or "patchyard",
            code=done.code,
            told=told,
        )
    ]
    if write.live is not None:
        parts += [gettext("Live object:"), _fenced(render_json(write.live, 2), "json")]
    parts += [gettext("Written:"), _fenced(order.body, "yaml")]
    parts += [gettext("Command:"), _fenced(kubectl(order).rstrip("\n"), "sh")]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str, language: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


FORMS: Mapping[str, Callable[[_Order], str]] = {
    "kubectl": kubectl,
    "curl": curl,
    "python": python,
    "markdown": markdown,
}
"""The texts, by the names that the page knows them by."""
