"""Which setting raises the limit that was met, for sentences that say so."""

from __future__ import annotations

from engine.errors import EngineError
from engine.json_patch.failures import CopiesTooLarge, TooManyOperations
from engine.value.failures import LimitExceeded

SETTINGS = {
    "bytes": "PATCHYARD_MAX_DOCUMENT_BYTES",
    "levels": "PATCHYARD_MAX_LEVELS",
    "values": "PATCHYARD_MAX_VALUES",
    "repeated values": "PATCHYARD_MAX_ALIASED_VALUES",
    "bytes by alias": "PATCHYARD_MAX_DOCUMENT_BYTES",
    "bytes in all": "PATCHYARD_MAX_DOCUMENT_BYTES",
    "documents": "PATCHYARD_MAX_DOCUMENTS",
    "operations": "PATCHYARD_MAX_OPERATIONS",
    "entries of managedFields": "PATCHYARD_MAX_MANAGERS",
}
"""The setting of each limit that has one, by the limit's name in LimitExceeded."""
OPERATIONS, COPIES, SECONDS = SETTINGS["operations"], "PATCHYARD_MAX_COPIED_BYTES", "PATCHYARD_MAX_SECONDS"


def setting_of(error: EngineError) -> str:
    """Return the name of the setting that raises the limit that `error` is about; empty if it is about none."""
    if isinstance(error, LimitExceeded):
        return SETTINGS.get(error.limit, "")
    if isinstance(error, TooManyOperations):
        return OPERATIONS
    return COPIES if isinstance(error, CopiesTooLarge) else ""


def with_setting(error: EngineError) -> str:
    """Return the sentence of `error`, with the setting that raises the limit where it is about one."""
    setting = setting_of(error)
    return f"{error} (the setting {setting})" if setting else str(error)
