"""Texts into values and values into texts: the front of this package's readers and writers."""

from engine.value.document import Document, Format, parse_yaml_stream, read_document
from engine.value.json_reader import parse_json
from engine.value.json_writer import render_go_json, render_json
from engine.value.limits import DEFAULT_LIMITS, Limits
from engine.value.yaml_reader import parse_yaml
from engine.value.yaml_writer import YamlLine, render_yaml, render_yaml_lines

__all__ = [
    "DEFAULT_LIMITS",
    "Document",
    "Format",
    "Limits",
    "YamlLine",
    "parse_json",
    "parse_yaml",
    "parse_yaml_stream",
    "read_document",
    "render_go_json",
    "render_json",
    "render_yaml",
    "render_yaml_lines",
]
