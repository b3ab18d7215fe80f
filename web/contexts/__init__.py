"""What each template is given: one frozen dataclass per template, plain data only.

A template named `x.html` reads the fields of the class that lists it in TEMPLATES, and nothing else.
"""

from __future__ import annotations

from web.contexts.doctor import DoctorPartial, EntryAdvice
from web.contexts.generate import (
    DiffGroup,
    DiffLine,
    FormatRow,
    FormatsPartial,
    GenerateAnswer,
    GenerateDraft,
    GeneratePage,
    GeneratePartial,
    GenerateResult,
    MadePatch,
    SpelledChange,
)
from web.contexts.pages import CaseGroup, CaseRow, CasesPage, ErrorPage
from web.contexts.parts import Badge, Choice, Outcome, Problem
from web.contexts.playground import (
    Answer,
    AnswerPartial,
    ComparePartial,
    Conflict,
    Draft,
    Entry,
    ExampleGroup,
    ExampleLink,
    Line,
    Operation,
    OwnedField,
    PlaygroundPage,
    Result,
    TextChange,
    TraceStep,
    WayCard,
    WhyRow,
)
from web.contexts.schema import SchemaRow, SchemaView
from web.contexts.workspace import ObjectRow, RequestRow, WorkspacePage

__all__ = [
    "TEMPLATES",
    "Answer",
    "AnswerPartial",
    "Badge",
    "CaseGroup",
    "CaseRow",
    "CasesPage",
    "Choice",
    "ComparePartial",
    "Conflict",
    "DiffGroup",
    "DiffLine",
    "DoctorPartial",
    "Draft",
    "Entry",
    "EntryAdvice",
    "ErrorPage",
    "ExampleGroup",
    "ExampleLink",
    "FormatRow",
    "FormatsPartial",
    "GenerateAnswer",
    "GenerateDraft",
    "GeneratePage",
    "GeneratePartial",
    "GenerateResult",
    "Line",
    "MadePatch",
    "Operation",
    "Outcome",
    "ObjectRow",
    "OwnedField",
    "PlaygroundPage",
    "Problem",
    "RequestRow",
    "Result",
    "SchemaRow",
    "SchemaView",
    "SpelledChange",
    "TextChange",
    "TraceStep",
    "WayCard",
    "WhyRow",
    "WorkspacePage",
]

TEMPLATES: dict[str, type] = {
    "playground.html": PlaygroundPage,
    "_answer.html": AnswerPartial,
    "_compare.html": ComparePartial,
    "generate.html": GeneratePage,
    "_generate_answer.html": GeneratePartial,
    "_formats.html": FormatsPartial,
    "_doctor.html": DoctorPartial,
    "cases.html": CasesPage,
    "workspace.html": WorkspacePage,
    "error.html": ErrorPage,
}
"""Which class each rendered template is given. Templates that these include or extend read the same fields."""
