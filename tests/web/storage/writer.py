"""A process that writes to a SQLite store, and tells each write on its output once it is acknowledged.

python writer.py FILE WORKSPACE PREFIX COUNT: makes COUNT objects, and after each adds one to an object that all writers
share. A line is the name of the object that was made and the number that was reached.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from engine.apiserver.storage import ObjectKey, Raced
from web.storage.sqlite import SQLiteStore
from web.storage.sqlite_file import Database

COUNTER = ObjectKey("", "configmaps", "default", "counter")


def add_one(store: SQLiteStore) -> int:
    """Add one to the shared number, over and over until no other writer came between, and return it."""
    while True:
        have = store.get(COUNTER)
        number = int(have["data"]["n"]) + 1 if have else 1
        body = {"metadata": {"name": "counter"}, "data": {"n": str(number)}}
        try:
            store.put(COUNTER, body, have["metadata"]["resourceVersion"] if have else None)
        except Raced:
            continue
        return number


def write(file: str, workspace: str, prefix: str, count: int) -> None:
    """Write and tell."""
    store = SQLiteStore(Database(file, busy_seconds=60), workspace)
    for number in range(count):
        name = f"{prefix}-{number:06}"
        store.put(ObjectKey("", "configmaps", "default", name), {"metadata": {"name": name}}, None)
        print(name, add_one(store), flush=True)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
