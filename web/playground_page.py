"""The playground's page put together: the form's choices, the examples' menu, and what follows from the draft."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from web.contexts import Answer, Draft, LessonPanel, PlaygroundPage
from web.examples import Example, menu, spoken_example
from web.forms import choices
from web.rendering import asset_version, nonce


def playground_page(
    draft: Draft,
    answer: Answer,
    examples: Sequence[Example],
    chosen: Example | None,
    good: Draft | None = None,
    lesson: LessonPanel | None = None,
) -> PlaygroundPage:
    """Return the page of a draft and what follows from it.

    chosen: the example that it is, None if it is the person's own. good: the draft that `answer` shows the result of,
    where it is another one. lesson: the step that stands above.
    """
    kept = {name: value for name, value in asdict(good or draft).items() if isinstance(value, str) or value}
    options = choices(draft)
    return PlaygroundPage(
        nonce=nonce(),
        asset_version=asset_version(),
        draft=draft,
        kinds=options["kind"],
        subresources=options["subresource"],
        validations=options["field_validation"],
        views=options["view"],
        columns=options["column"],
        example_groups=menu(examples, chosen.slug if chosen else ""),
        example_summary=spoken_example(chosen).summary if chosen else "",
        last_good=json.dumps({name: "1" if value is True else value for name, value in kept.items()}),
        answer=answer,
        lesson=lesson,
    )
