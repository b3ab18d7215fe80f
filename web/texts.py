"""Texts of the data files (examples, cases) in the language of the reader: each language has a file of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from web.translation import language

FOLDER = Path(__file__).resolve().parent / "data/texts"

Texts = Mapping[str, Mapping[str, str]]
"""By the slug of an example or the number of a case: each of its texts by name. Groups have their own entry."""


def texts_of(kind: str, key: str) -> Mapping[str, str]:
    """Return the texts of one example or case (kind: examples, cases) by name; none where English is spoken."""
    return _texts(kind, language().code).get(key, {})


@cache
def _texts(kind: str, code: str) -> Texts:
    file = FOLDER / f"{kind}.{code}.json"
    if not file.is_file():
        return {}
    texts: Texts = json.loads(file.read_text("utf-8"))
    return texts
