"""A struct without fields that is held by pointer says something by being there."""

from __future__ import annotations

from engine.schema.catalog import definition
from engine.schema.decode import decode

SUBRESOURCES = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources"


def test_a_definition_keeps_its_status_subresource() -> None:
    assert decode({"status": {}}, definition(SUBRESOURCES)).value == {"status": {}}
    assert decode({"status": None}, definition(SUBRESOURCES)).value == {}
