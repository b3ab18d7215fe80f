"""YAML without anything unusual, read for its values alone: in half the time that finding every place takes.

Left to yaml_reader is whatever is rare or wrong: anchors, aliases, tags, merges, keys that stand twice or are no
strings, several documents, and every text that is refused, since only that reader can say where.
"""

from __future__ import annotations

from typing import Any

import yaml

from engine.value.limits import Limits
from engine.value.model import MISSING, Missing, Value
from engine.value.tags import resolve_key, resolve_scalar
from engine.value.yaml_faults import is_printable

_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def plain_yaml(text: str, limits: Limits) -> Value | Missing:
    """Return the map or list that a text of one document holds; MISSING for any text that takes a closer look."""
    if not is_printable(text):
        return MISSING
    loader = _Loader(text)
    try:
        return _read(loader.get_event, limits)
    except (yaml.YAMLError, RecursionError, _Unusual, ValueError):
        return MISSING
    finally:
        loader.dispose()


class _Unusual(Exception):
    """Something that the other reader is for."""


def _read(next_event: Any, limits: Limits) -> Value:
    """Return what the events of one document make."""
    _begin(next_event)
    root: Value = _opened(next_event())
    top: Any = root
    outer: list[Any] = []  # the maps and lists around `top`
    key: str | None = None
    left = limits.max_nodes - 1
    while True:
        event = next_event()
        kind = type(event)
        if kind is yaml.ScalarEvent:
            left -= 1
            if key is None and type(top) is dict:
                key = _key(event, top)
                continue
            value = _scalar(event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            if not outer:
                break
            top = outer.pop()
            continue
        else:
            value = _opened(event)
            left -= 1
            if key is None and type(top) is dict or len(outer) + 2 > limits.max_depth or left < 0:
                raise _Unusual
        if type(top) is dict:
            top[key] = value
            key = None
        else:
            top.append(value)
        if kind is not yaml.ScalarEvent:
            outer.append(top)
            top = value
    if left < 0 or type(next_event()) is not yaml.DocumentEndEvent or type(next_event()) is not yaml.StreamEndEvent:
        raise _Unusual
    return root


def _begin(next_event: Any) -> None:
    next_event()
    start = next_event()
    if type(start) is not yaml.DocumentStartEvent or start.version is not None:
        raise _Unusual


def _opened(event: Any) -> Any:
    """Return the empty map or list that an event begins."""
    kind = type(event)
    if kind not in (yaml.MappingStartEvent, yaml.SequenceStartEvent) or event.tag is not None or event.anchor:
        raise _Unusual
    return {} if kind is yaml.MappingStartEvent else []


def _key(event: Any, into: dict[str, Any]) -> str:
    text, plain = event.value, event.implicit[0]
    if event.tag is not None or event.anchor or plain and text == "<<" or event.style == '"' and "/" in text:
        raise _Unusual
    key = resolve_key(text, None, plain)
    if key in into:
        raise _Unusual
    return key


def _scalar(event: Any) -> Value:
    text = event.value
    if event.tag is not None or event.anchor or event.style == '"' and "/" in text:
        raise _Unusual
    return resolve_scalar(text, None, event.implicit[0])
