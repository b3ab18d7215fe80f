"""Kinds of conflicts, and the three ways out of each."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from engine import resolution
from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.explain.conflicts import ConflictClass, classify
from engine.managedfields.entries import decode_entries
from engine.resolution import Contest, Way, WayOut, given_up, ways_out
from engine.value.codec import parse_yaml, render_yaml
from engine.value.edit import NotInText
from engine.value.model import MISSING

NOW = datetime(2030, 1, 1, tzinfo=UTC)
MANIFEST = """\
# the shop's front
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web   # chosen by the service
    tier: front
spec:
  replicas: 3  # three are enough
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      # the only one
      - name: main
        image: shop:1
        args: [serve, --fast]
        resources:
          limits:
            cpu: 1000m
"""


def evaluated(write: Write) -> Evaluation:
    return evaluate(write, now=NOW, new_uid=lambda: "uid")


def rivalled(patch: Any, text: str = MANIFEST, rival: str = "hpa") -> Contest:
    """Return what comes of applying a manifest again after a rival has changed something by a strategic merge."""
    live = evaluated(Write(WriteKind.APPLY, None, parse_yaml(text), manager="ci")).after
    held = evaluated(Write(WriteKind.STRATEGIC_MERGE, live, patch, manager=rival)).after
    assert held is not None
    write = Write(WriteKind.APPLY, held, parse_yaml(text), manager="ci")
    return Contest(write, evaluated(write), text, NOW, lambda: "uid")


def ways(contest: Contest) -> dict[Way, WayOut]:
    return {each.way: each for each in ways_out(contest)}


def changed(before: str, after: str) -> list[tuple[str, str]]:
    """Return the lines that differ, by position where the count is the same, else those that went."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) == len(new):
        return [(a, b) for a, b in zip(old, new, strict=True) if a != b]
    rest, gone = list(new), []
    for line in old:
        if rest and rest[0] == line:
            rest.pop(0)
        else:
            gone.append((line, ""))
    assert not rest
    return gone


@pytest.mark.parametrize(
    ("writer", "live", "intended", "kind"),
    [
        ("ci", 5, 3, ConflictClass.VALUE),
        ("hpa", 5, 3, ConflictClass.SELF),
        ("ci", [1], [2], ConflictClass.ATOMIC),
        ("ci", 5, None, ConflictClass.EMPTY),
        ("ci", "x", "", ConflictClass.EMPTY),
        ("ci", {"a": 1}, {}, ConflictClass.EMPTY),
        ("ci", "1", "1000m", ConflictClass.QUANTITY),
        ("ci", "1Gi", "1024Mi", ConflictClass.QUANTITY),
        ("ci", "1", "2", ConflictClass.VALUE),
        ("ci", MISSING, 3, ConflictClass.VALUE),
        ("ci", "web", "shop", ConflictClass.VALUE),
    ],
)
def test_the_kind_of_a_conflict(writer: str, live: Any, intended: Any, kind: ConflictClass) -> None:
    assert classify(writer, "hpa", live, intended) is kind


def test_taking_forces_and_owns_alone() -> None:
    way = ways(rivalled({"spec": {"replicas": 5}}))[Way.TAKE]
    assert (way.text, way.force, way.code) == (MANIFEST, True, 200)
    assert [[owner.manager for owner in owners] for owners in way.owners] == [["ci"]]
    assert way.command == "kubectl apply --server-side --field-manager=ci --force-conflicts -f FILE"


def test_giving_up_takes_the_field_out_of_the_text() -> None:
    way = ways(rivalled({"spec": {"replicas": 5}}))[Way.GIVE_UP]
    assert changed(MANIFEST, way.text) == [("  replicas: 3  # three are enough", "")]
    assert (way.force, way.code) == (False, 200)
    assert [[owner.manager for owner in owners] for owners in way.owners] == [["hpa"]]


def test_sharing_writes_the_live_value() -> None:
    way = ways(rivalled({"spec": {"replicas": 5}}))[Way.SHARE]
    assert changed(MANIFEST, way.text) == [("  replicas: 3  # three are enough", "  replicas: 5  # three are enough")]
    assert way.code == 200
    assert [sorted(owner.manager for owner in owners) for owners in way.owners] == [["ci", "hpa"]]


def test_what_held_only_the_field_goes_along() -> None:
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "main", "resources": {"limits": {"cpu": "2"}}}]}}}}
    way = ways(rivalled(patch))[Way.GIVE_UP]
    assert [line.strip() for line, _ in changed(MANIFEST, way.text)] == ["resources:", "limits:", "cpu: 1000m"]
    assert way.code == 200


def test_a_list_that_is_owned_whole_is_shared_whole() -> None:
    patch = {"spec": {"template": {"spec": {"containers": [{"name": "main", "args": ["serve", "--slow"]}]}}}}
    way = ways(rivalled(patch))[Way.SHARE]
    assert changed(MANIFEST, way.text) == [("        args: [serve, --fast]", '        args: ["serve","--slow"]')]
    assert way.code == 200


def test_one_of_several_is_resolved_alone() -> None:
    contest = rivalled({"metadata": {"labels": {"tier": "back"}}, "spec": {"replicas": 5}})
    fields = [each.field for each in contest.done.conflicts]
    assert len(fields) == 2
    one = {each.way: each for each in ways_out(contest, fields[:1])}
    assert one[Way.SHARE].code == 409
    assert ways(contest)[Way.SHARE].code == 200


def test_the_text_of_an_alias_is_left_to_the_person() -> None:
    text = MANIFEST.replace("matchLabels: {app: web}", "matchLabels: {app: web}").replace(
        "  labels:\n    app: web   # chosen by the service\n    tier: front\n", "  labels: &l {app: web, tier: front}\n"
    )
    text = text.replace("      labels:\n        app: web\n", "      labels: *l\n")
    contest = rivalled({"spec": {"template": {"metadata": {"labels": {"tier": "back"}}}}}, text)
    way = ways(contest)[Way.GIVE_UP]
    assert way.text == text
    assert "change it by hand" in way.closed


def test_a_field_that_is_not_there_cannot_be_given_up() -> None:
    contest = rivalled({"spec": {"replicas": 5}})
    with pytest.raises(NotInText):
        given_up("a: 1\n", contest.done.type, ("f:spec", "f:replicas"))


def commented(number: int) -> tuple[str, int]:
    """Return a manifest with comments and blank lines strewn in, and the number of replicas that it wants."""
    chance = random.Random(number)  # noqa: S311 - a seeded choice of test cases
    replicas = chance.randint(1, 9)
    lines = []
    for line in MANIFEST.replace("replicas: 3", f"replicas: {replicas}").splitlines():
        indent = " " * (len(line) - len(line.lstrip()))
        if chance.random() < 0.3:
            lines.append(f"{indent}# note {chance.randint(0, 99)}: keep")
        if chance.random() < 0.1:
            lines.append("")
        lines.append(line + ("  # why not" if "#" not in line and chance.random() < 0.3 else ""))
    return "\n".join(lines) + "\n", replicas


@pytest.mark.parametrize("number", range(50))
def test_only_the_touched_line_of_a_commented_manifest_changes(number: int) -> None:
    text, replicas = commented(number)
    found = ways(rivalled({"spec": {"replicas": replicas + 1}}, text))
    touched = [line for line in text.splitlines() if line.strip().startswith("replicas:")]
    assert changed(text, found[Way.GIVE_UP].text) == [(touched[0], "")]
    shared = touched[0].replace(f"replicas: {replicas}", f"replicas: {replicas + 1}")
    assert changed(text, found[Way.SHARE].text) == [(touched[0], shared)]
    assert {found[Way.GIVE_UP].code, found[Way.SHARE].code} == {200}


def test_the_owners_of_many_fields_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    containers = [{"name": f"c{number}", "image": "i:1"} for number in range(40)]
    text = render_yaml(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": containers}}
    )
    contest = rivalled({"spec": {"containers": [{**each, "image": "i:2"} for each in containers]}}, text)
    assert len(contest.done.conflicts) == 40
    read = list[object]()
    monkeypatch.setattr(resolution, "decode_entries", lambda entries: read.append(entries) or decode_entries(entries))
    taken = ways(contest)[Way.TAKE]
    assert [[owner.manager for owner in owners] for owners in taken.owners] == [["ci"]] * 40
    assert len(read) == len(Way)
