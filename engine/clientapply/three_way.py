"""What `kubectl apply` sends: from the live object and a manifest to a request.

kubectl writes the manifest into an annotation of the object it sends, so that the next apply knows what this one
wanted. With a live object it sends the three-way patch of that annotation, the manifest and the live object: strategic
for kinds whose fields say how they merge, a JSON merge patch for custom resources.

Source: kubectl 1.32.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.clientapply.failures import UnreadableLastApplied
from engine.jsonmergepatch.three_way import three_way_merge_parts, three_way_merge_patch
from engine.meta.last_applied import last_applied_text, with_last_applied, without_last_applied
from engine.meta.object_meta import annotations_of, metadata_of
from engine.schema.elements import TypeRef
from engine.strategicpatch.three_way import three_way_strategic_parts, three_way_strategic_patch
from engine.value.failures import LimitExceeded, UnreadableDocument
from engine.value.json_reader import parse_json
from engine.value.json_writer import render_go_json
from engine.value.model import Object, Value, kind_of

JSON = "application/json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
MERGE_PATCH = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    """What client-side apply sends. content_type is None if it sends nothing; JSON: patch is a new object to POST."""

    content_type: str | None
    patch: Object | None


NOTHING_TO_SEND = ApplyRequest(None, None)


def apply_request(
    live: Object | None, manifest: Object, type: TypeRef | None, *, overwrite: bool = True
) -> ApplyRequest:
    """Return the request by which `kubectl apply` makes `live` what `manifest` says. No input is changed.

    manifest is complete, with the namespace that kubectl fills in. type is that of a built-in kind; None stands for a
    custom resource, of which nothing says how its lists merge. Without overwrite, what others changed since the last
    apply is not taken back; kubectl heeds this for built-in kinds alone.

    Raises:
        UnreadableLastApplied: the live object's annotation holds no JSON object.
        StrategicPatchFailure, MergePatchConflict: no patch can be made of these.
        PatchConflict: without overwrite, the manifest changes what others changed, too.
    """
    modified = annotated(manifest)
    if live is None:
        return ApplyRequest(JSON, modified)
    original = read_last_applied(live)
    if type is None:
        content_type, patch = MERGE_PATCH, three_way_merge_patch(original, modified, live)
    else:
        content_type, patch = (
            STRATEGIC_MERGE_PATCH,
            three_way_strategic_patch(original, modified, live, type, overwrite),
        )
    return ApplyRequest(content_type, patch) if patch else NOTHING_TO_SEND


@dataclass(frozen=True, slots=True)
class ThreeLists:
    """What kubectl apply works with: what was applied last, what it deletes, what it adds or changes, and the sum.

    last_applied is empty where the object has no annotation. The last-applied annotation itself is left out of all.
    """

    last_applied: Object
    deletions: Object
    changes: Object
    sum: Object


def three_lists(live: Object, manifest: Object, type: TypeRef | None) -> ThreeLists:
    """Return the three lists of an apply of `manifest` to `live`; type as for `apply_request`.

    Raises:
        UnreadableLastApplied: the live object's annotation holds no JSON object.
        StrategicPatchFailure, MergePatchConflict: no patch can be made of these.
    """
    original, current, plain = read_last_applied(live), _unannotated(live), _unannotated(manifest)
    if type is None:
        deletions, changes = three_way_merge_parts(original, plain, current)
        return ThreeLists(original, deletions, changes, three_way_merge_patch(original, plain, current))
    deletions, changes = three_way_strategic_parts(original, plain, current, type)
    return ThreeLists(original, deletions, changes, three_way_strategic_patch(original, plain, current, type))


def annotated(manifest: Object) -> Object:
    """Return the manifest with itself in its last-applied annotation, as kubectl writes it: sorted, compact JSON."""
    plain = _unannotated(manifest)
    return with_last_applied(plain, render_go_json(plain) + "\n")


def _unannotated(obj: Object) -> Object:
    """The object without the annotation. kubectl sets annotations before it encodes: without any it is an empty map."""
    plain = without_last_applied(obj)
    return {**plain, "metadata": {**metadata_of(plain), "annotations": dict(annotations_of(plain))}}


def read_last_applied(live: Object) -> Object:
    """Return what the annotation of an object says was applied last, `{}` if it has none.

    Raises:
        UnreadableLastApplied: it holds no JSON object.
    """
    text = last_applied_text(live)
    if not text:
        return {}
    try:
        original: Value = parse_json(text)
    except (UnreadableDocument, LimitExceeded) as failure:
        raise UnreadableLastApplied(str(failure)) from failure
    if not isinstance(original, dict):
        raise UnreadableLastApplied(f"it holds {kind_of(original).value}, not an object")
    return original
