"""Texts that remember how they were put together, so that they can be said in another language.

The engine speaks English. Whoever shows its texts to people may look up the template in a catalogue, say the values
in turn, and put them together anew.
"""

from __future__ import annotations

from collections.abc import Mapping


class Said(str):
    """A text in English, with its template (`%(name)s` stands for a value) and its values.

    one is the template for a single thing if the text counts something, else empty; the count is the value `num`.
    Equal to, and in everything else like, the plain text.
    """

    template: str
    one: str
    values: Mapping[str, object]


def said(template: str, **values: object) -> Said:
    """Return the text of a template; a literal % is written %% in it."""
    return _made(template, "", values)


def said_many(one: str, many: str, num: int, **values: object) -> Said:
    """Return the text for `num` things: of the template `one` for a single thing, else of `many`."""
    return _made(many, one, {"num": num, **values})


def _made(template: str, one: str, values: Mapping[str, object]) -> Said:
    text = Said((one if one and values["num"] == 1 else template) % values)
    text.template, text.one, text.values = template, one, values
    return text
