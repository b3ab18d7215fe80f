"""What the server and the process that evaluates rules say to each other: pickles, each after its length.

Both ends are this program: neither reads a pickle that came from anywhere else.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any

from engine.value.model import Object

LENGTH = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Question:
    """What do the rules of a schema refuse of an object? schema: None where the process was told it before.

    forgotten: the numbers of schemas that it will not be asked about again.
    """

    obj: Object
    number: int
    schema: Object | None
    live: Object | None
    forgotten: tuple[int, ...] = ()


def framed(value: Any) -> bytes:
    """Return a value as it is sent."""
    told = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(told)) + told


def unframed(told: bytes | bytearray) -> Any:
    """Return the value of a frame's bytes after its length."""
    return pickle.loads(told)  # noqa: S301
