"""What goes wrong outside the engine -> a page that says so, or for htmx a line that leaves everything in place.

Clients of the Kubernetes API get a Status, as everywhere else below its address.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from web.contexts import Answer, AnswerPartial, ErrorPage, Outcome
from web.deadline import Deadline, TimeUp
from web.kubeapi.exchange import plain_status
from web.kubeapi.responses import FOREIGN
from web.limits import SECONDS
from web.rendering import asset_version, nonce, page, partial, wants_partial
from web.translation import gettext, marked

TITLES = {
    404: marked("There is no such page"),
    405: marked("That address takes no such request"),
    413: marked("That is too much at once"),
    503: marked("That would take too long"),
}
JSON_API = "/api/"
KUBERNETES = "/w/"
"""What the addresses of the Kubernetes API begin with."""
REASONS = {
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    413: "RequestEntityTooLarge",
    500: "InternalError",
}


def in_time(view: Callable[..., Any], deadline: Deadline) -> Callable[..., Any]:
    """Return a view that is left where it is, with an answer that says so, once it has worked for too long."""

    @wraps(view)
    def answered(*args: Any, **named: Any) -> Any:
        try:
            with deadline.within():
                return view(*args, **named)
        except TimeUp:
            return refused(503, gettext(TITLES[503]), out_of_time(deadline))

    return answered


def out_of_time(deadline: Deadline) -> str:
    """Return what to tell whoever asked for more than can be answered in time."""
    return gettext(
        "The answer would take more than %(seconds)s seconds, the most that one request may take here. "
        "Ask for less: shorten the documents or the patch, or raise the limit with the setting %(setting)s.",
        seconds=f"{deadline.seconds:g}",
        setting=SECONDS,
    )


def register(app: Flask) -> None:
    """Answer every failure of `app` with a page of its own."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _http(error: HTTPException) -> Response:
    code = error.code or 500
    return refused(code, gettext(TITLES[code]) if code in TITLES else error.name, sentence_of(code))


def _unexpected(error: Exception) -> Response:
    current_app.logger.error("failed at %s %s", request.method, request.path, exc_info=error)
    return refused(500, gettext("Patchyard failed"), sentence_of(500))


def refused(code: int, title: str, sentence: str) -> Response:
    """Return the answer that says why there is no other, in the form that its address answers in."""
    if request.path.startswith(JSON_API):
        return Response(json.dumps({"error": sentence}) + "\n", code, content_type="application/json")
    if request.path.startswith(KUBERNETES):
        told = plain_status(code, REASONS.get(code, ""), _kubernetes_sentence(code))
        return Response(told.body, told.code, content_type=told.content_type)
    if wants_partial():
        return partial(AnswerPartial(Answer(Outcome("stale", "", sentence), None)), replaces=False)
    return page(ErrorPage(nonce(), asset_version(), title, sentence), code)


def sentence_of(code: int) -> str:
    """Return what to tell about a request that is answered with `code`: what was found, expected, and what to do."""
    if code == 404:
        return gettext(
            "Nothing is at %(path)s; expected an address that a page here links to. Go to the playground.",
            path=request.path,
        )
    if code == 405:
        return gettext(
            "%(path)s does not take %(method)s; go to the playground and begin there.",
            path=request.path,
            method=request.method,
        )
    if code == 413:
        return gettext(
            "All the texts together are more than %(limit)s bytes, the most that is read. Shorten them.",
            limit=f"{current_app.config['MAX_CONTENT_LENGTH']:,}",
        )
    if code == 500:
        return gettext(
            "This input made Patchyard itself fail, which is a defect of Patchyard. What you typed is still here: "
            "change it a little to go on, and please report what you typed."
        )
    return gettext(
        "The request could not be answered (HTTP %(code)s). Go back to the playground; what you typed is kept there.",
        code=code,
    )


def _kubernetes_sentence(code: int) -> str:
    if code == 403:
        return FOREIGN
    if code == 405:
        return "the server does not allow this method on the requested resource"
    if code == 413:
        return f"the body is more than {current_app.config['MAX_CONTENT_LENGTH']:,} bytes, the most that is read"
    if code == 500:
        return "this request made Patchyard itself fail, which is a defect of Patchyard; please report it"
    return f"the request could not be answered (HTTP {code})"
