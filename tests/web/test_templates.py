"""Templates read the fields of their context and nothing else."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader, meta, nodes

from web.app import HERE
from web.contexts import TEMPLATES

FOLDER = HERE.parent / "templates"
GIVEN_BY_FLASK = {"url_for"}
GIVEN_BY_MARKUP = {"line_list"}
GIVEN_BY_LANGUAGES = {"_", "gettext", "ngettext", "language", "languages", "words"}
FILES = sorted(FOLDER.rglob("*.html"))


def environment() -> Environment:
    return Environment(loader=FileSystemLoader(FOLDER), autoescape=True, extensions=["jinja2.ext.i18n"])


def parts_of(name: str) -> set[str]:
    """Return the template and all that it includes, extends or imports."""
    known, waiting = set[str](), [name]
    while waiting:
        current = waiting.pop()
        known.add(current)
        tree = environment().parse((FOLDER / current).read_text(encoding="utf-8"))
        found = {part for part in meta.find_referenced_templates(tree) if part is not None}
        waiting += found - known
    return known


def variables(name: str) -> set[str]:
    tree = environment().parse((FOLDER / name).read_text(encoding="utf-8"))
    return meta.find_undeclared_variables(tree) - GIVEN_BY_FLASK - GIVEN_BY_LANGUAGES - GIVEN_BY_MARKUP


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_variable_is_a_field_of_the_context(template: str) -> None:
    parts = parts_of(template)
    given = {field.name for field in fields(TEMPLATES[template])}
    set_by_parts = {"place", "swapped", "form"}
    used = set().union(*(variables(part) for part in parts))
    assert used - set_by_parts <= given
    if template != "_answer.html":
        assert given - {"nonce", "asset_version"} <= used


def test_every_template_belongs_to_a_context() -> None:
    reached = set().union(*(parts_of(template) for template in TEMPLATES))
    assert {file.relative_to(FOLDER).as_posix() for file in FILES} == reached


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_nothing_is_inline_and_nothing_escapes_escaping(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for forbidden in ("<style", " style=", " onclick", " onload", "javascript:", "hx-on", "http://", "https://"):
        assert forbidden not in text
    tree = environment().parse(text)
    for filter_node in tree.find_all(nodes.Filter):
        if filter_node.name == "safe":
            assert isinstance(filter_node.node, nodes.Const | nodes.CondExpr)
            assert not list(filter_node.node.find_all(nodes.Output))


@pytest.mark.parametrize("file", [file for file in FILES if file.name.startswith("_")], ids=lambda file: file.name)
def test_a_partial_that_is_swapped_carries_its_own_id(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if "hx-swap-oob" in text:
        assert f'id="{file.stem.removeprefix("_")}' in text


def test_no_script_runs_twice() -> None:
    """A module that a page names with a version and another imports without one is two modules, each with its state."""
    scripts = HERE.parent / "static/js"
    imported = {name for file in scripts.glob("*.js") for name in re.findall(r'from "\./(\w+)\.js"', file.read_text())}
    for file in FILES:
        named = set(re.findall(r'js/(\w+)(?:\.js)?["\']', file.read_text(encoding="utf-8")))
        assert not named & imported, file.name


def test_a_path_may_be_broken_between_its_steps_and_is_escaped() -> None:
    macros = environment().get_template("badges.html").module
    assert macros.breakable('.a.b[k="<i>"]') == (  # type: ignore[attr-defined]
        "<wbr>.a<wbr>.b<wbr>[k=&#34;&lt;i&gt;&#34;]"
    )
