"""What every request goes through: host and origin are checked, it gets an id, and a line in the log.

The log is JSON, a line each on standard error. No line holds a key to a workspace, a query or a body.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from secrets import token_hex

from flask import Flask, Response, g, has_request_context, request

from web.config import Config
from web.errors import refused
from web.kubeapi.exchange import plain_status
from web.origins import SAFE, is_foreign
from web.translation import gettext, marked

ID = "X-Request-Id"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_SLASH = re.compile("(/|%2f)", re.IGNORECASE)
_BEFORE_KEYS = {"w", "links"}
_FOREIGN = marked("A page of another site may not do this. Open the page itself, and do it there.")
_LOGGED = ("method", "path", "code", "milliseconds", "request_id")


class JsonLines(logging.Formatter):
    """A record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": moment, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= {name: getattr(record, name) for name in _LOGGED if hasattr(record, name)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class _WithId(logging.Filter):
    """Adds the id of the request to what is logged meanwhile."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep every record."""
        if has_request_context() and "request_id" in g:
            record.request_id = g.request_id
        return True


def register(app: Flask, config: Config) -> None:
    """Have every request to `app` checked, named and logged as `config` says."""
    hosts = config.known_hosts
    log = _logger(app)

    def begin() -> Response | None:
        given = request.headers.get(ID, "")
        g.request_id = given if _SANE.fullmatch(given) else token_hex(8)
        g.started = time.perf_counter()
        host = _host(request.headers.get("Host", ""))
        if host is None or (hosts and host not in hosts):
            return _misdirected()
        if request.method not in SAFE and is_foreign(request):
            return refused(403, gettext("Not from there"), gettext(_FOREIGN))
        return None

    def end(response: Response) -> Response:
        response.headers[ID] = g.request_id
        if config.log == "requests" or (config.log == "errors" and response.status_code >= 500):
            log.info(
                "request",
                extra={
                    "method": request.method,
                    "path": masked(request.path),
                    "code": response.status_code,
                    "milliseconds": round((time.perf_counter() - g.started) * 1000, 1),
                },
            )
        return response

    app.before_request(begin)
    app.after_request(end)


def masked(path: str) -> str:
    """Return a path without the keys in it, to workspaces and links: their first letters are kept, to tell them apart.

    What follows "w" or "links" is a key, as the path is written and as it is once its dot segments are resolved.
    """
    parts = _SLASH.split(path)
    before, above = "", list[str]()
    for at in range(0, len(parts), 2):
        part = parts[at]
        is_key = not _BEFORE_KEYS.isdisjoint((before, *above[-1:]))
        if part == "..":
            del above[-1:]
        elif part not in ("", "."):
            before = part.lower()
            above.append(before)
        if is_key and (part not in ("", ".", "..") or (part == "" and at == len(parts) - 1)):
            parts[at] = f"{part[:4]}***"
    return "".join(parts)


def _logger(app: Flask) -> logging.Logger:
    """The site's log, as lines of JSON on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(_WithId())
    app.logger.handlers[:] = [handler]
    app.logger.setLevel(logging.INFO)
    app.logger.propagate = False
    return app.logger


_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\s:/@\[\]\\]*)(?::[0-9]*)?")


def _host(text: str) -> str | None:
    """The name or address in a Host header, without the port; None if it is no such header."""
    found = _HOST.fullmatch(text)
    return found[1].lower().rstrip(".") if found is not None else None


def _misdirected() -> Response:
    told = gettext(
        "This server is not known by the name in the request's Host header. Use an address that it knows, or have its "
        "operator add the name (PATCHYARD_HOSTS)."
    )
    if request.path.startswith("/w/"):
        answer = plain_status(421, "Misdirected", told)
        return Response(answer.body, answer.code, content_type=answer.content_type)
    return Response(f"{told}\n", 421, mimetype="text/plain")
