"""What the pages beside the playground and /generate are given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One public case: what it is about, is expected, happens and helps, and the reports that it comes from.

    sources are addresses, each with a shorter text. opens tells whether the playground can show it; before and after
    are two documents to make a patch from, or empty. closed is why neither can be opened, or empty.
    """

    number: str
    title: str
    expect: str
    story: str
    cure: str
    closed: str
    sources: tuple[tuple[str, str], ...]
    opens: bool
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CaseGroup:
    """Cases of one subject."""

    title: str
    rows: tuple[CaseRow, ...]


@dataclass(frozen=True, slots=True)
class CasesPage:
    """cases.html"""

    nonce: str
    asset_version: str
    groups: tuple[CaseGroup, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """error.html"""

    nonce: str
    asset_version: str
    title: str
    sentence: str
