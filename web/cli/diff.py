"""`patchyard diff`: the patch from one document to another, proven, or a readable diff."""

from __future__ import annotations

import argparse
import json

from engine.generate.exact import identical
from engine.generate.generate import generate
from engine.generate.model import Format, Generated, Order
from engine.generate.objects import kind_info
from engine.json_patch.options import ByNamedKey, ByPosition, BySchema, Fewest, Guard, Lists, Options, Transfer
from engine.schema.catalog import Catalog
from engine.schema.structural import catalog_with
from engine.value.document import Document
from web.cli.parsing import FOUND, NOTHING, WRONG_USE, Commands, add_command
from web.cli.printing import changes, complain, note, put, written
from web.cli.reading import Reader, reader_for
from web.config import Config

TEXT = "text"


def register(commands: Commands, config: Config) -> None:
    """Add the command to the parser's."""
    parser = add_command(
        commands,
        "diff",
        "make the patch from one document to another",
        "Print what turns BEFORE into AFTER, proven by applying it. Documents are YAML or JSON; - is standard input.",
        "patchyard diff live.yaml wanted.yaml --format json-patch --guard keys",
        "the documents differ",
    )
    parser.add_argument("before", metavar="BEFORE", help="the first document")
    parser.add_argument("after", metavar="AFTER", help="the second document")
    formats = [TEXT, *(each.value for each in Format)]
    parser.add_argument("--format", choices=formats, default=Format.JSON_PATCH.value, help="default json-patch")
    fewest = [each.value for each in Fewest]
    parser.add_argument("--fewest", choices=fewest, default=fewest[0], help="of a JSON Patch (default operations)")
    parser.add_argument("--no-moves", action="store_true", help="no move operations")
    parser.add_argument("--no-copies", action="store_true", help="no copy operations")
    guards = [each.value for each in Guard]
    parser.add_argument("--guard", choices=guards, default=guards[0], help="test operations before the others")
    parser.add_argument("--key", default="", help="pair list items by this member")
    parser.add_argument("--by-position", action="store_true", help="pair list items by position, not by the schema")
    parser.add_argument("--manager", default="kubectl", help="who applies, for --format apply (default kubectl)")
    parser.add_argument("--crd", action="append", default=[], metavar="FILE", help="a CustomResourceDefinition")
    parser.add_argument("--reverse", action="store_true", help="the way back, from AFTER to BEFORE")
    parser.add_argument("-o", "--output", choices=["json", "yaml"], help="how the patch is written")
    parser.set_defaults(run=lambda options: run(options, config))


def run(options: argparse.Namespace, config: Config) -> int:
    """Print the patch, and return the exit status."""
    reader = reader_for(config)
    before, after = reader.document(options.before, "first document"), reader.document(options.after, "second document")
    if options.reverse:
        before, after = after, before
    same = identical(before.value, after.value)
    if options.format == TEXT:
        if not same:
            put(changes(before, after))
        return NOTHING if same else FOUND
    return _print_patch(options, _order(options, before, after, reader), same)


def _print_patch(options: argparse.Namespace, order: Order, same: bool) -> int:
    answer = generate(order)
    if not isinstance(answer, Generated):
        complain(answer.reason)
        return WRONG_USE
    for sentence in answer.notes:
        note(sentence)
    put(_patch_text(answer, options.output))
    return NOTHING if same else FOUND


def _patch_text(answer: Generated, style: str | None) -> str:
    if style is None and answer.format is Format.JSON_PATCH and isinstance(answer.patch, list) and answer.patch:
        return "[" + ",\n ".join(json.dumps(each, ensure_ascii=False) for each in answer.patch) + "]"
    return written(answer.patch, style or ("yaml" if answer.format is Format.APPLY else "json"))


def _order(options: argparse.Namespace, before: Document, after: Document, reader: Reader) -> Order:
    catalog = catalog_with(reader.objects(options.crd, "CustomResourceDefinition"))
    dropped = {Transfer.MOVE: options.no_moves, Transfer.COPY: options.no_copies}
    patch_options = Options(
        fewest=Fewest(options.fewest),
        transfers=frozenset(each for each in Transfer if not dropped[each]),
        guard=Guard(options.guard),
        lists=_lists(options, before, catalog),
    )
    return Order(before.value, after.value, Format(options.format), patch_options, options.manager, catalog)


def _lists(options: argparse.Namespace, before: Document, catalog: Catalog) -> Lists:
    if options.key:
        return ByNamedKey(options.key)
    info = None if options.by_position else kind_info(Order(before.value, None, catalog=catalog))
    return BySchema(info.type) if info is not None else ByPosition()
