"""BFCL's own checker and ours on every question of the package, nightly: the same verdicts on right calls and on wrong ones.

``ENVHUB_BFCL`` names the wheel of ``bfcl-eval`` 2026.3.23; without it the wheel is downloaded with pip.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from copy import deepcopy
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import envhub
from envhub.adapters.bfcl import conversations, environments, inside, interfaces, turns
from envhub.adapters.bfcl.checking import Made, answered, wrong
from envhub.adapters.bfcl.questions import CATEGORIES, IRRELEVANT, Question, language

pytestmark = pytest.mark.nightly
RELEASE = "2026.3.23"
ASKED = [category for category in CATEGORIES if category not in IRRELEVANT]
MODEL = "any"


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The wheel of the package."""
    if named := os.environ.get("ENVHUB_BFCL"):
        return named
    folder = tmp_path_factory.mktemp("bfcl")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", str(folder), f"bfcl-eval=={RELEASE}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip(f"no wheel of bfcl-eval: {done.stderr[-200:]}")
    return str(next(folder.glob("*.whl")))


@pytest.fixture(scope="session")
def theirs(wheel: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package's checker, without the table of models, which imports the clients of all of them."""
    folder = tmp_path_factory.mktemp("package")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    table = ModuleType("bfcl_eval.constants.model_config")
    vars(table)["MODEL_CONFIG_MAPPING"] = {MODEL: SimpleNamespace(underscore_to_dot=False)}
    sys.path.insert(0, str(folder))
    sys.modules[table.__name__] = table
    yield importlib.import_module("bfcl_eval.eval_checker.ast_eval.ast_checker")
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == "bfcl_eval"]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def params(wheel: str) -> environments.Params:
    return environments.Params(path=wheel)


def their_verdict(theirs: Any, question: Question, calls: list[Made], category: str) -> bool:
    """Whether the package accepts calls; where it raises an exception it does not."""
    enums = importlib.import_module("bfcl_eval.constants.enums")
    of = {"Python": enums.Language.PYTHON, "Java": enums.Language.JAVA, "JavaScript": enums.Language.JAVASCRIPT}
    made = [{name: deepcopy(dict(arguments))} for name, arguments in calls]
    functions, answers = deepcopy(list(question.functions)), deepcopy(list(question.answers))
    try:
        found = theirs.ast_checker(functions, made, answers, of[language(category)], category, MODEL)
    except (AttributeError, KeyError, TypeError, IndexError):
        return False
    return bool(found["valid"])


def changes(value: Any) -> Iterator[tuple[str, Any]]:
    """Other values, each with the kind of the change."""
    yield "null", None
    yield "nothing", ""
    yield "an empty list", []
    yield "an empty object", {}
    yield "as text", json.dumps(value)
    yield "in a list", [value]
    if isinstance(value, bool):
        yield "negated", not value
        yield "a number for a truth value", int(value)
    elif isinstance(value, int):
        yield "one more", value + 1
        yield "a float for an integer", float(value)
        yield "a truth value for a number", bool(value)
        yield "negative", -value
    elif isinstance(value, float):
        yield "a half more", value + 0.5
        yield "an integer for a float", int(value)
    elif isinstance(value, str):
        yield "upper case", value.upper()
        yield "with punctuation", f" {value.replace(' ', '-')}."
        yield "with a letter", f"{value}x"
        yield "without its end", value[:-1]
        yield "reversed text", value[::-1]
        yield "quoted", f'"{value}"'
    elif isinstance(value, list):
        yield "reversed list", value[::-1]
        yield "an item less", value[1:]
        yield "an item more", [*value, *value[:1]]
        for kind, changed in changes(value[0]) if value else ():
            yield f"item {kind}", [changed, *value[1:]]
    elif isinstance(value, dict):
        yield "another key", {**value, "another": 1}
        for key, item in value.items():
            yield "a key less", {each: value[each] for each in value if each != key}
            for kind, changed in changes(item):
                yield f"field {kind}", {**value, key: changed}


def mutations(question: Question) -> Iterator[tuple[str, list[Made]]]:
    """Other calls, most of them wrong."""
    right = [(name, dict(arguments)) for name, arguments in question.right]
    yield "no call", []
    yield "calls reversed", right[::-1]
    yield "a call more", [*right, right[0]]
    yield "a call less", right[1:]
    yield "the first call twice", [right[0] for _ in right]
    for function in question.functions:
        if function["name"] != right[0][0]:
            yield "another function", [(function["name"], right[0][1]), *right[1:]]
    for at, (name, arguments) in enumerate(right):
        described = next(each for each in question.functions if each["name"] == name)["parameters"]["properties"]

        def changed(made: dict[str, Any], at: int = at, name: str = name) -> list[Made]:
            return [*right[:at], (name, made), *right[at + 1 :]]

        yield "no arguments", changed({})
        yield "an unknown parameter", changed({**arguments, "no_such_parameter": 1})
        for parameter in described:
            if parameter not in arguments:
                yield "an optional parameter", changed({**arguments, parameter: described[parameter].get("default", 1)})
        for parameter, value in arguments.items():
            yield "a parameter less", changed({each: arguments[each] for each in arguments if each != parameter})
            for kind, other in changes(value):
                yield kind, changed({**arguments, parameter: other})
        accepted = question.answers[at].get(name, {})
        for parameter, options in accepted.items():
            for option in options:
                yield "another accepted value", changed({**arguments, parameter: option})


QUOTED_ITEMS = re.compile(r'new \w+\[\]\{"')
BROKEN = {"as text", "quoted", "with a letter", "with punctuation", "without its end"}


def explained(kind: str, calls: list[Made], ours: bool, before: Iterable[Made]) -> bool:
    """Whether a difference in Java or JavaScript is one of the two that are known.

    The package compares the quotes in an array of quoted texts, and it finds literals within longer texts.
    """
    if ours:
        return any(QUOTED_ITEMS.match(str(value)) for _, arguments in calls for value in arguments.values())
    changed = [
        (value, was[name])
        for (_, arguments), (_, was) in zip(calls, before, strict=True)
        for name, value in arguments.items()
        if value != was.get(name)
    ]
    return kind in BROKEN and len(changed) == 1 and any(sign in changed[0][1] for sign in "[{(")


@pytest.mark.parametrize("category", ASKED)
def test_the_verdicts_are_those_of_the_package(theirs: Any, params: environments.Params, category: str) -> None:
    compared, accepted, different = Counter[str](), Counter[str](), list[Any]()
    for question in params.of(category):
        whole = [("the right answer", [(name, dict(arguments)) for name, arguments in question.right])]
        for kind, calls in [*whole, *mutations(question)]:
            ours = wrong(question.functions, question.answers, calls, language(category)) is None
            compared[kind] += 1
            accepted[kind] += ours
            if ours != their_verdict(theirs, question, calls, category):
                different.append((question.id, kind, calls, ours))
                assert language(category) != "Python", different
                assert explained(kind, calls, ours, question.right), different[-1]
    print(category, compared.total(), "compared,", accepted.total(), "accepted,", len(different), "different")
    assert accepted["the right answer"] == compared["the right answer"]
    assert len([kind for kind in compared if accepted[kind] < compared[kind]]) >= 10
    assert len(different) < 0.2 * compared.total()


def test_no_possible_answer_is_rejected_by_us_alone(theirs: Any, params: environments.Params) -> None:
    left_out = 0
    for category in ASKED:
        kept = {question.id for question in params.of(category)}
        bundle = environments.bundle_at(params.path, params.digest, environments.chosen)
        rows = [json.loads(line) for line in bundle.read(category).decode().splitlines() if line.strip()]
        left_out += sum(row["id"] not in kept for row in rows)
    assert left_out == 7


def test_every_level_is_solved_by_right_calls_and_by_nothing_blind(wheel: str) -> None:
    environments.register()
    for level in range(1, 11):
        env = envhub.make(environments.ID, path=wheel, difficulty=level)
        solved, silent = 0, 0
        for seed in range(100):
            env.reset(seed=seed)
            silent += env.fork().step("I cannot do that.")[1] == 1.0
            assert env.fork().step(" ")[1] == 0.0
            solved += env.step(env.solve())[1] == 1.0
        assert solved == 100
        assert silent <= {6: 40, 7: 30}.get(level, 0)


def test_the_functions_answered_are_those_of_the_file(params: environments.Params) -> None:
    for category in ASKED:
        for question in params.of(category):
            assert answered(question.functions, question.answers, language(category)) == list(question.right)


def test_the_folder_of_the_package_is_the_same_data(wheel: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    digest = environments.Params(path=wheel).digest
    assert environments.Params(path=str(tmp_path)).digest == digest
    assert environments.Params(path=str(tmp_path / "bfcl_eval" / "data")).digest == digest


# -- several turns ------------------------------------------------------------------------------------------------------------


def other_turns(right: list[list[Made]]) -> Iterator[tuple[str, list[list[Made]]]]:
    """The right calls of all turns, and changes of them."""
    yield "right", right
    yield "nothing", [[] for _ in right]
    yield "all in the first turn", [[call for turn in right for call in turn], *([] for _ in right[1:])]
    yield "each twice", [turn + turn for turn in right]
    for at, turn in enumerate(right):
        yield "a turn reversed", [*right[:at], turn[::-1], *right[at + 1 :]]
        yield "a turn less", [*right[:at], [], *right[at + 1 :]]
        yield "an unknown function", [*right[:at], [*turn, ("no_such_function", {})], *right[at + 1 :]]
        for place, (name, arguments) in enumerate(turn):
            yield "a call less", [*right[:at], turn[:place] + turn[place + 1 :], *right[at + 1 :]]
            for key, value in arguments.items():
                other = f"{value}x" if isinstance(value, str) else not value if isinstance(value, bool) else None
                changed = [*turn[:place], (name, {**arguments, key: other}), *turn[place + 1 :]]
                yield "another value", [*right[:at], changed, *right[at + 1 :]]


def our_turns(found: Any, made: list[list[Made]]) -> bool:
    """Whether every turn is right by our rules, in this process."""
    mine = inside.Instances(list(found.classes), found.config)
    for number, calls in enumerate(made):
        for name, arguments in calls:
            mine.call(name, deepcopy(dict(arguments)))
        if found.turns[number]:
            judged = inside._judged(mine, list(found.classes), found.config, deepcopy(found.turns[: number + 1]))
            if not (calls and judged["state"] and judged["seen"]):
                return False
    return True


@pytest.mark.parametrize("category", conversations.CATEGORIES)
def test_turns_are_judged_as_the_package_judges_them(theirs: Any, wheel: str, category: str) -> None:
    folder = "bfcl_eval.eval_checker.multi_turn_eval"
    checker = importlib.import_module(f"{folder}.multi_turn_checker").multi_turn_checker
    kept = vars(importlib.import_module(f"{folder}.multi_turn_utils"))
    params = turns.Params(path=wheel)
    compared = accepted = 0
    for found in params.rows(category)[:: int(os.environ.get("ENVHUB_BFCL_EVERY", "1"))]:
        right = [[(name, dict(arguments)) for name, arguments in turn] for turn in found.turns]
        entry = {"id": found.id, "initial_config": found.config, "involved_classes": list(found.classes)}
        gold = [[written(call) for call in turn] for turn in right]
        for kind, made in other_turns(right):
            decoded = [[[written(call) for call in turn]] if turn else [] for turn in made]
            for name in [each for each in kept if each.endswith("_instance")]:
                del kept[name]
            wanted = checker(decoded, gold, entry, category, MODEL)["valid"]
            assert our_turns(found, made) == wanted, (found.id, kind, made)
            compared, accepted = compared + 1, accepted + bool(wanted)
            assert kind != "right" or wanted, found.id
    print(category, compared, "compared,", accepted, "accepted")
    assert 0 < accepted < compared


def written(call: Made) -> str:
    """A call as the package's text."""
    return f"{call[0]}({', '.join(f'{name}={value!r}' for name, value in call[1].items())})"


def test_every_conversation_is_solved_by_its_right_calls(wheel: str) -> None:
    turns.register()
    for category in conversations.CATEGORIES:
        with closing(envhub.make(turns.ID, path=wheel, category=category, level=None)) as env:
            for seed in range(60):
                env.reset(seed=seed)
                while not env.episode.over:
                    _, reward, *_ = env.step(env.solve())
                assert reward == 1.0, env.task.problem["id"]
    interfaces.end_all()
