"""One request to /scale: the write is to the Scale, what is stored is the object."""

from __future__ import annotations

from engine.apiserver.builtin_strategy import BuiltinStrategy
from engine.apiserver.call import Call
from engine.apiserver.options import check_options
from engine.apiserver.reading import read_body
from engine.apiserver.request import Request, Response
from engine.apiserver.scale import replicas_path, scale_kind, scale_of, scaled, to_parent, to_scale
from engine.apiserver.writing import Write, applied, decoded_patch, patched, replaced
from engine.managedfields.field_manager import FieldManager
from engine.managedfields.versions import KindVersions
from engine.meta.object_meta import with_metadata
from engine.patch.patch_type import PatchType, patch_type_of
from engine.value.model import Object


class ScaleCall(Call):
    """A request to the Scale of an object."""

    def get(self) -> Response:
        """Answer a GET."""
        return self._shown_scale(Response(200, self.existing()))

    def update(self) -> Response:
        """Answer a PUT."""
        check_options(self.request, None)
        live = self.existing()
        write = self._scale_write(live)
        body = read_body(self.request, write.strategy, self.warnings)
        return self._store(live, replaced(write, body))

    def patch(self) -> Response:
        """Answer a PATCH."""
        patch_type = patch_type_of(self.request.content_type)
        if patch_type is PatchType.APPLY:
            check_options(self.request, PatchType.APPLY)
            live = self.existing()
            return self._store(live, applied(self._scale_write(live))[1])
        write_type = self.checked_type(patch_type)
        check_options(self.request, write_type)
        patch = decoded_patch(write_type, self.request)
        live = self.existing()
        return self._store(live, patched(self._scale_write(live), write_type, patch))

    def _scale_write(self, live: Object) -> Write:
        info = scale_kind(self.info)
        strategy = BuiltinStrategy(info)
        catalog = self.server.catalog.with_kinds((info,))
        manager = FieldManager(KindVersions(catalog, info.gvk), strategy.normalize, strategy.empty(), "scale")
        entries = to_scale(live, self._paths())
        scale = scale_of(live, self.info)
        scale = with_metadata(scale, managedFields=entries) if entries else scale
        return Write(self.request, info, strategy, manager, self.now, scale, self.warnings)

    def _paths(self) -> dict[str, tuple[str, ...]]:
        """Where replicas are, per API version of the object's kind."""
        gvk = self.info.gvk
        same = (i for i in self.server.catalog.kinds.values() if (i.gvk.group, i.gvk.kind) == (gvk.group, gvk.kind))
        return {info.gvk.api_version: replicas_path(info) for info in same}

    def _store(self, live: Object, scale: Object) -> Response:
        entries = to_parent(live, scale, self.info.gvk.api_version, self._paths())
        main = Call(self.server, _to_main(self.request), self.info, self.warnings)
        return self._shown_scale(main.replace(live, scaled(live, scale, self.info, entries)))

    def _shown_scale(self, response: Response) -> Response:
        assert isinstance(response.body, dict)
        return Response(response.code, scale_of(response.body, self.info))


def _to_main(request: Request) -> Request:
    return Request(
        request.method, request.gvk, request.name, request.namespace, query=request.query, user_agent=request.user_agent
    )
