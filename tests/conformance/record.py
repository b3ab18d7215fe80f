"""Add the scenarios that have become exact to exact.txt: `python -m tests.conformance.record`.

None is ever taken off: one that is no longer exact is named, and the exit status is 1.
"""

from __future__ import annotations

import sys

from tests.conformance.comparison import EXACT, SUITES, exact_ids, outcomes


def main() -> int:
    """Write exact.txt, and return the exit status."""
    listed = exact_ids() if EXACT.exists() else frozenset()
    found = [each for suite in SUITES for each in outcomes(suite)]
    now = {each.id for each in found if each.exact}
    EXACT.write_text("".join(f"{name}\n" for name in sorted(listed | now)))
    print(f"{len(now - listed)} scenarios joined {EXACT.name}, which holds {len(listed | now)} of {len(found)}.")
    for each in found:
        if each.id in listed and not each.exact:
            print(f"{each.id} was exact and is not any more: {each.first}", file=sys.stderr)
    return 1 if listed - now else 0


if __name__ == "__main__":
    sys.exit(main())
