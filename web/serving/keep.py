"""How many bytes a server holds for its clients: requests that are not answered, answers that are not sent."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Keep:
    """Counts bytes up to a bound. make_room lets go of what some client holds, and returns False if there is none."""

    def __init__(self, most: int, make_room: Callable[[], bool] = lambda: False) -> None:
        self._most, self._kept, self._lock = most, 0, threading.Lock()
        self._make_room = make_room

    def take(self, count: int) -> bool:
        """Return True if there is room for so many bytes more, which are counted then."""
        while not self._fits(count):
            if not self._make_room():
                return False
        return True

    def _fits(self, count: int) -> bool:
        with self._lock:
            if self._kept + count > self._most:
                return False
            self._kept += count
            return True

    def give_back(self, count: int) -> None:
        """Count so many bytes no more."""
        with self._lock:
            self._kept -= count
