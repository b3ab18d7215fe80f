"""Which language a request is answered in, and how the choice is kept."""

from __future__ import annotations

from flask import Flask, Response, g, request

from web.translation import ENGLISH, LANGUAGES, chosen_language, language, speak, unformatted, unformatted_many
from web.words import words

COOKIE = "patchyard_language"
YEAR = 365 * 24 * 3600
CLUSTERS = "/w/"
"""Below this a body belongs to the Kubernetes API and is not read as a form."""


def register(app: Flask) -> None:
    """Answer every request of `app` in its reader's language, and give templates the means to do so."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        unformatted, unformatted_many, newstyle=True
    )
    app.jinja_env.globals.update(language=language, languages=LANGUAGES, words=words)
    app.before_request(_choose)
    app.after_request(_tell)
    app.teardown_request(_forget)


def _choose() -> None:
    if request.path.startswith(CLUSTERS) and not request.headers.get("Accept", "").startswith("text/html"):
        speak(ENGLISH)  # a program
        return
    accepted = [tag for tag, quality in request.accept_languages if quality > 0]
    kept, asked = request.cookies.get(COOKIE, ""), request.args.get("language", "")
    speak(chosen_language(accepted, asked, kept))
    if request.method == "POST" and not request.path.startswith(CLUSTERS):
        asked = request.form.get("language", "") or asked
        speak(chosen_language(accepted, asked, kept))
    g.language_asked = bool(asked)


def _tell(response: Response) -> Response:
    page = response.mimetype == "text/html"
    if page or (response.mimetype == "application/json" and not request.path.startswith(CLUSTERS)):
        response.headers["Content-Language"] = language().html
        response.vary.update(["Accept-Language", "Cookie"])
    if g.get("language_asked"):
        response.set_cookie(
            COOKIE, language().code, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
        )
    return response


def _forget(error: BaseException | None) -> None:
    speak(ENGLISH)
