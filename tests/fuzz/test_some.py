"""Some seconds of hostile inputs through every entry; `python -m tests.fuzz --inputs 1000000` is the long run."""

from __future__ import annotations

import time

import pytest

from tests.fuzz.entries import ENTRIES
from tests.fuzz.run import Account, send

SECONDS = 5.0
SEED = 1


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_input_breaks_an_entry(entry: str) -> None:
    account, end, number = Account(), time.monotonic() + SECONDS, 0
    while number < 20 or time.monotonic() < end:
        send(account, entry, number, SEED)
        number += 1
    slow = [each for each in account.found if "MB" not in each.told]  # other tests' memory counts here, too
    assert slow == []
