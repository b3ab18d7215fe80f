"""The kinds of patch, by the media type that a request names."""

from __future__ import annotations

from enum import Enum


class PatchType(Enum):
    """A kind of patch; the value is its media type."""

    APPLY = "application/apply-patch+yaml"
    STRATEGIC_MERGE = "application/strategic-merge-patch+json"
    JSON_MERGE = "application/merge-patch+json"
    JSON_PATCH = "application/json-patch+json"


def patch_type_of(content_type: str) -> PatchType | None:
    """Return the kind of patch that a Content-Type names, parameters left out, or None."""
    media_type = content_type.partition(";")[0].strip().lower()
    return next((each for each in PatchType if each.value == media_type), None)
