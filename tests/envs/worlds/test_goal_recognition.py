"""Goals that fit what an agent did: a second search from the prompt agrees, and one observation decides."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.worlds.planning import tasks
from envhub.envs.worlds.planning.candidate_goals import Watch, draw_goal, variation
from envhub.envs.worlds.planning.domains import DOMAINS, DRAWS
from envhub.generators.planning.domains import Problem
from tests.envs.worlds.goals_by_prompt import observed, possible

PLAIN = 0
SMALL: dict[str, Any] = {"difficulty": None, "size": 2, "least": 3, "most": 5, "facts": 2, "goals": 6, "wording": PLAIN}
TINY = {"blocksworld": 2, "logistics": 2, "gripper": 3, "ferry": 3, "depots": 3}


def drawn(seed: int, **settings: Any) -> Any:
    env = envhub.make("goal-recognition-v0", **{**SMALL, **settings})
    env.reset(seed=seed)
    return env


def numbers(env: Any) -> list[int]:
    return list(env.episode.instance.key["possible"])


def solved(env: Any, answer: str) -> bool:
    return bool(env.fork().step(f"<answer>{answer}</answer>")[4]["verdict"]["solved"])


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("domain", ["blocksworld", "gripper", "ferry"])
def test_a_second_search_agrees(domain: str, gaps: bool) -> None:
    env = drawn(1, domain=domain, gaps=gaps, size=TINY[domain], most=4)
    assert possible(env.task.prompt, gaps) == numbers(env)


@pytest.mark.nightly
@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("domain", DRAWS)
def test_a_second_search_agrees_at_length(domain: str, gaps: bool) -> None:
    for seed in range(100, 108):
        env = drawn(seed, domain=domain, gaps=gaps, size=TINY[domain])
        assert possible(env.task.prompt, gaps) == numbers(env), seed


@pytest.mark.parametrize("gaps", [False, True])
def test_one_observation_excludes_a_candidate(gaps: bool) -> None:
    env = drawn(4, domain="blocksworld", gaps=gaps)
    given, right = observed(env.task.prompt), set(numbers(env))
    freed = [
        set(possible(env.task.prompt, gaps, given[:at] + given[at + 1 :] if gaps else given[:at]))
        for at in range(len(given))
    ]
    assert all(right <= more for more in freed)
    last = freed[-1] - right
    alone = Counter(number for more in freed for number in more - right)
    assert 1 in alone.values() if gaps else last


def test_two_shortest_plans_are_both_considered() -> None:
    """Two cars to two other ports, in either order: both first actions fit, and a detour fits no goal."""
    objects = {"boat": "boat", **dict.fromkeys(("p1", "p2", "p3"), "port"), "c1": "car", "c2": "car"}
    start = (("moored", "boat", "p1"), ("at", "c1", "p1"), ("at", "c2", "p1"))
    content = {"domain": "ferry", "objects": objects, "start": [list(atom) for atom in start], "goal": []}
    scene = tasks.scene_of(content)
    goal = (("at", "c1", "p2"), ("at", "c2", "p3"))
    action = scene.space.action
    for one, other, port in (("c1", "c2", "p2"), ("c2", "c1", "p3")):
        first, away = action("board", (one, "boat", "p1")), action("sail", ("boat", "p1", port))
        assert Watch(scene, [first, away], gaps=False).possible(goal)
        assert Watch(scene, [away, action("board", (other, "boat", "p1"))], gaps=True).possible(goal)
    detour = action("sail", ("boat", "p1", "p2"))
    assert Watch(scene, [detour], gaps=True).possible(goal)
    assert Watch(scene, [detour], gaps=False).possible(goal) is False
    twice = action("board", ("c1", "boat", "p2"))
    assert Watch(scene, [twice], gaps=True).possible(goal) is False
    assert Watch(scene, [detour], gaps=True).possible((("at", "c1", "p3"), ("at", "c1", "p2"))) is None


def test_only_the_whole_set_is_right() -> None:
    env = drawn(5, domain="any")
    right, everything = set(numbers(env)), range(1, 7)
    for mask in range(1, 64):
        tried = {number for number in everything if mask >> number - 1 & 1}
        assert solved(env, ", ".join(map(str, tried))) == (tried == right)
    assert solved(env, " ".join(map(str, sorted(right, reverse=True))))
    for wrong in ("all", "", "0", *(f"{number}, {number}" for number in right), f"{min(right)}, 99"):
        assert not solved(env, wrong)


def test_goals_are_different_and_none_holds_at_first() -> None:
    env = envhub.make("goal-recognition-v0", difficulty=5)
    for seed in range(6):
        env.reset(seed=seed)
        problem = env.task.problem
        goals = [frozenset(map(tuple, goal)) for goal in problem["goals"]]
        assert len(set(goals)) == len(goals) == 8
        assert not any(goal & set(map(tuple, problem["start"])) for goal in goals)


def test_numbers_of_possible_candidates_vary() -> None:
    env = envhub.make("goal-recognition-v0", difficulty=2)
    found = Counter[int]()
    for seed in range(40):
        env.reset(seed=seed)
        found[len(numbers(env))] += 1
    assert len(found) >= 4
    assert max(found.values()) < 25


@pytest.mark.parametrize("domain", DRAWS)
def test_drawn_goals_are_of_the_domain(domain: str) -> None:
    rng = Stream(b"goals", domain)
    for size in (1, 5, 10):
        problem: Problem = DRAWS[domain](rng, size)
        goal = draw_goal(rng, domain, problem, 3)
        for each in (goal, variation(rng, domain, problem, goal) if goal else ()):
            assert not set(each) & set(problem.start)
            for name, *arguments in each:
                types = DOMAINS[domain].predicates[name].types
                assert all(DOMAINS[domain].is_a(problem.objects[a], t) for a, t in zip(arguments, types, strict=True))


def test_parameters_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InvalidParameters, match="least <= most"):
        envhub.make("goal-recognition-v0", difficulty=None, least=9, most=3)
