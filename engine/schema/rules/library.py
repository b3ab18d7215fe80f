"""All functions that Kubernetes adds to CEL, as far as they are here; README.md lists them, and those that are not."""

from __future__ import annotations

from engine.schema.rules import addresses, formats, lists, ordering, patterns, quantities, urls, versions
from engine.schema.rules.function import Function

FUNCTIONS: tuple[Function, ...] = (
    *lists.FUNCTIONS,
    *patterns.FUNCTIONS,
    *quantities.FUNCTIONS,
    *versions.FUNCTIONS,
    *ordering.FUNCTIONS,
    *addresses.FUNCTIONS,
    *urls.FUNCTIONS,
    *formats.FUNCTIONS,
)
