"""What names may look like: labels, subdomains, qualified names, ports, keys.

Each function returns the texts of what is wrong with a name, none if it is right.

Source: apimachinery's util/validation, Kubernetes 1.36; the texts are the reference's.
"""

from __future__ import annotations

import re

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = _LABEL + r"(\." + _LABEL + ")*"
_NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({_NAME_PART})?"
_CONFIG_KEY = "[-._a-zA-Z0-9]+"

_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_LABEL_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    f"'{_LABEL_1035}')"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_NAME_PART_TEXT = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME_PART}')"
)
_QUALIFIED_TEXT = (
    "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    f"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME_PART}')"
    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_LABEL_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    f"'{_LABEL_VALUE}')"
)
_CONFIG_KEY_TEXT = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  "
    f"or 'key-name', regex used for validation is '{_CONFIG_KEY}')"
)
_ENV_TEXT = "a valid environment variable name must consist only of printable ASCII characters other than '='"
_LABEL_BYTES, _SUBDOMAIN_BYTES = 63, 253


def _is(pattern: str, text: str) -> bool:
    return re.fullmatch(pattern, text, re.ASCII) is not None


def _too_long(text: str, limit: int) -> list[str]:
    return [f"must be no more than {limit} bytes"] if len(text.encode("utf-8", "surrogatepass")) > limit else []


def label_faults(text: str) -> list[str]:
    """Return what is wrong with a DNS label, RFC 1123."""
    return _too_long(text, _LABEL_BYTES) + ([] if _is(_LABEL, text) else [_LABEL_TEXT])


def label_1035_faults(text: str) -> list[str]:
    """Return what is wrong with a DNS label, RFC 1035: one that begins with a letter."""
    return _too_long(text, _LABEL_BYTES) + ([] if _is(_LABEL_1035, text) else [_LABEL_1035_TEXT])


def subdomain_faults(text: str) -> list[str]:
    """Return what is wrong with a DNS subdomain, the form of most names."""
    too_long = _too_long(text, _SUBDOMAIN_BYTES)
    return too_long or ([] if _is(_SUBDOMAIN, text) else [_SUBDOMAIN_TEXT])


def path_segment_faults(text: str) -> list[str]:
    """Return what is wrong with a name that only has to fit into a path."""
    if text in (".", ".."):
        return [f"may not be '{text}'"]
    return [f"may not contain '{each}'" for each in "/%" if each in text]


def qualified_name_faults(text: str) -> list[str]:
    """Return what is wrong with a label's or annotation's key: a name, a subdomain and a slash before it if need be."""
    prefix, slash, name = text.rpartition("/")
    if text.count("/") > 1:
        return [_QUALIFIED_TEXT]
    faults = []
    if slash:
        if not prefix:
            faults.append("prefix part must be non-empty")
        else:
            faults += [f"prefix part {fault}" for fault in subdomain_faults(prefix)]
    if not name:
        faults.append("name part must be non-empty")
    faults += [f"name part {fault}" for fault in _too_long(name, _LABEL_BYTES)]
    if not _is(_NAME_PART, name):
        faults.append(f"name part {_NAME_PART_TEXT}")
    return faults


def label_value_faults(text: str) -> list[str]:
    """Return what is wrong with a label's value."""
    return _too_long(text, _LABEL_BYTES) + ([] if _is(_LABEL_VALUE, text) else [_LABEL_VALUE_TEXT])


def config_key_faults(text: str) -> list[str]:
    """Return what is wrong with a key of a ConfigMap or Secret."""
    faults = _too_long(text, _SUBDOMAIN_BYTES)
    if not _is(_CONFIG_KEY, text):
        faults.append(_CONFIG_KEY_TEXT)
    if text == ".":
        faults.append("must not be '.'")
    elif text.startswith(".."):
        faults.append("must not be '..'" if text == ".." else "must not start with '..'")
    return faults


def env_name_faults(text: str) -> list[str]:
    """Return what is wrong with the name of an environment variable."""
    return [] if text and all(" " <= c <= "~" and c != "=" for c in text) else [_ENV_TEXT]


def port_name_faults(text: str) -> list[str]:
    """Return what is wrong with a port's name."""
    faults = []
    if len(text) > 15:
        faults.append("must be no more than 15 characters")
    if not _is("[-a-z0-9]+", text):
        faults.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not re.search("[a-z]", text):
        faults.append("must contain at least one letter (a-z)")
    if "--" in text:
        faults.append("must not contain consecutive hyphens")
    if text[:1] == "-" or text[-1:] == "-":
        faults.append("must not begin or end with a hyphen")
    return faults


def port_number_faults(number: int) -> list[str]:
    """Return what is wrong with a port's number."""
    return [] if 1 <= number <= 65535 else ["must be between 1 and 65535, inclusive"]
