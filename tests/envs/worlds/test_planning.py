"""Plans in five domains: a second executor agrees, plans are shortest, and texts that are not plans gain nothing."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.worlds.planning import tasks
from envhub.envs.worlds.planning.domains import DOMAINS, DRAWS
from envhub.envs.worlds.planning.params import LENGTHS
from envhub.generators.planning.domains import read_domain, read_problem, write_domain, write_problem
from envhub.verifiers.answers.plans import Action, Facts, Plan
from tests.envs.worlds.plans_by_prompt import Scene
from tests.generators.planning.second import fewest_steps

PLAIN = 0
"""The wording whose prompts show PDDL."""


def scene_shown(env: Any) -> Scene:
    return Scene.read(env.task.prompt)


def changed(plan: list[str], objects: list[str], rng: Stream) -> list[str]:
    """A plan with an action left out, repeated, moved, or with another object."""
    found, at = list(plan), rng.below(len(plan))
    which = rng.below(4)
    if which == 0:
        del found[at]
    elif which == 1:
        found.insert(rng.below(len(plan)), found[at])
    elif which == 2:
        found.insert(rng.below(len(plan)), found.pop(at))
    else:
        name, *arguments = found[at].strip("()").split()
        arguments[rng.below(len(arguments))] = rng.choice(objects)
        found[at] = f"({' '.join([name, *arguments])})"
    return found


def agree(domain: str, level: int, seed: int) -> int:
    """Compare the verdicts on some plans; returns how many of them were valid."""
    least, most = LENGTHS[level - 1]
    env = envhub.make("pddl-plan-v0", difficulty=None, domain=domain, size=level, least=least, most=most, wording=PLAIN)
    env.reset(seed=seed)
    rng, right = Stream(b"second", domain, seed), env.solve()
    plan = right.removeprefix("<answer>").removesuffix("</answer>").split("\n")
    valid = 0
    for number in range(8):
        tried = plan if number == 0 else changed(plan, list(env.task.problem["objects"]), rng)
        if not tried:
            continue
        second = scene_shown(env)
        fits = all(second.act(tuple(step.strip("()").split())) for step in tried) and second.done()
        verdict = env.fork().step("<answer>" + "\n".join(tried) + "</answer>")[4]["verdict"]
        assert verdict["solved"] == (fits and len(tried) <= env.task.problem["limit"]), (domain, seed, tried, verdict)
        valid += fits
    return valid


@pytest.mark.parametrize("domain", DRAWS)
def test_a_second_executor_agrees(domain: str) -> None:
    assert sum(agree(domain, level, level) for level in (1, 3, 5, 6)) >= 4


@pytest.mark.nightly
@pytest.mark.parametrize("domain", DRAWS)
def test_a_second_executor_agrees_at_length(domain: str) -> None:
    for seed in range(40):
        agree(domain, seed % 10 + 1, 1000 + seed)


@pytest.mark.parametrize("domain", DRAWS)
def test_the_plan_is_shortest(domain: str) -> None:
    env = envhub.make("pddl-plan-v0", difficulty=None, domain=domain, size=2, least=1, most=6, wording=PLAIN)
    for seed in range(2):
        env.reset(seed=seed)
        problem = tasks.problem_of(env.task.problem)
        found = fewest_steps(DOMAINS[domain], problem)
        assert found == len(env.episode.instance.key["plan"])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "settings"), [("pddl-steps-v0", {}), ("blocksworld-v0", {"domain": "any"})])
def test_a_second_executor_agrees_step_by_step(name: str, settings: dict[str, str], seed: int) -> None:
    env = envhub.make(name, difficulty=3, wording=PLAIN, **settings)
    env.reset(seed=seed)
    second, rng = scene_shown(env), Stream(b"steps", seed)
    while not env.episode.over:
        legal = env.environment.legal_answers(env.episode.instance, env.episode.state)
        step = (
            env.solve() if rng.below(2) else f"<answer>{rng.choice([*legal, '(sail a b c)', '(stack b1 b1)'])}</answer>"
        )
        before = set(second.facts)
        words = tuple(step.removeprefix("<answer>(").removesuffix(")</answer>").split())
        possible = second.act(words)
        observation, reward, _, _, info = env.step(step)
        assert possible == ("rejected" not in info), step
        assert (reward == 1.0) == second.done()
        if possible and not second.done():
            shown = set(observation.partition(": ")[2].partition(".\n")[0].split(", "))
            static = {fact for fact in before if fact[0] in ("in-city", "fixed")} | {
                fact for fact in before if fact[0] == "at" and fact[1].startswith("pallet")
            }
            assert shown == {f"({' '.join(fact)})" for fact in second.facts - static}


@pytest.mark.parametrize(("domain", "constant"), [("logistics", True), ("blocksworld", False)])
def test_a_reply_says_when_constant_facts_are_left_out(domain: str, constant: bool) -> None:
    env = envhub.make("pddl-steps-v0", difficulty=2, domain=domain, wording=PLAIN)
    env.reset(seed=3)
    observation, *_ = env.step(env.solve())
    assert observation.startswith("Facts that hold now")
    assert (", without those that no action can change:" in observation) == constant
    assert ("in-city" in observation) is False


@pytest.mark.parametrize("name", ["pddl-steps-v0", "pddl-plan-v0"])
def test_every_wording_has_the_right_article(name: str) -> None:
    for wording in (*range(6), "held-out"):
        env = envhub.make(name, difficulty=2, domain="logistics", wording=wording)
        prompt, _ = env.reset(seed=3)
        assert "airport" in prompt
        assert not re.search(r"\bis a [aeiou]", prompt)


@pytest.mark.parametrize("domain", DRAWS)
def test_whole_plans_and_single_steps_follow_the_same_rules(domain: str) -> None:
    whole = envhub.make("pddl-plan-v0", difficulty=None, domain=domain, size=3, least=4, most=9, wording=PLAIN)
    whole.reset(seed=6)
    inst, rng = whole.episode.instance, Stream(b"both", domain)
    plan = inst.key["plan"]
    world: Any = envhub.make("pddl-steps-v0", difficulty=3).environment
    judge: Any = whole.environment
    tried = [plan, *(changed(plan, list(inst.problem["objects"]), rng) for _ in range(12))]
    for steps in filter(None, tried):
        state, ended, played = world.begin(inst, rng), False, list[Any]()
        for step in steps:
            turn = world.act(inst, state, (words(step),), rng)
            played.append(words(step))
            state, ended = turn.state, turn.verdict is not None and turn.verdict.solved
            if ended or "rejected" in turn.info:
                break
        assert judge.grade(inst, tuple(played)).solved == ended
    assert world.family == whole.environment.family
    assert world.canonical(inst.problem) == whole.environment.canonical(inst.problem)


def words(step: str) -> tuple[str, ...]:
    return tuple(step.strip("()").split())


@pytest.mark.parametrize("level", [1, 4, 8])
def test_a_second_executor_agrees_on_repairs(level: int) -> None:
    env = envhub.make("plan-repair-v0", difficulty=level, wording=PLAIN)
    for seed in range(3):
        env.reset(seed=seed)
        problem, rng = env.task.problem, Stream(b"repairs", level, seed)
        assert problem["given"] == env.task.prompt.split("in order:\n")[1].split("\n\n")[0].split("\n")
        assert verdict_on(env, problem["given"])["solved"] is False
        for _ in range(8):
            tried = changed(env.episode.instance.key["plan"], list(problem["objects"]), rng)
            second = scene_shown(env)
            fits = all(second.act(words(step)) for step in tried) and second.done()
            assert verdict_on(env, tried)["solved"] == (fits and edits(problem["given"], tried) <= problem["edits"])


def test_a_repair_with_too_many_edits_fails() -> None:
    """Parts of the undamaged plan that may change places make another plan of the same length."""
    env = envhub.make(
        "plan-repair-v0", difficulty=None, domain="gripper", wording=PLAIN, size=4, least=6, most=10, edits=1
    )
    refused = 0
    for seed in range(8):
        env.reset(seed=seed)
        given, plan = env.task.problem["given"], env.episode.instance.key["plan"]
        for start, middle, end in combinations(range(len(plan) + 1), 3):
            tried = plan[:start] + plan[middle:end] + plan[start:middle] + plan[end:]
            second = scene_shown(env)
            if all(second.act(words(step)) for step in tried) and second.done():
                allowed = edits(given, tried) <= 1
                assert verdict_on(env, tried)["solved"] == allowed
                refused += not allowed
    assert refused


def verdict_on(env: Any, plan: list[str]) -> Any:
    return env.fork().step("<answer>" + "\n".join(plan) + "</answer>")[4]["verdict"]


def edits(one: list[str], other: list[str]) -> int:
    """Fewest edits between two plans, by trying all ways."""

    @cache
    def left(a: int, b: int) -> int:
        if a == len(one) or b == len(other):
            return len(one) - a + len(other) - b
        return min(left(a + 1, b + 1) + (one[a] != other[b]), left(a + 1, b) + 1, left(a, b + 1) + 1)

    return left(0, 0)


@pytest.mark.parametrize("domain", DRAWS)
def test_a_second_executor_agrees_on_effects(domain: str) -> None:
    env = envhub.make("plan-effects-v0", difficulty=None, domain=domain, size=5, actions=9, wording=PLAIN)
    for seed in range(3):
        env.reset(seed=seed)
        second = Scene.read(env.task.prompt)
        assert all(second.act(words(step)) for step in env.task.problem["given"])
        changing = {
            fact[1][0] if fact[0] == "not" else fact[0]
            for action in second.actions.values()
            for fact in action[":effect"][1:]
        }
        facts = [f"({' '.join(fact)})" for fact in sorted(second.facts) if fact[0] in changing]
        assert set(changing) == set(env.task.problem["fluents"])
        assert verdict_on(env, facts)["solved"]
        verdict = verdict_on(env, facts[1:])
        assert (verdict["solved"], verdict["components"]["overlap"]) == (False, (len(facts) - 1) / len(facts))


# -- texts that are not plans ------------------------------------------------------------------------------------------

CHEATS = {
    "a claim": "The goal is reached.",
    "the goal": "(on b1 b2)",
    "two by a semicolon": "{one}; {one}",
    "two by and": "{one} and {one}",
    "a Cyrillic letter": "{cyrillic}",
    "a zero-width space": "{one}\u200b",
    "a line separator": "{one}\u2028{one}",
    "very long": "{one}" + " (wait x)" * 30_000,
    "nested": "({one})",
    "a comment": "{one} ; then all is done",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_message_that_is_not_one_action_changes_nothing(cheat: str) -> None:
    env = envhub.make("blocksworld-v0", difficulty=2)
    env.reset(seed=1)
    one = env.solve().removeprefix("<answer>").removesuffix("</answer>")
    text = CHEATS[cheat].format(one=one, cyrillic=one.replace("a", "\u0430").replace("u", "\u0443"))
    before = env.episode.state
    _, reward, terminated, _, info = env.step(f"<answer>{text}</answer>")
    assert info["rejected"]
    assert env.episode.state == before._replace(left=before.left - 1)
    assert (reward, terminated) == (0.0, False)


def test_possible_actions_are_counted_as_well() -> None:
    env = envhub.make("blocksworld-v0", difficulty=2)
    env.reset(seed=1)
    limit = env.task.problem["limit"]
    for taken in range(limit):
        assert not env.episode.over
        assert env.episode.state.left == limit - taken
        legal = env.environment.legal_answers(env.episode.instance, env.episode.state)
        up_and_down = [text for text in legal if not text.startswith("(stack")]
        observation, reward, *_ = env.step(f"<answer>{up_and_down[0]}</answer>")
    assert env.episode.over
    assert reward == 0.0
    assert "No actions are left." in observation


def test_spacing_and_case_do_not_matter() -> None:
    env = envhub.make("blocksworld-v0", difficulty=2)
    env.reset(seed=1)
    right = env.solve()
    spaced = right.upper().replace("ANSWER", "answer").replace(" ", " \t ").replace("(", "( ")
    assert env.fork().step(spaced)[0] == env.fork().step(right)[0]


def test_a_plan_longer_than_the_limit_fails() -> None:
    env = envhub.make("pddl-plan-v0", difficulty=None, domain="ferry", size=1, least=4, most=8, wording=PLAIN)
    env.reset(seed=1)
    plan = env.solve().removeprefix("<answer>").removesuffix("</answer>").split("\n")
    [boat] = [name for name, type in env.task.problem["objects"].items() if type == "boat"]
    moored = next(atom for atom in env.task.problem["start"] if atom[0] == "moored")
    port = next(name for name, type in env.task.problem["objects"].items() if type == "port" and name != moored[2])
    detour = [f"(sail {boat} {moored[2]} {port})", f"(sail {boat} {port} {moored[2]})"]
    for times in range(len(plan)):
        tried = detour * times + plan
        verdict = env.fork().step("<answer>" + "\n".join(tried) + "</answer>")[4]["verdict"]
        assert verdict["solved"] == (len(tried) <= env.task.problem["limit"])
        if verdict["solved"]:
            assert verdict["components"]["short"] == len(plan) / len(tried)


@pytest.mark.parametrize("domain", DRAWS)
def test_domains_and_problems_are_written_and_read_again(domain: str) -> None:
    assert read_domain(write_domain(DOMAINS[domain])) == DOMAINS[domain]
    for size in (1, 5, 10):
        problem = DRAWS[domain](Stream(b"text", domain, size), size)
        again = read_problem(write_problem(problem, DOMAINS[domain]), DOMAINS[domain])
        assert (dict(again.objects), again.start, again.goal) == (dict(problem.objects), problem.start, problem.goal)


def test_parameters_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(InvalidParameters, match="least <= most"):
        envhub.make("pddl-plan-v0", difficulty=None, least=9, most=3)


@pytest.mark.parametrize("answer", [Plan(), Action(), Facts()])
def test_a_long_text_is_read_in_time_that_grows_with_its_length(answer: Plan) -> None:
    for text in ("(" * 50_000, "(go a " * 9_000, "a " * 50_000, ")(" * 30_000, "1. " * 30_000):
        assert answer.read(f"<answer>{text}</answer>").reason == "unreadable"
