"""Mutants of judging code: they are made, killed by the checks, and leave nothing behind."""

from __future__ import annotations

import itertools
import os
import resource
import time
from collections.abc import Callable
from importlib import import_module
from inspect import unwrap
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar

import pytest

from envhub.audit.mutants import Source, judging, spread
from envhub.audit.mutate import _apart, _cpu_s, explained, explanation, mutate
from envhub.authoring import BaseParams, SingleTurn
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.logic.sudoku.environment import Sudoku
from envhub.envs.logic.zebra.environment import Zebra
from envhub.envs.rule_based.equation.environment import Equation
from envhub.envs.search.needle import Needle
from envhub.verifiers.answers.types import AnswerType, Integer
from tests.audit.registering import registered


def right_and_positive(value: int, key: int) -> bool:
    return value > 0 and value == key


def right_or_zero(value: int, key: int) -> bool:
    return value == key or (value == 0 and key == 0)


def pairs(one: list[int], other: list[int]) -> list[tuple[int, int]]:
    assert len(one) == len(other)
    return list(zip(one, other, strict=True))


class Product(SingleTurn):
    """A sound environment whose verifier has a needless condition."""

    answer: AnswerType = Integer()
    unique = True
    judge: ClassVar[Any] = staticmethod(right_and_positive)

    class Params(BaseParams):
        digits: int = 6

        @classmethod
        def at(cls, difficulty: int) -> Product.Params:
            return cls(digits=4 + difficulty)

    def sample(self, rng: Stream, p: Any) -> Instance:
        low, high = 10**p.digits, 10 ** (p.digits + 1) - 1
        a, b = rng.between(low, high), rng.between(low, high)
        return Instance({"a": a, "b": b}, key=a * b)

    def prompt(self, problem: JSON) -> str:
        return f"Multiply {problem['a']} by {problem['b']}."

    def grade(self, inst: Instance, value: int) -> Verdict:
        return Verdict.exact(right_and_positive(value, inst.key))

    def solve(self, inst: Instance) -> str:
        return str(inst.key)


def test_the_judging_functions_are_found_in_the_modules_that_a_verifier_calls() -> None:
    names = [f"{f.__module__}:{f.__qualname__}" for f in judging(Zebra)]
    assert names[0] == "envhub.envs.logic.zebra.environment:Zebra.grade"
    assert "envhub.envs.logic.zebra.clues:holds" in names
    assert not any("sample" in name or "draw" in name or "AnswerType" in name for name in names)


def test_functions_that_a_module_passes_on_are_found_and_neither_solvers_nor_readers_are() -> None:
    modules = {f.__module__.removeprefix("envhub.") for f in judging(Sudoku)}
    assert modules == {"envs.logic.sudoku.environment", "envs.logic.sudoku.rules"}
    modules = {f.__module__.removeprefix("envhub.") for f in judging(Needle)}
    assert modules == {"envs.search.needle", "verifiers.answers.phrases"}
    assert not any(f.__name__ in ("solve", "_eliminate", "_roots") for f in judging(Equation))


def test_what_is_said_and_what_is_only_asserted_is_not_changed() -> None:
    assert ("True", "False") not in {(mutant.old, mutant.new) for mutant in Source(pairs).mutants}


def test_every_explanation_is_of_a_mutant_that_there_is() -> None:
    for name in explained():
        module, _, function = name.partition(": ")[0].partition(":")
        found = attrgetter(function)(import_module(module))
        source = Source(unwrap(getattr(found, "fget", found)))
        assert any(name in (mutant.name, f"{mutant.function}: any in {mutant.source}") for mutant in source.mutants), (
            name
        )


def test_a_mutant_is_another_code_of_the_same_function() -> None:
    source = Source(right_and_positive)
    said = {(mutant.old, mutant.new) for mutant in source.mutants}
    assert ("value > 0", "value >= 0") in said
    assert ("value == key", "value != key") in said
    assert ("value > 0 and value == key", "value > 0") in said
    before = right_and_positive.__code__
    changed = next(mutant for mutant in source.mutants if mutant.new == "value != key")
    try:
        right_and_positive.__code__ = source.code(changed.number)
        assert right_and_positive(3, 4)
    finally:
        right_and_positive.__code__ = before
    assert not right_and_positive(3, 4)
    assert right_and_positive(4, 4)


@pytest.mark.slow
def test_what_counts_is_killed_and_what_is_needless_survives() -> None:
    with registered(Product) as subject:
        found = mutate(subject.id)
    killed = {(o.mutant.old, o.mutant.new) for o in found.outcomes if o.killed}
    survived = {(o.mutant.old, o.mutant.new) for o in found.survivors}
    assert {("value == key", "value != key"), ("value > 0 and value == key", "value > 0")} <= killed
    assert {("value > 0", "value >= 0"), ("0", "1"), ("0", "-1")} <= survived
    assert found.to_json()["made"] == len(killed) + len(survived)
    assert right_and_positive(4, 4)  # nothing is changed here


@pytest.mark.slow
def test_its_own_tests_kill_what_no_check_finds(tmp_path: Path) -> None:
    own = tmp_path / "test_own.py"
    own.write_text(
        "from tests.audit.test_mutants import right_and_positive\n\n"
        "def test_zero_is_not_positive():\n    assert not right_and_positive(0, 0)\n"
    )
    with registered(Product) as subject:
        found = mutate(subject.id, tests=[str(own)])
        killed = {(o.mutant.old, o.mutant.new): o.killed for o in found.outcomes}
        assert killed["value > 0", "value >= 0"] == "tests"
        assert killed["value == key", "value != key"] not in (None, "tests")
        own.write_text("def test_fails():\n    raise AssertionError\n")
        with pytest.raises(RuntimeError, match="fail without any mutant"):
            mutate(subject.id, tests=[str(own)])


def limits() -> list[int]:
    return list(resource.getrlimit(resource.RLIMIT_CPU))


@pytest.mark.slow
def test_a_mutant_may_not_lower_the_limits_that_a_sandbox_needs() -> None:
    _, hard = limits()
    assert _apart(limits, 30) == [30, hard]


def grade(value: int, key: int, same: Callable[[int, int], bool] = right_or_zero) -> Verdict:
    return Verdict.exact(
        same(value, key), f"{value} is {'positive' if right_and_positive(value, key) else 'not positive'}."
    )


class Said(Product):
    def grade(self, inst: Instance, value: int) -> Verdict:
        return grade(value, inst.key)


def test_functions_given_as_defaults_are_found_and_those_of_texts_alone_are_not() -> None:
    names = [function.__name__ for function in judging(Said)]
    assert names == ["grade", "grade", "right_or_zero"]


def test_mutants_are_taken_at_even_distances() -> None:
    mutants = Source(right_and_positive).mutants
    assert spread(mutants, 100) == mutants
    assert spread(mutants, 2) == [mutants[0], mutants[len(mutants) // 2]]


def test_an_explanation_is_of_one_expression_on_one_line_and_says_why() -> None:
    for name, why in explained().items():
        assert " -> " in name or ": any in " in name
        assert " in " in name
        assert why.endswith(".")
    source = Source(judging(Zebra)[0])
    known = [name for name in explained() if name.startswith("envhub.envs.logic.zebra.environment:Zebra.grade")]
    found = [mutant for mutant in source.mutants if explanation(mutant)]
    assert known
    assert len(found) >= len(known)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("used", "result"),
    [
        pytest.param(lambda looks: looks, "done", id="slow on a busy machine"),
        pytest.param(lambda looks: 1.0, "time", id="hangs"),
        pytest.param(lambda looks: 20.0 * looks, "time", id="uses too much"),
    ],
)
def test_a_mutant_is_ended_by_its_cpu_time(
    used: Callable[[int], float], result: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, releasing = os.pipe()
    looks = itertools.count(1)

    def cpu_s(pid: int) -> float:
        look = next(looks)
        if look == 3:
            os.write(releasing, b"x")
        return used(look)

    def work() -> str:
        os.read(waiting, 1)
        return "done"

    monkeypatch.setattr("envhub.audit.mutate._IDLE_S", 0.01)
    monkeypatch.setattr("envhub.audit.mutate._cpu_s", cpu_s)
    assert _apart(work, 30) == result


@pytest.mark.slow
def test_cpu_seconds_are_those_of_a_process_and_its_ended_children() -> None:
    def work() -> None:
        while time.process_time() < 0.2:
            pass

    before = _cpu_s(os.getpid())
    _apart(work, 30)
    assert _cpu_s(os.getpid()) >= before + 0.1
