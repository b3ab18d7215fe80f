"""The processes that evaluate rules: started when first needed, ended when a rule asks too much of one.

A rule is a stranger's program, and the library that runs it looks at no clock and counts no bytes meanwhile; nothing in
its own process can stop it. A process takes 0.15 s to start; later answers take 0.5 ms more than they would here.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from weakref import WeakSet

from engine.schema.rules.validate import out_of_budget
from engine.schema.validation.cause import Cause
from engine.value.model import Object
from web.rules.frames import LENGTH, Question, framed, unframed
from web.rules.worker import FULL

_ROOT = Path(__file__).resolve().parents[2]
_KEPT = 16
"""How many schemas a process remembers."""
_LOOK_SECONDS, _LOOK_MILLISECONDS = 0.1, 100
"""How often whoever waits looks up, so that the end of its own time can strike it."""
_CHUNK = 1 << 16
_START_SECONDS = 30.0


class RuleProcesses:
    """Evaluates rules elsewhere, `most` questions at a time, each within `seconds` of a processor and `mebibytes`."""

    def __init__(self, seconds: int, mebibytes: int, most: int = 2) -> None:
        self._seconds, self._mebibytes, self._most = seconds, mebibytes, most
        self._begin()

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._all: WeakSet[_Process] = WeakSet()
        """Every process that somebody holds. One that is lost on the way, as its user's time is up, is not counted."""

    def judge(self, obj: Object, schema: Object, live: Object | None) -> tuple[Cause, ...]:
        """Return what the rules refuse, as engine.schema.rules.validate.judged does; or that they ask too much."""
        if self._owner != os.getpid():  # forked: the processes are another's
            self._begin()
        try:
            return self._asked(obj, schema, live)
        except _Ended as ended:
            if ended.out_of_time:
                return out_of_budget(schema, self._bound(ended))
        try:  # what earlier questions left behind may have filled it: a new one is to tell
            return self._asked(obj, schema, live, afresh=True)
        except _Ended as ended:
            return out_of_budget(schema, self._bound(ended))

    def _bound(self, ended: _Ended) -> str:
        if ended.out_of_time:
            return f"the setting PATCHYARD_RULE_SECONDS: {self._seconds} s"
        if ended.out_of_memory:
            return f"the setting PATCHYARD_RULE_MEBIBYTES: {self._mebibytes} MiB"
        return f"the process that evaluates rules ended with {ended.code}; try again"

    def _asked(self, obj: Object, schema: Object, live: Object | None, *, afresh: bool = False) -> tuple[Cause, ...]:
        process = self._process(afresh=afresh)
        try:
            answer = process.ask(obj, schema, live)
        except BaseException:
            process.end()
            raise
        self._idle.put(process)
        return answer

    def _process(self, *, afresh: bool) -> _Process:
        """Return a process that nobody asks; afresh: that nobody has asked. Wait for it where there are enough."""
        seconds = 0.0
        while True:
            with suppress(Empty):
                process = self._idle.get(timeout=seconds) if seconds else self._idle.get_nowait()
                if not afresh and process.lives():
                    return process
                process.end()
                del process
            with self._lock:
                if len(self._all) < self._most:
                    process = _Process(self._seconds, self._mebibytes)
                    self._all.add(process)
                    return process
            seconds = _LOOK_SECONDS


class _Ended(Exception):
    """A process ended before it answered."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
        self.out_of_time = code == -signal.SIGPROF
        self.out_of_memory = code in (FULL, -signal.SIGABRT, -signal.SIGSEGV)  # as the library ends without any


class _Process:
    """One process, which answers one question at a time."""

    def __init__(self, seconds: int, mebibytes: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-m", "web.rules.worker", str(seconds), str(mebibytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))},
        )
        self._known: OrderedDict[int, tuple[int, Object]] = OrderedDict()
        self._count = 0
        self._starting = True

    def lives(self) -> bool:
        """Return False if it ended by itself."""
        return self._process.poll() is None

    def ask(self, obj: Object, schema: Object, live: Object | None) -> tuple[Cause, ...]:
        """Return its answer.

        Raises:
            _Ended: there is none.
        """
        if self._starting:
            self._read(time.monotonic() + _START_SECONDS)
            self._starting = False
        self._write(framed(self._question(obj, schema, live)))
        answer: tuple[Cause, ...] = self._read()
        return answer

    def _question(self, obj: Object, schema: Object, live: Object | None) -> Question:
        """Return the question with the schema, unless that was told already. Schemas are told apart by identity."""
        known = self._known.get(id(schema))
        if known is not None:
            self._known.move_to_end(id(schema))
            return Question(obj, known[0], None, live)
        self._count += 1
        self._known[id(schema)] = self._count, schema
        forgotten = (self._known.popitem(last=False)[1][0],) if len(self._known) > _KEPT else ()
        return Question(obj, self._count, schema, live, forgotten)

    def _write(self, told: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(told)
            self._process.stdin.flush()
        except BrokenPipeError:
            raise _Ended(self._process.wait()) from None

    def _read(self, until: float = math.inf) -> Any:
        return unframed(self._bytes(LENGTH.unpack(self._bytes(LENGTH.size, until))[0], until))

    def _bytes(self, count: int, until: float) -> bytearray:
        assert self._process.stdout is not None
        source, found = self._process.stdout.fileno(), bytearray()
        poll = select.poll()
        poll.register(source, select.POLLIN)
        while len(found) < count:
            if not poll.poll(_LOOK_MILLISECONDS):
                if time.monotonic() > until:
                    raise _Ended(0)
                continue
            chunk = os.read(source, min(count - len(found), _CHUNK))
            if not chunk:
                raise _Ended(self._process.wait())
            found += chunk
        return found

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.end()
