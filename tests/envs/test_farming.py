"""What a dense reward pays for going round in circles: never more than for finishing.

Every environment of many turns that nothing live stands behind is played to the end by its oracle, and by players who do not
want to finish: who repeat one step of the oracle, do all of its steps but the last and then go round or stop, do everything
twice, or act at random. Whatever may be weighed as a gain, the score included, is compared; a farmable world shows that it
would be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, cycle, repeat
from typing import Any, ClassVar

import pytest

import envhub
from envhub.authoring import World
from envhub.authoring.game import Game
from envhub.core.seeding import Stream
from envhub.core.types import EnvSpec, Instance, Turn, Verdict
from envhub.gymnasium.env import Env
from envhub.registry.registry import builtin_ids, load, self_contained, spec
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from envhub.verifiers.answers.types import AnswerType, Integer

COSTS = {"format", "illegal", "abuse", "wasted", "extra", "tool_calls", "violations"}
"""Components that are no gain: what is weighed is weighed against the policy, or is no doing of a loop."""
LUCK = {"kuhn-poker-v0", "leduc-poker-v0", "blackjack-v0"}
"""Where the component ``result``, or the score, is partly luck: only the others are compared."""
Player = Callable[[list[str], Stream], Iterator[str]]


def comparable(id: str) -> bool:
    cls = load(spec(id))
    live = cls.required() and not issubclass(cls, Game)
    return cls.max_turns > 1 and not live and self_contained(id)


def solution(env: Env) -> list[str]:
    """What the oracle does."""
    actions, twin = [], env.fork()
    while not twin.episode.over:
        actions.append(twin.solve())
        twin.step(actions[-1])
    return actions


def gains(env: Env, actions: Iterator[str]) -> dict[str, float]:
    """What an episode pays, by everything that can be weighed as a gain."""
    while not env.episode.over:
        env.step(next(actions))
    verdict = env.episode.turns[-1].verdict
    assert verdict is not None
    assert verdict.score is not None
    parts = {name: verdict.components.get(name, 0.0) for name in env.environment.components - COSTS}
    return {**parts, "accuracy": verdict.score}


def one_step(actions: list[str], rng: Stream) -> Iterator[str]:
    return repeat(rng.choice(actions))


def all_but_the_end(actions: list[str], rng: Stream) -> Iterator[str]:
    return chain(actions[:-1], cycle(actions[:-1] or [""]))


def round_two(actions: list[str], rng: Stream) -> Iterator[str]:
    return chain(actions[:-1], cycle(actions[max(0, len(actions) - 3) : -1] or [""]))


def everything_twice(actions: list[str], rng: Stream) -> Iterator[str]:
    return chain(chain.from_iterable((action, action) for action in actions), cycle(actions))


def no_end(actions: list[str], rng: Stream) -> Iterator[str]:
    return chain(actions[:-1], repeat(""))


PLAYERS: list[Player] = [one_step, all_but_the_end, round_two, everything_twice, no_end]
IDS = [id for id in builtin_ids() if comparable(id)]


def most(env: Env, player: Player, number: int) -> dict[str, float]:
    """What a player gets who does not want to finish."""
    return gains(env.fork(), player(solution(env), Stream(b"farm", number)))


def by_chance(env: Env, number: int) -> dict[str, float]:
    rng, twin = Stream(b"chance", number), env.fork()
    return gains(twin, iter(lambda: twin.random_action(rng), None))


@pytest.mark.parametrize("id", IDS)
def test_going_round_pays_no_more_than_finishing(id: str) -> None:
    for number, level in enumerate((1, 4)):
        env = envhub.make(id, difficulty=level)
        env.reset(seed=number)
        best = gains(env.fork(), iter(solution(env)))
        names = best.keys() - ({"result", "accuracy"} if id in LUCK else set())
        for got in [*(most(env, player, number) for player in PLAYERS), by_chance(env, number)]:
            assert {name: got[name] for name in names if got[name] > best[name] + 1e-9} == {}


DENSE = {
    "kitchen-v0": "progress",
    "sokoban-v0": "placed",
    "minesweeper-v0": "progress",
    "wordle-v0": "found",
    "blackjack-v0": "sound",
    "preference-v0": "fitting",
    "preference-v1": "fit",
    "kuhn-poker-v0": "sound",
    "leduc-poker-v0": "sound",
    "function-call-v0": "right",
    "apps-v0": "right",
    "apps-v1": "right",
    "search-qa-v0": "retrieval",
    "deep-research-v0": "completeness",
    "deep-research-v1": "completeness",
    "webshop-v0": "webshop",
    "customer-service-v0": "told",
    "browse-v1": "done",
    "quest-v0": "parts",
    "gridworld-v0": "confirmed",
    "crafting-v0": "achieved",
    "shisen-sho-v0": "cleared",
}


@pytest.mark.parametrize("id", DENSE)
def test_finishing_pays_all_there_is(id: str) -> None:
    env = envhub.make(id, difficulty=4)
    env.reset(seed=2)
    assert gains(env.fork(), iter(solution(env)))[DENSE[id]] == 1.0


@pytest.mark.parametrize("id", ["kitchen-v0", "sokoban-v0", "minesweeper-v0", "wordle-v0", "preference-v0"])
def test_who_stops_before_the_end_is_paid_less(id: str) -> None:
    env = envhub.make(id, difficulty=4)
    env.reset(seed=2)
    assert most(env, no_end, 0)[DENSE[id]] < 1.0


def test_every_dense_component_is_looked_at() -> None:
    named = {(id, name) for id in IDS for name in load(spec(id)).components - COSTS - {"result"}}
    others = {
        ("search-qa-v0", "cited"),
        *((f"deep-research-v{n}", name) for n in (0, 1) for name in ("cited", "retrieval", "support")),
        *(("webshop-v0", name) for name in ("type", "attributes", "options", "price")),
        ("customer-service-v0", "right"),
    }
    assert named == set(DENSE.items()) | others


class Till(World):
    """Say 7 to be done; every 1 rings, and a ring is counted."""

    answer: AnswerType = Integer()
    split_by = "none"
    components: ClassVar[frozenset[str]] = frozenset({"format", "rings"})
    max_turns: ClassVar[int] = 8

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({})

    def prompt(self, problem: Any) -> str:
        return "Say 1, then 7."

    def begin(self, inst: Instance, rng: Stream) -> int:
        return 0

    def act(self, inst: Instance, state: int, value: int, rng: Stream) -> Turn:
        if value == 7:
            return Turn.end(state, Verdict.exact(True).noting(None, rings=float(state)))
        return Turn(state + (value == 1), "Go on.")

    def solve(self, inst: Instance, state: int) -> str:
        return "7" if state else "1"

    def exhausted(self, inst: Instance, state: int) -> Verdict:
        return super().exhausted(inst, state).noting(None, rings=float(state))


def test_a_reward_that_can_be_farmed_would_be_seen() -> None:
    env = Env(TaskSource(EnvSpec("till-v0", f"{__name__}:Till"), Till(), None, "train", {}), Options())
    env.reset(seed=0)
    best = gains(env.fork(), iter(solution(env)))
    assert best == {"rings": 1.0, "accuracy": 1.0}
    assert most(env, all_but_the_end, 0)["rings"] > best["rings"]
    assert most(env, one_step, 1)["accuracy"] <= best["accuracy"]
