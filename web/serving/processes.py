"""Several processes that serve on one socket, and the one that looks after them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from web.serving.shares import Share, Shares

Serve = Callable[[Share, Callable[[str], None]], int]
"""Serves until it is interrupted. It is given its share, and what to call, once it is ready, with what there is to say.
"""
_AGAIN_SECONDS = 1.0
_END_SECONDS = 5.0
"""How long a process may take to end before it is killed."""


def serve_in_processes(count: int, serve: Serve) -> int:
    """Serve in so many processes until this one is interrupted, and return the exit status.

    The first says that it is ready. One that ends is started again, unless it cannot even start: then all end.
    """
    shares = Shares(count)

    def started(number: int, *, speaks: bool = False) -> tuple[int, tuple[int, float]]:
        return _start(serve, shares, number, speaks=speaks), (number, time.monotonic())

    children = dict(started(number, speaks=number == 0) for number in range(count))
    try:
        while children:
            ended, status = os.wait()
            if ended not in children:
                continue
            number, began = children.pop(ended)
            if time.monotonic() - began < _AGAIN_SECONDS:
                return os.waitstatus_to_exitcode(status) or 1
            children |= (started(number),)
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end(set(children))
    return 1


def _start(serve: Serve, shares: Shares, number: int, *, speaks: bool) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = serve(Share(shares, number), lambda text: print(text, flush=True) if speaks else None)
    finally:
        os._exit(status)


def _end(children: set[int]) -> None:
    """Tell processes to end, and wait until they have."""
    for child in children:
        os.kill(child, signal.SIGTERM)
    end = time.monotonic() + _END_SECONDS
    for child in children:
        while not os.waitpid(child, os.WNOHANG)[0]:
            if time.monotonic() > end:  # it was stopped, or hangs
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.01)
