"""From client-side to server-side apply and back: what sticks, what goes, and whose it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from engine.evaluation import Write, WriteKind, evaluate
from engine.managedfields.entries import entries_of
from engine.meta.last_applied import last_applied_text
from engine.migrating import Clock, downgrade, hostages, upgrade

CLOCK = Clock(datetime(2030, 1, 1, tzinfo=UTC), lambda: "uid")


def config(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", "namespace": "shop"}, "data": data}


def written(live: Any, body: Any, kind: WriteKind = WriteKind.CLIENT_APPLY, manager: str = "") -> Any:
    done = evaluate(Write(kind, live, body, (), manager), now=CLOCK.now, new_uid=CLOCK.new_uid)
    assert done.after is not None, done.body
    return done.after


def apply(live: Any, **data: str) -> Write:
    return Write(WriteKind.APPLY, live, config(**data), (), "kubectl")


def owners(obj: Any) -> list[tuple[str, str]]:
    return [(each["manager"], each["operation"]) for each in entries_of(obj)]  # type: ignore[union-attr,index,call-overload]


def test_with_the_migration_a_dropped_field_goes_and_without_it_sticks() -> None:
    live = written(None, config(a="1", b="2"))
    found = upgrade(apply(live, a="1"), CLOCK)
    assert (found.has_last_applied, found.clients) == (True, ("kubectl-client-side-apply",))
    assert found.patch is not None
    assert found.keeps_annotation
    assert owners(found.migrated) == [("kubectl", "Apply"), ("kubectl-last-applied", "Apply")]
    assert last_applied_text(found.applied.after or {}) == last_applied_text(found.first.after or {})
    assert ("data", "b") in found.pruned
    assert ("data", "b") in found.stuck
    assert "b" not in found.applied.after["data"]  # type: ignore[index]
    assert found.first.after["data"]["b"] == "2"  # type: ignore[index]


def test_what_others_own_too_is_held() -> None:
    live = written(None, config(a="1", b="2"))
    live = written(live, config(b="2"), WriteKind.APPLY, "ops")
    found = upgrade(apply(live, a="1"), CLOCK)
    held = [(each.steps, [owner.manager for owner in each.owners]) for each in found.held if each.steps[0] == "data"]
    assert held == [(("data", "b"), ["ops"])]
    assert found.pruned == (("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"),) or (
        ("data", "b") not in found.pruned
    )


def test_another_manager_gives_the_annotation_up() -> None:
    live = written(None, config(a="1", b="2"))
    found = upgrade(Write(WriteKind.APPLY, live, config(a="1"), (), "ci"), CLOCK)
    assert not found.keeps_annotation
    assert not last_applied_text(found.applied.after or {})
    assert owners(found.applied.after) == [("ci", "Apply")]


def test_a_default_that_was_applied_on_the_clients_side_is_reset_and_an_apply_of_what_is_needed_holds_it() -> None:
    head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}}
    pod = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    spec = {"replicas": 3, "selector": {"matchLabels": {"a": "b"}}, "template": pod}
    live = written(None, {**head, "spec": spec})
    fewer = {name: value for name, value in spec.items() if name != "replicas"}
    found = upgrade(Write(WriteKind.APPLY, live, {**head, "spec": fewer}, (), "kubectl"), CLOCK)
    assert ("spec", "replicas") in found.reset
    [hostage] = [each for each in hostages(found.applied.after or {}, ()) if each.manager == "kubectl"]
    assert ("spec", "template", "spec", "containers", 0, "image") in hostage.fields


def test_any_manager_migrates_who_owns_the_annotation_by_an_update() -> None:
    live = written(None, config(a="1", b="2"))
    live["metadata"]["managedFields"][0]["manager"] = "old-deployer"
    found = upgrade(apply(live, a="1"), CLOCK)
    assert found.clients == ("old-deployer",)
    assert "b" not in found.applied.after["data"]  # type: ignore[index]


def test_what_was_never_applied_on_the_clients_side_has_nothing_to_migrate() -> None:
    live = written(None, config(a="1"), WriteKind.CREATE, "creator")
    found = upgrade(apply(live, a="1"), CLOCK)
    assert (found.has_last_applied, found.clients, found.patch) == (False, (), None)
    assert found.migrated == live


def test_an_applier_holds_what_is_its_alone() -> None:
    live = written(None, config(a="1", b="2"), WriteKind.APPLY, "x")
    live = written(live, config(b="2", c="3"), WriteKind.APPLY, "y")
    assert [(each.manager, each.fields) for each in hostages(live, ())] == [
        ("x", (("data", "a"),)),
        ("y", (("data", "c"),)),
    ]


def test_the_way_back_needs_last_applied() -> None:
    live = written(None, config(a="1", b="2"))
    found = upgrade(apply(live, a="1", b="2"), CLOCK)
    upgraded = found.applied.after
    assert upgraded is not None
    back = downgrade(upgraded, live, config(a="1"), (), CLOCK)
    assert "b" not in back.applied.after["data"]  # type: ignore[index]
    assert back.without.after["data"]["b"] == "2"  # type: ignore[index]
    assert ("data", "b") in back.kept
    assert last_applied_text(back.without.after or {})
