"""Which objects a list or a watch is about: label selectors and field selectors.

Source: apimachinery's labels and fields selectors, Kubernetes 1.36; the texts are theirs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.apiserver.failures import BadRequest
from engine.meta.gvk import GroupVersionKind
from engine.meta.object_meta import metadata_of
from engine.value.model import Object, Value

_TOKEN = re.compile(r"==|!=|[()=!,<>]|[^\s()=!,<>]+")
_OPERATORS = {"=": "in", "==": "in", "!=": "notin", "in": "in", "notin": "notin", ">": "gt", "<": "lt"}
_SPECIAL = frozenset("()=!,<>") | {"==", "!="}
_COMMON = ("metadata.name", "metadata.namespace")

_SELECTABLE: Mapping[str, tuple[str, ...]] = {
    "CertificateSigningRequest": ("spec.signerName",),
    "Event": (
        "involvedObject.kind",
        "involvedObject.namespace",
        "involvedObject.name",
        "involvedObject.uid",
        "involvedObject.apiVersion",
        "involvedObject.resourceVersion",
        "involvedObject.fieldPath",
        "reason",
        "reportingComponent",
        "source",
        "type",
    ),
    "Job": ("status.successful",),
    "Namespace": ("status.phase",),
    "Node": ("spec.unschedulable",),
    "Pod": (
        "spec.nodeName",
        "spec.restartPolicy",
        "spec.schedulerName",
        "spec.serviceAccountName",
        "spec.hostNetwork",
        "status.phase",
        "status.podIP",
        "status.nominatedNodeName",
    ),
    "ReplicationController": ("status.replicas",),
    "Secret": ("type",),
    "Service": ("spec.clusterIP", "spec.type"),
}
"""The fields that a kind's objects may be chosen by, beside name and namespace."""

_ZERO = {"spec.unschedulable": "false", "spec.hostNetwork": "false", "status.replicas": "0", "status.successful": "0"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One condition on a label: in, notin (a label that is not there is in neither), exists, absent, gt or lt."""

    key: str
    operator: str
    values: frozenset[str] = frozenset()

    def holds(self, labels: Mapping[str, Value]) -> bool:
        """Return True if the labels meet the condition."""
        value = labels.get(self.key)
        if self.operator == "exists":
            return self.key in labels
        if self.operator == "absent":
            return self.key not in labels
        if self.operator == "in":
            return value in self.values
        if self.operator == "notin":
            return value not in self.values
        return _compared(value, next(iter(self.values)), self.operator)


def _compared(value: Value, limit: str, operator: str) -> bool:
    try:
        return int(str(value)) > int(limit) if operator == "gt" else int(str(value)) < int(limit)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Selector:
    """What a list or a watch is about."""

    labels: tuple[Requirement, ...] = ()
    fields: tuple[tuple[str, bool, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels or self.fields)

    def chooses(self, obj: Object) -> bool:
        """Return True if the object is meant."""
        labels = metadata_of(obj).get("labels")
        labels = labels if isinstance(labels, dict) else {}
        return all(each.holds(labels) for each in self.labels) and all(
            (_field(obj, path) == value) is equal for path, equal, value in self.fields
        )


def _field(obj: Object, path: str) -> str:
    value: Value = obj
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    if value is None:
        return _ZERO.get(path, "")
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parse_selector(label_text: str, field_text: str, gvk: GroupVersionKind) -> Selector:
    """Return what a request's labelSelector and fieldSelector choose of a kind's objects.

    Raises:
        BadRequest: one of them cannot be read, or the kind has no such field to choose by.
    """
    return Selector(_Labels(label_text).parse(), _fields(field_text, gvk))


class _Labels:
    """Reads a label selector, token by token."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def parse(self) -> tuple[Requirement, ...]:
        found: list[Requirement] = []
        if not self.tokens:
            return ()
        while True:
            if self._peek() in _SPECIAL - {"!"} or self._peek() == "":
                told = "identifier after ','" if found else "!, identifier, or 'end of string'"
                raise BadRequest(f"found '{self._peek()}', expected: {told}")
            found.append(self._requirement())
            if self._peek() == "":
                return tuple(found)
            if self._peek() != ",":
                raise BadRequest(f"found '{self._peek()}', expected: ',' or 'end of string'")
            self._next()

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        token = self._peek()
        self.at += 1
        return token

    def _fail(self, found: str, expected: str) -> BadRequest:
        return BadRequest(f"unable to parse requirement: found '{found}', expected: {expected}")

    def _requirement(self) -> Requirement:
        if self._peek() == "!":
            self._next()
            key = self._next()
            if not key or key in _SPECIAL:
                raise self._fail(key, "identifier")
            return Requirement(key, "absent")
        key = self._next()
        if self._peek() in ("", ","):
            return Requirement(key, "exists")
        word = self._next()
        operator = _OPERATORS.get(word)
        if operator is None:
            raise self._fail(word, "in, notin, =, ==, !=, gt, lt")
        if word in ("in", "notin"):
            return Requirement(key, operator, self._values())
        value = "" if self._peek() in ("", ",") else self._next()
        return Requirement(key, operator, frozenset((value,)))

    def _values(self) -> frozenset[str]:
        if self._peek() != "(":
            raise self._fail(self._peek(), "'('")
        self._next()
        values: set[str] = set()
        after_comma = True
        while self._peek() != ")":
            token = self._next()
            if token == "":
                raise self._fail("", "',', or ')'")
            if token == ",":
                if after_comma:
                    values.add("")
                after_comma = True
            else:
                values.add(token)
                after_comma = False
        self._next()
        if after_comma:
            values.add("")
        return frozenset(values)


def _fields(text: str, gvk: GroupVersionKind) -> tuple[tuple[str, bool, str], ...]:
    known = (*_COMMON, *_SELECTABLE.get(gvk.kind, ()))
    found = []
    for term in filter(None, text.split(",")):
        match = re.fullmatch(r"([^=!]*)(!=|==|=)(.*)", term, re.S)
        if match is None:
            raise BadRequest(f"invalid selector: '{text}'; can't understand '{term}'")
        if match[1] not in known:
            if known == _COMMON:
                raise BadRequest(
                    f'"{match[1]}" is not a known field selector: only "metadata.name", "metadata.namespace"'
                )
            raise BadRequest(f"field label not supported: {match[1]}")
        found.append((match[1], match[2] != "!=", match[3]))
    return tuple(found)
