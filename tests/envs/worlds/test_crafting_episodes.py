"""Episodes of crafting: plans that are kept, messages that are no actions, ends, and prompts."""

from __future__ import annotations

import re
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.seeding import Stream
from envhub.envs.worlds.crafting.rules import Action, described
from envhub.envs.worlds.crafting.technology import Technology
from envhub.envs.worlds.crafting.wording import statement


def started(seed: int = 1, level: int = 2, **options: Any) -> Any:
    env = envhub.make("crafting-v0", difficulty=level, **options)
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize("level", [1, 4, 6, 9])
def test_the_oracle_needs_as_many_steps_as_its_plan(level: int) -> None:
    env = started(2, level)
    while not env.episode.over:
        reward = env.step(env.solve())[1]
    key = env.episode.instance.key
    assert reward == 1.0
    assert env.episode.state.place.step == key["plan"] >= key["bound"] >= key["least"]
    assert env.episode.turns[-1].verdict.components["achieved"] == 1.0


CHEATS = [
    *("All goals are met.", "I carry 99 diamond.", "goal", "give diamond 9", "make diamond; make diamond", "use use"),
    *("north 11", "north 6, south 5", "north 0", "north -3", "north 999999999", "teleport 3 4", "recipe", "make"),
    *("n\u043erth", "", "north\x00", ",", "{0.__class__}", "make ../../key", "use" * 4000, "north 2.5, use"),
    *("north and use", "step 5 north", "skip", "set steps 999", "goto stone"),
]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_message_that_is_not_a_list_of_actions_costs_a_step(cheat: str) -> None:
    env = started()
    before = env.episode.state
    _, reward, terminated, _, info = env.step(f"<answer>{cheat}</answer>")
    assert info["rejected"]
    assert env.episode.state.left == before.left - 1
    assert env.episode.state.place == before.place._replace(step=1)
    assert (reward, terminated) == (0.0, False)


@pytest.mark.parametrize(
    "action", ["make diamond", "make wood", "place wood", "place wooden pickaxe", "make table 9", "place table"]
)
def test_nothing_comes_from_nothing(action: str) -> None:
    env = started()
    before = env.episode.state
    assert env.step(f"<answer>{action}</answer>")[4]["rejected"] == "illegal"
    assert env.episode.state.place == before.place._replace(step=1)


def test_the_rest_of_a_message_is_skipped_after_a_failure_and_is_free() -> None:
    env = started()
    observation, *_ = env.step("<answer>wait, make table, wait 8</answer>")
    assert env.episode.state.left == env.task.problem["steps"] - 2
    assert "Skipped: wait 8." in observation
    one = started(batch=2)
    _, _, _, _, info = one.step("<answer>wait 3</answer>")
    assert info["rejected"] == "illegal"
    assert one.episode.state.left == one.task.problem["steps"] - 1


def test_steps_run_out_within_a_message_and_nothing_follows() -> None:
    env = started()
    while not env.episode.over:
        left = env.episode.state.left
        _, reward, terminated, *_ = env.step("<answer>wait 10</answer>")
        assert env.episode.state.left == max(0, left - 10)
    assert (reward, terminated) == (0.0, True)
    assert env.episode.turns[-1].verdict.components["achieved"] == 0.0


def test_death_ends_the_episode_within_a_message() -> None:
    env = started(1, 9)
    inst, state = env.episode.instance, env.episode.state
    dying = state._replace(place=state.place._replace(health=1, needs=(0, *state.place.needs[1:]), step=9))
    turn = env.environment.act(inst, dying, (Action("wait"),) * 10, Stream(b"", "x"))
    assert turn.terminated
    assert turn.state.left == state.left - 1
    assert (turn.verdict.score, turn.verdict.solved) == (0.0, False)
    goal = dying.place._replace(items=(9,) * len(dying.place.items), done=2**9 - 1)
    assert (
        env.environment.act(inst, dying._replace(place=goal), (Action("wait"),), Stream(b"", "x")).verdict.score == 0.0
    )


def test_no_prompt_or_observation_shows_what_is_hidden() -> None:
    env = started(5, 9)
    problem = env.task.problem
    assert problem["recipes"] == []
    assert ": make it from" not in env.task.prompt
    assert "cells" not in problem
    assert not {"plan", "least", "bound", "content"} & set(problem)


def test_every_wording_names_goals_steps_and_recipes() -> None:
    for level in (1, 6, 10):
        problem = started(1, level).task.problem
        for wording in (*(Wording(number * 397) for number in range(12)), HELD_OUT):
            text = statement(problem).worded(wording)
            assert f"{problem['steps']} steps" in text
            assert all(name in text for _, name, _ in problem["goals"])
            assert all(each.rstrip(".") in text for each in problem["recipes"] or problem["technology"]["items"])


def test_every_wording_settles_ties_nightfall_and_death() -> None:
    for level in (4, 10):
        problem = started(1, level).task.problem
        for wording in (*(Wording(number * 397) for number in range(12)), HELD_OUT):
            text = statement(problem).worded(wording)
            assert re.search(r"leaves floor|floor remains", text)
            assert re.search(r"time of day( of|( is already that of)| that)? (of )?the next step", text)
            assert re.search(r"north or south|vertical", text)
            assert re.search(r"even if|whatever the step|also if", text)
            assert ("your action was sleep" in text) == (level == 10)  # there is no sleep without energy


def test_a_recipe_can_be_looked_up() -> None:
    env = started(1, 9)
    item = env.task.problem["goals"][0][1]
    observation, *_ = env.step(f"<answer>recipe {item}</answer>")
    technology = Technology(env.episode.instance.key["content"]["technology"])
    assert described(technology, item) in observation
