"""Questions about patients, each a query with its near misses.

A kind is a function that draws the question; the conditions on patients are drawn beside it. The words, the columns and
the order are stated in full, and so is the reading of each notion that has several (:mod:`.wording`)::

    question = draw_question(rng, "readmissions", conditions=2, mixed=True, notes=False)
    question.asks[0], right(question.template), list(near_misses(question.template))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from envhub.core.seeding import Stream
from envhub.envs.code.ehr.cohorts import Condition, Drawing, cohort_sql, cohort_words, draw_conditions, focus_of
from envhub.envs.code.ehr.hospital import Focus


@dataclass(frozen=True, slots=True)
class Draft:
    """What a kind asks, before the patients are put in.

    Attributes:
        asks: The question in two phrasings and a held-out one, with the field ``{patients}``.
        columns: The columns of the answer.
        template: The query, with the field ``COHORT`` where the conditions on ``p`` stand.
        order: Numbers of the columns that rows are sorted by, negative where the highest comes first. Empty: in any order.
        ordered: The order in words.
        focus: What must be frequent.
        readings: The notions whose reading must be stated.
    """

    asks: tuple[str, str, str]
    columns: tuple[str, ...]
    template: str
    order: tuple[int, ...] = ()
    ordered: str = ""
    focus: Focus = field(default_factory=Focus)
    readings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question.

    Attributes:
        draw: Draws the question.
        least: Minimum number of conditions on patients.
        most: Maximum number of them.
        without: Topics that these conditions may not have.
        notes: Whether it is about facts that stand in notes only.
    """

    draw: Callable[[Drawing], Draft]
    least: int = 0
    most: int = 3
    without: frozenset[str] = frozenset()
    notes: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        kind: The name of its kind.
        asks: The question in two phrasings and a held-out one.
        columns: The columns of the answer.
        template: The query with its near misses (:mod:`envhub.envs.code.ehr.templates`).
        order: As in :class:`Draft`.
        ordered: The order in words; empty if rows may come in any order.
        focus: What must be frequent in databases that tell near misses apart.
        readings: The notions whose reading must be stated.
    """

    kind: str
    asks: tuple[str, ...]
    columns: tuple[str, ...]
    template: str
    order: tuple[int, ...]
    ordered: str
    focus: Focus
    readings: tuple[str, ...]


def draw_question(rng: Stream, name: str, kind: Kind, conditions: int, *, mixed: bool, notes: bool) -> Question:
    """A question of a kind.

    Args:
        rng: Source of randomness.
        name: Name of the kind.
        kind: The kind.
        conditions: Number of conditions on patients.
        mixed: Whether results have several units.
        notes: Whether conditions may be about notes.
    """
    drawing = Drawing(rng, mixed, notes)
    draft = kind.draw(drawing)
    drawn: Sequence[Condition] = draw_conditions(drawing, conditions, kind.without)
    patients = cohort_words(drawn)
    return Question(
        name,
        tuple(ask.replace("{patients}", patients) for ask in draft.asks),
        draft.columns,
        draft.template.replace("COHORT", cohort_sql(drawn)),
        draft.order,
        draft.ordered,
        draft.focus.with_all(focus_of(drawn)),
        tuple(sorted({*draft.readings, *(each for condition in drawn for each in condition.readings)})),
    )


def days(start: str, end: str, *, times: bool = False) -> str:
    """Number of days between two dates.

    Args:
        start: The first date, or a time.
        end: The second one.
        times: Whether one of them is a time. A near miss then counts hours as well.
    """
    whole = f"julianday(date({end})) - julianday(date({start}))"
    return f"([{whole}~julianday({end}) - julianday({start})])" if times else f"({whole})"
