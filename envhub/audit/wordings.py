"""Contract on wordings.

Every wording says everything, and the held-out one stays unseen in training. It covers environments whose ``prompt``
returns a :class:`envhub.authoring.wording.Statement`; a prompt that is one fixed text has no wordings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from envhub.audit.subject import Subject, require
from envhub.authoring.wording import HELD_OUT, Phrase, Statement, Wording

FEWEST_FRAMES: Final = 5
FEWEST_RENDERINGS: Final = 2
_TRIED: Final = 24
_STEP: Final = 397  # of the wordings that are tried
SHORTEST: Final = 12
"""Length of a held-out text below which it may occur in any prompt by chance."""
_PLACES: Final = re.compile(r"\b(above|below|following|beneath|overleaf)\b", re.IGNORECASE)
_GRAM: Final = 8
_COMMON: Final = 0.8


def check_wordings(subject: Subject) -> None:
    """Every wording is complete, and nothing held out occurs in training.

    Nor does a phrase say where another part stands.
    """
    for level in (1, 5, 10):
        problem = subject.started(level, 31).episode.instance.problem
        stated = subject.environment.prompt(problem)
        if isinstance(stated, str):
            return
        where = f"{subject.id} at {level}"
        frames, renderings = len(stated.frames.options), len(stated.data.options)
        require(
            frames >= FEWEST_FRAMES and renderings >= FEWEST_RENDERINGS,
            f"{where}: a statement needs {FEWEST_FRAMES} frames and {FEWEST_RENDERINGS} renderings, "
            f"got {frames} and {renderings}.",
        )
        for phrase in _phrases(stated):
            for text in phrase.filled(stated.values):
                pointing = _PLACES.search(text)
                require(pointing is None, f"{where}: frames move the parts, so {text!r:.80} may not point at a place.")
        _check_texts(stated, where)


def _check_texts(stated: Statement, where: str) -> None:
    training = [Wording(number * _STEP) for number in range(_TRIED)]
    size = len(list(stated.parts().texts()))
    for wording in (*training, HELD_OUT):
        text, parts = stated.worded(wording), list(stated.parts(wording).texts())
        require(len(parts) == size, f"{where}: the wording {wording.number} has {len(parts)} parts instead of {size}.")
        missing = next((part for part in parts if part not in text), None)
        require(missing is None, f"{where}: the wording {wording.number} lacks {missing!r:.80}.")
    seen = [stated.worded(wording) for wording in training]
    for held_out in stated.parts(HELD_OUT).texts():
        shown = len(held_out) >= SHORTEST and any(held_out in text for text in seen)
        require(not shown, f"{where}: a training prompt contains the held-out text {held_out!r:.80}.")


def _phrases(stated: Statement) -> Iterator[Phrase]:
    yield stated.task
    yield from stated.rules
    if stated.note is not None:
        yield stated.note


def fixed_share(prompts: list[str]) -> float:
    """Share of 8-word shingles that most of the prompts contain."""
    grams = [_grams(prompt) for prompt in prompts]
    seen = Counter(gram for one in grams for gram in one)
    common = sum(count for count in seen.values() if count > _COMMON * len(prompts))
    return common / max(1, sum(map(len, grams)))


def _grams(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[at : at + _GRAM]) for at in range(len(words) - _GRAM + 1)}
