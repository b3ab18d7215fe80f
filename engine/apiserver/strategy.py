"""How the server treats the objects of a kind: reads them, fills them in, and what a write may change.

A strategy is made from what the catalog knows of the kind; a custom resource's from its definition. Which fields a
write to an object, or to a subresource of it, can change is told by `writable`, and done by `prepare_update`.

Source: the registry strategies of the API server, Kubernetes 1.36.
"""

from __future__ import annotations

from typing import Protocol

from engine.fieldpath.writable import Writable
from engine.schema.catalog import KindInfo
from engine.schema.decode import Decoded
from engine.schema.validation.cause import Cause
from engine.value.model import Object


class Strategy(Protocol):
    """How the server treats the objects of one kind in one version."""

    @property
    def info(self) -> KindInfo:
        """What the catalog knows of the kind."""

    def decode(self, body: Object) -> Decoded:
        """Return an object as the server reads it, with defaults, and the fields that it does not know.

        Raises:
            Undecodable, MalformedQuantity: something is of a kind that its field cannot take.
        """

    def normalize(self, obj: Object) -> Object:
        """Return what the server makes of an object that an apply came to."""

    def empty(self) -> Object:
        """Return what the server holds a new object against: one of its kind that nothing was written to."""

    def to_store(self, obj: Object) -> Object:
        """Return an object as it is put into the store."""

    def encode(self, stored: Object) -> Object:
        """Return an object of the store as it is shown and worked on."""

    def writable(self, subresource: str) -> Writable:
        """Return the fields that such a write can change."""

    def prepare_create(self, obj: Object, now: str) -> Object:
        """Return the object as it is created: what only a subresource may set is taken away."""

    def prepare_update(self, new: Object, live: Object, subresource: str, now: str) -> Object:
        """Return the object as it is stored: what such a write cannot change is as in `live`; generation is set."""

    def validate_create(self, obj: Object) -> tuple[Cause, ...]:
        """Return what is wrong with a new object."""

    def validate_update(self, new: Object, live: Object, subresource: str) -> tuple[Cause, ...]:
        """Return what is wrong with an object that replaces `live`."""
