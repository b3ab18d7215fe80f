"""The public cases at `/cases`."""

from __future__ import annotations

from flask import Blueprint, Response

from web.cases import case_groups, load_cases
from web.contexts import CasesPage
from web.rendering import asset_version, nonce, page

blueprint = Blueprint("cases", __name__)


@blueprint.get("/cases")
def show() -> Response:
    """List the cases by subject."""
    cases = load_cases()
    return page(CasesPage(nonce(), asset_version(), case_groups(cases), len(cases)))
