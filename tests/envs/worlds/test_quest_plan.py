"""Plans of quest: the shortest by a breadth-first search, from the start and from anywhere else."""

from __future__ import annotations

import pytest

import envhub
from envhub.core.seeding import Stream, canonical_json
from envhub.envs.worlds.quest.acting import admissible, carried_out, spoken
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import House, house_of
from tests.envs.worlds.quest_houses import HOUSES, act, built, content_of, started


def breadth_first(house: House, state: int) -> int:
    """Fewest commands that fulfil a quest, among all commands there are."""
    layer, known, steps = {state}, {state}, 0
    while not any(house.done(each) for each in layer):
        assert layer
        after = {
            carried_out(house, each, command)
            for each in layer
            if not house.lost(each)
            for command in admissible(house, each)
        }
        layer = {each for each in after if each is not None} - known
        known |= layer
        steps += 1
    return steps


@pytest.mark.parametrize("name", HOUSES)
def test_the_plan_is_the_shortest_among_all_commands(name: str) -> None:
    house = built(**HOUSES[name])
    plan = shortest_plan(house, house.start)
    assert plan is not None
    assert len(plan) == breadth_first(house, house.start)


@pytest.mark.parametrize("name", HOUSES)
def test_the_plan_is_shortest_from_anywhere(name: str) -> None:
    house, rng = built(**HOUSES[name]), Stream(b"anywhere", name)
    for _ in range(3):
        state = house.start
        for _ in range(6):
            choices = [
                after
                for command in admissible(house, state)
                if (after := carried_out(house, state, command)) is not None
            ]
            choices = [after for after in choices if not house.lost(after) and not house.done(after)]
            state = rng.choice(choices)
        plan = shortest_plan(house, state)
        assert plan is not None
        assert len(plan) == breadth_first(house, state)
        for action in plan:
            command = spoken(house, action)
            assert carried_out(house, state, command) == action.after(state)
            state = action.after(state)
        assert house.done(state)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["treasure", "delivery"])
def test_drawn_plans_are_the_shortest_among_all_commands(kind: str) -> None:
    for seed in range(12):
        env = started(kind, seed, furniture=3, clutter=0, locks=1)
        house = house_of(canonical_json(content_of(env)))
        assert breadth_first(house, house.start) == env.episode.instance.key["shortest"], seed


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_oracle_finishes_from_anywhere(level: int) -> None:
    env = envhub.make("quest-v0", difficulty=level)
    for seed in range(3):
        env.reset(seed=seed)
        house, rng = house_of(canonical_json(content_of(env))), Stream(b"wander", level, seed)
        for _ in range(10):
            legal = env.environment.legal_answers(env.episode.instance, env.episode.state)
            safe = [text for text in legal if text.split()[0] not in ("eat", "cook", "slice", "dice", "chop")]
            act(env, rng.choice(safe))
            if env.episode.over:
                break
        state = env.episode.state.facts
        for action in shortest_plan(house, state) or ():
            assert action.possible(state)
            state = action.after(state)
        assert house.done(state)
