"""A rule's text: what it mentions, and what is wrapped around it before it is compiled.

Two things cannot be handed to CEL as values: an optional, and moments and durations inside other values. They are
written into the expression: `cel.bind(oldSelf, optional.none(), RULE)`.
"""

from __future__ import annotations

import re
from typing import Any

from engine.schema.rules.values import Typed
from engine.value.json_writer import render_json

_QUOTED = re.compile(
    r'[rR]?"""(?:[^\\]|\\.)*?"""|'
    r"[rR]?'''(?:[^\\]|\\.)*?'''|"
    r'[rR]?"(?:[^"\\\n]|\\.)*"|'
    r"[rR]?'(?:[^'\\\n]|\\.)*'|"
    r"`[^`\n]*`|//[^\n]*",
    re.DOTALL,
)
_OLD_SELF = re.compile(r"(?<![\w.])oldSelf\b")
_ANSWERS_OPTIONAL = re.compile(r"\.validate\s*\(|(?<![\w.])format\s*\.\s*named\s*\(")


def uses_old_self(rule: str) -> bool:
    """Return True if a rule is a transition rule: it speaks of the value that was there before."""
    return _OLD_SELF.search(_blanked(rule)) is not None


def _blanked(rule: str) -> str:
    """The rule with everything in quotes, and comments, replaced by blanks; nothing moves."""
    return _QUOTED.sub(lambda match: " " * len(match[0]), rule)


def bound(name: str, value: str, expression: str) -> str:
    """Return the expression with `name` standing for what `value`, an expression itself, comes to."""
    return f"cel.bind({name}, {value}, (\n{expression}\n))"


def with_optional_answers(rule: str) -> str:
    """Return the rule with the lists that our functions answer in place of optionals turned into optionals."""
    plain = _blanked(rule)
    ends = sorted((_closing(plain, match.end()) for match in _ANSWERS_OPTIONAL.finditer(plain)), reverse=True)
    for end in ends:
        rule = f"{rule[:end]}[?0]{rule[end:]}"
    return rule


def _closing(text: str, start: int) -> int:
    """The place after the parenthesis that closes the one before `start`; the end if none does."""
    depth = 1
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index + 1
    return len(text)


def holds_typed(value: Any) -> bool:
    """Return True if a value has a moment or duration in it."""
    if isinstance(value, dict):
        return any(map(holds_typed, value.values()))
    return any(map(holds_typed, value)) if isinstance(value, list) else isinstance(value, Typed)


def literal(value: Any) -> str:
    """Return the expression that comes to a value of values.py, every part of it of a type that CEL does not check."""
    if isinstance(value, dict):
        members = (f"{render_json(name)}: {literal(member)}" for name, member in value.items())
        return "dyn({" + ", ".join(members) + "})"
    if isinstance(value, list):
        return "dyn([" + ", ".join(map(literal, value)) + "])"
    if isinstance(value, Typed):
        return f"dyn({value.function}({render_json(value.text)}))"
    if isinstance(value, bytes):
        return 'dyn(b"' + "".join(f"\\x{byte:02x}" for byte in value) + '")'
    if isinstance(value, float):
        return f"dyn(double({value!r}))"
    return f"dyn({render_json(value)})"
