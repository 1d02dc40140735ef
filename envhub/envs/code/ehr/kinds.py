"""The kinds of question of ehr-v0, and questions of a certain length."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.ehr import counting, following, listing
from envhub.envs.code.ehr.questions import Kind, Question, draw_question
from envhub.envs.code.ehr.templates import right

KINDS: Final[Mapping[str, Kind]] = {**counting.KINDS, **listing.KINDS, **following.KINDS}
"""All kinds by name."""
_TRIES: Final = 6
_WORD: Final = re.compile(r"'[^']*'|\w+|[<>=!]+|[^\s\w]")


def length(query: str) -> int:
    """Number of words and signs of a query."""
    return len(_WORD.findall(query))


def draw_fitting(rng: Stream, p: Any) -> Question | None:
    """A question of the level's query length.

    All kinds that have one are equally likely.
    """
    names = [name for name, kind in KINDS.items() if p.notes or not kind.notes]
    rng.shuffle(names)
    for name in names:
        kind = KINDS[name]
        for _ in range(_TRIES):
            count = rng.between(kind.least, kind.most)
            question = draw_question(rng, name, kind, count, mixed=p.mixed, notes=p.notes)
            if p.least <= length(right(question.template)) <= p.most:
                return question
    return None
