"""Why each field of a result is as it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from engine.evaluation import Evaluation, Write, WriteKind, evaluate
from engine.explain.leaves import leaves
from engine.explain.reason import GONE, Reason, Why
from engine.explanation import explain
from engine.fieldpath.element import Path
from engine.managedfields.entries import Managed, decode_entries, encode_entries, entries_of
from engine.meta.object_meta import with_metadata, without_metadata
from tests.support import strategies
from tests.support.cluster import definition_of, thing
from tests.support.strategies import History, histories

NOW = datetime(2030, 1, 1, tzinfo=UTC)
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web, tier: front}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: main, image: 'i:1', args: [a, b], ports: [{containerPort: 80}]}
"""


class Session:
    """An object that is written to again and again; `why` tells the reasons of the last write."""

    def __init__(self, crds: tuple[Any, ...] = ()) -> None:
        self.live: Any = None
        self.crds = crds
        self.told: tuple[Reason, ...] = ()
        self.done: Evaluation | None = None

    def write(self, body: Any, manager: str, kind: WriteKind = WriteKind.APPLY, **options: Any) -> Evaluation:
        write = Write(kind, self.live, body, self.crds, manager, **options)
        self.done = evaluate(write, now=NOW, new_uid=lambda: "uid")
        self.told = explain(write, self.done)
        if self.done.after is not None:
            self.live = self.done.after
        return self.done

    def why(self, place: str) -> tuple[Why, list[str]]:
        found = [each for each in self.told if ".".join(map(str, each.steps)) == place]
        assert len(found) == 1, (place, found)
        return found[0].why, [owner.manager for owner in found[0].owners]


def deployment(**changes: Any) -> Any:
    body = yaml.safe_load(DEPLOYMENT)
    for path, value in changes.items():
        *steps, last = path.split("__")
        holder = body
        for step in steps:
            holder = holder[int(step) if step.isdecimal() else step]
        if value is None:
            del holder[last]
        else:
            holder[last] = value
    return body


def applied() -> Session:
    session = Session()
    assert session.write(deployment(), "ci").code == 201
    return session


def test_what_an_apply_says_is_set() -> None:
    assert applied().why("spec.replicas") == (Why.SET, [])


def test_what_the_server_fills_in_is_defaulted() -> None:
    assert applied().why("spec.template.spec.containers.0.imagePullPolicy") == (Why.DEFAULTED, [])


def test_a_quantity_in_its_normal_form_is_still_set() -> None:
    session = Session()
    container = {"name": "main", "image": "i:1", "resources": {"limits": {"cpu": "1000m"}}}
    session.write(deployment(spec__template__spec__containers=[container]), "ci")
    assert session.why("spec.template.spec.containers.0.resources.limits.cpu") == (Why.SET, [])


def test_a_list_that_is_owned_whole_is_set_whole() -> None:
    assert applied().why("spec.template.spec.containers.0.args.1") == (Why.WHOLE, [])


def test_the_name_is_nobodys() -> None:
    assert applied().why("metadata.name") == (Why.IDENTITY, [])


def test_the_same_again_is_kept() -> None:
    session = applied()
    session.write(deployment(), "ci")
    assert session.why("spec.replicas") == (Why.KEPT, [])
    assert session.why("spec.strategy.type") == (Why.UNOWNED, [])


def test_what_two_say_is_shared() -> None:
    session = applied()
    session.write(deployment(), "other")
    assert session.why("spec.replicas") == (Why.SHARED, ["ci"])


def test_what_is_dropped_and_nobody_elses_is_removed() -> None:
    session = applied()
    session.write(deployment(metadata__labels__tier=None), "ci")
    assert session.why("metadata.labels.tier") == (Why.REMOVED, [])


def test_what_is_dropped_and_anothers_too_is_held() -> None:
    session = applied()
    session.write(deployment(), "other")
    session.write(deployment(metadata__labels__tier=None), "ci")
    assert session.why("metadata.labels.tier") == (Why.HELD, ["other"])


def test_a_dropped_field_that_the_server_fills_in_again_is_reset() -> None:
    session = applied()
    session.write(deployment(spec__replicas=None), "ci")
    assert session.live["spec"]["replicas"] == 1
    assert session.why("spec.replicas") == (Why.RESET, [])


def test_a_patch_sets_and_takes_away() -> None:
    session = applied()
    session.write({"metadata": {"labels": {"tier": None}}, "spec": {"replicas": 5}}, "hpa", WriteKind.JSON_MERGE)
    assert session.why("spec.replicas") == (Why.SET, [])
    assert session.why("metadata.labels.tier") == (Why.TAKEN, ["ci"])
    assert session.why("metadata.labels.app") == (Why.KEPT, ["ci"])


def test_a_put_takes_away_what_it_does_not_say() -> None:
    session = applied()
    session.write(deployment(metadata__labels__tier=None), "editor", WriteKind.UPDATE)
    assert session.why("metadata.labels.tier") == (Why.TAKEN, ["ci"])


def test_kubectl_apply_sets_what_its_patch_says() -> None:
    session = Session()
    session.write(deployment(), "kubectl-client-side-apply", WriteKind.CLIENT_APPLY)
    session.write(deployment(spec__replicas=4), "kubectl-client-side-apply", WriteKind.CLIENT_APPLY)
    assert session.why("spec.replicas")[0] is Why.SET
    assert session.why("metadata.labels.tier")[0] is Why.KEPT


def test_a_conflict_refuses_the_field_that_others_own() -> None:
    session = applied()
    session.write({"spec": {"replicas": 5}}, "hpa", WriteKind.JSON_MERGE)
    assert session.write(deployment(), "ci").code == 409
    assert session.why("spec.replicas") == (Why.REFUSED, ["hpa"])
    assert session.why("metadata.labels.tier") == (Why.KEPT, [])


def test_an_object_of_no_kind_has_reasons_too() -> None:
    session = Session()
    session.live = {"a": {"b": 0}, "e": 1}
    session.write({"a": {"b": 1}, "c": [1, {"d": 2}]}, "me", WriteKind.JSON_MERGE)
    assert session.why("e") == (Why.UNOWNED, [])
    assert session.why("a.b") == (Why.SET, [])
    assert session.why("c.1.d") == (Why.WHOLE, [])


def played(history: History) -> Any:
    """Yield each write of a history, with the session after it."""
    session = Session((definition_of(history.schema),))
    for each in history.writes:
        before = session.live
        write = written(each, before)
        session.write(write.body, write.manager, write.kind, force=write.force)
        yield before, write, session


def written(each: strategies.Write, live: Any) -> Write:
    """Return one write of a history as a person would type it."""
    if each.verb in ("apply", "force"):
        return Write(WriteKind.APPLY, live, thing(each.spec), manager=each.manager, force=each.verb == "force")
    if live is None:
        return Write(WriteKind.CREATE, None, thing(each.spec), manager=each.manager)
    if each.verb == "merge":
        return Write(WriteKind.JSON_MERGE, live, {"spec": each.spec}, manager=each.manager)
    return Write(WriteKind.UPDATE, live, thing(each.spec), manager=each.manager)


HISTORIES = settings(max_examples=60, deadline=None)


@HISTORIES
@given(histories())
def test_every_leaf_has_one_reason(history: History) -> None:
    for _, _, session in played(history):
        shown = session.done.after if session.done.after is not None else session.done.before
        present = [each.steps for each in session.told if each.why not in GONE]
        wanted = [leaf.steps for leaf in leaves(without_metadata(shown or {}, "managedFields"), session.done.type)]
        assert present == (wanted if shown is not None else [])


@HISTORIES
@given(histories())
def test_reasons_agree_with_who_owns_what(history: History) -> None:
    for _, write, session in played(history):
        after = decode_entries(entries_of(session.live or {})).fields
        for each in session.told:
            now = {who.manager for who, owned in after.items() if each.field in owned.fields}
            if each.why is Why.HELD:
                assert each.owners
                assert write.manager not in {owner.manager for owner in each.owners if owner.applied}
            if each.why is Why.UNOWNED:
                assert not now
            if each.why is Why.REMOVED:
                assert not each.owners


@HISTORIES
@given(histories())
def test_without_the_claims_that_hold_it_a_dropped_field_goes(history: History) -> None:
    for before, write, session in played(history):
        held = [each for each in session.told if each.why is Why.HELD]
        for each in held[:2]:
            again = Session(session.crds)
            again.live = without_claims(before, each)
            again.write(write.body, write.manager, write.kind, force=True)
            told = {reason.field: reason.why for reason in again.told}
            assert told.get(each.field, Why.REMOVED) in (Why.REMOVED, Why.RESET, Why.LEFT, Why.KEPT)
            assert told.get(each.field) is not Why.HELD


def without_claims(obj: Any, reason: Reason) -> Any:
    """Return an object that the owners of a reason own neither the field nor anything in it of."""
    managed = decode_entries(entries_of(obj))
    fields = {
        who: owned.with_fields(without(owned.fields, reason.field)) if who in reason.owners else owned
        for who, owned in managed.fields.items()
    }
    return with_metadata(obj, managedFields=encode_entries(Managed(fields, managed.times)))


def without(fields: Any, path: Path) -> Any:
    from engine.fieldpath.field_set import field_set

    return fields.recursive_difference(field_set([path]))


@pytest.mark.parametrize("body", [None, "text", [], 5])
def test_a_refused_body_has_the_reasons_of_the_object_as_it_stays(body: Any) -> None:
    session = applied()
    session.write(body, "x", WriteKind.UPDATE)
    assert session.why("spec.replicas") == (Why.KEPT, ["ci"])
