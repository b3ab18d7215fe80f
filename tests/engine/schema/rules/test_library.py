"""Kubernetes' functions, each called by CEL. README.md beside the rules tells which group tests which function."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import engine.schema.rules as rules
from engine.schema.rules.library import FUNCTIONS
from engine.schema.rules.program import RuleFailed, available, evaluate
from engine.schema.rules.source import with_optional_answers

pytestmark = pytest.mark.skipif(not available(), reason="CEL is not installed: install patchyard[cel]")

# An expression and its value; `self` is 1.
CASES: dict[str, list[tuple[str, Any]]] = {
    "lists": [
        ("[1, 2, 2].isSorted()", True),
        ("['b', 'a'].isSorted()", False),
        ("[].isSorted()", True),
        ("[1, 2].sum()", 3),
        ("[1.5, 2.0].sum()", 3.5),
        ("[].sum()", 0),
        ("[3, 1, 2].min()", 1),
        ("['a', 'c', 'b'].max()", "c"),
        ("[1, 2, 1].indexOf(1)", 0),
        ("['a', 'b', 'a'].lastIndexOf('a')", 2),
        ("[1.0, 2.0].indexOf(2.0)", 1),
        ("[true].indexOf(false)", -1),
        ("[[1], [2]].indexOf([2])", 1),
        ("[{'a': 1}].lastIndexOf({'a': 1})", 0),
        ("'abca'.indexOf('a')", 0),
        ("'abca'.lastIndexOf('a')", 3),
    ],
    "regex": [
        ("'abc 123'.find('[0-9]+')", "123"),
        ("'abc'.find('[0-9]+')", ""),
        ("'1 22 333'.findAll('[0-9]+')", ["1", "22", "333"]),
        ("'1 22 333'.findAll('[0-9]+', 2)", ["1", "22"]),
        ("'1 22'.findAll('[0-9]+', -1)", ["1", "22"]),
        ("'a'.findAll('[0-9]+')", []),
        ("'abc'.matches('^[a-c]+$')", True),
    ],
    "quantity": [
        ("isQuantity('1.5Gi')", True),
        ("isQuantity('1.5GiB')", False),
        ("quantity('1') == quantity('1000m')", True),
        ("quantity('1Ki').asInteger()", 1024),
        ("quantity('1500m').isInteger()", False),
        ("quantity('2k').isInteger()", True),
        ("quantity('1500m').asApproximateFloat()", 1.5),
        ("quantity('-1').sign()", -1),
        ("quantity('0').sign()", 0),
        ("quantity('1').add(quantity('500m')) == quantity('1500m')", True),
        ("quantity('1').add(2) == quantity('3')", True),
        ("quantity('1').sub(quantity('500m')) == quantity('500m')", True),
        ("quantity('1').sub(2).sign()", -1),
        ("quantity('1').compareTo(quantity('2'))", -1),
        ("quantity('1Mi').isGreaterThan(quantity('1M'))", True),
        ("quantity('1Mi').isLessThan(quantity('1M'))", False),
    ],
    "semver": [
        ("isSemver('1.2.3-alpha.1+build')", True),
        ("isSemver('1.2')", False),
        ("isSemver('v1.2', true)", True),
        ("isSemver('01.2.3')", False),
        ("semver('v01.2', true) == semver('1.2.0')", True),
        ("semver('1.2.3').major()", 1),
        ("semver('18446744073709551615.2.3').isGreaterThan(semver('1.0.0'))", True),
        ("semver('1.2.3').minor()", 2),
        ("semver('1.2.3').patch()", 3),
        ("semver('1.2.3').compareTo(semver('1.10.0'))", -1),
        ("semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))", True),
        ("semver('1.0.0-rc.2').isLessThan(semver('1.0.0-rc.10'))", True),
        ("semver('1.0.0-1').isLessThan(semver('1.0.0-a'))", True),
        ("semver('1.0.0+a').compareTo(semver('1.0.0+b'))", 0),
    ],
    "ip": [
        ("isIP('10.0.0.1')", True),
        ("isIP('10.0.0.01')", False),
        ("isIP('::ffff:10.0.0.1')", False),
        ("isIP('fe80::1%eth0')", False),
        ("ip('10.0.0.1').family()", 4),
        ("ip('::1').family()", 6),
        ("ip.isCanonical('2001:db8::a')", True),
        ("ip.isCanonical('2001:DB8:0::a')", False),
        ("ip('2001:DB8::A') == ip('2001:db8:0::a')", True),
        ("ip('0.0.0.0').isUnspecified()", True),
        ("ip('127.0.0.1').isLoopback()", True),
        ("ip('10.0.0.1').isLoopback()", False),
        ("ip('224.0.0.1').isLinkLocalMulticast()", True),
        ("ip('224.0.1.1').isLinkLocalMulticast()", False),
        ("ip('ff02::1').isLinkLocalMulticast()", True),
        ("ip('169.254.1.1').isLinkLocalUnicast()", True),
        ("ip('10.0.0.1').isGlobalUnicast()", True),
        ("ip('255.255.255.255').isGlobalUnicast()", False),
        ("string(ip('2001:DB8::A'))", "2001:db8::a"),
    ],
    "cidr": [
        ("isCIDR('10.0.0.0/8')", True),
        ("isCIDR('10.0.0.0/33')", False),
        ("isCIDR('10.0.0.0')", False),
        ("isCIDR('10.0.0.0/255.0.0.0')", False),
        ("cidr('10.0.0.0/8').containsIP('10.1.2.3')", True),
        ("cidr('10.0.0.0/8').containsIP(ip('11.1.2.3'))", False),
        ("cidr('10.0.0.0/8').containsIP('::1')", False),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", True),
        ("cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", False),
        ("cidr('10.1.2.3/8').ip() == ip('10.1.2.3')", True),
        ("string(cidr('10.1.2.3/8').masked())", "10.0.0.0/8"),
        ("cidr('10.1.2.3/8').prefixLength()", 8),
        ("string(cidr('10.1.2.3/8'))", "10.1.2.3/8"),
    ],
    "url": [
        ("isURL('https://example.com/a?b=c')", True),
        ("isURL('/a/b')", True),
        ("isURL('a/b')", False),
        ("isURL('http://example.com:port/')", False),
        ("isURL('http://[::1/')", False),
        ("isURL('/%zz')", False),
        ("url('https://example.com:80/').getScheme()", "https"),
        ("url('https://u:p@example.com:80/').getHost()", "example.com:80"),
        ("url('https://[::1]:80/').getHostname()", "::1"),
        ("url('https://example.com/').getHostname()", "example.com"),
        ("url('https://[::1]:80/').getPort()", "80"),
        ("url('https://example.com/').getPort()", ""),
        ("url('https://example.com/a b').getEscapedPath()", "/a%20b"),
        ("url('/a%20b').getEscapedPath()", "/a%20b"),
        ("url('/?k=1&k=2&l=').getQuery() == {'k': ['1', '2'], 'l': ['']}", True),
        ("url('/a') == url('/a')", True),
    ],
    "format": [
        ("format.dns1123Label().validate('my-name').hasValue()", False),
        ("format.dns1123Label().validate('My').hasValue()", True),
        ("format.dns1123Label().validate('a'.replace('a', '(')).value().size()", 1),
        ("format.dns1123Subdomain().validate('a.b').hasValue()", False),
        ("format.dns1035Label().validate('1a').hasValue()", True),
        ("format.qualifiedName().validate('example.com/MyName').hasValue()", False),
        ("format.dns1123LabelPrefix().validate('my-').hasValue()", False),
        ("format.dns1123SubdomainPrefix().validate('a.b-').hasValue()", False),
        ("format.dns1035LabelPrefix().validate('1-').hasValue()", True),
        ("format.labelValue().validate('').hasValue()", False),
        ("format.uri().validate('a b').orValue(['none'])", ['parse "a b": invalid URI for request']),
        ("format.uri().validate('/a').hasValue()", False),
        ("format.uuid().validate('x').value()", ["does not match the UUID format"]),
        ("format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()", False),
        ("format.byte().validate('YQ==').hasValue()", False),
        ("format.byte().validate('%').hasValue()", True),
        ("format.date().validate('2020-02-30').hasValue()", True),
        ("format.date().validate('2020-02-29').hasValue()", False),
        ("format.datetime().validate('2020-01-01T00:00:00Z').hasValue()", False),
        ("format.datetime().validate('2020-01-01').hasValue()", True),
        ("format.named('uuid').hasValue()", True),
        ("format.named('nothing').hasValue()", False),
        ("format.named('dns1123Label').value().validate('a').hasValue()", False),
    ],
    "strings": [
        ("'Ab'.lowerAscii() + 'Ab'.upperAscii()", "abAB"),
        ("'%s is %d, %.1f, %x and %b'.format(['a', 1, 1.25, 255, 5])", "a is 1, 1.2, ff and 101"),
        ("' a '.trim() + ['b', 'c'].join('-')", "ab-c"),
        ("'a-b-c'.split('-', 2)", ["a", "b-c"]),
        ("'aaa'.replace('a', 'b', 2) + 'abc'.substring(1, 2) + 'abc'.charAt(2)", "bbabc"),
        ("strings.quote('a\"b')", '"a\\"b"'),
        ("'abc'.reverse()", "cba"),
    ],
    "sets": [
        ("sets.contains([1, 2], [2])", True),
        ("sets.equivalent([1, 2], [2, 1, 1])", True),
        ("sets.intersects([1], [2])", False),
    ],
    "optionals": [
        ("{'a': 1}.?b.orValue(2)", 2),
        ("{'a': 1}[?'a'].hasValue()", True),
        ("[1][?5].or(optional.of(7)).value()", 7),
        ("optional.ofNonZeroValue('').hasValue()", False),
        ("optional.of(1).optMap(x, x + 1).value()", 2),
    ],
    "two variables": [
        ("[1, 2].all(i, v, v > i)", True),
        ("{'a': 1}.exists(k, v, k == 'a' && v == 1)", True),
        ("[5, 5].existsOne(i, v, i == 0)", True),
        ("[5, 6].transformList(i, v, v * i)", [0, 6]),
    ],
    "mixed numbers": [("self < 1.5", True), ("self == 1.0", True), ("2u > self", True)],
}


@pytest.mark.parametrize(
    ("expression", "value"), [pytest.param(*case, id=case[0]) for group in CASES.values() for case in group]
)
def test_value(expression: str, value: Any) -> None:
    found = evaluate(with_optional_answers(expression), {"self": 1, "oldSelf": None})
    assert (found, type(found)) == (value, type(value))


FAILURES = [
    ("[1, 'a'].isSorted()", "no such overload"),
    ("['a'].sum()", "no such overload"),
    ("[9223372036854775807, 1].sum()", "integer overflow"),
    ("[].min()", "min called on empty list"),
    ("[].max()", "max called on empty list"),
    ("'a'.find('(')", "Illegal regex: "),
    ("quantity('x')", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
    ("quantity('0.5').asInteger()", "cannot convert value to integer"),
    ("quantity('1').isGreaterThan(semver('1.0.0'))", "no such overload"),
    ("ip('x')", 'IP Address "x" parse error during conversion from string: '),
    ("cidr('10.0.0.0/99')", "network address parse error during conversion from string: "),
    ("url('x')", 'URL parse error during conversion from string: parse "x": invalid URI for request'),
    ("semver('1')", "semantic version '1' cannot be parsed"),
    ("ip('10.0.0.1').masked()", "no such overload"),
    ("[1][7]", "index out of bounds: 7"),
    ("[1][-1]", "index out of bounds: -1"),
    ("{'a': 1}['b']", "no such key: b"),
    ("{1: 1}[2]", "no such key: 2"),
    ("1 / (self - 1)", "division by zero"),
    ("1 % (self - 1)", "modulus by zero"),
    ("9223372036854775807 + self", "integer overflow"),
    ("dyn('a') < self", "no such overload"),
    ("!dyn('a')", "no such overload"),
    ("optional.none().value()", "optional.none() dereference"),
]


@pytest.mark.parametrize(("expression", "told"), FAILURES, ids=[each[0] for each in FAILURES])
def test_failure(expression: str, told: str) -> None:
    with pytest.raises(RuleFailed) as caught:
        evaluate(expression, {"self": 1, "oldSelf": None})
    assert str(caught.value).startswith(told)


def test_a_rule_without_end_is_stopped() -> None:
    with pytest.raises(RuleFailed, match="budget"):
        evaluate("self.all(x, self.all(y, x + y >= 0))", {"self": list(range(2000)), "oldSelf": None})


TOLD = (Path(rules.__file__).parent / "README.md").read_text()


def test_the_readme_lists_every_function_with_the_group_that_tests_it() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \|.*\| ([\w ]+) \|$", TOLD, re.MULTILINE)
    assert {name for name, _ in rows} >= {each.name for each in FUNCTIONS}
    for name, group in rows:
        calls = re.compile(rf"(?<!\w){re.escape(name)}\(")
        assert any(calls.search(expression) for expression, _ in CASES[group]), f"{name} is not tested in {group}"


def test_versions_of_thousands_of_digits_are_none() -> None:
    nines, zeros = "9" * 5000, "0" * 5000
    for version in (f"{nines}.0.0", f"1.0.0-{nines}"):
        assert evaluate(f"isSemver('{version}')", {"self": None, "oldSelf": None}) is False
    assert evaluate(f"isSemver('{nines}', true)", {"self": None, "oldSelf": None}) is False
    assert evaluate(f"semver('{zeros}1', true).major()", {"self": None, "oldSelf": None}) == 1
    with pytest.raises(RuleFailed, match=r"a number is not below 2\^64"):
        evaluate(f"semver('{nines}.0.0')", {"self": None, "oldSelf": None})
