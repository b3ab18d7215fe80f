"""Why a JSON Patch cannot be read, and why an operation of it cannot be done."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.said import said
from engine.value.model import MISSING, Missing, Value


class UndecodablePatch(EngineError):
    """A value that is no JSON Patch at all."""


@dataclass(eq=False)
class PatchNotAList(UndecodablePatch):
    """The patch is `found` (a kind of JSON) and not a list."""

    found: str

    def __str__(self) -> str:
        return said("a JSON Patch is a list of operations; found %(found)s", found=self.found)


@dataclass(eq=False)
class OperationNotAnObject(UndecodablePatch):
    """The operation at `index` is `found` (a kind of JSON) and not an object."""

    index: int
    found: str

    def __str__(self) -> str:
        return said(
            "operation %(index)s is %(found)s; expected an object with op and path", index=self.index, found=self.found
        )


@dataclass(eq=False)
class WrongMember(UndecodablePatch):
    """A member of an operation has the wrong type, or a value that it cannot have."""

    index: int
    member: str
    found: str
    expected: str

    def __str__(self) -> str:
        return said(
            "operation %(index)s: %(member)s is %(found)s; expected %(expected)s",
            index=self.index,
            member=self.member,
            found=self.found,
            expected=self.expected,
        )


@dataclass(eq=False)
class MissingMember(UndecodablePatch):
    """An operation lacks a member that its kind needs."""

    index: int
    member: str

    def __str__(self) -> str:
        return said("operation %(index)s has no %(member)s", index=self.index, member=self.member)


@dataclass(eq=False)
class TooManyOperations(EngineError):
    """More operations than one patch may have."""

    allowed: int
    found: int

    def __str__(self) -> str:
        return f"The allowed maximum operations in a JSON patch is {self.allowed}, got {self.found}"


@dataclass(eq=False)
class InapplicableOperation(EngineError):
    """An operation that cannot be done; nothing of the patch is.

    index: the operation's place in the patch, from 0. op, path: its own. pointer: the one that fails (path or from).
    exists: how far `pointer` leads: the pointer of the last value on its way.
    """

    index: int
    op: str
    path: str
    pointer: str = ""
    exists: str = ""

    def __str__(self) -> str:
        return said(
            'operation %(index)s (%(op)s "%(path)s"): %(reason)s',
            index=self.index,
            op=self.op,
            path=self.path,
            reason=self.reason(),
        )

    def reason(self) -> str:
        """Return the part of the sentence that tells what is wrong."""
        return said("it cannot be done")


class MissingLocation(InapplicableOperation):
    """The place of the operation, or one on the way to it, does not exist."""

    def reason(self) -> str:
        return said(
            '"%(pointer)s" does not exist; the document has it as far as "%(exists)s"',
            pointer=self.pointer,
            exists=self.exists,
        )


@dataclass(eq=False)
class BadIndex(InapplicableOperation):
    """The last part of a pointer into a list is no index, or lies outside the list of `size` items."""

    part: str = ""
    size: int = 0

    def reason(self) -> str:
        return said(
            '"%(part)s" is no index of the list at "%(exists)s", which has %(size)s items',
            part=self.part,
            exists=self.exists,
            size=self.size,
        )


@dataclass(eq=False)
class TestFailed(InapplicableOperation):
    """A test found another value than it expected (MISSING: none)."""

    __test__ = False  # no test case, whatever its name makes a test runner think

    expected: Value = None
    found: Value | Missing = MISSING

    def reason(self) -> str:
        return said('the value of "%(path)s" is not the expected one', path=self.path)


class MoveIntoItself(InapplicableOperation):
    """A value cannot move to a place inside itself."""

    def reason(self) -> str:
        return said('"%(pointer)s" cannot move into itself', pointer=self.pointer)


class RootRemoval(InapplicableOperation):
    """The whole document cannot be taken away."""

    def reason(self) -> str:
        return said("the whole document cannot be removed; replace it instead")


@dataclass(eq=False)
class InvalidOperation(InapplicableOperation):
    """An operation that the API server only finds wanting when its turn comes: without path, or of no known kind."""

    problem: str = ""

    def reason(self) -> str:
        return self.problem


@dataclass(eq=False)
class CopiesTooLarge(InapplicableOperation):
    """The copies of the patch together are larger than `allowed` bytes."""

    allowed: int = 0

    def reason(self) -> str:
        return said("the copies of this patch take more than %(allowed)s bytes", allowed=f"{self.allowed:,}")
