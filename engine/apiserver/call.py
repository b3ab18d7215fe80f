"""One request to one object: the way of each verb, step by step.

Source: the request handlers and the generic registry of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from typing import Protocol

from engine.apiserver.deletion import check_preconditions, finalizers_of, marked, read_options
from engine.apiserver.failures import (
    AlreadyExists,
    BadRequest,
    Invalid,
    NotFound,
    StaleVersion,
    UnsupportedMediaType,
)
from engine.apiserver.options import check_options
from engine.apiserver.preconditions import check_version, restored_times, with_kept_identity
from engine.apiserver.reading import parsed, read_body
from engine.apiserver.request import Request, Response
from engine.apiserver.storage import ObjectKey, ObjectStore, Raced
from engine.apiserver.strategies import strategy_of
from engine.apiserver.strategy import Strategy
from engine.apiserver.writing import Write, applied, decoded_patch, patched, replaced
from engine.managedfields.entries import entries_of
from engine.managedfields.field_manager import FieldManager
from engine.managedfields.versions import KindVersions
from engine.meta.object_meta import metadata_of, text_of, with_metadata, without_metadata
from engine.patch.patch_type import PatchType, patch_type_of
from engine.schema import warnings
from engine.schema.catalog import Catalog, KindInfo
from engine.schema.rules.validate import rule_warnings
from engine.schema.validation.cause import Cause, with_empties
from engine.value.equality import equal
from engine.value.limits import check_managers, check_result
from engine.value.model import Object, Value

_CUSTOM_PATCHES = (PatchType.JSON_PATCH, PatchType.JSON_MERGE, PatchType.APPLY)
"""What custom resources can be patched with."""


class Server(Protocol):
    """What a request needs of the server that it came to."""

    catalog: Catalog
    store: ObjectStore

    def key(self, info: KindInfo, namespace: str, name: str) -> ObjectKey:
        """Return where an object of a kind is stored."""

    def now(self) -> str:
        """Return the current moment."""

    def uid(self) -> str:
        """Return a new identifier."""


class Call:
    """One request, with what it concerns looked up."""

    def __init__(self, server: Server, request: Request, info: KindInfo, warned: list[str]) -> None:
        self.server, self.request, self.info, self.warnings = server, request, info, warned
        self.strategy: Strategy = strategy_of(info)
        self.now = server.now()
        self.spelled: list[Value] = []
        self._read: Object | None = None
        if info.custom is None:
            self.warnings.extend(warnings.deprecation(info.gvk))

    @property
    def field_manager(self) -> FieldManager:
        """The keeper of managedFields for this kind of write."""
        subresource = self.request.subresource
        versions = KindVersions(self.server.catalog, self.info.gvk, self.strategy.writable(subresource))
        return FieldManager(versions, self.strategy.normalize, self.strategy.empty(), subresource)

    def stored(self) -> Object | None:
        """Return the object in the version of the request, or None."""
        raw = self._read = self._raw()
        if raw is None:
            return None
        return self.strategy.encode(raw)

    def _raw(self) -> Object | None:
        """The object as it lies in the store."""
        return self.server.store.get(self.server.key(self.info, self.request.namespace, self.request.name))

    def _raw_of(self, live: Object) -> Object:
        """The object as it lies in the store, if that is what `live` was made of.

        Raises:
            Raced: it was written or removed since.
        """
        raw = self._read or self._raw()
        if raw is None or text_of(raw, "resourceVersion") != text_of(live, "resourceVersion"):
            raise Raced(self.server.key(self.info, self.request.namespace, self.request.name))
        return raw

    def get(self) -> Response:
        """Answer a GET."""
        return Response(200, self.existing())

    def existing(self) -> Object:
        """Return the object.

        Raises:
            NotFound: there is none.
        """
        obj = self.stored()
        if obj is None:
            raise NotFound(self.info.resource, self.info.gvk.group, self.request.name)
        return obj

    def create(self) -> Response:
        """Answer a POST."""
        check_options(self.request, None)
        body = read_body(self.request, self.strategy, self.warnings)
        self.spelled.append(parsed(self.request))
        name = text_of(body, "name")
        if self.request.name and name and name != self.request.name:
            raise BadRequest(
                f"the name of the object ({name}) does not match the name on the URL ({self.request.name})"
            )
        new = self.field_manager.update(None, self._identified(body, name), self.request.manager, self.now)
        return self._created(new, name)

    def _identified(self, obj: Object, name: str) -> Object:
        """The object with what the server gives a new one."""
        if text_of(obj, "resourceVersion") not in ("", "0"):
            raise BadRequest("resourceVersion should not be set on objects to be created")
        metadata = {**metadata_of(obj), "name": name}
        if self.info.namespaced:
            metadata["namespace"] = self.request.namespace
        for absent in ("resourceVersion", "selfLink", "deletionTimestamp", "deletionGracePeriodSeconds"):
            metadata.pop(absent, None)
        metadata |= {"uid": self.server.uid(), "creationTimestamp": self.now}
        return {**obj, "metadata": metadata}

    def _created(self, new: Object, name: str) -> Response:
        self._bound(new)
        new = self.strategy.prepare_create(new, self.now)
        self._check(self.strategy.validate_create(new), name)
        self._warn(new, None)
        key = self.server.key(self.info, self.request.namespace, name)
        there = self.server.store.get(key)
        if there is not None:
            leaving = bool(text_of(there, "deletionTimestamp"))
            raise AlreadyExists(self.info.resource, self.info.gvk.group, name, leaving)
        if self.request.dry_run:
            return self._shown(201, new)
        return self._shown(201, self.server.store.put(key, self.strategy.to_store(new), None))

    def update(self) -> Response:
        """Answer a PUT."""
        check_options(self.request, None)
        body = read_body(self.request, self.strategy, self.warnings)
        self.spelled.append(parsed(self.request))
        name = text_of(body, "name")
        if name != self.request.name:
            told = f"({name}) does not match the name on the URL ({self.request.name})"
            raise BadRequest(f"the name of the object {told}")
        live = self.stored()
        if live is None and self.info.put_creates_absent and not self.request.subresource:
            new = self.field_manager.update(None, self._identified(body, name), self.request.manager, self.now)
            return self._created(new, name)
        if live is None:
            raise NotFound(self.info.resource, self.info.gvk.group, self.request.name)
        return self.replace(live, replaced(self.write(live), body))

    def patch(self) -> Response:
        """Answer a PATCH."""
        patch_type = patch_type_of(self.request.content_type)
        if patch_type is PatchType.APPLY:
            return self._apply()
        write_type = self.checked_type(patch_type)
        check_options(self.request, write_type)
        patch = decoded_patch(write_type, self.request)
        live = self.existing()
        return self.replace(live, patched(self.write(live), write_type, patch))

    def checked_type(self, patch_type: PatchType | None) -> PatchType:
        """Return the kind of patch, if this kind of object takes it.

        Raises:
            UnsupportedMediaType: it does not.
        """
        custom = self.info.custom is not None
        if patch_type is None or (custom and patch_type is PatchType.STRATEGIC_MERGE):
            accepted = _CUSTOM_PATCHES if custom else ()
            raise UnsupportedMediaType(self.request.content_type, tuple(each.value for each in accepted))
        return patch_type

    def _apply(self) -> Response:
        check_options(self.request, PatchType.APPLY)
        live = self.stored()
        config, new = applied(self.write(live))
        if live is None:
            if text_of(config, "uid"):
                raise StaleVersion(
                    self.info.resource,
                    self.info.gvk.group,
                    self.request.name,
                    f"uid mismatch: the provided object specified uid {text_of(config, 'uid')}, "
                    "and no existing object was found",
                )
            return self._created(self._identified(new, self.request.name), self.request.name)
        return self.replace(live, new)

    def write(self, live: Object | None) -> Write:
        """Return what a write to `live` works with."""
        return Write(
            self.request, self.info, self.strategy, self.field_manager, self.now, live, self.warnings, self.spelled
        )

    def replace(self, live: Object, new: Object) -> Response:
        """Store `new` in the place of `live`, unless nothing changed."""
        self._bound(new)
        new = check_version(new, live, self.info)
        new = with_kept_identity(new, live)
        new = self.strategy.prepare_update(new, live, self.request.subresource, self.now)
        self._check(self.strategy.validate_update(new, live, self.request.subresource), self.request.name)
        self._warn(new, live)
        new = self.strategy.to_store(restored_times(new, live))
        raw = self._raw_of(live)
        version = text_of(raw, "resourceVersion")
        if self.request.dry_run or _same(new, raw):
            return self._shown(200, with_metadata(new, resourceVersion=version))
        key = self.server.key(self.info, self.request.namespace, self.request.name)
        if text_of(live, "deletionTimestamp") and not finalizers_of(new):
            self.server.store.delete(key, version)  # what held it back is gone
            return self._shown(200, with_metadata(new, resourceVersion=version))
        return self._shown(200, self.server.store.put(key, new, version))

    def _bound(self, new: Object) -> None:
        """Refuse what is too large to go on with: defaults may make much of little.

        Raises:
            LimitExceeded: it is.
        """
        check_managers(entries_of(new), self.request.limits)
        check_result(without_metadata(new, "managedFields"), self.request.limits)

    def _check(self, causes: tuple[Cause, ...], name: str) -> None:
        if causes:
            told = with_empties(causes, self.spelled, self.info.type)
            raise Invalid(self.info.gvk.kind, self.info.gvk.group, name, told)

    def _warn(self, new: Object, live: Object | None) -> None:
        if self.info.custom is not None:
            self.warnings.extend(rule_warnings(self.info.custom.schema))
        if self.info.custom is None and not self.request.subresource:
            self.warnings.extend(warnings.written(new, live, self.info.gvk))

    def _shown(self, code: int, obj: Object) -> Response:
        return Response(code, self.strategy.encode(obj))

    def delete(self) -> Response:
        """Answer a DELETE: the object is removed, or marked if finalizers hold it back."""
        options = read_options(parsed(self.request), self.request.dry_run)
        live = self.existing()
        check_preconditions(live, options, self.info.gvk.kind)
        raw = self._raw_of(live)
        key = self.server.key(self.info, self.request.namespace, self.request.name)
        held = marked(raw, options, self.now)
        if held is not None:
            if not options.dry_run and held is not raw:
                held = self.server.store.put(key, held, text_of(raw, "resourceVersion"))
            return self._shown(200, held)
        if not options.dry_run:
            self.server.store.delete(key, text_of(raw, "resourceVersion"))
        return self._deleted(live)

    def _deleted(self, gone: Object) -> Response:
        details: Object = {"name": self.request.name, "group": self.info.gvk.group, "kind": self.info.resource}
        details["uid"] = text_of(gone, "uid")
        status: Object = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success"}
        return Response(200, {**status, "details": {k: v for k, v in details.items() if v}})


def _same(new: Object, stored: Object) -> bool:
    """Return True if a write changes nothing; that it was made in another version of the kind is no change."""
    ignored = {"apiVersion": ""}
    return equal(
        {**without_metadata(new, "resourceVersion"), **ignored},
        {**without_metadata(stored, "resourceVersion"), **ignored},
    )
