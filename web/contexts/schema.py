"""What the schema view's template is given."""

from __future__ import annotations

from dataclasses import dataclass

from web.contexts.parts import Choice


@dataclass(frozen=True, slots=True)
class SchemaRow:
    """One field by its schema, each fact in words and empty where there is none.

    merging: how apply tells its elements apart; strategic: how a strategic merge patch does; parting: where the two
    differ. opens: there are fields below. relations are what a custom resource's list or map may be made instead.
    """

    path: str
    type: str
    required: bool
    merging: str
    strategic: str
    default: str
    parting: str
    inside: str
    opens: bool
    relations: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class SchemaView:
    """The schema in force at a path: the field, and those right below it.

    crumbs are the paths above, outermost first, each with its last step's name. problem says why there is nothing.
    """

    kind: str
    path: str
    crumbs: tuple[tuple[str, str], ...] = ()
    field: SchemaRow | None = None
    below: tuple[SchemaRow, ...] = ()
    problem: str = ""
