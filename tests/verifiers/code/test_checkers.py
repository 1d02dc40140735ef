"""A user's checker judges outputs: its own failures are told apart from those that an output provokes."""

from __future__ import annotations

import pytest

from envhub.sandbox import resource
from envhub.sandbox.broker import plain
from envhub.verifiers.code import judging
from tests.verifiers.code.problems import CALL, METHOD, RIGHT, SQUARE, judged, public


@pytest.mark.usefixtures("sandbox")
def test_a_checker_says_which_outputs_are_right() -> None:
    right = "n = int(input())\na = next(a for a in range(2, n) if n % a == 0)\nprint(a, n // a)"
    assert judged(SQUARE, right).score == 1.0
    assert judged(SQUARE, "print(1, input())").components == {"passed": 0.0, "format": 1.0}
    assert judged(SQUARE, "print('no numbers')").score == 0.0  # what the checker raises is the output's doing
    assert judged(SQUARE, "print(3, 4)").components["passed"] == 0.5
    half = {**SQUARE, "checker": "def check(i, o, e): return 0.5"}
    assert judged(half, right).score == 0.0
    call = {**CALL, "checker": "def check(args, value, expected): return value == expected and args[0] * 2 == value"}
    assert judged(call, "def double(n): return n + n").score == 1.0
    assert judged(call, "def double(n): return expected").score == 0.0
    for lying in (
        "def check(i, o, e): return 'yes'",
        "def check(i, o, e): return None",
        "class B(int): pass\ndef check(i, o, e): return B(1)",
    ):
        assert judged({**SQUARE, "checker": lying}, right).score == 0.0


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("depth", [0, 10, 62, 63, 64, 65, 200])
@pytest.mark.parametrize("around", ["[a]", "(a,)", "{1: a}"])
def test_what_is_nested_too_deep_for_the_checker_is_wrong(depth: int, around: str) -> None:
    row = {**CALL, "checker": "def check(args, value, right): return isinstance(value, (list, dict))"}
    deep = f"def double(a):\n    for _ in range({depth}): a = {around}\n    return a"
    verdict = judged(row, deep)
    assert (verdict.status, verdict.score) == ("graded", float(0 < depth < 64))


@pytest.mark.usefixtures("sandbox")
def test_much_output_in_many_cases_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    most = plain.MAX_MESSAGE // 100  # as long as it is, and a hundred times the cases, take a minute
    monkeypatch.setattr(plain, "MAX_MESSAGE", most)
    for module in (resource, judging):
        monkeypatch.setattr(module, "MAX_BATCH", most // 2, raising=False)
    cases = [{"input": f"{n}\n", "output": f"{n}" * 30_000} for n in range(10)]
    checker = "def check(i, output, right): return output == right"
    loud = "import sys\nprint('x' * 60000)\nprint('y' * 60000, file=sys.stderr)"
    for row in ({"prompt": "x", "cases": cases}, {"prompt": "x", "cases": cases, "checker": checker}):
        verdict = judged(row, f"{loud}\nprint('\\0' * (1 << 19))")
        assert (verdict.status, verdict.score) == ("graded", 0.0)
        assert judged(row, f"{loud}").score == 0.0
        assert judged(row, "print(input() * 30000, end='')").score == 1.0


@pytest.mark.usefixtures("sandbox")
def test_a_checker_that_cannot_be_run_is_no_score() -> None:
    verdict = judged({**SQUARE, "checker": "import nowhere\ndef check(i, o, e): return True"}, "print(3, 4)")
    assert (verdict.status, verdict.score) == ("error", None)
    assert verdict.error is not None
    assert verdict.error.code == "checker"


FRAGILE = (
    "import os\ndef check(n, text, right):\n  if 'die' in text: os._exit(3)\n"
    "  if 'loop' in text:\n    while True: pass\n  return text.strip() == right"
)


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("word", ["die", "loop"])
def test_an_output_that_makes_the_checker_fail_scores_0_with_the_reason(word: str) -> None:
    row = {**SQUARE, "checker": FRAGILE, "limits": {"cpu_s": 0.3, "wall_s": 60}}
    verdict = judged(row, f"n = input()\nprint('{word}' if n == '12' else n)")
    assert (verdict.status, verdict.score, verdict.reason) == ("no_answer", 0.0, "checker_failed_on_answer")
    assert verdict.components["passed"] == 0.5  # the other case was checked all the same
    assert judged(row, "print(input())").score == 1.0
    assert judged(row, "print(7)").status == "graded"


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    "broken",
    [
        "import os\ndef check(n, text, right): os._exit(0)",
        "import os\ndef check(n, text, right):\n  if n.startswith('12'): os._exit(0)\n  return True",
        "def check(n, text, right):\n  while True: pass",
    ],
)
def test_a_checker_that_fails_on_right_outputs_as_well_is_an_error(broken: str) -> None:
    verdict = judged({**SQUARE, "checker": broken, "limits": {"cpu_s": 0.3, "wall_s": 60}}, "print(input())")
    assert (verdict.status, verdict.score) == ("error", None)
    assert verdict.error is not None
    assert verdict.error.code == "checker"


@pytest.mark.usefixtures("sandbox")
def test_a_checker_that_recurses_into_the_output_raises_or_fails_and_never_is_an_error() -> None:
    checker = "import ast\ndef check(n, text, right): return ast.literal_eval(text) == int(right)"
    assert judged({**SQUARE, "checker": checker}, "print(input())").score == 1.0
    verdict = judged({**SQUARE, "checker": checker}, "print('(' * 5000 + '1' + ')' * 5000)")
    assert (verdict.status in ("graded", "no_answer"), verdict.score) == (True, 0.0)
    deep = "import ctypes\ndef check(n, text, right):\n  if len(text) > 99: ctypes.string_at(0)\n  return text.strip() == right"
    verdict = judged({**SQUARE, "checker": deep}, "print('(' * 5000)")
    assert (verdict.score, verdict.reason) == (0.0, "checker_failed_on_answer")


@pytest.mark.usefixtures("sandbox")
def test_a_checker_may_judge_methods_and_a_missing_function_is_said() -> None:
    row = public([[6], [142]], checker="def check(args, value, right): return value == 2 * args[0] == right[0]")
    assert judged(row, METHOD).score == judged(row, RIGHT).score == 1.0
    assert judged(row, METHOD.replace("2 *", "3 *")).score == 0.0
    assert "There is no function double" in judged(public([6, 142]), "class Solution: pass").feedback
