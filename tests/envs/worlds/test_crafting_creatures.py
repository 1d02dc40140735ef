"""Creatures of crafting: when they act, where they walk, what they cost, and how they are defeated."""

from __future__ import annotations

from envhub.envs.worlds.crafting.rules import Creature, World
from tests.envs.worlds.test_crafting import content, played


def test_prowlers_wake_at_night_and_lurkers_keep_to_floor() -> None:
    cells = ["@......", "......."]
    asleep = World(content(cells, creatures=[[5, 0]], night=0))
    assert played(asleep, "wait 10")[0].creatures == asleep.begin().creatures
    awake = World(content(cells, creatures=[[5, 0]], day=1, night=99))
    state, _ = played(awake, "wait 8")
    assert state.creatures == (Creature(1, 0, 3),)
    assert state.health == 9
    assert played(awake, "wait 2", state)[0].health == 9  # a bite, and the healing of the tenth step
    assert played(awake, "wait 4", state)[0].health == 8
    slept = state._replace(needs=(9, 9, 4), step=11)
    sleepy = World(content(cells, creatures=[[5, 0]], day=1, night=99, needs=[9, 9, 4]))
    assert played(sleepy, "sleep", slept)[0].health == 7
    lurker = World(content(["@..__..", "......."], creatures=[[4, 1]]))
    assert played(lurker, "wait 8")[0].creatures == (Creature(3, 1, 3),)


def test_creatures_act_at_the_time_of_the_next_step_and_prefer_north_and_south() -> None:
    cells = ["@....", ".....", "....."]
    for day, moved in ((2, True), (3, False)):  # two steps of waiting; night falls at the end of the second, or not yet
        state, _ = played(World(content(cells, creatures=[[12, 0]], day=day, night=9)), "wait 2")
        assert (state.creatures[0].at != 12) is moved
    dusk, _ = played(World(content(cells, creatures=[[12, 0]], day=2, night=9)), "wait 2")
    assert dusk.creatures[0].at == 7  # two rows and two columns away: north first
    dawn = World(content(cells, creatures=[[12, 0]], day=9, night=3))
    last = dawn.begin()._replace(step=11)  # the last step of the night
    assert played(dawn, "wait", last)[0].creatures[0].at == 12


def test_what_is_taken_back_leaves_floor_and_death_counts_before_success() -> None:
    world = World(content(["@...."], creatures=[[1, 1]], goals=[["make", "table", 1]]))
    wood = world.begin()._replace(items=tuple(3 * (item == "wood") for item in world.technology.items), step=1)
    state, said = played(world, "make table", wood)
    assert (said, world.met(state), state.health) == (["You make 1 table."], [True], 8)
    dying, _ = played(world, "make table", wood._replace(health=1))
    assert (world.met(dying), dying.health) == ([True], 0)
    lawn = World(content(["@...."]))
    table = lawn.begin()._replace(items=tuple(int(item == "table") for item in lawn.technology.items), facing=1)
    assert played(lawn, "place table, use", table)[0].cells == "._..."


def test_weapons_shorten_a_fight() -> None:
    world = World(content(["@.."], creatures=[[1, 0]], goals=[["defeat", "", 1]]))
    assert world.met(played(world, "east, use 2")[0]) == [False]
    assert world.met(played(world, "east, use 3")[0]) == [True]
    sword = world.begin()._replace(items=tuple(int(item == "iron sword") for item in world.technology.items))
    assert world.met(played(world, "east, use", sword)[0]) == [True]
