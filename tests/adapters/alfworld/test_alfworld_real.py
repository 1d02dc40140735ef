"""ALFWorld itself, nightly, on two small games in its format: plans win, verdicts agree, and its process may be lost."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.core.seeding import Stream
from tests.adapters.alfworld.instances import heating, write
from tests.adapters.libraries import adapter_over, games_of, solved
from tests.adapters.splits import episodes, first_episode

pytestmark = pytest.mark.nightly
ID = "alfworld/games-v0"
HEAT, TWO = "pick_heat_then_place_in_recep", "pick_two_obj_and_place"


@pytest.fixture(scope="module")
def adapter() -> Iterator[Any]:
    """The adapter over the library, without a cache."""
    with adapter_over("alfworld") as found:
        yield found


def games() -> Any:
    """The module that plays games."""
    return games_of("alfworld")


@pytest.fixture
def begun(adapter: Any) -> Iterator[Callable[..., envhub.Env]]:
    """Begins the episode of a folder's game in the split that it belongs to, and closes it."""
    with ExitStack() as stack:

        def begin(path: Path, **options: Any) -> envhub.Env:
            return stack.enter_context(closing(first_episode(envhub.make, ID, path=str(path), **options)))

        yield begin


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Both games, as initial_state.pddl."""
    return write(tmp_path)


def game_file(folder: Path, kind: str, **changes: Any) -> Path:
    """Add the game.tw-pddl of one game, with changes, and return its folder."""
    [place] = folder.glob(f"{kind}*/*")
    text = (place / "initial_state.pddl").read_text()
    with games().processes.lent() as process:
        told = json.loads(process.call("completed", text, (place / "traj_data.json").read_text()))
    (place / "game.tw-pddl").write_text(json.dumps({**told, "solvable": True, **changes}))
    return Path(place)


@pytest.mark.parametrize("task", [HEAT, TWO])
def test_plans_win_and_a_new_process_says_the_same(begun: Any, folder: Path, task: str) -> None:
    seen = solved(begun(folder, tasks=[task]))
    games().processes.end_all()
    assert solved(begun(folder, tasks=[task])) == seen


def test_a_game_file_is_the_game_of_its_parts_and_its_walkthrough_is_followed(begun: Any, folder: Path) -> None:
    made = begun(folder, tasks=[HEAT])
    plan = list(made.episode.instance.key["solution"])
    slow = [plan[0], "look", *plan[1:]]
    game_file(folder, HEAT, walkthrough=slow)
    env = begun(folder, tasks=[HEAT])
    assert env.task.fingerprint == made.task.fingerprint
    assert env.episode.instance.key["solution"] == slow
    game_file(folder, HEAT, walkthrough=["look", "fly"])
    assert begun(folder, tasks=[HEAT]).episode.instance.key["solution"] == plan


def test_what_does_not_reach_the_goal_is_not_solved(begun: Any, folder: Path) -> None:
    env = begun(folder, tasks=[HEAT], steps=20)
    plan = [command for command in env.episode.instance.key["solution"] if not command.startswith("heat")]
    for command in [
        *plan,
        *["look", "help", "inventory", "Heat Apple 1 with Microwave 1 now", "put apple 1 in/on fridge 1"] * 4,
    ]:
        if not env.episode.over:
            _, reward, _, _, info = env.step(f"<answer>{command}</answer>")
    assert env.episode.over
    assert (reward, info["verdict"]["status"]) == (0.0, "graded")


def test_both_judges_agree_on_random_play(begun: Any, folder: Path) -> None:
    for task in (HEAT, TWO):
        for seed in range(4):
            env = begun(folder, tasks=[task], commands=True)
            rng, said = Stream(b"", "alfworld", task, seed), env.episode.task.prompt
            while not env.episode.over:
                possible = said.rpartition("Possible commands: ")[2].partition(".\n")[0].partition(".")[0].split(", ")
                said, _, _, _, info = env.step(f"<answer>{rng.choice(possible)}</answer>")
            assert info["verdict"]["status"] == "graded"


def test_a_goal_that_only_one_judge_calls_reached_is_an_error(
    begun: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = begun(folder, tasks=[HEAT])
    perform = games()._Episode.perform

    def doubting(self: Any, effect: Any) -> Any:
        outcome = perform(self, effect)
        outcome.data["tracked"] = False
        return outcome

    monkeypatch.setattr(games()._Episode, "perform", doubting)
    while not env.episode.over:
        _, reward, _, _, info = env.step(env.solve())
    assert math.isnan(reward)
    assert info["verdict"]["error"]["code"] == "judges_disagree"


def test_python_in_a_grammar_is_not_run(begun: Any, folder: Path, tmp_path: Path) -> None:
    place = game_file(folder, HEAT)
    told = json.loads((place / "game.tw-pddl").read_text())
    marker = tmp_path / "ran"
    bad = told["grammar"].replace("{r.name}", "{open('" + str(marker) + "','w')}", 1)
    game_file(folder, HEAT, grammar=bad)
    with pytest.raises(InvalidParameters, match="its grammar has the expression"):
        begun(folder, tasks=[HEAT])
    hidden = told["grammar"].replace("{r.name}", "\\u007bopen('" + str(marker) + "','w')\\u007d", 1)
    game_file(folder, HEAT, grammar=hidden)
    with pytest.raises(EnvhubError):
        solved(begun(folder, tasks=[HEAT]))
    assert not marker.exists()


def test_a_game_that_cannot_be_solved_is_left_out_by_name(
    begun: Any, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    [place] = folder.glob(f"{HEAT}*/*")
    (place / "initial_state.pddl").write_text(heating().replace("(heatable ", "(cleanable "))
    [broken] = [path.parent for path in folder.glob(f"{TWO}*/*/traj_data.json")]
    other = folder / "pick_two_obj_and_place-Mug-None-Cabinet-2" / "trial_3"
    other.mkdir(parents=True)
    (other / "initial_state.pddl").write_text((broken / "initial_state.pddl").read_text())
    (other / "traj_data.json").write_text(json.dumps({"task_type": TWO}))  # does not name the things
    played = episodes(envhub.make, ID, path=str(folder), seeds=6)
    drawn = {env.episode.instance.problem["name"] for env in played}
    assert drawn == {broken.relative_to(folder).as_posix()}
    assert "its goal cannot be reached" in caplog.text
    assert "trial_3" in caplog.text
    with pytest.raises(InvalidParameters, match=r"No game of ALFWorld .*its goal cannot be reached"):
        begun(folder, tasks=[HEAT])
    with pytest.raises(InvalidParameters, match="and `steps` is 2"):
        begun(folder, tasks=[TWO], steps=2)


def test_the_content_is_the_fingerprint_and_a_changed_file_is_refused(begun: Any, folder: Path) -> None:
    env = begun(folder, tasks=[HEAT])
    before, kept = env.task.fingerprint, env.snapshot()
    [place] = folder.glob(f"{HEAT}*/*")
    (place / "initial_state.pddl").write_text(heating())
    assert begun(folder, tasks=[HEAT]).task.fingerprint == before
    (place / "initial_state.pddl").write_text(heating().replace("loc_bar_0)", "loc_bar_2)"))
    assert begun(folder, tasks=[HEAT]).task.fingerprint != before
    with pytest.raises(InvalidParameters, match="have changed since"):
        envhub.restore(kept)


def test_a_process_that_is_killed_loses_nothing_and_one_that_always_dies_is_an_error(
    begun: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = solved(begun(folder, tasks=[HEAT]))
    env = begun(folder, tasks=[HEAT])
    for turn in range(4):
        if turn == 2:
            os.kill(env.episode._resources._slots["alfworld"].live.process.pid, signal.SIGKILL)
        assert env.step(env.solve())[0] == whole[turn + 1]
    with closing(env.fork()) as twin, closing(envhub.restore(env.snapshot())) as again:
        assert twin.step(twin.solve())[0] == again.step(again.solve())[0] == whole[5]
    perform = games()._Episode.perform

    def dying(self: Any, effect: Any) -> Any:
        os.kill(self.process.pid, signal.SIGKILL)
        return perform(self, effect)

    monkeypatch.setattr(games()._Episode, "perform", dying)
    _, reward, _, _, info = env.step(env.solve())
    assert math.isnan(reward)
    assert info["verdict"]["status"] == "error"
