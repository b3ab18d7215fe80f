"""Who a manager is."""

from __future__ import annotations

from dataclasses import dataclass

APPLY = "Apply"
UPDATE = "Update"


@dataclass(frozen=True, slots=True)
class ManagerIdentifier:
    """What tells one owner of fields from another: two entries of managedFields with the same identifier are one.

    api_version is empty for Apply: an applier is the same in every version. operation is Apply or Update.
    """

    manager: str
    operation: str
    api_version: str = ""
    subresource: str = ""

    @property
    def applied(self) -> bool:
        """True for an applier."""
        return self.operation == APPLY

    @property
    def order(self) -> tuple[str, str, str, str]:
        """A sort key: the order of the reference, which sorts identifiers by their JSON spelling."""
        return self.manager, self.operation, self.api_version, self.subresource


def applier(manager: str, subresource: str = "") -> ManagerIdentifier:
    """Return the identifier of whoever applies under this name."""
    return ManagerIdentifier(manager, APPLY, "", subresource)


def updater(manager: str, api_version: str, subresource: str = "") -> ManagerIdentifier:
    """Return the identifier of whoever writes otherwise under this name, in this version."""
    return ManagerIdentifier(manager, UPDATE, api_version, subresource)
