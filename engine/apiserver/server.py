"""The API server: one request in, one answer out, objects in a store.

A write goes one way: the options are checked, the body is read, the new object is made of the live one, ownership is
booked, what the write may not change is put back, the result is checked, and it is stored unless nothing changed
(`call.py` tells it step by step). If somebody else wrote the object meanwhile, all of it is done again with what they
wrote, so that a write without a condition succeeds, and one with a condition finds that it does not hold.

Source: the request handlers and the generic registry of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.apiserver.call import Call
from engine.apiserver.collection_call import CollectionCall
from engine.apiserver.controllers import FLOW_SCHEMA_CONSUMER, flow_schema_status
from engine.apiserver.failures import MethodNotAllowed, StaleVersion, UnknownKind
from engine.apiserver.parts import WRITABLE
from engine.apiserver.request import Request, Response
from engine.apiserver.scale_call import ScaleCall
from engine.apiserver.status import status_of
from engine.apiserver.storage import Clock, MemoryStore, ObjectKey, ObjectStore, Raced
from engine.errors import EngineError
from engine.meta.object_meta import text_of
from engine.patch.patch_type import PatchType
from engine.schema.catalog import Catalog, KindInfo

NewUid = Callable[[], str]
"""Returns an identifier that no other object has."""

ATTEMPTS = 1 + 5
"""How often a write is tried that others come before: the API server's patch handler tries again five times."""


class APIServer:
    """Serves the kinds of a catalog from a store. clock and new_uid are the only sources of time and identity."""

    def __init__(self, catalog: Catalog, clock: Clock, new_uid: NewUid, store: ObjectStore | None = None) -> None:
        self.catalog = catalog
        self.store: ObjectStore = store if store is not None else MemoryStore()
        self._clock, self._new_uid = clock, new_uid

    def handle(self, request: Request) -> Response:
        """Return the answer to a request; a refusal is a Status, never an exception of the engine's."""
        warnings: list[str] = []
        try:
            response = self.answer(request, warnings)
        except EngineError as error:
            status = status_of(error)
            return Response(status["code"], status, tuple(warnings), error)
        return Response(response.code, response.body, tuple(warnings))

    def answer(self, request: Request, warnings: list[str]) -> Response:
        """Return the answer to a request that is not refused; what the server warns of is added to `warnings`.

        Raises:
            EngineError: it is refused; status_of tells the Status.
        """
        info = self.catalog.kind(request.gvk)
        if info is None or (request.subresource and request.subresource not in info.subresources):
            raise UnknownKind(request.gvk)
        response = self._settled(request, info, warnings)
        self._follow_up(request, response)
        return response

    def _settled(self, request: Request, info: KindInfo, warnings: list[str]) -> Response:
        """The answer to a request, tried again from the start while others write the object in between.

        Raises:
            StaleVersion: others came first every time.
        """
        warned_before = len(warnings)
        for _ in range(ATTEMPTS):
            del warnings[warned_before:]
            try:
                return self._dispatch(self._call(request, info, warnings))
            except Raced as error:
                raced = error.key
        raise StaleVersion(raced.resource, raced.group, raced.name)

    def _call(self, request: Request, info: KindInfo, warnings: list[str]) -> Call:
        if request.subresource == "scale":
            return ScaleCall(self, request, info, warnings)
        if not request.name and request.method in ("GET", "DELETE"):
            return CollectionCall(self, request, info, warnings)
        return Call(self, request, info, warnings)

    def collection(self, request: Request) -> CollectionCall:
        """Return a request to a collection, for what is more than one answer: a watch.

        Raises:
            UnknownKind: the kind is not served.
        """
        info = self.catalog.kind(request.gvk)
        if info is None:
            raise UnknownKind(request.gvk)
        return CollectionCall(self, request, info, [])

    def _dispatch(self, call: Call) -> Response:
        request = call.request
        if request.subresource and request.subresource not in WRITABLE:
            raise MethodNotAllowed(request.method, f"{call.info.resource}/{request.subresource}")
        if request.method == "GET":
            return call.get()
        if request.method == "POST" and not request.subresource:
            return call.create()
        if request.method == "PUT":
            return call.update()
        if request.method == "PATCH":
            return call.patch()
        if request.method == "DELETE" and not request.subresource:
            return call.delete()
        raise MethodNotAllowed(request.method, call.info.resource)

    def _follow_up(self, request: Request, response: Response) -> None:
        """Do what the server does of its own accord after a write."""
        written = request.method in ("POST", "PUT", "PATCH") and not request.dry_run
        if not written or request.gvk.kind != "FlowSchema" or not isinstance(response.body, dict):
            return
        level = self.catalog.kind(type(request.gvk)(request.gvk.group, request.gvk.version, _LEVEL))
        stored = self.store.list_objects(level.gvk.group, level.resource, "") if level is not None else ()
        status = flow_schema_status(response.body, frozenset(text_of(o, "name") for o in stored), self.now())
        if status is not None:
            self.handle(
                Request(
                    "PATCH",
                    request.gvk,
                    text_of(response.body, "name"),
                    subresource="status",
                    content_type=PatchType.APPLY.value,
                    body=status,
                    query={"fieldManager": FLOW_SCHEMA_CONSUMER, "force": "true"},
                )
            )

    def key(self, info: KindInfo, namespace: str, name: str) -> ObjectKey:
        """Return where an object of a kind is stored."""
        return ObjectKey(info.gvk.group, info.resource, namespace if info.namespaced else "", name)

    def now(self) -> str:
        """Return the current moment."""
        return self._clock()

    def uid(self) -> str:
        """Return a new identifier."""
        return self._new_uid()


_LEVEL = "PriorityLevelConfiguration"


def new_server(catalog: Catalog, clock: Clock, new_uid: NewUid) -> APIServer:
    """Return a server with an empty store in memory."""
    return APIServer(catalog, clock, new_uid)
