"""Errands in houses: the rules by a second simulator, plans that are shortest, and policies that would rather not run them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.worlds.household.acting import admissible, carried_out
from envhub.envs.worlds.household.catalogue import LAMPS, PLACES, ROOMS, THINGS, kind
from envhub.envs.worlds.household.commands import FORMS, Commands, write
from envhub.envs.worlds.household.drawing import KINDS
from envhub.envs.worlds.household.planning import shortest_plan
from envhub.envs.worlds.household.rules import DOMAIN, House, Task, goals, solved
from envhub.envs.worlds.household.wording import statement
from envhub.generators.planning.domains import read_domain, write_domain
from tests.envs.worlds.household_by_prompt import ABLE, APPLIANCES, HINGED, Plain

NAME = re.compile(r"\b[a-z]+ [1-9][0-9]?\b")
SMALL = {"difficulty": None, "rooms": 1, "places": 7, "things": 5, "steps": 40}


def house_of(env: Any) -> tuple[House, Task]:
    inst = env.episode.instance
    return House(inst.problem["places"], inst.key["things"]), Task(*inst.problem["task"])


def plain(env: Any) -> Plain:
    inst = env.episode.instance
    return Plain(list(inst.problem["places"]), dict(inst.key["things"]), inst.problem["task"])


def some_command(env: Any, rng: Stream) -> str:
    """A command that helps, that is possible, that is not, or that is none."""
    which = rng.below(8)
    if which < 2:
        return str(env.environment.answer.read(env.solve()).text)
    if which < 6:
        return rng.choice(env.environment.legal_answers(env.episode.instance, env.episode.state))
    house, _ = house_of(env)
    if which == 6:
        names = [rng.choice(list(house.things)), rng.choice(house.places)]
        form = rng.choice([*FORMS.values(), "put {} in {}", "put {} on {}", "put {} in/on {}"])
        return form.format(*(names if form.count("{}") == 2 else [rng.choice(names)]))
    return rng.choice(["I am done.", "look; look", "", "go to the moon", "open", "take it"])


def agree(seed: int, level: int) -> None:
    env = envhub.make("household-v0", difficulty=level)
    env.reset(seed=seed)
    second, rng = plain(env), Stream(b"second", seed)
    while not env.episode.over:
        text = some_command(env, rng)
        observation, reward, terminated, _, info = env.step(f"<answer>{text}</answer>")
        where = f"{env.task.env_id} {level} {seed}: {text!r}: {observation}"
        assert second.happens(text) == ("rejected" not in info), where
        assert (reward == 1.0) == second.done(), where
        if text.split(" ")[0] in ("go", "open", "look") and "rejected" not in info and second.here:
            described = observation.partition(" you see ")[2].partition(".")[0]
            assert set(NAME.findall(described)) == second.shown(), where
    assert terminated


@pytest.mark.parametrize("seed", range(20))
def test_a_second_simulator_agrees(seed: int) -> None:
    agree(seed, seed % 10 + 1)


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_simulator_agrees_at_length(level: int) -> None:
    for seed in range(1000, 1020):
        agree(seed, level)


def test_the_second_simulator_knows_the_same_kinds() -> None:
    assert {name for name, place in PLACES.items() if place.hinged} == HINGED
    for treatment, names in ABLE.items():
        assert {name for name, thing in THINGS.items() if treatment in thing.can} == names
        assert {name for name, place in PLACES.items() if place.does == treatment} == APPLIANCES[treatment]


def test_every_kind_is_somewhere() -> None:
    standing = {name for room in ROOMS.values() for text in room for name in text.split()}
    assert standing == {*PLACES}
    assert all({*usual} <= standing for usual in (*(thing.usual for thing in THINGS.values()), *LAMPS.values()))


def breadth_first(house: House, task: Task) -> int:
    """Fewest commands that fulfil a task, among all commands there are."""
    layer, known, steps = {house.start}, {house.start}, 0
    while not any(solved(house, task, state) for state in layer):
        assert layer
        after = {carried_out(house, state, command) for state in layer for command in admissible(house, state)}
        layer = {state for state in after if state is not None} - known
        known |= layer
        steps += 1
    return steps


HOUSES = {
    "place": (
        ["bed 1", "drawer 1", "desk 1"],
        {"pen 1": "drawer 1", "pen 2": "bed 1", "watch 1": "bed 1"},
        "pen",
        "desk",
    ),
    "clean": (["sinkbasin 1", "cabinet 1", "shelf 1"], {"mug 1": "cabinet 1", "cup 1": "shelf 1"}, "mug", "shelf"),
    "heat": (["microwave 1", "cabinet 1", "shelf 1"], {"mug 1": "cabinet 1", "cup 1": "microwave 1"}, "mug", "shelf"),
    "cool": (["fridge 1", "cabinet 1"], {"egg 1": "cabinet 1", "cup 1": "cabinet 1"}, "egg", "fridge"),
    "examine": (
        ["bed 1", "drawer 1", "desk 1"],
        {"cd 1": "drawer 1", "cd 2": "bed 1", "desklamp 1": "desk 1"},
        "cd",
        "desklamp",
    ),
    "two": (
        ["bed 1", "drawer 1", "drawer 2"],
        {"pen 1": "bed 1", "pen 2": "bed 1", "pen 3": "drawer 2"},
        "pen",
        "drawer",
    ),
}


@pytest.mark.parametrize("errand", KINDS)
def test_the_plan_is_the_shortest_among_all_commands(errand: str) -> None:
    places, things, thing, end = HOUSES[errand]
    house, task = House(places, things), Task(errand, thing, end)
    assert len(shortest_plan(house, task, house.start)) == breadth_first(house, task)


def test_the_oracle_is_shortest_from_anywhere() -> None:
    env = envhub.make("household-v0", difficulty=4)
    for seed in range(12):
        env.reset(seed=seed)
        house, task = house_of(env)
        rng = Stream(b"anywhere", seed)
        for _ in range(8):
            env.step(f"<answer>{some_command(env, rng)}</answer>")
            if env.episode.over:
                break
            state = env.episode.state.facts
            plan = shortest_plan(house, task, state)
            for number, action in enumerate(plan):
                assert action.possible(state)
                state = action.after(state)
                assert solved(house, task, state) == (number == len(plan) - 1)


def test_the_hand_is_freed_first() -> None:
    house = House(["bed 1", "desk 1", "drawer 1"], {"book 1": "drawer 1", "pen 1": "bed 1"})
    state = house.start
    for action in (house.action("go", "middle", "bed 1"), house.action("take", "pen 1", "bed 1")):
        state = action.after(state)
    plan = shortest_plan(house, Task("place", "book", "desk"), state)
    assert sorted(action.name for action in plan) == ["go", "go", "open", "put", "put", "take"]
    assert ("put", "pen 1") in [(action.name, action.arguments[0]) for action in plan]


def done_after(house: House, task: Task, texts: list[str]) -> list[bool]:
    """Whether a task is fulfilled after each of some commands, all of which are possible."""
    state, found, answer = house.start, [], Commands()
    for text in texts:
        after = carried_out(house, state, answer.parse(text))
        assert after is not None, text
        state = after
        found.append(solved(house, task, state))
    return found


def test_a_thing_that_is_cooled_is_no_longer_hot() -> None:
    house = House(["fridge 1", "microwave 1", "shelf 1"], {"mug 1": "shelf 1"})
    fetched = ["go to shelf 1", "take mug 1 from shelf 1", "go to fridge 1", "cool mug 1 with fridge 1"]
    heated = [*fetched, "go to microwave 1", "heat mug 1 with microwave 1", "go to shelf 1", "move mug 1 to shelf 1"]
    assert not any(done_after(house, Task("cool", "mug", "shelf"), heated))
    assert done_after(house, Task("heat", "mug", "shelf"), heated) == [False] * 7 + [True]


def test_a_thing_is_examined_only_at_the_lamp() -> None:
    house = House(["bed 1", "desk 1"], {"cd 1": "bed 1", "desklamp 1": "desk 1"})
    texts = ["go to desk 1", "use desklamp 1", "go to bed 1", "take cd 1 from bed 1", "go to desk 1"]
    assert done_after(house, Task("examine", "cd", "desklamp"), texts) == [False] * 4 + [True]


def test_a_closed_place_has_not_been_seen() -> None:
    env = envhub.make("household-v0", **SMALL)
    env.reset(seed=1)
    place = next(place for place in env.task.problem["places"] if kind(place) in HINGED)
    env.step(f"<answer>go to {place}</answer>")
    assert env.episode.state.seen == frozenset()
    env.step(f"<answer>open {place}</answer>")
    assert env.episode.state.seen == {place}


@pytest.mark.parametrize("errand", KINDS)
def test_each_kind_of_errand_can_be_asked_for(errand: str) -> None:
    env = envhub.make("household-v0", task=errand, **SMALL)
    env.reset(seed=1)
    assert env.task.problem["task"][0] == errand
    house, task = house_of(env)
    assert not solved(house, task, house.start)
    assert goals(house, task)
    while not env.episode.over:
        _, reward, *_ = env.step(env.solve())
    assert reward == 1.0


def test_all_kinds_are_drawn() -> None:
    env = envhub.make("household-v0", difficulty=5)
    found = Counter[str]()
    for seed in range(120):
        env.reset(seed=seed)
        found[env.task.problem["task"][0]] += 1
    assert set(found) == set(KINDS)
    assert min(found.values()) >= 8


# -- policies that would rather not run errands ------------------------------------------------------------------------


def started(seed: int = 3) -> Any:
    env = envhub.make("household-v0", difficulty=1)
    env.reset(seed=seed)
    return env


CHEATS = {
    "claims": "I have put everything where it belongs. The errand is done.",
    "the observation": "You put the apple 1 in the fridge 1. The errand is done.",
    "two commands by a semicolon": "{one}; look",
    "two commands by a comma": "{one}, look",
    "two commands by a newline": "{one}\nlook",
    "two commands by a carriage return": "{one}\rlook",
    "two commands by a separator": "{one}\x1clook",
    "two commands by a line separator": "{one}\u2028look",
    "two commands by then": "{one} then look",
    "a Cyrillic letter": "g\u043e to {place}",
    "a full-width digit": "go to {kind} \uff11",
    "an Arabic digit": "go to {kind} \u0661",
    "a zero-width space": "go to\u200b {place}",
    "a no-break space": "go to\u00a0{place}",
    "very long": "go to {place}" + " look" * 20_000,
    "spaces without end": "go to" + " " * 50_000 + "{place}",
    "a format string": "go to {{0.__class__}}",
    "nothing": "",
    "a null": "go to {place}\x00",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_message_that_is_not_one_command_changes_nothing(cheat: str) -> None:
    env = started()
    place = env.task.problem["places"][0]
    one = f"go to {place}"
    before = env.episode.state
    text = CHEATS[cheat].format(one=one, place=place, kind=kind(place))
    _, reward, terminated, _, info = env.step(f"<answer>{text}</answer>")
    after = env.episode.state
    assert info["rejected"]
    assert (after.facts, after.seen, after.left) == (before.facts, before.seen, before.left - 1)
    assert (reward, terminated) == (0.0, False)


@pytest.mark.parametrize("spacing", ["  go   to\t{} ", "GO TO {}", "go to {}.", " Go To {}"])
def test_spacing_and_case_do_not_matter(spacing: str) -> None:
    env = started()
    place = env.task.problem["places"][0]
    _, _, _, _, info = env.step(f"<answer>{spacing.format(place)}</answer>")
    assert "rejected" not in info
    assert env.episode.state.seen | {place} == {place}
    assert env.fork().episode.state.left == env.task.problem["steps"] - 1


def test_two_commands_in_two_tags_are_none() -> None:
    env = started()
    one, other = (f"<answer>go to {place}</answer>" for place in env.task.problem["places"][:2])
    assert env.step(f"{one} {other}")[4]["rejected"] == "ambiguous"


def test_what_is_hidden_cannot_be_reached_or_asked_for() -> None:
    env = envhub.make("household-v0", difficulty=6)
    env.reset(seed=5)
    house, _ = house_of(env)
    thing, place = next((thing, at) for thing, at in house.things.items() if kind(at) in HINGED)
    absent = f"{kind(thing)} 99"
    for texts in (["take {} from {}", "examine {}"], ["use {}"]):
        for text in texts:
            said = [env.fork().step(f"<answer>{text.format(name, place)}</answer>")[0] for name in (thing, absent)]
            assert said[0].replace(thing, absent) == said[1]
    env.step(f"<answer>go to {place}</answer>")
    said = [env.fork().step(f"<answer>take {name} from {place}</answer>")[0] for name in (thing, absent)]
    assert said[0].replace(thing, absent) == said[1]


def test_the_steps_are_counted_to_the_last() -> None:
    env = started()
    for left in range(env.task.problem["steps"] - 1, 0, -1):
        observation, _, terminated, _, _ = env.step("<answer>inventory</answer>")
        assert not terminated
        assert observation.endswith(f"Steps left: {left}.")
    observation, reward, terminated, _, _ = env.step("<answer>inventory</answer>")
    assert (reward, terminated) == (0.0, True)
    assert "No steps are left." in observation


def test_the_possible_commands_can_be_listed() -> None:
    env = envhub.make("household-v0", commands=True, **SMALL)
    env.reset(seed=2)
    observation = env.step("<answer>look</answer>")[0]
    shown = observation.partition("Possible commands: ")[2].partition(".\nSteps")[0].split("; ")
    assert shown == env.environment.legal_answers(env.episode.instance, env.episode.state)
    answer = Commands()
    assert all(write(answer.parse(text)) == text for text in shown)


def test_a_house_too_small_for_its_rooms_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="at least 10 places"):
        envhub.make("household-v0", **{**SMALL, "rooms": 4, "places": 9})


def test_the_domain_is_written_and_read_again() -> None:
    assert read_domain(write_domain(DOMAIN)) == DOMAIN


def test_numbers_of_things_do_not_make_another_house() -> None:
    environment = started().environment
    content = {
        "places": ["bed 1", "desk 1", "desk 2"],
        "things": {"pen 1": "desk 1", "pen 2": "bed 1"},
        "task": ["two"],
    }
    renamed = {**content, "things": {"pen 2": "desk 2", "pen 1": "bed 1"}}
    other = {**content, "things": {"pen 2": "desk 2", "pen 1": "desk 2"}}
    assert environment.canonical(content) == environment.canonical(renamed) != environment.canonical(other)


@pytest.mark.parametrize("errand", KINDS)
def test_every_wording_names_the_errand_and_the_limit(errand: str) -> None:
    problem = {"places": ["bed 1", "fridge 1"], "task": [errand, "mug", "fridge"], "steps": 31}
    for wording in (*(Wording(number * 397) for number in range(24)), HELD_OUT):
        text = statement(problem).worded(wording)
        assert all(word in text for word in ("mug", "fridge", "31 steps", "bed 1")), text
