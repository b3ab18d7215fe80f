"""Settings and limits, read from the environment once at the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address

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

    open: int | None = None
    """1 makes a workspace where it is first used, 0 only by POST /w/; None: as `opens` says."""
    workspaces: int = 5_000
    workspace_objects: int = 10_000
    workspace_bytes: int = 64 * MEBIBYTE
    workspace_watches: int = 32

    @property
    def opens(self) -> bool:
        """True if a workspace is made where it is first used: unless set, where only this machine reaches the port."""
        return bool(self.open) if self.open is not None else _is_loopback(self.host)

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
        open=_number(environ, "PATCHYARD_OPEN", 0, 0, 1) if environ.get("PATCHYARD_OPEN", "").strip() else None,
        workspaces=_number(environ, "PATCHYARD_WORKSPACES", default.workspaces, 1, 10**8),
        workspace_objects=_number(environ, "PATCHYARD_WORKSPACE_OBJECTS", default.workspace_objects, 10, 10**8),
        workspace_bytes=_number(environ, "PATCHYARD_WORKSPACE_BYTES", default.workspace_bytes, 65_536, 10**9 - 1),
        workspace_watches=_number(environ, "PATCHYARD_WORKSPACE_WATCHES", default.workspace_watches, 1, 100_000),
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise BadSetting(name, text, least, most)
    return int(text)
