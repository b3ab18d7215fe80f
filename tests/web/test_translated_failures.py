"""Every failure, reason, conflict and way out is told in three languages; what is the API server's own stays so."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

import engine
from engine.apiserver.storage import ObjectKey
from engine.errors import EngineError
from engine.explain.conflicts import ConflictClass
from engine.explain.reason import Reason, Why
from engine.explain.wording import RULES, sentence
from engine.fieldpath.element import field_element
from engine.meta.manager import applier
from engine.resolution import Way
from engine.said import Said, said
from engine.typed.validate import DoesNotFit, TypeFault
from engine.value.document import read_document
from engine.value.failures import UnreadableDocument
from engine.value.model import Kind
from web import errors, messages
from web.app import create_app
from web.config import Config
from web.shapes import Fault
from web.translation import ENGLISH, LANGUAGES, gettext, spoken, translated
from web.ways import CLASSES, SUMMARIES, TITLES

CHINESE = [each for each in LANGUAGES if each is not ENGLISH]


def every_failure() -> list[type[EngineError]]:
    for module in pkgutil.walk_packages(engine.__path__, "engine."):
        if not module.name.endswith(("__main__", "make_catalog")):
            importlib.import_module(module.name)
    found, waiting = [], [EngineError]
    while waiting:
        kinds = [kind for kind in waiting.pop().__subclasses__() if kind.__module__.startswith("engine.")]
        waiting += kinds
        found += kinds
    return sorted(set(found), key=lambda kind: (kind.__module__, kind.__qualname__))


FAULTS = (TypeFault((field_element("a"),), "expected map", 1),)
SAMPLES: dict[str, Any] = {
    "path": ("spec", "replicas"),
    "reason": said("fieldsV1 must be a map"),
    "steps": ("spec", "replicas"),
    "index": 3,
    "line": 4,
    "column": 2,
    "allowed": 10,
    "count": 2,
    "revision": 5,
    "oldest": 7,
    "causes": (),
    "conflicts": (),
    "names": ("a", "b"),
    "patch": {"a": 1},
    "faults": FAULTS,
    "error": DoesNotFit(FAULTS),
    "key": ObjectKey("", "configmaps", "default", "a"),
}
"""What the fields of failures hold here; all others hold a text."""


def sample(kind: type[EngineError], name: str, annotation: str) -> Any:
    if name == "path" and annotation == "str":
        return ".spec"
    if name == "found":
        return Kind.MAP if annotation == "Kind" else 12 if "int" in annotation else said("found null as a key")
    return SAMPLES.get(name, "x")


def made(kind: type[EngineError]) -> EngineError:
    """Return a failure of this class with something in each field that has no default."""
    parameters = list(inspect.signature(kind.__init__).parameters.values())[1:]
    named = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    needed = [each for each in named if each.default is inspect.Parameter.empty]
    return kind(**{each.name: sample(kind, each.name, str(each.annotation)) for each in needed})


THE_SERVERS_OWN = {
    "AlreadyExists",
    "BadElementOrder",
    "BadPatchFormat",
    "BadPrimitiveListDeletion",
    "BadRequest",
    "BadRetainKeys",
    "DoesNotFit",
    "EmptyLists",
    "Expired",
    "Forbidden",
    "IntentDoesNotFit",
    "InternalError",
    "Invalid",
    "ListMergeDirective",
    "ListOfLists",
    "MalformedEntry",
    "MalformedQuantity",
    "MethodNotAllowed",
    "MissingMergeKey",
    "MixedList",
    "NoMergeKey",
    "NotAMap",
    "NotAStruct",
    "NotFound",
    "OrderMismatch",
    "PatchConflict",
    "RuleFailed",
    "RuleNotCompiled",
    "StaleVersion",
    "StrategicPatchFailure",
    "TooManyOperations",
    "TooOld",
    "UnaddressableItem",
    "Undecodable",
    "UndecodableBody",
    "UndecodablePatch",
    "UnknownDirective",
    "UnknownField",
    "UnknownKind",
    "UnmergeableItem",
    "UnprocessablePatch",
    "UnsupportedMediaType",
    "WrongType",
}
"""Failures that are worded as the API server, kubectl or CEL word them, in their language."""


@pytest.mark.parametrize("kind", every_failure(), ids=lambda kind: kind.__name__)
def test_a_failure_is_told_in_every_language(kind: type[EngineError]) -> None:
    error = made(kind)
    own = str(error)
    if kind.__name__ not in THE_SERVERS_OWN:
        assert isinstance(own, Said), (
            f"{kind.__name__} says {own!r}: are these the server's words, or is said() missing?"
        )
    check_every_language(messages.sentence, error, "body")
    if kind.__name__ not in THE_SERVERS_OWN:
        check_every_language(translated, own)


def check_every_language(say: Callable[..., str], *asked: object) -> None:
    """Check that `say` says something else in both Chinese than in English, with its values put in."""
    english = say(*asked)
    for each in CHINESE:
        with spoken(each):
            told = say(*asked)
        assert told != english
        assert "%(" not in told


def told_of(reason: Reason) -> str:
    return translated(sentence(reason))


OWNERS = ((), (applier("ci", ""),), (applier("ci", ""), applier("ops", "status")))


@pytest.mark.parametrize("why", Why, ids=lambda why: why.name)
def test_a_reason_and_its_rule_are_told_in_every_language(why: Why) -> None:
    for owners in OWNERS:
        reason = Reason(why, ("spec", "replicas"), (field_element("spec"),), owners)
        check_every_language(told_of, reason)
    check_every_language(translated, RULES[why].text)
    check_every_language(translated, RULES[why].source)


@pytest.mark.parametrize("text", [CLASSES[each] for each in ConflictClass] + [SUMMARIES[each] for each in Way])
def test_a_conflict_and_its_ways_out_are_told_in_every_language(text: str) -> None:
    check_every_language(gettext, text)


def test_the_names_of_the_ways_are_told_in_every_language() -> None:
    for way in Way:
        check_every_language(gettext, TITLES[way])


SENTENCES: list[Callable[[], str]] = [
    lambda: messages.stale(1),
    lambda: messages.stale(3),
    lambda: messages.success(0, False, False, 0),
    lambda: messages.success(1, False, True, 1),
    lambda: messages.success(7, False, False, 2),
    lambda: messages.success(0, True, True, 2),
    lambda: messages.unchanged(1),
    lambda: messages.refusal({}, 1),
    lambda: messages.refusal({}, 4),
    lambda: messages.refusal({}, 0),
    lambda: messages.refusal({"message": "no"}, 0),
    lambda: messages.refusal({"message": "invalid object type: x"}, 0),
    lambda: messages.refusal({"message": "the server rejected our request due to an error in our request"}, 0),
    lambda: messages.not_a_map([], "live"),
    lambda: messages.not_operations({}),
    lambda: messages.operations_elsewhere("PUT"),
    lambda: messages.not_a_crd("x"),
    lambda: messages.several_objects([]),
    lambda: messages.several_objects([("", ""), ("Pod", "a")]),
    lambda: messages.several_objects([("Pod", str(number)) for number in range(9)]),
    lambda: messages.misshapen(Fault(("spec",), Kind.LIST, Kind.MAP)),
    lambda: gettext(messages.IDLE),
    lambda: gettext(messages.ONLY_LIVE),
    lambda: gettext(messages.REFUSED_SHOWS_LIVE),
]


@pytest.mark.parametrize("number", range(len(SENTENCES)))
def test_every_other_sentence_is_told_in_every_language(number: int) -> None:
    check_every_language(SENTENCES[number])


@pytest.mark.parametrize("code", [404, 405, 413, 418, 500])
def test_a_page_that_cannot_be_had_is_told_in_every_language(code: int) -> None:
    site = create_app(Config(), lambda: datetime(2026, 3, 1, tzinfo=UTC))
    with site.test_request_context("/nowhere"):
        check_every_language(errors.sentence_of, code)
    for title in errors.TITLES.values():
        check_every_language(gettext, title)


@pytest.mark.parametrize(
    "text",
    [
        "a: [1, 2",
        "a:\n\tb: 1",
        "a: b: c",
        "- b\nc: 1",
        'a: "b',
        "a: 1\n b: 2",
        "%YAML 1.2\n---\n",
        "a: !x!y z",
        "a: @b",
        "{a: 1",
    ],
)
def test_what_the_parser_of_yaml_says_is_translated_too(text: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read_document(text)
    with spoken(CHINESE[0]):
        told = messages.sentence(caught.value, "live")
    assert not re.search(r"[a-z]{2,} [a-z]{2,}", told), told
