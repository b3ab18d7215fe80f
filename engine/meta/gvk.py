"""Which kind an object is of: group, version and kind."""

from __future__ import annotations

from dataclasses import dataclass

from engine.value.model import Object


@dataclass(frozen=True, slots=True)
class GroupVersionKind:
    """A kind in one version of its API group; the core group is the empty string."""

    group: str
    version: str
    kind: str

    @property
    def api_version(self) -> str:
        """The `apiVersion` of objects of this kind: `apps/v1`, or `v1` for the core group."""
        return f"{self.group}/{self.version}" if self.group else self.version

    def __str__(self) -> str:
        return f"{self.group}/{self.version}, Kind={self.kind}"


def parse_api_version(api_version: str) -> tuple[str, str]:
    """Return (group, version) of an `apiVersion`; without a slash the group is empty."""
    group, slash, version = api_version.partition("/")
    return (group, version) if slash else ("", group)


def gvk_of(obj: Object) -> GroupVersionKind:
    """Return the kind that `obj` says it is of; what is absent or no string counts as empty."""
    api_version, kind = obj.get("apiVersion"), obj.get("kind")
    group, version = parse_api_version(api_version if isinstance(api_version, str) else "")
    return GroupVersionKind(group, version, kind if isinstance(kind, str) else "")
