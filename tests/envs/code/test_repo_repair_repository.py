"""repo-repair-v0: the generated programs, their faults, and what is asked about them."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import pytest

import envhub
from envhub.core.seeding import Stream, fingerprint, split_of
from envhub.envs.code.repo_repair import cases
from envhub.envs.code.repo_repair.application import Application, assemble
from envhub.envs.code.repo_repair.catalog import TOPICS, functions, needs, settings
from envhub.envs.code.repo_repair.environment import Params, RepoRepair
from envhub.envs.code.repo_repair.mistakes import faults
from envhub.envs.code.repo_repair.mistakes.slips import SLIPS
from envhub.envs.code.repo_repair.plan import draw
from envhub.envs.code.repo_repair.repository import choose, depths, examine
from envhub.envs.code.repo_repair.running import Case, Program, same


def application(seed: int, commands: int = 5, rules: int = 3) -> tuple[Stream, Application]:
    rng = Stream(b"applications", seed)
    return rng, assemble(rng, draw(rng, commands, rules))


def graph(app: Application) -> list[Any]:
    """Which module imports which, by their numbers in the order of imports."""
    parts = app.parts()
    home = {name: number for number, part in enumerate(parts) for name in part}
    edges = {
        (number, home[used])
        for number, part in enumerate(parts)
        for name in part
        for used in needs(app.texts[name], app.texts)
        if home[used] != number
    }
    return sorted(edges)


def test_programs_have_hundreds_of_module_graphs_without_cycles() -> None:
    graphs = [graph(application(seed)[1]) for seed in range(300)]
    assert len({repr(edges) for edges in graphs}) >= 295
    assert all(used < number for edges in graphs for number, used in edges)


def test_a_function_uses_only_those_before_it() -> None:
    """Also no local name is that of a function or a setting, which would be imported."""
    seen: set[str] = set()
    everything = {*settings(), *(name for topic in TOPICS for name in functions(topic))}
    for topic in TOPICS:
        for name, function in functions(topic).items():
            nodes = list(ast.walk(ast.parse(function.text)))
            local = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
            local |= {node.arg for node in nodes if isinstance(node, ast.arg)}
            assert not local & everything, name
            used = set(needs(function.text, everything)) - set(settings()) - {"charges", name}
            assert used <= seen, name
            seen.add(name)


def test_every_slip_occurs_once_in_its_function() -> None:
    assert len(set(SLIPS)) == len(SLIPS)
    for slip in SLIPS:
        names = ("plain_charges", "capped_charges") if slip.function == "charges" else (slip.function,)
        texts = [f.text for topic in TOPICS for name, f in functions(topic).items() if name in names]
        assert sum(text.count(slip.right) for text in texts) == 1, slip
        ast.parse(next(text for text in texts if slip.right in text).replace(slip.right, slip.wrong))


@pytest.mark.parametrize("seed", range(12))
def test_programs_run_on_every_command_and_keep_their_files(seed: int) -> None:
    rng, app = application(seed, commands=14, rules=6)
    program = Program(app.texts, app.values)
    for command in cases.commands(app):
        case = cases.draw(rng, app, program, command)
        status, printed, text = program.run(case)
        assert status == 0, (case, printed)
        assert printed == "" or command not in ("add", "tidy")
        if command == "tidy":
            assert program.run(Case(["tidy"], text)) == [0, "", text]
            report = [app.plan["commands"][0]]
            if report not in (["statement"], ["compare"]):
                assert program.run(Case(report, text))[1] == program.run(Case(report, case.text))[1]


@pytest.mark.parametrize("level", [1, 5, 10])
def test_each_fault_alone_is_seen_and_its_repair_is_the_program(level: int) -> None:
    p, found = Params.at(level), 0
    for seed in range(12):
        rng = Stream(b"faults", level, seed)
        chosen = choose(rng, p.commands, p.rules, p.faults, p.depth)
        if chosen is None or (examined := examine(rng, *chosen)) is None:
            continue
        app, drawn = chosen
        found += 1
        assert len({fault.split for fault in drawn}) == 1
        assert all(depths(app)[fault.place] >= p.depth for fault in drawn)
        assert not {repr(case) for case in examined.examples} & {repr(case) for case in examined.commands}
        sources = dict(examined.sources)
        for path, wrong, right in examined.repairs:
            assert sources[path].count(wrong) == 1
            sources[path] = sources[path].replace(wrong, right)
        assert sources == app.modules(app.texts, app.values)
        for fault, example in zip(drawn, examined.examples, strict=True):
            alone = Program(*faults.spoilt(app, [fault]))
            hits = [not same(alone.run(case), examined.right.run(case)) for case in examined.commands]
            assert 2 <= sum(hits) < len(hits)
            assert not same(alone.run(example), examined.right.run(example))
    assert found >= 3


def test_no_fault_of_one_split_occurs_in_another() -> None:
    """Every problem of a fault is in the split of the fault."""
    environment, seen = RepoRepair(), Counter[str]()
    for seed in range(60):
        rng = Stream(b"splits", seed)
        chosen = choose(rng, 3, 1, 1, 1)
        if chosen is None:
            continue
        app, drawn = chosen
        content = {"plan": app.plan, "modules": app.parts(), "faults": [list(drawn[0])], "split": drawn[0].split}
        assert split_of(fingerprint("repo-repair", environment.canonical(content))) == drawn[0].split
        seen[drawn[0].split] += 1
    assert seen["train"] > 40


def test_reports_say_less_at_higher_levels() -> None:
    for level, fields in ((1, {"command", "want"}), (5, {"command"}), (8, set[str]())):
        env = envhub.make("repo-repair-v0", difficulty=level)
        env.reset(seed=2)
        for told in env.task.problem["issues"]:
            if told["kind"] == "line" and not told["saves"]:
                assert {name for name in ("command", "want") if told[name] is not None} == fields
