"""Values of states from forks of live episodes, in process and over HTTP."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from math import sqrt
from random import Random
from statistics import fmean
from typing import Any

import pytest

import envhub
from envhub.core.types import Task
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from envhub_trainer.algorithms import algorithm
from envhub_trainer.algorithms.forks import Forks
from envhub_trainer.batch import collate
from envhub_trainer.episode import Branch, Episode
from envhub_trainer.group import Group
from envhub_trainer.hub import Hub, LocalHub, Session, open_hub
from tests.server.serving import serving
from tests.trainer.scripted import TOKENIZER, Scripted, answer_of, player

OPTIONS = {"answer_format": "last"}
HIGH = 6


@pytest.fixture(scope="module")
def task() -> Task:
    """A number from 1 to 6 in two guesses; it is 3 or 4, so that both answers to a guess occur."""
    stream = envhub.TaskStream(
        {"guess-number-v0": {"weight": 1, "low": 1, "high": HIGH, "guesses": 2}}, answer_format="last"
    )
    return next(task for task in islice(stream, 50) if answer_of(task) in (3, 4))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(create_app(ServerSettings(), MemoryJournal(3600, 100_000))) as address:
        yield address


def guess(context: str, seed: int) -> str:
    """The toy's policy: any number first, and then any on the side that was named."""
    told = re.search(r"My number is (higher|lower) than (\d)", context)
    if told is None:
        low, high = 1, HIGH
    elif told[1] == "higher":
        low, high = int(told[2]) + 1, HIGH
    else:
        low, high = 1, int(told[2]) - 1
    return str(Random(seed).randint(low, high))


def value(first: int, secret: int) -> float:
    """The exact probability to win after a first guess."""
    if first == secret:
        return 1.0
    return 1 / (HIGH - first) if first < secret else 1 / (first - 1)


def played(task: Task, forks: Forks, size: int, hub: Hub | None = None, say: Any = guess, **more: Any) -> Group:
    policy = player(Scripted(say), hub or LocalHub(OPTIONS), forks=forks, **more)
    [group] = asyncio.run(policy.groups(7, task, size))
    assert all(episode.error is None for episode in group.episodes)
    return group


def rewards(branches: Sequence[Branch]) -> dict[tuple[int, int], list[float]]:
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for branch in branches:
        found[branch.of, branch.start].append(branch.episode.reward)
    return found


def test_monte_carlo_values_and_advantages_are_the_exact_ones_within_their_error(task: Task) -> None:
    secret, size, number = answer_of(task), 24, 40
    group = played(task, Forks(continuations=number), size)
    root = fmean(value(first, secret) for first in range(1, HIGH + 1))
    measured = rewards(group.branches)
    two_turns = [at for at, episode in enumerate(group.episodes) if len(episode.turns) == 2]
    assert sorted({of for of, _ in measured}) == two_turns
    assert len(two_turns) >= size // 2
    row = algorithm("vineppo", whiten=False)
    Forks(continuations=number).credit(group.episodes, group.branches)
    advantage = row.advantage(batch := collate(group.episodes)).advantage
    assert advantage is not None
    for at, episode in enumerate(group.episodes):
        first = int(episode.turns[0].action)
        exact = value(first, secret)
        own = advantage[at][batch.mask[at] > 0].tolist()
        before = sqrt(root * (1 - root) / (size - 1))
        if at not in two_turns:
            assert own == pytest.approx([1.0 - root] * len(own), abs=4 * before)
            continue
        for branch in (each for each in group.branches if each.of == at):
            [opening, reply] = branch.episode.turns
            assert (opening.observation, opening.action) == (task.prompt, str(first))
            assert f"than {first}." in reply.observation, "another continuation's conversation"
        [(state, returns)] = [(start, found) for (of, start), found in measured.items() if of == at]
        assert len(returns) == number
        error = sqrt(exact * (1 - exact) / number)
        assert fmean(returns) == pytest.approx(exact, abs=4 * error + 1e-9)
        assert own[:state] == pytest.approx([exact - root] * state, abs=4 * (error + before))
        assert own[state:] == pytest.approx([episode.reward - exact] * (len(own) - state), abs=4 * error + 1e-9)


@pytest.mark.parametrize("websocket", [True, False])
def test_a_hub_on_a_server_forks_as_one_in_process(task: Task, url: str, websocket: bool) -> None:
    async def remote() -> list[Group]:
        async with open_hub(url, OPTIONS, websocket=websocket) as hub:
            return await player(Scripted(guess), hub, forks=Forks(continuations=3)).groups(7, task, 4)

    [there] = asyncio.run(remote())
    here = played(task, Forks(continuations=3), 4)
    assert rewards(there.branches) == rewards(here.branches)
    assert [each.episode.rows for each in there.branches] == [each.episode.rows for each in here.branches]


def sampled(episode: Episode) -> list[int]:
    return [id for row in episode.rows for id, mask in zip(row.ids, row.mask, strict=True) if mask]


def test_a_continuation_within_an_action_keeps_its_first_tokens_and_their_log_probabilities(task: Task) -> None:
    said = Scripted(lambda context, seed: "12345" if context.endswith("assistant\n") else "9")
    policy = player(
        said, LocalHub(OPTIONS), forks=Forks("surprising", states=2, continuations=2, tree=True), max_tokens=6
    )
    [group] = asyncio.run(policy.groups(7, task, 1))
    [episode] = group.episodes
    assert [branch.start for branch in group.branches] == [5, 5, 11, 11], "the last token of a turn is its least likely"
    assert group.added == [branch.episode for branch in group.branches]
    for branch in group.branches:
        assert sampled(branch.episode)[: branch.start] == sampled(episode)[: branch.start]
        assert branch.episode.rows[0].ids[: len(episode.rows[0].ids) - 1] != episode.rows[0].ids or branch.start == 11
        turn = branch.episode.turns[0 if branch.start == 5 else 1]
        assert turn.action == "123459", "five tokens as they were, and one more"
        [row] = branch.episode.rows
        end = row.ends[0 if branch.start == 5 else 1]
        assert row.logps[end - 5 : end + 1] == [-1.0, -2.0, -3.0, -4.0, -5.0, -1.0]
    assert [len(episode.rows[0].ends)] == [2]
    assert TOKENIZER.decode(sampled(episode)[:5]) == "12345"


class Counting:
    """A hub in process that counts its sessions and notes the turn seeds they are forked with."""

    def __init__(self) -> None:
        self.open = 0
        self.seeds: list[int | None] = []

    async def begin(self, task: Task, turn_seeds: Sequence[int]) -> list[Session]:
        return [self._watched(session) for session in await LocalHub(OPTIONS).begin(task, turn_seeds)]

    def _watched(self, session: Session) -> Session:
        self.open += 1
        hub = self

        class Watched:
            over = False

            async def step(self, action: str) -> Any:
                found = await session.step(action)
                if (found[2] or found[3]) and not self.over:
                    await self.close()
                return found

            async def fork(self, turn_seed: int | None = None) -> Session:
                hub.seeds.append(turn_seed)
                return hub._watched(await session.fork(turn_seed))

            async def close(self) -> None:
                hub.open -= not self.over
                self.over = True

        return Watched()


def test_forks_cost_what_the_options_say_and_are_closed(task: Task) -> None:
    hub = Counting()
    group = played(task, Forks(states=1, continuations=3), 2, hub, lambda context, seed: "1" if seed % 2 else "6")
    assert len(group.branches) == 2 * 3
    assert len(hub.seeds) == 2 * (2 + 3), "one fork for each turn and each continuation"
    assert hub.open == 0
    assert set(hub.seeds) == {None}


def test_continuations_have_chances_of_their_own_where_a_group_s_members_have(task: Task) -> None:
    hub = Counting()
    played(task, Forks(continuations=3), 2, hub, lambda context, seed: "1", vary_turn_seed=True)
    given = [seed for seed in hub.seeds if seed is not None]
    assert len(set(given)) == len(given) == 2 * 3


def test_a_fork_that_the_hub_refuses_fails_the_continuation_alone(task: Task) -> None:
    class Refusing(Counting):
        def _watched(self, session: Session) -> Session:
            whole = session.fork

            async def fork(turn_seed: int | None = None) -> Session:
                self.seeds.append(turn_seed)
                if len(self.seeds) > 3:
                    raise envhub.EnvhubError("no more forks")
                return self._watched(await whole(turn_seed))

            session.fork = fork  # type: ignore[method-assign]
            return session

    group = played(task, Forks(continuations=2), 1, Refusing(), lambda context, seed: "1")
    assert [branch.episode.error for branch in group.branches] == [None, "EnvhubError: no more forks"]
