"""`python -m web.rules.worker`: evaluates rules for the server that started it, until that closes its end.

It is ended where a question takes more processor time, or the process more memory, than it may.
"""

from __future__ import annotations

import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from engine.schema.rules.program import evaluate
from engine.schema.rules.validate import judged
from engine.value.model import Object
from web.rules.frames import LENGTH, Question, framed, unframed

FULL = 3
"""The exit status of a process whose memory a question has filled."""
_GROWN = 2
"""The share of its memory, one in so many, that the process may grow by before it ends by itself: what earlier
questions left behind is not the fault of the next one."""


def main() -> None:
    """Answer questions from standard input on standard output. Arguments: seconds a question, mebibytes in all."""
    seconds, limit = int(sys.argv[1]), int(sys.argv[2]) << 20
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    evaluate("true", {"self": None, "oldSelf": None})
    _bound(resource.RLIMIT_DATA, limit)
    _bound(resource.RLIMIT_CORE, 0)
    schemas: dict[int, Object] = {}
    _send(sink, "ready")
    began = _held()
    while _held() - began < limit // _GROWN:
        question = _next(source)
        if question is None:
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)  # its signal ends the process, whatever that is at
        for number in question.forgotten:
            schemas.pop(number, None)
        if question.schema is not None:
            schemas[question.number] = question.schema
        causes = judged(question.obj, schemas[question.number], question.live)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _send(sink, causes)


def _held() -> int:
    """Return the bytes of memory that this process holds, 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * resource.getpagesize()


def _bound(what: int, limit: int) -> None:
    """Set a limit of this process, where the system has it."""
    _, hard = resource.getrlimit(what)
    with suppress(ValueError, OSError):
        resource.setrlimit(what, (limit, hard))


def _next(source: BinaryIO) -> Question | None:
    length = source.read(LENGTH.size)
    if len(length) < LENGTH.size:
        return None
    question = unframed(source.read(LENGTH.unpack(length)[0]))
    assert isinstance(question, Question)
    return question


def _send(sink: BinaryIO, answer: object) -> None:
    sink.write(framed(answer))
    sink.flush()


if __name__ == "__main__":
    try:
        main()
    except MemoryError:
        sys.exit(FULL)
