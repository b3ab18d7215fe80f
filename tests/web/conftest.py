"""The site with a clock that stands still."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from web.config import Config

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(scope="session")
def client() -> FlaskClient:
    """A client of the site."""
    return create_app(Config(), lambda: NOW).test_client()
