"""What goes wrong outside the engine -> a page that says so, or for htmx a line that leaves everything in place.

Clients of the Kubernetes API get a Status, as everywhere else below its address.
"""

from __future__ import annotations

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from web.contexts import Answer, AnswerPartial, ErrorPage, Outcome
from web.kubeapi.exchange import plain_status
from web.rendering import asset_version, nonce, page, partial, wants_partial

TITLES = {404: "There is no such page", 405: "That address takes no such request", 413: "That is too much at once"}
KUBERNETES = "/w/"
"""What the addresses of the Kubernetes API begin with."""
REASONS = {404: "NotFound", 405: "MethodNotAllowed", 413: "RequestEntityTooLarge", 500: "InternalError"}


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
    if request.path.startswith(KUBERNETES):
        told = plain_status(code, REASONS.get(code, ""), _kubernetes_sentence(code))
        return Response(told.body, told.code, content_type=told.content_type)
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


def _kubernetes_sentence(code: int) -> str:
    if code == 405:
        return "the server does not allow this method on the requested resource"
    if code == 413:
        return f"the body is more than {current_app.config['MAX_CONTENT_LENGTH']:,} bytes, the most that is read"
    if code == 500:
        return "this request made Patchyard itself fail, which is a defect of Patchyard; please report it"
    return f"the request could not be answered (HTTP {code})"
