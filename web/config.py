"""Settings and limits, read from the environment once at the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address

from engine.value.limits import DEFAULT_LIMITS, Limits

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that can be set. Each field has an environment variable of the name PATCHYARD_ plus the field's."""

    host: str = "127.0.0.1"
    port: int = 8080
    threads: int = 64
    store: str = ""
    """A SQLite file, or etcd://host:port, that workspaces are kept in; empty: in memory, until the server ends."""
    max_document_bytes: int = MEBIBYTE
    """The largest document that is read; a real API server takes about 1.5 MiB, the size of an etcd request."""

    max_levels: int = DEFAULT_LIMITS.max_depth
    max_values: int = DEFAULT_LIMITS.max_nodes
    max_aliased_values: int = DEFAULT_LIMITS.max_aliased
    max_documents: int = DEFAULT_LIMITS.max_documents
    max_operations: int = DEFAULT_LIMITS.max_operations
    max_copied_bytes: int = DEFAULT_LIMITS.max_copied_bytes
    max_managers: int = DEFAULT_LIMITS.max_managers
    """What a document, a JSON Patch and managedFields may hold; engine.value.limits tells each."""

    max_seconds: int = 10
    """How long the answer to one request may be worked on; 0 is as long as it takes."""

    rule_seconds: int = 1
    rule_mebibytes: int = 256
    """Processor time that the validation rules of one object may take, and the memory of the process they run in."""

    open: int | None = None
    """1 makes a workspace where it is first used, 0 only by POST /w/; None: as `opens` says."""
    workspaces: int = 5_000
    workspace_objects: int = 10_000
    workspace_bytes: int = 64 * MEBIBYTE
    object_bytes: int = 3 * MEBIBYTE // 2
    """The largest object that is stored. Patches may make one larger than any document that is read."""

    workspace_watches: int = 32
    workspace_rate: int = 1_000
    """Requests a second that a workspace takes in each server process; 0 is as many as come."""

    workspace_days: int = 0
    """Days after which a workspace is deleted that nobody wrote to; 0 is never."""

    processes: int = 1
    """Server processes that share the port and the store."""

    tls_cert: str = ""
    tls_key: str = ""
    """Files in PEM with the certificate and its key; the key may be in the certificate's file. Empty: no TLS."""

    hosts: str = ""
    """Names that clients may call the server by, with commas between; * is any, empty: as `known_hosts` says."""

    log: str = "errors"
    """What is logged: `none`, `errors` (answers of 500 and more), or all `requests`."""

    store_sync: str = "normal"
    """When a write to a SQLite file reaches the disk: `normal` soon, `full` before it is acknowledged."""

    @property
    def opens(self) -> bool:
        """True if a workspace is made where it is first used: unless set, where only this machine reaches the port."""
        return bool(self.open) if self.open is not None else _is_loopback(self.host)

    @property
    def known_hosts(self) -> frozenset[str]:
        """The names that clients may call the server by; none: any.

        Unless set these are this machine's own, where only this machine reaches the port: a page of another site could
        have its name lead here, and would then be taken for one of this server's.
        """
        if self.hosts == "*":
            return frozenset()
        if self.hosts:
            return frozenset(name.strip().lower() for name in self.hosts.split(",") if name.strip())
        own = {"localhost", "127.0.0.1", "[::1]", self.host.lower()}
        return frozenset(own) if _is_loopback(self.host) else frozenset()

    @property
    def limits(self) -> Limits:
        """What a document, a JSON Patch and managedFields may hold."""
        return Limits(
            max_bytes=self.max_document_bytes,
            max_depth=self.max_levels,
            max_nodes=self.max_values,
            max_aliased=self.max_aliased_values,
            max_documents=self.max_documents,
            max_operations=self.max_operations,
            max_copied_bytes=self.max_copied_bytes,
            max_managers=self.max_managers,
        )

    @property
    def max_request_bytes(self) -> int:
        """The largest form that is read: an oversized document still comes back unharmed, with its sentence."""
        return 16 * self.max_document_bytes


class BadSetting(Exception):
    """An environment variable that holds nothing usable."""


@dataclass(eq=False)
class BadNumber(BadSetting):
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


@dataclass(eq=False)
class BadChoice(BadSetting):
    """An environment variable that holds none of the words that it may hold."""

    name: str
    found: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        expected = " or ".join(self.words)
        return (
            f"The environment variable {self.name} is {self.found!r}; expected {expected}. "
            "Correct it, or unset it to use the default."
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
        max_levels=_number(environ, "PATCHYARD_MAX_LEVELS", default.max_levels, 10, 200),
        max_values=_number(environ, "PATCHYARD_MAX_VALUES", default.max_values, 1000, 10**7),
        max_aliased_values=_number(environ, "PATCHYARD_MAX_ALIASED_VALUES", default.max_aliased_values, 0, 10**7),
        max_documents=_number(environ, "PATCHYARD_MAX_DOCUMENTS", default.max_documents, 1, 10_000),
        max_operations=_number(environ, "PATCHYARD_MAX_OPERATIONS", default.max_operations, 1, 10**6),
        max_copied_bytes=_number(environ, "PATCHYARD_MAX_COPIED_BYTES", default.max_copied_bytes, 1024, 64 * MEBIBYTE),
        max_managers=_number(environ, "PATCHYARD_MAX_MANAGERS", default.max_managers, 10, 100_000),
        max_seconds=_number(environ, "PATCHYARD_MAX_SECONDS", default.max_seconds, 0, 3600),
        rule_seconds=_number(environ, "PATCHYARD_RULE_SECONDS", default.rule_seconds, 1, 600),
        rule_mebibytes=_number(environ, "PATCHYARD_RULE_MEBIBYTES", default.rule_mebibytes, 64, 65_536),
        open=_number(environ, "PATCHYARD_OPEN", 0, 0, 1) if environ.get("PATCHYARD_OPEN", "").strip() else None,
        workspaces=_number(environ, "PATCHYARD_WORKSPACES", default.workspaces, 1, 10**8),
        workspace_objects=_number(environ, "PATCHYARD_WORKSPACE_OBJECTS", default.workspace_objects, 10, 10**8),
        workspace_bytes=_number(environ, "PATCHYARD_WORKSPACE_BYTES", default.workspace_bytes, 65_536, 10**9 - 1),
        object_bytes=_number(environ, "PATCHYARD_OBJECT_BYTES", default.object_bytes, 1024, 64 * MEBIBYTE),
        workspace_watches=_number(environ, "PATCHYARD_WORKSPACE_WATCHES", default.workspace_watches, 1, 100_000),
        workspace_rate=_number(environ, "PATCHYARD_WORKSPACE_RATE", default.workspace_rate, 0, 10**6),
        workspace_days=_number(environ, "PATCHYARD_WORKSPACE_DAYS", default.workspace_days, 0, 36_500),
        processes=_number(environ, "PATCHYARD_PROCESSES", default.processes, 1, 64),
        tls_cert=environ.get("PATCHYARD_TLS_CERT", default.tls_cert),
        tls_key=environ.get("PATCHYARD_TLS_KEY", default.tls_key),
        hosts=environ.get("PATCHYARD_HOSTS", default.hosts),
        log=_choice(environ, "PATCHYARD_LOG", default.log, ("none", "errors", "requests")),
        store_sync=_choice(environ, "PATCHYARD_STORE_SYNC", default.store_sync, ("normal", "full")),
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _choice(environ: Mapping[str, str], name: str, default: str, words: tuple[str, ...]) -> str:
    text = environ.get(name, "").strip() or default
    if text not in words:
        raise BadChoice(name, text, words)
    return text


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environ.get(name, "").strip()
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and least <= int(text) <= most):
        raise BadNumber(name, text, least, most)
    return int(text)
