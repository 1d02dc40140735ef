"""Laboratories: the rules by a second simulator, plans that are shortest, and policies that would rather guess."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Wording
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.worlds.science_lab.acting import action_of, admissible
from envhub.envs.worlds.science_lab.catalogue import EXPERIMENTS
from envhub.envs.worlds.science_lab.commands import FORMS, Commands, write
from envhub.envs.worlds.science_lab.drawing import draw
from envhub.envs.worlds.science_lab.planning import shortest_plan
from envhub.envs.worlds.science_lab.rules import DOMAIN, Lab
from envhub.envs.worlds.science_lab.tour import Tour, errands
from envhub.envs.worlds.science_lab.wording import statement
from envhub.generators.planning.domains import read_domain, write_domain
from tests.envs.worlds.science_lab_by_prompt import Plain

KINDS = tuple(EXPERIMENTS)


def content_of(env: Any) -> dict[str, Any]:
    found: dict[str, Any] = env.episode.instance.key["content"]
    return found


def some_command(env: Any, rng: Stream) -> str:
    """A command that helps, that is possible, that may not be, or that is none."""
    which, lab = rng.below(8), Lab(content_of(env))
    legal: list[str] = env.environment.legal_answers(env.episode.instance, env.episode.state)
    if which < 5:
        return str(env.environment.answer.read(env.solve()).text)
    if which == 5:
        return rng.choice(legal)
    if which == 6:
        names = [*lab.things, *lab.furniture, *lab.rooms, *lab.subjects, *lab.standing, "sink", "battery", "hot plate"]
        return rng.choice(list(FORMS.values())).format(rng.choice(names), rng.choice(names))
    return rng.choice(["I am done.", "wait; wait", "", "go to the moon", "open", "pick it up", "answer perhaps"])


def agree(seed: int, level: int, kind: str) -> None:
    env = envhub.make("science-lab-v0", difficulty=level, task=kind)
    env.reset(seed=seed)
    second, rng = Plain(content_of(env)), Stream(b"second", seed)
    for _ in range(env.task.problem["steps"] - 1):
        text = some_command(env, rng)
        if text.startswith("answer ") and text != "answer perhaps":
            break
        observation, reward, terminated, _, info = env.step(f"<answer>{text}</answer>")
        where = f"{kind} {level} {seed}: {text!r}: {observation}"
        assert second.happens(text) == ("rejected" not in info), where
        assert second.shown in observation, where
        assert (reward, terminated) == (0.0, False), where
    right = f"<answer>answer {', '.join(second.truth())}</answer>"
    assert env.step(right)[1] == float(second.counts())


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_simulator_agrees(kind: str) -> None:
    for seed in range(3):
        agree(seed, 3 * seed + 2, kind)


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_second_simulator_agrees_at_length(level: int) -> None:
    for kind in KINDS:
        for seed in range(1000, 1008):
            agree(seed, level, kind)


# -- shortest plans ----------------------------------------------------------------------------------------------------


def small(kind: str, seed: int) -> Lab:
    return Lab(draw(Stream(b"small", seed), kind, 2, 3, 2, 0, 2))


def breadth_first(lab: Lab, state: int) -> int:
    """Fewest commands that prove the answer, among all commands there are."""
    layer, known, steps = {state}, {state}, 0
    while not any(lab.proved(state) for state in layer):
        assert layer
        found = set()
        for state in layer:
            for command in admissible(lab, state):
                action = action_of(lab, state, command)
                assert action is not None
                found.add(action.after(state))
        layer = found - known
        known |= layer
        steps += 1
    return steps


@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_is_the_shortest_among_all_commands(kind: str) -> None:
    lab = small(kind, 1)
    assert len(shortest_plan(lab, lab.start)) == breadth_first(lab, lab.start)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_is_the_shortest_from_anywhere(kind: str) -> None:
    for seed in range(12):
        lab, rng = small(kind, seed), Stream(b"anywhere", seed)
        state = lab.start
        for _ in range(6 * (seed % 5)):
            plan = shortest_plan(lab, state)
            action = (
                plan[0] if plan and rng.below(3) else action_of(lab, state, rng.choice(list(admissible(lab, state))))
            )
            assert action is not None
            state = action.after(state)
        assert len(shortest_plan(lab, state)) == breadth_first(lab, state), (kind, seed)


@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_proves_the_answer_only_with_its_last_step(kind: str) -> None:
    lab = Lab(draw(Stream(b"whole", 5), kind, 5, 8, 14, 12, 4))
    state = lab.start
    plan = shortest_plan(lab, state)
    for number, action in enumerate(plan, 1):
        assert action.possible(state)
        state = action.after(state)
        assert lab.proved(state) == (number == len(plan))


@pytest.mark.parametrize("bench", [False, True])
def test_the_estimate_of_a_tour_falls_by_at_most_one_with_each_step(bench: bool) -> None:
    lab, rng = Lab(draw(Stream(b"tour", 2), "growth", 3, 8, 10, 0, 1)), Stream(b"walk")
    tour = Tour(lab, list(lab.things), water=True, bench=bench)
    actions, state = list(errands(lab, lab.start, tour)), lab.start
    for _ in range(3000):
        possible = [action for action in actions if action.possible(state)]
        after = rng.choice(possible).after(state)
        assert tour(after) >= tour(state) - 1
        assert (tour(after) == 0) == (after & tour.goal == tour.goal)
        state = after


def test_the_oracle_keeps_to_a_shortest_plan() -> None:
    env = envhub.make("science-lab-v0", difficulty=4)
    for seed in range(5):
        env.reset(seed=seed)
        lab, count, reward = Lab(content_of(env)), 0, 0.0
        while not env.episode.over:
            reward, count = env.step(env.solve())[1], count + 1
        assert (reward, count) == (1.0, len(shortest_plan(lab, lab.start)) + 1)


# -- scripted policies -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_careful_policy_succeeds_within_the_steps_and_a_guesser_does_not(kind: str) -> None:
    for level in (1, 6, 10):
        env: Any = envhub.make("science-lab-v0", difficulty=level, task=kind)
        env.reset(seed=level)
        guess = env.fork().step(f"<answer>answer {', '.join(Lab(content_of(env)).answer)}</answer>")
        assert (guess[1], guess[2]) == (0.0, True)
        reward = 0.0
        while not env.episode.over:
            at = env.episode
            reward = env.step(env.environment.reference_action(at.instance, at.state, env.np_random))[1]
        assert reward == 1.0


def test_a_hasty_policy_falls_for_the_broken_bulb() -> None:
    env: Any = envhub.make("science-lab-v0", difficulty=5, task="circuits")
    rewards = set()
    for seed in range(8):
        env.reset(seed=seed)
        while not env.episode.over:
            at = env.episode
            reward = env.step(env.environment.greedy_action(at.instance, at.state, env.np_random))[1]
        rewards.add(reward)
    assert rewards == {0.0, 1.0}


# -- policies that would rather guess ----------------------------------------------------------------------------------


def proved(kind: str, seed: int = 3) -> Any:
    """An episode in which only the answer is missing."""
    env = envhub.make("science-lab-v0", difficulty=1, task=kind)
    env.reset(seed=seed)
    while not env.solve().startswith("<answer>answer "):
        env.step(env.solve())
    return env


@pytest.mark.parametrize("kind", KINDS)
def test_exactly_one_answer_is_right(kind: str) -> None:
    env = proved(kind)
    lab = Lab(content_of(env))
    values = lab.experiment.values or ["1", "2"]
    right = [
        guess
        for guess in product(values, repeat=2)
        if env.fork().step(f"<answer>answer {', '.join(guess)}</answer>")[1] == 1.0
    ]
    assert right == [lab.answer]


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_without_experiments_says_nothing_about_the_values(kind: str) -> None:
    env = envhub.make("science-lab-v0", difficulty=1, task=kind)
    env.reset(seed=4)
    values = EXPERIMENTS[kind].values or ["1", "2"]
    said = {
        env.fork().step(f"<answer>answer {', '.join(guess)}</answer>")[:3] for guess in product(values[:5], repeat=2)
    }
    assert len(said) == 1


@pytest.mark.parametrize(
    "text", ["answer {0}", "answer {0}, {0}, {0}", "answer maybe, maybe", "answer {0}; {0}", "{0}, {0}"]
)
def test_a_misshapen_answer_costs_a_step_and_does_not_end_the_task(text: str) -> None:
    env = proved("growth")
    left = env.episode.state.left
    _, reward, terminated, _, info = env.step(f"<answer>{text.format('fruit')}</answer>")
    assert (reward, terminated, env.episode.state.left) == (0.0, False, left - 1)
    assert info["rejected"]
    assert env.step(env.solve())[1] == 1.0


def test_two_answers_are_none() -> None:
    env = proved("circuits")
    both = " ".join(f"<answer>answer {', '.join(guess)}</answer>" for guess in product(("yes", "no"), repeat=2))
    _, reward, terminated, _, info = env.step(both)
    assert (reward, terminated, info["rejected"]) == (0.0, False, "ambiguous")


def test_a_test_with_a_broken_bulb_proves_nothing() -> None:
    content = {
        "kind": "circuits",
        "rooms": {"office": "", "studio": "office"},
        "start": "studio",
        "bench": "studio",
        "sink": "office",
        "furniture": {"table 1": "studio"},
        "things": dict.fromkeys(["bulb 1", "bulb 2", "copper rod", "sample a"], "table 1"),
        "subjects": ["sample a"],
        "hidden": {"values": {"sample a": "no"}, "working": ["bulb 2"]},
    }
    lab, answer = Lab(content), Commands()
    state = lab.start
    texts = [f"pick up {thing}" for thing in lab.things]
    for bulb, counts in (("bulb 1", False), ("bulb 2", True)):
        texts += [f"connect {bulb} to battery", "connect sample a to battery", f"look at {bulb}"]
        for text in texts:
            action = action_of(lab, state, answer.parse(text))
            assert action is not None, text
            state = action.after(state)
        assert lab.proved(state) == counts
        texts = [f"disconnect {bulb}", "disconnect sample a"]


def test_what_is_hidden_cannot_be_reached_or_asked_for() -> None:
    env = envhub.make("science-lab-v0", difficulty=6, task="matter")
    env.reset(seed=5)
    thing = next(name for name, spot in content_of(env)["things"].items() if spot.split()[0] in ("chest", "drawer"))
    for form in (
        "pick up {}",
        "look at {}",
        "move {} to hot plate",
        "use thermometer on {}",
        "disconnect {}",
        "activate {}",
    ):
        said = [env.fork().step(f"<answer>{form.format(name)}</answer>")[0] for name in (thing, "hammer")]
        assert said[0].replace(thing, "hammer") == said[1], form


@pytest.mark.parametrize(
    "text",
    [
        *("wait; wait", "wait, wait", "wait\nwait", "wait\u2028wait", "w\u0430it", "look around and wait", ""),
        *("wait " * 9999, "wait\x00"),
    ],
)
def test_a_message_that_is_not_one_command_changes_nothing(text: str) -> None:
    env = envhub.make("science-lab-v0", difficulty=1)
    env.reset(seed=3)
    before = env.episode.state
    _, reward, terminated, _, info = env.step(f"<answer>{text}</answer>")
    assert info["rejected"]
    assert env.episode.state == before._replace(left=before.left - 1)
    assert (reward, terminated) == (0.0, False)


def test_the_possible_commands_can_be_listed() -> None:
    env = envhub.make("science-lab-v0", difficulty=None, commands=True)
    env.reset(seed=2)
    observation = env.step("<answer>look around</answer>")[0]
    shown = observation.partition("Possible commands: ")[2].partition(".\nSteps")[0].split("; ")
    assert shown == env.environment.legal_answers(env.episode.instance, env.episode.state)
    answer = Commands()
    assert all(write(answer.parse(text)) == text for text in shown)


def test_a_laboratory_too_large_for_an_episode_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="an episode may have 160"):
        envhub.make("science-lab-v0", difficulty=None, subjects=6, rooms=10, patience=300)


def test_the_domain_is_written_and_read_again() -> None:
    assert read_domain(write_domain(DOMAIN)) == DOMAIN


def test_the_order_of_the_keys_of_a_laboratory_does_not_matter() -> None:
    env = envhub.make("science-lab-v0", difficulty=4)
    env.reset(seed=1)
    instance = env.episode.instance
    content = json.loads(json.dumps(content_of(env), sort_keys=True))
    turned = type(instance)(instance.problem, {**instance.key, "content": content})
    assert env.environment.begin(instance, Stream(b"")) == env.environment.begin(turned, Stream(b""))


def test_all_kinds_and_values_are_drawn() -> None:
    kinds, values = Counter[str](), Counter[str]()
    for seed in range(150):
        content = draw(Stream(b"all", seed), "any", 3, 4, 6, 5, 2)
        kinds[content["kind"]] += 1
        values.update(map(str, content["hidden"]["values"].values()))
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 15
    assert {*EXPERIMENTS["growth"].values, *EXPERIMENTS["genetics"].values, "yes", "no", "1", "2", "3"} <= {*values}


@pytest.mark.parametrize("kind", KINDS)
def test_every_wording_names_the_subjects_and_the_limit(kind: str) -> None:
    env = envhub.make("science-lab-v0", difficulty=3, task=kind)
    env.reset(seed=1)
    problem = env.task.problem
    for wording in (*(Wording(number * 397) for number in range(24)), HELD_OUT):
        text = statement(problem).worded(wording)
        assert all(word in text for word in (*problem["subjects"], f"{problem['steps']} steps", problem["room"])), text
        assert "{s" not in text
