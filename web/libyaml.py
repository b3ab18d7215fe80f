"""What libyaml says of texts that are no YAML, to be found in the catalogues. engine/value/yaml_faults.py hands it on.

The spelling is libyaml's own, its slip in "hexdecimal" included: a text is looked up as it comes.
"""

from __future__ import annotations

from web.translation import marked

PROBLEMS = (
    marked("block sequence entries are not allowed in this context"),
    marked("could not find expected ':'"),
    marked("could not find expected directive name"),
    marked("did not find expected '!'"),
    marked("did not find expected ',' or ']'"),
    marked("did not find expected ',' or '}'"),
    marked("did not find expected '-' indicator"),
    marked("did not find expected <document start>"),
    marked("did not find expected alphabetic or numeric character"),
    marked("did not find expected comment or line break"),
    marked("did not find expected digit or '.' character"),
    marked("did not find expected hexdecimal number"),
    marked("did not find expected key"),
    marked("did not find expected node content"),
    marked("did not find expected tag URI"),
    marked("did not find expected version number"),
    marked("did not find expected whitespace"),
    marked("did not find expected whitespace or line break"),
    marked("did not find the expected '>'"),
    marked("found a tab character that violates indentation"),
    marked("found a tab character where an indentation space is expected"),
    marked("found an indentation indicator equal to 0"),
    marked("found character that cannot start any token"),
    marked("found duplicate %%TAG directive"),
    marked("found duplicate %%YAML directive"),
    marked("found extremely long version number"),
    marked("found incompatible YAML document"),
    marked("found invalid Unicode character escape code"),
    marked("found undefined tag handle"),
    marked("found unexpected ':'"),
    marked("found unexpected document indicator"),
    marked("found unexpected end of stream"),
    marked("found unexpected non-alphabetical character"),
    marked("found unknown directive name"),
    marked("found unknown escape character"),
    marked("mapping keys are not allowed in this context"),
    marked("mapping values are not allowed in this context"),
)
"""What it found."""
CONTEXTS = (
    marked("while parsing a %%TAG directive"),
    marked("while parsing a block collection"),
    marked("while parsing a block mapping"),
    marked("while parsing a block node"),
    marked("while parsing a flow mapping"),
    marked("while parsing a flow node"),
    marked("while parsing a flow sequence"),
    marked("while parsing a node"),
    marked("while parsing a quoted scalar"),
    marked("while parsing a tag"),
    marked("while parsing a tag directive"),
    marked("while scanning a %%TAG directive"),
    marked("while scanning a %%YAML directive"),
    marked("while scanning a block scalar"),
    marked("while scanning a directive"),
    marked("while scanning a plain scalar"),
    marked("while scanning a quoted scalar"),
    marked("while scanning a simple key"),
    marked("while scanning a tag"),
    marked("while scanning a tag directive"),
    marked("while scanning an alias"),
    marked("while scanning an anchor"),
    marked("while scanning for the next token"),
)
"""What it was reading."""
