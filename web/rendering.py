"""A context -> a page, or the partial that htmx asked for. Nothing else reads or writes htmx's headers."""

from __future__ import annotations

import secrets
from dataclasses import fields
from typing import Any

from flask import Response, current_app, g, make_response, render_template, request

from web.contexts import TEMPLATES

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Editors add a style element of their own, hence the nonce; there is no inline script at all."""

DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""For what is no page."""

NO_DEVICES = ", ".join(f"{each}=()" for each in ("camera", "geolocation", "microphone", "payment", "usb"))
"""What no page here has a use for."""


def nonce() -> str:
    """Return this answer's nonce, the same one for the header and for the page."""
    if "nonce" not in g:
        g.nonce = secrets.token_urlsafe(16)
    return str(g.nonce)


def asset_version() -> str:
    """Return what changes whenever the static files may have changed."""
    return str(current_app.config["ASSET_VERSION"])


def wants_partial() -> bool:
    """Tell whether htmx asks, which wants the changed parts of the page and not the page."""
    return request.headers.get("HX-Request") == "true"


def page(context: Any, status: int = 200) -> Response:
    """Return the page of `context`."""
    return make_response(_render(context), status)


def partial(context: Any, *, replaces: bool) -> Response:
    """Return the parts of the page that `context` changes.

    Each part names its own place. Without `replaces` the part that htmx aims at stays what it was.
    """
    response = make_response(_render(context))
    if not replaces:
        response.headers["HX-Reswap"] = "none"
    return response


def secure(response: Response) -> Response:
    """Return `response` with the headers that every answer carries."""
    is_page = response.mimetype == "text/html"
    response.headers["Content-Security-Policy"] = POLICY.format(nonce=nonce()) if is_page else DATA_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Permissions-Policy"] = NO_DEVICES
    if request.is_secure and request.host.partition(":")[0] != "localhost":
        response.headers["Strict-Transport-Security"] = f"max-age={30 * 24 * 3600}"
    if is_page:
        response.headers["Cache-Control"] = "no-store"
        response.vary.add("HX-Request")
    return response


def _render(context: Any) -> str:
    template = next(name for name, kind in TEMPLATES.items() if kind is type(context))
    return render_template(template, **{field.name: getattr(context, field.name) for field in fields(context)})
