"""Crafting: its rules by a second simulator, exact least work, and views."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream, canonical_json
from envhub.envs.worlds.crafting import terrain, trees
from envhub.envs.worlds.crafting.actions import Actions, joined
from envhub.envs.worlds.crafting.drawing import KINDS, bound, draw, plan
from envhub.envs.worlds.crafting.environment import Params
from envhub.envs.worlds.crafting.rules import Action, State, World, world_of
from envhub.envs.worlds.crafting.sight import rows, visible
from envhub.envs.worlds.crafting.technology import Technology, least_work
from envhub.envs.worlds.crafting.text import VIEWS, picture, status, view
from tests.envs.worlds.crafting_again import Plain
from tests.envs.worlds.crafting_by_prompt import read_view


def content(cells: list[str], **changes: Any) -> Any:
    """A small map with the familiar technology; ``@`` is the start."""
    text = "".join(cells)
    made = {
        "technology": trees.familiar(),
        "width": len(cells[0]),
        "height": len(cells),
        "cells": text.replace("@", "."),
        "start": text.index("@"),
        "creatures": [],
        "day": 60,
        "night": 0,
        "needs": [],
        "goals": [["hold", "wooden pickaxe", 1]],
    }
    return {**made, **changes}


def played(world: World, actions: str, state: State | None = None) -> tuple[State, list[str]]:
    """The state after actions, and the sentences about them."""
    state, said = state or world.begin(), []
    for action in Actions().parse(actions):
        state, text, _ = world.after(state, action)
        said.append(text)
    return state, said


# -- the rules, again ----------------------------------------------------------------------------------------------------


def some_action(env: Any, rng: Stream) -> Action:
    """An action that helps, that is possible, or that may not be."""
    which = rng.below(8)
    if which < 4:
        return Actions().parse(env.environment.solve(env.episode.instance, env.episode.state))[0]
    if which < 6:
        return Actions().parse(rng.choice(env.environment.legal_answers(env.episode.instance, env.episode.state)))[0]
    items = env.task.problem["technology"]["items"]
    return rng.choice(
        [Action("make", rng.choice(items)), Action("place", rng.choice(items)), Action("use"), Action("sleep")]
    )


def agree(seed: int, level: int) -> int:
    """Compare the engine with the second simulator, step by step; returns the steps."""
    env = envhub.make("crafting-v0", difficulty=level)
    env.reset(seed=seed)
    second, rng, width = (
        Plain(env.episode.instance.key["content"]),
        Stream(b"second", seed),
        env.task.problem["size"][1],
    )
    world = world_of(canonical_json(env.episode.instance.key["content"]))
    while not env.episode.over:
        action = some_action(env, rng)
        _, reward, terminated, _, info = env.step(f"<answer>{joined([action])}</answer>")
        assert second.do(*action) == ("rejected" not in info) or terminated
        place = env.episode.state.place
        assert {divmod(each.at, width): each.health for each in place.creatures} == {
            c: b[1] for c, b in second.beasts.items()
        }
        assert (divmod(place.at, width), place.health, list(place.needs)) == (
            second.at,
            second.health,
            list(second.needs.values()),
        )
        assert {item: n for item, n in zip(world.technology.items, place.items, strict=True) if n} == {
            item: n for item, n in second.bag.items() if n
        }
        assert [world.named(sign) for sign in place.cells] == list(second.cells.values())
        assert world.met(place) == second.met()
        assert (reward == 1.0) == (all(second.met()) and second.health > 0)
    return second.step


@pytest.mark.parametrize("level", [3, 6, 8])
def test_a_second_simulator_agrees(level: int) -> None:
    assert agree(1, level) > 20


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_simulator_agrees_in_many_episodes(level: int) -> None:
    for seed in range(2, 12):
        agree(seed, level)


# -- the least work ------------------------------------------------------------------------------------------------------


def by_search(technology: Technology, goals: dict[str, int]) -> int | None:
    """The least work by breadth-first search over what is held; no insight."""
    most = dict.fromkeys(technology.items, 0)

    def cap(item: str, count: int, depth: int) -> None:
        most[item] = max(most[item], 1 if item in technology.durables else count)
        for way in technology.ways[item] if depth else ():
            for name, many in way.inputs:
                cap(name, most[name] + many if name in goals else many * max(1, count), depth - 1)
            for name in way.stations:
                cap(name, 1, depth - 1)
        tool = technology.source_of[item].tool if item in technology.source_of else ""
        if tool and depth:
            cap(tool, 1, depth - 1)

    for item, count in goals.items():
        cap(item, count, 6)
    start = (tuple(0 for _ in technology.items), frozenset[str]())
    number = {item: n for n, item in enumerate(technology.items)}
    known, waiting = {start}, deque([(start, 0)])
    while waiting:
        (held, placed), work = waiting.popleft()
        if all(
            (item in placed) if item in technology.stations else held[number[item]] >= count
            for item, count in goals.items()
        ):
            return work
        following = []
        for source in technology.sources:
            if not source.tool or held[number[source.tool]]:
                following.append((changed(held, number, {source.item: 1}), placed))
        for way in technology.recipes:
            if placed.issuperset(way.stations) and all(held[number[name]] >= count for name, count in way.inputs):
                less = {name: -count for name, count in way.inputs}
                following.append((changed(held, number, {**less, way.item: 1}), placed))
        for name in technology.stations:
            if held[number[name]] and name not in placed:
                following.append((changed(held, number, {name: -1}), placed | {name}))
        for each in following:
            if each not in known and all(each[0][number[item]] <= most[item] + 1 for item in technology.items):
                known.add(each)
                waiting.append((each, work + 1))
    return None


def changed(held: tuple[int, ...], number: dict[str, int], by: dict[str, int]) -> tuple[int, ...]:
    found = list(held)
    for name, count in by.items():
        found[number[name]] += count
    return tuple(found)


SMALL = {
    "sources": [
        ["tree", "wood", "", 1],
        ["stone", "stone", "pick", 0],
        ["reed", "fibre", "", 0],
        ["ore", "ore", "pick", 0],
    ],
    "recipes": [
        ["table", [["wood", 2]], []],
        ["pick", [["wood", 1], ["fibre", 1]], ["table"]],
        ["rope", [["fibre", 3]], []],
        ["rope", [["stone", 1]], ["table"]],
        ["saw", [["rope", 1], ["ore", 1]], ["table"]],
    ],
    "tools": ["pick", "saw"],
    "stations": ["table"],
    "weapons": [],
    "lamp": "",
}


@pytest.mark.parametrize(
    "goals", [{"pick": 1}, {"rope": 1}, {"rope": 3}, {"saw": 1}, {"ore": 2}, {"table": 1, "rope": 2}]
)
def test_the_least_work_is_that_of_a_search_over_everything(goals: dict[str, int]) -> None:
    technology = Technology(SMALL)
    found = least_work(technology, list(goals.items()))
    assert found is not None
    assert found.work == by_search(technology, goals)


def test_a_detour_over_a_tool_is_found_where_it_saves_work() -> None:
    technology = Technology(SMALL)
    assert least_work(technology, [("rope", 1)]) == (4, ())
    work, durables = least_work(technology, [("rope", 6)]) or (0, ())
    assert (work, durables) == (2 + 1 + 1 + 3 + 6 * 2, ("table", "pick"))  # by fibre alone it would be 24
    assert least_work(technology, [("ore", 1)], banned=frozenset({"fibre"})) is None


@pytest.mark.nightly
def test_the_least_work_of_drawn_technologies_is_that_of_a_search() -> None:
    compared = 0
    for number in range(30):
        technology = Technology(trees.rewired(Stream(b"least", number), 1, 1, 1, 1, False))
        for item in technology.items[:8]:
            found = least_work(technology, [(item, 1)])
            if found is not None and found.work < 14:
                assert found.work == by_search(technology, {item: 1}), (number, item)
                compared += 1
    assert compared > 60


def test_no_plan_needs_less_than_the_proved_bound() -> None:
    compared = 0
    for number in range(8):
        made = draw(Stream(b"bound", number), KINDS[number % 3], Params.at(number + 1))
        if made is None:
            continue
        world = world_of(canonical_json(made))
        least, found = bound(world), plan(world, 320)
        if found is not None:
            assert least is not None
            assert least.work <= least.steps <= found[0]
            compared += 1
    assert compared > 2


def test_drawn_technologies_have_no_circles_and_every_item_can_be_had() -> None:
    for number in range(40):
        technology = Technology(
            trees.rewired(Stream(b"tree", number), 1 + number % 4, 1 + number % 3, number % 4, 2, number % 2 == 0)
        )
        for item in technology.items:
            assert least_work(technology, [(item, 1)]) is not None, (number, item)


# -- single rules --------------------------------------------------------------------------------------------------------


def test_crafting_takes_its_inputs_and_its_station() -> None:
    world = World(content(["AA@..", ".....", "....."]))
    state, said = played(world, "make table, west, use 4, make wooden pickaxe")
    assert said[0].startswith("You cannot make table")
    assert said[-1].startswith("You cannot make wooden pickaxe")  # there is no table
    state, said = played(world, "make table, make wooden pickaxe, east, place table", state)
    assert said[0] == "You make 1 table."
    assert said[1].startswith("You cannot make wooden pickaxe")  # the table is carried, not placed
    assert said[-1] == "You place 1 table."
    made, said = played(world, "make wooden pickaxe", state)
    assert said == ["You make 1 wooden pickaxe."]
    assert world.met(made) == [True]
    far, said = played(world, "south 2, west 2, make wooden pickaxe", state)
    assert said[-1].startswith("You cannot make")  # three columns away
    assert far.items == state.items


def test_ores_need_their_tools_and_what_is_placed_can_be_taken_back() -> None:
    world = World(content(["@.BD~", "....."], goals=[["hold", "iron", 1]]))
    held = world.begin()._replace(
        items=tuple(int(item in ("wooden pickaxe", "stone")) for item in world.technology.items)
    )
    state, said = played(world, "east, use, east, use", held)
    assert said[1:] == ["You get 1 stone.", "You walk east.", "You need another tool for iron."]
    state, said = played(world, "west 2, place stone, east, place stone, use", state)
    assert said[2:] == ["The cell ahead is not free.", "You walk east.", "You place 1 stone.", "You get 1 stone."]
    _, said = played(world, "use", world.begin())
    assert said == ["There is nothing to use."]


def test_walls_water_and_the_edge_cannot_be_walked_through() -> None:
    for wall in "AB~o1lD":
        world = World(content(["...", f"{wall}@{wall}", "..."]))
        state, said = played(world, "west, west, east, east")
        assert state.at == world.begin().at
        assert said == ["You turn west.", "The way is blocked.", "You turn east.", "The way is blocked."]
    state, said = played(World(content(["@"])), "north, north, west, use")
    assert (state.at, said[1], said[3]) == (0, "The way is blocked.", "There is nothing to use.")


def test_rock_bridges_water() -> None:
    world = World(content(["@~."], goals=[["hold", "diamond", 1]]))
    held = world.begin()._replace(
        items=tuple(int(item in ("wooden pickaxe", "stone")) for item in world.technology.items)
    )
    state, said = played(world, "east, place stone, use, east 2", held)
    assert said[-1] == "You walk east."
    assert state.at == 2
    table = held._replace(items=tuple(int(item == "table") for item in world.technology.items))
    assert played(world, "east, place table", table)[1][-1] == "The cell ahead is not free."


def test_thirst_takes_health_until_one_drinks() -> None:
    world = World(content(["~@o"], needs=[1, 5], goals=[["drink", "", 1], ["eat", "", 1]]))
    state, _ = played(world, "wait 10")
    state, _ = played(world, "wait 10", state)
    state, _ = played(world, "wait 10", state)
    assert (state.needs[0], state.health) == (0, 8)
    drunk, said = played(world, "west, use, east, use", state)
    assert said == ["You turn west.", "You drink.", "You turn east.", "You eat the berries."]
    assert (drunk.needs, world.met(drunk)) == ((1, 8), [True, True])
    assert played(world, "use", drunk)[1] == ["There is nothing to use."]  # the bush is bare


def test_night_hides_and_a_lamp_shows() -> None:
    cells = ["." * 11] * 9
    at = 4 * 11 + 5
    world = World(content([*cells[:4], ".....@.....", *cells[5:]], night=99, day=1))
    day, night = world.begin(), world.begin()._replace(step=1)
    assert (len(visible(world, day)), len(visible(world, night))) == (63, 25)
    lit = night._replace(cells=night.cells[: at + 4] + "l" + night.cells[at + 5 :])
    assert len(visible(world, lit)) == 25 + 7 * 4 - 5 * 2
    assert rows(world, night)[0] == "?????????"


# -- views -----------------------------------------------------------------------------------------------------------------


def test_all_renderings_say_the_same() -> None:
    for seed in range(6):
        env = envhub.make("crafting-v0", difficulty=seed + 2)
        env.reset(seed=seed)
        for _ in range(4):
            world, state = world_of(canonical_json(env.episode.instance.key["content"])), env.episode.state.place
            shown = view(world, state)
            read = [read_view(style(shown)) for style in VIEWS]
            assert len(read[0]) == 63
            assert read[0] == read[1] == read[2] == read[3]
            if env.step(env.solve())[2]:
                break


def test_hidden_cells_and_creatures_change_neither_text_nor_picture() -> None:
    env = envhub.make("crafting-v0", difficulty=8)
    env.reset(seed=3)
    world, state = world_of(canonical_json(env.episode.instance.key["content"])), env.episode.state.place
    seen = visible(world, state)
    other = state._replace(
        cells="".join(sign if cell in seen else "~" for cell, sign in enumerate(state.cells)),
        creatures=tuple(each for each in state.creatures if each.at in seen),
    )
    assert other != state
    assert (view(world, other), status(world, other)) == (view(world, state), status(world, state))
    assert picture(view(world, other)) == env.scene()
    near = min(seen - {state.at})
    closer = state._replace(
        cells=state.cells[:near] + ("~" if state.cells[near] != "~" else ".") + state.cells[near + 1 :]
    )
    assert picture(view(world, closer)) != env.scene()


def test_maps_have_what_the_goals_take() -> None:
    drawn = 0
    for number in range(12):
        made = draw(Stream(b"maps", number), KINDS[number % 3], Params.at(5))
        if made is not None:
            drawn += 1
            assert all(made["cells"].count(terrain.SOURCES[n]) >= 3 for n in range(5))
    assert drawn > 6
