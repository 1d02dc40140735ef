"""blotto-v0: who wins a round, what is a division, and that foresight pays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.core.difficulty import resolve
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.core.types import Instance
from envhub.envs.games.blotto import opponents
from envhub.envs.games.blotto.environment import Allocation, Blotto, Params, State
from envhub.envs.games.blotto.opponents import KINDS, Pattern, beats, divisions

GAME = Blotto()


@pytest.mark.parametrize(
    ("mine", "other", "won"),
    [((4, 4, 0), (3, 3, 2), 1), ((8, 0, 0), (7, 1, 0), 0), ((3, 3, 2), (3, 3, 2), 0), ((1, 1, 6), (2, 2, 4), -1)],
)
def test_who_wins_a_round(mine: tuple[int, ...], other: tuple[int, ...], won: int) -> None:
    assert beats(mine, other) == won == -beats(other, mine)


@given(st.integers(2, 4), st.integers(0, 9))
def test_every_division_is_there_once(fields: int, troops: int) -> None:
    found = divisions(fields, troops)
    assert len(found) == len(set(found)) == comb(troops + fields - 1, fields - 1)
    assert all(len(division) == fields and sum(division) == troops for division in found)


@pytest.mark.parametrize("text", ["4 3 1", "4,3,1", "4, 3, 1", "[4, 3, 1]", "(4 3 1)"])
def test_a_division_is_read_in_every_form(text: str) -> None:
    assert Allocation().read(f"<answer>{text}</answer>").value == (4, 3, 1)


@pytest.mark.parametrize("text", ["", "4 3 x", "-1 4 5", "4.5 3 1", "1 " * 20, "99999 1 1"])
def test_what_is_none_is_not(text: str) -> None:
    assert Allocation().read(f"<answer>{text}</answer>").reason is not None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ((4, 4), "Expected 3 numbers, one per field; got 2."),
        ((4, 4, 4), "Expected 8 troops in total; got 12."),
        ((4, 4, 0), ""),
    ],
)
def test_what_is_wrong_with_a_division_is_told(value: tuple[int, ...], why: str) -> None:
    inst = Instance(
        {"fields": 3, "troops": 8, "rounds": 1, "player": 0, "opponent": "random", "target": 1.0, "pattern": None}
    )
    assert GAME.fault(inst, GAME.start(inst), value) == why


def test_a_lead_longer_than_the_match_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="lead <= rounds"):
        resolve(Params, None, {"rounds": 2, "lead": 3})


@pytest.mark.parametrize(
    "wrong", [{"fields": 2}, {"fields": 3, "troops": 3}, {"fields": 5, "troops": 5}, {"troops": 3}]
)
def test_what_cannot_be_won_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameters, match=r"troops|fields"):
        resolve(Params, None, wrong)


@pytest.mark.parametrize("fields", [3, 4, 5])
def test_every_division_can_be_beaten_with_more_troops_than_fields(fields: int) -> None:
    for troops in (fields + 1, fields + 2, 2 * fields):
        resolve(Params, None, {"fields": fields, "troops": troops})
        moves = divisions(fields, troops)
        assert all(any(beats(move, other) > 0 for move in moves) for other in moves)
    even = (1,) * fields  # negative control: with as many troops as fields one cannot
    assert not any(beats(move, even) > 0 for move in divisions(fields, fields))


@pytest.mark.parametrize(("fields", "last"), [(2, (5, 3)), (3, (1, 1, 1))])
def test_greedy_moves_where_nothing_wins(fields: int, last: tuple[int, ...]) -> None:
    """No task has such parameters any more; an opponent finds a move all the same."""
    inst = Instance(
        {
            "fields": fields,
            "troops": sum(last),
            "rounds": 2,
            "player": 0,
            "opponent": "greedy",
            "target": 1.0,
            "pattern": None,
        }
    )
    s = State(1, 1, None, 0, ((last, last),))
    assert {GAME.greedy(inst, s, 1, Stream(b"b", n)) for n in range(20)} <= set(GAME.legal(inst, s))


@pytest.mark.parametrize("level", range(1, 11))
def test_the_oracle_leads_at_every_level(level: int) -> None:
    env = envhub.make("blotto-v0", difficulty=level)
    env.reset(seed=level)
    over = False
    while not over:
        _, reward, over, _, _ = env.step(env.solve())
    assert reward == 1.0


def foreseen(past: opponents.Rounds, kinds: Sequence[str]) -> Any:
    """The division that a pattern plays next, as far as the rounds so far tell; None where a new one is next."""
    shown = [own for _, own in past]
    lost = [beats(other, own) > 0 for other, own in past]
    if not shown:
        return None
    stays = "stay" in kinds and all(lost[at] == (shown[at + 1] != shown[at]) for at in range(len(shown) - 1))
    if stays and not lost[-1]:
        return shown[-1]
    # all divisions of the list differ, so one that was seen before is followed by the same one as then
    after = {shown[at]: shown[at + 1] for at in range(len(shown) - 1) if shown[at + 1] != shown[at]}
    return after.get(shown[-1])


def remember(env: Any) -> str:
    """Reads the observation alone: what came after a division comes again; one that has not lost may stay."""
    text = env.messages[-1]["content"]
    problem = env.task.problem
    rounds = re.findall(r"Round \d+: you ([\d ]+), opponent ([\d ]+)\.", text)
    past = [(tuple(map(int, one.split())), tuple(map(int, other.split()))) for one, other in rounds]
    known = foreseen(past, KINDS if problem["pattern"][1] == "any" else ("order",))
    moves = divisions(problem["fields"], problem["troops"])
    best = next(move for move in moves if known is None or beats(move, known) > 0)
    return f"<answer>{' '.join(map(str, best))}</answer>"


def rate(level: int, episodes: int, choose: Any) -> int:
    env, solved = envhub.make("blotto-v0", difficulty=level), 0
    for seed in range(episodes):
        env.reset(seed=seed)
        rng, over = Stream(b"b", seed), False
        while not over:
            _, reward, over, _, info = env.step(choose(env, rng))
        assert reward == float(info["verdict"]["solved"])
        solved += info["verdict"]["solved"]
    return solved


@pytest.mark.parametrize("level", range(1, 11))
def test_who_remembers_what_came_next_always_gets_the_lead(level: int) -> None:
    assert rate(level, 6, lambda env, rng: remember(env)) == 6


@pytest.mark.parametrize("level", [1, 5, 10])
def test_who_does_not_look_hardly_ever_gets_it(level: int) -> None:
    episodes = 40
    moves = divisions(*(getattr(Params.at(level), name) for name in ("fields", "troops")))
    for number in range(3):
        fixed = Stream(b"fixed", number).sample(moves, 1 + number)

        def cycle(env: Any, rng: Stream, fixed: Any = fixed) -> str:
            return f"<answer>{' '.join(map(str, fixed[len(env.episode.turns) % len(fixed)]))}</answer>"

        solved = rate(level, episodes, cycle)
        assert wilson(solved, episodes, NORMAL_999)[0] <= 0.05, (level, fixed, solved)
        assert solved == 0 or number
    solved = rate(level, episodes, lambda env, rng: env.random_action(rng))
    assert wilson(solved, episodes, NORMAL_999)[0] <= 0.05, (level, solved)


@pytest.mark.parametrize("kind", KINDS)
def test_a_pattern_plays_its_list(kind: Any) -> None:
    moves = ((4, 4, 0), (1, 3, 4), (0, 5, 3))
    pattern, past = Pattern(kind, moves), list[tuple[Any, Any]]()
    for mine in ((8, 0, 0), (5, 3, 0), (5, 0, 3), (8, 0, 0), (1, 4, 3)):
        past.append((mine, pattern.move(past)))
    shown = [moves.index(own) for _, own in past]
    assert shown == ([0, 1, 2, 0, 1] if kind == "order" else [0, 0, 0, 1, 1])


@given(st.integers(0, 10**6), st.sampled_from(KINDS), st.integers(2, 4))
@settings(max_examples=30, deadline=None)
def test_constants_and_what_is_foreseen_agree_with_play(seed: int, kind: Any, length: int) -> None:
    rng = Stream(b"list", seed)
    moves = divisions(3, 6)
    pattern = Pattern(kind, tuple(rng.sample(moves, length)))
    assert opponents.best_constant(pattern, 15) == max(
        opponents.lead(pattern, 15, lambda past, m=move: m) for move in moves
    )

    def player(past: Any) -> Any:
        known = foreseen(past, KINDS)
        if known is None:
            return rng.choice(moves)
        return next(move for move in moves if beats(move, known) > 0)

    assert opponents.lead(pattern, 20, player) >= 20 - 2 * length - 2


def test_a_lead_that_luck_would_decide_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="chance"):
        resolve(Params, None, {"opponent": "greedy", "rounds": 12, "secret": 3, "lead": 5})


@pytest.mark.parametrize("level", [1, 2, 3])
def test_what_a_fixed_cycle_can_win_follows_from_the_divisions(level: int) -> None:
    p = Params.at(level)
    every = divisions(p.fields, p.troops)
    best = max(sum(beats(mine, other) > 0 for other in every) for mine in every)
    assert Blotto.guessable[level][0] == (best / len(every)) ** p.secret
    cycles, rest = divmod(p.rounds, p.secret)
    won_but_one = (p.secret - 1) * cycles + min(rest, p.secret - 1)
    assert won_but_one < p.lead  # a draw in one place of the list is not enough
