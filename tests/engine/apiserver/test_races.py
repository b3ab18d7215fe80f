"""Writes that others come before: between reading an object and storing it, somebody else writes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from engine.apiserver.request import Request, Response
from engine.apiserver.server import ATTEMPTS, APIServer
from engine.apiserver.storage import MemoryStore, ObjectKey
from engine.meta.gvk import GroupVersionKind
from engine.patch.patch_type import PatchType
from engine.schema.catalog import builtin_catalog
from engine.value.model import Object

CONFIG_MAP = GroupVersionKind("", "v1", "ConfigMap")
DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")
MERGE, APPLY = PatchType.JSON_MERGE.value, PatchType.APPLY.value
POD: Object = {"containers": [{"name": "c", "image": "i"}]}
LABELS: Object = {"app": "a"}
TEMPLATE: Object = {"metadata": {"labels": LABELS}, "spec": POD}
SPEC: Object = {"replicas": 1, "selector": {"matchLabels": LABELS}, "template": TEMPLATE}


class ContestedStore(MemoryStore):
    """A store in which somebody else labels the object, or removes it, just before each of the next few writes."""

    def __init__(self) -> None:
        super().__init__()
        self.rivals: list[Callable[[ObjectKey], object]] = []

    def put(self, key: ObjectKey, obj: Object, expected: str | None) -> Object:
        self._contest(key)
        return super().put(key, obj, expected)

    def delete(self, key: ObjectKey, expected: str | None = None) -> Object | None:
        self._contest(key)
        return super().delete(key, expected)

    def _contest(self, key: ObjectKey) -> None:
        if self.rivals:
            self.rivals.pop()(key)

    def label(self, key: ObjectKey) -> None:
        """Write the object as another would."""
        have = self.get(key)
        assert have is not None
        version = have["metadata"]["resourceVersion"]
        labels = {"rival": f"after-{version}"}
        super().put(key, {**have, "metadata": {**have["metadata"], "labels": labels}}, version)

    def remove(self, key: ObjectKey) -> None:
        """Remove the object as another would."""
        super().delete(key)


class Site:
    """A server over a contested store, with one object of each kind."""

    def __init__(self) -> None:
        numbers = count(1)
        self.store = ContestedStore()
        clock, uid = (lambda: "2030-01-01T00:00:00Z"), (lambda: f"uid-{next(numbers)}")
        self.server = APIServer(builtin_catalog(), clock, uid, self.store)
        head: Object = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
        assert self.ask("POST", CONFIG_MAP, {**head, "data": {"k": "v"}}).code == 201
        head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}
        assert self.ask("POST", DEPLOYMENT, {**head, "spec": SPEC}).code == 201

    def ask(self, method: str, gvk: GroupVersionKind, body: Any = None, **about: Any) -> Response:
        """Return the answer to a request about the object of a kind."""
        options = {"content_type": "application/json", "user_agent": "test/1", **about}
        return self.server.handle(Request(method, gvk, "a", "default", body=body, **options))

    def contend(self, times: int) -> None:
        """Have somebody else write first before each of the next `times` writes."""
        self.store.rivals = [self.store.label] * times


def rival_label(response: Response) -> str:
    assert isinstance(response.body, dict)
    return str(response.body["metadata"]["labels"]["rival"])


@pytest.mark.parametrize("times", range(1, ATTEMPTS))
def test_a_write_without_a_condition_is_tried_again(times: int) -> None:
    site = Site()
    site.contend(times)
    answer = site.ask("PATCH", CONFIG_MAP, {"data": {"k": "w"}}, content_type=MERGE)
    assert answer.code == 200
    assert isinstance(answer.body, dict)
    assert answer.body["data"] == {"k": "w"}
    assert rival_label(answer)


def test_a_write_that_never_comes_first_is_a_conflict() -> None:
    site = Site()
    site.contend(ATTEMPTS)
    answer = site.ask("PATCH", CONFIG_MAP, {"data": {"k": "w"}}, content_type=MERGE)
    assert (answer.code, answer.body["reason"]) == (409, "Conflict")
    assert answer.body["message"] == (
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; '
        "please apply your changes to the latest version and try again"
    )
    assert site.ask("GET", CONFIG_MAP).body["data"] == {"k": "v"}


def test_a_write_with_a_version_is_a_conflict_at_once() -> None:
    site = Site()
    version = site.ask("GET", CONFIG_MAP).body["metadata"]["resourceVersion"]
    site.contend(1)
    patch = {"metadata": {"resourceVersion": version}, "data": {"k": "w"}}
    answer = site.ask("PATCH", CONFIG_MAP, patch, content_type=MERGE)
    assert (answer.code, answer.body["reason"]) == (409, "Conflict")


def test_what_was_warned_of_is_told_once() -> None:
    site = Site()
    site.contend(3)
    answer = site.ask("PATCH", CONFIG_MAP, {"nonsense": 1, "data": {"k": "w"}}, content_type=MERGE)
    assert answer.warnings == ('unknown field "nonsense"',)


def test_an_apply_that_somebody_creates_before_goes_on_from_theirs() -> None:
    site = Site()
    intent = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"mine": "1"}}
    theirs = {**intent, "metadata": {"name": "b", "resourceVersion": "77"}, "data": {"theirs": "1"}}
    site.store.rivals = [lambda key: site.store.load(key, theirs)]
    request = Request("PATCH", CONFIG_MAP, "b", "default", content_type=APPLY, body=intent, query={"fieldManager": "m"})
    answer = site.server.handle(request)
    assert answer.code == 200
    assert answer.body["data"] == {"mine": "1", "theirs": "1"}


def test_a_create_that_somebody_else_comes_before_says_that_the_object_exists() -> None:
    site = Site()
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}}
    site.store.rivals = [lambda key: site.store.load(key, {**body, "metadata": {"resourceVersion": "77"}})]
    answer = site.server.handle(Request("POST", CONFIG_MAP, "b", "default", body=body))
    assert (answer.code, answer.body["reason"]) == (409, "AlreadyExists")


def test_a_write_to_what_was_removed_meanwhile_finds_nothing() -> None:
    site = Site()
    site.store.rivals = [site.store.remove]
    answer = site.ask("PATCH", CONFIG_MAP, {"data": {"k": "w"}}, content_type=MERGE)
    assert (answer.code, answer.body["reason"]) == (404, "NotFound")


def test_a_delete_is_tried_again() -> None:
    site = Site()
    site.contend(2)
    assert site.ask("DELETE", CONFIG_MAP).code == 200
    assert site.ask("GET", CONFIG_MAP).code == 404


def test_a_write_through_scale_keeps_what_was_written_meanwhile() -> None:
    site = Site()
    site.contend(2)
    scaled = site.ask("PATCH", DEPLOYMENT, {"spec": {"replicas": 7}}, content_type=MERGE, subresource="scale")
    assert scaled.code == 200
    answer = site.ask("GET", DEPLOYMENT)
    assert answer.body["spec"]["replicas"] == 7
    assert rival_label(answer)
