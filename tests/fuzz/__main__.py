"""`python -m tests.fuzz`: so many inputs, or so many minutes of them, through every entry, and what came of it."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.entries import ENTRIES
from tests.fuzz.run import Account, inputs, send

MOST_TOLD = 20


def main() -> int:
    """Send inputs and return 1 if one of them broke something."""
    options = _options()
    if options.list:
        print("\n".join(ENTRIES))
        return 0
    if options.only:
        entry, _, number = options.only.partition(":")
        account = Account()
        send(account, entry, int(number), options.seed)
        return _told(account, options.seed)
    account, entries = Account(), options.entry or list(ENTRIES)
    end = time.monotonic() + options.minutes * 60 if options.minutes else None
    for count, (entry, number) in enumerate(inputs(entries)):
        if (options.inputs and count >= options.inputs) or (end is not None and time.monotonic() >= end):
            break
        known = len(account.found)
        send(account, entry, number, options.seed)
        for each in account.found[known:]:
            print(f"{each.entry}:{each.number}  {each.told}"[:2000], flush=True)
        if len(account.found) >= MOST_TOLD:
            print(f"{MOST_TOLD} inputs broke something; mend those first.")
            break
    return _told(account, options.seed)


def _told(account: Account, seed: int) -> int:
    print(f"{'entry':<12} {'inputs':>9} {'slowest':>9}")
    for entry, count in account.sent.items():
        print(f"{entry:<12} {count:>9,} {account.slowest[entry]:>8.2f}s")
    print(
        f"{sum(account.sent.values()):,} inputs, {len(account.found)} broke something, {account.bytes >> 20} MB at most"
    )
    for each in account.found[:MOST_TOLD]:
        print(f"again: python -m tests.fuzz --seed {seed} --only {each.entry}:{each.number}\n  {each.told[:1000]}")
    return 1 if account.found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=0, help="how many inputs in all")
    parser.add_argument(
        "--minutes", type=float, default=0, help="how long; the default is a minute if --inputs is not given"
    )
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the same seed gives the same inputs")
    parser.add_argument("--entry", action="append", choices=list(ENTRIES), help="this entry alone; may be repeated")
    parser.add_argument("--only", metavar="ENTRY:NUMBER", default="", help="send this input again")
    parser.add_argument("--list", action="store_true", help="print the names of the entries, and send nothing")
    options = parser.parse_args()
    if not options.inputs and not options.minutes:
        options.minutes = 1.0
    return options


if __name__ == "__main__":
    sys.exit(main())
