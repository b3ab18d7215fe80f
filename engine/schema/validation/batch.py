"""What the server refuses of jobs and cron jobs.

Source: pkg/apis/batch/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.meta.object_meta import text_of
from engine.schema.validation.cause import Cause, invalid, not_supported, required
from engine.schema.validation.pods import template
from engine.schema.validation.rules import (
    IMMUTABLE,
    MISMATCH,
    label_selector,
    non_negative,
    one_of,
    selects,
    struct,
    unchanged,
)
from engine.value.equality import equal
from engine.value.model import Object, Value


def _job_spec(spec: Object, path: str) -> Iterator[Cause]:
    numbers = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")
    yield from non_negative(spec, numbers, path)
    yield from one_of(spec, "completionMode", ("NonIndexed", "Indexed"), path)
    if spec.get("completionMode") == "Indexed" and spec.get("completions") is None:
        yield required(f"{path}.completions", "when completion mode is Indexed")
    yield from template(struct(spec, "template"), f"{path}.template")
    policy, at = struct(struct(spec, "template"), "spec").get("restartPolicy"), f"{path}.template.spec.restartPolicy"
    if policy in ("", "Always", None):
        yield required(at, 'valid values: "OnFailure", "Never"')
    elif policy not in ("OnFailure", "Never"):
        yield not_supported(at, policy, ("OnFailure", "Never"))


def job(obj: Object) -> Iterator[Cause]:
    """A job."""
    spec = struct(obj, "spec")
    yield from _selecting(spec)
    if not spec.get("manualSelector") and isinstance(spec.get("selector"), dict):
        given = struct(struct(spec, "template"), "metadata").get("labels")
        yield from _generated_labels(obj, given if isinstance(given, dict) else {}, given)


def _selecting(spec: Object) -> Iterator[Cause]:
    yield from _job_spec(spec, "spec")
    selector, given = spec.get("selector"), struct(struct(spec, "template"), "metadata").get("labels")
    if not isinstance(selector, dict):
        yield required("spec.selector")
    else:
        yield from label_selector(selector, "spec.selector")
    if not selects(selector, given if isinstance(given, dict) else {}):
        yield invalid("spec.template.metadata.labels", given, MISMATCH)


def _generated_labels(obj: Object, chosen: Object, given: Value) -> Iterator[Cause]:
    """The labels by which a job finds its pods."""
    uid, name = text_of(obj, "uid"), text_of(obj, "name")
    for key, value in (
        ("controller-uid", uid),
        ("job-name", name),
        ("batch.kubernetes.io/controller-uid", uid),
        ("batch.kubernetes.io/job-name", name),
    ):
        path = f"spec.template.metadata.labels[{key}]"
        if key not in chosen:
            yield required(path, f"must be '{value}'")
        elif chosen[key] != value:
            yield invalid(path, given, f"must be '{value}'")


def job_update(new: Object, live: Object) -> Iterator[Cause]:
    """A job that replaces another: what has begun is not changed. The reference checks the spec twice."""
    spec, old = struct(new, "spec"), struct(live, "spec")
    yield from job(new)
    yield from _selecting(spec)
    yield from _completions(spec, old)
    yield from unchanged(spec, old, ("selector",), "spec")
    yield from _job_template(
        struct(spec, "template"),
        struct(old, "template"),
        suspended=bool(old.get("suspend")) and not _begun(struct(live, "status")),
    )
    fixed = ("completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy")
    yield from unchanged(spec, old, fixed, "spec")


def _begun(status: Object) -> bool:
    return bool(status.get("startTime") or status.get("active"))


def _completions(spec: Object, old: Object) -> Iterator[Cause]:
    indexed = spec.get("completionMode") == "Indexed"
    if equal(spec.get("completions"), old.get("completions")):
        return
    if indexed and spec.get("completions") == spec.get("parallelism"):
        return
    yield from unchanged(spec, old, ("completions",), "spec")


def _job_template(new: Object, old: Object, *, suspended: bool) -> Iterator[Cause]:
    """While a job is suspended and has not begun, where its pods may run can still change, and their labels."""
    if not suspended:
        if not equal(new, old):
            yield invalid("spec.template", new, IMMUTABLE)
        return
    spec, before = struct(new, "spec"), struct(old, "spec")
    movable = ("nodeSelector", "tolerations", "schedulingGates", "affinity")
    if not equal(
        {k: v for k, v in spec.items() if k not in movable}, {k: v for k, v in before.items() if k not in movable}
    ):
        yield invalid("spec.template.spec", spec, IMMUTABLE)


def cron_job(obj: Object) -> Iterator[Cause]:
    """A cron job."""
    spec = struct(obj, "spec")
    if not spec.get("schedule"):
        yield required("spec.schedule")
    else:
        yield from _schedule(str(spec["schedule"]))
    yield from non_negative(
        spec, ("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"), "spec"
    )
    yield from one_of(spec, "concurrencyPolicy", ("Allow", "Forbid", "Replace"), "spec", needed=True)
    yield from _job_spec(struct(struct(spec, "jobTemplate"), "spec"), "spec.jobTemplate.spec")


_CRON_FIELDS = (
    (0, 59, ()),
    (0, 23, ()),
    (1, 31, ()),
    (1, 12, ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
    (0, 6, ("sun", "mon", "tue", "wed", "thu", "fri", "sat")),
)
"""Of minute, hour, day, month and weekday: the least, the highest, and the names from the least on."""
_CRON_WORDS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")


def _schedule(text: str) -> Iterator[Cause]:
    if "TZ" in text:
        yield invalid("spec.schedule", text, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")
        return
    fault = _word_fault(text) if text.startswith("@") else _fields_fault(text.split())
    if fault:
        yield invalid("spec.schedule", text, fault)


def _word_fault(text: str) -> str:
    return "" if text in _CRON_WORDS or text.startswith("@every ") else f"unrecognized descriptor: {text}"


def _fields_fault(fields: list[str]) -> str:
    if len(fields) != len(_CRON_FIELDS):
        return f"expected exactly {len(_CRON_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]"
    for field, (least, highest, names) in zip(fields, _CRON_FIELDS, strict=True):
        for part in field.split(","):
            fault = _part_fault(part, least, highest, names)
            if fault:
                return fault
    return ""


def _part_fault(part: str, least: int, highest: int, names: tuple[str, ...]) -> str:
    """What is wrong with one range: `*`, `?`, a number, a name, `a-b`, each with `/step` behind."""
    span, *steps = part.split("/")
    if len(steps) > 1:
        return f"too many slashes: {part}"
    ends = span.split("-")
    if len(ends) > 2:
        return f"too many hyphens: {part}"
    bounds = [least, highest] if ends[0] in ("*", "?") else [_cron_number(end, least, names) for end in ends]
    for end, number in zip(ends, bounds, strict=False):
        if number is None:
            return f'failed to parse int from {end}: strconv.Atoi: parsing "{end}": invalid syntax'
    first, last = bounds[0] or 0, bounds[-1] or 0
    if steps and not steps[0].isdecimal():
        return f'failed to parse int from {steps[0]}: strconv.Atoi: parsing "{steps[0]}": invalid syntax'
    if first < least:
        return f"beginning of range ({first}) below minimum ({least}): {part}"
    if last > highest:
        return f"end of range ({last}) above maximum ({highest}): {part}"
    if first > last:
        return f"beginning of range ({first}) beyond end of range ({last}): {part}"
    return f"step of range should be a positive number: {part}" if steps and int(steps[0]) == 0 else ""


def _cron_number(text: str, least: int, names: tuple[str, ...]) -> int | None:
    if text.lower() in names:
        return least + names.index(text.lower())
    return int(text) if text.isdecimal() else None
