"""A set of fields in both spellings, FieldsV1 and readable paths: whichever was typed makes the other."""

from __future__ import annotations

from engine.errors import EngineError
from engine.fieldpath.field_set import FieldSet
from engine.fieldpath.fields_v1 import decode_fields_v1, encode_fields_v1
from engine.fieldpath.path_text import MalformedPath, parse_paths, render_paths
from engine.value.codec import render_json
from engine.value.document import read_document
from engine.value.limits import Limits
from engine.value.model import Value
from web import messages
from web.contexts import FieldsAnswer, Outcome, Problem
from web.translation import gettext as _
from web.translation import ngettext

SAMPLE = """\
{
  "f:metadata": {
    "f:labels": {
      "f:app.example.com/tier": {}
    }
  },
  "f:spec": {
    "f:ports": {
      "k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}": {
        ".": {},
        "f:name": {}
      }
    },
    "f:replicas": {}
  }
}
"""


def both_ways(fields: str, paths: str, *, from_paths: bool, limits: Limits) -> FieldsAnswer:
    """Return both spellings, the one that was not typed made from the other; as they are if that cannot be read."""
    place = "paths" if from_paths else "fields"
    try:
        found = parse_paths(paths, limits) if from_paths else decode_fields_v1(_fields_in(fields, limits))
    except MalformedPath as error:
        told = _("Found %(found)s; expected %(expected)s.", found=error.found, expected=error.expected)
        return _wrong(fields, paths, Problem(place, told, error.line, error.column))
    except EngineError as error:
        line, column = getattr(error, "line", None) or 0, getattr(error, "column", None) or 0
        return _wrong(fields, paths, Problem(place, messages.sentence(error, "fields"), line, column))
    return _told(found, "" if from_paths else fields, paths if from_paths else "")


def _told(found: FieldSet, fields: str, paths: str) -> FieldsAnswer:
    spelled = render_json(encode_fields_v1(found), 2) + "\n"
    compact = len(render_json(encode_fields_v1(found)).encode("utf-8", "surrogatepass"))
    count = ngettext("%(num)s field", "%(num)s fields", len(found))
    sentence = _("%(count)s, %(bytes)s bytes as the server stores them.", count=count, bytes=f"{compact:,}")
    turned = "paths" if fields else "fields"
    return FieldsAnswer(Outcome("same", "", sentence), fields or spelled, paths or render_paths(found), turned)


def _wrong(fields: str, paths: str, problem: Problem) -> FieldsAnswer:
    return FieldsAnswer(Outcome("stale", "", messages.stale(1)), fields, paths, "", (problem,))


def _fields_in(text: str, limits: Limits) -> Value:
    """The fieldsV1 of a text: the whole of it, or that of the one entry of managedFields that it is."""
    if not text.strip():
        return {}
    value = read_document(text, limits).value
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict) and "fieldsV1" in value:
        inner: Value = value["fieldsV1"]
        return inner
    return value
