"""proposer-v0 without a jail: what the bench measures, exact rates, rewards, and prompts."""

from __future__ import annotations

import ast
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.audit.wordings import SHORTEST
from envhub.authoring.wording import HELD_OUT, WORDINGS, Wording
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.code.proposer import judging, solver_wording
from envhub.envs.code.proposer.arguments import CALLS, NAMES, SHOWN, domain
from envhub.envs.code.proposer.bench import measure, plain
from envhub.envs.code.proposer.execution import Bench
from envhub.envs.code.proposer.judging import Unusable, invalid, rate_of, request
from envhub.envs.code.proposer.language import checked
from envhub.envs.code.proposer.library import library
from envhub.envs.code.proposer.questions import shown, solved
from envhub.envs.code.proposer.rates import abducted, deduced, found_among, induced, learnability, succeeds
from envhub.envs.code.proposer.templates import CONSTRUCTS, example, program
from envhub.generators.straight_line import Shape, run, search, source
from envhub.sandbox.jobs import Result
from tests.envs.code.proposer_cheats import CHEATS, HONEST, PADDED

PROBLEM: dict[str, Any] = {
    "kind": "deduction",
    "argument": "int",
    "returns": "int",
    "constructs": [],
    "anchor": None,
    "target": 50,
    "tolerance": 8,
    "slip": 4,
    "tries": 20,
    "references": ["def f(n):\n    return n + 1"],
    "pays": "target",
}


def judged(text: str, **more: Any) -> tuple[str | None, dict[str, Any]]:
    """Why a proposal is invalid, and what was measured."""
    problem = {**PROBLEM, **more}
    found = measure(request(problem, text))
    return invalid(problem, found), found


def rate(text: str, **more: Any) -> float:
    """The rate of a valid proposal."""
    why, found = judged(text, **more)
    assert why is None
    return rate_of({**PROBLEM, **more}, found)


def test_an_honest_proposal_is_near_its_target() -> None:
    assert abs(rate(HONEST) - 0.5) < 0.08


@pytest.mark.parametrize("name", sorted(CHEATS))
def test_a_cheat_is_refused(name: str) -> None:
    why, _ = judged(CHEATS[name])
    assert why


@pytest.mark.parametrize("name", sorted(PADDED))
def test_padding_does_not_lower_the_rate(name: str) -> None:
    assert rate(PADDED[name]) >= rate(HONEST) * (1 - PROBLEM["slip"] / 100) ** 3


def test_more_operations_that_matter_lower_the_rate() -> None:
    assert rate(HONEST.replace("range(5)", "range(12)")) < 0.6 * rate(HONEST)


def test_a_copy_in_other_words_is_a_copy() -> None:
    for copy in ("def f(m):\n    return 1 + m\n\nf(7)", "def f(x):\n    y = x\n    y += 1\n    return y\n\nf(7)"):
        assert "behaves like example 1" in str(judged(copy)[0])
    assert judged("def f(m):\n    return 2 + m\n\nf(7)")[0] is None


def test_constructs_types_and_the_required_value_are_demanded() -> None:
    text = "def f(n):\n    return n * 2 + 1\n\nf(7)"
    assert judged(text)[0] is None
    assert "must contain: a while loop" in str(judged(text, constructs=["while"])[0])
    assert "type bool" in str(judged(text, returns="bool")[0])
    assert judged(text, anchor=[[4], 9])[0] is None
    assert "must return 10" in str(judged(text, anchor=[[4], 10])[0])
    assert "must return True" in str(judged(text.replace("* 2 + 1", "- 3"), anchor=[[4], True])[0])


def test_a_statement_that_matters_for_one_argument_alone_is_no_padding() -> None:
    for number in range(-30, 61, 7):
        text = f"def f(n):\n    if n == {number}:\n        n = 100\n    return n * 2 + 1\n\nf(7)"
        assert judged(text)[0] is None
    assert "no effect" in str(judged("def f(n):\n    if n == 61:\n        n = 100\n    return n * 2 + 1\n\nf(7)")[0])


def test_names_and_comments_do_not_reach_the_solver() -> None:
    helper = "def helper_says_15(the_answer):\n    return the_answer * 2  # 15\n\n"
    text = helper + "def f(n):\n    return helper_says_15(n) + 1\n\nf(7)"
    shown = judged(text)[1]["source"]
    assert "15" not in shown
    assert plain({"source": f"{shown}\nf(7)", "domain": domain("int")})["texts"] == ["15"]


def test_types_as_annotations_are_dropped() -> None:
    text = "def f(n: int) -> list[tuple[int, str]]:\n    return n * 2 + 1\n\nf(7)"
    why, found = judged(text)
    assert why is None
    assert found["source"] == "def f(v1):\n    return v1 * 2 + 1"
    for annotation in ("'15'", "int(n)", "list[15]", "f", "open"):
        assert judged(f"def f(n: {annotation}):\n    return n * 2 + 1\n\nf(7)")[0], annotation
        assert judged(f"def f(n) -> {annotation}:\n    return n * 2 + 1\n\nf(7)")[0], annotation


@pytest.mark.parametrize("ending", [Result(limit="memory"), Result(limit="cpu"), Result(exit=-9), Result(crashed=True)])
def test_a_failing_jail_does_not_make_arguments_wrong(monkeypatch: pytest.MonkeyPatch, ending: Result) -> None:
    def answer(resource: str, job: Any) -> Any:
        return (ending,)
        yield

    monkeypatch.setattr(judging, "run_job", answer)
    challenge = {"kind": "abduction", "argument": "int", "source": "def f(v1):\n    return v1 * 2", "calls": [[3]]}
    with pytest.raises(Unusable):
        next(solved("jobs", challenge, [6], 3))


# -- the solvers, again by other means --------------------------------------------------------------------------------


def test_the_rate_of_a_reader_is_what_simulated_readers_reach() -> None:
    text = HONEST.replace("range(5)", "range(2)")
    tree, _ = checked(text, 1)
    bench = Bench(tree)
    right = bench.run([7])
    fatal = [bench.run([7], fact).text != right.text for fact in right.facts]
    rng, solved = Stream(b"readers"), 0
    for _ in range(4_000):
        solved += not any(rng.below(100) < 4 and each for each in fatal)
    assert abs(solved / 4_000 - rate(text)) < 0.03


def test_the_rate_of_a_searcher_is_the_share_of_draws_with_a_hit() -> None:
    for count, right, tries in ((7, 2, 3), (6, 1, 2), (8, 3, 4)):
        draws = list(combinations(range(count), tries))
        hit = sum(any(each < right for each in draw) for draw in draws)
        assert found_among(right, count, tries) == pytest.approx(hit / len(draws))
    text = "def f(n):\n    return n % 10\n\nf(7)"
    hits = sum(n % 10 == 7 for n in range(-30, 61))
    assert rate(text, kind="abduction") == pytest.approx(1 - comb(91 - hits, 20) / comb(91, 20))


def test_the_rate_of_a_library_search_is_what_simulated_searches_reach() -> None:
    calls = [0, 2, 4, 6, 1, 3, 5, 8]
    text = "def f(n):\n    return n % 2 + n * 0 + 0\n\n" + "\n".join(f"f({n})" for n in calls)
    problem = {**PROBLEM, "kind": "induction", "tries": 200}
    why, found = judged(text, **{**problem, "returns": "int"})
    assert why is not None  # two results
    text = "def f(n):\n    return n * 3 % 7\n\n" + "\n".join(f"f({n})" for n in [0, 7, 14, 1, 2, 3, 4, 5])
    why, found = judged(text, **problem)
    assert why is None
    made, pairs = library("int"), list(zip(found["arguments"], found["values"], strict=True))
    everything = domain("int")
    rng, solved = Stream(b"library"), 0
    fits = [all(row[everything.index(given)] == value for given, value in pairs[:SHOWN]) for row in made.rows]
    whole = [all(row[everything.index(given)] == value for given, value in pairs) for row in made.rows]
    assert sum(fits) >= sum(whole) >= 1
    for _ in range(1_500):
        tried = rng.sample(range(len(made)), 200)
        first = next((at for at in tried if fits[at]), None)
        solved += first is not None and whole[first]
    assert abs(solved / 1_500 - rate_of(problem, found)) < 0.05


@pytest.mark.parametrize("kind", sorted(NAMES))
def test_candidates_are_what_their_source_says(kind: str) -> None:
    made, everything = library(kind), domain(kind)
    names = ", ".join(NAMES[kind])
    assert len(set(made.rows)) == len(made) > 300
    for number in range(0, len(made), len(made) // 12):
        tree, _ = checked(f"def f({names}):\n    return {made.sources[number]}", len(NAMES[kind]))
        bench = Bench(tree)
        for at in range(0, len(everything), 9):
            assert bench.run(everything[at]).value == made.rows[number][at]


def test_rewards_by_rate() -> None:
    assert learnability(0.5, 0.5) == 1.0
    assert learnability(0.65, 0.5) == pytest.approx(0.5)
    assert learnability(0.9, 0.5) == 0.0
    assert learnability(0.25, 0.5, "absolute-zero") == 0.75
    assert learnability(0.25, 0.5, "r-zero") == 0.5
    for pays in ("target", "absolute-zero", "r-zero"):
        assert learnability(0.0, 0.5, pays) == learnability(1.0, 0.5, pays) == 0.0  # type: ignore[arg-type]
    assert succeeds(0.58, PROBLEM)
    assert not succeeds(0.59, PROBLEM)
    assert succeeds(0.01, {**PROBLEM, "pays": "absolute-zero"})
    assert not succeeds(0.0, {**PROBLEM, "pays": "absolute-zero", "target": 5})
    assert not succeeds(1.0, {**PROBLEM, "target": 95})


@given(st.floats(0, 1), st.floats(0.25, 0.75))
def test_no_rate_earns_more_than_the_target(rate: float, target: float) -> None:
    assert 0.0 <= learnability(rate, target) <= learnability(target, target) == 1.0


def test_a_hundredth_of_a_percent_is_computed() -> None:
    assert deduced(0, 5) == 1.0
    assert deduced(2, 50) == 0.25
    assert abducted(0, 10, 5) == 0.0
    assert abducted(10, 10, 1) == 1.0
    assert induced(0, 0, 10, 5) == 0.0
    assert induced(1, 2, 2, 2) == 0.5


# -- our interpreter against Python and against another interpreter ----------------------------------------------------


def test_programs_of_another_generator_give_the_same_values() -> None:
    rng, compared = Stream(b"straight"), 0
    while compared < 12:
        sample = search(rng, Shape(2, 1, 1, 2, 1, 0, 5, 20), lambda found: True)
        if sample is None:
            continue
        text = source(sample.program)
        try:
            tree, _ = checked(text, 1)
        except Exception:
            continue
        bench = Bench(tree)
        for arguments in sample.inputs[:6]:
            ours = bench.run(arguments)
            assert ours.failed or ours.value == run(sample.program, arguments).value
            compared += not ours.failed


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_counting_does_not_change_a_result(number: int) -> None:
    rng = Stream(b"templates", number)
    kind = rng.choice(list(NAMES))
    text = program(kind, rng.sample(CONSTRUCTS, 3), (), "[r % 50, r % 7]", rng.between(2, 9), rng.between(2, 4))
    calls = rng.sample(domain(kind), 3)
    asked = "\n".join([text, *(f"f({', '.join(map(repr, each))})" for each in calls)])
    bench = Bench(checked(text, len(NAMES[kind]))[0])
    assert [bench.run(each).text for each in calls] == plain({"source": asked, "domain": domain(kind)})["texts"]


def test_examples_are_valid_programs_without_dead_parts() -> None:
    rng = Stream(b"examples")
    for kind in NAMES:
        for _ in range(3):
            text = example(rng, kind)
            assert ast.parse(text)
            found = measure(request({**PROBLEM, "argument": kind, "references": []}, text + "\n\n" + _first(kind)))
            assert "refused" not in found, (text, found)


def _first(kind: str) -> str:
    return f"f({', '.join(map(repr, domain(kind)[0]))})"


# -- tasks -------------------------------------------------------------------------------------------------------------


def test_a_task_says_all_that_decides(drawn_once: None) -> None:
    env = envhub.make("proposer-v0", difficulty=4)
    for seed in range(3):
        prompt, _ = env.reset(seed=seed)
        problem = env.task.problem
        assert f"{problem['target']}%" in prompt
        number = problem["slip"] if problem["kind"] == "deduction" else problem["tries"]
        assert str(number) in prompt
        for reference in problem["references"]:
            assert reference.splitlines()[-1].strip() in prompt.replace('\\"', '"')
        assert env.solve() not in prompt


def test_parameters_are_checked() -> None:
    with pytest.raises(InvalidParameters, match="must be rules, self, or the URL"):
        envhub.make("proposer-v0", opponent="nobody")
    with pytest.raises(InvalidParameters, match="base_url"):
        envhub.make("proposer-v0", opponent="http://")
    with pytest.raises(InvalidParameters):
        envhub.make("proposer-v0", attempts=1)
    assert CALLS == 2 * SHOWN


@pytest.mark.parametrize("kind", ["deduction", "abduction", "induction"])
def test_a_solvers_question_has_wordings_and_one_that_is_reserved(kind: str) -> None:
    count = CALLS if kind == "induction" else 1
    challenge = {"kind": kind, "argument": "int", "source": "def f(v1):\n    return v1 * 7"}
    challenge["calls"] = [[number] for number in range(count)]
    statement = solver_wording.statement(shown(challenge, [7 * number + 700 for number in range(count)]))
    texts = {statement.worded(Wording(number)) for number in range(0, WORDINGS, WORDINGS // 16)}
    assert len(texts) > 8
    held_out = statement.worded(HELD_OUT)
    for text in (*texts, held_out):
        assert ("v1 * 7" in text) == (kind != "induction")
        assert ("700" in text) == (kind != "deduction")
        assert "728" not in text  # a hidden call of an induction task
    for text in statement.parts(HELD_OUT).texts():
        assert len(text) < SHORTEST or all(text not in other for other in texts)


@pytest.mark.parametrize(
    "limit", ["4,000", "24", "1,000,000,000", "40", "256", "150", "1,000,000 steps", "2,000 steps"]
)
def test_the_prompt_states_every_limit_of_the_language(limit: str) -> None:
    env = envhub.make("proposer-v0")
    for seed in range(6):
        prompt, _ = env.reset(seed=seed)
        assert limit in str(prompt)
