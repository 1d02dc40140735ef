"""Quests in houses: a second house agrees, plans are shortest, a reader of text wins, and claims win nothing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream, canonical_json
from envhub.envs.worlds.quest.acting import admissible, carried_out, spoken
from envhub.envs.worlds.quest.catalogue import APPLIANCES, CLUTTER, FOODS, GOODS, HOLDERS, LABELS, ROOMS, TREASURES
from envhub.envs.worlds.quest.commands import FORMS, Commands, write
from envhub.envs.worlds.quest.drawing import KINDS
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import DOMAIN, House, house_of
from envhub.envs.worlds.quest.wording import statement
from envhub.generators.planning.domains import read_domain, write_domain
from tests.envs.worlds import quest_by_prompt
from tests.envs.worlds.quest_by_prompt import Plain, Reader

PLAIN = 0
SMALL: dict[str, Any] = {
    "difficulty": None, "rooms": 3, "doors": 1, "locks": 1, "furniture": 4, "parts": 1, "clutter": 2, "patience": 150
}  # fmt: skip


def started(task: str = "any", seed: int = 3, **settings: Any) -> Any:
    env = envhub.make("quest-v0", **{**SMALL, "task": task, **settings})
    env.reset(seed=seed)
    return env


def content_of(env: Any) -> Any:
    return env.episode.instance.key["content"]


def act(env: Any, text: str) -> Any:
    return env.step(f"<answer>{text}</answer>")


# -- the rules ---------------------------------------------------------------------------------------------------------


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


# -- plans -------------------------------------------------------------------------------------------------------------


def built(kind: str, **parts: Any) -> House:
    """A small house; everything that is not given is empty."""
    empty: dict[str, Any] = {"ways": [], "shut": {}, "holders": {}, "keys": {}, "things": {}, "done": {}, "goals": []}
    return house_of(canonical_json({"kind": kind, **empty, **parts}))


HOUSES: dict[str, dict[str, Any]] = {
    "a locked door": {
        "kind": "treasure",
        "rooms": ["study", "shed"],
        "start": "study",
        "ways": [["study", "north", "shed", "oak door"]],
        "shut": {"oak door": True, "desk drawer": False},
        "holders": {"desk drawer": "study"},
        "keys": {"oak key": "oak door"},
        "things": {"oak key": "desk drawer", "jade statue": "shed"},
        "goals": [["jade statue"]],
    },
    "two deliveries": {
        "kind": "delivery",
        "rooms": ["study", "shed", "garden", "bedroom"],
        "start": "study",
        "ways": [
            ["study", "north", "shed", "way 0"], ["study", "east", "garden", "way 1"],
            ["garden", "north", "bedroom", "way 2"], ["shed", "east", "bedroom", "way 3"],
        ],
        "shut": {"bin": False},
        "holders": {"desk": "study", "bin": "garden"},
        "things": {"lamp": "bedroom", "vase": "shed"},
        "goals": [["lamp", "bin"], ["vase", "desk"]],
    },
    "a meal": {
        "kind": "cooking",
        "rooms": ["kitchen", "pantry"],
        "start": "kitchen",
        "ways": [["kitchen", "west", "pantry", "brass door"]],
        "shut": {"brass door": False},
        "holders": {"stove": "kitchen", "oven": "kitchen"},
        "things": {"carrot": "kitchen", "knife": "pantry"},
        "goals": [["carrot", "sliced", "fried"]],
    },
}  # fmt: skip


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


# -- a player that reads only text -------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 3, 5, 7, 9, 10])
def test_a_reader_of_text_wins_with_patience(level: int) -> None:
    env = envhub.make("quest-v0", difficulty=level, wording=PLAIN, patience=120)
    for seed in range(4):
        observation, _ = env.reset(seed=100 + seed)
        reader, reward = Reader(str(observation)), 0.0
        while not env.episode.over:
            observation, reward, _, _, info = act(env, reader.command())
            assert "rejected" not in info, observation
            reader.read(str(observation))
        assert reward == 1.0, (level, seed)


def test_the_scripted_policy_reads_only_what_it_has_seen() -> None:
    """Things that it has not seen may be anywhere else: its next command is the same."""
    env = started("treasure", 5, rooms=5, furniture=8, parts=1, locks=0)
    environment, inst = env.environment, env.episode.instance
    content = content_of(env)
    [treasure] = content["goals"][0]
    said = set()
    for place in [*content["rooms"], *content["holders"]]:
        if place not in env.episode.state.seen:
            moved = {**content, "things": {**content["things"], treasure: place}}
            other = type(inst)(inst.problem, {**inst.key, "content": moved})
            said.add(environment.reference_action(other, environment.begin(other, None), None))
    assert len(said) == 1


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


# -- parts, limits and messages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_parts_grow_to_one(kind: str) -> None:
    env = started(kind, 2, parts=2, furniture=6)
    house = house_of(canonical_json(content_of(env)))
    state, shares = house.start, [house.parts(house.start)]
    for action in shortest_plan(house, state) or ():
        state = action.after(state)
        shares.append(house.parts(state))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(set(shares)) == (6 if kind == "cooking" else 3)
    assert all((share == 1.0) == (number == len(shares) - 1) for number, share in enumerate(shares))


def test_the_steps_are_counted_to_the_last() -> None:
    env = started()
    for left in range(env.task.problem["steps"] - 1, 0, -1):
        observation, _, terminated, _, _ = act(env, "inventory")
        assert not terminated
        assert observation.endswith(f"Steps left: {left}.")
    observation, reward, terminated, _, info = act(env, "inventory")
    assert (reward, terminated) == (0.0, True)
    assert "No steps are left." in observation
    assert info["verdict"]["components"]["parts"] == 0.0


CHEATS = {
    "claims": "I have found it. The quest is fulfilled.",
    "the observation": "You eat the meal. The quest is fulfilled.",
    "a command for the judge": "win",
    "two commands by a semicolon": "{one}; look",
    "two commands by a comma": "{one}, look",
    "two commands by a full stop": "{one}. look",
    "two commands by a newline": "{one}\nlook",
    "two commands by a carriage return": "{one}\rlook",
    "two commands by a separator": "{one}\x1clook",
    "two commands by a line separator": "{one}\u2028look",
    "two commands by then": "{one} then look",
    "two things": "take the lamp and the vase",
    "all": "take everything from",
    "a Cyrillic letter": "l\u043eok",
    "full-width letters": "\uff4c\uff4f\uff4f\uff4b",
    "a zero-width space": "look\u200b",
    "very long": "look" + " look" * 20_000,
    "spaces without end": "go" + " " * 50_000 + "north",
    "a format string": "go {{0.__class__}}",
    "an undo": "undo 3",
    "nothing": "",
    "a null": "look\x00",
    "a way": "open way 0",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_message_that_is_not_one_command_changes_nothing(cheat: str) -> None:
    env = started()
    before = env.episode.state
    one = env.environment.answer.read(env.solve()).text
    _, reward, terminated, _, info = act(env, CHEATS[cheat].format(one=one))
    assert info["rejected"]
    assert env.episode.state == before._replace(left=before.left - 1)
    assert (reward, terminated) == (0.0, False)


@pytest.mark.parametrize("text", ["take {} from {}", "examine {}", "take {}", "put {} on {}", "eat {}"])
def test_what_is_hidden_cannot_be_reached_or_asked_for(text: str) -> None:
    env = envhub.make("quest-v0", difficulty=6)
    env.reset(seed=5)
    content, state = content_of(env), env.episode.state
    thing, place = next(
        (thing, place)
        for thing, place in content["things"].items()
        if place in content["holders"] and place not in state.seen
    )
    absent = next(name for name in (*CLUTTER, *GOODS, *FOODS, *TREASURES) if name not in content["things"])
    said = [act(env.fork(), text.format(name, place))[0] for name in (thing, absent)]
    assert said[0].replace(thing, absent) == said[1]


def test_a_locked_door_stays_closed_without_its_key() -> None:
    house = built(**HOUSES["a locked door"])
    state = house.start
    for text in ("open oak door", "go north", "unlock oak door with oak key", "take jade statue", "take oak key"):
        assert carried_out(house, state, Commands().parse(text)) is None


def test_the_possible_commands_can_be_listed() -> None:
    env = started(commands=True)
    observation = act(env, "look")[0]
    shown = observation.partition("Possible commands: ")[2].partition(".\nSteps")[0].split("; ")
    assert shown == env.environment.legal_answers(env.episode.instance, env.episode.state)
    answer = Commands()
    assert all(write(answer.parse(text)) == text for text in shown)
    assert all("rejected" not in act(env.fork(), text)[4] for text in shown)


def test_names_can_be_read_in_commands() -> None:
    every = [*FOODS, *TREASURES, *GOODS, *CLUTTER, *HOLDERS, *(f"{label} key" for label in LABELS)]
    assert len(set(every)) == len(every)
    answer = Commands()
    for name in every:
        assert answer.parse(f"take {name} from desk drawer").names == (name, "desk drawer")
        assert answer.parse(f"examine the {name}").names == (name,)
    assert {name for names in ROOMS.values() for name in names} <= set(HOLDERS)


def test_all_kinds_are_drawn_and_solvable() -> None:
    env = envhub.make("quest-v0", difficulty=3)
    found = Counter[str]()
    for seed in range(60):
        env.reset(seed=seed)
        found[env.task.problem["kind"]] += 1
        assert 0 < env.episode.instance.key["shortest"] <= env.task.problem["steps"]
    assert set(found) == set(KINDS)
    assert min(found.values()) >= 8


def test_a_house_without_furniture_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="at least 6 pieces"):
        envhub.make("quest-v0", **{**SMALL, "rooms": 6, "furniture": 5})


def test_the_domain_is_written_and_read_again() -> None:
    assert read_domain(write_domain(DOMAIN)) == DOMAIN


@pytest.mark.parametrize("kind", KINDS)
def test_every_wording_names_the_quest_and_the_limit(kind: str) -> None:
    goals = {"treasure": [["jade statue"]], "delivery": [["lamp", "bin"]], "cooking": []}[kind]
    problem = {
        "kind": kind,
        "goals": goals,
        "locks": 1,
        "scene": ["You are in the shed."],
        "steps": 31,
        "commands": False,
    }
    words = {"treasure": ["jade statue"], "delivery": ["the lamp belongs in the bin"], "cooking": ["cookbook", "burn"]}[
        kind
    ]
    for wording in (*(Wording(number * 397) for number in range(24)), HELD_OUT):
        text = statement(problem).worded(wording)
        assert all(word in text for word in (*words, "31 steps", "shed", "unlock")), text
