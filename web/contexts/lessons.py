"""What the templates of lessons are given."""

from __future__ import annotations

from dataclasses import dataclass

from web.contexts.parts import Choice


@dataclass(frozen=True, slots=True)
class LessonLink:
    """A lesson in the list: its title, address and how many steps it has."""

    title: str
    address: str
    steps: int


@dataclass(frozen=True, slots=True)
class LessonGroup:
    """Lessons of one subject."""

    title: str
    lessons: tuple[LessonLink, ...]


@dataclass(frozen=True, slots=True)
class LessonsPage:
    """lessons.html"""

    nonce: str
    asset_version: str
    groups: tuple[LessonGroup, ...]


@dataclass(frozen=True, slots=True)
class DemoRow:
    """One request of a demonstration, what the engine answered, and the answer's body."""

    request: str
    code: int
    body: str


@dataclass(frozen=True, slots=True)
class LessonPanel:
    """A step of a lesson beside the playground.

    tone: open (not answered), right or wrong; verdict says why. explain and differs are told with the right answer, and
    so are the bodies of demo. options are empty where a write is the answer, addresses where there is no step.
    teacher: results are hidden until they are revealed.
    """

    slug: str
    title: str
    number: int
    count: int
    text: str
    question: str
    hint: str
    options: tuple[Choice, ...]
    demo: tuple[DemoRow, ...]
    tone: str
    verdict: str
    explain: str
    differs: str
    previous: str
    next: str
    teacher: bool


@dataclass(frozen=True, slots=True)
class LessonPartial:
    """_lesson.html"""

    lesson: LessonPanel
