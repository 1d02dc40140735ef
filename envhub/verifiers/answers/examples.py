r"""Examples of the answer format for imported questions.

Without a hint at the gold answer. If the data declares the kind of the answer, the example is of that kind with random
values. Otherwise it follows from the question alone: an example chosen by the gold's kind would reveal that kind, for
instance that a "how many" has no number for an answer. A question with options gets a placeholder, since a label would
be ruled out::

    example_for("What is 6 times 7?", "auto", {}, rng)            # "58"
    example_for("Which planet is the largest?", "auto", {}, rng)  # "Amber Lantern"
    example_for("...", "interval", {}, rng)                       # "(3, 12]"
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.typed import Typed

PLACEHOLDER: Final = "LETTER"
_FIRST: Final = ("Amber", "Copper", "Granite", "Ivory", "Maple", "Quiet", "Silver", "Velvet")
_SECOND: Final = ("Anchor", "Bridge", "Garden", "Harbour", "Lantern", "Meadow", "Orchard", "Window")
_OPTIONS: Final = re.compile(r"(?:\(A\)|(?:^|\s)A[.):])\s?\S[\s\S]{0,2000}(?:\(B\)|(?:^|\s)B[.):])\s?\S", re.MULTILINE)
_YEAR: Final = re.compile(r"\b(?:which|what) year\b|^when\b", re.IGNORECASE)
_NUMBERS: Final = re.compile(
    r"[0-9$\\]|\bhow (?:many|much|old|far|long|often)\b|\b(?:calculate|compute|solve|evaluate|number of|sum|probability)\b",
    re.IGNORECASE,
)


def example_for(question: str, kind: str, options: Mapping[str, Any], rng: Stream) -> str:
    """An example of an answer to a question.

    Args:
        question: Its text.
        kind: The declared kind of the answer, or ``auto`` if none is.
        options: Its options.
        rng: Source of all randomness.
    """
    if kind == "choice" or (kind == "auto" and _OPTIONS.search(question)):
        return PLACEHOLDER
    if kind not in ("auto", "text"):
        return Typed(kind=kind, options=options).random(rng)
    if kind == "auto" and _YEAR.search(question):
        return str(rng.between(1700, 2020))
    if kind == "auto" and _NUMBERS.search(question):
        return str(rng.between(11, 99))
    return f"{rng.choice(_FIRST)} {rng.choice(_SECOND)}"
