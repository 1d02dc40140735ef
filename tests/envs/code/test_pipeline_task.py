"""code-synthesis-v0 and code-repair-v0: what is asked, and programs that only seem to do it."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import SPLITS, Stream
from envhub.core.types import Verdict
from envhub.envs.code.repair import Repair
from envhub.envs.code.synthesis import Synthesis
from envhub.generators.programs.mutate import changed, compiled, places, run
from envhub.generators.programs.pipeline import NAME, Pipeline
from envhub.gymnasium.env import Env
from tests.sandbox import jails

pytestmark = pytest.mark.slow

IDS = ["code-synthesis-v0", "code-repair-v0"]


@pytest.fixture(scope="module", autouse=True)
def _sandbox() -> None:
    jails.backend()


def begun(name: str, level: int, seed: int, **settings: Any) -> Env:
    env = envhub.make(name, difficulty=level, **settings)
    env.reset(seed=seed)
    return env


def judged(env: Env, source: str) -> Verdict:
    twin = env.fork()
    twin.step(f"```python\n{source}\n```")
    verdict = twin.episode.turns[-1].verdict
    assert verdict is not None
    return verdict


def pipeline_of(env: Env) -> Pipeline:
    return Pipeline.from_json(env.task.problem["plan"])


def table(env: Env, rows: list[Any]) -> str:
    """A program that knows some results by heart."""
    known = {repr(list(args)): result for args, result in rows}
    return f"KNOWN = {known!r}\ndef solve(*args):\n    return KNOWN.get(repr(list(args)), list(KNOWN.values())[0])"


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("level", [1, 5, 10])
def test_a_table_of_what_is_shown_and_a_constant_fail(name: str, level: int) -> None:
    for seed in range(3):
        env = begun(name, level, seed)
        problem, key = env.task.problem, env.episode.instance.key
        pipeline = pipeline_of(env)
        shown = problem.get("examples") or [[problem["args"], problem["expected"]]]
        assert not [args for args, _ in shown if tuple(args) in key]
        assert judged(env, table(env, shown)).score == 0.0
        assert judged(env, f"def solve(*args):\n    return {pipeline.run(tuple(key[0]))!r}").score == 0.0
        most = [[args, pipeline.run(tuple(args))] for args in key[:-1]]
        last = judged(env, table(env, most))  # one case that is not known is enough
        assert last.score == 0.0
        assert last.components["passed"] == pytest.approx(1 - 1 / len(key))
        assert judged(env, pipeline.source()).score == 1.0


@pytest.mark.parametrize("name", IDS)
def test_hidden_arguments_are_in_nothing_that_travels(name: str) -> None:
    for seed in range(3):
        env = begun(name, 3, seed)
        sent = json.dumps([env.task.to_json(), env.snapshot()])
        hidden = [args for args in env.episode.instance.key if len(repr(args)) > 12]
        assert hidden
        assert not [args for args in hidden if json.dumps(list(args))[1:-1] in sent]


def test_wrong_programs_near_the_reference_fail() -> None:
    passed = tried = 0
    for seed in range(4):
        env = begun("code-synthesis-v0", 3, seed)
        pipeline, rng = pipeline_of(env), Stream(b"tests", "near", seed)
        cases = env.episode.instance.key
        right = [repr(pipeline.run(tuple(args))) for args in cases]
        for site in rng.sample(places(pipeline.tree), 5):
            tree = changed(pipeline.tree, [site])
            function = compiled(tree, NAME)
            differs = [repr(run(function, args)) for args in cases] != right
            tried += 1
            verdict = judged(env, ast.unparse(tree))
            assert (verdict.score == 0.0) == differs
            passed += verdict.score == 1.0
    assert passed <= 0.2 * tried


@pytest.mark.parametrize("level", [1, 5, 9])
def test_the_program_that_is_given_fails_as_is_said(level: int) -> None:
    for seed in range(3):
        env = begun("code-repair-v0", level, seed)
        problem = env.task.problem
        verdict = judged(env, problem["source"])
        assert verdict.score == 0.0
        assert 0 < verdict.components["passed"] < 1
        space: dict[str, Any] = {}
        exec(problem["source"], space)
        if problem["raises"]:
            with pytest.raises(
                (ArithmeticError, LookupError, NameError, TypeError, ValueError, AttributeError)
            ) as raised:
                space[NAME](*problem["args"])
            assert raised.type.__name__ == problem["gives"]
        else:
            assert space[NAME](*json.loads(json.dumps(problem["args"]))) == problem["gives"] != problem["expected"]
        assert pipeline_of(env).run(tuple(problem["args"])) == problem["expected"]
        assert f"has {'1 bug' if level < 5 else str(problem['bugs']) + ' bugs'}" in env.environment.worded(problem)


def test_a_rewrite_counts_and_a_mend_of_one_bug_of_two_does_not() -> None:
    env = begun("code-repair-v0", 5, 2)
    pipeline, problem = pipeline_of(env), env.task.problem
    wrong, right = ast.parse(problem["source"]), pipeline.tree
    halves = 0
    for at, (bad, good) in enumerate(zip(wrong.body, right.body, strict=True)):
        if ast.unparse(bad) != ast.unparse(good):
            body = [*wrong.body[:at], good, *wrong.body[at + 1 :]]
            mended = ast.unparse(ast.Module(body, []))
            halves += mended != pipeline.source()
            assert (judged(env, mended).score == 1.0) == (mended == pipeline.source())
    assert judged(env, pipeline.source().replace("result_1", "first")).score == 1.0


def test_sisters_share_splits() -> None:
    for split in SPLITS:
        env = begun("code-repair-v0", 1, 3, split=split)
        content = {"plan": env.task.problem["plan"]}
        assert Repair().canonical(content) == Synthesis().canonical(content)
        assert Repair.family == Synthesis.family == "code-plan"


def test_parameters_that_leave_nothing_are_refused() -> None:
    for name in IDS:
        with pytest.raises(InvalidParameters, match="most must be at least 20 more than least"):
            envhub.make(name, least=50, most=60)


@pytest.mark.parametrize("level", [1, 6])
def test_the_text_of_the_task_is_whole(level: int) -> None:
    for seed in range(10):
        env = envhub.make("code-synthesis-v0", difficulty=level, wording=0)
        prompt, _ = env.reset(seed=seed)
        pipeline = pipeline_of(env)
        assert all(part.spec(params) in prompt for part, params in pipeline.steps)
        assert f"solve({', '.join(pipeline.takes.names)})" in prompt
        assert prompt.count("\nreturns\n") == 2
        assert "None" not in prompt.partition("Examples:")[0]
