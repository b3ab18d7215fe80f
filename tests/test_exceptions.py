"""What holds for every exception class of the project."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import engine
import web

OURS = ("engine.", "web.")


@contextmanager
def something() -> Iterator[None]:
    """A `with` block that only looks on."""
    yield


def exceptions(above: type[BaseException] = BaseException) -> Iterator[type[BaseException]]:
    """Yield the project's exception classes."""
    for each in above.__subclasses__():
        if each.__module__.startswith(OURS):
            yield each
        yield from exceptions(each)


def test_every_exception_passes_through_a_with_block_as_it_is() -> None:
    """One whose attributes are frozen does not: its traceback could not be set."""
    for package in (engine, web):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    found = {each for each in exceptions() if "<locals>" not in each.__qualname__}
    assert len(found) > 60
    for each in found:
        raised = each.__new__(each)
        with pytest.raises(each) as caught, something():
            raise raised
        assert caught.value is raised
