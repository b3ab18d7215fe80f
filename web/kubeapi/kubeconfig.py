"""The file that tells kubectl where a workspace is."""

from __future__ import annotations

from engine.value.codec import render_yaml
from engine.value.model import Object


def kubeconfig(name: str, server: str) -> str:
    """Return the kubeconfig of a workspace, whose API is at the address `server`, as YAML."""
    context: Object = {"cluster": name, "user": name, "namespace": "default"}
    return render_yaml(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": {"server": server}}],
            "users": [{"name": name, "user": {}}],
            "contexts": [{"name": name, "context": context}],
            "current-context": name,
            "preferences": {},
        }
    )
