"""Makes definitions.json and kinds.json from an API server's OpenAPI, discovery and measured PUT behaviour.

usage: python -m engine.schema.data.make_catalog OPENAPI_V3.json.gz DISCOVERY.json STRATEGY.json
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

KEPT = (
    "type",
    "format",
    "enum",
    "required",
    "default",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-patch-strategy",
    "x-kubernetes-patch-merge-key",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-int-or-string",
)


def compact(schema: dict[str, Any]) -> dict[str, Any]:
    """Return `schema` with structure only: no prose, no wrapping of a reference in allOf."""
    kept = {key: schema[key] for key in KEPT if key in schema}
    ref = schema.get("$ref") or next((part["$ref"] for part in schema.get("allOf", ()) if "$ref" in part), None)
    if ref:
        kept["$ref"] = ref.rpartition("/")[2]
    if "properties" in schema:
        kept["properties"] = {name: compact(member) for name, member in schema["properties"].items()}
    if isinstance(schema.get("items"), dict):
        kept["items"] = compact(schema["items"])
    additional = schema.get("additionalProperties")
    if additional is not None:
        kept["additionalProperties"] = compact(additional) if isinstance(additional, dict) else additional
    return kept


def definitions(openapi: dict[str, Any]) -> dict[str, Any]:
    """Return every definition of all OpenAPI documents, by name."""
    found: dict[str, Any] = {}
    for document in openapi.values():
        for name, schema in document.get("schemas", document.get("components", {}).get("schemas", {})).items():
            found.setdefault(name, compact(schema))
    return dict(sorted(found.items()))


def kind_definitions(openapi: dict[str, Any]) -> dict[str, str]:
    """Return the definition's name of each kind that one definition alone stands for, by `apiVersion/Kind`."""
    named: dict[str, str] = {}
    for document in openapi.values():
        for name, schema in document.get("schemas", {}).items():
            kinds = schema.get("x-kubernetes-group-version-kind", [])
            if len(kinds) == 1 and name.endswith("." + kinds[0]["kind"]):
                named[_key(**kinds[0])] = name
    return named


def _key(group: str, version: str, kind: str) -> str:
    return "/".join(filter(None, (group, version, kind)))


def kinds(discovery: dict[str, Any], strategies: dict[str, Any], named: dict[str, str]) -> dict[str, Any]:
    """Return what is known of each kind with a resource of its own, by `apiVersion/Kind`."""
    found: dict[str, Any] = {}
    for document in discovery.values():
        resources = document.get("resources", [])
        for resource in resources:
            if "/" in resource["name"]:
                continue
            key = f"{document['groupVersion']}/{resource['kind']}"
            if key not in named:
                continue
            found[key] = {
                "definition": named[key],
                "resource": resource["name"],
                "singular": resource.get("singularName", ""),
                "namespaced": resource["namespaced"],
                "verbs": sorted(resource["verbs"]),
                "shortNames": resource.get("shortNames", []),
                "categories": resource.get("categories", []),
                "subresources": sorted(
                    other["name"].partition("/")[2]
                    for other in resources
                    if other["name"].startswith(resource["name"] + "/")
                ),
                **{k: v for k, v in strategies.get(key, {}).items() if k != "namespaced"},
            }
    return dict(sorted(found.items()))


def write_lines(path: Path, table: dict[str, Any]) -> None:
    """Write a map with one line per member."""
    rows = (f"{json.dumps(k)}:{json.dumps(v, separators=(',', ':'), sort_keys=True)}" for k, v in table.items())
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def main(openapi_path: str, discovery_path: str, strategy_path: str) -> None:
    """Read the three inputs and write the two data files beside this script."""
    openapi = json.loads(gzip.decompress(Path(openapi_path).read_bytes()))
    discovery = json.loads(Path(discovery_path).read_text())
    strategies = json.loads(Path(strategy_path).read_text())
    here = Path(__file__).parent
    write_lines(here / "definitions.json", definitions(openapi))
    write_lines(here / "kinds.json", kinds(discovery, strategies, kind_definitions(openapi)))


if __name__ == "__main__":
    main(*sys.argv[1:4])
