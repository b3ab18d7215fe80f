"""Settings and limits, read from the environment once at the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set. Each field has an environment variable of the name PATCHYARD_ plus the field's."""

    host: str = "127.0.0.1"
    port: int = 8080
    threads: int = 64
    store: str = ""
    """The SQLite file that workspaces are kept in; empty keeps them in memory, until the server ends."""
    max_document_bytes: int = MEBIBYTE
    """The largest document that is read; a real API server takes about 1.5 MiB, the size of an etcd request."""

    @property
    def max_request_bytes(self) -> int:
        """The largest form that is read: an oversized document still comes back unharmed, with its sentence."""
        return 16 * self.max_document_bytes


@dataclass(frozen=True, slots=True)
class BadSetting(Exception):
    """An environment variable that holds no usable number."""

    name: str
    found: str
    least: int
    most: int

    def __str__(self) -> str:
        return (
            f"The environment variable {self.name} is {self.found!r}; expected a whole number "
            f"from {self.least} to {self.most}. Correct it, or unset it to use the default."
        )


def config_from(environ: Mapping[str, str]) -> Config:
    """Return the configuration that `environ` asks for.

    Raises:
        BadSetting: a variable is no number, or out of range.
    """
    default = Config()
    return Config(
        host=environ.get("PATCHYARD_HOST") or default.host,
        port=_number(environ, "PATCHYARD_PORT", default.port, 0, 65535),
        store=environ.get("PATCHYARD_STORE", default.store),
        threads=_number(environ, "PATCHYARD_THREADS", default.threads, 1, 1024),
        max_document_bytes=_number(
            environ, "PATCHYARD_MAX_DOCUMENT_BYTES", default.max_document_bytes, 1024, 64 * MEBIBYTE
        ),
    )


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise BadSetting(name, text, least, most)
    return int(text)
