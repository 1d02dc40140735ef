"""Judging responses to prompts with public instruction ids.

Most of these instructions also hold of one letter or of the prompt itself. So a response needs a companion: a number
of different words, as far as the instructions allow it, and words of its own::

    faults("Write.", "Write.", [["format:newline", {}]], "a")     # ["at least 12 different words are required"]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.constraints.public import checker
from envhub.generators.constraints.units import Text, spaced

DIFFERENT: Final = 12
_JOINED: Final = 4  # without white space, only signs separate words
_SHORT: Final = frozenset(
    {
        "detectable_format:constrained_response",
        "format:options",
        "custom:multiples",
        "repeat:repeat_simple",
        "repeat:repeat_span",
        "repeat:repeat_change",
    }
)
_COPIES: Final = frozenset({"repeat:repeat_simple", "repeat:repeat_span", "repeat:repeat_change", "format:options"})
_MOST: Final = {"count:word_count_range": "max_words", "length_constraints:number_words": "num_words"}


def least_words(instructions: Sequence[Any]) -> int:
    """The least number of different words of a response to these instructions."""
    if any(name in _SHORT for name, _ in instructions):
        return 1
    if any(name == "format:no_whitespace" for name, _ in instructions):
        return _JOINED
    bounds = [
        int(settings[_MOST[name]])
        for name, settings in instructions
        if name in _MOST and settings.get("relation", "less than") == "less than"
    ]
    return max(1, min([DIFFERENT, *(bound // 3 for bound in bounds)]))


def may_copy(instructions: Sequence[Any]) -> bool:
    """Whether an instruction asks for a passage of the request."""
    return any(name in _COPIES for name, _ in instructions)


def faults(prompt: str, shown: str, instructions: Sequence[JSON], response: str) -> list[str]:
    """What a response lacks: the instructions that it breaks, and its companion.

    Args:
        prompt: The prompt of the row.
        shown: The whole message that the policy saw.
        instructions: Ids with their arguments.
        response: The response.
    """
    text = Text(response)
    least = least_words(instructions)
    if len(text.word_counts) < least:
        return [f"at least {least} different words are required"]
    own = spaced(response).replace(spaced(prompt), " ")
    if (own in spaced(shown) or not own.strip()) and not may_copy(instructions):
        return ["it is copied from the request"]
    return [name for name, settings in instructions if not checker(name)(text, settings)]
