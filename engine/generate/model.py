"""What is asked of a generator, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from engine.json_patch.options import Options
from engine.schema.catalog import Catalog, builtin_catalog
from engine.value.failures import Path
from engine.value.model import Value


class Format(Enum):
    """The formats that a change can be told in, by the names that forms and commands use."""

    JSON_PATCH = "json-patch"
    MERGE_PATCH = "merge-patch"
    STRATEGIC = "strategic"
    APPLY = "apply"


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted: a change in one format.

    options are those of a JSON Patch, manager is the name that an intent is applied by. catalog knows the kinds of
    Kubernetes objects, custom ones among them if it was given their definitions.
    """

    before: Value
    after: Value
    format: Format = Format.JSON_PATCH
    options: Options = field(default_factory=Options)
    manager: str = "kubectl"
    catalog: Catalog = field(default_factory=builtin_catalog)


@dataclass(frozen=True, slots=True)
class Generated:
    """A patch that was applied, and gave the second document.

    operations counts those of a JSON Patch without its tests, and in the other formats the values that are set or
    removed. size is that of the compact JSON text in bytes. proved_by names what applied it. notes are sentences on
    what the patch needs or does beside.
    """

    format: Format
    patch: Value
    operations: int
    size: int
    proved_by: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Impossible:
    """The change cannot be told in a format. path leads to the first place where it cannot; None: nowhere in it."""

    format: Format
    reason: str
    path: Path | None = None

    def __str__(self) -> str:
        return self.reason


Answer: TypeAlias = Generated | Impossible
