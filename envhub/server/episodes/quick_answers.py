"""Decides which verify requests are judged on the event loop.

Those must be quick enough. A hop to a thread and back costs several times as much as comparing two numbers, so short
answers in short texts are judged on the loop. The decision rests on the form of the request alone, so no policy can
make it slow: the gold answer and the only final answer are a number or a few words, and the text has bounded length and
few of the delimiters at which answer extraction stops. Everything else is judged in a thread::

    if is_quick(body): ...                 # some tens of microseconds, about as long as a turn
"""

from __future__ import annotations

import re
from typing import Final

from envhub.server.http.requests import Verify, VerifyItem
from envhub.verifiers.answers.extraction import FORMS, find_spans, last_line
from envhub.verifiers.answers.final_answer import ANY_FORM

MAX_RESPONSES: Final = 4
MAX_CHARS: Final = 32_768
"""Maximum length of all responses together."""
MAX_DELIMITERS: Final = 64
"""Maximum number of characters in all responses that may start or end an answer or a thought."""
MAX_WEIGHTS: Final = 16
_DELIMITERS: Final = "<\\{}"
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,40}(?:\.[0-9]{1,40})?")
_WORDS: Final = re.compile(r"[A-Za-z][A-Za-z ]{0,99}")
_FORMS: Final = {"integer": _NUMBER, "rational": _NUMBER, "decimal": _NUMBER, "text": _WORDS}


def is_quick(body: Verify) -> bool:
    """Whether judging the whole request is certain to be quick."""
    items = body.items
    if body.reward is not None and len(body.reward) > MAX_WEIGHTS:
        return False
    if not 0 < len(items) <= MAX_RESPONSES or sum(len(item.responses) for item in items) > MAX_RESPONSES:
        return False
    texts = [response for item in items for response in item.responses if isinstance(response, str)]
    if (
        sum(map(len, texts)) > MAX_CHARS
        or sum(text.count(delimiter) for text in texts for delimiter in _DELIMITERS) > MAX_DELIMITERS
    ):
        return False
    return all(map(_is_quick, items))


def _is_quick(item: VerifyItem) -> bool:
    form = _FORMS.get(item.kind or "")
    if form is None or item.gold is None or item.options or not form.fullmatch(item.gold):
        return False
    if item.answer_format not in (None, ANY_FORM, *FORMS):
        return False  # an error that searches for the closest format
    return all(isinstance(response, str) and _answers(response, form) for response in item.responses)


def _answers(text: str, form: re.Pattern[str]) -> bool:
    """Whether a text has exactly one final answer of this form."""
    spans = find_spans(text, last_line)[1]
    return len(spans) == 1 and form.fullmatch(spans[0].strip()) is not None
