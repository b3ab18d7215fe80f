"""`python -m tests.load`: users at a server for some minutes; errors, times and the server's memory as it went on."""

from __future__ import annotations

import argparse
import statistics
import sys
import threading
import time
from pathlib import Path

from tests.load.users import Tally, applies, evaluates
from tests.support.kubectl import MISSING, kubectls
from tests.support.server import ServerProcess

EVERY = 15.0
"""Seconds between two looks at the memory."""


def main() -> int:
    """Load a server and return 1 if anything went wrong."""
    options = _options()
    tally, ended, found = Tally(), threading.Event(), kubectls()
    store = ("--store", options.store) if options.store else ()
    with ServerProcess("--processes", options.processes, *store) as server:
        work = [
            threading.Thread(target=evaluates, args=(server.address, number, options.pause, ended, tally), daemon=True)
            for number in range(options.users)
        ]
        if found:
            work.append(threading.Thread(target=applies, args=(found[0], server.address, ended, tally), daemon=True))
        else:
            print(f"NOT TESTED: {MISSING}.")
        for thread in work:
            thread.start()
        memory = _watch(server.process.pid, options.minutes * 60)
        ended.set()
        for thread in work:
            thread.join(30)
        status = server.end()
    return _told(tally, memory, status)


def _watch(process: int, seconds: float) -> list[int]:
    """Wait, and return the server's memory in MB meanwhile, that of all its processes."""
    end, seen = time.monotonic() + seconds, list[int]()
    while time.monotonic() < end:
        time.sleep(min(EVERY, max(0.0, end - time.monotonic())))
        seen.append(_megabytes(process))
        print(f"{seen[-1]} MB", flush=True)
    return seen


def _megabytes(process: int) -> int:
    """The memory of a process and its children; pages that they share count for each of them."""
    folder = Path(f"/proc/{process}")
    lines = (folder / "status").read_text(encoding="ascii").splitlines()
    own = sum(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS:"))
    children = (folder / f"task/{process}/children").read_text(encoding="ascii").split()
    return own + sum(_megabytes(int(child)) for child in children)


def _told(tally: Tally, memory: list[int], status: int) -> int:
    for what, seconds in tally.seconds.items():
        if len(seconds) > 1:
            cuts = [round(cut * 1000) for cut in statistics.quantiles(seconds, n=100)]
            told = ", ".join(f"p{part} {cuts[part - 1]} ms" for part in (50, 95, 99))
            print(f"{what}: {len(seconds):,} answers, {told}, {round(max(seconds) * 1000)} ms at most")
    print(f"{len(tally.errors)} errors; memory {' '.join(map(str, memory))} MB; the server ended with {status}")
    for error in tally.errors[:10]:
        print(f"  {error[:300]}")
    return 1 if tally.errors or status else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.load", description=__doc__)
    parser.add_argument("--users", type=int, default=200, help="how many evaluate (200)")
    parser.add_argument(
        "--pause", type=float, default=5.0, help="seconds from one evaluation of a user to the next (5)"
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="how long (5)")
    parser.add_argument("--processes", default="1", help="server processes, which share a --store (1)")
    parser.add_argument("--store", default="", help="where the server keeps its workspaces; in memory unless given")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
