"""Changes in a person's own YAML or JSON text: a field taken out, set or replaced; nothing else is touched.

Rules:
- A field goes with its lines, and with the comment behind it on its line; comments on lines of their own stay.
- The first field of a list item on the dash's line leaves the dash; what follows moves up to it.
- A new value is written in one line, in flow style if it is a list or map.
- A new member stands before the first one of its map.
- What stands elsewhere in the text, behind an alias or a merge key, cannot be changed at this place.

The text is one document that can be read. Source: YAML 1.2, and the marks that PyYAML gives to nodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from engine.errors import EngineError
from engine.said import said
from engine.value.codec import render_json, render_yaml
from engine.value.model import Value

Steps = tuple[str | int, ...]
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_REST_OF_LINE = re.compile(r"[ \t]*(#[^\n]*)?(\n|\Z)")


@dataclass(eq=False)
class NotInText(EngineError):
    """A place that the text does not spell where it would have to be changed."""

    steps: Steps

    def __str__(self) -> str:
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)
        return said(
            "%(place)s is not spelled in this text at its place; change it by hand", place=place or said("the document")
        )


@dataclass(frozen=True, slots=True)
class _Entry:
    """A member or item: its holder, where it starts (at its key or value), and its node."""

    holder: Any
    start: int
    node: Any
    index: int


def without(text: str, steps: Steps) -> str:
    """Return the text without the member or item at `steps`.

    Raises:
        NotInText: the text does not spell it there.
    """
    entry = _entry(text, steps)
    if len(entry.holder.value) == 1:
        empty: Value = {} if isinstance(entry.holder, yaml.MappingNode) else []
        return with_value(text, steps[:-1], empty) if steps[1:] else render_json(empty) + "\n"
    return _flow_without(text, entry) if entry.holder.flow_style else _block_without(text, entry)


def with_value(text: str, steps: Steps, value: Value) -> str:
    """Return the text with another value at `steps`.

    Raises:
        NotInText: the text does not spell the place.
    """
    entry = _entry(text, steps)
    node, anchor = entry.node, _anchor(text, entry)
    start, end = node.start_mark.index, _content_end(text, node)
    spelled = _inline(value, in_flow=entry.holder.flow_style)
    if node.start_mark.index == node.end_mark.index:  # nothing is written there
        return f"{text[:anchor]} {spelled}{text[anchor:]}"
    if "\n" in text[anchor:start]:  # it begins on a line of its own, perhaps below comments
        between = text[anchor : text.rfind("\n", 0, start)]
        return f"{text[:anchor]} {spelled}{between}{text[end:]}"
    return text[:start] + spelled + text[end:]


def with_member(text: str, steps: Steps, name: str, value: Value) -> str:
    """Return the text with `value` as the member `name` of the map at `steps`, which may have it already.

    Raises:
        NotInText: the text does not spell a map there.
    """
    node: Any = _entry(text, steps).node if steps else yaml.compose(text, Loader=_Loader)
    if not isinstance(node, yaml.MappingNode):
        raise NotInText(steps)
    if _step(node, name) is not None:
        return with_value(text, (*steps, name), value)
    if not node.value:
        return with_value(text, steps, {name: value}) if steps else render_yaml({name: value})
    first = node.value[0][0].start_mark
    spelled = f"{_inline(name, in_flow=node.flow_style)}: {_inline(value, in_flow=node.flow_style)}"
    separator = ", " if node.flow_style else "\n" + " " * first.column
    return text[: first.index] + spelled + separator + text[first.index :]


def _inline(value: Value, *, in_flow: bool) -> str:
    if in_flow or (isinstance(value, dict | list) and value):
        return render_json(value)
    text = render_yaml(value).strip()
    return text if "\n" not in text else render_json(value)


def _entry(text: str, steps: Steps) -> _Entry:
    node: Any = yaml.compose(text, Loader=_Loader)
    entry = None
    for step in steps:
        found = _step(node, step)
        inside = found is not None and node.start_mark.index <= found.start and found.node is not node
        if found is None or not inside or found.node.start_mark.index < found.start:
            raise NotInText(steps)
        entry, node = found, found.node
    if entry is None:
        raise NotInText(steps)
    return entry


def _step(node: Any, step: str | int) -> _Entry | None:
    if isinstance(node, yaml.MappingNode) and isinstance(step, str):
        for index, (key, value) in reversed(list(enumerate(node.value))):
            if isinstance(key, yaml.ScalarNode) and key.value == step:
                return _Entry(node, key.start_mark.index, value, index)
    if isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        value = node.value[step]
        return _Entry(node, value.start_mark.index, value, step)
    return None


def _content_end(text: str, node: Any) -> int:
    """Where the last character of a node's own text ends; trailing blank lines and comments are not its own."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        if isinstance(last, tuple):
            key, value = last
            end = _content_end(text, value)
            return max(end, int(key.end_mark.index) + 1)
        return _content_end(text, last)
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    return max(start, len(text[:end].rstrip()))


def _block_without(text: str, entry: _Entry) -> str:
    start = entry.start
    end = max(_content_end(text, entry.node), _anchor(text, entry))
    line = text.rfind("\n", 0, start) + 1
    rest = _REST_OF_LINE.match(text, end)
    end = rest.end() if rest else end
    before = text[line:start]
    if isinstance(entry.holder, yaml.SequenceNode):
        return _item_without(text, start, end)
    if not before.strip():
        return text[:line] + text[end:]
    following = len(text) - len(text[end:].lstrip())
    return text[:start] + text[following:]


def _item_without(text: str, start: int, end: int) -> str:
    dash = text.rfind("-", 0, start)
    line = text.rfind("\n", 0, dash) + 1
    if text[line:dash].strip():  # the first item of a list within a list
        following = len(text) - len(text[end:].lstrip())
        return text[:dash] + text[following:]
    return text[:line] + text[end:]


def _anchor(text: str, entry: _Entry) -> int:
    """Where the colon or dash ends that a value stands behind; the value's own start in a flow list."""
    if isinstance(entry.holder, yaml.MappingNode):
        key = entry.holder.value[entry.index][0]
        return text.index(":", int(key.end_mark.index)) + 1
    return entry.start if entry.holder.flow_style else text.rfind("-", 0, entry.start) + 1


def _flow_without(text: str, entry: _Entry) -> str:
    items = entry.holder.value
    ends = [_entry_end(text, entry.holder, each) for each in range(len(items))]
    starts = [(each[0] if isinstance(each, tuple) else each).start_mark.index for each in items]
    if entry.index + 1 < len(items):
        return text[: entry.start] + text[starts[entry.index + 1] :]
    if entry.index:
        return text[: ends[entry.index - 1]] + text[ends[entry.index] :]
    return text[: entry.start] + text[ends[0] :].lstrip()


def _entry_end(text: str, holder: Any, index: int) -> int:
    each = holder.value[index]
    node = each[1] if isinstance(each, tuple) else each
    end = _content_end(text, node)
    return max(end, each[0].end_mark.index) if isinstance(each, tuple) else end
