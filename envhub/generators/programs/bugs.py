"""Programs of pipelines with bugs that only some test cases detect."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.programs.kind import Args, draw_inputs
from envhub.generators.programs.mutate import ENDLESS, Raised, Site, changed, compiled, places, run
from envhub.generators.programs.pipeline import NAME, Pipeline

_SETS: Final = 3
_TRIES: Final = 10
_SHOWN: Final = 24
_NOTICED: Final = 2


class Bugged(NamedTuple):
    """A program with bugs.

    Attributes:
        source: Its text.
        args: Arguments outside the cases for which it is wrong.
        gives: Its result for them, as a JSON value, or the name of its exception.
        raises: Whether it raises.
        expected: The right result.
    """

    source: str
    args: JSON
    gives: JSON
    raises: bool
    expected: JSON


def plant(rng: Stream, pipeline: Pipeline, cases: Sequence[Args], bugs: int) -> Bugged | None:
    """A pipeline's program with ``bugs`` bugs in different places.

    None if none was found. Each bug alone fails some cases but not all; all bugs together still pass some cases, and
    terminate.
    """
    steps = [ast.Module([step], []) for step in pipeline.tree.body[: len(pipeline.steps)]]
    sites = [(at, site) for at, step in enumerate(steps) for site in places(step)]
    traces = [pipeline.trace(args) for args in cases]
    for _ in range(_SETS):
        chosen: list[tuple[int, Site]] = []
        for _ in range(_TRIES * bugs):
            at, site = rng.choice(sites)
            if any((at, site[0]) == (other, taken[0]) for other, taken in chosen):
                continue
            # all results are checked, so a step alone shows a change's effect
            name = steps[at].body[0].name  # type: ignore[attr-defined]
            given = [args if at == 0 else (trace[at - 1],) for args, trace in zip(cases, traces, strict=True)]
            wrong = _wrong(changed(steps[at], [site]), name, given, [trace[at] for trace in traces])
            if _NOTICED <= wrong < len(cases):
                chosen.append((at, site))
            if len(chosen) == bugs:
                break
        if len(chosen) == bugs:
            made = [changed(step, [s for where, s in chosen if where == at]) for at, step in enumerate(steps)]
            whole = ast.Module([*(step.body[0] for step in made), *pipeline.tree.body[len(steps) :]], [])
            found = _wrong(whole, NAME, cases, [pipeline.run(args) for args in cases])
            if _NOTICED <= found < len(cases):
                return _shown(rng, pipeline, cases, whole)
    return None


def _wrong(tree: ast.Module, name: str, cases: Sequence[Args], right: Sequence[Any]) -> int:
    """Number of cases for which a program is wrong.

    0 if one does not terminate.
    """
    function = compiled(tree, name)
    wrong = 0
    for args, value in zip(cases, right, strict=True):
        found = run(function, args)
        if found == ENDLESS:
            return 0
        wrong += not _same(found, value)
    return wrong


def _same(found: Any, right: Any) -> bool:
    return repr(found) == repr(right)  # the values are plain, and True is not 1


def _shown(rng: Stream, pipeline: Pipeline, cases: Sequence[Args], tree: ast.Module) -> Bugged | None:
    """The program with an example of a wrong result.

    Preferably not an exception.
    """
    function = compiled(tree, NAME)
    raised: Bugged | None = None
    for args in draw_inputs(rng, pipeline.takes, _SHOWN, len(pipeline.takes.edges), cases):
        found, expected = run(function, args), pipeline.run(args)
        if _same(found, expected):
            continue
        failed = isinstance(found, Raised)
        shown = Bugged(ast.unparse(tree), list(args), found.name if failed else found, failed, expected)
        if not failed:
            return shown
        raised = raised or (shown if found != ENDLESS else None)
    return raised
