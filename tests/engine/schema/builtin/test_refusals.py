"""What the server refuses of built-in kinds: refusals.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from engine.meta.gvk import gvk_of
from tests.support.cluster import Cluster

CASES = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["phrase"])
def test_what_is_refused(case: dict[str, Any]) -> None:
    given = case["given"]
    cluster = Cluster(gvk_of(given), name=given["metadata"]["name"])
    answer = cluster.create(given, "test")
    if "change" in case:
        assert answer.code == 201, answer.body
        held = cluster.stored
        answer = cluster.merge(case["change"], "test")
        assert cluster.stored == held
    assert answer.code == case["code"]
    assert answer.causes == [tuple(each) for each in case["causes"]]
