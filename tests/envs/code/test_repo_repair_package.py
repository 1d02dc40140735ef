"""Packages with faults: what the parts do, that the faults show, and that the calls to judge by show them."""

from __future__ import annotations

import ast

import pytest

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair import package
from envhub.envs.code.repo_repair.faults import Change, changes
from envhub.envs.code.repo_repair.package import PARTS, RAISED, Fault, Package


def with_part(part: str) -> Package:
    return next(made for seed in range(200) if (made := package.draw(Stream(b"one", seed), 1)).parts == (part,))


def spoilt(seed: int, parts: int, count: int) -> tuple[Package, dict[str, str], list[Fault]]:
    for attempt in range(50):
        rng = Stream(b"spoilt", seed, attempt)
        made = package.draw(rng, parts)
        found = package.spoil(rng, made, count)
        if found is not None:
            return made, *found
    raise AssertionError("nothing found")


@pytest.mark.parametrize("part", PARTS)
def test_what_is_right_never_raises_and_says_what_it_does(part: str) -> None:
    made = with_part(part)
    rng = Stream(b"calls", part)
    inside = package.outcomes(made, made.sources, made.inner_cases(rng, part, 60))
    calls = [made.case(rng, part) for _ in range(150)]
    found = package.outcomes(made, made.sources, calls)
    assert not any(isinstance(value, tuple) and value[:1] == (RAISED,) for value in inside)
    assert not any(isinstance(value, tuple) and value[:1] == (RAISED,) for value in found)
    assert len({repr(value) for value in found}) > 75
    for text in made.sources.values():
        assert "$" not in text
        assert max(map(len, text.split("\n"))) < 140
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        assert all(ast.get_docstring(function) for function in functions)
        assert not any(isinstance(node, ast.While) for node in ast.walk(ast.parse(text)))


def outcome(part: str, constants: dict[str, int], *args: object) -> object:
    made = Package("acorn", (part,), {part: constants}, package.written("acorn", (part,), {part: constants}))
    return package.outcomes(made, made.sources, [package.Call(part, args)])[0]


def test_parts_do_what_their_documentation_says() -> None:
    stock = {"bulk": 6, "huge": 14, "off": 10}
    moves = [["in", "nail", 20], ["out", "nail", 5], ["lost", "nail", 3], ["out", "gear", 2], ["in", "gear", 6]]
    assert outcome("inventory", stock, moves, {"nail": 10, "gear": 5}) == {
        "rows": [["nail", 13, 117], ["gear", 6, 27]],
        "peaks": [("gear", 6), ("nail", 20)],
        "total": 144,
    }
    money = {"free": 10, "percent": 5, "low": 60, "high": 400, "limit": 50}
    assert outcome("ledger", money, [["ann", "bob", "9.99"], ["bob", "ann", "60.5"], ["bob", "cy", "100"]]) == {
        "lines": ["cy: 100.00", "ann: 50.51", "bank: 7.03", "bob: -157.54"],
        "owing": ["bob"],
        "largest": "4.00",
    }
    hours = {"step": 3, "top": 2, "rest": 1}
    assert outcome("schedule", hours, [["ann", 3, 1], ["bob", 2, 3], ["cy", 9, 0]], [[3, 5], [5, 6]], 12) == {
        "rows": [["bob", 0, 2], ["ann", 6, 9]],
        "left": ["cy"],
        "used": 8,
    }
    text = "[base]\nport = 7 # x\nhost = 'a # b'\n[dev : base]\nport = 2k\nport = -3k\ndebug = on\n"
    assert outcome("config", {"kilo": 1000, "depth": 2}, text, "dev") == {
        "settings": [("debug", True), ("host", "a # b"), ("port", -3000)],
        "chain": ["dev", "base"],
        "changed": 1,
    }
    docs = {"ann": "Red apples, red apple of the tree", "bob": "green trees", "cy": "bus grass"}
    assert outcome("search", {"short": 3, "often": 2, "early": 5}, docs, "apple trees pear bus", 2) == {
        "rows": [["ann", 12], ["cy", 8]],
        "unknown": ["pear"],
    }
    matches = [["ann", "bob", 2, 2], ["bob", "cy", 5, 0], ["cy", "ann", 1, 1]]
    assert outcome("league", {"win": 3, "draw": 1, "many": 4}, matches, {"ann": 4}) == [
        ["bob", 5, 5, 7, 2],
        ["cy", 1, -5, 1, 1],
        ["ann", 0, 0, 3, 2],
    ]
    ballots = [["ann", "cy"], ["bob"], ["cy", "bob"], ["bob", "ann"], ["ann"], []]
    assert outcome("voting", {"most": 50}, ballots, ["cy", "ann", "bob"]) == {
        "winner": "bob",
        "rounds": [[("ann", 2), ("bob", 2), ("cy", 1)], [("ann", 2), ("bob", 3)]],
        "empty": 1,
    }
    tariff = {"unit": 30, "short": 5, "open": 8, "close": 18, "dear": 7, "cheap": 2, "abroad": 3}
    calls = [["555", 8, 31], ["0800123", 9, 600], ["0049", 18, 61], ["555", 17, 5], ["444", 7, 4]]
    assert outcome("billing", tariff, calls, 3) == {"rows": [["0049", 12], ["555", 7]], "sum": 19, "left": 0}
    cells = [["a red apple", "one"], ["mountains", ""], ["x", "of"]]
    assert outcome("layout", {"every": 2}, cells, [5, 4], ["left", "center"]) == [
        "a red | one ",
        "apple |     ",
        "mount |     ",
        "ains  |     ",
        "------------",
        "x     |  of ",
    ]
    roles = {"guest": [], "member": ["guest"], "editor": ["member"]}
    rules = [
        ["guest", "read", "/docs", True],
        ["member", "write", "/docs/a", True],
        ["member", "read", "/docs/a", False],
    ]
    asked = [["editor", "read", "/docs/a/b"], ["guest", "read", "/docsx"], ["guest", "read", "/docs/a"]]
    assert outcome("access", {"deep": 1}, asked, roles, rules) == {
        "decisions": [["no", 2], ["no", 0], ["yes", 1]],
        "granted": 1,
    }


@pytest.mark.parametrize(("parts", "count"), [(1, 1), (3, 1), (4, 2), (7, 4)])
def test_every_fault_shows_and_not_everywhere(parts: int, count: int) -> None:
    for seed in range(4):
        made, sources, faults = spoilt(seed, parts, count)
        assert len({fault.part for fault in faults}) == len({fault.path for fault in faults}) == count
        assert {path for path in sources if sources[path] != made.sources[path]} == {fault.path for fault in faults}
        calls = package.hidden(Stream(b"hidden", seed), made, faults, each=12)
        if calls is None:
            continue
        assert {call.part for call in calls} == set(made.parts)
        right = package.outcomes(made, made.sources, calls)
        for fault in faults:
            assert sources[fault.path].count(fault.wrong) == 1
            alone = package.outcomes(made, package.only(made, fault), calls)
            shown = sum(not package.same(one, other) for one, other in zip(alone, right, strict=True))
            assert 4 <= shown < len(calls)
            assert fault.example.args not in [call.args for call in calls]
            one, other = (package.outcomes(made, s, [fault.example]) for s in (made.sources, package.only(made, fault)))
            assert not package.same(one, other)
            others = [other for other in faults if other != fault]
            mended = {**made.sources, **{other.path: sources[other.path] for other in others}}
            assert not others or package.outcomes(made, mended, calls) != right


def survivors(made: Package, faults: list[Fault], calls: list[package.Call], rng: Stream) -> tuple[int, list[Change]]:
    """Changes of the faulty parts that many calls notice: how many there are, and those that the hidden ones do not."""
    noticed, missed = 0, []
    right = package.outcomes(made, made.sources, calls)
    for part in {fault.part for fault in faults}:
        pool = [made.case(rng, part) for _ in range(200)] + made.inner_cases(rng, part, 100)
        should = package.outcomes(made, made.sources, pool)
        for path in [f"{made.name}/{module}.py" for module in (*PARTS[part].modules, "common")]:
            for change in changes(made.sources[path]):
                sources = {**made.sources, path: change.applied(made.sources[path])}
                if not all(map(package.same, package.outcomes(made, sources, calls), right)):
                    noticed += 1
                elif not all(map(package.same, package.outcomes(made, sources, pool), should)):
                    missed.append(change)
    return noticed + len(missed), missed


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [4, pytest.param(40, marks=pytest.mark.nightly)])
def test_hardly_any_other_fault_passes_the_hidden_calls(seeds: int) -> None:
    noticed, missed = 0, []
    for seed in range(seeds):
        made, _, faults = spoilt(seed, 3, 2)
        calls = package.hidden(Stream(b"hidden", seed), made, faults, each=24)
        if calls is not None:
            count, survived = survivors(made, faults, calls, Stream(b"pool", seed))
            noticed, missed = noticed + count, missed + survived
    assert noticed > 50
    assert len(missed) <= 0.01 * noticed, missed


def test_a_clamp_that_ignores_its_lower_bound_is_noticed_in_every_package() -> None:
    for seed in range(5):
        made, _, faults = spoilt(seed, 2, 1)
        calls = package.hidden(Stream(b"hidden", seed), made, faults, each=24)
        path = f"{made.name}/common.py"
        wrong = made.sources[path].replace("max(low, min(value, high))", "min(value, high)")
        assert wrong != made.sources[path]
        assert calls is not None
        right = package.outcomes(made, made.sources, calls)
        assert package.outcomes(made, {**made.sources, path: wrong}, calls) != right


def test_changes_are_slips_of_one_line_outside_of_docstrings() -> None:
    source = 'def f(x, y=3):\n    """Add 1 and 2."""\n    return max(x, 1) if x <= 4 and not y else g(x, y)[1:]\n'
    found = changes(source)
    assert found == sorted(set(found))
    assert {change.line for change in found} == {2}
    texts = {change.applied(source).split("\n")[2].strip() for change in found}
    assert "return max(x, 1) if x < 4 and not y else g(x, y)[1:]" in texts
    assert "return min(x, 1) if x <= 4 and not y else g(x, y)[1:]" in texts
    assert "return max(x, 1) if x <= 4 or not y else g(x, y)[1:]" in texts
    assert "return max(x, 1) if x <= 4 and y else g(x, y)[1:]" in texts
    assert "return max(x, 1) if x <= 4 and not y else g(y, x)[1:]" in texts
    for change in found:
        ast.parse(change.applied(source))
        assert Change(change.line, change.start, change.new, change.old).applied(change.applied(source)) == source
