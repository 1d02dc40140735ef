"""kitchen-v0: rounds, partners, what is shown, what the score counts, and that progress cannot be farmed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring.game.model_opponent import ModelOpponents
from envhub.core.effects import Effect, Live, Outcome
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.kitchen.environment import Params, TwoCooks
from envhub.envs.games.kitchen.plans import Steps
from envhub.envs.games.kitchen.rules import STEPS, WAIT, Kitchen, first, step
from envhub.gymnasium.env import Env
from tests.envs.games import kitchen_by_prompt

GAME = TwoCooks()
IDLE = "<answer>wait</answer>"


def begun(level: int = 2, seed: int = 1, **settings: Any) -> Env:
    env = envhub.make("kitchen-v0", difficulty=level, **settings)
    env.reset(seed=seed)
    return env


def finish(env: Env, action: Any) -> tuple[float, dict[str, Any]]:
    while True:
        _, reward, terminated, truncated, info = env.step(action(env))
        if terminated or truncated:
            assert not truncated
            return reward, info


def solving(env: Env) -> str:
    return env.solve()


@pytest.mark.parametrize("text", ["up left wait", "Up, Left, Wait", "[u l w]", "U,L,W", "up  left\nwait"])
def test_a_plan_is_read_in_every_form(text: str) -> None:
    assert Steps().read(f"<answer>{text}</answer>").value == (0, 1, WAIT)


@pytest.mark.parametrize("text", ["", "north", "up 2", "up-left", "up " * 65, "interact"])
def test_what_is_no_plan_is_not(text: str) -> None:
    assert Steps().read(f"<answer>{text}</answer>").reason is not None


def test_a_plan_that_is_too_long_is_told_and_a_short_one_waits() -> None:
    env = begun()
    said, _, over, _, _ = env.step("<answer>up up up up up</answer>")
    assert "A plan may have at most 4 steps; this one has 5." in said
    assert not over
    inst, s = env.episode.instance, env.episode.state.s
    assert GAME.read_move(inst, s, (0,)) == (0, WAIT, WAIT, WAIT)
    twin = env.fork()
    assert env.step("<answer>left</answer>")[0] == twin.step("<answer>left wait wait wait</answer>")[0]


@pytest.mark.parametrize("level", [1, 4, 7, 10])
@pytest.mark.parametrize("partner", ["greedy", "self"])
def test_the_oracle_serves_everything_from_either_seat(level: int, partner: str) -> None:
    for seat in (0, 1):
        reward, info = finish(begun(level, 3, seat=seat, opponent=partner), solving)
        paid = info["payoffs"]
        assert reward == 1.0
        assert paid[0] == paid[1] == info["verdict"]["payoff"]
        assert info["verdict"]["components"]["progress"] == info["verdict"]["components"]["result"] == 1.0


def test_the_kitchen_is_the_same_whoever_the_partner_is() -> None:
    """What a seed draws depends on every parameter; so the same stream is drawn from by hand."""
    made = []
    for partner in ("greedy", "random", "self"):
        staged = GAME.setup(Stream(b"partner", 4), Params.at(4).model_copy(update={"opponent": partner}))
        try:
            rows = next(staged)  # type: ignore[arg-type]
            staged.send(None)  # type: ignore[union-attr]
        except StopIteration as stop:
            made.append((rows, stop.value and {**stop.value.problem, "alone": 0}))
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("level", [1, 5, 10])
def test_doing_nothing_earns_nothing(level: int) -> None:
    for seed in range(4):
        env = begun(level, seed)
        reward, info = finish(env, lambda env: IDLE)
        assert (reward, info["verdict"]["solved"]) == (0.0, False)
        assert info["payoffs"][0] <= env.task.problem["alone"]


def test_the_score_is_the_share_beyond_what_the_partner_serves_alone() -> None:
    inst = begun(5, 1).episode.instance
    many, without = len(inst.problem["orders"]), inst.problem["alone"]
    assert GAME.score(inst, many) == 1.0
    assert GAME.score(inst, without) == 0.0
    assert GAME.score(inst, without - 1) < 0.0  # is cut to 0 by the base
    assert inst.problem["target"] == many > without


class ByRule(Live):
    """A model in the other seat that plays as the cook by the rule would, beside a policy that waits."""

    def __init__(self, env: Env) -> None:
        self.env = env

    def perform(self, effect: Effect) -> Outcome:
        inst, s = self.env.episode.instance, self.env.episode.state.s
        s = GAME.play(inst, s, (WAIT,) * inst.problem["steps"])
        return Outcome(GAME.write_move(GAME.greedy(inst, s, 1 - inst.problem["player"], Stream(b""))))


def test_waiting_beside_a_model_that_cooks_earns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    served = []
    for seed in range(4):
        env = begun(5, seed, opponent="http://127.0.0.1:9/v1#cook")
        live = ByRule(env)
        monkeypatch.setattr(ModelOpponents, "open", lambda self, problem, token=None, live=live: live)
        reward, info = finish(env, lambda env: IDLE)
        assert (reward, info["verdict"]["solved"]) == (0.0, False)
        served.append(info["payoffs"][0])
    assert max(served) > 0.0  # so there was something to be paid for


@pytest.mark.parametrize(
    ("partner", "said"),
    [
        ("greedy", "Without your help, your partner would serve 1 order."),
        ("http://127.0.0.1:9/v1#cook", "One cook alone would serve 1 order."),
        ("random", None),
        ("mcts:20", None),
        ("self", None),
    ],
)
def test_the_goal_says_what_is_taken_off(partner: str, said: str | None) -> None:
    """The stream is the same for all of them, and so is the kitchen."""
    staged = GAME.setup(Stream(b"goal", 1), Params.at(2).model_copy(update={"opponent": partner, "length": (1, 241)}))
    try:
        next(staged)  # type: ignore[arg-type]
        staged.send(None)  # type: ignore[union-attr]
    except StopIteration as stop:
        problem = {**stop.value.problem, "opponent": partner}
    goal = GAME.goal(problem)
    assert bool(problem["alone"]) is (said is not None)
    assert "You succeed if all orders are served in time." in goal
    assert said is None or said in goal
    orders = len(problem["orders"])
    counted = f"(orders served - 1) / {orders - 1}, but at least 0." if said else f"orders served / {orders}."
    assert f" Otherwise it is {counted} If you lose" in goal
    inst = Instance(problem, {})
    assert (GAME.score(inst, 1.0) > 0.0) is (said is None)


@pytest.mark.parametrize("partner", ["random", "mcts:5"])
def test_a_partner_of_whom_nothing_is_taken_off_serves_nothing_alone(partner: str) -> None:
    for seed in range(3):
        reward, info = finish(begun(2, seed, opponent=partner), lambda env: IDLE)
        assert reward == info["payoffs"][0] == 0.0


def test_a_plan_is_shown_to_nobody_before_both_are_made() -> None:
    env = begun(opponent="self")
    other = 1 - env.episode.task.problem["player"]
    inst, s = env.episode.instance, env.episode.state.s
    before = GAME.observe(inst, s, other)
    assert env.step("<answer>up up up up</answer>")[4]["player"] == other
    inst, s = env.episode.instance, env.episode.state.s
    assert GAME.observe(inst, s, other) == before
    seen = {GAME.imagine(inst, s, other, Stream(b"i", n)).chosen for n in range(20)}
    assert len(seen) > 10
    said = env.step("<answer>wait</answer>")[0]
    assert "you did: wait" in said.lower() or "did: wait" in said
    assert "did: up" in said


def test_the_partner_counts_on_who_does_something() -> None:
    env = begun(3, 2)
    inst, s = env.episode.instance, env.episode.state.s
    seat = 1 - inst.problem["player"]
    stirred = GAME.greedy(inst, s, seat, Stream(b""))
    assert GAME.greedy(inst, s, seat, Stream(b"other luck")) == stirred
    served = {}
    for counted in (True, False):
        at = s
        for _ in range(inst.problem["rounds"]):
            still = at._replace(stirred=(counted, counted))
            move = GAME.greedy(inst, still._replace(chosen=None), seat, Stream(b""))
            at = GAME.play(inst, still._replace(chosen=move, first=seat), (WAIT,) * 4)
            if GAME.to_move(at) is None:
                break
        served[counted] = at.core.served
    assert served[False] >= served[True]


def test_time_runs_out() -> None:
    env = begun(1, 1)
    rounds = env.task.problem["rounds"]
    for _ in range(rounds - 1):
        assert not env.step(IDLE)[2]
    said, _, over, truncated, info = env.step(IDLE)
    assert (over, truncated) == (True, False)
    assert "orders were served" in said
    assert info["verdict"]["components"]["progress"] < 1.0


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), level=st.integers(1, 10))
def test_random_play_keeps_the_rules(seed: int, level: int) -> None:
    env = begun(level, seed % 40, opponent="self")
    rng = Stream(b"play", seed)
    served = 0
    while not env.episode.over:
        inst, s = env.episode.instance, env.episode.state.s
        mover = GAME.to_move(s)
        assert mover in (0, 1)
        move = GAME.random_move(inst, s, rng)
        assert Steps().parse(GAME.write_move(move)) == move
        assert not GAME.fault(inst, s, move)
        assert s.core.served >= served
        served = s.core.served
        env.step(GAME.write_move(move))
    verdict = env.episode.turns[-1].verdict
    assert verdict is not None
    assert verdict.score is not None
    assert 0.0 <= verdict.score <= verdict.components["progress"] + 1e-9


def loops(env: Env) -> str:
    """Take and put back, for ever: the oracle's errands until it holds something, then to and fro."""
    s, inst = env.episode.state.s, env.episode.instance
    mine = s.core.held[inst.problem["player"]]
    back = {"up": "up", "left": "left", "down": "down", "right": "right"}
    if mine and mine[0] != "S":
        last = env.episode.journal[-1].action if env.episode.journal else IDLE
        step = next((word for word in STEPS if word in back and word in last), "up")
        return f"<answer>{step} {step} {step} {step}</answer>"
    return env.solve()


@pytest.mark.parametrize("level", [1, 6, 10])
def test_progress_is_not_farmed(level: int) -> None:
    for seed in range(3):
        best, done = finish(begun(level, seed, reward={"progress": 1.0}), solving)
        assert best == done["verdict"]["components"]["progress"] == 1.0
        for way in (loops, lambda env: IDLE, lambda env: env.random_action(Stream(b"f", len(env.episode.turns)))):
            got, info = finish(begun(level, seed, reward={"progress": 1.0}), way)
            assert got < best
            assert not info["verdict"]["solved"]


def test_who_loses_by_illegal_messages_has_no_progress() -> None:
    env = begun(1, 1)
    while env.episode.state.s.core.served < 1:
        env.step(env.solve())
    for _ in range(3):
        *_, info = env.step("nonsense")
    assert info["verdict"]["score"] == 0.0
    assert "progress" not in info["verdict"]["components"]
    assert info["payoffs"] == [0.0, 0.0]


@pytest.mark.parametrize("partner", ["random", "mcts:5", "greedy"])
def test_every_partner_plays(partner: str) -> None:
    env = begun(1, 2, opponent=partner)
    for _ in range(3):
        assert not env.step(env.solve())[2]
    reward, _ = finish(env, solving)
    assert 0.0 <= reward <= 1.0


def test_parameters_that_make_no_kitchen_are_refused() -> None:
    for wrong in ({"width": 5, "divided": 10}, {"ingredients": 4}, {"steps": 5}, {"opponent": "optimal"}, {"seat": 2}):
        with pytest.raises(InvalidParameters):
            envhub.make("kitchen-v0", **wrong)


def test_difficulty_is_longer_plans() -> None:
    efforts = [max(GAME.effort(begun(level, seed).episode.instance) for seed in range(3)) for level in (1, 4, 7, 10)]
    assert efforts == sorted(efforts)


@pytest.mark.parametrize(("level", "seed"), [(1, 0), (4, 1), (6, 2), pytest.param(10, 3, marks=pytest.mark.nightly)])
def test_a_simulator_written_from_the_prompt_alone_agrees_in_every_round(level: int, seed: int) -> None:
    """It reads the prompt, the own plans and what the partner is said to have done; see ``kitchen_by_prompt``."""
    env = envhub.make("kitchen-v0", difficulty=level, wording=0)
    prompt, _ = env.reset(seed=seed)
    kitchen, me, rng = kitchen_by_prompt.read(prompt), env.task.problem["player"], Stream(b"rounds", level, seed)
    rounds, over = 0, False
    while not over:
        action = env.random_action(rng) if rng.below(3) == 0 else env.solve()
        observation, _, over, _, _ = env.step(action)
        mine, other = (
            re.sub(r" \([^)]*\)", "", said).split(", ")
            for said in re.findall(r"(?:you did|Player \d did): (.*)\.", observation)[:2]
        )
        plans = (mine, other) if me == 0 else (other, mine)
        kitchen.round(plans, 4 if kitchen.orders else 1)
        assert kitchen_by_prompt.view(kitchen, me) == kitchen_by_prompt.shown(observation), (rounds, observation)
        rounds += 1
    assert rounds > 3


def test_following_a_cook_works_and_meeting_or_swapping_does_not() -> None:
    text = "ready 3 steps later"
    prompt = f"With 1 ingredient it is {text}\n0 ######\n1 #12..#\n2 #OPCW#\nOpen orders: onion"
    for pair, after in (
        (["right", "right"], [(1, 2), (1, 3)]),
        (["right", "wait"], [(1, 1), (1, 2)]),
        (["right", "left"], [(1, 1), (1, 2)]),
    ):
        kitchen = kitchen_by_prompt.read(prompt)
        kitchen.step(pair)
        assert kitchen.cooks == after
        g = Kitchen(("######", "#....#", "#OPCW#"), 1, 3)
        core = step(g, first(g, (7, 8), ("O",)), (STEPS.index(pair[0]), STEPS.index(pair[1])))
        assert [divmod(cell, 6) for cell in core.at] == after
