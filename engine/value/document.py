"""What was typed: a text, the value it stands for, and the line and column of every path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from engine.value.failures import DuplicateKey, EmptyDocument, Path, SeveralDocuments, UnreadableDocument
from engine.value.json_reader import read_json
from engine.value.limits import DEFAULT_LIMITS, Limits, check_size
from engine.value.model import Missing, Value
from engine.value.plain_yaml import plain_yaml
from engine.value.positions import Place, Reading
from engine.value.yaml_reader import read_yaml_stream


class Format(Enum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its value.

    positions: the line and column, from 1, of each path: of a member's name, of an item's first character. What comes
        out of an alias has none of its own; `place_of` gives the nearest.
    duplicates: (path, line, column) of every key that repeats an earlier one of the same map; the last one counts.
    """

    text: str
    format: Format
    value: Value
    positions: Mapping[Path, Place] = field(default_factory=dict)
    duplicates: tuple[tuple[Path, int, int], ...] = ()

    def place_of(self, path: Path) -> Place:
        """Return line and column of `path`, or of the nearest value around it that has a place."""
        places = self.positions.found() if isinstance(self.positions, _Places) else self.positions
        while path and path not in places:
            path = path[:-1]
        return places.get(path, (1, 1))

    def without_places(self, limits: Limits = DEFAULT_LIMITS) -> Document:
        """Return the same document with its places looked for when one is asked for: what is kept for long.

        The places of a document of many levels take a hundred times the memory of its text.
        """
        return replace(self, positions=_Places(self.text, limits))

    def require_unique_keys(self) -> None:
        """Refuse a document in which a key stands twice.

        Raises:
            DuplicateKey: the first such key, with its line and column.
        """
        if self.duplicates:
            raise DuplicateKey(*self.duplicates[0])


def read_document(text: str, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Return the one document that `text` holds: JSON if it begins with `{` or `[` and is JSON, else YAML.

    YAML has maps and lists in braces, too, so a text that begins like JSON and is no JSON is read as YAML, and if that
    fails as well the complaint is the JSON reader's.

    Raises:
        EmptyDocument: there is none.
        SeveralDocuments: there are more than one.
        UnreadableDocument: it is neither JSON nor YAML; the failure names line and column.
        LimitExceeded: it is larger or deeper than `limits` allows.
    """
    documents = parse_yaml_stream(text, limits)
    if not documents:
        raise EmptyDocument
    if len(documents) > 1:
        raise SeveralDocuments(len(documents), *documents[1].place_of(()))
    return documents[0]


def parse_yaml_stream(text: str, limits: Limits = DEFAULT_LIMITS) -> list[Document]:
    """Return every document of a text, empty ones left out. Each one's places are those in the whole text.

    Raises: as `read_document`, but for EmptyDocument and SeveralDocuments.
    """
    if text.lstrip(" \t\r\n")[:1] not in ("{", "["):
        check_size(text, limits)
        value = plain_yaml(text, limits)
        if not isinstance(value, Missing):
            return [Document(text, Format.YAML, value, _Places(text, limits))]
        return [_document(text, Format.YAML, reading) for reading in read_yaml_stream(text, limits)]
    try:
        return [_document(text, Format.JSON, read_json(text, limits))]
    except UnreadableDocument as complaint:
        try:
            return [_document(text, Format.YAML, reading) for reading in read_yaml_stream(text, limits)]
        except UnreadableDocument:
            raise complaint from None


class _Places(Mapping[Path, Place]):
    """The places of a YAML document's values, looked for when one is asked for: most texts have nothing to point at."""

    def __init__(self, text: str, limits: Limits) -> None:
        self._text, self._limits = text, limits

    def found(self) -> Mapping[Path, Place]:
        """Return all places, looked for anew."""
        try:
            return read_json(self._text, self._limits).positions
        except UnreadableDocument:
            return read_yaml_stream(self._text, self._limits)[0].positions

    def __getitem__(self, path: Path) -> Place:
        return self.found()[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self.found())

    def __len__(self) -> int:
        return len(self.found())


def _document(text: str, written: Format, reading: Reading) -> Document:
    return Document(text, written, reading.value, reading.positions, reading.duplicates)
