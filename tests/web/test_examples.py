"""Every example does what its words say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.value.limits import Limits
from tests.web.conftest import NOW
from web.answers import answer_for
from web.contexts import Answer
from web.examples import Example, load_examples, menu
from web.routes.playground import DEFAULT_EXAMPLE

EXAMPLES = {example.slug: example for example in load_examples()}


def answer(slug: str) -> Answer:
    return answer_for(EXAMPLES[slug].draft, Limits(), NOW)


def owners(slug: str, text: str) -> set[str]:
    """Return the managers of the line with `text` after the write."""
    result = answer(slug).result
    assert result is not None
    found = [line for line in result.lines if line.text.strip() == text and line.change != "removed"]
    assert len(found) == 1, [line.text for line in result.lines]
    return {badge.manager for badge in found[0].badges}


def texts(slug: str, change: str | None = None) -> list[str]:
    result = answer(slug).result
    assert result is not None
    wanted = ("", "added", "contested") if change is None else (change,)
    return [line.text.strip() for line in result.lines if line.change in wanted]


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_an_example_is_a_request_and_has_words(example: Example) -> None:
    shown = answer(example.slug)
    assert shown.problems == ()
    assert shown.result is not None
    assert example.summary.endswith(".")
    assert example.title
    assert shown.outcome.tone in ("done", "same", "refused")


def test_the_menu_holds_every_example_once_and_marks_the_chosen_one() -> None:
    links = [link for group in menu(list(EXAMPLES.values()), DEFAULT_EXAMPLE) for link in group.examples]
    assert [link.slug for link in links] == list(EXAMPLES)
    assert [link.slug for link in links if link.chosen] == [DEFAULT_EXAMPLE]
    assert len({link.title for link in links}) == len(links) >= 15


@pytest.mark.parametrize(
    ("slug", "code"),
    [
        ("created-by-apply", "201"),
        ("conflict", "409"),
        ("way-out-force", "200"),
        ("way-out-give-up", "200"),
        ("way-out-share", "200"),
        ("after-clearing", "409"),
        ("atomic-map", "409"),
        ("granular-map", "200"),
        ("json-patch-test", "422"),
        ("stale-version", "409"),
        ("status", "200"),
        ("put-loses", "200"),
    ],
)
def test_codes(slug: str, code: str) -> None:
    assert answer(slug).outcome.code == code


def test_a_created_object_belongs_to_its_creator() -> None:
    assert owners("created-by-apply", "mode: careful") == {"ci"}
    assert "+" not in texts("created-by-apply")


def test_the_conflict_names_the_other_manager_and_both_values() -> None:
    [conflict] = answer("conflict").conflicts
    assert (conflict.path, conflict.yours, conflict.live) == (".spec.replicas", "5", "3")
    assert conflict.owner == "ops (Apply)"


def test_the_three_ways_out() -> None:
    assert owners("way-out-force", "replicas: 5") == {"ci"}
    assert owners("way-out-give-up", "replicas: 3") == {"ops"}
    assert owners("way-out-share", "replicas: 3") == {"ci", "ops"}


def test_a_shared_field_stays_and_a_field_of_nobody_goes() -> None:
    assert owners("share-kept", "mode: careful") == {"ops"}
    assert 'retries: "3"' in texts("sole-owner-drops", "removed")
    assert owners("sole-owner-drops", "mode: careful") == {"ops"}
    assert owners("back-to-default", "replicas: 1") == set()


def test_applying_the_same_again_changes_nothing() -> None:
    assert answer("same-again").outcome.tone == "same"


def test_replicas_go_from_ci_to_the_autoscaler() -> None:
    assert owners("handover-1", "replicas: 3") == {"ci", "handover"}
    assert owners("handover-2", "replicas: 3") == {"handover"}
    assert owners("handover-3", "replicas: 5") == {"autoscaler"}
    assert owners("handover-4", "replicas: 5") == {"autoscaler"}


@pytest.mark.parametrize("slug", ["clear-by-merge-patch", "clear-by-json-patch"])
def test_clearing_leaves_no_owner(slug: str) -> None:
    result = answer(slug).result
    assert result is not None
    assert {entry.state for entry in result.entries} == {"gone"}
    assert owners(slug, "mode: careful") == set()


def test_after_clearing_the_conflict_is_with_what_was_there_before() -> None:
    assert [conflict.owner.split()[0] for conflict in answer("after-clearing").conflicts] == ["before-first-apply"]


def test_a_map_is_owned_key_by_key_or_as_a_whole() -> None:
    assert owners("granular-map", "timeout: 5s") == {"ops"}
    assert owners("granular-map", "mode: careful") == {"ci"}
    assert owners("atomic-map", "mode: careful") == {"ci"}
    assert [conflict.path for conflict in answer("atomic-map").conflicts] == [".spec.options"]


def test_items_of_a_set_have_owners_of_their_own() -> None:
    assert owners("set-list", "- shop.example.com") == {"ci", "ops"}
    assert owners("set-list", "- pay.example.com") == {"ops"}
    assert owners("set-list", "- www.example.com") == {"ci"}


def test_each_json_patch_operation() -> None:
    assert {"team: shop", "- --fast", "- --last"} <= set(texts("json-patch-add", "added"))
    assert texts("json-patch-remove", "removed")
    assert "- --verbose" not in texts("json-patch-remove")
    assert owners("json-patch-replace", "replicas: 5") == {"alice"}
    moved = [text for text in texts("json-patch-move") if text.startswith("- --")]
    assert moved == ["- --port=8080", "- --colour", "- --verbose"]
    assert texts("json-patch-copy").count("app: web") == 3
    assert texts("json-patch-test", "added") == []


def test_null_removes_and_a_merge_patch_replaces_lists() -> None:
    assert 'retries: "3"' in texts("merge-null", "removed")
    assert "name: web" not in [text.removeprefix("- ") for text in texts("merge-replaces-list")][8:]
    assert any("shop/proxy:2.1" in text for text in texts("merge-replaces-list"))


def images(slug: str) -> list[str]:
    return [text.split("image: ")[1] for text in texts(slug) if "image: " in text]


def test_strategic_directives() -> None:
    assert sorted(images("strategic-sidecar")) == ["shop/proxy:2.1", "shop/web:1.16"]
    assert images("strategic-replace") == ["shop/web:2.0"]
    assert images("strategic-delete") == ["shop/web:1.16"]
    assert "- shop.example.com/audit" not in texts("strategic-delete-from-list")
    assert "- shop.example.com/backup" in texts("strategic-delete-from-list")
    assert images("strategic-order") == ["shop/proxy:2.2", "shop/web:1.16"]
    assert "type: Recreate" in texts("strategic-retain-keys")
    assert "rollingUpdate:" in texts("strategic-retain-keys", "removed")


def test_the_two_three_way_experiments() -> None:
    assert "tier: front" in texts("three-way-dropped", "removed")
    assert "owner: ops" in texts("three-way-foreign")
    assert "app: shop2" in texts("three-way-foreign", "added")
    result = answer("three-way-dropped").result
    assert result is not None
    assert result.request_line.startswith("PATCH")
    assert '"tier": null' in result.request_body


def test_a_stale_version_names_no_manager() -> None:
    assert answer("stale-version").conflicts == ()


def test_an_unknown_field_is_warned_of() -> None:
    result = answer("unknown-field").result
    assert result is not None
    assert result.warnings == ('unknown field "spec.replica"',)


def test_any_json_can_be_patched() -> None:
    assert "- between" in texts("no-kind", "added")
    assert answer("no-kind").outcome.code == "200"


def test_a_dry_run_through_scale_shows_the_object_as_it_would_be() -> None:
    shown = answer_for(replace(EXAMPLES["handover-3"].draft, dry_run=True), Limits(), NOW)
    assert shown.result is not None
    assert [line.text.strip() for line in shown.result.lines if line.change == "added"][-1] == "replicas: 5"
    assert shown.outcome.sentence.endswith("Dry run: nothing would be stored.")
