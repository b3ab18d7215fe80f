"""What tests of the Kubernetes API share."""

from __future__ import annotations

from tests.web.storage.conftest import etcd

__all__ = ["etcd"]
