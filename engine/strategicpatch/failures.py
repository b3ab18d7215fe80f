"""Why a strategic merge patch cannot be applied or made. Each `str` is the API server's own wording."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.said import said
from engine.strategicpatch.go_text import go_text
from engine.value.model import Object, Value


class StrategicPatchFailure(EngineError):
    """The base: the API server answers with code 500."""


class BadPatchFormat(StrategicPatchFailure):
    """A directive of the wrong form. The API server answers with code 400, Bad Request."""


class BadRetainKeys(BadPatchFormat):
    """`$retainKeys` is no list, or the patch sets a member that it does not list."""

    def __str__(self) -> str:
        return "invalid patch format of retainKeys"


class BadPrimitiveListDeletion(BadPatchFormat):
    """A `$deleteFromPrimitiveList` that names no list."""

    def __str__(self) -> str:
        return "invalid patch format of primitive list"


class BadElementOrder(BadPatchFormat):
    """A `$setElementOrder` that names no list."""

    def __str__(self) -> str:
        return "invalid patch format of setElementOrder list"


@dataclass(eq=False)
class UnorderableList(BadPatchFormat):
    """`$setElementOrder` of a list of maps or lists whose field has no merge key. The API server crashes on it."""

    list_name: str

    def __str__(self) -> str:
        return said(
            "$setElementOrder cannot order the list %(list)s: its field declares no merge key to find items by",
            list=self.list_name,
        )


@dataclass(eq=False)
class UnknownDirective(StrategicPatchFailure):
    """`$patch` has a value that does not count where it stands."""

    directive: Value
    patch: Object

    def __str__(self) -> str:
        return f"unknown patch type: {go_text(self.directive)} in map: {go_text(self.patch)}"


class ListMergeDirective(StrategicPatchFailure):
    """`$patch: merge` in an item of a list."""

    def __str__(self) -> str:
        return "merging lists cannot yet be specified in the patch"


@dataclass(eq=False)
class OrderMismatch(StrategicPatchFailure):
    """The items of a patch stand in another order than `$setElementOrder` says, or are missing from it."""

    patch: list[Value]
    order: list[Value]

    def __str__(self) -> str:
        lists = f"{go_text(self.patch)}\n doesn't match $setElementOrder list:\n{go_text(self.order)}"
        return f"The order in patch list:\n{lists}\n"


@dataclass(eq=False)
class MissingMergeKey(StrategicPatchFailure):
    """An item of a list that merges lacks the merge key."""

    item: Object
    merge_key: str

    def __str__(self) -> str:
        return f"map: {go_text(self.item)} does not contain declared merge key: {self.merge_key}"


@dataclass(eq=False)
class NoMergeKey(StrategicPatchFailure):
    """A list of maps is to be merged, and its field declares no merge key."""

    type_name: str

    def __str__(self) -> str:
        return f"cannot merge lists without merge key for {self.type_name}"


@dataclass(eq=False)
class WrongType(StrategicPatchFailure):
    """A value of one type stands where one of another is needed; the types are spelled as Go does."""

    expected: str
    found: str

    def __str__(self) -> str:
        return f"expected a {self.expected}, but received a {self.found}"


@dataclass(eq=False)
class NotAMap(StrategicPatchFailure):
    """An item of a list of maps is no map."""

    index: int

    def __str__(self) -> str:
        return f"value for key {self.index} is not a map"


class ListOfLists(StrategicPatchFailure):
    """A list of lists cannot be merged."""

    def __str__(self) -> str:
        return "lists of lists are not supported"


@dataclass(eq=False)
class MixedList(StrategicPatchFailure):
    """A list that is to be merged has items of several types."""

    lists: list[Value]

    def __str__(self) -> str:
        return f"list element types are not identical: {go_text(self.lists)}"


class EmptyLists(StrategicPatchFailure):
    """Nothing tells what the items of a list are: there are none."""

    def __str__(self) -> str:
        return "no elements in any of the given slices"


@dataclass(eq=False)
class UnknownField(StrategicPatchFailure):
    """A patch merges into a member that the type does not have."""

    type_name: str
    member: str

    def __str__(self) -> str:
        return f'unable to find api field in struct {self.type_name} for the json field "{self.member}"'


@dataclass(eq=False)
class NotAStruct(StrategicPatchFailure):
    """A patch merges maps or lists inside a value that is of no declared structure."""

    kind: str

    def __str__(self) -> str:
        return f"merging an object in json but data type is not struct, instead is: {self.kind}"


@dataclass(eq=False)
class PatchNotAMap(BadPatchFormat):
    """The patch is `found` (a kind of JSON) and no object."""

    found: str

    def __str__(self) -> str:
        return said("a strategic merge patch is an object; found %(found)s", found=self.found)


class PatchConflict(StrategicPatchFailure):
    """Without leave to overwrite: what the user changed was changed by others, too, since it was applied last."""

    def __init__(self, patch: Object, changed: Object) -> None:
        super().__init__(patch, changed)
        self.patch, self.changed = patch, changed

    def __str__(self) -> str:
        return (
            f"patch {go_text(self.patch)} conflicts with changes made from original to current: {go_text(self.changed)}"
        )
