"""What an API server is asked and what it answers, HTTP left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.model import Value


@dataclass(frozen=True, slots=True)
class Request:
    """One request to one object, or to its collection where `name` is empty.

    body is the value that was sent, or the text as it stood if it is a string. query holds the parameters by name:
    fieldManager, force, dryRun, fieldValidation. gvk is the kind in the version that the path names. limits bound its
    text, and what it may make.
    """

    method: str
    gvk: GroupVersionKind
    name: str = ""
    namespace: str = ""
    subresource: str = ""
    content_type: str = "application/json"
    body: Value = None
    query: Mapping[str, str] = field(default_factory=dict)
    user_agent: str = ""
    limits: Limits = DEFAULT_LIMITS

    @property
    def manager(self) -> str:
        """The manager that the write is booked under: fieldManager, else the user agent up to the first slash."""
        return self.query.get("fieldManager", "") or self.user_agent.partition("/")[0]

    @property
    def dry_run(self) -> bool:
        """True if nothing is to be stored."""
        return bool(self.query.get("dryRun"))

    @property
    def force(self) -> bool:
        """True if an apply takes fields that others own."""
        return self.query.get("force", "").lower() in ("true", "1", "t")

    @property
    def field_validation(self) -> str:
        """What becomes of unknown and duplicate fields: Strict, Warn or Ignore."""
        return self.query.get("fieldValidation", "") or "Warn"


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: the HTTP code, the object or Status, and the texts of the Warning headers in order.

    error is the failure that the Status tells of, None where the request succeeded.
    """

    code: int
    body: Value
    warnings: tuple[str, ...] = ()
    error: EngineError | None = None
