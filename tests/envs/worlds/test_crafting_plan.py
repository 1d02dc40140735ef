"""Plans of crafting: the least number by enumeration, execution by a second interpreter, answers that should not pass."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import permutations
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT
from envhub.core.seeding import Stream
from envhub.envs.worlds.crafting.crafting_plan import CraftingPlan
from envhub.envs.worlds.crafting.plans import Steps

Tree = dict[str, Any]
ENVIRONMENT = CraftingPlan()


def read_lines(prompt: str) -> Tree:
    """The technology in a prompt that lists it line by line."""
    tools, ways = dict[str, str](), dict[str, list[tuple[dict[str, int], list[str]]]]()
    for name, text in re.findall(r"^- ([a-z ]+): ((?:gather|make from).*)$", prompt, re.MULTILINE):
        if text.startswith("gather"):
            tools[name] = text.removeprefix("gather").removeprefix(" with ")
            continue
        for part in text.split(" or "):
            inputs, _, near = part.removeprefix("make from ").partition(" at ")
            counts = {each.split(" ", 1)[1]: int(each.split(" ", 1)[0]) for each in inputs.split(" + ")}
            ways.setdefault(name, []).append((counts, near.split(" and ") if near else []))
    stations = re.search(
        r"station[s]? (?:that is held )?\(([a-z ,]+)\)|A station \(([a-z ,]+)\)|held station \(([a-z ,]+)\)", prompt
    )
    assert stations
    named = next(group for group in stations.groups() if group)
    return {"tools": tools, "ways": ways, "stations": re.split(r", | and ", named)}


def started(level: int, seed: int, **options: Any) -> tuple[Any, Tree]:
    """A task whose technology is listed line by line, and the technology."""
    for wording in range(200):
        env = envhub.make("crafting-plan-v0", difficulty=level, wording=wording, **options)
        observation, _ = env.reset(seed=seed)
        if re.search(r"^- \S+: gather$", str(observation), re.MULTILINE):
            return env, read_lines(str(observation))
    raise AssertionError("no wording lists the technology")


def cost(tree: Tree, item: str, held: set[str], banned: frozenset[str] = frozenset()) -> int:
    """The least actions for one item that is used up, with what is held."""
    if item in banned:
        return 10**6
    if item in tree["tools"]:
        return 1 if not tree["tools"][item] or tree["tools"][item] in held else 10**6
    return 1 + min(
        (
            sum(count * cost(tree, name, held, banned | {item}) for name, count in inputs.items())
            for inputs, near in tree["ways"][item]
            if held.issuperset(near)
        ),
        default=10**6,
    )


def enumerated(tree: Tree, goals: dict[str, int]) -> int:
    """The least number of actions, over all orders of all tools and stations."""
    lasting = sorted({tool for tool in tree["tools"].values() if tool} | set(tree["stations"]))
    single = [name for name in goals if name.endswith(("pick", "pickaxe", "sword", "blade"))]
    best = 10**6
    for many in range(len(lasting) + 1):
        for order in permutations(lasting, many):
            held, total = set[str](), 0
            for name in order:
                total += cost(tree, name, held) + (name in tree["stations"])
                held.add(name)
            for name, count in goals.items():
                total += (
                    (0 if name in held else cost(tree, name, held))
                    if name in single
                    else count * cost(tree, name, held)
                )
            best = min(best, total)
    return best


def execute(tree: Tree, goals: dict[str, int], text: str) -> bool:
    """Whether a plan works, read and carried out with other code."""
    bag, placed = Counter[str](), set[str]()
    for part in text.split(", "):
        number = re.fullmatch(r"(.+?) (\d+)", part)
        words, times = (number[1], int(number[2])) if number else (part, 1)
        verb, item = words.split(" ", 1)
        for _ in range(times):
            if verb == "gather":
                if item not in tree["tools"] or (tree["tools"][item] and not bag[tree["tools"][item]]):
                    return False
                bag[item] += 1
            elif verb == "place":
                if item not in tree["stations"] or not bag[item]:
                    return False
                bag[item] -= 1
                placed.add(item)
            else:
                for inputs, near in tree["ways"].get(item, []):
                    if placed >= set(near) and all(bag[name] >= count for name, count in inputs.items()):
                        bag.subtract(inputs)
                        bag[item] += 1
                        break
                else:
                    return False
    return all(bag[name] >= count for name, count in goals.items())


@pytest.mark.parametrize("level", [1, 3, 5, 7])
def test_the_limit_is_the_least_by_enumeration(level: int) -> None:
    for seed in range(3):
        env, tree = started(level, seed)
        problem, least = env.task.problem, env.episode.instance.key["least"]
        goals = dict(map(tuple, problem["goals"]))
        assert least == enumerated(tree, goals)
        assert problem["limit"] == least
        assert execute(tree, goals, env.episode.instance.key["plan"])


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_the_limit_is_the_least_by_enumeration_for_many(level: int) -> None:
    for seed in range(20 if level < 8 else 4):
        env, tree = started(level, seed)
        assert env.episode.instance.key["least"] == enumerated(tree, dict(map(tuple, env.task.problem["goals"]))), seed


def test_a_second_interpreter_agrees_on_changed_plans() -> None:
    outcomes = Counter[bool]()
    for seed in range(12):
        env, tree = started(1 + seed % 7, seed)
        rng, goals = Stream(b"changed", seed), dict(map(tuple, env.task.problem["goals"]))
        parts = env.episode.instance.key["plan"].split(", ")
        for _ in range(8):
            changed = list(parts)
            for _ in range(rng.below(3)):
                at = rng.below(len(changed))
                if rng.below(2) and len(changed) > 1:
                    del changed[at]
                else:
                    changed.insert(at, rng.choice(parts))
            text = ", ".join(changed)
            inst = env.episode.instance
            value = Steps().parse(text)
            right = execute(tree, goals, text) and len(value) <= env.task.problem["limit"]
            assert bool(env.environment.grade(inst, value).solved) == right, text
            outcomes[right] += 1
    assert min(outcomes[True], outcomes[False]) > 10


CHEATS = [
    *("gather diamond", "make iron sword", "place table", "gather table", "place wood", "gather wood 99"),
    *("make table 99", "gather wooden pickaxe", "gather stone 9, make furnace", "skip", "", "done", "hold everything"),
    *(
        "gather brick 2, make oven, place oven, gather flour, make bread",
        "gather wood, " * 3000,
        "gather w\u043eod",
        "gather -1 wood",
    ),
    *(
        "make wooden pickaxe, make wooden pickaxe",
        "gather wood -5",
        "gather wood 1e9",
        "{plan}",
        "gather wood and make table",
    ),
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_what_is_no_plan_scores_nothing(cheat: str) -> None:
    env = envhub.make("crafting-plan-v0", difficulty=4)
    env.reset(seed=3)
    assert env.step(f"<answer>{cheat}</answer>")[1] == 0.0


def test_names_do_not_make_another_problem() -> None:
    env = envhub.make("crafting-plan-v0", difficulty=3)
    env.reset(seed=1)
    problem = env.task.problem
    text = json.dumps(problem)
    named = text.replace("wooden pickaxe", "big hook").replace('"iron"', '"lead"').replace("table", "stool")
    renamed = json.loads(named)
    assert renamed != problem
    assert ENVIRONMENT.canonical(renamed) == ENVIRONMENT.canonical(problem)
    recipes = problem["technology"]["recipes"]
    other = {
        **problem,
        "technology": {**problem["technology"], "recipes": [[recipes[0][0], [["wood", 9]], []], *recipes[1:]]},
    }
    assert ENVIRONMENT.canonical(other) != ENVIRONMENT.canonical(problem)


def test_all_renderings_name_all_recipes() -> None:
    env = envhub.make("crafting-plan-v0", difficulty=6)
    env.reset(seed=2)
    for wording in (*range(0, 4000, 397), HELD_OUT):
        text = env.environment.worded(env.task.problem, wording) if wording == HELD_OUT else None
        text = text or envhub.make("crafting-plan-v0", difficulty=6, wording=wording).reset(seed=2)[0]
        for item, inputs, stations in env.task.problem["technology"]["recipes"]:
            assert all(name in str(text) for name in (item, *stations, *(name for name, _ in inputs)))


def test_several_goals_are_held_at_the_same_time_and_one_is_not() -> None:
    found = set()
    for level in (1, 6):
        for wording in (0, 1, 2, 3, "held-out"):
            env = envhub.make("crafting-plan-v0", difficulty=level, wording=wording)
            prompt, _ = env.reset(seed=1)
            several = len(env.task.problem["goals"]) > 1
            found.add(several)
            assert ("at the same time" in prompt) == several
            assert not re.search("together|simultaneously", prompt)
    assert found == {True, False}
