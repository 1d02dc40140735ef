"""Format: thoughts in ``<think> ... </think>``, then the answer in ``<answer> ... </answer>``, and nothing else.

Source: the format reward of DeepSeek-R1 (arXiv 2501.12948, section 2.2.2, with the template of its table 1). Range: {0, 1}. On
error: NaN.

Each of the four tags must stand exactly once, in that order, in lower case, with something other than spaces inside;
spaces and the tokens that end a chat message may stand around. An empty thought earns nothing, and neither does a second
answer. What the thought says is not judged: put the piece behind a gate, or give it a small weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from envhub.rewards.base import Sample, SampleReward, needed
from envhub.verifiers.answers.extraction import drop_end_tokens

_TAGS: Final = ("<think>", "</think>", "<answer>", "</answer>")


def thinks_then_answers(text: str, opened: bool = False) -> bool:
    """Whether a text has the form: one thought, then one answer. Linear in its length.

    Args:
        text: What the policy wrote.
        opened: The prompt template had written the first ``<think>`` already, so the text begins inside the thought.
    """
    whole = ("<think>" if opened else "") + drop_end_tokens(text).strip()
    if any(whole.count(tag) != 1 for tag in _TAGS):
        return False
    before, _, rest = whole.partition(_TAGS[0])
    thought, _, rest = rest.partition(_TAGS[1])
    between, _, rest = rest.partition(_TAGS[2])
    answer, closed, after = rest.partition(_TAGS[3])
    # of tags in another order one lies in a part that must be blank, or is not found at all
    blank = not (before.strip() or between.strip() or after.strip())
    return bool(blank and closed and thought.strip() and answer.strip())


@dataclass(frozen=True, slots=True)
class ThinkAnswer(SampleReward):
    """1 for a text of the form, else 0; needs ``text``."""

    opened: bool = False

    def of(self, judged: Sample) -> float:
        """1.0 or 0.0."""
        return float(thinks_then_answers(needed(judged.text, "text"), self.opened))
