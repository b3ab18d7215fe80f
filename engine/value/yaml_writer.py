"""Values as YAML text, byte for byte as `kubectl -o yaml` prints them, line by line.

Maps and lists are laid out here: two blanks a level, lists not indented, keys in goyaml's order. What a scalar looks
like is simple for most (a word stands as it is); for the others libyaml's emitter decides, which Go's is a port of.
Strings of several lines are literal blocks where YAML lets them; strings that would read as something else are in
double quotes; lines are never folded; nothing is written as an alias.

Known deviation: a block of text that ends in U+2028 or U+2029 gets a line feed of its own after it.

Source: `kubectl get -o yaml` of Kubernetes 1.32 (sigs.k8s.io/yaml).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

import yaml

from engine.value.failures import Path
from engine.value.model import Value
from engine.value.numbers import yaml_number
from engine.value.scalars import resolve_plain
from engine.value.yaml_order import sorted_keys

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_STRING = "tag:yaml.org,2002:str"
_NO_FOLDING = 1 << 30
# Words that need no look at YAML's rules: they hold no indicator in any place where it could count.
_SIMPLE = re.compile(r"[A-Za-z/][A-Za-z0-9_./-]*", re.ASCII)
_YAML_BREAK = re.compile("[\x85\u2028\u2029]")
_LONGEST_SIMPLE = 100  # a key of more than 128 bytes takes another form; stay well below


class YamlLine(NamedTuple):
    """One line of a rendered document, its line feed included, and the deepest path that begins or goes on in it."""

    text: str
    path: Path


def render_yaml(value: Value) -> str:
    """Return `value` as `kubectl -o yaml` prints it."""
    return "".join(line.text for line in render_yaml_lines(value))


def render_yaml_lines(value: Value) -> list[YamlLine]:
    """Return the lines of `render_yaml(value)`, each with the path that it belongs to.

    The line that opens a map or list belongs to that; a line such as `- name: a` to the member, not the item; the
    lines of a block of text all to the string.
    """
    lines: list[YamlLine] = []
    _write(lines, "", value, (), 0, 0)
    return lines


def _write(lines: list[YamlLine], start: str, value: Value, path: Path, indent: int, outer: int) -> None:
    """Add the lines of a node to `lines`.

    start: what its first line begins with. indent: the column of its own members or items. outer: the column of the
    map or list around it, against which a block of text is indented.
    """
    if isinstance(value, dict) and value:
        _write_map(lines, start, value, path, indent)
    elif isinstance(value, list) and value:
        _write_list(lines, start, value, path, indent)
    else:
        first, *others = _scalar(value, outer)
        lines += [YamlLine(f"{text}\n", path) for text in (start + first, *others)]


def _write_map(lines: list[YamlLine], start: str, value: dict[str, Any], path: Path, indent: int) -> None:
    for key in sorted_keys(value):
        here, member = (*path, key), value[key]
        if isinstance(member, str) and _is_simple(key) and _is_simple(member):
            lines.append(YamlLine(f"{start}{key}: {member}\n", here))
            start = " " * indent
            continue
        begin, inner = _write_key(lines, start, key, member, here, indent)
        _write(lines, begin, member, here, inner, indent)
        start = " " * indent


def _write_list(lines: list[YamlLine], start: str, value: list[Any], path: Path, indent: int) -> None:
    for index, item in enumerate(value):
        _write(lines, start + "- ", item, (*path, index), indent + 2, indent)
        start = " " * indent


def _write_key(lines: list[YamlLine], start: str, key: str, member: Value, path: Path, indent: int) -> tuple[str, int]:
    """Add the lines that a key has to itself; return what the member's first line begins with, and its column."""
    first, *others = _key(key, indent)
    margin = " " * indent
    if first.startswith("? "):
        lines += [YamlLine(f"{text}\n", path) for text in (start + first, *others)]
        return margin + ": ", indent + 2
    if not isinstance(member, (dict, list)) or not member:
        return f"{start}{first}: ", indent
    lines.append(YamlLine(f"{start}{first}:\n", path))
    column = indent + 2 if isinstance(member, dict) else indent
    return " " * column, column


def _scalar(value: Value, outer: int) -> list[str]:
    """Return the lines of a scalar, or of an empty map or list; those after the first with their indentation."""
    if isinstance(value, str):
        return _string(value, outer)
    if value is None:
        return ["null"]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, float):
        return [yaml_number(value)]
    if isinstance(value, dict):
        return ["{}"]
    return ["[]"] if isinstance(value, list) else [str(value)]


def _string(text: str, outer: int) -> list[str]:
    if _is_simple(text):
        return [text]
    levels = _levels(text, outer)
    return _indented(_emitted_string(text, levels), outer - 2 * levels)


def _key(text: str, outer: int) -> list[str]:
    if _is_simple(text):
        return [text]
    levels = _levels(text, outer)
    return _indented(_emitted_key(text, levels), outer - 2 * levels)


def _is_simple(text: str) -> bool:
    return len(text) <= _LONGEST_SIMPLE and _is_word(text)


@lru_cache(maxsize=1 << 15)
def _is_word(text: str) -> bool:
    return bool(_SIMPLE.fullmatch(text)) and isinstance(resolve_plain(text), str)


def _levels(text: str, outer: int) -> int:
    """How deep the emitter has to believe itself. Only where it indents after YAML's own line breaks does it count."""
    return outer // 2 if _YAML_BREAK.search(text) else 0


def _indented(lines: tuple[str, ...], by: int) -> list[str]:
    margin = " " * by
    return [lines[0], *(margin + line if line else "" for line in lines[1:])]


@lru_cache(maxsize=4096)
def _emitted_string(text: str, levels: int) -> tuple[str, ...]:
    emitted = _emit([_scalar_event("k", None), _scalar_event(text, _style(text))], levels)
    return tuple(emitted[len("k: ") :].split("\n")[:-1])


@lru_cache(maxsize=4096)
def _emitted_key(text: str, levels: int) -> tuple[str, ...]:
    emitted = _emit([_scalar_event(text, _style(text)), _scalar_event("v", None)], levels)
    explicit_end = "\n" + "  " * levels + ": v\n"
    if emitted.startswith("? ") and emitted.endswith(explicit_end):
        return tuple(emitted[: -len(explicit_end)].split("\n"))
    return (emitted[: -len(": v\n")],)


def _style(text: str) -> str | None:
    """The style that kubectl asks the emitter for; the emitter may know better."""
    if "\n" in text:
        return "|"
    return None if text != "<<" and isinstance(resolve_plain(text), str) else '"'


def _scalar_event(text: str, style: str | None) -> yaml.ScalarEvent:
    return yaml.ScalarEvent(None, None, (True, True), text, style=style)


def _emit(scalars: list[yaml.ScalarEvent], levels: int) -> str:
    """Return a map of one member as libyaml writes it, `levels` maps down, without what stands before it."""
    start = yaml.MappingStartEvent(None, None, True, flow_style=False)
    events = [
        yaml.StreamStartEvent(),
        yaml.DocumentStartEvent(explicit=False),
        start,
        *[event for _ in range(levels) for event in (_scalar_event("k", None), start)],
        *scalars,
        *[yaml.MappingEndEvent()] * (levels + 1),
        yaml.DocumentEndEvent(explicit=False),
        yaml.StreamEndEvent(),
    ]
    # After an open-ended block of text libyaml ends the document with dots; Go's encoder does not.
    emitted = str(yaml.emit(events, Dumper=_Dumper, width=_NO_FOLDING, allow_unicode=True))
    emitted = emitted.removesuffix("...\n") if emitted.endswith("\n...\n") else emitted
    return emitted[sum(2 * level + len("k:\n") for level in range(levels)) + 2 * levels :]
