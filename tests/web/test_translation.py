"""Everything that a person reads is said in three languages."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

from web.cases import load_cases, spoken_case
from web.examples import load_examples, spoken_example
from web.lessons import TEXTS as LESSON_TEXTS
from web.lessons import load_lessons, spoken_lesson
from web.texts import FOLDER as TEXTS
from web.translation import ENGLISH, LANGUAGES, Language, chosen_language, gettext, language_of, ngettext, spoken
from web.words import WORDS

ROOT = Path(__file__).resolve().parents[2]
CHINESE = [each for each in LANGUAGES if each is not ENGLISH]
KEYWORDS = "_ gettext ngettext:1,2 marked said said_many:1,2 say"


SAME = {"JSON Patch", "last-applied-configuration"}
"""What is a name, and the same in every language."""


def catalog(folder: str) -> Catalog:
    with (ROOT / "web/translations" / folder / "LC_MESSAGES/messages.po").open("rb") as lines:
        return read_po(lines, locale=folder)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Every text to translate, gathered from the sources."""
    file = tmp_path_factory.mktemp("texts") / "messages.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract", "--mapping", "pyproject.toml"]
    command += ["--no-default-keywords", "--keywords", KEYWORDS, "--ignore-dirs", ".* node_modules build"]
    subprocess.run([*command, "--output-file", str(file), "."], cwd=ROOT, check=True, capture_output=True)
    with file.open("rb") as lines:
        return read_po(lines)


def texts(text: object) -> list[str]:
    return [text] if isinstance(text, str) else [str(each) for each in text]  # type: ignore[attr-defined]


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)s|%%|</?(?:i|b|code)>", text))


def test_the_makefile_gathers_what_these_tests_gather() -> None:
    assert f'--keywords "{KEYWORDS}"' in (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("spoken_here", CHINESE, ids=lambda each: each.code)
def test_every_text_is_translated(template: Catalog, spoken_here: Language) -> None:
    found = catalog(spoken_here.folder)
    wanted = {message.id for message in template if message.id}
    known = {message.id: message for message in found if message.id}
    assert set(known) == wanted, "the catalogues are not up to date: run make translations, and translate"
    assert found.num_plurals == 1
    for message in known.values():
        assert not message.fuzzy, message.id
        [translated] = texts(message.string)
        for original in texts(message.id)[-1:]:
            assert translated.strip(), original
            assert translated != original or original in SAME, original
            assert placeholders(translated) == placeholders(original), (original, translated)
            assert original.startswith(" ") == translated.startswith(" ")


def test_no_text_hides_from_what_gathers_them(template: Catalog) -> None:
    gathered = {text for message in template if message.id for text in texts(message.id)}
    marks = {"_", "gettext", "ngettext", "marked", "said", "said_many"}
    for file in [*(ROOT / "web").rglob("*.py"), *(ROOT / "engine").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in marks and node.args:
                for given in node.args[:2]:
                    if isinstance(given, ast.Constant) and isinstance(given.value, str):
                        assert given.value in gathered, (
                            f"{file.name}:{node.lineno}: inside an f-string, or another such call?"
                        )
                    assert not isinstance(given, ast.JoinedStr), f"{file.name}:{node.lineno}: give values by name"


@pytest.mark.parametrize("kind", ["cases", "examples"])
@pytest.mark.parametrize("spoken_here", CHINESE, ids=lambda each: each.code)
def test_the_texts_of_data_files_are_translated(spoken_here: Language, kind: str) -> None:
    told = json.loads((TEXTS / f"{kind}.{spoken_here.code}.json").read_text(encoding="utf-8"))
    numbers = [case.number for case in load_cases()] if kind == "cases" else [each.slug for each in load_examples()]
    assert set(told) - {"groups"} == set(numbers)
    if kind == "examples":
        assert set(told["groups"]) == {each.group for each in load_examples()}
    with spoken(spoken_here):
        for case in load_cases() if kind == "cases" else ():
            here = spoken_case(case)
            assert here.title != case.title
            assert here.story != case.story
            assert here.story.count("`") == case.story.count("`") or case.number in {"A23", "A35"}, case.number
        for example in load_examples() if kind == "examples" else ():
            there = spoken_example(example)
            assert there.title != example.title
            assert there.summary != example.summary


@pytest.mark.parametrize("spoken_here", CHINESE, ids=lambda each: each.code)
def test_every_text_of_every_lesson_is_translated(spoken_here: Language) -> None:
    told = json.loads((TEXTS / f"lessons.{spoken_here.code}.json").read_text(encoding="utf-8"))
    lessons = load_lessons()
    assert set(told) - {"groups"} == {lesson.slug for lesson in lessons}
    assert set(told["groups"]) == {lesson.group for lesson in lessons}
    for lesson in lessons:
        with spoken(spoken_here):
            there = spoken_lesson(lesson)
        assert there.title != lesson.title
        for number, (step, spoken_step) in enumerate(zip(lesson.steps, there.steps, strict=True), 1):
            for name in LESSON_TEXTS:
                text, translation = getattr(step, name), getattr(spoken_step, name)
                assert not text or translation != text, f"{lesson.slug} {number}.{name}"
            assert not set(step.options) & set(spoken_step.options), f"{lesson.slug} {number}"


class Prose(HTMLParser):
    """The texts and the spoken attributes of a template that do not come from a catalogue."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("kbd", "code", "script", "option"):
            self.silent.append(tag)
        named = ("aria-label", "title", "aria-description", "alt")
        self.found += [value for name, value in attrs if name in named and value]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


NAMES = {"Patchyard", "managedFields", "FieldsV1", "kubeconfig"}
"""What is called the same in every language."""
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


NO_PROSE = (
    r"\{#.*?#\}",
    r"\{% block main_form %\}[\w-]+",
    r"\{%-?\s*trans\b.*?endtrans\s*-?%\}",
    r"\{%.*?%\}",
    r"\{\{.*?\}\}",
    r"aria-current=\"\w+\"",
)
"""What a template does, and what it takes from a catalogue; and the two sorts of blocks that hold no text."""


def prose(text: str) -> Iterator[str]:
    for pattern in NO_PROSE:
        text = re.sub(pattern, "", text, flags=re.DOTALL)
    parser = Prose()
    parser.feed(text)
    for found in parser.found:
        words = " ".join(found.split()).strip(" ·›")
        if re.search(r"[A-Za-z]{2}", words) and words not in NAMES:
            yield words


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_no_template_has_prose_of_its_own(file: Path) -> None:
    assert not list(prose(file.read_text(encoding="utf-8")))


def test_prose_in_a_template_is_found() -> None:
    assert list(prose('<p title="A title">Some words {{ x }}</p>{{ _("fine") }}')) == ["A title", "Some words"]


SCRIPTS = sorted([*(ROOT / "static/js").glob("*.js"), *(ROOT / "web/assets").glob("*.js")])
SHOWN = re.compile(
    r"""(?:textContent|title|placeholder)\s*=\s*(?!say\()["'`](?=[^"'`]*[A-Za-z]{2})"""
    r"""|(?:showNotice|rearranged)\(\s*["'`]"""
    r"""|setAttribute\("aria-label",\s*["'`]"""
)


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_no_script_says_anything_but_by_say(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not SHOWN.search(text)
    without = re.sub(r"\bsay\(\"[^\"]*\"|//[^\n]*|new Error\([^)]*\)|querySelector(?:All)?\([^)]*\)", "", text)
    assert not re.findall(r"""["'`][^"'`$\n]*\b[A-Z][a-z]+ [a-z]+ [a-z]+[^"'`\n]*["'`](?!:)""", without)


def test_the_page_carries_what_scripts_say() -> None:
    said = set()
    for file in SCRIPTS:
        said |= set(re.findall(r"\bsay\(\"([^\"]*)\"", file.read_text(encoding="utf-8")))
        assert "say(`" not in file.read_text(encoding="utf-8"), file
        gathered = extract_from_file("javascript", file, keywords={"say": None})
        assert {message for _, message, *_ in gathered} == set(
            re.findall(r"\bsay\(\"([^\"]*)\"", file.read_text(encoding="utf-8"))
        ), f"{file.name}: a say inside the arguments of another is not gathered"
    assert set(WORDS) == said


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("zh", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh-TW", "zh-Hant"),
        ("zh_TW", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("ZH-HANT", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("de", None),
        ("", None),
        ("zhx", None),
    ],
)
def test_a_tag_is_served_by_its_script(tag: str, code: str | None) -> None:
    found = language_of(tag)
    assert (found.code if found else None) == code


def test_what_is_asked_for_comes_before_what_was_chosen_and_that_before_the_browser() -> None:
    assert chosen_language(["de", "zh-TW", "en"]).code == "zh-Hant"
    assert chosen_language(["zh-TW"], cookie="en").code == "en"
    assert chosen_language(["zh-TW"], asked="zh-Hans", cookie="en").code == "zh-Hans"
    assert chosen_language(["zh-TW"], asked="xx", cookie="yy").code == "zh-Hant"
    assert chosen_language(["fr"]).code == "en"


def test_a_text_is_formatted_in_every_language() -> None:
    for each in LANGUAGES:
        with spoken(each):
            assert "7" in ngettext("%(num)s unchanged line", "%(num)s unchanged lines", 7)
            assert "12 %" in gettext(
                "managedFields takes %(part)s of the object's %(whole)s bytes (%(share)s %%).",
                part=1,
                whole=2,
                share=12,
            )


PAGES = ["/", "/empty", "/generate", "/cases", "/?example=json-patch-test", "/?case=A1", "/nowhere"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_tells_its_language(client: FlaskClient, path: str) -> None:
    for header, html in (("zh-TW,zh;q=0.9", "zh-TW"), ("zh-CN", "zh-CN"), ("fr;q=1, en;q=0.5", "en"), ("", "en")):
        answer = client.get(path, headers={"Accept-Language": header} if header else {})
        assert f'<html lang="{html}">' in answer.text
        assert answer.headers["Content-Language"] == html
        assert {"Accept-Language", "Cookie"} <= set(answer.headers["Vary"].split(", "))
        assert "Set-Cookie" not in answer.headers


def test_a_choice_is_kept_in_a_cookie() -> None:
    from datetime import UTC, datetime

    from web.app import create_app
    from web.config import Config

    own = create_app(Config(), lambda: datetime(2026, 3, 1, tzinfo=UTC)).test_client()
    chosen = own.get("/?language=zh-Hant", base_url="https://localhost")
    cookie = chosen.headers["Set-Cookie"]
    for part in ("patchyard_language=zh-Hant", "HttpOnly", "SameSite=Lax", "Secure", "Path=/"):
        assert part in cookie
    assert '<html lang="zh-TW">' in own.get("/cases", base_url="https://localhost").text
    assert "Secure" not in own.get("/?language=en").headers["Set-Cookie"]


def test_the_form_comes_back_in_the_language_of_the_button(client: FlaskClient) -> None:
    fields = {"kind": "merge", "live": "a: 1", "body": "{a: 2} # mine", "manager": "me", "language": "zh-Hans"}
    answer = client.post("/", data=fields)
    assert '<html lang="zh-CN">' in answer.text
    for text in ("a: 1", "{a: 2} # mine", 'value="me"'):
        assert text in answer.text
    client.delete_cookie("patchyard_language")
    pair = {"before": "a: 1", "after": "b: 2", "fewest": "bytes", "language": "zh-Hant"}
    answer = client.post("/generate", data=pair)
    assert '<html lang="zh-TW">' in answer.text
    assert "b: 2" in answer.text
    client.delete_cookie("patchyard_language")


def test_a_language_that_is_none_changes_nothing(client: FlaskClient) -> None:
    answer = client.get("/?language=//evil.example")
    assert answer.status_code == 200
    assert '<html lang="en">' in answer.text
    assert "evil" not in str(answer.headers)
    client.delete_cookie("patchyard_language")


def test_one_reader_does_not_change_the_language_of_the_next(client: FlaskClient) -> None:
    client.get("/", headers={"Accept-Language": "zh-TW"})
    assert "Playground" in client.get("/").text
    assert gettext("Playground") == "Playground"
