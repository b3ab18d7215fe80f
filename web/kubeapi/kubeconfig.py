"""The file that tells kubectl where a workspace is."""

from __future__ import annotations

from base64 import b64encode

from engine.value.codec import render_yaml
from engine.value.model import Object


def kubeconfig(name: str, server: str, authority: str = "", token: str = "") -> str:
    """Return the kubeconfig of a workspace, whose API is at the address `server`, as YAML.

    authority is the PEM text of the certificates to trust, empty where the server speaks plain HTTP; token is what the
    workspace wants, empty if it wants none. kubectl sends a token over https only.
    """
    context: Object = {"cluster": name, "user": name, "namespace": "default"}
    cluster: Object = {"server": server}
    if authority:
        cluster["certificate-authority-data"] = b64encode(authority.encode()).decode()
    return render_yaml(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": name, "cluster": cluster}],
            "users": [{"name": name, "user": {"token": token} if token else {}}],
            "contexts": [{"name": name, "context": context}],
            "current-context": name,
            "preferences": {},
        }
    )
