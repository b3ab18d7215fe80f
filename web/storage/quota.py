"""How much one workspace may hold, and what it holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class QuotaExceeded(Exception):
    """More than one workspace, or the server, may hold. It is no EngineError: the engine has no answer to it."""

    what: str
    most: int
    way_out: str

    def __str__(self) -> str:
        return f"{self.what} {self.most:,}, which is as much as there may be. {self.way_out}"


class ObjectTooLarge(QuotaExceeded):
    """An object larger than one may be. No deleting makes room for it."""


@dataclass(frozen=True, slots=True)
class Usage:
    """How many objects there are, and how many bytes they are as JSON."""

    objects: int = 0
    bytes: int = 0

    def replaced(self, before: int | None, after: int | None) -> Usage:
        """Return the usage once an object of so many bytes is another; None stands for no object."""
        objects = self.objects - (before is not None) + (after is not None)
        return Usage(objects, self.bytes - (before or 0) + (after or 0))


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that one workspace may hold. What makes it smaller is always allowed.

    object_bytes is for each object. 1.5 MiB: what etcd takes, and so a real cluster.
    """

    objects: int = 10_000
    bytes: int = 64 << 20
    object_bytes: int = 3 << 19

    def check(self, have: Usage, before: int | None, after: int | None) -> Usage:
        """Return the usage once an object of `before` bytes has `after`, if that may be; None stands for no object.

        Raises:
            ObjectTooLarge: it is more than one object may have.
            QuotaExceeded: it is more than the workspace may hold.
        """
        wanted = have.replaced(before, after)
        if (after or 0) > max(self.object_bytes, before or 0):
            way_out = "Make it smaller, or raise the setting PATCHYARD_OBJECT_BYTES."
            raise ObjectTooLarge("the bytes of this object would be more than", self.object_bytes, way_out)
        if wanted.objects > max(self.objects, have.objects):
            raise QuotaExceeded("the objects of this workspace are", self.objects, "Delete some of them first.")
        if wanted.bytes > max(self.bytes, have.bytes):
            way_out = "Delete objects, or make them smaller."
            raise QuotaExceeded("the bytes of this workspace would be more than", self.bytes, way_out)
        return wanted


NO_QUOTA = Quota(1 << 60, 1 << 60, 1 << 60)
"""For what the server itself keeps."""
