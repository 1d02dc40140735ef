"""TextWorld itself, nightly: its solutions win, its games are the recorded ones, and its process may be lost."""

from __future__ import annotations

import json
import math
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.textworld.tables import KINDS, LEVELS
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.seeding import Stream
from tests.adapters.libraries import adapter_over, games_of, solved
from tests.adapters.splits import episodes, first_episode
from tests.adapters.textworld.test_commands import CHEATS

pytestmark = pytest.mark.nightly
GOLDEN = Path(__file__).parent / "games.json"
GENERATED, USERS = "textworld/generated-v0", "textworld/games-v0"
SIZES: dict[str, dict[str, Any]] = {
    "quest": {"nb_rooms": 4, "nb_objects": 6, "quest_length": 4},
    "treasure_hunter": {"level": 11},
    "coin_collector": {"level": 105},
    "cooking": {
        "recipe": 2,
        "take": 1,
        "go": 6,
        "open": True,
        "cook": True,
        "cut": True,
        "drop": False,
        "split": None,
        "recipe_seed": 3,
    },
}


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The adapter over the library, with a cache of its own."""
    with adapter_over("textworld", str(tmp_path_factory.mktemp("cache"))) as found:
        yield found


def games(adapter: Any) -> Any:
    """The module that makes and plays games."""
    return games_of("textworld")


@pytest.fixture
def make(adapter: Any) -> Iterator[Callable[..., envhub.Env]]:
    """Makes environments, and closes them."""
    with ExitStack() as stack:
        yield lambda id=GENERATED, **options: stack.enter_context(closing(envhub.make(id, **options)))


@pytest.fixture(scope="module")
def folder(adapter: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four games as a user has them, one of each kind."""
    found = tmp_path_factory.mktemp("games")
    for kind in KINDS:
        text = games(adapter).made(kind, SIZES[kind], False, 5)
        (found / f"{kind}.json").write_text(text)
        (found / f"{kind}.z8").write_bytes(games(adapter).compiled(text))
    return found


def played(env: envhub.Env) -> list[str]:
    """The observations of an episode that the oracle plays to its end and solves."""
    env.reset(seed=1)
    return solved(env)


def mine(make: Any, path: Path) -> envhub.Env:
    """The environment of one game of the user, in the split that it belongs to."""
    return first_episode(make, USERS, path=str(path))


@pytest.mark.parametrize("level", range(1, 11))
def test_its_own_solutions_win_and_are_the_same_in_another_process(make: Any, adapter: Any, level: int) -> None:
    seen = played(make(difficulty=level))
    games(adapter).processes.end_all()
    games(adapter)._made.cache_clear()
    assert played(make(difficulty=level)) == seen


def test_games_are_the_recorded_ones(adapter: Any) -> None:
    """A golden for each game of the tables: the digests of its JSON text and of its Z-machine file."""
    found = {}
    for number, game in enumerate(game for level in LEVELS for game in level):
        settings = {**({"recipe_seed": 7} if game.kind == "cooking" else {}), **game.settings}
        text = games(adapter).made(game.kind, settings, game.brief, 11)
        story = games(adapter).compiled(text)
        found[f"{number} {game.kind}"] = [sha256(each).hexdigest()[:16] for each in (text.encode(), story)]
    if os.environ.get("ENVHUB_RECORD"):
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(GOLDEN.read_text())


def test_the_interpreter_and_the_logic_of_the_game_agree(make: Any) -> None:
    """Possible commands, drawn at random, lead to wins, losses and ends, and never to a disagreement."""
    ends = {"error": 0, "won": 0, "other": 0}
    for level in range(1, 11):
        env = make(difficulty=level, commands=True, steps=60)
        for seed in range(3):
            env.reset(seed=seed)
            rng, said = Stream(b"", "random", level, seed), env.episode.task.prompt
            while not env.episode.over:
                possible = said.rpartition("Possible commands: ")[2].partition(".\n")[0].partition(".")[0].split(", ")
                said, _, _, _, info = env.step(f"<answer>{rng.choice(possible)}</answer>")
            verdict = info["verdict"]
            ends["error" if verdict["status"] == "error" else "won" if verdict["solved"] else "other"] += 1
    assert ends["error"] == 0
    assert ends["other"] > ends["won"]


def test_blind_policies_seldom_win(make: Any) -> None:
    """Walking in a circle and taking what the prompts of this kind usually name."""
    cycles = [["go north", "go east", "go south", "go west"], ["go west", "take coin", "go north", "take coin"]]
    cycles += [
        ["open box", "take key", "go east", "unlock door with key"],
        ["take coin", "go south", "go east", "go north"],
    ]
    won = played_out = 0
    for level in range(1, 11):
        env = make(difficulty=level)
        for seed in range(3):
            for cycle in cycles:
                env.reset(seed=seed)
                turn = 0
                while not env.episode.over:
                    _, reward, *_ = env.step(f"<answer>{cycle[turn % len(cycle)]}</answer>")
                    turn += 1
                won, played_out = won + (reward == 1.0), played_out + 1
    assert won <= 0.05 * played_out, (won, played_out)


def test_commands_for_debugging_change_nothing_and_reveal_nothing(make: Any) -> None:
    env = make(kind="quest", level=8, steps=40)
    env.reset(seed=2)
    for command in CHEATS:
        said = env.step(f"<answer>{command}</answer>")[0]
        assert "is not a verb" in said or "could not be read" in said or "cannot be part" in said
    while not env.episode.over:
        _, reward, *_ = env.step(env.solve())
    assert reward == 1.0


def test_an_eaten_ingredient_loses_the_meal(make: Any) -> None:
    env = make(kind="cooking", level=1, steps=60)
    env.reset(seed=1)
    taken = next(c for c in env.episode.instance.key["solution"] if c.startswith("take") and "knife" not in c)
    thing = taken.removeprefix("take ").partition(" from ")[0]
    for command in env.episode.instance.key["solution"]:
        env.step(f"<answer>{command}</answer>")
        if command == taken:
            break
    _, reward, terminated, _, info = env.step(f"<answer>eat {thing}</answer>")
    assert (reward, terminated) == (0.0, True)
    assert info["verdict"]["status"] == "graded"


def test_other_messages_cost_a_step_and_the_last_step_ends_the_episode(make: Any) -> None:
    env = make(kind="quest", level=1, steps=20)
    env.reset(seed=1)
    assert "Steps left: 19." in env.step("<answer>look. look</answer>")[0]
    assert "Steps left: 18." in env.step("<answer>fly away</answer>")[0]
    while not env.episode.over:
        observation, reward, terminated, *_ = env.step("<answer>look</answer>")
    assert "No steps are left." in observation
    assert (reward, terminated) == (0.0, True)


def test_a_process_that_is_killed_loses_nothing_and_one_that_always_dies_is_an_error(
    make: Any, adapter: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make(difficulty=2)
    whole = played(env)
    env.reset(seed=1)
    env.step(env.solve())
    live = env.episode._resources._slots["textworld"].live
    os.kill(live.process.pid, signal.SIGKILL)
    assert env.step(env.solve())[0] == whole[2]
    perform = games(adapter)._Episode.perform

    def dying(self: Any, effect: Any) -> Any:
        os.kill(self.process.pid, signal.SIGKILL)
        return perform(self, effect)

    monkeypatch.setattr(games(adapter)._Episode, "perform", dying)
    _, reward, terminated, truncated, info = env.step(env.solve())
    assert terminated or truncated
    assert math.isnan(reward)
    assert info["verdict"]["status"] == "error"


def test_an_episode_restored_elsewhere_continues(make: Any) -> None:
    env = make(difficulty=2)
    whole = played(env)
    env.reset(seed=1)
    env.step(env.solve())
    with closing(envhub.restore(env.snapshot())) as again:
        assert again.step(again.solve())[0] == whole[2]
    with closing(env.fork()) as twin:
        assert twin.step(twin.solve())[0] == whole[2]


@pytest.mark.parametrize("kind", KINDS)
def test_a_users_game_is_won_by_its_solution(make: Any, folder: Path, kind: str) -> None:
    env = mine(make, folder / f"{kind}.z8")
    while not env.episode.over:
        _, reward, *_ = env.step(env.solve())
    assert reward == 1.0
    assert kind not in env.episode.task.prompt


def test_the_content_of_a_users_game_is_its_fingerprint(make: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for ending in ("z8", "json"):
        content = (folder / f"quest.{ending}").read_bytes()
        (tmp_path / "other" / f"renamed.{ending}").write_bytes(content)
    one, same = mine(make, folder / "quest.z8"), mine(make, tmp_path / "other" / "renamed.z8")
    assert one.task.fingerprint == same.task.fingerprint
    with open(tmp_path / "other" / "renamed.json", "a") as file:
        file.write("\n")
    assert mine(make, tmp_path / "other" / "renamed.z8").task.fingerprint != one.task.fingerprint
    with pytest.raises(InvalidParameters, match="have changed since"):
        envhub.restore(same.snapshot())


def test_a_folder_is_drawn_from(make: Any, folder: Path) -> None:
    assert len({env.task.fingerprint for env in episodes(make, USERS, path=str(folder), seeds=12)}) == len(KINDS)


def test_a_game_with_the_logic_of_another_is_never_won(make: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mixed.z8").write_bytes((folder / "quest.z8").read_bytes())
    (tmp_path / "mixed.json").write_text((folder / "coin_collector.json").read_text())
    quest = mine(make, folder / "quest.z8").episode.instance.key["solution"]
    env = mine(make, tmp_path / "mixed.z8")
    for command in quest:
        if not env.episode.over:
            _, reward, _, _, info = env.step(f"<answer>{command}</answer>")
    assert env.episode.over
    assert math.isnan(reward)
    assert info["verdict"]["error"]["code"] == "judges_disagree"


def test_a_game_without_a_solution_is_left_out_by_name(
    make: Any, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("quest", "cooking", "treasure_hunter"):
        for ending in ("z8", "json"):
            (tmp_path / f"{name}.{ending}").write_bytes((folder / f"{name}.{ending}").read_bytes())
    (tmp_path / "quest.json").write_text("{}")
    longest = len(games(adapter).solution((folder / "cooking.json").read_text()) or ())
    played = episodes(make, USERS, path=str(tmp_path), steps=longest - 1, seeds=12)
    drawn = {env.episode.instance.problem["name"] for env in played}
    assert drawn == {"treasure_hunter.z8"}
    assert "'quest.z8'" in caplog.text
    assert "too many for `steps`" in caplog.text
    with pytest.raises(InvalidParameters, match="No game of TextWorld"):
        mine(make, tmp_path / "quest.z8")


def test_a_damaged_game_is_refused(make: Any, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "game.z8").write_bytes((folder / "quest.z8").read_bytes()[:5000])
    (tmp_path / "game.json").write_text((folder / "quest.json").read_text())
    with pytest.raises(ResourceError):
        mine(make, tmp_path / "game.z8")
