"""Observations to be predicted: by a second simulator, and shortcuts that must fail."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.envs.worlds.next_state.walks import Impossible, answer, skipped
from envhub.envs.worlds.next_state.wording import statement
from tests.envs.worlds.household_by_prompt import Plain

INSIDE = {
    "bathtubbasin",
    "cabinet",
    "drawer",
    "fridge",
    "garbagecan",
    "laundryhamper",
    "microwave",
    "safe",
    "sinkbasin",
}


def listed(names: set[str]) -> str:
    """Things as the prompt writes a list."""
    ordered = sorted(names, key=lambda name: (name.split()[0], int(name.split()[1])))
    texts = [f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in ordered]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "nothing"


def predicted(problem: dict[str, Any]) -> str:
    """The observation by the second simulator, which shares no code with the environment."""
    second = Plain(list(problem["places"]), dict(problem["things"]), ["place", "", ""])
    for text in problem["commands"]:
        assert second.happens(text), text
    verb, *words = problem["commands"][-1].split()
    name = " ".join(words[1:] if verb == "go" else words)
    place = second.here
    where = "In" if place.split()[0] in INSIDE else "On"
    shown = f"{where} the {place} you see {listed(second.shown())}."
    contents = shown if second.is_open(place) else f"The {place} is closed."
    if verb == "examine" and name != place:
        conditions = second.conditions.get(name, set())
        held = [word for word in ("clean", "hot", "cold") if word in conditions] + ["on"] * (name in second.lit)
        return f"The {name} is {' and '.join(held)}."
    forms = {
        "go": f"You go to the {place}. {contents}",
        "open": f"You open the {place}. {contents}",
        "look": f"You are at the {place}. {contents}",
        "inventory": f"You carry {listed({second.hand} - {''})}.",
        "examine": contents,
    }
    return forms[verb]


def drawn(level: int, seed: int) -> Any:
    env = envhub.make("next-state-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def second_simulator_agrees(level: int, seed: int) -> None:
    env = drawn(level, seed)
    assert env.step(f"<answer>{predicted(env.task.problem)}</answer>")[1] == 1.0, (level, seed)


@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_simulator_predicts_the_same(level: int) -> None:
    for seed in range(4):
        second_simulator_agrees(level, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_simulator_predicts_the_same_at_length(level: int) -> None:
    for seed in range(1000, 1100):
        second_simulator_agrees(level, seed)


def test_the_first_state_alone_never_gives_the_answer() -> None:
    """Whoever only looks at the first state and at the last command, or at the last two, is wrong or has no answer."""
    for seed in range(60):
        problem = drawn(3, seed).task.problem
        *_, last = problem["commands"]
        place = last.removeprefix("go to ") if last.startswith("go to ") else ""
        alone = {**problem, "commands": [f"go to {place}"] if place else [last]}
        try:
            assert answer(alone) != answer(problem)
        except Impossible:
            continue


def test_the_length_of_a_log_is_that_of_the_level_and_no_command_undoes_the_one_before() -> None:
    undone = {("take", "move"), ("move", "take"), ("open", "close"), ("close", "open")}
    for level, length in ((1, 6), (5, 16), (10, 42)):
        commands = drawn(level, 3).task.problem["commands"]
        assert len(commands) == length
        assert not any((one.split()[0], other.split()[0]) in undone for one, other in pairwise(commands[:-1]))


def test_forgotten_commands_change_the_answer() -> None:
    env = drawn(6, 1)
    right = env.environment.solve(env.episode.instance)
    others = [text for text in skipped(env.task.problem) if text != right]
    assert others
    assert all(env.fork().step(f"<answer>{text}</answer>")[1] == 0.0 for text in others)


def test_no_answer_is_frequent_and_all_forms_are_asked() -> None:
    answers, verbs = Counter[str](), Counter[str]()
    for seed in range(150):
        env = drawn(2, seed)
        answers[env.solve()] += 1
        verbs[env.task.problem["commands"][-1].split()[0]] += 1
    assert set(verbs) == {"go", "look", "open", "examine", "inventory"}
    assert max(answers.values()) <= 7


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.removesuffix("."),
        lambda text: text.upper(),
        lambda text: text + " " + text,
        lambda text: text.replace("1", "2", 1),
        lambda text: text.replace(" the ", " a ", 1).replace(" a ", " the ", 1)[::-1],
    ],
)
def test_another_text_is_wrong(change: Any) -> None:
    env = drawn(2, 5)
    text = env.environment.solve(env.episode.instance)
    assert env.fork().step(f"<answer>{change(text)}</answer>")[1] == 0.0
    assert env.step(f"<answer>  {text}\n</answer>")[1] == 1.0


def test_every_wording_has_the_whole_log() -> None:
    problem = drawn(3, 2).task.problem
    for wording in (*(Wording(number * 397) for number in range(24)), HELD_OUT):
        text = statement(problem).worded(wording)
        assert all(command in text for command in problem["commands"])
        assert all(thing in text and place in text for thing, place in problem["things"])
