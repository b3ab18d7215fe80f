"""What scripts say, in the reader's language: the page carries it in a block of data."""

from __future__ import annotations

from collections.abc import Mapping

from web.translation import ENGLISH, language, unformatted

WORDS: tuple[str, ...] = ()
"""Every text that a script hands to `say`, in English."""


def words() -> Mapping[str, str]:
    """Return each text in the language that is spoken; nothing for English, which the scripts have themselves."""
    return {} if language() is ENGLISH else {text: unformatted(text) for text in WORDS}
