"""The schema in force, as the page shows it, and a custom resource's definition changed in one place."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import EngineError
from engine.evaluation import Write
from engine.meta.gvk import gvk_of
from engine.schema.catalog import Catalog, KindInfo
from engine.schema.describe import FieldDescription, NoSuchField, Parting, describe, type_at
from engine.schema.redefine import Relation, redefined, relations_of
from engine.schema.structural import kinds_of_definition
from engine.value.codec import render_json
from engine.value.limits import Limits
from engine.value.model import Missing
from web.contexts import Choice, Draft, SchemaRow, SchemaView
from web.forms import Unusable, read_write
from web.translation import gettext as _
from web.translation import marked

PARTINGS = {
    Parting.KEYS: marked(
        "Both merge this list, by other keys: apply tells items apart by %(keys)s, a strategic merge patch by "
        "%(merge_key)s alone. Two items with the same %(merge_key)s are one to the patch."
    ),
    Parting.REPLACED: marked("Apply merges this list item by item; a strategic merge patch replaces it whole."),
    Parting.OWNED_WHOLE: marked(
        "Apply owns this list as a whole, so any difference is a conflict; a strategic merge patch merges its items."
    ),
    Parting.MAP_WHOLE: marked(
        "Apply owns this map as a whole and replaces it; a strategic merge patch changes its members one by one."
    ),
    Parting.RETAINED: marked(
        "kubectl apply drops the members of this map that the manifest does not have; server-side apply keeps those "
        "that others own."
    ),
    Parting.ABSENT: marked(
        "A strategic merge patch is refused (415) for custom resources; a JSON merge patch replaces this list whole."
    ),
}
RELATIONS = {
    "atomic": marked("atomic: owned and replaced as a whole"),
    "set": marked("set: each value is owned by itself"),
    "map": marked("map by %(keys)s: each item is owned by itself"),
    "granular": marked("granular: each member is owned by itself"),
}
MOST_ROWS = 400


def schema_view(write: Write, catalog: Catalog, path: str) -> SchemaView:
    """Return the schema of the kind that is written, at `path`; a view with a problem if there is none."""
    source = write.live if write.live is not None else write.body
    gvk = gvk_of(source) if isinstance(source, dict) else None
    info = catalog.kind(gvk) if gvk is not None else None
    if gvk is None or not gvk.kind:
        return SchemaView("", path, problem=_("No object yet: the schema is that of the live object's kind."))
    kind = f"{gvk.api_version} {gvk.kind}"
    if info is None:
        problem = _(
            "No schema is known for %(kind)s: paste its CustomResourceDefinition below the live object.", kind=kind
        )
        return SchemaView(kind, path, problem=problem)
    return _view(info, kind, path)


def _view(info: KindInfo, kind: str, path: str) -> SchemaView:
    custom = info.custom is not None
    try:
        found = describe(info.type, path, custom=custom)
    except NoSuchField as error:
        names = ", ".join(error.names[:20])
        expected = _("expected one of %(names)s", names=names) if names else _("nothing is below it")
        problem = _(
            "%(kind)s has no field %(path)s; below %(known)s %(expected)s.",
            kind=kind,
            path=error.path,
            known=error.known or _("the object"),
            expected=expected,
        )
        return SchemaView(kind, path, problem=problem)
    rows = [_row(each, info) for each in found[: MOST_ROWS + 1]]
    return SchemaView(kind, found[0].path, _crumbs(found[0].path), rows[0], tuple(rows[1:]))


def _crumbs(path: str) -> tuple[tuple[str, str], ...]:
    """The paths above one, from the object down, and what to call each."""
    above: list[tuple[str, str]] = []
    for end in [0, *(at for at, sign in enumerate(path) if sign in ".[" and at and not _quoted(path, at))]:
        start = len(above[-1][0]) if above else 0
        above.append((path[:end], path[start:end].lstrip(".")))
    return tuple(above) if path else ()


def _quoted(path: str, at: int) -> bool:
    return path[:at].count('"') % 2 == 1


def _row(found: FieldDescription, info: KindInfo) -> SchemaRow:
    return SchemaRow(
        path=found.path,
        type=f"{found.kind} ({found.type_name})" if found.type_name else found.kind,
        required=found.required,
        merging=_merging(found),
        strategic=_strategic(found, custom=info.custom is not None),
        default="" if isinstance(found.default, Missing) else render_json(found.default),
        parting=_parting(found),
        inside=found.inside,
        opens=found.opens,
        relations=_relations(found, info) if info.custom is not None and not found.inside else (),
    )


def _merging(found: FieldDescription) -> str:
    name = found.list_type or found.map_type
    return _(RELATIONS[name], keys=", ".join(found.keys)) if name else ""


def _strategic(found: FieldDescription, *, custom: bool) -> str:
    if custom:
        return ""
    said = []
    if found.list_type:
        by = found.patch.merge_key or _("value")
        said.append(_("merges by %(key)s", key=by) if found.patch.merges else _("replaced whole"))
    elif found.map_type:
        said.append(_("merges member by member"))
    if found.patch.retains_keys:
        said.append(_("keeps only the keys of $retainKeys"))
    return ", ".join(said)


def _parting(found: FieldDescription) -> str:
    if found.parting is None:
        return ""
    return _(PARTINGS[found.parting], keys=", ".join(found.keys), merge_key=found.patch.merge_key)


def _relations(found: FieldDescription, info: KindInfo) -> tuple[Choice, ...]:
    """What a list or map may be made: not the object itself, nor what every object has."""
    if not found.path or found.path.startswith(".metadata"):
        return ()
    present = (found.list_type or found.map_type, found.keys)
    return tuple(
        Choice(
            f"{each.name} {','.join(each.keys)} {found.path}", _(RELATIONS[each.name], keys=", ".join(each.keys)), now
        )
        for each in relations_of(type_at(info.type, found.path).atom)
        for now in [(each.name, each.keys) == present]
    )


def redefinition(edit: str) -> str:
    """Return in a sentence what a change of the schema, `RELATION KEYS PATH`, does."""
    name, keys, path = (*edit.split(" ", 2), "", "")[:3]
    told = _(RELATIONS[name], keys=keys.replace(",", ", ")) if name in RELATIONS else name
    return _("From here on %(path)s is %(relation)s. Owners follow with the next write.", path=path, relation=told)


def redefined_draft(draft: Draft, edit: str, limits: Limits) -> Draft | None:
    """Return the draft with its definition changed as `edit` says: `RELATION KEYS PATH`; None if it cannot be.

    The text stays but for the lines that say it.
    """
    name, _space, rest = edit.partition(" ")
    keys, _space, path = rest.partition(" ")
    relation = Relation(name, tuple(keys.split(",")) if keys else ())
    try:
        write = read_write(draft, limits)
        info = _custom_kind(write)
        if info is None or not path or relation not in relations_of(type_at(info.type, path).atom):
            return None
        return replace(draft, crds=redefined(draft.crds, info.gvk, path, relation))
    except (Unusable, EngineError):
        return None


def _custom_kind(write: Write) -> KindInfo | None:
    source = write.live if write.live is not None else write.body
    if not isinstance(source, dict):
        return None
    found = (info for crd in write.crds for info in kinds_of_definition(crd) if info.gvk == gvk_of(source))
    return next(found, None)
