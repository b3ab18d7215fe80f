"""kubectl apply's three lists add up to what it sends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.value.codec import parse_yaml
from engine.value.limits import Limits
from web.answers import answer_for
from web.contexts import Result
from web.examples import load_examples

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def result(slug: str) -> Result:
    example = next(each for each in load_examples() if each.slug == slug)
    found = answer_for(example.draft, Limits(), NOW).result
    assert found is not None
    return found


def test_a_label_that_the_manifest_drops_is_among_the_deletions() -> None:
    last, deletions, changes, whole = (text for _, text in result("three-way-dropped").three_lists)
    assert "tier: front" in last
    assert parse_yaml(deletions) == {"metadata": {"labels": {"tier": None}}}
    assert changes == "nothing\n"
    assert parse_yaml(whole) == parse_yaml(deletions)


def test_what_is_sent_is_the_sum_and_the_annotation() -> None:
    found = result("three-way-dropped")
    assert '"tier": null' in found.request_body
    assert "last-applied-configuration" in found.request_body
    assert "last-applied-configuration" not in found.three_lists[3][1]


@pytest.mark.parametrize("slug", ["conflict", "put-loses", "merge-null"])
def test_other_writes_have_none(slug: str) -> None:
    assert result(slug).three_lists == ()
