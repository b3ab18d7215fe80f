"""Deleting an object: what must hold, and what holds it back.

An object with finalizers is not removed but marked; it goes with the last of them.

Source: the generic registry of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.apiserver.failures import BadRequest, StaleVersion
from engine.apiserver.generation import generation_of
from engine.meta.object_meta import metadata_of, text_of, with_metadata
from engine.value.model import Object, Value

_FINALIZERS = {"Foreground": "foregroundDeletion", "Orphan": "orphan"}


@dataclass(frozen=True, slots=True)
class DeleteOptions:
    """What a DELETE asks for: the uid and resourceVersion that the object must have (empty: any), and so on."""

    uid: str = ""
    resource_version: str = ""
    propagation: str = ""
    dry_run: bool = False


def read_options(body: Value, dry_run: bool) -> DeleteOptions:
    """Return what a DELETE's body asks for.

    Raises:
        BadRequest: it is no DeleteOptions.
    """
    if body in (None, "", {}):
        return DeleteOptions(dry_run=dry_run)
    if not isinstance(body, dict):
        raise BadRequest("the body of a DELETE must be DeleteOptions, as JSON or YAML")
    preconditions = body.get("preconditions")
    wanted = preconditions if isinstance(preconditions, dict) else {}
    return DeleteOptions(
        str(wanted.get("uid") or ""),
        str(wanted.get("resourceVersion") or ""),
        str(body.get("propagationPolicy") or ""),
        dry_run or bool(body.get("dryRun")),
    )


def check_preconditions(obj: Object, options: DeleteOptions, kind: str) -> None:
    """Return if the object is the one that is meant.

    Raises:
        StaleVersion: it is another, or was changed.
    """
    uid, version = text_of(obj, "uid"), text_of(obj, "resourceVersion")
    if options.uid and options.uid != uid:
        told = f"the UID in the precondition ({options.uid}) does not match the UID in record ({uid}). "
        raise StaleVersion(
            kind, "", text_of(obj, "name"), told + "The object might have been deleted and then recreated"
        )
    if options.resource_version and options.resource_version != version:
        told = f"the ResourceVersion in the precondition ({options.resource_version}) does not match the "
        told += f"ResourceVersion in record ({version}). The object might have been modified"
        raise StaleVersion(kind, "", text_of(obj, "name"), told)


def finalizers_of(obj: Object) -> list[str]:
    """Return what holds an object back from being removed."""
    found = metadata_of(obj).get("finalizers")
    return list(found) if isinstance(found, list) else []


def marked(obj: Object, options: DeleteOptions, now: str) -> Object | None:
    """Return the object marked for deletion, or None if nothing holds it back."""
    finalizers = finalizers_of(obj)
    wanted = _FINALIZERS.get(options.propagation)
    if options.propagation:
        finalizers = [each for each in finalizers if each not in _FINALIZERS.values() or each == wanted]
    if wanted and wanted not in finalizers:
        finalizers.append(wanted)
    if not finalizers:
        return None
    if text_of(obj, "deletionTimestamp") and finalizers == finalizers_of(obj):
        return obj
    changes: dict[str, Value] = {"finalizers": finalizers}
    if not text_of(obj, "deletionTimestamp"):
        changes |= {"deletionTimestamp": now, "deletionGracePeriodSeconds": 0}
    if "generation" in metadata_of(obj) and "deletionTimestamp" in changes:
        changes["generation"] = generation_of(obj) + 1
    return with_metadata(obj, **changes)
