"""Why a value is no merge patch, or no merge patch can be made."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.said import said
from engine.value.failures import Path, render_path


@dataclass(eq=False)
class PatchNotAnObject(EngineError):
    """The patch is `found` (a kind of JSON) where the API server takes only an object."""

    found: str

    def __str__(self) -> str:
        return said("a merge patch is an object; found %(found)s", found=self.found)


@dataclass(eq=False)
class NoMergePatch(EngineError):
    """No merge patch makes the wanted document: it has a null at `path`, and in a merge patch null means removal."""

    path: Path

    def __str__(self) -> str:
        return said(
            "no merge patch can put null at %(path)s: in a merge patch null removes", path=render_path(self.path)
        )


@dataclass(eq=False)
class MergePatchConflict(EngineError):
    """Of a three-way patch, what is added and what is removed disagree at `path`."""

    path: Path

    def __str__(self) -> str:
        return said("the patch would set and remove %(path)s at once", path=render_path(self.path))
