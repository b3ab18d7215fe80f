"""Where a request comes from, as far as a browser says: a page of this site, or one of another."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Request

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""


def is_foreign(request: Request) -> bool:
    """Return True if a page of another site makes this request in somebody's browser.

    Programs send neither header. Browsers of before 2023 send Origin with whatever may change something.

    Source: Fetch Metadata Request Headers (W3C), Sec-Fetch-Site; Fetch (WHATWG), the Origin header.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("cross-site", "same-site")
    origin = request.headers.get("Origin")
    return origin is not None and _address(origin) != request.host.lower()


def _address(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
