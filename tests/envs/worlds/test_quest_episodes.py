"""Episodes of quest: parts, steps, messages that are not one command, and prompts."""

from __future__ import annotations

from collections import Counter

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import canonical_json
from envhub.envs.worlds.quest.catalogue import CLUTTER, FOODS, GOODS, TREASURES
from envhub.envs.worlds.quest.commands import Commands, write
from envhub.envs.worlds.quest.drawing import KINDS
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import house_of
from envhub.envs.worlds.quest.wording import statement
from tests.envs.worlds.quest_houses import SMALL, act, content_of, started


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


def test_the_possible_commands_can_be_listed() -> None:
    env = started(commands=True)
    observation = act(env, "look")[0]
    shown = observation.partition("Possible commands: ")[2].partition(".\nSteps")[0].split("; ")
    assert shown == env.environment.legal_answers(env.episode.instance, env.episode.state)
    answer = Commands()
    assert all(write(answer.parse(text)) == text for text in shown)
    assert all("rejected" not in act(env.fork(), text)[4] for text in shown)


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
