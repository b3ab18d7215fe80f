"""Several processes that serve on one socket, and the one that looks after them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

Serve = Callable[[Callable[[str], None]], int]
"""Serves until it is interrupted. It is given what to call, once it is ready, with what there is to say."""
_AGAIN_SECONDS = 1.0


def serve_in_processes(count: int, serve: Serve) -> int:
    """Serve in so many processes until this one is interrupted, and return the exit status.

    The first says that it is ready. One that ends is started again, unless it cannot even start: then all end.
    """
    children = {_start(serve, speaks=number == 0): time.monotonic() for number in range(count)}
    try:
        while children:
            ended, status = os.wait()
            began = children.pop(ended, None)
            if began is None:
                continue
            if time.monotonic() - began < _AGAIN_SECONDS:
                return os.waitstatus_to_exitcode(status) or 1
            children[_start(serve, speaks=False)] = time.monotonic()
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end(set(children))
    return 1


def _start(serve: Serve, *, speaks: bool) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = serve(lambda text: print(text, flush=True) if speaks else None)
    finally:
        os._exit(status)


def _end(children: set[int]) -> None:
    """Tell processes to end, and wait until they have."""
    for child in children:
        os.kill(child, signal.SIGTERM)
    for child in children:
        os.waitpid(child, 0)
