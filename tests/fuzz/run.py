"""Sends inputs, one after the other, and keeps account: what broke, how long the slowest took, how much memory."""

from __future__ import annotations

import resource
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from engine.errors import EngineError
from tests.fuzz.entries import ENTRIES
from web.deadline import Deadline, TimeUp

MOST_SECONDS = 2.0
"""Of the processor, for one input: how much else runs on the machine is no fault of the input."""
MOST_BYTES = 512 << 20
_HANGS = Deadline(60.0)
"""One for all inputs: each has a thread of its own that looks on."""


@dataclass(frozen=True, slots=True)
class Found:
    """An input that broke something. `python -m tests.fuzz --only ENTRY:NUMBER --seed SEED` sends it again."""

    entry: str
    number: int
    told: str


@dataclass(slots=True)
class Account:
    """What came of the inputs so far. slowest is in seconds of the processor, by entry; bytes is the most in use."""

    sent: dict[str, int] = field(default_factory=dict)
    slowest: dict[str, float] = field(default_factory=dict)
    found: list[Found] = field(default_factory=list)
    bytes: int = 0


def inputs(entries: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the entries in turn, each with the number of its next input, without end."""
    number = 0
    while True:
        for entry in entries:
            yield entry, number
        number += 1


def send(account: Account, entry: str, number: int, seed: int) -> None:
    """Send an input, the `number`-th of an entry, and note what comes of it."""
    random = Random(f"{seed} {entry} {number}")
    began, told = time.thread_time(), ""
    try:
        with _HANGS.within():
            ENTRIES[entry](random)
    except TimeUp:
        told = f"it did not end within {_HANGS.seconds:g} seconds"
    except EngineError as error:
        told = f"an EngineError that nobody took: {type(error).__name__}: {error}" + _place(error)
    except Exception as error:
        told = f"{type(error).__name__}: {error}" + _place(error)
    took = time.thread_time() - began
    if not told and took > MOST_SECONDS:
        told = f"it took {took:.2f} seconds of the processor; at most {MOST_SECONDS:g} are allowed"
    account.sent[entry] = account.sent.get(entry, 0) + 1
    account.slowest[entry] = max(account.slowest.get(entry, 0.0), took)
    before = account.bytes
    account.bytes = max(before, memory())
    if not told and before <= MOST_BYTES < account.bytes:
        told = f"the process grew to {account.bytes >> 20} MB; at most {MOST_BYTES >> 20} are allowed"
    if told:
        account.found.append(Found(entry, number, told))


def memory() -> int:
    """Return the most bytes that this process has had in memory."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _place(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f" ({last.filename.rpartition('/')[2]}:{last.lineno} in {last.name})"
