"""A form becomes a write, or problems that say where and why."""

from __future__ import annotations

import pytest

from engine.evaluation import WriteKind
from engine.value.limits import Limits
from web.contexts import Draft
from web.forms import Unusable, read_draft, read_write

LIMITS = Limits()
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"


def problems(draft: Draft, limits: Limits = LIMITS) -> list[tuple[str, int, int, str]]:
    with pytest.raises(Unusable) as caught:
        read_write(draft, limits)
    return [(problem.place, problem.line, problem.column, problem.message) for problem in caught.value.problems]


def test_an_empty_form_is_the_default_draft_but_for_the_column() -> None:
    draft = read_draft({})
    assert (draft.kind, draft.view, draft.column, draft.force) == ("apply", "result", "live", False)


def test_unknown_choices_count_as_the_default() -> None:
    assert read_draft({"kind": "x", "view": "y", "subresource": "z"}) == read_draft({})


def test_line_ends_of_a_form_become_those_that_were_typed() -> None:
    assert read_draft({"live": "a: 1\r\nb: 2\r\n"}).live == "a: 1\nb: 2\n"


def test_nothing_to_write_is_no_write() -> None:
    assert read_write(Draft(live=OBJECT, body=" \n"), LIMITS).body is None


def test_null_is_no_object() -> None:
    [(place, _, _, message)] = problems(Draft(body="null"))
    assert place == "body"
    assert message.startswith("The intent or patch is null; expected a map")


@pytest.mark.parametrize("kind", [kind for kind in WriteKind if kind is not WriteKind.JSON_PATCH])
def test_every_kind_of_write_takes_an_object(kind: WriteKind) -> None:
    write = read_write(Draft(kind=kind.value, body=OBJECT, force=True, manager="me"), LIMITS)
    assert (write.kind, write.live, write.manager) == (kind, None, "me")
    assert write.force == (kind is WriteKind.APPLY)


def test_a_json_patch_is_a_list() -> None:
    [(place, line, column, message)] = problems(Draft(kind="json-patch", body=OBJECT))
    assert (place, line, column) == ("body", 1, 1)
    assert message.startswith("A JSON Patch is a list of operations; found a map.")


def test_problems_of_all_editors_are_told_together() -> None:
    draft = Draft(live="[1]", body="a: *x", crds="kind: Pod")
    assert [place for place, *_ in problems(draft)] == ["live", "crds", "body"]


def test_every_repeated_key_is_told_with_its_place() -> None:
    found = problems(Draft(body=OBJECT + "data:\n  a: 1\n  a: 2\n  b: 3\n  b: 4\n"))
    assert [(line, column) for _, line, column, _ in found] == [(7, 3), (9, 3)]
    assert found[0][3] == (
        'The key "a" of .data is already set above. Each key may stand once in a map: remove or rename one of the two.'
    )


def test_a_document_over_the_limit_names_size_limit_and_setting() -> None:
    [(place, _, _, message)] = problems(Draft(live="a: " + "x" * 3_000_000))
    assert place == "live"
    assert "3,000,003 bytes" in message
    assert "at most 1,048,576 are read" in message
    assert "PATCHYARD_MAX_DOCUMENT_BYTES" in message


def test_several_definitions_may_stand_one_after_the_other() -> None:
    crd = "kind: CustomResourceDefinition\n"
    write = read_write(Draft(body=OBJECT, crds=f"{crd}---\n{crd}"), LIMITS)
    assert len(write.crds) == 2


def test_a_schema_that_is_none_is_told_at_its_line() -> None:
    [(place, line, _, message)] = problems(Draft(body=OBJECT, crds=f"kind: CustomResourceDefinition\n---\n{OBJECT}"))
    assert (place, line) == ("crds", 3)
    assert message.startswith("This is of kind ConfigMap; expected a CustomResourceDefinition")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("  labels: [a]\n", 5, ".metadata.labels is a list; expected a map"),
        ("  managedFields:\n  - manager: {}\n", 6, ".metadata.managedFields[0].manager is a map; expected a text"),
        ("  managedFields:\n  - apiVersion: 1\n", 6, ".metadata.managedFields[0].apiVersion is a number"),
        ("  managedFields: [x]\n", 5, ".metadata.managedFields[0] is a text; expected a map"),
    ],
)
def test_misshapen_metadata_are_told_at_their_line(text: str, line: int, words: str) -> None:
    [(place, found_line, _, message)] = problems(Draft(live=OBJECT + text, body=OBJECT))
    assert (place, found_line) == ("live", line)
    assert message.startswith(words)


def test_a_document_that_is_no_api_object_may_have_any_metadata() -> None:
    assert read_write(Draft(live="metadata: 3", kind="json-patch", body="[]"), LIMITS).live == {"metadata": 3}


def test_misshapen_schemas_are_told_at_their_line() -> None:
    crd = """kind: CustomResourceDefinition
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: [object]
            required: spec
            properties:
              a:
                items: [1]
"""
    found = problems(Draft(body=OBJECT, crds=crd))
    assert [line for _, line, _, _ in found] == [10, 11, 14]
    assert found[1][3].endswith(".required is a text; expected a list. Correct it, or take it out.")


LISTED = """\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: one}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {x: two}}
"""


def test_of_a_list_the_object_of_the_same_kind_and_name_is_live() -> None:
    body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}"
    write = read_write(Draft(live=LISTED, body=body, manager="m"), Limits())
    assert write.live is not None
    assert write.live["data"] == {"x": "two"}


def test_the_only_object_of_a_list_is_live() -> None:
    only = LISTED.rpartition("- {")[0]
    write = read_write(Draft(kind="merge", live=only, body="{data: {x: three}}"), Limits())
    assert write.live is not None
    assert write.live["metadata"]["name"] == "a"


def test_a_list_that_leaves_it_open_asks_for_one_object() -> None:
    with pytest.raises(Unusable) as caught:
        read_write(Draft(kind="merge", live=LISTED, body="{data: {x: three}}"), Limits())
    (problem,) = caught.value.problems
    assert problem.place == "live"
    assert problem.message.startswith("This is a List of ConfigMap a, ConfigMap b; one object is written to.")


def test_an_empty_list_is_no_object() -> None:
    with pytest.raises(Unusable) as caught:
        read_write(Draft(live="{apiVersion: v1, kind: List, items: []}", body="{a: 1}"), Limits())
    assert "without objects" in caught.value.problems[0].message
