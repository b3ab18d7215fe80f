"""Documents from files and from standard input."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.generate.exact import read_exactly
from engine.value.document import Document, parse_yaml_stream
from engine.value.limits import Limits
from engine.value.model import Object
from web.config import Config
from web.limits import with_setting

STANDARD_INPUT = "-"


@dataclass(eq=False)
class WrongUse(Exception):
    """The command cannot do what it was asked; `sentence` says why, and what to do."""

    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(slots=True)
class Reader:
    """Reads what a command line names. Standard input can be read once."""

    limits: Limits = field(default_factory=Limits)
    taken: str = ""

    def text(self, name: str, what: str) -> str:
        """Return the text of a file, or of standard input if `name` is `-`. `what` says in words what it is.

        Raises:
            WrongUse: there is no such file, it is no text, or standard input was read already.
        """
        try:
            if name != STANDARD_INPUT:
                with open(name, encoding="utf-8-sig") as file:
                    return file.read()
            if self.taken:
                raise WrongUse(f"both the {self.taken} and the {what} are to come from standard input; name a file")
            self.taken = what
            return _standard_input(what)
        except OSError as error:
            raise WrongUse(f"the {what} {name!r} cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise WrongUse(f"the {what} {_named(name)} is no text in UTF-8 (byte {error.start})") from error

    def document(self, name: str, what: str) -> Document:
        """Return the one document of a file. Raises: as `text`, and WrongUse if it is no document."""
        text = self.text(name, what)
        try:
            document = read_exactly(text, self.limits)
            document.require_unique_keys()
        except EngineError as error:
            raise WrongUse(f"the {what} {_named(name)} cannot be used: {with_setting(error)}") from error
        return document

    def objects(self, names: list[str], what: str) -> tuple[Object, ...]:
        """Return all documents of some files that are maps. Raises: as `document`."""
        found: list[Object] = []
        for name in names:
            try:
                documents = parse_yaml_stream(self.text(name, what), self.limits)
            except EngineError as error:
                raise WrongUse(f"the {what} {_named(name)} cannot be used: {with_setting(error)}") from error
            found += [document.value for document in documents if isinstance(document.value, dict)]
        return tuple(found)


def object_in(document: Document, what: str) -> Object:
    """Return a document's value if it is a map.

    Raises:
        WrongUse: it is something else.
    """
    if not isinstance(document.value, dict):
        raise WrongUse(f"the {what} is no map; expected an object with apiVersion, kind and metadata")
    return document.value


def reader_for(config: Config) -> Reader:
    """Return a reader with the limits that are set."""
    return Reader(config.limits)


def _standard_input(what: str) -> str:
    if sys.stdin is None:
        raise WrongUse(f"the {what} is to come from standard input, which is closed; name a file")
    return sys.stdin.read().removeprefix("\ufeff")


def _named(name: str) -> str:
    return "from standard input" if name == STANDARD_INPUT else repr(name)
