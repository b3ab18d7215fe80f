"""One write on one object, without a server to keep: what a person types in, all that comes of it out.

A pasted object goes the way that every write goes: it is put into a throw-away store, and the write is a request to a
server over it. What an API server would have given the object and the person left out (uid, resourceVersion, time of
creation) is made up for the request and taken out of the result again, so that nothing shows that nobody wrote.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum

from engine.apiserver.request import Request, Response
from engine.apiserver.server import APIServer
from engine.apiserver.status import spell_manager, status_of
from engine.apiserver.storage import MemoryStore
from engine.apiserver.strategies import strategy_of
from engine.clientapply.client import MANAGER as CLIENT_SIDE_APPLY
from engine.clientapply.client import ClientApply, SentRequest
from engine.errors import EngineError
from engine.fieldpath.element import Path, render_path
from engine.json_patch.diff import diff
from engine.json_patch.numbering import Numbers
from engine.json_patch.options import BySchema, Options, Root
from engine.merge.conflict import Conflict, Conflicts
from engine.meta.gvk import GroupVersionKind, gvk_of
from engine.meta.manager import ManagerIdentifier
from engine.meta.object_meta import metadata_of, text_of, without_metadata
from engine.patch.patch_type import PatchType
from engine.schema.catalog import Catalog, CustomResource, KindInfo, builtin_catalog
from engine.schema.elements import TypeRef
from engine.schema.structural import custom_type, kinds_of_definition
from engine.typed.locate import Locator
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import MISSING, Missing, Object, Value

DEFAULT_NAMESPACE = "default"
DEFAULT_NAME = "unnamed"
DEFAULT_MANAGER = "patchyard"
"""The manager of a write that names none."""
_MADE_UP_VERSION = "1000000"
_FREE_FORM: Object = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


class WriteKind(Enum):
    """The ways of writing that Kubernetes knows, by the name that forms and commands use."""

    APPLY = "apply"
    STRATEGIC_MERGE = "strategic"
    JSON_MERGE = "merge"
    JSON_PATCH = "json-patch"
    UPDATE = "update"
    CREATE = "create"
    CLIENT_APPLY = "kubectl-apply"


PATCH_TYPES = {
    WriteKind.APPLY: PatchType.APPLY,
    WriteKind.STRATEGIC_MERGE: PatchType.STRATEGIC_MERGE,
    WriteKind.JSON_MERGE: PatchType.JSON_MERGE,
    WriteKind.JSON_PATCH: PatchType.JSON_PATCH,
}


@dataclass(frozen=True, slots=True)
class Write:
    """What a person asks for: a live object (None: there is none yet), and what to write to it, how, and as whom.

    body is the intent, patch or object. crds are CustomResourceDefinitions whose kinds are served beside the built-in
    ones; an object of any other kind, or of none, is taken without a schema. overwrite is kubectl apply's: whether the
    manifest wins over what others changed since it was applied last. limits bound what the write may make.
    """

    kind: WriteKind
    live: Object | None
    body: Value
    crds: tuple[Object, ...] = ()
    manager: str = ""
    force: bool = False
    dry_run: bool = False
    subresource: str = ""
    field_validation: str = "Warn"
    overwrite: bool = True
    limits: Limits = DEFAULT_LIMITS

    @property
    def writer(self) -> str:
        """The manager's name: the one given, else kubectl's own for kubectl apply, else that of this project."""
        return self.manager or (CLIENT_SIDE_APPLY if self.kind is WriteKind.CLIENT_APPLY else DEFAULT_MANAGER)


@dataclass(frozen=True, slots=True)
class ConflictView:
    """One field that the write would change and that somebody else owns; MISSING where a side has no value."""

    manager: str
    operation: str
    api_version: str
    subresource: str
    field: Path
    live: Value | Missing
    intended: Value | Missing
    message: str

    @property
    def path(self) -> str:
        """The field as the reference spells it: `.spec.ports[port=80].name`."""
        return render_path(self.field)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All that comes of a write.

    code, body and warnings are the API server's answer. before and after are the object as it was and is (None: there
    is none; after is None, too, if the write was refused). json_patch turns before into after, managedFields left out
    of both. request_sent is what kubectl sends for a `kubectl apply`, None for other writes. type is the object's.
    """

    code: int
    body: Value
    warnings: tuple[str, ...]
    before: Object | None
    after: Object | None
    json_patch: list[Object]
    conflicts: tuple[ConflictView, ...]
    request_sent: Object | None
    type: TypeRef


def evaluate(write: Write, *, now: datetime, new_uid: Callable[[], str]) -> Evaluation:
    """Return what comes of a write. Nothing that a person can type raises here, but for CRDs that are none.

    Raises:
        MalformedDefinition: one of `crds` defines no kind.
    """
    target = _Target.of(write)
    attempt = _Attempt(write, target, now, new_uid)
    response, conflicts, sent = attempt.answer()
    before = _without_made_up(attempt.live, write.live, target.invented)
    body = response.body
    if isinstance(body, dict) and response.code < 300:
        body = _without_made_up(body, write.live, target.invented)
    after = body if response.code < 300 and isinstance(body, dict) else None
    if after is not None and write.subresource == "scale":
        # The answer is a Scale; the object behind it is what the page follows.
        after = _without_made_up(attempt.scaled(), write.live, target.invented)
    type_ref = target.info.type
    patch = diff(_shown(before), _shown(after), _told(type_ref)) if after is not None else []
    live, intended = Locator(attempt.live or MISSING, type_ref), Locator(write.body, type_ref)
    views = tuple(_view(each, live, intended) for each in conflicts)
    return Evaluation(response.code, body, response.warnings, before, after, patch, views, sent, type_ref)


@dataclass(frozen=True, slots=True)
class _Target:
    """The object that a write is to: its kind in a catalog, its name and namespace, and which of these were made up."""

    catalog: Catalog
    info: KindInfo
    name: str
    namespace: str
    invented: frozenset[str]

    @staticmethod
    def of(write: Write) -> _Target:
        catalog = builtin_catalog()
        for crd in write.crds:
            catalog = catalog.with_kinds(kinds_of_definition(crd))
        said = write.body if isinstance(write.body, dict) else {}
        told = gvk_of(said)
        whole = write.kind in (WriteKind.APPLY, WriteKind.UPDATE, WriteKind.CREATE, WriteKind.CLIENT_APPLY)
        gvk = gvk_of(write.live) if write.live is not None else told
        if whole and told.kind and (told.group, told.kind) == (gvk.group, gvk.kind):
            gvk = told
        info = catalog.kind(gvk)
        invented = set()
        if info is None:
            info = free_form_kind(gvk)
            catalog = catalog.with_kinds((info,))
            invented |= {name for name in ("apiVersion", "kind") if write.live is None or name not in write.live}
        holder = write.live if write.live is not None else said
        name = text_of(holder, "name")
        namespace = text_of(holder, "namespace") or (DEFAULT_NAMESPACE if info.namespaced else "")
        if write.live is not None and "metadata" not in write.live:
            invented.add("metadata")
        return _Target(catalog, info, name or DEFAULT_NAME, namespace, frozenset(invented))


def free_form_kind(gvk: GroupVersionKind) -> KindInfo:
    """Return a kind of which nothing is known: any field goes, lists are owned whole, maps member by member."""
    gvk = GroupVersionKind(gvk.group, gvk.version or "v1", gvk.kind or "Object")
    return KindInfo(
        gvk=gvk,
        resource=gvk.kind.lower() + "s",
        singular=gvk.kind.lower(),
        namespaced=True,
        type=custom_type(_FREE_FORM),
        subresources=("status",),
        has_generation=True,
        custom=CustomResource(_FREE_FORM),
    )


class _Attempt:
    """One write against a throw-away server."""

    def __init__(self, write: Write, target: _Target, now: datetime, new_uid: Callable[[], str]) -> None:
        self.write, self.target = write, target
        moment = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.store = MemoryStore(_revision_of(write.live))
        self.server = APIServer(target.catalog, lambda: moment, new_uid, self.store)
        self.live = self._load(moment, new_uid)
        self._asked: Request | None = None

    def _load(self, moment: str, new_uid: Callable[[], str]) -> Object | None:
        """Put the live object into the store, as a server would hold it."""
        live = self.write.live
        if live is None:
            return None
        made_up = {
            "name": self.target.name,
            "uid": new_uid() if not text_of(live, "uid") else "",
            "resourceVersion": _MADE_UP_VERSION,
            "creationTimestamp": moment,
        }
        if self.target.info.namespaced:
            made_up["namespace"] = self.target.namespace
        gvk = gvk_of(live)
        envelope = {"apiVersion": gvk.api_version or self.target.info.gvk.api_version, "kind": gvk.kind or "Object"}
        held = {**live, **envelope, "metadata": {**made_up, **metadata_of(live)}}
        info = self.target.info
        self.store.load(self.server.key(info, self.target.namespace, self.target.name), held)
        return held

    def answer(self) -> tuple[Response, tuple[Conflict[ManagerIdentifier], ...], Object | None]:
        """Return the server's answer, the conflicts that made it refuse, and what kubectl sent."""
        warnings: list[str] = []
        sent: SentRequest | None = None
        conflicts: tuple[Conflict[ManagerIdentifier], ...] = ()
        try:
            if self.write.kind is WriteKind.CLIENT_APPLY:
                sent = self._client().request(self.live, self.write.body, overwrite=self.write.overwrite)
                response = self._client_answer(sent, warnings)
            else:
                self._check_live()
                response = self._ask(self._request(), warnings)
        except EngineError as error:
            if isinstance(error, Conflicts):
                conflicts = error.conflicts
            status = status_of(error)
            response = Response(status["code"], status)
        told = sent.as_object() if sent is not None else None
        return Response(response.code, response.body, tuple(warnings)), conflicts, told

    def _check_live(self) -> None:
        """Read the live object as its type is, for an apply that may leave it as it is: a server holds no other.

        Raises:
            Undecodable, MalformedQuantity: it does not fit its type.
        """
        if self.write.kind is WriteKind.APPLY and self.live is not None and self.target.info.custom is None:
            strategy_of(self.target.info).decode(self.live)

    def scaled(self) -> Object | None:
        """Return the object as a write through /scale leaves it, also where that is only a dry run."""
        if self.write.dry_run and self._asked is not None:
            self.server.answer(replace(self._asked, query={**self._asked.query, "dryRun": ""}), [])
        return self.store.get(self.server.key(self.target.info, self.target.namespace, self.target.name))

    def _client(self) -> ClientApply:
        return ClientApply(self.target.info, self.target.namespace)

    def _client_answer(self, sent: SentRequest, warnings: list[str]) -> Response:
        if sent.method is None:
            return Response(200, self.live, ())
        return self._ask(self._request(sent.method, sent.content_type, sent.body), warnings)

    def _ask(self, request: Request, warnings: list[str]) -> Response:
        self._asked = request
        return self.server.answer(request, warnings)

    def _request(self, method: str = "", content_type: str = "", body: Value = None) -> Request:
        write, patch_type = self.write, PATCH_TYPES.get(self.write.kind)
        named = write.manager or write.kind is WriteKind.CLIENT_APPLY
        query = {"fieldManager": write.writer} if named else {}
        query["fieldValidation"] = write.field_validation or "Warn"
        if write.dry_run:
            query["dryRun"] = "All"
        if write.force:
            query["force"] = "true"
        plain = {WriteKind.UPDATE: "PUT", WriteKind.CREATE: "POST"}.get(write.kind, "PATCH")
        return Request(
            method=method or plain,
            gvk=self.target.info.gvk,
            name="" if write.kind is WriteKind.CREATE else self.target.name,
            namespace=self.target.namespace,
            subresource=write.subresource,
            content_type=content_type or (patch_type.value if patch_type else "application/json"),
            body=body if method else write.body,
            query=query,
            user_agent=f"{DEFAULT_MANAGER}/1",
            limits=write.limits,
        )


def _revision_of(live: Object | None) -> int:
    """The revision that a store is at which holds the live object."""
    version = text_of(live, "resourceVersion") if live is not None else ""
    return int(version) if version.isdecimal() and len(version) < 19 else int(_MADE_UP_VERSION)


def _without_made_up(obj: Object | None, typed: Object | None, invented: frozenset[str]) -> Object | None:
    """Return an object without what was made up because the live one, as it was typed, did not have it."""
    if obj is None or typed is None:
        return obj
    given = metadata_of(typed)
    names = ("uid", "resourceVersion", "creationTimestamp", "generation", "namespace", "name")
    obj = without_metadata(obj, *(name for name in names if name not in given))
    dropped = {name for name in invented if name != "metadata" or not metadata_of(obj)}
    return {name: value for name, value in obj.items() if name not in dropped}


def _shown(obj: Object | None) -> Object | None:
    return without_metadata(obj, "managedFields") if obj is not None else None


def _told(type_ref: TypeRef) -> Options:
    """Return how the change is told: field by field, keyed items by their keys, nothing as moved from elsewhere."""
    return Options(transfers=frozenset(), lists=BySchema(type_ref), root=Root.KEPT, numbers=Numbers.ALIKE)


def _view(conflict: Conflict[ManagerIdentifier], live: Locator, intended: Locator) -> ConflictView:
    manager = conflict.manager
    return ConflictView(
        manager=manager.manager,
        operation=manager.operation,
        api_version=manager.api_version,
        subresource=manager.subresource,
        field=conflict.path,
        live=live.value(conflict.path),
        intended=intended.value(conflict.path),
        message=f"conflict with {spell_manager(manager)}",
    )
