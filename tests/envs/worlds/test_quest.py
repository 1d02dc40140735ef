"""Quests in houses: the rules by a second house, spoiled food, locked doors, and names in commands."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream, canonical_json
from envhub.envs.worlds.quest.acting import carried_out
from envhub.envs.worlds.quest.catalogue import APPLIANCES, CLUTTER, FOODS, GOODS, HOLDERS, LABELS, ROOMS, TREASURES
from envhub.envs.worlds.quest.commands import FORMS, Commands
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import DOMAIN, house_of
from envhub.generators.planning.domains import read_domain, write_domain
from tests.envs.worlds import quest_by_prompt
from tests.envs.worlds.quest_by_prompt import Plain
from tests.envs.worlds.quest_houses import HOUSES, act, built, content_of, started


def some_command(env: Any, rng: Stream) -> str:
    """A command that helps, that is possible, that is not, or that is none."""
    which = rng.below(8)
    if which < 3:
        return str(env.environment.answer.read(env.solve()).text)
    if which < 6:
        return str(rng.choice(env.environment.legal_answers(env.episode.instance, env.episode.state)))
    content = content_of(env)
    if which == 6:
        names = [rng.choice([*content["things"], "meal"]), rng.choice([*content["holders"], *content["shut"]])]
        form = rng.choice(list(FORMS.values()))
        if "unlock" in form or "lock" in form:
            names.reverse()
        if form.startswith("go"):
            names = [rng.choice(["north", "east", "south", "west"])]
        return form.format(*(names if form.count("{}") == 2 else [rng.choice(names)]))
    return rng.choice(
        ["I am done.", "look; look", "", "go up", "open", "eat the knife", "take the counter", "prepare meal"]
    )


def agree(seed: int, level: int) -> None:
    env = envhub.make("quest-v0", difficulty=level)
    env.reset(seed=seed)
    second, rng = Plain(content_of(env)), Stream(b"second", seed)
    while not env.episode.over:
        text = some_command(env, rng)
        observation, reward, terminated, _, info = act(env, text)
        where = f"{level} {seed}: {text!r}: {observation}"
        assert second.happens(text) == ("rejected" not in info), where
        assert (reward == 1.0) == second.done(), where
        assert second.lost() == ("the quest is lost" in observation), where
        if text == "look":
            shown = second.shown() | {name for name in second.openings() if not name.startswith("way ")}
            assert all(name in observation for name in shown), where
            hidden = {*second.where} - second.shown() - second.carried()
            assert not any(f" {name}{end}" in observation for name in hidden for end in (",", ".", " and")), where
    assert terminated


@pytest.mark.parametrize("seed", range(20))
def test_a_second_house_agrees(seed: int) -> None:
    agree(seed, seed % 8 + 1)


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_house_agrees_at_length(level: int) -> None:
    for seed in range(1000, 1025):
        agree(seed, level)


def test_the_second_house_knows_the_same_food() -> None:
    assert set(FOODS) == quest_by_prompt.FOODS
    assert {name: HOLDERS[name].does for name in APPLIANCES} == quest_by_prompt.HEAT


def test_a_locked_door_stays_closed_without_its_key() -> None:
    house = built(**HOUSES["a locked door"])
    state = house.start
    for text in ("open oak door", "go north", "unlock oak door with oak key", "take jade statue", "take oak key"):
        assert carried_out(house, state, Commands().parse(text)) is None


def test_names_can_be_read_in_commands() -> None:
    every = [*FOODS, *TREASURES, *GOODS, *CLUTTER, *HOLDERS, *(f"{label} key" for label in LABELS)]
    assert len(set(every)) == len(every)
    answer = Commands()
    for name in every:
        assert answer.parse(f"take {name} from desk drawer").names == (name, "desk drawer")
        assert answer.parse(f"examine the {name}").names == (name,)
    assert {name for names in ROOMS.values() for name in names} <= set(HOLDERS)


def test_the_domain_is_written_and_read_again() -> None:
    assert read_domain(write_domain(DOMAIN)) == DOMAIN


# -- spoiled food ------------------------------------------------------------------------------------------------------


def kitchen() -> Any:
    """An episode in which the first ingredient is carried, with the knife, in the kitchen with a stove."""
    env = started("cooking", 1, rooms=2, doors=0, locks=0, clutter=0)
    while env.task.problem["steps"]:
        content, state = content_of(env), env.episode.state.facts
        house = house_of(canonical_json(content))
        food = content["goals"][0][0]
        if {food, "knife"} <= set(house.held(state)) and house.room(state) == "kitchen":
            return env
        assert not env.episode.over
        missing = {food, "knife"} - set(house.held(state))
        where = {house.where(state, thing) for thing in missing} - {None}
        rooms = {house.holders.get(str(place), place) for place in where} or {"kitchen"}
        here = house.room(state)
        if here in rooms and missing:
            thing = next(
                thing
                for thing in sorted(missing)
                if house.holders.get(str(house.where(state, thing)), house.where(state, thing)) == here
            )
            place = str(house.where(state, thing))
            act(env, f"open {place}" if house.holds(state, "shut", place) else f"take {thing}")
        else:
            act(env, f"go {house.ways[here][0].direction}")
    raise AssertionError


@pytest.mark.parametrize("how", ["eat", "cut", "cook"])
def test_a_spoiled_ingredient_loses(how: str) -> None:
    env = kitchen()
    food, cut, cooked = content_of(env)["goals"][0]
    cuts = [verb for verb in ("slice", "dice", "chop") if not cut.startswith(verb)]
    heats = [name for name, does in quest_by_prompt.HEAT.items() if does != cooked and name != "barbecue"]
    text = {"eat": f"eat {food}", "cut": f"{cuts[0]} {food} with knife", "cook": f"cook {food} with {heats[0]}"}[how]
    observation, reward, terminated, _, info = act(env, text)
    assert (terminated, reward, info["verdict"]["solved"]) == (True, 0.0, False)
    assert "the quest is lost" in observation
    assert 0 <= info["verdict"]["components"]["parts"] < 1


def test_cooked_food_burns_and_loses() -> None:
    house = built(**HOUSES["a meal"])
    state = house.start
    for text, lost in (("take carrot", False), ("cook carrot with stove", False), ("cook carrot with stove", True)):
        after = carried_out(house, state, Commands().parse(text))
        assert after is not None, text
        state = after
        assert house.lost(state) == lost
    assert shortest_plan(house, state) is None


def test_other_food_may_be_spoiled() -> None:
    house = built(**{**HOUSES["a meal"], "things": {"carrot": "kitchen", "knife": "pantry", "tuna": "kitchen"}})
    state = house.start
    for text in ("take tuna", "cook tuna with stove", "cook tuna with oven", "eat tuna"):
        after = carried_out(house, state, Commands().parse(text))
        assert after is not None, text
        state = after
        assert not house.lost(state)
    plan = shortest_plan(house, state)
    assert plan is not None
