"""The base of games: seats, opponents between turns, illegal moves, the end, luck, self-play."""

from __future__ import annotations

import re
from typing import Any

import pytest

import envhub
from envhub.authoring.game import Game, GameParams
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.gymnasium.env import Env
from tests.authoring.game.tables import Dice, Generous, Loaded, Nim, Stumbles, Trips, instance, table
from tests.support.places import ROOT


def answer(move: Any) -> str:
    return f"<answer>{move}</answer>"


def finish(env: Env) -> tuple[float, dict[str, Any]]:
    while True:
        _, reward, terminated, truncated, info = env.step(env.solve())
        if terminated or truncated:
            return reward, info


def test_both_seats_are_drawn_and_one_can_be_asked_for() -> None:
    env = table(Nim())
    assert {env.reset(seed=seed)[1]["player"] for seed in range(20)} == {0, 1}
    for seat in (0, 1):
        env = table(Nim(), seat=seat)
        assert {env.reset(seed=seed)[1]["player"] for seed in range(20)} == {seat}


def test_the_opponent_has_moved_before_the_policy_begins_in_the_second_seat() -> None:
    env = table(Nim(), seat=1)
    prompt, _ = env.reset(seed=3)
    left = int(re.search(r"Sticks: (\d+)", prompt)[1])  # type: ignore[index]
    assert left in (9, 10, 11)
    assert "You play player 2. You succeed if you win." in prompt


def test_moves_of_both_are_told_and_the_end_pays_every_seat() -> None:
    env = table(Nim(), seat=0, opponent="minimax:1")
    env.reset(seed=0)
    observation, _, _, _, info = env.step(answer(3))
    assert observation.startswith("You played 3. Player 2 played ")
    assert info["player"] == 0
    while True:
        observation, reward, over, _, info = env.step(env.solve())
        if over:
            break
    verdict = info["verdict"]
    assert info["payoffs"] == [verdict["payoff"], -verdict["payoff"]]
    assert (reward == 1.0) is verdict["solved"] is (verdict["payoff"] == 1.0)


@pytest.mark.parametrize("text", ["4", "0", "-1", "many", ""])
def test_an_illegal_move_is_answered_and_the_third_one_loses(text: str) -> None:
    env = table(Nim(), seat=0)
    env.reset(seed=0)
    first, *_, info = env.step(answer(text))
    assert info["rejected"] == ("illegal" if text in ("4", "0", "-1") else "unreadable" if text else "empty")
    assert "Legal moves: 1, 2, 3." in first
    assert "This can happen once more." in first
    second, reward, over, _, info = env.step(answer(text))
    assert "If it happens again, you lose." in second
    assert not over
    assert info["player"] == 0
    _, reward, over, truncated, info = env.step(answer(text))
    assert (reward, over, truncated) == (0.0, True, False)
    assert "rejected" in info
    assert info["payoffs"] == [-1.0, 1.0]
    assert info["verdict"]["components"]["illegal"] == 3.0


def test_free_messages_are_not_given_back() -> None:
    env = table(Nim(), seat=0)
    env.reset(seed=0)
    env.step(answer(9))
    env.step(answer(1))
    env.step(answer(9))
    assert env.step(answer(9))[2]


def test_who_plays_on_badly_is_never_better_off_by_illegal_moves() -> None:
    game = Nim()
    inst = instance(game)
    assert game.forfeit(inst, (12, 0), 0)[0] == game.stakes(inst)[0] == min(game.payoffs(inst, (0, 0)))


@pytest.mark.slow
def test_payoffs_that_do_not_add_up_to_nothing_are_an_error_and_no_reward() -> None:
    env = table(Generous(), seat=0, opponent="random")
    env.reset(seed=0)
    while True:
        _, reward, terminated, truncated, info = env.step(answer(1))
        if terminated or truncated:
            break
    assert truncated
    assert reward != reward
    assert info["error"]["code"] == "environment_failed"
    with pytest.raises(ValueError, match="payoffs sum to 2"):
        Generous().paid(Instance({}), (0, 0))


@pytest.mark.parametrize("game", [Stumbles(), Loaded()])
def test_an_opponent_that_fails_is_an_error_whatever_led_to_it(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    """The oracle's move leads elsewhere, where the opponent does not fail; that does not make it the policy's doing."""
    env = table(game, seat=0, opponent="greedy")
    env.reset(seed=0)
    assert env.fork().step(env.solve())[4].get("error") is None
    env.reset(seed=0)
    _, reward, terminated, truncated, info = env.step(answer(2))
    assert reward != reward
    assert (terminated, truncated) == (False, True)
    assert info["error"]["code"] == "environment_failed"
    assert "ValueError" in info["error"]["reason"]
    assert "abuse" not in info["verdict"]["components"]
    assert "ValueError at " in caplog.text
    assert "hidden" not in caplog.text + str(info)
    snapshot = env.snapshot()
    again = table(game, seat=0, opponent="greedy")
    again.restore(snapshot)
    assert again.episode.turns[-1].verdict == env.episode.turns[-1].verdict


@pytest.mark.slow
def test_a_move_that_makes_the_game_raise_is_still_asked_about() -> None:
    env = table(Trips(), seat=0, opponent="greedy")
    env.reset(seed=0)
    assert env.fork().step(answer(1))[1] == 0.0
    _, reward, terminated, _, info = env.step(answer(2))
    assert (reward, terminated) == (0.0, True)
    assert info["verdict"]["components"] == {"abuse": 1.0}


def test_a_game_with_a_payoff_too_few_is_noticed() -> None:
    class Short(Nim):
        def payoffs(self, inst: Instance, s: Any) -> Any:
            return (0.0,)

    with pytest.raises(ValueError, match="2 finite payoffs, one per seat; got"):
        Short().paid(Instance({}), (0, 0))


def test_running_out_of_turns_is_as_bad_as_losing() -> None:
    class Short(Nim):
        max_turns = 2

    env = table(Short(), seat=0)
    env.reset(seed=0)
    env.step(answer(1))
    _, reward, terminated, truncated, info = env.step(answer(1))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["verdict"]["reason"], info["verdict"]["payoff"]) == ("turn_limit", -1.0)


@pytest.mark.parametrize(
    ("target", "payoff", "score"), [(1, 1, 1), (1, 0, 0.5), (1, -1, 0), (0, 0, 1), (0, 1, 1), (0, -1, 0)]
)
def test_the_score_is_one_at_the_target_and_linear_below(target: float, payoff: float, score: float) -> None:
    class Fixed(Nim):
        heap = 1

        def payoffs(self, inst: Instance, s: Any) -> Any:
            return (payoff, -payoff)

        def setup(self, rng: Stream, p: Any) -> Instance:
            return Instance({"target": float(target), "player": 0})

    env = table(Fixed())
    env.reset(seed=0)
    _, reward, _, _, info = env.step(answer(1))
    assert (reward, info["verdict"]["solved"]) == (score, payoff >= target)
    assert info["verdict"]["components"]["result"] == (payoff + 1) / 2


# -- opponents by name ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("randm", "Did you mean 'random'"),
        ("minimax", "Did you mean 'minimax:2'"),
        ("minimax:0", "Did you mean 'minimax:2'"),
        ("minimax:99", "at most 6 plies. Did you mean 'minimax:6'"),
        ("mcts:99999", "at most 2000 playouts. Did you mean 'mcts:2000'"),
        ("optimal", "its optimal play is not known. Did you mean 'minimax:4'"),
        ("ftp://x", "Unknown opponent"),
        ("http://user:pass@host/v1", "no credentials"),
    ],
)
def test_an_opponent_that_is_none_is_refused_at_once(name: str, hint: str) -> None:
    with pytest.raises(InvalidParameters, match=re.escape(hint)):
        table(Nim(), opponent=name)


def test_a_task_key_cannot_bring_in_what_make_refuses() -> None:
    env = envhub.make("tic-tac-toe-v0")
    env.reset(seed=0)
    snapshot = env.snapshot()
    snapshot["task"]["params"]["opponent"] = "minimax:90"
    with pytest.raises(InvalidParameters, match="at most 6 plies"):
        envhub.restore(snapshot)


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="from 0 to 1, got 2"):
        table(Nim(), seat=2)


def test_an_opponent_is_part_of_the_key_and_survives_a_snapshot() -> None:
    env = envhub.make("tic-tac-toe-v0", difficulty=2, opponent="greedy")
    env.reset(seed=5)
    env.step(env.solve())
    assert env.task.params["opponent"] == "greedy"
    again = envhub.restore(env.snapshot())
    assert again.task == env.task
    assert again.step(again.solve()) == env.step(env.solve())


# -- luck ----------------------------------------------------------------------------------------------------------------


def test_the_same_chance_gives_the_same_opponent_and_another_one_other_luck_with_the_same_past() -> None:
    env = table(Nim(), seat=0)
    env.reset(seed=1)
    env.step(answer(1))
    twins = [env.fork(turn_seed=k) for k in range(12)]
    assert all(twin.messages == env.messages for twin in twins)
    seen = [twin.step(answer(1))[0] for twin in twins]
    assert len(set(seen)) > 1
    assert [env.fork(turn_seed=k).step(answer(1))[0] for k in range(12)] == seen


def test_chance_moves_between_the_turns_and_before_the_first() -> None:
    first, second = table(Dice(), seat=0), table(Dice(), seat=1)
    prompts = {second.reset(seed=seed)[0].splitlines()[6] for seed in range(40)}
    assert len(prompts) > 10  # the opponent's number and the die
    ends = {first.reset(seed=1, options={"turn_seed": k}) and first.step(answer(3))[0] for k in range(20)}
    assert len(ends) > 5


def test_what_happened_before_the_policy_begins_is_the_task_and_not_luck() -> None:
    env = table(Dice(), seat=1)
    assert len({env.reset(seed=7, options={"turn_seed": k})[0] for k in range(5)}) == 1


def test_slips_are_random_moves_of_the_opponent() -> None:
    def lost(slips: int) -> int:
        env, count = table(Nim(), seat=0, opponent="minimax:6", slips=slips), 0
        for seed in range(40):
            env.reset(seed=seed)
            rng, over = Stream(b"slips", seed), False
            while not over:
                _, reward, over, _, _ = env.step(env.random_action(rng))
            count += reward == 0.0
        return count

    assert lost(0) > lost(100) + 8


# -- self-play -----------------------------------------------------------------------------------------------------------


def test_with_self_the_policy_plays_every_seat_and_each_turn_says_whose_it_is() -> None:
    env = table(Nim(), opponent="self")
    prompt, info = env.reset(seed=0)
    assert "You play every seat in turn" in prompt
    assert "You are player 1, and it is your turn." in prompt
    players, over = [info["player"]], False
    while not over:
        observation, reward, over, _, info = env.step(answer(3))
        if not over:
            players.append(info["player"])
            assert f"You are player {info['player'] + 1}" in observation
    assert players == [0, 1, 0, 1]
    assert info["payoffs"] == [-1.0, 1.0]
    assert (reward, info["verdict"]["payoff"]) == (0.0, -1.0)


def test_with_self_whoever_makes_illegal_moves_loses() -> None:
    env = table(Nim(), opponent="self")
    env.reset(seed=0)
    env.step(answer(3))
    for _ in range(3):
        _, reward, over, _, info = env.step(answer(9))
    assert over
    assert info["payoffs"] == [1.0, -1.0]
    assert reward == 1.0


# -- what an author gets -------------------------------------------------------------------------------------------------


def test_the_example_of_the_documents_is_a_whole_environment() -> None:
    text = (ROOT / "docs" / "environments.md").read_text()
    code = text.partition("## Games")[2].partition("```python\n")[2].partition("```")[0]
    space: dict[str, Any] = {}
    exec(compile(code, "environments.md", "exec"), space)
    game: Game = space["Nim"]()
    for level in (1, 10):
        env = table(game, **space["Params"].at(level).model_dump())
        for seed in range(20):
            env.reset(seed=seed)
            assert finish(env)[0] == 1.0


def test_a_game_that_hides_something_and_imagines_nothing_is_told_so() -> None:
    class Closed(Nim):
        hidden = True

    with pytest.raises(NotImplementedError, match="does not implement imagine"):
        instance(Closed(), seat=1)


def test_the_parameters_of_a_game_are_described() -> None:
    from envhub.registry.describe import describe

    names = [param["name"] for param in describe("kuhn-poker-v0")["params"]]
    assert names == ["opponent", "slips", "seat", "hands", "opponents", "kind", "grain"]
    assert isinstance(GameParams().opponent, str)


@pytest.mark.parametrize("name", ["tic-tac-toe-v0", "connect-four-v0", "kuhn-poker-v0", "blotto-v0"])
def test_a_thousand_random_games_end_and_pay(name: str) -> None:
    environment = envhub.make(name).environment
    assert isinstance(environment, Game)
    params = {"win_in": 0, "plies": 0} if name == "connect-four-v0" else {}
    insts = [instance(environment, seed, **params) for seed in range(4)]
    for number in range(1000 if name != "connect-four-v0" else 300):
        inst, rng = insts[number % 4], Stream(b"playout", number)
        s, plies = environment.start(inst), 0
        while (mover := environment.to_move(s)) is not None:
            chance = mover == "chance"
            s = environment.play(
                inst, s, environment.draw(inst, s, rng) if chance else environment.random_move(inst, s, rng)
            )
            plies += 1
        low, high = environment.stakes(inst)
        assert all(low <= value <= high for value in environment.paid(inst, s))
        assert plies <= 42 if "four" in name else plies < 200
