"""Documents and differences on standard output, in colour only where a person looks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from typing import TYPE_CHECKING

from engine.generate.exact import render_exactly
from engine.value.codec import render_yaml
from engine.value.document import Document, Format
from engine.value.model import Value

if TYPE_CHECKING:
    from web.contexts import DiffGroup

RED, GREEN, FAINT, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[2m", "\x1b[0m"


class Unwritable(Exception):
    """Standard output takes nothing: it is closed, or its disk is full."""


def speak_utf8() -> None:
    """Read and write UTF-8, as documents are, whatever the locale says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            errors = "backslashreplace" if stream is sys.stderr else "strict"
            stream.reconfigure(encoding="utf-8", errors=errors)


def put(text: str) -> None:
    """Write a text and the end of its last line. Raises: Unwritable, or BrokenPipeError if nobody reads on."""
    _write(text if text.endswith("\n") else text + "\n")


def finish() -> None:
    """Write out what is still held back. Raises: as `put`."""
    if sys.stdout is not None:
        _write("")


def _write(text: str) -> None:
    if sys.stdout is None:
        raise Unwritable("it is closed")
    try:
        sys.stdout.write(text)
        if not text:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error


def complain(sentence: str) -> None:
    """Write a sentence for people to standard error."""
    print(f"patchyard: {sentence}", file=sys.stderr)


def note(sentence: str) -> None:
    """Write to standard error what is worth knowing beside the result."""
    print(f"note: {sentence}", file=sys.stderr)


def written(value: Value, style: str) -> str:
    """Return a value as `json` (indented, numbers to the letter) or as `yaml`."""
    return render_exactly(value, 2) if style == "json" else render_yaml(value)


def style_of(document: Document) -> str:
    """Return how a document was written."""
    return "json" if document.format is Format.JSON else "yaml"


def changes(before: Document, after: Document) -> str:
    """Return a readable diff of two documents, unchanged lines left out but for a few around each change."""
    from web.generate_diff import diff_groups  # its records are the page's, and slow to load

    return "\n".join(_lines(diff_groups(before, after), colours=_wants_colour()))


def _lines(groups: Iterable[DiffGroup], *, colours: bool) -> Iterable[str]:
    signs = {"": " ", "added": "+", "removed": "-"}
    tints = {"added": GREEN, "removed": RED}
    for group in groups:
        if group.folded:
            count = len(group.lines)
            yield _tinted(f"... {count} unchanged {'line' if count == 1 else 'lines'}", FAINT if colours else "")
            continue
        for line in group.lines:
            yield _tinted(f"{signs[line.change]} {line.text}", tints.get(line.change, "") if colours else "")


def _tinted(text: str, tint: str) -> str:
    return f"{tint}{text}{PLAIN}" if tint else text


def _wants_colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
