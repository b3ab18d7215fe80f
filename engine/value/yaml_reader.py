"""YAML texts, read as Kubernetes reads them, with the line and column of every value.

libyaml finds the structure, `scalars` gives plain scalars their meaning, and this module makes values of the events,
with a stack of its own, so that depth breaks nothing. An alias stands for the very value of its anchor, so a document
that multiplies itself takes no memory; its nodes and levels are counted all the same, as often as they occur.

Rules that differ from other YAML readers, all of them goyaml's: a merge (`<<`) overrides what stands before it and is
overridden by what stands after; a key that stands twice keeps its last value; keys are turned into strings; tags of
unknown kinds are ignored; `%YAML 1.2` and the escape `\\/` are refused.

Source: gopkg.in/yaml.v2 decode.go and sigs.k8s.io/yaml, as kubectl 1.27 to 1.33 answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import yaml

from engine.said import said
from engine.value.failures import (
    AnchorLoop,
    LimitExceeded,
    Path,
    SeveralDocuments,
    UnknownAnchor,
    UnreadableDocument,
)
from engine.value.limits import DEFAULT_LIMITS, Limits, check_shape, check_size
from engine.value.model import Missing, Value
from engine.value.plain_json import plain_json
from engine.value.plain_yaml import plain_yaml
from engine.value.positions import Place, Reading
from engine.value.tags import resolve_key, resolve_scalar
from engine.value.yaml_faults import check_characters, check_escapes, fault_of

_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

# goyaml's measure of a document that consists of aliases: counted from 100 aliased nodes among 1000, refused when
# the share of aliased ones is above 99 in 100 (up to 400,000 nodes; larger documents are over our own limit anyway).
_ALIASED, _DECODED, _SHARE = 100, 1000, 0.99


def parse_yaml(text: str, limits: Limits = DEFAULT_LIMITS) -> Value:
    """Return the value of a YAML text of one document; null if there is none.

    Raises:
        UnreadableDocument: it is no YAML that Kubernetes reads; the failure names line and column.
        SeveralDocuments: it holds more than one document (empty ones do not count).
        LimitExceeded: it is larger or deeper than `limits` allows, aliases counted as what they stand for.
    """
    check_size(text, limits)
    plain = plain_json(text)
    if not isinstance(plain, Missing):
        with suppress(LimitExceeded):  # told by YAML's reader, with its place
            check_shape(plain, limits)
            return plain
    simple = plain_yaml(text, limits)
    if not isinstance(simple, Missing):
        return simple
    readings = read_yaml_stream(text, limits)
    if len(readings) > 1:
        raise SeveralDocuments(len(readings), *readings[1].positions[()])
    return readings[0].value if readings else None


def read_yaml_stream(text: str, limits: Limits = DEFAULT_LIMITS) -> list[Reading]:
    """Return every document of a YAML text that is not empty, in order, with the place of each of its values.

    Raises: as `parse_yaml`, but for SeveralDocuments.
    """
    check_size(text, limits)
    check_characters(text)
    stream = _Stream(text, limits)
    return list(stream.documents())


@dataclass(slots=True)
class _Anchored:
    """The value of an anchor: how many nodes, characters and levels it has. Until its end is reached it is `open`."""

    value: Value
    plain: str | None = None
    nodes: int = 1
    characters: int = 0
    levels: int = 0
    open: bool = False


@dataclass(slots=True)
class _Open:
    """A list or map that has begun and not ended.

    key is the member whose value comes next (None: a key comes next); merging, if that key is a merge.
    """

    value: list[Any] | dict[str, Any]
    path: Path
    anchored: _Anchored
    key: str | None = None
    key_place: Place = (1, 1)
    merging: bool = False
    own: set[str] = field(default_factory=set)
    levels: int = 0
    nodes_before: int = 0
    characters_before: int = 0


class _Stream:
    """One reading of one text, document by document."""

    def __init__(self, text: str, limits: Limits) -> None:
        self.text, self.limits = text, limits
        self.loader = _Loader(text)
        self._begin()

    def _begin(self) -> None:
        self.stack: list[_Open] = []
        self.anchors: dict[str, _Anchored] = {}
        self.positions: dict[Path, Place] = {}
        self.duplicates: list[tuple[Path, int, int]] = []
        self.root: Value = None
        self.nodes = self.aliased = self.characters = self.repeated = 0
        self.here: Place = (1, 1)

    def documents(self) -> Iterator[Reading]:
        count = 0
        for event in self._events():
            if isinstance(event, yaml.DocumentStartEvent):
                self._begin()
                self._check_version(event)
            elif isinstance(event, yaml.DocumentEndEvent):
                if () in self.positions:
                    count += 1
                    yield Reading(self.root, self.positions, tuple(self.duplicates))
                if count > self.limits.max_documents:
                    raise LimitExceeded("documents", self.limits.max_documents, None, *self.here)
            elif isinstance(event, yaml.NodeEvent):
                self._node(event)
            elif isinstance(event, yaml.CollectionEndEvent):
                self._close()

    def _events(self) -> Iterator[Any]:
        try:
            while self.loader.check_event():
                event = self.loader.get_event()
                self.here = (event.start_mark.line + 1, event.start_mark.column + 1)
                yield event
        except yaml.YAMLError as error:
            raise fault_of(error, self.text) from None
        except RecursionError:
            raise LimitExceeded("levels", self.limits.max_depth, None, *self.here) from None
        finally:
            self.loader.dispose()

    def _check_version(self, event: yaml.DocumentStartEvent) -> None:
        if event.version not in (None, (1, 1)):
            raise self._fault(
                said("found YAML %(version)s", version=".".join(map(str, event.version))),
                said("YAML 1.1, the version Kubernetes reads"),
            )

    def _node(self, event: yaml.NodeEvent) -> None:
        if isinstance(event, yaml.AliasEvent):
            anchored = self._alias(str(event.anchor))
        elif isinstance(event, yaml.ScalarEvent):
            anchored = self._scalar(event)
        else:
            self._open(event)
            return
        if event.anchor and not isinstance(event, yaml.AliasEvent):
            self.anchors[str(event.anchor)] = anchored
        self._place(anchored)

    def _scalar(self, event: yaml.ScalarEvent) -> _Anchored:
        check_escapes(event, self.text)
        self._count(1)
        length = len(event.value)
        self.characters += length
        if not self.stack and not event.value and event.implicit[0] and event.tag is None and event.anchor is None:
            return _Anchored(None)  # a document of nothing, or of comments
        plain = event.value if event.implicit[0] else None
        if self._wants_key():
            return _Anchored(self._key(event), plain, characters=length)
        try:
            value = resolve_scalar(event.value, event.tag, plain is not None)
        except ValueError as error:
            raise self._fault(error.args[0], said("a value that JSON can hold")) from None
        if not self.stack:
            self.positions[()] = self.here
        return _Anchored(value, plain, characters=length)

    def _key(self, event: yaml.ScalarEvent) -> str:
        try:
            return resolve_key(event.value, event.tag, bool(event.implicit[0]))
        except ValueError as error:
            raise self._fault(error.args[0], said("a key that can be a string")) from None

    def _wants_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None

    def _alias(self, name: str) -> _Anchored:
        anchored = self.anchors.get(name)
        if anchored is None:
            raise UnknownAnchor(name, *self.here)
        if anchored.open:
            raise AnchorLoop(name, *self.here)
        self._count(anchored.nodes)
        self.aliased += anchored.nodes
        if self.aliased > self.limits.max_aliased:
            raise LimitExceeded("repeated values", self.limits.max_aliased, None, *self.here)
        self.characters += anchored.characters
        self.repeated += anchored.characters
        if self.repeated > self.limits.max_bytes:
            raise LimitExceeded("bytes by alias", self.limits.max_bytes, None, *self.here)
        if self.aliased > _ALIASED and self.nodes > _DECODED and self.aliased > _SHARE * self.nodes:
            raise LimitExceeded("aliased values", round(_SHARE * self.nodes), self.aliased, *self.here)
        self._check_levels(len(self.stack) + anchored.levels)
        return anchored

    def _open(self, event: Any) -> None:
        if self._wants_key():
            raise self._fault(said("found a list or map as a key"), said("a string"))
        self._count(1)
        value: list[Any] | dict[str, Any] = [] if isinstance(event, yaml.SequenceStartEvent) else {}
        self._check_levels(len(self.stack) + 1)
        anchored = _Anchored(value, open=True)
        if event.anchor:
            self.anchors[str(event.anchor)] = anchored
        path = self._path_of_next()
        self.positions.setdefault(path, self.here)
        self.stack.append(_Open(value, path, anchored, nodes_before=self.nodes - 1, characters_before=self.characters))

    def _close(self) -> None:
        top = self.stack.pop()
        top.anchored.open = False
        top.anchored.nodes = self.nodes - top.nodes_before
        top.anchored.characters = self.characters - top.characters_before
        top.anchored.levels = top.levels + 1
        self._place(top.anchored)

    def _path_of_next(self) -> Path:
        if not self.stack:
            return ()
        top = self.stack[-1]
        return (*top.path, len(top.value) if isinstance(top.value, list) else str(top.key))

    def _place(self, child: _Anchored) -> None:
        """Put a finished value where it belongs: into the innermost open list or map, or at the root."""
        if not self.stack:
            self.root = child.value
            return
        top = self.stack[-1]
        top.levels = max(top.levels, child.levels)
        if isinstance(top.value, list):
            self.positions.setdefault((*top.path, len(top.value)), self.here)
            top.value.append(child.value)
        elif top.key is None:
            self._place_key(top, child)
        else:
            self._place_member(top, top.value, child)

    def _place_key(self, top: _Open, child: _Anchored) -> None:
        if child.value is None or isinstance(child.value, (dict, list)):
            raise self._fault(said("found an alias of no string as a key"), said("a string"))
        top.key = child.value if isinstance(child.value, str) else resolve_key(str(child.plain), None, plain=True)
        top.key_place, top.merging = self.here, child.plain == "<<"
        if not top.merging:
            if top.key in top.own:
                self.duplicates.append(((*top.path, top.key), *self.here))
            top.own.add(top.key)
            self.positions[(*top.path, top.key)] = self.here

    def _place_member(self, top: _Open, into: dict[str, Any], child: _Anchored) -> None:
        assert top.key is not None
        if top.merging:
            self._merge(top, into, child.value)
        else:
            into[top.key] = child.value
        top.key = None

    def _merge(self, top: _Open, into: dict[str, Any], value: Value) -> None:
        sources = list(reversed(value)) if isinstance(value, list) else [value]
        for source in sources:
            if not isinstance(source, dict):
                raise self._fault(
                    said("found a merge (<<) of something that is no map"), said("a map, or a list of maps")
                )
            for name, member in source.items():
                into[name] = member
                self.positions.setdefault((*top.path, name), top.key_place)

    def _count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > self.limits.max_nodes:
            raise LimitExceeded("values", self.limits.max_nodes, None, *self.here)

    def _check_levels(self, levels: int) -> None:
        if levels > self.limits.max_depth:
            raise LimitExceeded("levels", self.limits.max_depth, None, *self.here)

    def _fault(self, found: str, expected: str) -> UnreadableDocument:
        return UnreadableDocument(found, expected, *self.here)
