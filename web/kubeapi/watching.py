"""The lines of a watch, from a revision on, until its time is over, its client is gone or the server ends.

Nothing is kept in this process but the revision that was told last: where the store was away for a while, the watch
goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime

from engine.apiserver.failures import BadRequest
from engine.apiserver.storage import Change, TooOld
from engine.apiserver.watching import Event
from engine.value.model import Object
from web.kubeapi.exchange import HttpRequest, engine_request, spelled, unavailable
from web.kubeapi.partial import OBJECT, partial, wanted_partial
from web.kubeapi.paths import Target
from web.kubeapi.table import table, wants_table
from web.storage.failure import StoreFailed
from web.workspaces import Workspace

HEARTBEAT_SECONDS = 20.0
"""How often a watch that has nothing to tell shows that it lives; a client that is gone is noticed then."""
AWAY_SECONDS = 60.0
"""How long a watch waits for a store that is away before it ends with an error."""
_PAUSE = 0.5
_EXPIRED = "The resourceVersion for the provided watch is too old."

Now = Callable[[], datetime]


def is_watch(http: HttpRequest, target: Target) -> bool:
    """Return True if a request is a watch; truth values are read as the reference reads them."""
    text = http.parameters.get("watch")
    return http.method == "GET" and not target.name and text is not None and text.lower() not in ("0", "false")


def watch_lines(
    workspace: Workspace, http: HttpRequest, target: Target, now: Now, is_gone: Callable[[], bool]
) -> Iterator[bytes]:
    """Return the lines of a watch; what is refused is refused before the first of them.

    Raises:
        EngineError: the watch is refused.
        StoreFailed: the store cannot be read now.
    """
    seconds = _seconds(http.parameters.get("timeoutSeconds", ""))
    call = workspace.server().collection(engine_request(http, target, None))
    events, revision = call.past_events()
    feed = _Feed(workspace, revision, None if seconds is None else time.monotonic() + seconds)
    watch = call.watch()

    def line(event: Event) -> bytes:
        return spelled(_shown(event, http, target, now))

    def lines() -> Iterator[bytes]:
        yield from map(line, events)
        if revision < 0:
            return
        told = time.monotonic()
        while not (feed.is_over or is_gone()):
            try:
                found = watch.events(feed.next(told + HEARTBEAT_SECONDS))
            except (TooOld, StoreFailed) as error:
                yield spelled({"type": "ERROR", "object": _gone() if isinstance(error, TooOld) else _failed(error)})
                return
            yield from map(line, found)
            if not found and time.monotonic() - told < HEARTBEAT_SECONDS:
                continue
            told = time.monotonic()
            if not found:
                bookmarks = http.parameters.get("allowWatchBookmarks") in ("1", "true")
                yield spelled(_bookmark(target, feed.revision)) if bookmarks else b"\n"

    return lines()


class _Feed:
    """The changes of a workspace after a revision, until a moment (None: without an end)."""

    def __init__(self, workspace: Workspace, revision: int, end: float | None) -> None:
        self._workspace, self.revision, self._end = workspace, revision, end
        self._reached = time.monotonic()

    @property
    def is_over(self) -> bool:
        """True once there is nothing more to wait for."""
        return self._workspace.closed or (self._end is not None and time.monotonic() >= self._end)

    def next(self, until: float) -> list[Change]:
        """Return the next changes, at the latest at a moment of the monotonic clock; none if there were none.

        Raises:
            TooOld: the store has forgotten some of them.
            StoreFailed: the store has been away for too long.
        """
        wait = max(0.0, min(until, self._end or until) - time.monotonic())
        try:
            changes = self._workspace.changes_after(self.revision, wait)
        except StoreFailed as error:
            if not error.is_passing or time.monotonic() - self._reached > AWAY_SECONDS:
                raise
            time.sleep(_PAUSE)
            return []
        self._reached = time.monotonic()
        self.revision = max((change.revision for change in changes), default=self.revision)
        return changes


def _shown(event: Event, http: HttpRequest, target: Target, now: Now) -> Object:
    """An event in the form that the request's Accept header wants."""
    if event.type == "ERROR":
        return event.as_object()
    if wants_table(http.accept):
        rows = table([event.object], target.info, {}, now(), http.parameters.get("includeObject", "Metadata"))
        return {"type": event.type, "object": rows}
    if wanted_partial(http.accept):
        return {"type": event.type, "object": partial(event.object, OBJECT)}
    return event.as_object()


def _seconds(text: str) -> float | None:
    """How long a watch lasts: None without end, as the reference takes a zero.

    Raises:
        BadRequest: that is no number.
    """
    if not text:
        return None
    try:
        seconds = int(text[:19])
    except ValueError:
        raise BadRequest(f'strconv.ParseInt: parsing "{text}": invalid syntax') from None
    return max(0.0, float(seconds)) if seconds else None


def _bookmark(target: Target, revision: int) -> Object:
    gvk = target.info.gvk
    obj = {"kind": gvk.kind, "apiVersion": gvk.api_version, "metadata": {"resourceVersion": str(revision)}}
    return {"type": "BOOKMARK", "object": obj}


def _failed(error: StoreFailed) -> Object:
    status: Object = json.loads(unavailable(error).body)
    return status


def _gone() -> Object:
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": _EXPIRED,
        "reason": "Expired",
        "code": 410,
    }
