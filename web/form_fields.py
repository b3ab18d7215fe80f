"""How many fields a form may have: they are counted before they are read."""

from __future__ import annotations

from flask import Flask, Response, request

from web.errors import refused, sentence_of
from web.translation import gettext, marked

MOST_FIELDS = 1_000
_TOO_MANY = marked("That is too much at once")
_FORM = "application/x-www-form-urlencoded"


def register(app: Flask) -> None:
    """Refuse forms of too many fields before anything reads them. (Flask bounds those that come in parts.)"""
    app.before_request(_bound)


def _bound() -> Response | None:
    if request.mimetype == _FORM and request.get_data().count(b"&") >= MOST_FIELDS:
        return refused(413, gettext(_TOO_MANY), sentence_of(413))
    return None
