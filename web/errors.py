"""What goes wrong outside the engine -> a page that says so, or for htmx a line that leaves everything in place."""

from __future__ import annotations

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from web.contexts import Answer, AnswerPartial, ErrorPage, Outcome
from web.rendering import asset_version, nonce, page, partial, wants_partial

TITLES = {404: "There is no such page", 405: "That address takes no such request", 413: "That is too much at once"}


def register(app: Flask) -> None:
    """Answer every failure of `app` with a page of its own."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _http(error: HTTPException) -> Response:
    code = error.code or 500
    return _answer(code, TITLES.get(code, error.name), _sentence(code))


def _unexpected(error: Exception) -> Response:
    current_app.logger.error("failed at %s %s", request.method, request.path, exc_info=error)
    return _answer(500, "Patchyard failed", _sentence(500))


def _answer(code: int, title: str, sentence: str) -> Response:
    if wants_partial():
        return partial(AnswerPartial(Answer(Outcome("stale", "", sentence), None)), replaces=False)
    return page(ErrorPage(nonce(), asset_version(), title, sentence), code)


def _sentence(code: int) -> str:
    if code == 404:
        return f"Nothing is at {request.path}; expected an address that a page here links to. Go to the playground."
    if code == 405:
        return f"{request.path} does not take {request.method}; go to the playground and begin there."
    if code == 413:
        limit = current_app.config["MAX_CONTENT_LENGTH"]
        return f"All the texts together are more than {limit:,} bytes, the most that is read. Shorten them."
    if code == 500:
        return (
            "This input made Patchyard itself fail, which is a defect of Patchyard. What you typed is still here: "
            "change it a little to go on, and please report what you typed."
        )
    return f"The request could not be answered (HTTP {code}). Go back to the playground; what you typed is kept there."
