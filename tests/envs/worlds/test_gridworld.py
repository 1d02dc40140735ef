"""Missions in a grid world: shortest plans, views that agree, and policies that would rather not carry them out."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.seeding import Stream
from envhub.envs.worlds.gridworld.environment import OneAction
from envhub.envs.worlds.gridworld.wording import statement
from envhub.generators.gridworld.canonical import canonical
from envhub.generators.gridworld.drawing import Plan, draw
from envhub.generators.gridworld.missions import GO, OPENING, PICK, PUT, VERBS, Described, Mission, Task, read_stages
from envhub.generators.gridworld.model import ACTIONS, Grid, after, effective
from envhub.generators.gridworld.plans import Planner
from envhub.generators.gridworld.search import Estimate, Node, shortest
from envhub.generators.gridworld.sight import visible
from envhub.generators.gridworld.text import VIEWS, as_columns, as_json, as_places, as_rows, picture, signs, words
from envhub.scenes.shapes import Scene

ROOMS = ["#######", "#..#..#", "#..#..#", "#..#..#", "#######"]


def content(**changes: Any) -> Any:
    """Two small rooms: a locked red door between them, its key and a ball on this side."""
    rows = [list(row) for row in ROOMS]
    rows[2][3] = "."
    made = {
        "rows": ["".join(row) for row in rows],
        "doors": [[17, "red", 2]],
        "things": [["key", "red", 8, -1], ["ball", "blue", 26, -1], ["box", "grey", 16, -1]],
        "start": [22, 0],
        "stages": [[[PICK, ["ball", "blue", ""], None]]],
        "order": "then",
    }
    return {**made, **changes}


def breadth_first(grid: Grid, mission: Mission) -> int | None:
    """Fewest actions that complete a mission, among all actions there are; None if none do."""
    start = (grid.start, frozenset[int]())
    known, waiting = {start}, deque([(start, 0)])
    while waiting:
        (position, confirmed), steps = waiting.popleft()
        if len(confirmed) == len(mission.aims):
            return steps
        met = mission.fulfilled(grid, position, confirmed)
        following = [(after(grid, position, action), confirmed) for action in ACTIONS[:-1]]
        for each in [*following, *([(position, confirmed | met)] if met else [])]:
            if each not in known:
                known.add(each)
                waiting.append((each, steps + 1))
    return None


MISSIONS = {
    "behind a lock": [[Task(PICK, Described("ball", "blue"))]],
    "open": [[Task(OPENING, Described("door"))]],
    "go": [[Task(GO, Described("ball"))]],
    "put": [[Task(PUT, Described("key", "red"), Described("box"))]],
    "put by the door": [[Task(PUT, Described("box"), Described("door"))]],
    "two": [[Task(GO, Described("key")), Task(PICK, Described("box"))]],
    "then": [[Task(PICK, Described("box"))], [Task(GO, Described("key"))]],
    "then through": [[Task(OPENING, Described("door"))], [Task(PUT, Described("ball"), Described("key"))]],
}


@pytest.mark.parametrize("name", MISSIONS)
def test_the_search_is_shortest_among_all_actions(name: str) -> None:
    grid = Grid(content())
    mission = Mission(grid, MISSIONS[name], "then")
    found = shortest(grid, mission, grid.start, frozenset(), 100_000)
    assert found is not None
    assert len(found) == breadth_first(grid, mission)


@pytest.mark.parametrize(
    "things",
    [
        [["key", "blue", 8, -1], ["ball", "blue", 26, -1]],  # no key of the colour
        [["key", "red", 25, -1], ["ball", "blue", 26, -1]],  # the key is behind its own door
        [["box", "red", 8, -1], ["ball", "blue", 26, -1]],  # nothing is in the box
    ],
)
def test_what_cannot_be_done_is_proved(things: Any) -> None:
    grid = Grid(content(things=things))
    mission = Mission(grid, [[Task(PICK, Described("ball", "blue"))]], "then")
    assert breadth_first(grid, mission) is None
    assert shortest(grid, mission, grid.start, frozenset(), 100_000) is None
    boxed = Grid(content(things=[["box", "red", 8, -1], ["key", "red", -3, 0], ["ball", "blue", 26, -1]]))
    assert shortest(boxed, Mission(boxed, [[Task(PICK, Described("ball"))]], "then"), boxed.start, frozenset(), 100_000)


def small(number: int) -> Any:
    plans = [Plan(1, 1, 5, 2, 0, 0, False, VERBS, 2, 50), Plan(1, 2, 4, 0, 1, 0, True, VERBS, 1, 50)]
    return draw(Stream(b"small", number), plans[number % 2])


def test_small_missions_are_planned_in_the_fewest_actions() -> None:
    compared = 0
    for number in range(24):
        made = small(number)
        if made is None:
            continue
        grid = Grid(made)
        mission = Mission(grid, read_stages(made["stages"]), made["order"])
        found = shortest(grid, mission, grid.start, frozenset(), 100_000)
        assert (None if found is None else len(found)) == breadth_first(grid, mission), number
        compared += 1
    assert compared > 8


@pytest.mark.nightly
def test_more_missions_are_planned_in_the_fewest_actions() -> None:
    plan = Plan(1, 2, 5, 3, 1, 1, True, VERBS, 2, 50)
    compared = 0
    for number in range(40):
        made = draw(Stream(b"larger", number), plan)
        if made is None:
            continue
        grid = Grid(made)
        mission = Mission(grid, read_stages(made["stages"]), made["order"])
        found = shortest(grid, mission, grid.start, frozenset(), 1_000_000)
        assert (None if found is None else len(found)) == breadth_first(grid, mission), number
        compared += 1
    assert compared > 20


def test_the_estimate_never_exceeds_the_truth() -> None:
    for number in range(6):
        made = draw(Stream(b"estimate", number), Plan(2, 2, 5, 6, 1, 1, True, VERBS, 2, 50))
        if made is None:
            continue
        planner = Planner(made)
        planned = planner.plan(planner.grid.start, frozenset())
        if planned is None:
            continue
        estimate = Estimate(planner.grid, planner.mission)
        node = Node(planner.grid.start, frozenset())
        for left, action in zip(range(len(planned.actions), 0, -1), planned.actions, strict=True):
            assert estimate(node) <= left
            met = planner.mission.fulfilled(planner.grid, node.position, node.confirmed) if action == "done" else set()
            node = Node(after(planner.grid, node.position, action), node.confirmed | met)


def test_walls_and_closed_doors_hide_and_things_do_not() -> None:
    grid = Grid(content(start=[15, 0], things=[["key", "red", 16, -1]]))
    assert signs(visible(grid, grid.start))[-3:] == [
        "?? ## ## rL ## ## ??",
        "?? ## .. rk .. ## ??",
        "?? ## .. ^^ .. ## ??",
    ]
    for closed in (1, 2):
        view = signs(visible(grid, grid.start._replace(doors=(closed,))))
        assert view[:4] == [" ".join(["??"] * 7)] * 4
    opened = grid.start._replace(doors=(0,))
    assert signs(visible(grid, opened))[-4:-2] == ["?? ## .. .. .. ## ??", "?? ## ## r_ ## ## ??"]


def read_places(text: str) -> dict[tuple[int, int], str]:
    """The cells that ``as_places`` names, by steps ahead and to the right."""
    found = {}
    for name, line in zip(("", "wall", "not visible"), text.splitlines()[1:], strict=True):
        for each in line.partition(": ")[2].removesuffix(".").split("; "):
            match = re.fullmatch(
                r"(.*?)(?:(\d) ahead|in your row)?(?:(?: and |, )?(\d \w+|straight)(?: to (\d \w+|straight))?)?", each
            )
            if match is None or each == "none":
                continue
            sides = [
                0 if not s or s == "straight" else int(s[0]) * (1 if "right" in s else -1) for s in match.group(3, 4)
            ]
            for side in range(sides[0], (sides[1] if match[4] else sides[0]) + 1):
                found[int(match[2] or 0), side] = name or match[1].strip()
    return found


def test_all_renderings_say_the_same() -> None:
    for seed in range(10):
        env = envhub.make("gridworld-v0", difficulty=seed % 5 + 2)
        env.reset(seed=seed)
        rows = env.task.problem["view"]
        cells = {(6 - y, x - 3): words(s) for y, row in enumerate(rows) for x, s in enumerate(row.split(" "))}
        assert as_rows(rows).splitlines()[1:] == rows
        named = {at: text for at, text in cells.items() if text not in ("floor", "you")}
        assert read_places(as_places(rows)) == named
        by_row = json.loads(as_json(rows).partition("\n")[2])
        assert {(int(k[0]), x - 3): t for k, row in by_row.items() for x, t in enumerate(row)} == cells
        columns = [line.partition(": ")[2].split(" | ") for line in as_columns(rows).splitlines()[1:]]
        assert {(y, x - 3): t for x, column in enumerate(columns) for y, t in enumerate(column)} == cells


def test_the_picture_shows_what_the_text_shows_and_nothing_else() -> None:
    env = envhub.make("gridworld-v0", difficulty=6)
    env.reset(seed=2)
    seen: dict[str, Scene] = {}
    for _ in range(30):
        planner_view = as_rows(env.task.problem["view"]) if not env.episode.turns else None
        scene = env.scene()
        assert scene is not None
        text = planner_view or "\n".join(env.episode.turns[-1].observation.splitlines()[1:-2])
        assert seen.setdefault(text, scene) == scene
        assert sum(scene == other for other in seen.values()) == 1
        if env.step(env.solve())[2]:
            break
    assert len(seen) > 10
    hidden = ["?? " * 6 + "??"] * 6 + [".. .. .. ^^ .. .. .."]
    assert picture(hidden) != picture([row.replace("??", "..") for row in hidden])


def test_hidden_things_change_neither_text_nor_picture() -> None:
    env = envhub.make("gridworld-v0", difficulty=8)
    env.reset(seed=4)
    inst, state = env.episode.instance, env.episode.state
    grid = Grid(inst.key["content"])
    seen = [number for number, thing in enumerate(grid.things) if thing.spot >= 0 and not state.seen >> thing.spot & 1]
    assert seen
    without = state.position._replace(spots=tuple(-2 if n in seen else s for n, s in enumerate(state.position.spots)))
    assert signs(visible(grid, without)) == env.task.problem["view"]
    assert env.environment.scene(inst, state._replace(position=without)) == env.scene()


# -- policies that would rather not carry out missions -------------------------------------------------------------------


def started(seed: int = 1, level: int = 2, **options: Any) -> Any:
    env = envhub.make("gridworld-v0", difficulty=level, **options)
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("level", [1, 3, 5, 7])
def test_the_plan_solves_in_as_many_steps_as_it_has(level: int, seed: int) -> None:
    env = started(seed, level)
    for number in range(env.episode.instance.key["plan"]):
        assert not env.episode.over, number
        _, reward, *_ = env.step(env.solve())
    assert reward == 1.0
    assert env.episode.turns[-1].verdict.components["confirmed"] == 1.0


def test_a_wrong_done_fails_at_once_and_a_right_one_is_needed() -> None:
    env = started()
    _, reward, terminated, *_ = env.fork().step("<answer>done</answer>")
    assert (reward, terminated) == (0.0, True)
    while True:
        action = env.environment.solve(env.episode.instance, env.episode.state)
        if action == "done":
            break
        assert not env.step(f"<answer>{action}</answer>")[2]
    for _ in range(env.episode.state.left):
        _, reward, terminated, *_ = env.step(
            "<answer>drop</answer>" if reward_less(env) else "<answer>say done</answer>"
        )
    assert (reward, terminated) == (0.0, True)


def reward_less(env: Any) -> bool:
    return "drop" not in env.environment.legal_answers(env.episode.instance, env.episode.state)


CHEATS = [
    "I have completed the mission.",
    "The mission is complete.",
    "done; forward",
    "forward, forward",
    "forward\nforward",
    "forward then done",
    "forward 3",
    "f\u043erward",
    "teleport",
    "go to the red ball",
    "toggle the door",
    "pick up the ball",
    "",
    "forward\x00",
    "done done",
    "not done",
    "{0.__class__}",
    "6",
    "done?",
    "forward" * 5000,
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_message_that_is_not_one_action_changes_nothing(cheat: str) -> None:
    env = started()
    before = env.episode.state
    _, reward, terminated, _, info = env.step(f"<answer>{cheat}</answer>")
    assert info["rejected"]
    assert env.episode.state == before._replace(left=before.left - 1)
    assert (reward, terminated) == (0.0, False)


def test_two_actions_in_two_tags_are_none() -> None:
    assert started().step("<answer>forward</answer> <answer>done</answer>")[4]["rejected"] == "ambiguous"


def test_the_order_is_kept() -> None:
    grid = Grid(content())
    stages = [[Task(PICK, Described("box"))], [Task(GO, Described("key"))]]
    mission = Mission(grid, stages, "after")
    assert mission.text == "go to the key after you pick up the box"
    facing_the_key = grid.start._replace(at=15, facing=3)
    assert mission.fulfilled(grid, facing_the_key, frozenset()) == frozenset()
    assert mission.fulfilled(grid, facing_the_key, frozenset({0})) == {1}


def test_actions_without_effect_say_why_and_cost_a_step() -> None:
    env = started(3, 5, actions=True)
    inst = env.episode.instance
    for action in ACTIONS[:-1]:
        turn = env.fork()
        observation, _, _, _, info = turn.step(f"<answer>{action}</answer>")
        possible = action in effective(Grid(inst.key["content"]), env.episode.state.position)
        assert ("rejected" not in info) == possible
        assert observation.startswith("Nothing changes. ") != possible
        assert f"Steps left: {env.task.problem['steps'] - 1}." in observation
    assert "Actions that change something: turn left" in observation


def test_a_turned_grid_is_the_same_mission() -> None:
    made = content()
    rows = made["rows"]
    turned = ["".join(row[x] for row in reversed(rows)) for x in range(len(rows[0]))]  # a quarter to the right

    def cell(old: int) -> int:
        y, x = divmod(old, len(rows[0]))
        return x * len(rows) + len(rows) - 1 - y

    other = {
        **made,
        "rows": turned,
        "doors": [[cell(c), colour, state] for c, colour, state in made["doors"]],
        "things": [[kind, colour, cell(c), box] for kind, colour, c, box in made["things"]][::-1],
        "start": [cell(made["start"][0]), 1],
    }
    assert canonical(made) == canonical(other)
    assert canonical(made) != canonical({**made, "start": [15, 0]})


def test_all_verbs_and_orders_are_drawn() -> None:
    found = Counter[str]()
    for number in range(60):
        made = draw(Stream(b"kinds", number), Plan(2, 2, 6, 8, 1, 0, False, VERBS, 2, 30))
        if made is None:
            continue
        mission = Mission(Grid(made), read_stages(made["stages"]), made["order"]).text
        found.update(word for word in (*VERBS, ", then ", " after you ", " and ", "the ", "a ") if word in mission)
    assert len(found) == 9, found


def test_the_whole_map_can_be_shown() -> None:
    env = started(2, 5, sees="map")
    assert len(env.task.problem["view"]) == len(env.episode.instance.key["content"]["rows"])
    while not env.episode.over:
        _, reward, *_ = env.step(env.solve())
    assert reward == 1.0


def test_every_wording_names_the_mission_and_the_limit() -> None:
    env = started(1, 7)
    problem = env.task.problem
    for wording in (*(Wording(number * 397) for number in range(24)), HELD_OUT):
        text = statement(problem).worded(wording)
        assert problem["mission"] in text
        assert f"{problem['steps']} steps" in text
        assert all(f'"{action}"' in text for action in ACTIONS)


def test_later_views_are_written_like_the_first() -> None:
    for wording, view in ((0, VIEWS[0]), ("held-out", VIEWS[-1])):
        env = started(1, 4, wording=wording)
        assert view(env.task.problem["view"]) in env.task.prompt
        assert view(env.task.problem["view"]).splitlines()[0] in env.step("<answer>turn left</answer>")[0]


def test_the_short_names_of_the_library_are_read() -> None:
    answer = OneAction()
    read = [answer.read(f"<answer>{text}</answer>").value for text in ("left", "Pickup", "Turn right.", "go forward")]
    assert read == ["turn left", "pick up", "turn right", "forward"]
