"""A person commits writes one after the other, goes back, changes their order, and reloads."""

from __future__ import annotations

import subprocess
import sys

from playwright.sync_api import Locator, expect

from e2e.playground import Playground

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  {}\n"


def config(data: str) -> str:
    return MAP.replace("  {}\n", data)


def steps(playground: Playground) -> Locator:
    return playground.page.locator("#timeline li:has(.number)")


def commit(playground: Playground, manager: str, body: str, count: int) -> None:
    """Write a body as a manager, and commit it as the step of that number."""
    playground.page.get_by_label("Manager").fill(manager)
    playground.type_over("body", body)
    playground.expect_outcome("20")
    playground.page.get_by_role("button", name="Commit").click()
    expect(steps(playground)).to_have_count(count)


def two_steps(playground: Playground) -> None:
    playground.page.goto("/empty")
    commit(playground, "a", config("  x: one\n"), 1)
    commit(playground, "b", config("  w: two\n"), 2)


def test_each_commit_is_a_step_and_the_result_becomes_the_live_object(playground: Playground) -> None:
    two_steps(playground)
    expect(steps(playground).locator(".what")).to_have_text(["a: Apply", "b: Apply"])
    expect(steps(playground).locator(".code")).to_have_text(["201", "200"])
    assert "x: one" in playground.text("live")
    assert "w: two" in playground.text("live")
    assert playground.text("live").count("manager:") == 2


def test_going_back_brings_the_object_before_that_step(playground: Playground) -> None:
    two_steps(playground)
    playground.page.get_by_role("button", name="Go back to before step 2").click()
    playground.expect_outcome("200")
    assert "w: two" not in playground.text("live")
    assert "w: two" in playground.text("body")
    playground.page.get_by_role("button", name="Go to the end of the timeline").click()
    playground.expect_outcome("200")
    assert "w: two" in playground.text("live")


def test_a_commit_from_the_past_begins_a_branch_and_the_old_one_comes_back(playground: Playground) -> None:
    two_steps(playground)
    playground.page.get_by_role("button", name="Go back to before step 2").click()
    commit(playground, "c", config("  z: three\n"), 2)
    expect(steps(playground).locator(".what")).to_have_text(["a: Apply", "c: Apply"])
    playground.page.get_by_role("button", name="Bring the old one back").click()
    expect(steps(playground).locator(".what")).to_have_text(["a: Apply", "b: Apply"])


def test_another_order_is_played_again(playground: Playground) -> None:
    two_steps(playground)
    playground.page.get_by_role("button", name="Move step 2 up").click()
    expect(steps(playground).locator(".what")).to_have_text(["b: Apply", "a: Apply"])
    expect(steps(playground).locator(".code")).to_have_text(["201", "200"])
    playground.page.get_by_role("button", name="Undo").click()
    expect(steps(playground).locator(".what")).to_have_text(["a: Apply", "b: Apply"])


def test_a_step_is_left_out(playground: Playground) -> None:
    two_steps(playground)
    playground.page.get_by_role("button", name="Leave step 1 out").click()
    expect(steps(playground).locator(".code")).to_have_text(["201"])
    assert "x: one" not in playground.text("live")


def test_the_timeline_survives_a_reload(playground: Playground) -> None:
    two_steps(playground)
    playground.page.reload()
    expect(steps(playground)).to_have_count(2)
    playground.page.get_by_role("button", name="Forget the timeline").click()
    expect(playground.page.locator("#timeline")).to_be_hidden()
    playground.page.reload()
    expect(playground.page.locator("#timeline")).to_be_hidden()


def test_the_timeline_is_saved_as_a_scenario_that_replay_checks(playground: Playground) -> None:
    two_steps(playground)
    with playground.page.expect_download() as saved:
        playground.page.get_by_role("button", name="Save as a scenario").click()
    assert saved.value.suggested_filename == "scenario.yaml"
    text = saved.value.path().read_text(encoding="utf-8")
    assert text.count("expect:") == 2
    done = subprocess.run(
        [sys.executable, "-m", "web.cli", "replay", str(saved.value.path())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "2 steps, all as expected")


def test_the_old_timeline_comes_back_with_its_object(playground: Playground) -> None:
    two_steps(playground)
    live = playground.text("live")
    playground.type_over("live", "")
    expect(playground.page.locator("#timeline [aria-current=step]")).to_have_count(0)
    playground.expect_outcome("201")
    commit(playground, "c", config("  z: three\n"), 1)
    newer = playground.text("live")
    playground.page.get_by_role("button", name="Bring the old one back").click()
    expect(steps(playground)).to_have_count(2)
    expect(playground.page.locator("#live")).to_have_value(live)
    playground.page.get_by_role("button", name="Swap again").click()
    expect(steps(playground)).to_have_count(1)
    expect(playground.page.locator("#live")).to_have_value(newer)


def test_from_an_object_of_ones_own_the_timeline_is_reached_again(playground: Playground) -> None:
    two_steps(playground)
    live = playground.text("live")
    playground.type_over("live", config("  mine: too\n"))
    playground.page.get_by_role("button", name="Go to the end of the timeline").click()
    expect(playground.page.locator("#live")).to_have_value(live)
    expect(playground.page.locator("#timeline [aria-current=step] .number")).to_have_text("2.")


def test_going_back_offers_what_was_typed_and_not_committed(playground: Playground) -> None:
    two_steps(playground)
    playground.type_over("body", config("  not: yet\n"))
    playground.page.get_by_role("button", name="Go back to before step 2").click()
    assert "w: two" in playground.text("body")
    playground.page.get_by_role("button", name="Undo").click()
    assert playground.text("body") == config("  not: yet\n")
    assert "w: two" in playground.text("live")
