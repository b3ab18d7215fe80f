"""Expressions compiled and run by CEL, with Kubernetes' functions added.

CEL's own failures are told in the words of the reference where these are known; _WORDS lists them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engine.errors import EngineError
from engine.schema.rules.function import NO_OVERLOAD, Function
from engine.schema.rules.library import FUNCTIONS

_PACKAGE = "cel_expr_python"
_EXTENSIONS = (("strings", "ExtStrings"), ("optional", "ExtOptional"), ("math", "ExtMath"), ("bindings", "ExtBindings"))
_CONFIG = "extensions: [{name: sets}, {name: two-var-comprehensions}]"

_CODE = re.compile("[A-Z_]+: ")
_COMPILED = 4096
"""How many expressions stay compiled; a large definition has some hundred rules."""


class RuleFailed(EngineError):
    """A rule that came to no answer; the text is the reference's."""


class RuleNotCompiled(RuleFailed):
    """A rule that is no CEL, or that names what is not there."""


def available() -> bool:
    """Return True if CEL is installed."""
    return find_spec(_PACKAGE) is not None


def evaluate(expression: str, variables: Mapping[str, Any]) -> Any:
    """Return the value of an expression as plain Python; variables `self` and `oldSelf` are of any type.

    Raises:
        RuleNotCompiled: it cannot be compiled.
        RuleFailed: it comes to no value.
    """
    program = _compiled(expression)
    try:
        result = program.eval(data=dict(variables))
        value = result.plain_value()
    except MemoryError:
        raise RuleFailed("operation cancelled: actual cost limit exceeded") from None
    except (RuntimeError, TypeError) as error:
        raise RuleFailed(_told(str(error))) from None
    if result.type().name() in ("ERROR", "UNKNOWN"):
        raise RuleFailed(_told(str(value)))
    return value


@lru_cache(maxsize=_COMPILED)
def _compiled(expression: str) -> Any:
    try:
        return _environment().compile(expression)
    except RuntimeError as error:
        raise RuleNotCompiled(str(error)) from None


@cache
def _environment() -> Any:
    cel = import_module(f"{_PACKAGE}.cel")
    extensions = [getattr(import_module(f"{_PACKAGE}.ext.ext_{name}"), kind)() for name, kind in _EXTENSIONS]
    return cel.NewEnv(
        config=cel.NewEnvConfigFromYaml(_CONFIG),
        variables={"self": cel.Type.DYN, "oldSelf": cel.Type.DYN},
        extensions=[*extensions, cel.CelExtension("kubernetes", _declarations(cel))],
    )


def _declarations(cel: Any) -> list[Any]:
    types = {
        "dyn": cel.Type.DYN,
        "bool": cel.Type.BOOL,
        "int": cel.Type.INT,
        "double": cel.Type.DOUBLE,
        "string": cel.Type.STRING,
        "list": cel.Type.LIST,
        "strings": cel.Type.List(cel.Type.STRING),
        "map": cel.Type.Map(cel.Type.STRING, cel.Type.DYN),
    }
    by_name: dict[str, list[Function]] = {}
    for function in FUNCTIONS:
        by_name.setdefault(function.name, []).append(function)
    return [
        cel.FunctionDecl(name, [_overload(cel, types, function) for function in functions])
        for name, functions in by_name.items()
    ]


def _overload(cel: Any, types: Mapping[str, Any], function: Function) -> Any:
    identifier = "_".join(("kubernetes", function.name, *function.parameters))
    parameters = [types[each] for each in function.parameters]
    return cel.Overload(identifier, types[function.returns], parameters, function.member, function.call)


_WORDS = (
    (re.compile(r'Key not found in map : "?(.*?)"?$', re.DOTALL), r"no such key: \1"),
    (re.compile(r"Index error: index=(-?\d+) size=\d+"), r"index out of bounds: \1"),
    (re.compile("divide by zero"), "division by zero"),
    (re.compile("No matching overloads found.*|Index error: expected .*|Applying SELECT .*", re.DOTALL), NO_OVERLOAD),
    (re.compile(r"optional\.none\(\) dereference"), "optional.none() dereference"),
)


def _told(text: str) -> str:
    """A failure of CEL in the reference's words; one that _WORDS does not know in its own, without its code."""
    code = _CODE.match(text)
    text = text[code.end() :] if code else text
    text = re.sub(r" \[[A-Z_]+\]$", "", text)
    for pattern, words in _WORDS:
        match = pattern.fullmatch(text)
        if match:
            return match.expand(words)
    return text
