"""How long one request may be worked on: an end that is set from outside, for work that looks at no clock itself.

The engine is pure and knows no time, and what a person sends decides how long it works. So a thread looks on, and when
the time is up it has Python raise TimeUp in the thread that works. `with` blocks and `finally` run as ever; work that
is to be whole or not at all, such as a write to a store, calls `settle` first: from then on nothing strikes.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_raise_in: ctypes._NamedFuncPointer = ctypes.pythonapi.PyThreadState_SetAsyncExc
"""Source: Python/C API, PyThreadState_SetAsyncExc(id of a thread, exception)."""


_TURNS = 100


class TimeUp(BaseException):
    """The time for a request is over. No Exception: whoever handles those is to let it pass."""


@dataclass(slots=True)
class _Work:
    """What a thread does, until when. struck: TimeUp was sent to it; over: nothing is to be sent any more."""

    thread: int
    due: float
    struck: bool = False
    over: bool = False


class Deadline:
    """Ends work after so many seconds; 0 lets it take as long as it takes."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun: deque[_Work] = deque()
        self._current: dict[int, _Work] = {}
        self._lock = threading.Lock()
        self._watches = False

    @contextmanager
    def within(self) -> Iterator[None]:
        """Do the block in time.

        Raises:
            TimeUp: it took too long, and was left where it was.
        """
        if not self.seconds:
            yield
            return
        work = self._begin()
        try:
            yield
        except TimeUp:
            work.over = True
            raise
        finally:
            self._end(work)
            self._current.pop(work.thread, None)

    def settle(self) -> None:
        """Have this thread finish what it does, however long that takes.

        Raises:
            TimeUp: the time is over already.
        """
        work = self._current.get(threading.get_ident())
        if work is not None and self._end(work):
            raise TimeUp

    def _begin(self) -> _Work:
        work = _Work(threading.get_ident(), time.monotonic() + self.seconds)
        with self._lock:
            self._current[work.thread] = work
            self._begun.append(work)
            if not self._watches:
                self._watches = True
                threading.Thread(target=self._watch, name="deadline", daemon=True).start()
        return work

    def _end(self, work: _Work) -> bool:
        """Let nothing strike any more; return True if something was about to."""
        try:
            with self._lock:
                about_to = work.struck and not work.over
                work.over = True
            if about_to:
                _take_blow()
        except TimeUp:
            about_to = work.over = True
        return about_to

    def _watch(self) -> None:
        """Strike what is due, in the order in which it began, until nothing is left."""
        while True:
            with self._lock:
                if not self._begun:
                    self._watches = False
                    return
                work = self._begun[0]
                wait = 0.0 if work.over else work.due - time.monotonic()
                if wait <= 0:
                    self._begun.popleft()
                    if not work.over:
                        work.struck = True
                        _raise_in(ctypes.c_ulong(work.thread), ctypes.py_object(TimeUp))
                    continue
            time.sleep(wait)


def _take_blow() -> None:
    """Give way to a TimeUp that was sent to this thread: it comes at the next turn of a loop, if it has not come yet.

    It is not taken back: CPython 3.11 would then look for it at every call and every turn of a loop, for ever.
    """
    for _ in range(_TURNS):
        pass


ENDLESS = Deadline(0)
"""No end."""
