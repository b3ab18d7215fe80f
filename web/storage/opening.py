"""A store by its name, as a person writes it."""

from __future__ import annotations

from urllib.parse import urlsplit

from web.storage.failure import StoreFailed
from web.storage.memory import MemoryStores
from web.storage.quota import Quota
from web.storage.stores import Stores

ETCD = ("etcd", "etcds")
"""Schemes of addresses of etcd, without and with TLS."""


def open_stores(name: str, quota: Quota, synchronous: str = "normal") -> Stores:
    """Return the stores in the SQLite file of that name, in etcd (etcd://host:port), or in memory for an empty name.

    Raises:
        StoreFailed: the store cannot be used, or the name is none.
    """
    if not name:
        return MemoryStores(quota)
    if name.partition("://")[0] in ETCD:
        return _etcd(name, quota)
    if "://" in name:
        raise StoreFailed("opened", f"{name!r} is no store. Expected a file, or etcd://host:port")
    from web.storage.sqlite_file import Database, Synchronous
    from web.storage.sqlite_stores import SQLiteStores

    return SQLiteStores(Database(name, synchronous=Synchronous(synchronous)), quota)


def _etcd(name: str, quota: Quota) -> Stores:
    from web.storage.etcd_gateway import Gateway
    from web.storage.etcd_stores import PREFIX, EtcdStores

    try:
        parts = urlsplit(name)
        host, port = parts.hostname, parts.port or 2379
    except ValueError:
        host = None
    if not host:
        raise StoreFailed("opened", f"{name!r} is no address of etcd. Expected etcd://host:port")
    scheme = "https" if parts.scheme == "etcds" else "http"
    place = f"[{host}]" if ":" in host else host
    return EtcdStores(Gateway(f"{scheme}://{place}:{port}"), quota, parts.path.rstrip("/") or PREFIX)
