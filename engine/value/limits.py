"""What a document may cost: its size, its depth and its number of values, and the check of them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.value.failures import LimitExceeded, Path
from engine.value.model import Value


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a document may hold. Everything that reads a text takes one of these.

    max_bytes: of the UTF-8 text. 1 MiB: a stored object of a real cluster ends at etcd's 1.5 MiB.
    max_depth: levels of lists and maps inside one another. 200: far above any API type, and low enough that a
        walker with three frames a level stays inside Python's stack.
    max_nodes: values in all, with every alias counted as what it stands for.
    max_aliased: values that the aliases of one document stand for, each as often as it is repeated.
    max_documents: documents in one text.
    max_operations: operations of a JSON Patch. 10,000: the API server of Kubernetes 1.36.
    max_copied_bytes: what all copies of one JSON Patch add up to, as JSON. 3 MiB: the API server of Kubernetes 1.36.
    max_managers: entries of managedFields. Each entry has to be looked at by every write.
    """

    max_bytes: int = 1 << 20
    max_depth: int = 200
    max_nodes: int = 200_000
    max_aliased: int = 100_000
    max_documents: int = 100
    max_operations: int = 10_000
    max_copied_bytes: int = 3 << 20
    max_managers: int = 1_000


DEFAULT_LIMITS = Limits()


def check_size(text: str, limits: Limits) -> None:
    """Refuse a text of more bytes than `limits` allows.

    Raises:
        LimitExceeded: the text is too long; `found` is its size.
    """
    # A character is one to four bytes of UTF-8: most texts need no encoding to be told apart.
    if len(text) * 4 <= limits.max_bytes:
        return
    size = len(text) if len(text) > limits.max_bytes else len(text.encode("utf-8", "surrogatepass"))
    if size > limits.max_bytes:
        raise LimitExceeded("bytes", limits.max_bytes, size)


def check_shape(value: Value, limits: Limits = DEFAULT_LIMITS) -> int:
    """Return how many values `value` holds, itself included; it may be nested as deeply as memory allows.

    Raises:
        LimitExceeded: it is nested too deeply, or holds too many values; `path` is a place beyond the limit.
    """
    nodes, depth = 1, 0
    level: list[tuple[Path, Value]] = [((), value)]
    while level:
        below: list[tuple[Path, Value]] = []
        for path, parent in level:
            children = _children(parent)
            nodes += len(children)
            if children and depth >= limits.max_depth:
                raise LimitExceeded("levels", limits.max_depth, None, path=path)
            below += [((*path, step), child) for step, child in children if isinstance(child, (dict, list)) and child]
        if nodes > limits.max_nodes:
            raise LimitExceeded("values", limits.max_nodes, nodes)
        level, depth = below, depth + 1
    return nodes


def check_result(value: Value, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse an object that a write made of more than `limits` allows; what is in it twice counts twice.

    A write adds a document, and what it copies, to another document, so that much text may be in the result.

    Raises:
        LimitExceeded: it holds too many values, or too much text.
    """
    count, text, most = 1, 0, 2 * limits.max_bytes + limits.max_copied_bytes
    pending = [value]
    while pending:
        current = pending.pop()
        members = current.values() if isinstance(current, dict) else current if isinstance(current, list) else ()
        count += len(members)
        text += sum([len(member) for member in members if type(member) is str])
        if count > limits.max_nodes:
            raise LimitExceeded("values", limits.max_nodes)
        if text > most:
            raise LimitExceeded("bytes in all", most)
        pending += [member for member in members if isinstance(member, (dict, list))]


def check_managers(entries: Value, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse managedFields of more entries than `limits` allows.

    Raises:
        LimitExceeded: there are too many.
    """
    if isinstance(entries, list) and len(entries) > limits.max_managers:
        path = ("metadata", "managedFields", limits.max_managers)
        raise LimitExceeded("entries of managedFields", limits.max_managers, len(entries), path=path)


def _children(value: Value) -> list[tuple[str | int, Value]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []
