"""The site for any WSGI server: `web.wsgi:application()`."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from flask import Flask

from web.app import create_app
from web.config import config_from


def utc_now() -> datetime:
    """Return the present moment; the one clock of the site."""
    return datetime.now(UTC)


def application() -> Flask:
    """Return the site, set up from the environment."""
    return create_app(config_from(os.environ), utc_now)
