"""What a function of a rule is, and the values that CEL itself does not know.

CEL has no quantities, addresses or versions. A value of such a kind is a map of one member, `{"@quantity": "1.5"}`,
whose text is the same for equal values: so two of them are equal to CEL, too. Kubernetes' own types cannot be taken
for maps; there, `type(quantity("1"))` and `quantity("1").size()` differ.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NO_OVERLOAD = "no such overload"


class CallFailed(ValueError):
    """A function cannot take what it was called with; the text is the reference's. CEL passes ValueErrors on."""


@dataclass(frozen=True, slots=True)
class Function:
    """One function for one row of parameter types: `dyn`, `bool`, `int`, `string`, `list`, `strings` or `map`.

    A member is called on its first parameter.
    """

    name: str
    parameters: tuple[str, ...]
    returns: str
    call: Callable[..., Any]
    member: bool = True


def stand_in(kind: str, text: str) -> dict[str, str]:
    """Return the map that stands for a value of a kind that CEL does not know."""
    return {f"@{kind}": text}


def text_in(kind: str, value: Any) -> str:
    """Return the text of such a value.

    Raises:
        CallFailed: it is of another kind.
    """
    text = value.get(f"@{kind}") if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise CallFailed(NO_OVERLOAD)
    return text


def kind_in(value: Any) -> str:
    """Return the kind of such a value, empty if it is none."""
    name = next(iter(value), "") if isinstance(value, dict) and len(value) == 1 else ""
    return name[1:] if isinstance(name, str) and name[:1] == "@" else ""


def succeeds(call: Callable[..., Any]) -> Callable[..., bool]:
    """Return the function that tells whether `call` can take what it is called with."""

    def test(*arguments: Any) -> bool:
        try:
            call(*arguments)
        except CallFailed:
            return False
        return True

    return test
