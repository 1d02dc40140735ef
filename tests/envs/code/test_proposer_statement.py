"""proposer-v0 judges by what its prompt states: candidates, counting, limits and pay, read from prompts alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import envhub
from envhub.authoring.wording import HELD_OUT, Statement, Wording
from envhub.core.types import Instance
from envhub.envs.code.proposer import bench
from envhub.envs.code.proposer.arguments import domain
from envhub.envs.code.proposer.bench import measure, plain
from envhub.envs.code.proposer.execution import Bench, Purse
from envhub.envs.code.proposer.judging import invalid
from envhub.envs.code.proposer.language import FUNCTIONS, METHODS, checked
from envhub.envs.code.proposer.verdicts import paid
from tests.envs.code.proposer_programs import PROGRAMS
from tests.envs.code.proposer_reader import critical

WORDINGS = (*(Wording(number * 397) for number in range(24)), HELD_OUT)


def measured(source: str, argument: str = "int", calls: int = 1) -> dict[str, Any]:
    asked = {"domain": domain(argument), "calls": calls, "references": [], "critical": True, "points": []}
    return measure({"source": source, **asked})


def body(lines: str, call: str = "f(5)") -> str:
    """A program with these lines as the body of f(n)."""
    return "def f(n):\n" + "\n".join(f"    {line}" for line in lines.split("\n")) + f"\n\n{call}"


def prompts(**params: Any) -> list[str]:
    """The same task in several wordings."""
    env = envhub.make("proposer-v0", difficulty=2, **params)
    env.reset(seed=1)
    statement = env.environment.prompt(env.task.problem)
    assert isinstance(statement, Statement)
    return [statement.worded(wording) for wording in WORDINGS]


# -- induction: the candidates of the solver ---------------------------------------------------------------------------

BASES: dict[str, list[Callable[..., Any]]] = {
    "int": [lambda n: n],
    "pair": [
        *(lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, max, min),
        *(lambda a, b: a, lambda a, b: b),
    ],
    "list": [
        *(sum, max, min, len, lambda xs: xs[0], lambda xs: xs[-1]),
        *(lambda xs: xs.count(0), lambda xs: xs.count(1)),
    ],
    "text": [lambda s: s],
}


def steps(sentence: str) -> list[Callable[[Any], Any]]:
    """The steps that a prompt names."""
    if "upper case" in sentence:
        letters = "abcde"
        assert "letter from a to e in front or behind" in sentence
        return [
            *(lambda s: s[::-1], lambda s: s * 2, lambda s: "".join(sorted(s)), str.upper, lambda s: s[1:]),
            *(lambda s: s[:-1], *(lambda s, c=c: c + s for c in letters), *(lambda s, c=c: s + c for c in letters)),
            *(lambda s, a=a, b=b: s.replace(a, b) for a, b in product(letters, repeat=2) if a != b),
        ]
    spans = [tuple(map(int, found)) for found in re.findall(r"(-?\d+) to (\d+)", sentence)]
    assert len(spans) == 4
    add, times, divide, modulo = [range(low, high + 1) for low, high in spans]
    return [
        *(lambda v, c=c: v + c for c in add if c),
        *(lambda v, c=c: v * c for c in times),
        *(lambda v, c=c: v // c for c in divide),
        *(lambda v, c=c: v % c for c in modulo),
        *(lambda v: -v, lambda v: v * v, abs),
    ]


@pytest.mark.parametrize("argument", sorted(BASES))
def test_the_stated_candidates_are_as_many_as_the_prompt_says(argument: str) -> None:
    prompt = envhub.make("proposer-v0", difficulty=2, wording=0, kind="induction", argument=argument).reset(seed=1)[0]
    sentence = re.search(r"A candidate is: [^\n]*", prompt)
    count = re.search(r"of (\d+) candidate functions", prompt)
    assert sentence
    assert count
    rows = {tuple(base(*given) for given in domain(argument)) for base in BASES[argument]}
    every, moves = set(rows), steps(sentence[0])
    for _ in range(2):
        rows = {tuple(map(move, row)) for row in rows for move in moves}
        every |= rows
    assert len([row for row in every if len(set(row)) >= 3]) == int(count[1])


def test_equal_calls_are_refused_and_every_wording_says_so() -> None:
    calls = "\n".join(f"f({number})" for number in (1, 2, 3, 4, 5, 6, 7, 7))
    assert "different arguments" in str(measured(body("return n * 2 + 1", calls), calls=8)["refused"])
    for prompt in prompts(kind="induction"):
        assert "8 calls of f with different arguments" in prompt


# -- deduction: what counts as an operation ----------------------------------------------------------------------------

UNCOUNTED = {
    "a sign": "return -n",
    "~": "return ~n",
    "and, or, not": "return n and 3 or not n or n",
    "no variable": "return [2 * 3 + 1, n][7 // 5]",
    "conversions": "return len(list(tuple([n]))) and bool(n) and n",
    "a sum of an iterator": "return sum(v for v in [n, 3])",
    "a view": "d = {1: n, 2: 3}\nreturn max(d.values())",
    "a range": "return len(range(abs(n)))",
    "a method without a result": "a = [3]\na.append(n)\nreturn a[1]",
    "a function": "return sum(map(lambda v: v, [n, 2]))",
}
COUNTED = {
    "an operator": "return n + 3",
    "a comparison": "return 1 if n > 3 else n",
    "a built-in": "return abs(n)",
    "a key": "return max([n, 2, 30], key=lambda v: v)",
    "an index": "a = [n, 3]\nreturn a[0]",
    "membership of a range": "return 3 if n in range(9) else n",
    "membership of a view": "d = {1: 2}\nreturn 3 if n in d.values() else n",
    "an augmented assignment": "n += 3\nreturn n",
    "once": "return (n + 3) if n > 0 else (n + 3) if n > 0 else n",
}


@pytest.mark.parametrize("name", sorted(UNCOUNTED))
def test_what_the_prompt_excludes_is_not_counted(name: str) -> None:
    extra = {"a range": 1, "a method without a result": 1, "no variable": 1, "conversions": 1}.get(name, 0)
    assert measured(body(UNCOUNTED[name]))["facts"] == extra


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_other_operations_are_counted(name: str) -> None:
    expected = {"once": 2}.get(name, 1)
    assert measured(body(COUNTED[name]))["facts"] == expected


def test_a_mistake_changes_a_value_as_stated() -> None:
    """Each result is used by what only the stated mistake can pass unnoticed."""
    unnoticed = (
        "return (n + 5) // 100 + n",
        "return len((str(n) + 'ab')[:1]) + n",
        "return n if n > 3 and n > 4 else n",
    )
    for lines, least in zip(unnoticed, (1, 2, 1), strict=True):
        found = measured(body(lines))
        assert "refused" not in found
        assert found["critical"] <= found["facts"] - least


# -- a second reader ---------------------------------------------------------------------------------------------------

CALLS: dict[str, list[list[Any]]] = {
    "f(n)": [[5], [-7], [42]],
    "f(xs)": [[[1, 3, 2]], [[2]], [[0, 3, 1]]],
    "f(s)": [["abc"], ["e"], ["cab"]],
    "f(a, b)": [[3, 7], [0, 5], [8, 8]],
}


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_reader_by_the_stated_rules_counts_the_same_operations(source: str) -> None:
    calls = next(calls for signature, calls in CALLS.items() if signature in source)
    run = Bench(checked(source, len(calls[0]))[0]).run
    for given in calls:
        right = run(given)
        wrong = sum(run(given, fact).text != right.text for fact in right.facts)
        assert critical(source, given) == (wrong, len(right.facts))


# -- the language ------------------------------------------------------------------------------------------------------

AS_PYTHON = {
    "a list grown through another name": "a = [n]\nb = a\na *= 2\nreturn len(b) + n",
    "a dict grown through another name": "a = {1: n}\nb = a\na |= {2: n}\nreturn len(b) + n",
    "an index with a call": "a = [0, n]\na[len(a) - 1] += 3\nreturn a[1]",
    "an index that the value changes": "b = [0]\na = [n, n]\na[b[0]] += g(b)\nreturn a[0] * 3 + a[1] + b[0]",
    "a slice that grows": "a = [n, 2, 3]\na[1:] += [n]\nreturn sum(a) + len(a)",
    "map with two lists": "return sum(map(max, [n, 2], [3, n]))",
    "an item of a range": "return range(3, 99)[n % 5] + n",
    "a long text that replace keeps short": "s = str(n) * 50\nreturn len(s.replace('0', 'zzzzzzzzzzzzzzzzzzzz', 0)) + n",
    "two equal ranges": "return 1 if range(n % 7) == range(3) else n",
    "keys": "d = {1: n, 2: 3}\nreturn 5 if n in d.keys() else n",
}
HELPER = "def g(b):\n    b[0] = 1\n    return 5\n\n"


@pytest.mark.parametrize("name", sorted(AS_PYTHON))
def test_the_bench_computes_what_python_computes(name: str) -> None:
    source = (HELPER if "g(b)" in AS_PYTHON[name] else "") + body(AS_PYTHON[name])
    found = measured(source)
    assert "refused" not in found, found
    assert found["raised"] == 0
    for given in domain("int")[::13]:
        call = f"f({given[0]})"
        again = source.replace("f(5)", call)
        assert measured(again)["texts"] == plain({"source": again, "domain": domain("int")})["texts"], call


REFUSED = {
    "a huge number of digits": ("return round(n, -100000) + n", "round takes at most 128 digits"),
    "a comparison of nested lists": (
        "a = []\nb = []\nfor i in range(60):\n    a = [a, a]\n    b = [b, b]\nreturn max(a, b) == a",
        "more than 1,024 items",
    ),
    "a method as a value": ("return sorted(['b', 'A'], key=str.lower)[0] * n", "Methods may only be called"),
    "an unknown method": ("return str(n).zfill(3)", "Expected one of append"),
    "an operator": ("return n / 2", "The operator / (use //)"),
    "an iterator as an operand": ("return 1 if n in map(abs, [n]) else n", "make a list of an iterator"),
    "a missing line": ("return (n", "in line 2"),
    "nesting": (f"return {'-' * 3000}n", "nested more than 24 deep"),
}


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refusal_says_what_to_change(name: str) -> None:
    lines, said = REFUSED[name]
    assert said in measured(body(lines))["refused"]


def test_a_failing_argument_and_a_missing_construct_are_named() -> None:
    problem = {"argument": "int", "returns": "int", "constructs": ["helper"], "anchor": None}
    assert "Example: for f(7), it raises ZeroDivisionError." in str(
        invalid(problem, measured(body("return 9 // (n - 7)")))
    )
    assert "must contain: a second function that f uses." in str(invalid(problem, measured(body("return n * 2"))))
    assert "got None, int" in str(invalid(problem, measured(body("if n > 3:\n    return n"))))
    assert "required, got 1." in str(invalid(problem, measured(body("return 7 * 2"))))
    mostly = "if n > 57:\n    return n\nreturn 7"
    assert "At most 81 of 91 arguments may have the same result, got 88." in str(
        invalid(problem, measured(body(mostly)))
    )


def test_every_prompt_names_each_function_method_and_limit() -> None:
    for prompt in prompts(kind="deduction"):
        assert all(re.search(rf"\b{name}\b", prompt) for name in FUNCTIONS | METHODS)
        for stated in ("1,024", "% on texts", "terator", "adds 1|grows by 1|larger by 1", "1,000,000", "32 characters"):
            assert re.search(stated, prompt), stated


def test_runs_with_a_mistake_are_not_paid_from_the_stated_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    purses: list[Purse] = []

    class Kept(Purse):
        def __init__(self) -> None:
            super().__init__()
            purses.append(self)

    monkeypatch.setattr(bench, "Purse", Kept)
    source, asked = body("return n * 2 + 1"), {"domain": domain("int"), "calls": 1, "references": [], "points": []}
    for falsified in (True, False):
        measure({"source": source, "critical": falsified, **asked})
    assert purses[0].left == purses[1].left < 1_000_000


# -- pay ---------------------------------------------------------------------------------------------------------------


def test_the_stated_reward_is_paid() -> None:
    env = envhub.make("proposer-v0", difficulty=5, kind="abduction")
    env.reset(seed=1)
    problem = env.task.problem
    state = {"challenge": {}, "format": 1.0, "answer": None}
    for percent in range(1, 100):
        away = abs(percent - problem["target"])
        verdict = paid(Instance(problem), state, percent / 100).verdict
        assert verdict is not None
        success = away <= problem["tolerance"]
        assert verdict.solved is success
        assert verdict.score == (1.0 if success else pytest.approx(max(0.0, 1 - away / 30)))
    for never in (0.0, 1.0):
        verdict = paid(Instance({**problem, "target": 10, "tolerance": 20}), state, never).verdict
        assert verdict is not None
        assert verdict.score == 0.0
    for prompt in prompts(kind="abduction"):
        assert re.search(r"d/30|30 percentage points", prompt)
        assert "uccess" in prompt
        assert "100%" in prompt
