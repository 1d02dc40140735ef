"""Poker opponents with drawn frequencies, and their description in prompts.

A table (:data:`envhub.envs.games.poker.rules.Habits`) has one row per situation of the game. Rows that depend on more
are harder to exploit: if frequencies ignore the card, the opponent's actions say nothing about its hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt
from typing import Final, Literal, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.games.poker.rules import RANKS, Habits, Poker, Weights, acts

Kind = Literal["blind", "round", "card", "situation"]
"""Conditions of frequencies: nothing, the round, the card, or the card and who acted before."""
KINDS: Final[tuple[Kind, ...]] = ("blind", "round", "card", "situation")
_MOST_DRAWS: Final = 200
_EXACT: Final = 1e-9


def draw_kuhn(rng: Stream, kind: Kind, grain: int, game: Poker, least: float, most: float) -> Habits | None:
    """Draw frequencies for Kuhn poker that no fixed pair of actions exploits.

    Args:
        rng: The source of randomness.
        kind: Conditions of the frequencies; ``round`` is the same as ``blind``.
        grain: Step between frequencies, in per cent.
        game: The rules of a hand.
        least: Chips that a decision must lose to count.
        most: The share of hands in which such a pair may be right, the hands acting first and second averaged.
    """

    def often(low: int = 0) -> int:
        return grain * rng.between(-(-low // grain), 100 // grain)

    # with frequencies that ignore the card, only these two are open: each answer comes as often, so none can be learned
    bluffing, trapping = rng.choice(((True, True), (False, True), (False, False)))
    for _ in range(_MOST_DRAWS):
        if kind in ("blind", "round"):
            bet, call = often(20), often()
            if (3 * call < 200) is not bluffing or (bet > call) is not trapping:
                continue
            bets, calls = [bet] * 3, [call] * 3
        else:
            bets, calls = [often() for _ in RANKS], [often() for _ in RANKS]
        later = kind == "situation"
        after_check = [often() for _ in RANKS] if later else bets
        after_both = [often() for _ in RANKS] if later else calls
        free = [(0, 100 - often_, often_) for often_ in (*bets, *after_check)]
        found = (*free, *((100 - often_, often_, 0) for often_ in (*calls, *after_both)))
        if all(fixed_share(game, found, least, *pair) <= most + _EXACT for pair in ("cc", "cf", "rc", "rf")):
            return found
    return None


def draw_leduc(rng: Stream, kind: Kind, grain: int) -> Habits:
    """Frequencies for Leduc poker; ``situation`` is the same as ``card``."""
    most = 100 // grain

    def free() -> Weights:
        bold = rng.below(most + 1)
        return 0, 100 - grain * bold, grain * bold

    def facing() -> Weights:
        one, other = sorted((rng.below(most + 1), rng.below(most + 1)))
        return grain * one, grain * (other - one), 100 - grain * other

    if kind == "blind":
        return (free(),) * 7 + (facing(),) * 7
    if kind == "round":
        return (free(),) * 3 + (free(),) * 4 + (facing(),) * 3 + (facing(),) * 4
    return (*(free() for _ in range(7)), *(facing() for _ in range(7)))


def fixed_share(game: Poker, habits: Habits, least: float, free: str, facing: str) -> float:
    """Mean share of hands in which always acting the same loses nothing.

    The player acts first and second in turn. The mean is geometric, so its n-th power is the probability that nothing
    is lost in n hands, for an even n.
    """

    def same(card: str, history: str) -> dict[str, float]:
        return {facing if acts(history).endswith("r") else free: 1.0}

    return sqrt(prod(game.faultless(habits, 0, least, same)))


class Row(NamedTuple):
    """The frequencies of one situation.

    Attributes:
        when: The situation: "When it acts first".
        acts: Verbs, each with percentages by card: of J, Q and K, or of these without a pair, then of a pair.
        otherwise: The verb for the rest.
    """

    when: str
    acts: tuple[tuple[str, tuple[int, ...]], ...]
    otherwise: str


def rows_kuhn(habits: Habits) -> list[Row]:
    """The situations of Kuhn poker; equal ones are one row."""
    first, second, facing, later = (habits[at : at + 3] for at in (0, 3, 6, 9))
    bets = [tuple(row[2] for row in part) for part in (first, second)]
    calls = [tuple(row[1] for row in part) for part in (facing, later)]
    if bets[0] == bets[1]:
        rows = [Row("When nobody has bet", (("bets", bets[0]),), "checks")]
    else:
        starts = ("When it acts first", "After your check")
        rows = [Row(when, (("bets", often),), "checks") for when, often in zip(starts, bets, strict=True)]
    if calls[0] == calls[1]:
        return [*rows, Row("When it faces a bet", (("calls", calls[0]),), "folds")]
    starts = ("When you act first and bet", "When it has checked and you bet")
    return [*rows, *(Row(when, (("calls", often),), "folds") for when, often in zip(starts, calls, strict=True))]


def rows_leduc(habits: Habits) -> list[Row]:
    """The situations of Leduc poker."""
    free, facing = habits[:7], habits[7:]
    rows = []
    for title, part, against in (("In round 1", free[:3], facing[:3]), ("In round 2", free[3:], facing[3:])):
        folds, raises = (tuple(row[at] for row in against) for at in (0, 2))
        bets = tuple(row[2] for row in part)
        rows += [
            Row(f"{title}, when there is no bet to face", (("bets", bets),), "checks"),
            Row(f"{title}, when it faces a bet or a raise", (("folds", folds), ("raises", raises)), "calls"),
        ]
    return rows


def sentence(row: Row) -> str:
    """A row in words."""
    acts = ", and ".join(f"{verb} {_by_card(often)}" for verb, often in row.acts)
    return f"{row.when}, it {acts}; otherwise it {row.otherwise}."


def cards(often: Sequence[int]) -> list[str]:
    """The cards that percentages belong to."""
    if len(often) == len(RANKS):
        return list(RANKS)
    return [*(f"{rank} without a pair" for rank in RANKS), "a pair"]


def _by_card(often: Sequence[int]) -> str:
    """Percentages by card, in words."""
    if len(set(often)) == 1:
        return f"{often[0]}% of the time, whatever its card"
    first, *others = (f"with {name} {share}%" for name, share in zip(cards(often), often, strict=True))
    return f"{first} of the time, {', '.join(others[:-1])}{',' * (len(others) > 2)} and {others[-1]}"
