"""Every public way to an episode has the checker: an answer that makes its own check raise scores 0 with abuse."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import EnvhubError
from envhub.core.types import JSON
from envhub.dataset import truth
from envhub.dataset.drawing import solution
from envhub.gymnasium.registration import make_env
from envhub.registry import registry
from envhub.server.episodes.service import Episodes
from envhub.server.journal import MemoryJournal
from envhub.tasks.sources import prepare
from tests.server.serving import Api
from tests.support.raising import Broken, Fragile
from tests.support.rerunning import Here, use

ROOT = Path(envhub.__file__).parent
ID = "fragile-v0"
BAD = "13"
CASE: dict[str, Any] = {"env_id": ID, "difficulty": 3, "split": "train", "seed": 1}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Here]:
    registry.register(ID, Fragile)
    yield use(monkeypatch, Here())
    registry.unregister(ID)


def stood() -> envhub.Env:
    env = envhub.make(ID)
    env.reset(seed=1)
    return env


def after(env: Any) -> JSON:
    """The verdict on the answer that raises."""
    *_, info = env.step(BAD)
    return info["verdict"]


def made_by_gymnasium() -> JSON:
    env = make_env(ID)
    env.reset(seed=1)
    return after(env)


def mixed() -> JSON:
    env = envhub.make_mixture({ID: 1})
    env.reset(seed=1)
    return after(env)


def vectorised() -> JSON:
    envs = envhub.make_vec(ID, 2)
    envs.reset(seed=1)
    *_, infos = envs.step([BAD, "1"])
    return infos["envs"][0]["verdict"]


def served(play: Callable[[Episodes], Any], max_live: int = 2) -> JSON:
    """The verdict on the last turn that ``play`` takes of the server's episodes."""

    async def scenario() -> Any:
        service = Episodes(MemoryJournal(60, 100, lambda: 0.0), max_live=max_live)
        await service.create(request=CASE, episode_id="e", params={}, options={}, turn_seed=0, **CASE)
        answer = await play(service)
        service.close()
        return answer

    return asyncio.run(scenario())["info"]["verdict"]


async def step(service: Episodes) -> Any:
    return await service.step("e", 0, BAD)


async def step_after_leaving_memory(service: Episodes) -> Any:
    await service.create(request={}, episode_id="f", params={}, options={}, turn_seed=0, **CASE)
    assert service._cache.get("e") is None
    return await service.step("e", 0, BAD)


async def step_of_a_fork(service: Episodes) -> Any:
    await service.fork("e", request={}, new_id="f", turn=None, turn_seed=3)
    return await service.step("f", 0, BAD)


async def step_of_an_earlier_fork(service: Episodes) -> Any:
    await service.step("e", 0, "1")
    await service.fork("e", request={}, new_id="f", turn=0, turn_seed=3)
    return await service.step("f", 0, BAD)


def verified_over_http() -> JSON:
    api = Api()
    items = [{"task": stood().task.key.to_json(), "responses": [BAD]}]
    (result,) = api.post("/v1/verify", {"items": items}).json()["results"]
    api.close()
    return result["verdicts"][0]


WAYS: dict[str, Callable[[], JSON]] = {
    "make": lambda: after(stood()),
    "gymnasium.make": made_by_gymnasium,
    "make_mixture": mixed,
    "make_vec": vectorised,
    "Env.fork": lambda: after(stood().fork(turn_seed=2)),
    "Env.restore": lambda: after(stood().restore(stood().snapshot())),
    "restore": lambda: after(envhub.restore(stood().snapshot())),
    "begin": lambda: after(envhub.begin(stood().task)),
    "verify": lambda: envhub.verify(stood().task, BAD).to_json(),
    "ground truth": lambda: truth.judge(truth.write(stood().task.key))(BAD).to_json(),
    "server": lambda: served(step),
    "server, folded": lambda: served(step_after_leaving_memory, max_live=1),
    "server, forked": lambda: served(step_of_a_fork),
    "server, forked earlier": lambda: served(step_of_an_earlier_fork),
    "server, verify": verified_over_http,
}


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_that_breaks_its_check_scores_nothing(way: str, here: Here) -> None:
    verdict = WAYS[way]()
    assert (verdict["status"], verdict["score"], verdict["solved"]) == ("graded", 0.0, False)
    assert verdict["components"] == {"abuse": 1.0}
    assert here.asked == 1


def test_a_dataset_asks_why_its_oracle_raised(here: Here) -> None:
    registry.register("broken-v0", Broken)
    source, _ = prepare("broken-v0", 3, "train", {}, {})
    with pytest.raises(EnvhubError, match="does not solve"):
        solution(source, source.draw(1))
    registry.unregister("broken-v0")
    assert here.asked == 1


def makings(tree: ast.AST) -> Iterator[tuple[int, bool]]:
    """Every place that makes an episode, and whether it passes the checker."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Episode", "Episode.replay", "Episode.restore"):
            passed = [*node.args, *(keyword.value for keyword in node.keywords)]
            yield node.lineno, any(ast.unparse(value) == "CHECKER" for value in passed)


@pytest.mark.slow
def test_whatever_makes_an_episode_passes_the_checker() -> None:
    unchecked, number = [], 0
    for path in ROOT.rglob("*.py"):
        if path.parent.name != "episodes" or path.parent.parent != ROOT:  # the room itself reruns turns without one
            found = list(makings(ast.parse(path.read_text())))
            number += len(found)
            unchecked += [f"{path.relative_to(ROOT)}:{line}" for line, checked in found if not checked]
    assert not unchecked
    assert number >= 6


def test_an_episode_without_a_checker_would_be_seen() -> None:
    tree = ast.parse("Episode(a, b, c)\nEpisode.restore(a, b, c, CHECKER)\nEpisode(a, checker=CHECKER)")
    assert list(makings(tree)) == [(1, False), (2, True), (3, True)]
