"""A small model that speaks for users: it rewords each sentence by rules, as a real one is asked to."""

from __future__ import annotations

import json
import re
from typing import Any

STARTS = ("Well, ", "Hmm, ", "Look, ", "Right then: ", "")
ENDS = ("", " Thank you so much!", " That would be great.", " Does that help?")
SHORTER = (("I would", "I'd"), ("does not", "doesn't"), ("do not", "don't"), ("I have", "I've"), ("It is", "It's"))


def sentences(messages: list[dict[str, Any]]) -> list[str]:
    """The sentences that a request asks to reword."""
    listed = messages[-1]["content"].partition("\nSay next:\n")[2]
    return re.findall(r"^\d+\. (.*) \(keep: [^()]*\)$", listed, re.MULTILINE)


def reworded(text: str) -> str:
    """The sentence with a start, an end and contractions."""
    for long, short in SHORTER:
        text = text.replace(long, short)
    start, end = STARTS[len(text) % 4], ENDS[len(text) // 3 % 4]
    first = text.split(" ", 1)[0].rstrip(",.!")
    if start and first in ("Yes", "No", "My", "The", "It's", "Please", "It", "That", "All", "Sorry", "What"):
        text = text[0].lower() + text[1:]
    return f"{start}{text}{end}"


def replying(lines: list[str]) -> dict[str, Any]:
    """A message with the object that is asked for."""
    return {"role": "assistant", "content": json.dumps({"lines": lines})}


def chatty(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Reword each sentence."""
    return replying([reworded(text) for text in sentences(messages)])
