"""The result's lines: all of the object after, and the removed ones where they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.ownership.blame import BlameLine, Owner
from web.lines import MOST_COMPARED, gutter, path_text, result_lines
from web.owners import legend

CI = Owner("ci", "Apply", "", "v1", "")
MARKS = legend([[CI]])


def lines(*texts: str) -> list[BlameLine]:
    return [BlameLine(text, ("data", text.split(":")[0]), (0,)) for text in texts]


def shown(before: list[BlameLine], after: list[BlameLine]) -> list[tuple[str, str]]:
    return [(line.change, line.text) for line in result_lines(before, (CI,), after, (CI,), MARKS)]


def test_a_changed_value_is_struck_through_above_the_new_one() -> None:
    assert shown(lines("a: 1", "b: 2", "c: 3"), lines("a: 1", "b: 9", "c: 3")) == [
        ("", "a: 1"),
        ("removed", "b: 2"),
        ("added", "b: 9"),
        ("", "c: 3"),
    ]


def test_an_item_that_only_moves_down_its_list_is_the_same_line() -> None:
    before = [BlameLine("- x", ("list", 0), ())]
    after = [BlameLine("- new", ("list", 0), ()), BlameLine("- x", ("list", 1), ())]
    assert shown(before, after) == [("added", "- new"), ("", "- x")]


def test_contested_lines_are_marked() -> None:
    same = lines("a: 1", "b: 2")
    result = result_lines(same, (CI,), same, (CI,), MARKS, frozenset([".data.b"]))
    assert [line.change for line in result] == ["", "contested"]


def test_numbers_count_the_lines_of_the_result() -> None:
    result = result_lines(lines("a: 1", "b: 2"), (CI,), lines("b: 3", "c: 4"), (CI,), MARKS)
    assert [line.number for line in result if line.change != "removed"] == [1, 2]


def test_very_long_texts_that_differ_all_over_are_replaced_whole() -> None:
    before = lines(*(f"a{number}: 1" for number in range(MOST_COMPARED)))
    after = lines(*(f"a{number}: 2" for number in range(MOST_COMPARED)))
    changes = [change for change, _ in shown(before, after)]
    assert changes == ["removed"] * MOST_COMPARED + ["added"] * MOST_COMPARED


@given(st.lists(st.sampled_from("abcd")), st.lists(st.sampled_from("abcd")))
def test_without_removed_lines_it_is_after_and_without_added_ones_before(old: list[str], new: list[str]) -> None:
    pairs = shown(lines(*old), lines(*new))
    assert [text for change, text in pairs if change != "removed"] == new
    assert [text for change, text in pairs if change != "added"] == old


def test_paths_read_as_people_write_them() -> None:
    assert path_text(("spec", "ports", 0, "a.b/c")) == '.spec.ports[0]["a.b/c"]'


def test_more_owners_than_there_is_room_for_are_counted() -> None:
    many = tuple(Owner(f"m{number}", "Apply", "", "v1", "") for number in range(9))
    held = [BlameLine("a: 1", ("data", "a"), tuple(range(9))), BlameLine("b: 1", ("data", "b"), (0, 1, 2, 3))]
    result = result_lines(held, many, held, many, legend([many]))
    assert [(len(line.badges), line.more) for line in result] == [(3, 6), (4, 0)]
    assert result[0].letters == "A B C D E F G H I"
    assert gutter(result) == 4
    assert gutter(()) == 1
