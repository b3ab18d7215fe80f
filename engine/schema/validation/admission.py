"""What the server refuses of webhooks and policies of admission.

Source: pkg/apis/admissionregistration/validation of Kubernetes 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.schema.validation.cause import Cause, duplicate, invalid, not_supported, required
from engine.schema.validation.names import subdomain_faults
from engine.schema.validation.rules import items, label_selector, named, needs, one_of, struct
from engine.value.model import Object


def webhooks(obj: Object) -> Iterator[Cause]:
    """A configuration of webhooks."""
    seen: set[str] = set()
    for index, each in enumerate(items(obj, "webhooks")):
        at, name = f"webhooks[{index}]", each.get("name", "")
        yield from _webhook_name(str(name), f"{at}.name")
        if name in seen:
            yield duplicate(f"{at}.name", name)
        seen.add(name)
        yield from _webhook(each, at)


def _webhook_name(name: str, path: str) -> Iterator[Cause]:
    if not name:
        yield required(path)
        return
    for fault in subdomain_faults(name):
        yield invalid(path, name, fault)
    if len(name.split(".")) < 3:
        yield invalid(path, name, "should be a domain with at least three segments separated by dots")


def _webhook(value: Object, path: str) -> Iterator[Cause]:
    versions = items(value, "admissionReviewVersions")
    if not versions:
        yield required(f"{path}.admissionReviewVersions", "must specify one of v1, v1beta1")
    elif not {"v1", "v1beta1"} & set(map(str, versions)):
        told = "must include at least one of v1, v1beta1"
        yield invalid(f"{path}.admissionReviewVersions", versions, told)
    for index, each in enumerate(items(value, "rules")):
        yield from _rule(each, f"{path}.rules[{index}]")
    yield from one_of(value, "failurePolicy", ("Fail", "Ignore"), path)
    yield from one_of(value, "matchPolicy", ("Equivalent", "Exact"), path)
    effects = ("None", "NoneOnDryRun")
    if not value.get("sideEffects"):
        yield required(f"{path}.sideEffects", "must specify one of None, NoneOnDryRun")
    elif value["sideEffects"] not in effects:
        yield not_supported(f"{path}.sideEffects", value["sideEffects"], effects)
    seconds = value.get("timeoutSeconds")
    if isinstance(seconds, int) and not 1 <= seconds <= 30:
        yield invalid(f"{path}.timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds")
    for name in ("namespaceSelector", "objectSelector"):
        if isinstance(value.get(name), dict):
            yield from label_selector(value[name], f"{path}.{name}")
    yield from _client(struct(value, "clientConfig"), f"{path}.clientConfig")


def _client(value: Object, path: str) -> Iterator[Cause]:
    url, service = value.get("url"), value.get("service")
    if (url is None) == (service is None):
        yield required(path, "exactly one of url or service is required")
    elif isinstance(service, dict):
        for name in ("name", "namespace"):
            if not service.get(name):
                yield required(f"{path}.service.{name}", f"service {name} is required")
        if service.get("path") and not str(service["path"]).startswith("/"):
            yield invalid(f"{path}.service.path", service["path"], "must start with a '/'")
    elif not str(url).startswith("https://"):
        yield invalid(f"{path}.url", url, "'https' is the only allowed URL scheme; desired format: https://host[/path]")


def _rule(value: Object, path: str) -> Iterator[Cause]:
    for name in ("operations", "apiGroups", "apiVersions", "resources"):
        values = items(value, name)
        if not values:
            yield required(f"{path}.{name}")
        elif "*" in values and len(values) > 1:
            told = "if '*' is present, must not specify other " + {
                "apiGroups": "API groups",
                "apiVersions": "API versions",
            }.get(name, name)
            if name != "resources":
                yield invalid(f"{path}.{name}", values, told)
    known = ("*", "CONNECT", "CREATE", "DELETE", "UPDATE")
    for index, each in enumerate(items(value, "operations")):
        if each not in known:
            yield not_supported(f"{path}.operations[{index}]", each, known)
    yield from one_of(value, "scope", ("*", "Cluster", "Namespaced"), path)


def _policy(spec: Object) -> Iterator[Cause]:
    yield from one_of(spec, "failurePolicy", ("Fail", "Ignore"), "spec", needed=True)
    kind = spec.get("paramKind")
    if isinstance(kind, dict):
        yield from needs(kind, ("apiVersion", "kind"), "spec.paramKind")
    constraints = spec.get("matchConstraints")
    if not isinstance(constraints, dict):
        yield required("spec.matchConstraints")
    else:
        if not items(constraints, "resourceRules"):
            yield required("spec.matchConstraints.resourceRules")
        for index, each in enumerate(items(constraints, "resourceRules")):
            yield from _rule(each, f"spec.matchConstraints.resourceRules[{index}]")


def admission_policy(obj: Object) -> Iterator[Cause]:
    """A policy of admission that validates."""
    spec = struct(obj, "spec")
    yield from _policy(spec)
    if not items(spec, "validations") and not items(spec, "auditAnnotations"):
        told = "validations or auditAnnotations must be non-empty"
        yield required("spec.validations", told)
    for index, each in enumerate(items(spec, "validations")):
        if not str(each.get("expression", "")).strip():
            yield required(f"spec.validations[{index}].expression", "expression is not specified")


_MUTATIONS = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
"""What each type of mutation is told in."""


def mutating_policy(obj: Object) -> Iterator[Cause]:
    """A policy of admission that mutates."""
    spec = struct(obj, "spec")
    yield from _policy(spec)
    if not items(spec, "mutations"):
        yield required("spec.mutations", "mutations must contain at least one item")
    for index, each in enumerate(items(spec, "mutations")):
        yield from _mutation(each, f"spec.mutations[{index}]")
    yield from one_of(spec, "reinvocationPolicy", ("IfNeeded", "Never"), "spec", needed=True)


def _mutation(value: Object, path: str) -> Iterator[Cause]:
    yield from one_of(value, "patchType", _MUTATIONS, path, needed=True)
    told_in = _MUTATIONS.get(str(value.get("patchType")))
    for kind, name in _MUTATIONS.items():
        if name == told_in:
            if name not in value:
                yield required(f"{path}.{name}", f"must be specified when patchType is {kind}")
            elif not str(struct(value, name).get("expression", "")).strip():
                yield required(f"{path}.{name}.expression", "expression is not specified")
        elif told_in and name in value:
            yield invalid(f"{path}.{name}", value[name], f"must not be specified when patchType is not {kind}")


def mutating_binding(obj: Object) -> Iterator[Cause]:
    """A binding of a mutating policy of admission."""
    yield from named(struct(obj, "spec").get("policyName"), subdomain_faults, "spec.policyName")


def admission_binding(obj: Object) -> Iterator[Cause]:
    """A binding of a validating policy of admission."""
    spec = struct(obj, "spec")
    yield from named(spec.get("policyName"), subdomain_faults, "spec.policyName")
    known = ("Audit", "Deny", "Warn")
    if not items(spec, "validationActions"):
        yield required("spec.validationActions")
    for index, each in enumerate(items(spec, "validationActions")):
        if each not in known:
            yield not_supported(f"spec.validationActions[{index}]", each, known)
