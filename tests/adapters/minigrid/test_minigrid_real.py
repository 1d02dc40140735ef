"""MiniGrid itself, nightly: its rules, views and verdicts are those of our engine, and BabyAI's bot solves its levels."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.generators.gridworld.drawing import Plan, draw
from envhub.generators.gridworld.missions import GO, OPENING, PICK, VERBS, Targets, Task, read_stages
from envhub.generators.gridworld.model import ACTIONS, CLOSED, HELD, LOCKED, OPEN, Grid, Position, after
from envhub.generators.gridworld.plans import Planner
from envhub.generators.gridworld.sight import visible
from envhub.generators.gridworld.text import signs
from tests.support.peers import folder_of, on_path

pytestmark = pytest.mark.nightly
HOME = "envhub.adapters.minigrid"
OURS = (f"{HOME}.environments", f"{HOME}.games")
MAPS = [Plan(1, 2, 6, 8, 0, 0, False, VERBS, 1, 30), Plan(2, 2, 6, 10, 1, 1, True, VERBS, 2, 50)]
MAPS += [Plan(2, 3, 7, 14, 2, 1, True, VERBS, 3, 50), Plan(3, 3, 5, 12, 2, 2, True, VERBS, 4, 50)]


@pytest.fixture(scope="module")
def games() -> Iterator[Any]:
    """The module over the library."""
    with on_path(folder_of("minigrid", "minigrid"), *OURS, prefix="minigrid/", library="minigrid"):
        importlib.import_module(OURS[0]).register()
        yield importlib.import_module(OURS[1])


def contents(count: int) -> Iterator[tuple[Any, Stream]]:
    for number in range(count):
        rng = Stream(b"minigrid", number)
        content = draw(rng, MAPS[number % len(MAPS)])
        if content is not None:
            yield content, rng


def theirs(content: Any) -> Any:
    """A grid of the library with the same walls, doors, things and mission."""
    objects = importlib.import_module("minigrid.core.world_object")
    mine = Grid(content)

    class Same(importlib.import_module("minigrid.minigrid_env").MiniGridEnv):  # type: ignore[misc]
        def __init__(self) -> None:
            space = importlib.import_module("minigrid.core.mission").MissionSpace(mission_func=lambda: "")
            super().__init__(space, width=mine.width, height=mine.height, max_steps=100_000)

        def _gen_grid(self, width: int, height: int) -> None:
            self.grid = importlib.import_module("minigrid.core.grid").Grid(width, height)
            for cell in mine.walls:
                self.put(cell, objects.Wall())
            for door in mine.doors:
                self.put(door.cell, objects.Door(door.colour, door.state == OPEN, door.state == LOCKED))
            made = {"key": objects.Key, "ball": objects.Ball, "box": objects.Box}
            things = [made[thing.kind](thing.colour) for thing in mine.things]
            for thing, it in zip(mine.things, things, strict=True):
                if thing.box >= 0:
                    things[thing.box].contains = it
                else:
                    self.put(thing.spot, it)
            self.agent_pos, self.agent_dir = divmod(mine.start.at, width)[::-1], mine.start.facing

        def put(self, cell: int, it: Any) -> None:
            it.init_pos = it.cur_pos = divmod(cell, mine.width)[::-1]
            self.grid.set(*it.cur_pos, it)

        def room_from_pos(self, x: int, y: int) -> Any:
            size = content["size"] - 1
            low = (self.agent_pos[0] // size * size, self.agent_pos[1] // size * size)

            class Room:
                @staticmethod
                def pos_inside(i: int, j: int) -> bool:
                    return bool(low[0] < i < low[0] + size and low[1] < j < low[1] + size)

            return Room

    made = Same()
    made.reset(seed=0)
    return made


def instruction(content: Any) -> Any:
    """The mission in the library's classes."""
    verifier = importlib.import_module("minigrid.envs.babyai.core.verifier")

    def described(it: Any) -> Any:
        return verifier.ObjDesc(None if it.kind == "object" else it.kind, it.colour or None, it.where or None)

    def of(task: Task) -> Any:
        if task.beside is not None:
            return verifier.PutNextInstr(described(task.what), described(task.beside))
        one = {GO: verifier.GoToInstr, PICK: verifier.PickupInstr, OPENING: verifier.OpenInstr}[task.verb]
        return one(described(task.what))

    stages = [[of(task) for task in stage] for stage in read_stages(content["stages"])]
    joined = [stage[0] if len(stage) == 1 else verifier.AndInstr(*stage) for stage in stages]
    if len(joined) == 1:
        return joined[0]
    return verifier.AfterInstr(*joined[::-1]) if content["order"] == "after" else verifier.BeforeInstr(*joined)


def facts(grid: Grid, position: Position) -> list[Any]:
    """Everything that may change, as the library would say it."""
    held = position.held
    found: list[Any] = [divmod(position.at, grid.width)[::-1], position.facing]
    found.append(None if held is None else (grid.things[held].kind, grid.things[held].colour))
    lying = [(spot, t.kind, t.colour) for spot, t in zip(position.spots, grid.things, strict=True) if spot >= 0]
    doors = [(door.cell, "door", door.colour, state) for door, state in zip(grid.doors, position.doors, strict=True)]
    return [*found, sorted([*lying, *doors])]


def their_facts(game: Any) -> list[Any]:
    held = game.carrying
    found: list[Any] = [tuple(map(int, game.agent_pos)), game.agent_dir]
    found.append(None if held is None else (held.type, held.color))
    things = []
    for cell, it in enumerate(game.grid.grid):
        if it is None or it.type == "wall":
            continue
        state = [] if it.type != "door" else [OPEN if it.is_open else LOCKED if it.is_locked else CLOSED]
        things.append((cell, it.type, it.color, *state))
    return [*found, sorted(things)]


def test_the_rules_and_the_views_are_the_same(games: Any) -> None:
    steps = changes = 0
    for content, rng in contents(60):
        grid = Grid(content)
        game, position = theirs({**content, "size": 5}), grid.start
        for _ in range(150):
            action = rng.choice(ACTIONS[:-1] if rng.below(3) else ("forward", "toggle", "pick up", "drop"))
            now = after(grid, position, action)
            seen = game.step(ACTIONS.index(action))[0]
            assert facts(grid, now) == their_facts(game), (content, position, action)
            assert signs(visible(grid, now)) == games.view_of(seen), (content, now)
            steps, changes, position = steps + 1, changes + (now is not position), now
    assert steps > 7000
    assert changes > steps // 4


def test_what_completes_a_mission_does_so_there(games: Any) -> None:
    sizes, solved = {plan: plan.size for plan in MAPS}, 0
    for number, (content, _) in enumerate(contents(160)):
        planner = Planner(content)
        plan = planner.plan(planner.grid.start, frozenset())
        stages = read_stages(content["stages"])
        lasting = any(task.verb in (OPENING, PICK) for stage in stages for task in stage)
        if plan is None or (len(stages) > 1 and lasting):
            continue  # what is held or open from before counts here as soon as it is due, and there only if done again
        if any(
            aim.beside != NOTHING and not dropped(planner, plan.actions) & aim.what.things
            for aim in planner.mission.aims
        ):
            continue  # Y was put next to X, which counts here alone
        if "grey object" in planner.mission.text:
            continue  # there it can be a wall
        size = next(s for p, s in sizes.items() if (p.size - 1) * p.columns + 1 == planner.grid.width)
        game, told = theirs({**content, "size": size}), instruction(content)
        assert told.surface(game) == planner.mission.text, number
        told.reset_verifier(game)
        status = "continue"
        for action in plan.actions:
            game.step(ACTIONS.index(action))
            if action == "drop":
                for part in parts(told):
                    part.update_objs_poss()
            status = told.verify(ACTIONS.index(action)) if status != "success" else status
        assert status == "success", (number, planner.mission.text, plan.actions)
        solved += 1
    assert solved > 30


NOTHING = Targets(frozenset(), frozenset())


def dropped(planner: Planner, actions: Any) -> set[int]:
    """The things that are laid down in a plan."""
    position, found = planner.grid.start, set[int]()
    for action in actions:
        if action == "drop" and position.held is not None:
            found.add(position.held)
        position = position if action == "done" else after(planner.grid, position, action)
    return found


def parts(told: Any) -> list[Any]:
    return [*parts(told.instr_a), *parts(told.instr_b)] if hasattr(told, "instr_a") else [told]


def test_a_position_is_never_of_two_hands(games: Any) -> None:
    for content, rng in contents(10):
        grid = Grid(content)
        position = grid.start
        for _ in range(200):
            position = after(grid, position, rng.choice(ACTIONS[:-1]))
            assert position.spots.count(HELD) <= 1


@pytest.mark.parametrize("difficulty", range(1, 11))
def test_the_bot_solves_its_levels_and_episodes_replay(games: Any, difficulty: int) -> None:
    env = envhub.make("minigrid/babyai-v0", difficulty=difficulty)
    for seed in range(6):
        env.reset(seed=seed)
        prompt, seen = env.task.prompt, []
        while not env.episode.over:
            observation, reward, *_ = env.step(env.solve())
            seen.append(observation)
        assert reward == 1.0
        env.reset(seed=seed)
        assert env.task.prompt == prompt
        assert [env.step(env.solve())[0] for _ in seen] == seen


def test_every_level_exists_and_an_unknown_one_is_refused(games: Any) -> None:
    tables = importlib.import_module("envhub.adapters.minigrid.tables")
    assert {*tables.NAMES} <= {*games.names()}
    with pytest.raises(envhub.core.errors.InvalidParameters, match="GoTo"):
        envhub.make("minigrid/babyai-v0", level="GoToo")


def test_idleness_does_not_solve(games: Any) -> None:
    env = envhub.make("minigrid/babyai-v0", level="GoToRedBall", steps=5)
    env.reset(seed=1)
    while not env.episode.over:
        _, reward, *_ = env.step("<answer>done</answer>")
    assert reward == 0.0


def test_a_restored_episode_goes_on(games: Any) -> None:
    env = envhub.make("minigrid/babyai-v0", level="UnlockPickup")
    env.reset(seed=3)
    for _ in range(5):
        env.step(env.solve())
    twin = env.fork()
    assert env.step(env.solve())[0] == twin.step(twin.solve())[0]
