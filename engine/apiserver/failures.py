"""How a request to the API server fails. status.py says which Status each of these is."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import EngineError
from engine.meta.gvk import GroupVersionKind
from engine.schema.validation.cause import Cause


@dataclass(eq=False)
class NotFound(EngineError):
    """There is no such object."""

    resource: str
    group: str
    name: str

    def __str__(self) -> str:
        return f'{qualified(self.resource, self.group)} "{self.name}" not found'


@dataclass(eq=False)
class AlreadyExists(EngineError):
    """An object of that name is there already; it may be on its way out."""

    resource: str
    group: str
    name: str
    being_deleted: bool = False

    def __str__(self) -> str:
        prefix = "object is being deleted: " if self.being_deleted else ""
        return f'{prefix}{qualified(self.resource, self.group)} "{self.name}" already exists'


@dataclass(eq=False)
class StaleVersion(EngineError):
    """The request names a resourceVersion, or a uid, that is not the object's any more."""

    resource: str
    group: str
    name: str
    detail: str = "the object has been modified; please apply your changes to the latest version and try again"

    def __str__(self) -> str:
        return f'Operation cannot be fulfilled on {qualified(self.resource, self.group)} "{self.name}": {self.detail}'


@dataclass(eq=False)
class Invalid(EngineError):
    """The object that would come of the request breaks rules; `kind` may be a resource, as the reference has it."""

    kind: str
    group: str
    name: str
    causes: tuple[Cause, ...]

    def __str__(self) -> str:
        texts = list(dict.fromkeys(map(str, self.causes)))
        told = texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
        return f'{qualified(self.kind, self.group)} "{self.name}" is invalid: {told}'


@dataclass(eq=False)
class BadRequest(EngineError):
    """The request makes no sense, whatever the object is."""

    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class UnsupportedMediaType(EngineError):
    """The body is of a kind that this request does not take; accepted tells which it does, where the server does."""

    content_type: str
    accepted: tuple[str, ...] = ()

    def __str__(self) -> str:
        if not self.accepted:
            return "415: Unsupported Media Type"
        told = "the body of the request was in an unknown format - accepted media types include: "
        return told + ", ".join(self.accepted)


@dataclass(eq=False)
class UnprocessablePatch(EngineError):
    """A patch that could be read but not applied."""

    error: EngineError

    def __str__(self) -> str:
        return "the server rejected our request due to an error in our request"


@dataclass(eq=False)
class UnknownKind(EngineError):
    """A kind that this server does not serve."""

    gvk: GroupVersionKind

    def __str__(self) -> str:
        return "the server could not find the requested resource"


@dataclass(eq=False)
class Expired(EngineError):
    """The request asks for a past that the store has forgotten."""

    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class MethodNotAllowed(EngineError):
    """A verb that this resource does not know."""

    method: str
    resource: str

    def __str__(self) -> str:
        return "the server does not allow this method on the requested resource"


@dataclass(eq=False)
class Forbidden(EngineError):
    """The user may not do this; `reason` tells what and where, in the words of the reference's authorizer."""

    resource: str
    group: str
    name: str
    reason: str

    def __str__(self) -> str:
        name = f' "{self.name}"' if self.name else ""
        return f"{qualified(self.resource, self.group)}{name} is forbidden: {self.reason}"


@dataclass(eq=False)
class InternalError(EngineError):
    """What the reference answers with 500 though the request is at fault; `reason` is its text."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def qualified(name: str, group: str) -> str:
    """Return a resource or kind with its group, as messages have it."""
    return f"{name}.{group}" if group else name
