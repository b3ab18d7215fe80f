"""What the server refuses of a pod's volumes.

Source: pkg/apis/core/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.schema.validation.cause import Cause, duplicate, forbidden, invalid, not_supported, required
from engine.schema.validation.containers import field_ref, relative_path
from engine.schema.validation.names import label_faults
from engine.schema.validation.rules import items, named, needs, struct
from engine.value.model import Object, Value

HOST_PATH_TYPES = (
    "",
    "BlockDevice",
    "CharDevice",
    "Directory",
    "DirectoryOrCreate",
    "File",
    "FileOrCreate",
    "Socket",
)

_NEEDS: dict[str, tuple[str, ...]] = {
    "awsElasticBlockStore": ("volumeID",),
    "azureDisk": ("diskName", "diskURI"),
    "azureFile": ("secretName", "shareName"),
    "cephfs": ("monitors",),
    "cinder": ("volumeID",),
    "configMap": ("name",),
    "csi": ("driver",),
    "flexVolume": ("driver",),
    "gcePersistentDisk": ("pdName",),
    "gitRepo": ("repository",),
    "glusterfs": ("endpoints", "path"),
    "hostPath": ("path",),
    "iscsi": ("targetPortal", "iqn"),
    "nfs": ("server", "path"),
    "persistentVolumeClaim": ("claimName",),
    "portworxVolume": ("volumeID",),
    "quobyte": ("registry", "volume"),
    "rbd": ("monitors", "image"),
    "scaleIO": ("gateway", "system", "volumeName"),
    "secret": ("secretName",),
    "vsphereVolume": ("volumePath",),
}
"""What each source of a volume must name."""

_MODE_TEXT = "must be a number between 0 and 0777 (octal), both inclusive"
_NO_SOURCE_NEEDED = ("name",)


def volumes(values: list[Any], path: str) -> Iterator[Cause]:
    """The volumes of a pod."""
    seen: set[str] = set()
    for index, each in enumerate(values):
        at, name = f"{path}[{index}]", each.get("name")
        yield from named(name, label_faults, f"{at}.name")
        if name and name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        yield from _source(each, at)


def volume_names(values: list[Any]) -> frozenset[str]:
    """Return the names that a container may mount."""
    return frozenset(each.get("name") or "" for each in values)


def _source(value: Object, path: str) -> Iterator[Cause]:
    given = [name for name in value if name not in _NO_SOURCE_NEEDED and isinstance(value[name], dict)]
    if not given:
        yield required(path, "must specify a volume type")
    for name in given[1:]:
        yield forbidden(f"{path}.{name}", "may not specify more than 1 volume type")
    for name in given[:1]:
        yield from source(value[name], name, f"{path}.{name}")


def source(value: Object, name: str, path: str) -> Iterator[Cause]:
    """One source of a volume, by its name."""
    yield from needs(value, _NEEDS.get(name, ()), path)
    if name == "hostPath":
        yield from host_path(value, path)
    elif name in ("secret", "configMap"):
        yield from _mode(value.get("defaultMode"), f"{path}.defaultMode")
        yield from _keys(items(value, "items"), f"{path}.items")
    elif name == "downwardAPI":
        yield from _downward(items(value, "items"), f"{path}.items")
    elif name == "projected":
        yield from _projected(items(value, "sources"), f"{path}.sources")


def host_path(value: Object, path: str) -> Iterator[Cause]:
    """A path of the node."""
    kind = value.get("type")
    if kind is not None and kind not in HOST_PATH_TYPES:
        yield not_supported(f"{path}.type", kind, HOST_PATH_TYPES)
    if ".." in str(value.get("path", "")).split("/"):
        yield invalid(f"{path}.path", value.get("path"), "must not contain '..'")


def _mode(value: Value, path: str) -> Iterator[Cause]:
    if isinstance(value, int) and not 0 <= value <= 0o777:
        yield invalid(path, value, _MODE_TEXT)


def _keys(values: list[Any], path: str) -> Iterator[Cause]:
    for index, each in enumerate(values):
        at = f"{path}[{index}]"
        yield from needs(each, ("key", "path"), at)
        if each.get("path"):
            yield from _file_path(str(each["path"]), f"{at}.path")
        yield from _mode(each.get("mode"), f"{at}.mode")


def _file_path(value: str, path: str) -> Iterator[Cause]:
    yield from relative_path(value, path)
    if value.startswith("..") and not value.startswith("../") and value != "..":
        yield invalid(path, value, "must not start with '..'")


def _downward(values: list[Any], path: str) -> Iterator[Cause]:
    for index, each in enumerate(values):
        at = f"{path}[{index}]"
        yield from needs(each, ("path",), at)
        if each.get("path"):
            yield from _file_path(str(each["path"]), f"{at}.path")
        if isinstance(each.get("fieldRef"), dict):
            yield from field_ref(each["fieldRef"], f"{at}.fieldRef")
        elif isinstance(each.get("resourceFieldRef"), dict):
            yield from needs(each["resourceFieldRef"], ("containerName", "resource"), f"{at}.resourceFieldRef")
        else:
            yield required(at, "one of fieldRef and resourceFieldRef is required")
        yield from _mode(each.get("mode"), f"{at}.mode")


def _projected(values: list[Any], path: str) -> Iterator[Cause]:
    for index, each in enumerate(values):
        at = f"{path}[{index}]"
        for name in ("secret", "configMap"):
            if isinstance(each.get(name), dict):
                yield from needs(each[name], ("name",), f"{at}.{name}")
                yield from _keys(items(each[name], "items"), f"{at}.{name}.items")
        if isinstance(each.get("downwardAPI"), dict):
            yield from _downward(items(each["downwardAPI"], "items"), f"{at}.downwardAPI.items")
        token = struct(each, "serviceAccountToken")
        if token:
            seconds = token.get("expirationSeconds", 3600)
            if isinstance(seconds, int) and seconds < 600:
                told = "may not specify a duration less than 10 minutes"
                yield invalid(f"{at}.serviceAccountToken.expirationSeconds", seconds, told)
            yield from needs(token, ("path",), f"{at}.serviceAccountToken")
