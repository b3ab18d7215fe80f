"""A lesson's step as the page shows it, asked or answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.value.limits import Limits
from web.contexts import Choice, DemoRow, Draft, LessonGroup, LessonLink, LessonPanel
from web.lessons import Lesson, LessonStep, demonstration, fault_of, find_lesson, load_lessons, spoken_lesson
from web.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Place:
    """A step of a lesson (numbers begin with 1), and whether a teacher looks at it."""

    lesson: Lesson
    number: int
    teacher: bool = False

    @property
    def step(self) -> LessonStep:
        """The step, in English: what is checked."""
        return self.lesson.steps[self.number - 1]


def place_of(slug: str, number: str, *, teacher: bool) -> Place | None:
    """Return the step that an address or a form names, None if there is none."""
    lesson = find_lesson(slug)
    if lesson is None or not (number.isascii() and number.isdigit() and 1 <= int(number[:6]) <= len(lesson.steps)):
        return None
    return Place(lesson, int(number[:6]), teacher)


def place_in(form: Mapping[str, str]) -> Place | None:
    """Return the step that the playground's form carries along."""
    return place_of(form.get("lesson", ""), form.get("lesson_step", ""), teacher=form.get("teacher") == "1")


def lesson_groups() -> tuple[LessonGroup, ...]:
    """Return all lessons by subject, in the reader's language."""
    groups: dict[str, list[LessonLink]] = {}
    for lesson in map(spoken_lesson, load_lessons()):
        link = LessonLink(lesson.title, address_of(lesson.slug, 1), len(lesson.steps))
        groups.setdefault(lesson.group, []).append(link)
    return tuple(LessonGroup(title, tuple(links)) for title, links in groups.items())


def address_of(slug: str, number: int, *, teacher: bool = False) -> str:
    """Return where a step is."""
    return f"/lessons/{slug}/{number}" + ("?teacher=1" if teacher else "")


def asked_panel(place: Place) -> LessonPanel:
    """Return a step as it is asked."""
    return _panel(place, "open", "", 0)


def answered_panel(place: Place, draft: Draft, chosen: str, limits: Limits, now: datetime) -> LessonPanel:
    """Return a step with what is to be said about an answer: a draft, or the number of an option."""
    if place.step.options:
        number = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 4 else 0
        if number == place.step.right:
            return _panel(place, "right", _("Right."), number)
        return _panel(place, "wrong", _("Not this one.") if number else _("Choose one of the answers."), number)
    fault = fault_of(place.step, draft, limits, now)
    if not fault:
        return _panel(place, "right", _("Right."), 0)
    return _panel(place, "wrong", _("Not yet: %(fault)s", fault=fault), 0)


def _panel(place: Place, tone: str, verdict: str, chosen: int) -> LessonPanel:
    spoken = spoken_lesson(place.lesson)
    step, count = spoken.steps[place.number - 1], len(spoken.steps)
    answered = tone == "right"
    demo = demonstration(place.step)
    return LessonPanel(
        slug=spoken.slug,
        title=spoken.title,
        number=place.number,
        count=count,
        text=step.text,
        question=step.question,
        hint=step.hint,
        options=tuple(Choice(str(at), option, at == chosen) for at, option in enumerate(step.options, 1)),
        demo=tuple(DemoRow(request, code if answered else 0, body if answered else "") for request, code, body in demo),
        tone=tone,
        verdict=verdict,
        explain=step.explain if answered else "",
        differs=step.differs if answered else "",
        previous=_neighbour(place, -1),
        next=_neighbour(place, 1),
        teacher=place.teacher,
    )


def _neighbour(place: Place, by: int) -> str:
    """The address of the step before or after this one, in the next lesson where this one ends."""
    number = place.number + by
    if 1 <= number <= len(place.lesson.steps):
        return address_of(place.lesson.slug, number, teacher=place.teacher)
    lessons = load_lessons()
    at = next(index for index, each in enumerate(lessons) if each.slug == place.lesson.slug) + by
    if not 0 <= at < len(lessons):
        return ""
    return address_of(lessons[at].slug, 1 if by > 0 else len(lessons[at].steps), teacher=place.teacher)
