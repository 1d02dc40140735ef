r"""Language consistency: the share of letters in the requested script.

Source: the language consistency reward of DeepSeek-R1 (arXiv 2501.12948, section 2.3.2): the share of words in the target
language in the chain of thought. Range: [0, 1]. On error: NaN.

Approximation: a language is identified only by its script (Unicode ranges), so English and French are the same. Letters
are counted instead of words, which some scripts do not separate. Tags (``<think>``), LaTeX commands (``\frac``), lone
Latin and Greek letters (the x of a formula), digits and punctuation are ignored. A text without letters gets 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.rewards.base import Sample, SampleReward, needed

_RANGES: Final = {
    "latin": "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "hebrew": "\u05d0-\u05f4",
    "arabic": "\u0620-\u065f\u066e-\u06d3\u06d5-\u06ff\u0750-\u077f\u08a0-\u08ff\ufb50-\ufdff\ufe70-\ufefc",
    "devanagari": "\u0900-\u0963\u0970-\u097f",
    "bengali": "\u0980-\u09e3",
    "tamil": "\u0b80-\u0be3",
    "thai": "\u0e01-\u0e4e",
    "hangul": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "kana": "\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "han": "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af",
}

SCRIPTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        **{script: frozenset({script}) for script in _RANGES},
        "japanese": frozenset({"kana", "han"}),
    }
)
"""For each requested script, the scripts that count as it."""

_LONE: Final = frozenset({"latin", "greek"})
_NEUTRAL: Final = r"</?[A-Za-z_]{1,16}>|\\[A-Za-z]+|[\U0001d400-\U0001d7ff]+"  # tags, LaTeX, letters of formulas


@cache
def _runs() -> re.Pattern[str]:
    """Regular expression for runs of one script; compiled on first use."""
    scripts = "|".join(f"(?P<{name}>[{ranges}]+)" for name, ranges in _RANGES.items())
    return re.compile(rf"{_NEUTRAL}|{scripts}|(?P<other>[^\W\d_])")


def script_share(text: str, script: str) -> float:
    """The share of a text's letters in a script.

    0 without letters. Linear time.

    Raises:
        InvalidParameters: Unknown script.
    """
    wanted = _wanted(script)
    total = right = 0
    for run in _runs().finditer(text):
        name = run.lastgroup
        size = run.end() - run.start()
        if name is None or (size == 1 and name in _LONE):
            continue
        total += size
        right += size if name in wanted else 0
    return right / total if total else 0.0


def _wanted(script: str) -> frozenset[str]:
    if script not in SCRIPTS:
        raise InvalidParameters(
            f"Unknown script {script!r}.{nearest(script, SCRIPTS)} Available: {', '.join(SCRIPTS)}."
        )
    return SCRIPTS[script]


@dataclass(frozen=True, slots=True)
class Language(SampleReward):
    """The share of the text's letters in a script; needs ``text``."""

    script: str

    def __post_init__(self) -> None:
        _wanted(self.script)

    def of(self, judged: Sample) -> float:
        """The share."""
        return script_share(needed(judged.text, "text"), self.script)
