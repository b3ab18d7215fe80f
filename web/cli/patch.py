"""`patchyard patch`: a document after a patch, without a server."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from engine.errors import EngineError
from engine.generate.exact import identical, render_exactly
from engine.json_patch.apply import apply_json_patch
from engine.json_patch.operation import Dialect
from engine.json_patch.trace import differences, trace
from engine.jsonmergepatch import apply as merge
from engine.meta.gvk import gvk_of
from engine.schema.catalog import KindInfo, builtin_catalog
from engine.strategicpatch.apply import apply_strategic_merge_patch
from engine.value.document import Document
from engine.value.limits import Limits
from engine.value.model import Missing, Value
from web.cli.parsing import FOUND, NOTHING, Commands, add_command
from web.cli.printing import changes, complain, note, put, style_of, written
from web.cli.reading import WrongUse, reader_for
from web.config import Config
from web.limits import with_setting

TYPES = ("json", "merge", "strategic")


@dataclass(frozen=True, slots=True)
class Request:
    """A patch to apply: to what, of which type, by whose rules."""

    document: Document
    patch: Value
    type: str
    dialect: Dialect
    limits: Limits


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "patch",
        "apply a patch to a document",
        "Print DOCUMENT after PATCH, as the API server applies it. Both are YAML or JSON; - is standard input.",
        "patchyard patch live.yaml patch.json --type json --trace",
        "the patch is refused; with -o diff: it changes the document",
    )
    parser.add_argument("document", metavar="DOCUMENT", help="what is patched")
    parser.add_argument("patch", metavar="PATCH", help="a JSON Patch, JSON merge patch or strategic merge patch")
    parser.add_argument(
        "--type", choices=TYPES, help="default: json for a list, strategic for a built-in kind, else merge"
    )
    dialects = [Dialect.KUBERNETES.value, Dialect.STRICT.value]
    parser.add_argument("--dialect", choices=dialects, default=dialects[0], help="strict: as the RFCs say")
    parser.add_argument("--trace", action="store_true", help="the document after each operation of a JSON Patch")
    parser.add_argument("-o", "--output", choices=["json", "yaml", "diff"], help="default: as DOCUMENT is written")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the patched document, and return the exit status."""
    reader = reader_for(config)
    document, patch = reader.document(options.document, "document"), reader.document(options.patch, "patch")
    kind = options.type or _type_for(document, patch.value)
    wanted = Request(document, patch.value, kind, Dialect(options.dialect), config.limits)
    if options.trace and wanted.type != "json":
        raise WrongUse("--trace follows the operations of a JSON Patch; this is a merge patch")
    if wanted.type == "json":
        for each in differences(document.value, patch.value):
            note(each.told)
    try:
        if options.trace:
            return _print_trace(wanted, options.output or style_of(document))
        return _print(wanted, _patched(wanted), options.output or style_of(document))
    except EngineError as error:
        complain(f"the patch is refused: {with_setting(error)}")
        return FOUND


def _print(wanted: Request, result: Value, style: str) -> int:
    if style != "diff":
        put(written(result, style))
        return NOTHING
    if identical(result, wanted.document.value):
        return NOTHING
    put(changes(wanted.document, Document("", wanted.document.format, result)))
    return FOUND


def _print_trace(wanted: Request, style: str) -> int:
    before = wanted.document
    for step in trace(before.value, wanted.patch, wanted.dialect, wanted.limits):
        put(f"# operation {step.index}: {render_exactly(step.operation)}")
        if isinstance(step.document, Missing):
            complain(f"the patch is refused: {with_setting(step.failure) if step.failure else ''}")
            return FOUND
        after = Document("", before.format, step.document)
        put(changes(before, after) if style == "diff" else written(step.document, style))
        before = after
    return NOTHING


def _patched(wanted: Request) -> Value:
    document, patch = wanted.document.value, wanted.patch
    if wanted.type == "json":
        return apply_json_patch(document, patch, wanted.dialect, wanted.limits)
    if wanted.type == "merge":
        return merge.apply_merge_patch(document, patch, merge.Dialect(wanted.dialect.value))
    info = _kind(document)
    if info is None or not isinstance(document, dict):
        raise WrongUse("a strategic merge patch is for objects of built-in kinds; use --type merge or --type json")
    return apply_strategic_merge_patch(document, patch, info.type)


def _type_for(document: Document, patch: Value) -> str:
    if isinstance(patch, list):
        return "json"
    return "strategic" if _kind(document.value) is not None else "merge"


def _kind(value: Value) -> KindInfo | None:
    return builtin_catalog().kind(gvk_of(value)) if isinstance(value, dict) else None
