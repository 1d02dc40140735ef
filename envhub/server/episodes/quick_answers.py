"""Which responses can be judged while everybody waits: short answers in short texts, where nothing can take long.

A hop to a thread and back costs several times what it takes to compare two numbers, so these are judged on the event loop. What
is let through is told by its form alone, whatever a policy writes: a number or a few words as the gold answer and as the only
final answer, in a text of bounded length with few of the characters that a search for answers stops at. Everything else is
judged in a thread, as long as it takes::

    if is_quick(body): ...                    # some tens of microseconds; a turn takes as many
"""

from __future__ import annotations

import re
from typing import Final

from envhub.server.http.requests import Verify, VerifyItem
from envhub.verifiers.answers.extraction import FORMS, find_spans, last_line

MAX_RESPONSES: Final = 4
MAX_CHARS: Final = 32_768
"""Of all responses together."""
MAX_DELIMITERS: Final = 64
"""Of the characters that may begin or end an answer or a thought, in all of them together."""
MAX_WEIGHTS: Final = 16
_DELIMITERS: Final = "<\\{}"
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z ]{0,99}")
_FORMS: Final = {"integer": _NUMBER, "rational": _NUMBER, "decimal": _NUMBER, "text": _WORDS}


def is_quick(body: Verify) -> bool:
    """Whether all that a request asks to judge takes little time for certain."""
    items = body.items
    if body.reward is not None and len(body.reward) > MAX_WEIGHTS:
        return False
    if not 0 < len(items) <= MAX_RESPONSES or sum(len(item.responses) for item in items) > MAX_RESPONSES:
        return False
    texts = [response for item in items for response in item.responses if isinstance(response, str)]
    if (
        sum(map(len, texts)) > MAX_CHARS
        or sum(text.count(mark) for text in texts for mark in _DELIMITERS) > MAX_DELIMITERS
    ):
        return False
    return all(map(_is_quick, items))


def _is_quick(item: VerifyItem) -> bool:
    form = _FORMS.get(item.kind or "")
    if form is None or item.gold is None or item.options or not form.fullmatch(item.gold):
        return False
    if item.answer_format not in (None, *FORMS):
        return False  # the nearest that there is will be looked for
    return all(isinstance(response, str) and _answers(response, form) for response in item.responses)


def _answers(text: str, form: re.Pattern[str]) -> bool:
    """Whether a text has one final answer, of a form."""
    spans = find_spans(text, last_line)[1]
    return len(spans) == 1 and form.fullmatch(spans[0].strip()) is not None
