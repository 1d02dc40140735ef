"""Format: ``<think> ... </think>``, then ``<answer> ... </answer>``, and nothing else.

Source: the format reward of DeepSeek-R1 (arXiv 2501.12948, section 2.2.2, with the template of its table 1). Range: {0, 1}. On
error: NaN.

Each of the four tags must appear exactly once, in that order, in lower case, with non-blank content; spaces and
end-of-message tokens may surround them. An empty thought or a second answer earns nothing. The thought's content is not
judged: put this reward behind a gate, or give it a small weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from envhub.rewards.base import Sample, SampleReward, needed
from envhub.verifiers.answers.extraction import drop_end_tokens

_TAGS: Final = ("<think>", "</think>", "<answer>", "</answer>")


def thinks_then_answers(text: str, opened: bool = False) -> bool:
    """Whether a text is one thought, then one answer. Linear time.

    Args:
        text: The policy's text.
        opened: The prompt template already contains the first ``<think>``, so the text begins inside the thought.
    """
    whole = ("<think>" if opened else "") + drop_end_tokens(text).strip()
    if any(whole.count(tag) != 1 for tag in _TAGS):
        return False
    before, _, rest = whole.partition(_TAGS[0])
    thought, _, rest = rest.partition(_TAGS[1])
    between, _, rest = rest.partition(_TAGS[2])
    answer, closed, after = rest.partition(_TAGS[3])
    # tags in another order leave one in a part that must be blank, or missing
    blank = not (before.strip() or between.strip() or after.strip())
    return bool(blank and closed and thought.strip() and answer.strip())


@dataclass(frozen=True, slots=True)
class ThinkAnswer(SampleReward):
    """1 if the text has the format, else 0; needs ``text``."""

    opened: bool = False

    def of(self, judged: Sample) -> float:
        """1.0 or 0.0."""
        return float(thinks_then_answers(needed(judged.text, "text"), self.opened))
