"""The parameters of a write, checked.

Source: apimachinery's validation of PatchOptions, CreateOptions and UpdateOptions, Kubernetes 1.36.
"""

from __future__ import annotations

from engine.apiserver.failures import Invalid
from engine.apiserver.request import Request
from engine.patch.patch_type import PatchType
from engine.schema.validation.cause import Cause, forbidden, invalid, not_supported, required, too_long

MAX_MANAGER_BYTES = 128
"""The longest fieldManager, in bytes."""

_KINDS = {"POST": "CreateOptions", "PUT": "UpdateOptions", "PATCH": "PatchOptions"}
_VALIDATIONS = ("Ignore", "Strict", "Warn")


def check_options(request: Request, patch_type: PatchType | None) -> None:
    """Return if the parameters of a write may stand.

    Raises:
        Invalid: they may not.
    """
    causes = (
        *_force_causes(request, patch_type),
        *_manager_causes(request, patch_type),
        *_dry_run_causes(request),
        *_validation_causes(request),
    )
    if causes:
        raise Invalid(_KINDS.get(request.method, "UpdateOptions"), "meta.k8s.io", "", causes)


def _force_causes(request: Request, patch_type: PatchType | None) -> tuple[Cause, ...]:
    if patch_type is PatchType.APPLY or "force" not in request.query:
        return ()
    return (forbidden("force", "may not be specified for non-apply patch"),)


def _manager_causes(request: Request, patch_type: PatchType | None) -> tuple[Cause, ...]:
    manager = request.query.get("fieldManager", "")
    if patch_type is PatchType.APPLY and not manager:
        return (required("fieldManager", "is required for apply patch"),)
    if len(manager.encode()) > MAX_MANAGER_BYTES:
        return (too_long("fieldManager", MAX_MANAGER_BYTES),)
    if not manager.isprintable():
        return (invalid("fieldManager", manager, "should only contain printable characters"),)
    return ()


def _dry_run_causes(request: Request) -> tuple[Cause, ...]:
    dry_run = request.query.get("dryRun", "")
    return () if dry_run in ("", "All") else (not_supported("dryRun", [dry_run], ("All",)),)


def _validation_causes(request: Request) -> tuple[Cause, ...]:
    wanted = request.query.get("fieldValidation", "")
    return () if not wanted or wanted in _VALIDATIONS else (not_supported("fieldValidation", wanted, _VALIDATIONS),)
