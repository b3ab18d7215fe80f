"""Every lesson is run: its answer is right, its wrong answers and its start are not, its demonstrations prove it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask.testing import FlaskClient

from engine.value.limits import Limits
from web.lessons import Lesson, LessonStep, demonstration, fault_of, load_lessons

NOW = datetime(2026, 3, 1, tzinfo=UTC)
STEPS = [
    pytest.param(lesson, step, id=f"{lesson.slug}-{number}")
    for lesson in load_lessons()
    for number, step in enumerate(lesson.steps, 1)
]
WRITES = [each for each in STEPS if not each.values[1].options]  # type: ignore[union-attr]
CHOICES = [each for each in STEPS if each.values[1].options]  # type: ignore[union-attr]


@pytest.mark.parametrize(("lesson", "step"), WRITES)
def test_the_right_answer_is_taken(lesson: Lesson, step: LessonStep) -> None:
    assert fault_of(step, step.answer, Limits(), NOW) == ""


@pytest.mark.parametrize(("lesson", "step"), WRITES)
def test_the_start_and_every_wrong_answer_are_refused_with_a_sentence(lesson: Lesson, step: LessonStep) -> None:
    assert step.wrong
    for draft in (step.draft, *step.wrong):
        assert fault_of(step, draft, Limits(), NOW).endswith((".", "!"))


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_a_step_says_all_that_it_should(lesson: Lesson, step: LessonStep) -> None:
    assert step.text
    assert step.hint
    assert step.explain
    assert step.question.endswith((".", "?"))


@pytest.mark.parametrize(("lesson", "step"), CHOICES)
def test_a_choice_has_one_right_answer(lesson: Lesson, step: LessonStep) -> None:
    assert 1 <= step.right <= len(step.options)


def demo(slug: str) -> tuple[tuple[str, int, str], ...]:
    return demonstration(
        next(step for lesson in load_lessons() if lesson.slug == slug for step in lesson.steps if step.demo)
    )


def test_demonstrations_prove_the_right_choice() -> None:
    assert [code for _, code, _ in demo("if-match")] == [201, 200, 200]
    assert '"found": "yes"' in demo("three-way")[-1][2]
    first, _, last = (body for _, _, body in demo("replace-force"))
    assert '"uid": "uid0"' in first
    assert '"uid": "uid1"' in last
    assert "anna" not in last
    request, code, events = demo("list-and-watch")[-1]
    assert (request.split("?")[0], code) == ("GET configmaps", 200)
    assert events.index("MODIFIED") < (events + "ADDED").index("ADDED")


def test_lessons_have_names_of_their_own() -> None:
    slugs = [lesson.slug for lesson in load_lessons()]
    assert len(slugs) == len(set(slugs)) >= 28


def test_a_step_works_without_scripts(client: FlaskClient) -> None:
    page = client.get("/lessons/conflict/1").get_data(as_text=True)
    assert 'name="lesson" value="conflict"' in page
    form = {"lesson": "conflict", "lesson_step": "1", "lesson_act": "answer"}
    shown = client.post("/", data=form).get_data(as_text=True)
    assert 'name="force" value="1" checked' in shown
    wrong = client.post("/", data={**form, "lesson_act": "check", "body": "a: ["}).get_data(as_text=True)
    assert "Not yet:" in wrong
    choice = {"lesson": "if-match", "lesson_step": "1", "lesson_act": "check", "lesson_choice": "3"}
    assert "lesson-right" in client.post("/", data=choice).get_data(as_text=True)


@pytest.mark.parametrize(
    "address",
    [
        "/lessons/nothing/1",
        "/lessons/conflict/0",
        "/lessons/conflict/4",
        "/lessons/conflict/x",
        "/lessons/conflict/9999999999",
    ],
)
def test_a_step_that_is_not_there_is_404(client: FlaskClient, address: str) -> None:
    assert client.get(address).status_code == 404
    assert client.get(f"{address}/answer.json").status_code == 404
    assert client.post("/lessons/check", data={"lesson": "x"}).status_code == 404


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_every_step_has_a_page(client: FlaskClient, lesson: Lesson, step: LessonStep) -> None:
    number = lesson.steps.index(step) + 1
    assert client.get(f"/lessons/{lesson.slug}/{number}?teacher=1").status_code == 200
