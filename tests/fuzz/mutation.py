"""Inputs made by chance: texts and values that were right, and are spoiled somewhere."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from engine.value.model import Value

NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**400, 0.1, -0.0, 1e-310, 1e308, 1.0)
TEXTS = (
    *(
        "",
        " ",
        "a",
        "-",
        "/",
        "~",
        "~2",
        ".",
        "..",
        "null",
        "true",
        "1",
        "1e999",
        "0x1f",
        "0o17",
        "1_000",
        "07",
        ".inf",
    ),
    *("\x00", "\ud800", "\u2028", "\U0001f600", "é" * 40, "a" * 300, "9" * 5000, "<script>", "{{7*7}}", "%s", "%(x)s"),
    *("[", "(?=a)", "(a+)+$", "(a{1000}){1000}", "[a", "\\", "x{1001}", "(", "*", "^a*$"),
    *("2030-01-01T00:00:00Z", "v1", "apps/v1", "a/b/c", "f:a", 'k:{"a":1}', "v:1", "i:0", "Apply", "Update", "status"),
    *("replace", "delete", "merge", "atomic", "granular", "map", "set", "object", "array", "string", "integer"),
    *("1Gi", "1e3", "100m", "-1", "1.5", "50%", "self > 1", "self.all(x, self.all(y, self.all(z, true)))"),
)
NAMES = (
    *("metadata", "spec", "status", "name", "labels", "annotations", "finalizers", "managedFields", "manager", "time"),
    *("fieldsV1", "operation", "apiVersion", "kind", "resourceVersion", "uid", "generation", "containers", "ports"),
    *("$patch", "$retainKeys", "$setElementOrder/containers", "$deleteFromPrimitiveList/finalizers", "replicas"),
    *("type", "properties", "items", "pattern", "enum", "default", "required", "maximum", "x-kubernetes-list-type"),
    *("x-kubernetes-list-map-keys", "x-kubernetes-validations", "rule", "additionalProperties", "op", "path", "value"),
    *("f:spec", ".", 'k:{"name":"a"}', "v:1", "i:-1", "", "a.b", "a/b", "~0", "<<", "data", "image", "selector"),
)
SNIPPETS = (
    *(
        "\n",
        "\t",
        ": ",
        "- ",
        "? ",
        "&a ",
        "*a",
        "<<: *a\n",
        "!!int ",
        "!!binary ",
        "!x ",
        "---\n",
        "...\n",
        "# ",
        "|\n",
    ),
    *(">-\n", "{", "}", "[", "]", ",", '"', "'", "\\", "\\u", "\\ud800", "\\/", "%YAML 1.2\n", "@", "`", "\r", "\x85"),
    *("\ufeff", "1e400", "0b1", "0777", "-.inf", ".nan", "~", "null", "9" * 400, "[" * 60, "{a: " * 60, "'" * 3),
)


def spoiled_text(random: Random, text: str, others: tuple[str, ...]) -> str:
    """Return a text that was changed in a few places."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 8))):
        at = random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice((0, 1, 1, 2, 5, 20, 100)))
        act = random.randrange(6)
        if act == 0:
            text = text[:at] + text[end:]
        elif act == 1:
            text = text[:at] + random.choice(SNIPPETS + TEXTS) + text[at:]
        elif act == 2:
            text = text[:at] + text[at:end] * random.choice((2, 3, 50)) + text[end:]
        elif act == 3:
            other = random.choice(others)
            start = random.randrange(len(other) + 1)
            text = text[:at] + other[start : start + random.choice((5, 50, 500))] + text[end:]
        elif act == 4:
            text = (
                text[:at] + chr(random.choice((0, 7, 10, 32, 34, 58, 127, 0xA0, 0xD7FF, 0xFFFE, 0x10FFFF))) + text[end:]
            )
        else:
            text = text[:at] + json.dumps(some_value(random)) + text[end:]
    return text[:200_000]


def some_value(random: Random, depth: int = 0) -> Value:
    """Return a JSON value by chance; now and then one that is deep, long or large."""
    if random.random() < 0.01:
        return _excess(random)
    act = random.randrange(8 if depth < 4 else 5)
    if act == 0:
        return random.choice((None, True, False))
    if act == 1:
        return random.choice(NUMBERS) if random.random() < 0.9 else random.randrange(-(10**6), 10**6)
    if act <= 4:
        return random.choice(TEXTS)
    members = range(random.choice((0, 1, 2, 3, 6)))
    if act == 5:
        return [some_value(random, depth + 1) for _ in members]
    return {random.choice(NAMES): some_value(random, depth + 1) for _ in members}


def _excess(random: Random) -> Value:
    size = random.choice((50, 198, 250, 2000))
    act = random.randrange(4)
    if act == 0:
        value: Value = 1
        for _ in range(min(size, 220)):
            value = [value] if size > 200 else {"a": value}
        return value
    if act == 1:
        return [random.choice((0, "a", {"name": "a"}))] * size
    if act == 2:
        return {f"k{number}": number for number in range(size)}
    return "a" * size * 20


def spoiled_value(random: Random, value: Value, times: int = 0) -> Value:
    """Return a copy of `value` in which a few members were replaced, dropped, renamed, added or repeated."""
    for _ in range(times or random.choice((1, 1, 2, 4))):
        value = _spoiled(random, value)
    return value


def _spoiled(random: Random, value: Value) -> Value:
    if not isinstance(value, (dict, list)) or not value or random.random() < 0.15:
        return some_value(random)
    if isinstance(value, list):
        items, at = list(value), random.randrange(len(value))
        if random.random() < 0.6:
            items[at] = _spoiled(random, items[at])
        else:
            items[at : at + 1] = [items[at]] * random.choice((0, 2, 2, 30))
        return items
    members, name = dict(value), random.choice(list(value))
    act = random.random()
    if act < 0.7:
        members[name] = _spoiled(random, members[name])
    elif act < 0.8:
        del members[name]
    elif act < 0.9:
        members[random.choice(NAMES)] = members.pop(name)
    else:
        members[random.choice(NAMES)] = some_value(random)
    return members
