"""The tiers of the tests, and the environments of the quick one."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from envhub.families.member import Member
from envhub.registry.registry import load, spec
from tests.support import budget, chosen
from tests.support.places import TESTS
from tests.support.tiers import DIRECTORIES, EXCEPT, tier_of, tier_of_directory, tier_of_module

QUICK = chosen.quick()
WORDS = "envhub/envs/games/wordle/words.txt"


def module(folder: Path, text: str) -> Path:
    path = folder / "test_it.py"
    path.write_text(text)
    return path


def test_what_is_listed_is_there() -> None:
    assert all((TESTS / folder).is_dir() for folder in DIRECTORIES)
    assert all((TESTS / path).is_file() and path.startswith(tuple(DIRECTORIES)) for path in EXCEPT)


@pytest.mark.parametrize(
    ("text", "tier"),
    [
        ("pytestmark = pytest.mark.slow\n", "slow"),
        ("pytestmark = [\n    pytest.mark.nightly,\n    pytest.mark.skipif(True, reason='')\n]\n", "nightly"),
        ("pytestmark = pytest.mark.usefixtures('slow')\n", None),
        ("@pytest.mark.slow\ndef test_it(): ...\n", None),
    ],
)
def test_a_module_says_its_tier(text: str, tier: str | None, tmp_path: Path) -> None:
    assert tier_of_module(module(tmp_path, text)) == tier


def test_the_later_tier_wins(tmp_path: Path) -> None:
    path = module(tmp_path, "pytestmark = pytest.mark.slow\n")
    assert tier_of(path, [], []) == "slow"
    assert tier_of(path, ["nightly", "parametrize"], []) == "nightly"
    assert tier_of(TESTS / "trainer" / "test_phrases.py", [], []) == "quick"
    assert tier_of(TESTS / "trainer" / "test_phrases.py", [], ["jailed"]) == "slow"


def needed(extra: str) -> set[str]:
    """The distributions that an extra of envhub installs, with what they need in turn."""
    found: set[str] = set()
    open_ = [Requirement(f"envhub[{extra}]")]
    while open_:
        wanted = open_.pop()
        name = canonicalize_name(wanted.name)
        if (key := f"{name}{sorted(wanted.extras)}") in found:
            continue
        found |= {key, name}
        try:
            requires = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for requirement in map(Requirement, requires):
            extras = wanted.extras or {""}
            if not requirement.marker or any(requirement.marker.evaluate({"extra": each}) for each in extras):
                open_.append(requirement)
    return found


def imported_by(path: Path, seen: set[Path]) -> Iterator[str]:
    """The packages that a module of tests imports when it is loaded, through other modules of tests as well."""
    seen.add(path)
    for node in ast.parse(path.read_text("utf-8")).body:
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            top, *rest = name.split(".")
            if top != "tests":
                yield top
            elif (inner := TESTS.joinpath(*rest).with_suffix(".py")).is_file() and inner not in seen:
                yield from imported_by(inner, seen)


@pytest.mark.slow  # where everything is installed, it would go unnoticed otherwise
def test_a_quick_module_imports_only_what_the_quick_tier_installs() -> None:
    quick, owners = needed("quick"), metadata.packages_distributions()
    assert "pytest" in quick
    assert "sympy" not in quick
    seen: set[Path] = set()
    wrong = {
        f"{path.relative_to(TESTS)}: {package}"
        for path in sorted(TESTS.rglob("test_*.py"))
        if tier_of_module(path) is None
        for package in imported_by(path, seen)
        if package not in sys.stdlib_module_names
        and not quick & {canonicalize_name(owner) for owner in owners.get(package, ["pytest"])}
    }
    assert not wrong


def test_a_directory_with_a_quick_module_is_looked_through() -> None:
    assert tier_of_directory(TESTS / "chaos") == "slow"
    assert tier_of_directory(TESTS / "trainer") is None
    assert tier_of_module(TESTS / "trainer" / "test_loop.py") == "slow"


def test_a_change_touches_the_environments_that_import_it() -> None:
    ids = chosen.everything()
    assert chosen.touched_by({WORDS}, ids) == ["wordle-v0"]
    assert chosen.touched_by({"envhub/envs/logic/sudoku/rules.py"}, ids) == ["picture-qa-v0", "sudoku-v0"]
    assert {"needle-v0", "search-qa-v0"} <= set(chosen.touched_by({"envhub/generators/worlds/text.py"}, ids))
    assert chosen.touched_by({"envhub/server/settings.py", "README.md", "tests/golden/digests.json"}, ids) == []


def small(id: str) -> bool:
    """Whether an environment needs no other process and keeps its budget, but may draw slowly."""
    return chosen.unaided(id) and not spec(id).audit_cost


def test_the_quick_tier_plays_one_of_each_category_that_needs_no_process_and_a_tenth() -> None:
    ids = chosen.everything()
    each, tenth = chosen.one_of_each(ids), chosen.tenth(ids)
    categories = {spec(id).category for id in ids if small(id)}
    assert Counter(spec(id).category for id in each) == dict.fromkeys(categories, 1)
    assert len(tenth) == -(-len(ids) // 10)
    assert all(map(chosen.cheap, tenth))
    assert all(map(small, each))
    assert {*each} <= QUICK <= {*ids}
    assert set(chosen.REPRESENTATIVE) <= set(ids)


def test_members_of_families_and_costly_environments_take_turns() -> None:
    ids, daily = chosen.everything(), chosen.daily()
    assert {id for id in ids if chosen.turns(id) == 1} | QUICK <= daily
    waiting = {id for id in ids if chosen.turns(id) == 6}
    assert waiting & daily
    assert waiting - daily
    days = [{id for id in waiting if chosen._due(str(commit), id)} for commit in range(60)]
    assert set().union(*days) == waiting
    assert all(chosen.turns(id) == 6 for id in ids if issubclass(load(spec(id)), Member))


def test_an_environment_whose_audit_is_costly_is_left_to_the_slow_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen.cheap("arithmetic-v0")
    monkeypatch.setattr(chosen, "spec", lambda id: replace(spec(id), audit_cost="It draws slowly."))
    assert chosen.alone("arithmetic-v0")
    assert not chosen.cheap("arithmetic-v0")


def test_what_does_not_belong_to_the_quick_tier_is_listed() -> None:
    def report(name: str, when: str, cost: list[float]) -> pytest.TestReport:
        properties = [("cost", cost)] if when == "teardown" else []
        return pytest.TestReport(name, ("", 0, ""), {}, "passed", None, when, user_properties=properties)  # type: ignore[arg-type]

    reports = [
        report("fine", "teardown", [1.9, 0]),
        report("dear", "teardown", [2.1, 0]),
        report("starts", "teardown", [0.1, 2]),
        report("dear", "call", []),
    ]
    assert [line.split()[2] for line in budget.exceeded(reports)] == ["dear", "starts"]


def test_a_touched_environment_that_needs_another_process_is_left_to_the_slow_tier(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chosen, "changed", lambda: {"envhub/envs/lean/proof.py"})
    assert chosen.touched_by(chosen.changed(), ["lean-proof-v0"]) == ["lean-proof-v0"]
    assert all(map(small, chosen.quick.__wrapped__()))
