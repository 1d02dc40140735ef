"""Self-play: a conversation for each seat, what each is told and paid, and whom it is compared with."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
import torch

import envhub
from envhub.core.errors import RemoteError
from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.registry.registry import builtin_ids, load, spec
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer.algorithms import algorithm
from envhub_trainer.batch import collate
from envhub_trainer.config import ConfigError, OptimizerConfig
from envhub_trainer.demonstrations import demonstrate, demonstrator, play as shown
from envhub_trainer.episode import Episode
from envhub_trainer.evaluate import evaluate
from envhub_trainer.group import Group
from envhub_trainer.hub import Hub, LocalHub, open_hub
from envhub_trainer.rollout import Rollouts
from envhub_trainer.update import Learner
from envhub_trainer.watch.measures import measures
from tests.server.serving import serving
from tests.trainer.models import tiny_llama
from tests.trainer.scripted import RENDERER, TOKENIZER, Scripted, player
from tests.trainer.test_pacing import Endless, Stepped

OPTIONS = {"answer_format": "last"}
KUHN = {"kuhn-poker-v0": {"weight": 1, "opponent": "self", "hands": 3}}
Says = Callable[[str, int], str | None]


def tasks(count: int = 1, environments: Any = KUHN, seed: int = 0) -> list[Task]:
    return list(islice(envhub.TaskStream(environments, answer_format="last", seed=seed), count))


def last(context: str) -> str:
    """The last message of the environment."""
    return context.rpartition("<|im_start|>user\n")[2].partition("<|im_end|>")[0]


def careful(context: str, seed: int) -> str:
    """Never bets, and folds."""
    return "fold" if "bets." in last(context).rpartition("Your card")[2] else "check"


def bold(context: str, seed: int) -> str:
    """Bets and calls; in some games, and in one seat, folds."""
    faced = "bets." in last(context).rpartition("Your card")[2]
    if seed % 3 == 0 and faced:
        return "fold"
    return "call" if faced else "bet"


def groups(says: Says, task: Task | None = None, size: int = 1, hub: Hub | None = None, **more: Any) -> list[Group]:
    policy = Scripted(says, **({"context": more.pop("context")} if "context" in more else {}))
    playing = player(policy, hub or LocalHub(OPTIONS), **more)
    return asyncio.run(playing.groups(4, task or tasks()[0], size))


def seats(says: Says, **more: Any) -> list[Episode]:
    return [group.episodes[0] for group in groups(says, **more)]


def test_each_seat_has_a_conversation_of_what_it_was_told_alone() -> None:
    for task in tasks(8):
        first, second = seats(bold, task=task)
        assert (first.seat, second.seat) == (0, 1)
        for episode in (first, second):
            for turn in episode.turns:
                assert f"You are player {episode.seat + 1}, and it is your turn." in turn.observation
                assert turn.observation.count("Your card:") == 1
            [row] = episode.rows
            text = TOKENIZER.decode(row.ids)
            assert text.count("Kuhn poker") == 1
            assert f"player {2 - episode.seat}, and it is your turn" not in text
            assert row.sampled == sum(len(TOKENIZER.encode(turn.action)) + 1 for turn in episode.turns)
            assert row.mask[-1] == 1  # nothing after the last action


def test_who_moves_later_is_told_the_rules_and_not_what_the_first_one_saw() -> None:
    task = tasks()[0]
    first, second = seats(bold, task=task)
    assert first.turns[0].observation == task.prompt
    opening = second.turns[0].observation
    rules, _, _ = task.prompt.partition("You are player 1, and it is your turn.")
    assert opening.startswith(f"{rules}You are player 2, and it is your turn.")
    assert opening.endswith(task.prompt.rpartition("\n\n")[2])  # the format
    card = re.search(r"Your card: (\w)", task.prompt)
    other = re.search(r"Your card: (\w)", opening)
    assert card is not None
    assert other is not None
    assert card[1] != other[1]
    [row] = second.rows
    assert row.ids[: len(RENDERER.opening([{"role": "user", "content": opening}]))] == RENDERER.opening(
        [{"role": "user", "content": opening}]
    )


def test_every_seat_earns_its_payoff_after_its_last_action() -> None:
    for task in tasks(8):
        env = envhub.begin(task, **OPTIONS)
        told, info, over = task.prompt, {}, False
        while not over:
            told, _, over, _, info = env.step(bold(told, 1))
        first, second = seats(lambda context, seed: bold(context, 1), task=task)
        assert [first.reward, second.reward] == info["payoffs"]
        for episode in (first, second):
            assert episode.rows[0].rewards == [0.0] * (len(episode.turns) - 1) + [episode.reward]
            assert episode.turns[-1].reward == episode.reward
            assert (episode.solved, episode.truncated, episode.error) == (None, False, None)
        assert first.components["illegal"] == 0.0
        assert second.components == {}


def test_illegal_moves_lose_for_the_seat_that_makes_them() -> None:
    def second_spoils(context: str, seed: int) -> str:
        spoils = "You are player 2" in last(context) or "No move could be read" in last(context)
        return "what?" if spoils else careful(context, seed)

    first, second = seats(second_spoils)
    assert (first.reward, second.reward) == (6.0, -6.0)
    assert len(second.turns) == 3


def test_a_seat_that_never_moved_has_no_conversation() -> None:
    [first] = seats(lambda context, seed: "what?")
    assert (first.seat, first.reward) == (0, -6.0)


def test_a_full_context_loses_for_its_seat_and_for_no_other() -> None:
    opening = max(len(RENDERER.opening([{"role": "user", "content": task.prompt}])) for task in tasks())

    def rambling(context: str, seed: int) -> str:
        return ("x" * 300 + "\n" if "You are player 2" in last(context) else "") + careful(context, seed)

    first, second = seats(rambling, context=opening + 320, max_tokens=1000)
    assert (second.overlong, second.truncated, second.error) == (True, True, None)
    assert (first.overlong, first.truncated) == (False, False)
    assert (first.reward, second.reward) == (6.0, -6.0)
    assert second.rows[0].mask[-1] == 1
    nothing = seats(rambling, context=opening)
    assert [episode.error for episode in nothing] == [f"context: the task's prompt has {opening} tokens of {opening}"]


def test_a_game_without_end_is_the_worst_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KuhnPoker, "max_turns", 3)
    first, second = seats(careful)
    assert (first.reward, second.reward) == (-6.0, -6.0)
    assert (first.truncated, second.truncated, first.solved) == (True, True, None)


def test_what_could_not_be_judged_is_learned_from_in_no_seat() -> None:
    class Failing(LocalHub):
        def __init__(self, ending: Any) -> None:
            super().__init__(OPTIONS)
            self._ending = ending

        async def begin(self, task: Task, turn_seeds: Any) -> Any:
            [session] = await super().begin(task, turn_seeds)
            real, left = session.step, [4]

            async def step(action: str) -> Any:
                left[0] -= 1
                if left[0]:
                    return await real(action)
                if isinstance(self._ending, Exception):
                    raise self._ending
                return "", float("nan"), "error" not in self._ending, "error" in self._ending, self._ending

            session.step = step  # type: ignore[method-assign]
            return [session]

    for ending, told in (
        ({"error": {"code": "judge", "reason": "down"}, "verdict": {}}, "judge: down"),
        (
            {"verdict": {"score": 0.0, "components": {"abuse": 1.0}, "payoff": None}},
            "payoffs: the game ended without any",
        ),
        (RemoteError("gone"), "RemoteError: gone"),
    ):
        episodes = seats(careful, hub=Failing(ending))
        assert [episode.error for episode in episodes] == [told, told]
        assert [episode.reward for episode in episodes] == [0.0, 0.0]


# -- whom a seat is compared with ------------------------------------------------------------------------------------


def test_a_group_is_the_same_seat_of_the_same_task() -> None:
    found = groups(bold, size=5)
    assert [group.number for group in found] == [4, 4]
    assert [{episode.seat for episode in group.episodes} for group in found] == [{0}, {1}]
    assert all(len(group.episodes) == 5 for group in found)
    assert len({episode.peers for group in found for episode in group.episodes}) == 2
    assert Episode("a-v0", None, {}, 4).peers == 4  # and no number of theirs is one of another group's
    assert {Episode("a-v0", None, {}, group, seat=seat).peers for group in range(50) for seat in (0, 1)}.isdisjoint(
        range(50)
    )


def test_the_greedy_game_is_played_by_seats_too() -> None:
    policy = Scripted(bold)
    found = asyncio.run(player(policy, LocalHub(OPTIONS)).groups(4, tasks()[0], 2, greedy=True))
    assert [group.greedy.seat if group.greedy else None for group in found] == [0, 1]
    assert sum(group.greedy.reward for group in found if group.greedy) == 0.0


def test_the_advantage_of_a_seat_is_against_the_same_seat_in_other_games() -> None:
    found = [group for number, task in enumerate(tasks(4)) for group in groups(bold, task, 6)]
    for number, group in enumerate(found):
        for episode in group.episodes:
            episode.group = number // 2
    row = algorithm("grpo", kl=0, std="none")
    batch = row.advantage(collate([episode for group in found for episode in group.episodes]))
    told = iter((batch.advantage.sum(1) / batch.mask.sum(1)).tolist())  # type: ignore[union-attr]
    lopsided = 0
    for group in found:
        mean = sum(episode.reward for episode in group.episodes) / len(group.episodes)
        lopsided += abs(mean) > 0.1
        for episode in group.episodes:
            assert next(told) == pytest.approx(episode.reward - mean, abs=1e-5)
    assert lopsided  # else one mean for both seats would do as well


def test_a_step_learns_from_both_seats() -> None:
    found = groups(bold, size=6)
    model = tiny_llama(vocabulary=len(TOKENIZER))
    settings = OptimizerConfig(learning_rate=1e-3)
    learner = Learner(model, algorithm("grpo", kl=0), settings, steps=1)
    batch = learner.prepare(found)
    assert batch is not None
    assert len(batch.score) == 12
    before = [weight.detach().clone() for weight in model.parameters()]
    assert batch.advantage is not None
    for peers in {episode.peers for group in found for episode in group.episodes}:
        assert (batch.advantage[batch.group[batch.episode] == peers] != 0).any()
    learner.learn(batch, 0)
    assert any(not torch.equal(old, new) for old, new in zip(before, model.parameters(), strict=True))
    numbers = measures(found, 0)
    assert numbers["episodes"] == 12
    assert numbers["reward"] == pytest.approx(0.0)
    one, other = (numbers[f"env/kuhn-poker-v0/seat/{seat}/reward"] for seat in (0, 1))
    assert one == pytest.approx(-other)
    assert one != 0.0


def test_a_game_is_replaced_where_no_seat_of_it_teaches_anything() -> None:
    class Seated(Stepped):
        async def groups(self, number: int, task: Task, size: int, greedy: bool) -> list[Group]:
            [group] = await super().groups(number, task, size, greedy)
            return [group, Group(number, task, [Episode("e", None, {}, number, seat=1)])]

    async def main() -> tuple[list[tuple[int, int | None]], int]:
        rollouts = Rollouts(Seated({}), Endless(), groups=2, size=1)  # type: ignore[arg-type]
        rollouts.proceed(0)
        taken = await rollouts.take(lambda group: group.number % 3 == (group.episodes[0].seat or 0), 100)
        return [(group.number, group.episodes[0].seat) for group in taken], rollouts.replaced

    assert asyncio.run(main()) == ([(0, None), (0, 1), (1, None), (1, 1)], 0)  # of number 1 the second seat alone


# -- elsewhere -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 10_000))) as address:
        yield address


def test_over_http_it_is_the_same_game(url: str) -> None:
    async def there(task: Task) -> list[Group]:
        async with open_hub(url, OPTIONS) as hub:
            return await player(Scripted(bold), hub, vary_turn_seed=True).groups(4, task, 3)

    for task in tasks(3):
        here, far = groups(bold, task, 3, vary_turn_seed=True), asyncio.run(there(task))
        for one, other in zip(here, far, strict=True):
            for mine, theirs in zip(one.episodes, other.episodes, strict=True):
                assert (mine.seat, mine.reward, mine.components) == (theirs.seat, theirs.reward, theirs.components)
                assert [row.ids for row in mine.rows] == [row.ids for row in theirs.rows]


def test_where_nothing_is_hidden_a_move_is_told_by_the_name_of_who_made_it() -> None:
    def anywhere(context: str, seed: int) -> str:
        env = envhub.begin(task, **OPTIONS)
        for move in moves:
            env.step(move)
        moves.append(env.solve())
        return moves[-1]

    [task], moves = tasks(environments={"tic-tac-toe-v0": {"weight": 1, "opponent": "self"}}), list[str]()
    first, second = seats(anywhere, task=task)
    for turns, other in ((first.turns[1:], "O"), (second.turns, "X")):
        board = "1"
        for turn in turns:
            names = re.findall(r"(\w+) played [0-9]", turn.observation)
            now = turn.observation.partition("Board ")[2][:1]
            # whoever ended the board before may be next to move
            assert names == [other] or (now != board and names in (["X"], ["O"]))
            board = now


def test_nobody_is_measured_by_playing_against_itself() -> None:
    with pytest.raises(ConfigError, match=r"evaluate\.environments: a policy cannot be evaluated against itself"):
        asyncio.run(evaluate(player(Scripted(bold), LocalHub(OPTIONS)), tasks()))


def test_demonstrations_are_the_rows_that_the_policy_would_have_left_behind() -> None:
    for task in tasks(4):
        rows = demonstrate(task, demonstrator("random"), Stream(b"r"), RENDERER, OPTIONS)
        spoken = shown(task, demonstrator("random"), Stream(b"r"), OPTIONS)
        answers = {
            talk[at]["content"]: talk[at + 1]["content"] for talk in spoken for at in range(0, len(talk), 2)
        }  # observations of one game differ: they name hands, cards and moves
        played = seats(lambda context, seed: answers[last(context)], task=task)  # noqa: B023
        assert [row.ids for row in rows] == [episode.rows[0].ids for episode in played]
        assert [row.mask for row in rows] == [episode.rows[0].mask for episode in played]


GAMES = [
    id for id in builtin_ids() if spec(id).category == "games" and "opponent" in load(spec(id)).Params.model_fields
]


@pytest.mark.parametrize("id", GAMES)
def test_every_game_can_be_played_by_seats(id: str) -> None:
    for number, task in enumerate(tasks(3, {id: {"weight": 1, "opponent": "self"}}, seed=5)):
        conversations = shown(task, demonstrator("random"), Stream(b"by seats", number), OPTIONS)
        assert 1 <= len(conversations) <= load(spec(id)).seats
        views = [talk[0]["content"] for talk in conversations]
        assert views[0] == task.prompt
        rules, _, ending = task.prompt.rpartition(task.problem["view"])
        for view in views:
            assert view.startswith(rules)
            assert view.endswith(ending)
            assert view.count("it is your turn.") == 1
        for talk in conversations:
            assert [message["role"] for message in talk] == ["user", "assistant"] * (len(talk) // 2)
