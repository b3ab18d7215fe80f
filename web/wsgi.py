"""The site for any WSGI server: `web.wsgi:application()`."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime

from flask import Flask

from web.app import create_app
from web.config import config_from
from web.garbage import collect_seldom, return_large_blocks


def utc_now() -> datetime:
    """Return the present moment; the one clock of the site."""
    return datetime.now(UTC)


def application() -> Flask:
    """Return the site, set up from the environment.

    Where the server listens is not known here, so workspaces are made on first use only if
    PATCHYARD_OPEN says so, and hosts are checked only if PATCHYARD_HOSTS names them.
    """
    collect_seldom()
    return_large_blocks()
    config = config_from(os.environ)
    return create_app(replace(config, open=config.open or 0, hosts=config.hosts or "*"), utc_now)
