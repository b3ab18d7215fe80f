"""What a write makes of the live object, ownership booked: PUT, the patches, apply.

Source: the patch and update handlers of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.apiserver.failures import BadRequest, Invalid, UnprocessablePatch
from engine.apiserver.reading import check_unknown
from engine.apiserver.request import Request
from engine.apiserver.strategy import Strategy
from engine.json_patch.failures import InapplicableOperation, UndecodablePatch
from engine.managedfields.field_manager import FieldManager
from engine.meta.gvk import gvk_of
from engine.meta.object_meta import metadata_of, text_of
from engine.patch.body import UndecodableBody, decode_body
from engine.patch.patch_type import PatchType
from engine.patch.patchers import apply_patch
from engine.schema.catalog import KindInfo
from engine.schema.decode import Decoded, Undecodable
from engine.schema.quantity import MalformedQuantity
from engine.schema.validation.cause import Cause, invalid
from engine.strategicpatch.failures import BadPatchFormat
from engine.value.codec import render_json
from engine.value.limits import check_result
from engine.value.model import Object, Value


@dataclass(frozen=True, slots=True)
class Write:
    """A write under way: the request, the kind it is to, and the live object, None if there is none.

    warnings is the request's own list, added to as the write goes on; so is spelled, to which the object goes as the
    write spells it, before its Go type has dropped what is empty.
    """

    request: Request
    info: KindInfo
    strategy: Strategy
    field_manager: FieldManager
    now: str
    live: Object | None
    warnings: list[str]
    spelled: list[Value] = field(default_factory=list)


def replaced(write: Write, body: Object) -> Object:
    """Return the object that a PUT puts in the place of the live one."""
    return write.field_manager.update(write.live, body, write.request.manager, write.now)


def patched(write: Write, patch_type: PatchType, patch: Value) -> Object:
    """Return the object that a patch makes of the live one; what the server warns of is added to `write.warnings`.

    Raises:
        BadRequest, UnprocessablePatch: the patch cannot be applied.
        Invalid: what it makes is no object of the kind.
    """
    live, info = write.live, write.info
    assert live is not None
    if patch is None:
        raise BadRequest("Invalid JSON Patch")
    try:
        value = apply_patch(patch_type, live, patch, info.type, write.request.limits)
    except InapplicableOperation as error:
        raise UnprocessablePatch(error) from None
    except BadPatchFormat as error:
        raise BadRequest(str(error)) from None
    except UndecodablePatch as error:
        raise BadRequest(f"error decoding patch: {error}") from None
    if not isinstance(value, dict):
        raise UnprocessablePatch(BadRequest("the patch leaves no object"))
    check_result(value, write.request.limits)
    value = {**value, "apiVersion": info.gvk.api_version, "kind": info.gvk.kind}
    write.spelled.append(value)
    try:
        decoded = write.strategy.decode(value)
    except (Undecodable, MalformedQuantity) as error:
        strategic = patch_type is PatchType.STRATEGIC_MERGE
        told = error.converted if strategic and isinstance(error, Undecodable) else ""
        raise _not_an_object(value, told or str(error)) from None
    if patch_type is PatchType.STRATEGIC_MERGE:
        decoded = Decoded(decoded.value, tuple(sorted(decoded.unknown)))
    write.warnings.extend(check_unknown(decoded, write.request, lambda text: _not_an_object(value, text)))
    return replaced(write, decoded.value)


def _not_an_object(value: Object, reason: str) -> Invalid:
    cause: Cause = invalid("patch", render_json(value), reason)
    return Invalid("", "", "", (cause,))


def decoded_patch(patch_type: PatchType, request: Request) -> Value:
    """Return the patch that a request's body holds.

    Raises:
        BadRequest: it is no patch of this kind.
        LimitExceeded: it is too large.
    """
    try:
        return decode_body(patch_type, request.body, request.limits)
    except UndecodableBody as error:
        raise BadRequest(str(error)) from None


def applied(write: Write) -> tuple[Object, Object]:
    """Return the intent and the object that applying it makes of the live one.

    Raises:
        BadRequest: the body is no intent for this object.
        Conflicts, IntentDoesNotFit and the rest of FieldManager.apply.
    """
    config = decoded_patch(PatchType.APPLY, write.request)
    assert isinstance(config, dict)
    _check_intent(write, config)
    write.spelled.append(config)
    live: Object = write.live if write.live is not None else write.strategy.empty()
    new = write.field_manager.apply(live, config, write.request.manager, write.now, force=write.request.force)
    _check_name(write, new)
    return config, new


def _check_intent(write: Write, config: Object) -> None:
    gvk = gvk_of(config)
    if gvk != write.info.gvk:
        raise BadRequest(f"invalid object type: {gvk.group}/{gvk.version}, Kind={gvk.kind}")
    if metadata_of(config).get("managedFields") is not None:
        raise BadRequest("metadata.managedFields must be nil")


def _check_name(write: Write, new: Object) -> None:
    name = text_of(new, "name")
    if name and name != write.request.name:
        told = f"({name}) does not match the name on the URL ({write.request.name})"
        raise BadRequest(f"the name of the object {told}")
    namespace = text_of(new, "namespace")
    if namespace and write.info.namespaced and namespace != write.request.namespace:
        told = f"({namespace}) does not match the namespace on the request ({write.request.namespace})"
        raise BadRequest(f"the namespace of the object {told}")
