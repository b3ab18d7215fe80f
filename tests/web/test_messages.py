"""Every failure of reading has a sentence with what was found, what was expected and what to do."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.value.document import read_document
from engine.value.failures import DuplicateKey, UnreadableDocument
from engine.value.limits import Limits
from web.messages import LIMIT_REMEDIES, refusal, sentence, unchanged

UNREADABLE = {
    "an unclosed bracket": "a: [1, 2",
    "an unclosed brace of JSON": '{"a": 1',
    "a comma too many": '{"a": 1,,}',
    "a tab as indent": "a:\n\tb: 1",
    "a colon in a plain text": "a: b: c",
    "a list where a member should be": "a: 1\n- b",
    "an unclosed quote": 'a: "b',
    "an unknown alias": "a: *b",
    "an anchor that contains itself": "a: &x\n  b: *x",
    "two documents": "a: 1\n---\nb: 2",
    "no document": "# nothing\n",
    "a number that is none": "a: .nan",
    "a control character": "a: \x01",
    "a key that is a list": "[a]: b",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_a_sentence_ends_with_what_to_do(text: str) -> None:
    with pytest.raises(EngineError) as caught:
        read_document(text, Limits())
    told = sentence(caught.value, "body")
    assert told[0].isupper() or not told[0].isalpha()
    assert told.endswith(".")
    remedies = (
        "Correct the",
        "Keep the one",
        "Write the value",
        "Name the anchor",
        "Paste an object",
        "remove or rename",
    )
    assert any(remedy in told for remedy in remedies), told
    assert "Traceback" not in told
    assert "<" not in told


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("[" * 10_000 + "]" * 10_000, "levels"),
        ("a: " + "x" * 2_000_000, "bytes"),
        ("a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)
        ), ""),
    ],
    ids=["ten thousand levels", "two million bytes", "anchors that explode"],
)  # fmt: skip
def test_too_much_is_refused_with_the_limit(text: str, limit: str) -> None:
    with pytest.raises(EngineError) as caught:
        read_document(text, Limits())
    told = sentence(caught.value, "live")
    assert "at most" in told
    assert limit in told
    assert any(told.endswith(remedy) for remedy in LIMIT_REMEDIES.values())


@pytest.mark.parametrize(
    ("text", "line"), [("\ta: 1", 1), ("a:\n\tb: 1", 2), ("a: 1\n\tb: 2", 2), ("é: 1\nb:\n\tc: 1", 3)]
)
def test_a_tab_is_told_as_a_tab(text: str, line: int) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        read_document(text, Limits())
    assert (caught.value.line, caught.value.column) == (line, 1)
    told = sentence(caught.value, "live")
    assert told == "Found a tab where the line is indented; expected spaces. Correct the live object there."


def test_a_key_that_the_document_itself_repeats_is_told_without_a_path() -> None:
    assert sentence(DuplicateKey(("a",), 2, 1), "live").startswith('The key "a" is already set above.')
    assert sentence(DuplicateKey(("spec", "a"), 2, 1), "live").startswith('The key "a" of .spec is already set above.')


def test_an_intent_of_no_kind_is_refused_with_a_remedy() -> None:
    told = refusal({"message": "invalid object type: /, Kind="}, 0)
    assert told.startswith("Refused: invalid object type: /, Kind=. Write the apiVersion and kind")


def test_a_write_that_changes_nothing_still_tells_of_warnings() -> None:
    assert unchanged(0).endswith("resourceVersion.")
    assert unchanged(1).endswith("resourceVersion. 1 warning: see Response.")


def test_a_patch_that_fails_is_pointed_to_its_steps() -> None:
    told = refusal({"message": "the server rejected our request due to an error in our request"}, 0)
    assert told.endswith("JSON Patch shows which operation fails.")
