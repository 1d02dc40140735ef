"""Sets of constraints: drawing one with a witness, and checking a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.constraints.facts import report_of
from envhub.generators.constraints.kinds import Constraint, Kind
from envhub.generators.constraints.measures import MEASURES
from envhub.generators.constraints.shapes import SHAPES
from envhub.generators.constraints.units import Text
from envhub.generators.constraints.writer import write

KINDS: Final[dict[str, Kind]] = {**SHAPES, **MEASURES}


class Draft(NamedTuple):
    """Constraints, and a text that satisfies them."""

    constraints: list[Constraint]
    text: str


def draw_set(rng: Stream, facts: JSON, count: int, shaped: int, extra: int) -> Draft | None:
    """Draw constraints and a witness.

    Args:
        rng: Source of randomness.
        facts: What the text reports.
        count: Number of constraints.
        shaped: How many of them are about the shape of the text.
        extra: Sentences without a fact in the witness.
    """
    shape = draw_shape(rng, shaped)
    raw = write(rng, facts, shape, extra)
    text = Text(raw)
    measured: list[Constraint] = []
    for name in rng.sample(list(MEASURES), len(MEASURES)):
        if len(measured) + len(shape) >= count:
            break
        for _ in range(1 + (MEASURES[name].repeats and rng.below(2))):
            settings = MEASURES[name].draw(rng, text)
            if settings is not None and (name, settings) not in measured:
                measured.append((name, settings))
    constraints = [*shape, *measured[: count - len(shape)]]
    rng.shuffle(constraints)
    report = report_of(facts["rows"], text)
    wrong = len(constraints) < count or report.missing or report.mixed or broken(constraints, text)
    return None if wrong else Draft(constraints, raw)


def draw_shape(rng: Stream, count: int) -> list[Constraint]:
    """Constraints on the shape, none of which excludes another."""
    found: list[Constraint] = []
    for name in rng.sample(list(SHAPES), len(SHAPES)):
        if len(found) < count and compatible(name, found):
            settings = SHAPES[name].draw(rng, Text(""))
            assert settings is not None
            found.append((name, settings))
    return found


def compatible(name: str, others: Iterable[Constraint]) -> bool:
    """Whether a kind can hold together with others."""
    groups = KINDS[name].excludes
    return not any(set(groups) & set(KINDS[other].excludes) for other, _ in others)


def broken(constraints: Sequence[Constraint], text: Text) -> list[int]:
    """The places of the constraints that a text does not satisfy."""
    return [at for at, (name, settings) in enumerate(constraints) if not KINDS[name].holds(text, settings)]
