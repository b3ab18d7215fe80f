"""Texts in the reader's language. A text is looked up by its English; English itself needs no catalogue.

`%(name)s` stands for a value, and every text is formatted: a literal % is written %%. What a function of the engine
says remembers how it was put together (engine/said.py), and so can be said in another language here.
"""

from __future__ import annotations

import gettext as catalogues
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.said import Said

FOLDER = Path(__file__).resolve().parent / "translations"
TRADITIONAL = {"hant", "tw", "hk", "mo"}
"""The scripts and regions of a Chinese language tag that mean Traditional Chinese; all others mean Simplified."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the site.

    code is what addresses and cookies say, name its own name for itself, short what a narrow place has room for, html
    the tag of pages, folder that of its catalogue; empty for English.
    """

    code: str
    name: str
    short: str
    html: str
    folder: str


ENGLISH = Language("en", "English", "EN", "en", "")
LANGUAGES = (
    ENGLISH,
    Language("zh-Hant", "繁體中文", "繁", "zh-TW", "zh_Hant"),
    Language("zh-Hans", "简体中文", "简", "zh-CN", "zh_Hans"),
)
_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def language_of(tag: str) -> Language | None:
    """Return the language that a tag such as zh-HK or en-GB is served with; None if there is none."""
    primary, *others = tag.lower().replace("_", "-").split("-")
    if primary == "en":
        return ENGLISH
    if primary != "zh":
        return None
    code = "zh-Hant" if TRADITIONAL & set(others) and "hans" not in others else "zh-Hans"
    return next(each for each in LANGUAGES if each.code == code)


def chosen_language(accepted: Iterable[str], asked: str = "", cookie: str = "") -> Language:
    """Return the language for a reader: what is asked for, else what was chosen before, else the browser's first.

    accepted: the tags that the browser sends, the best first. What is no language of the site does not count.
    """
    found = (language_of(tag) for tag in (asked, cookie, *accepted))
    return next((each for each in found if each is not None), ENGLISH)


def language() -> Language:
    """Return the language that is spoken now."""
    return _spoken.get()


def speak(chosen: Language) -> None:
    """Speak a language from here on, in this request."""
    _spoken.set(chosen)


@contextmanager
def spoken(chosen: Language) -> Iterator[None]:
    """Speak a language within the block."""
    token = _spoken.set(chosen)
    try:
        yield
    finally:
        _spoken.reset(token)


def gettext(text: str, **values: object) -> str:
    """Return a text in the language that is spoken, with its values."""
    return unformatted(text) % values


def ngettext(one: str, many: str, num: int, **values: object) -> str:
    """Return the text for so many; `%(num)s` is the number."""
    return unformatted_many(one, many, num) % {"num": num, **values}


def translated(text: str) -> str:
    """Return what the engine said in the language that is spoken; a text that does not remember its template as is."""
    if not isinstance(text, Said):
        return text
    values = {name: translated(each) if isinstance(each, str) else each for name, each in text.values.items()}
    if text.one:
        return unformatted_many(text.one, text.template, int(str(values["num"]))) % values
    return unformatted(text.template) % values


def unformatted(text: str) -> str:
    """Return a text in the language that is spoken, as templates and scripts format it themselves."""
    return _catalogue(language().folder).gettext(text) if text else ""


def unformatted_many(one: str, many: str, num: int) -> str:
    """Return the text for so many, not yet formatted."""
    return _catalogue(language().folder).ngettext(one, many, num)


def marked(text: str) -> str:
    """Return `text`: marks a constant as one to translate; `gettext` translates it where it is shown."""
    return text


@cache
def _catalogue(folder: str) -> catalogues.NullTranslations:
    if not folder:
        return catalogues.NullTranslations()
    return catalogues.translation("messages", FOLDER, [folder], fallback=True)
