"""Two clients, one object: the lost update, and what keeps it from happening."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest

from engine.racing import Act, Client, Manner, Move, Race, locked, race

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LIVE = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "c", "namespace": "default", "resourceVersion": "7"},
    "data": {"x": "old", "w": "old"},
}
FOUR = [Move("a", Act.GET), Move("b", Act.GET), Move("a", Act.WRITE), Move("b", Act.WRITE)]


def clients(manner: Manner, *, retries: bool = False) -> list[Client]:
    return [Client("a", {"data": {"x": "a"}}, manner, retries), Client("b", {"data": {"w": "b"}}, manner, retries)]


def run(manner: Manner, moves: list[Move] = FOUR, *, retries: bool = False, how: Any = race) -> Race:
    found: Race = how(LIVE, (), clients(manner, retries=retries), moves, NOW, lambda: "uid")
    return found


def codes(found: Race) -> list[int]:
    return [each.code for each in found.events]


def test_without_a_resource_version_the_first_change_is_lost() -> None:
    found = run(Manner.BLIND_PUT)
    assert codes(found) == [200, 200, 200, 200]
    assert (found.lost, found.refused) == (("a",), ())
    assert found.end["data"] == {"x": "old", "w": "b"}


def test_with_it_the_second_write_is_refused_and_nothing_is_lost() -> None:
    found = run(Manner.PUT)
    assert codes(found) == [200, 200, 200, 409]
    assert (found.lost, found.refused) == ((), ("b",))
    assert "the object has been modified" in found.events[3].message
    assert found.events[3].version == "7"


def test_a_client_that_tries_again_gets_through() -> None:
    found = run(Manner.PUT, retries=True)
    assert codes(found) == [200, 200, 200, 409, 200, 200]
    assert [each.again for each in found.events] == [False] * 4 + [True] * 2
    assert found.end["data"] == {"x": "a", "w": "b"}
    assert (found.lost, found.refused) == ((), ())


def test_patches_of_different_fields_need_no_version() -> None:
    found = run(Manner.PATCH)
    assert found.end["data"] == {"x": "a", "w": "b"}
    assert found.lost == ()


def test_two_patches_of_one_field_lose_the_first() -> None:
    both = [Client("a", {"data": {"x": "a"}}, Manner.PATCH), Client("b", {"data": {"x": "b"}}, Manner.PATCH)]
    found = race(LIVE, (), both, FOUR, NOW, lambda: "uid")
    assert found.lost == ("a",)


def test_who_has_read_nothing_has_nothing_to_put() -> None:
    found = run(Manner.PUT, [Move("a", Act.WRITE)])
    assert codes(found) == [0]
    assert found.end == LIVE


def test_under_a_lock_the_second_reader_waits_and_nothing_is_lost() -> None:
    found = run(Manner.BLIND_PUT, how=locked)
    told = [(each.client, each.act, each.waits) for each in found.events]
    assert told == [
        ("a", Act.GET, False),
        ("b", Act.GET, True),
        ("a", Act.WRITE, False),
        ("b", Act.GET, False),
        ("b", Act.WRITE, False),
    ]
    assert found.end["data"] == {"x": "a", "w": "b"}


def test_under_a_lock_that_is_never_given_back_the_other_waits_for_ever() -> None:
    found = run(Manner.PUT, [FOUR[0], FOUR[1], FOUR[3]], how=locked)
    assert [each.waits for each in found.events] == [False, True, True]
    assert found.end["data"] == {"x": "old", "w": "old"}


@pytest.mark.parametrize("order", [list(each) for each in permutations(FOUR)])
def test_versions_locks_and_retries_lose_nothing_in_any_order(order: list[Move]) -> None:
    assert run(Manner.PUT, order).lost == ()
    assert run(Manner.PATCH, order).lost == ()
    assert run(Manner.BLIND_PUT, order, how=locked).lost == ()
    kept = run(Manner.PUT, order, retries=True)
    wrote = {each.client for each in kept.events if each.act is Act.WRITE and each.code == 200}
    assert {name for name, key in (("a", "x"), ("b", "w")) if kept.end["data"][key] == name} == wrote


def test_an_object_without_a_version_gets_one() -> None:
    plain = {**LIVE, "metadata": {"name": "c", "namespace": "default"}}
    found = race(plain, (), clients(Manner.PUT), FOUR, NOW, lambda: "uid")
    assert codes(found) == [200, 200, 200, 409]
