"""What comes to a workspace's API as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from web.kubeapi.journal import Journal
from web.storage.failure import StoreFailed

PAUSE_SECONDS = 5.0
"""How often a listener who is told nothing is sent a comment; one that is gone is noticed then."""


def told_events(journal: Journal, seen: int, is_gone: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
    """Yield an event for each request after the one of the number `seen`, until the journal is closed."""
    yield b": the requests to this workspace\n\n"
    while not (journal.closed or is_gone()):
        try:
            found = journal.after(seen, PAUSE_SECONDS)
        except StoreFailed:
            return  # browsers come back by themselves
        for happening in found:
            seen = happening.number
            yield f"id: {seen}\nevent: request\ndata: {json.dumps(asdict(happening))}\n\n".encode()
        if not found:
            yield b": still here\n\n"
