"""A write as the page makes it: whichever part of the page asks, the same write gives the same object."""

from __future__ import annotations

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from engine.evaluation import Evaluation, Write, evaluate
from engine.value.model import Value


def evaluated(write: Write, now: datetime) -> Evaluation:
    """Return what comes of a write.

    Raises: as `engine.evaluation.evaluate`.
    """
    return evaluate(write, now=now, new_uid=lambda: uid_of(write.body))


def uid_of(body: Value) -> str:
    """Return a uid that stays the same while a person types: what did not change must not flicker."""
    metadata = body.get("metadata") if isinstance(body, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return str(uuid5(NAMESPACE_URL, f"patchyard/{name}"))
