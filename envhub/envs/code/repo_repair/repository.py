"""A repository with faults, its hidden calls, and its repair.

Drawn in two steps: the application with its faults, and then whether somebody notices them: each fault alone must change
the outputs of several hidden commands, and not of all::

    app, faults = choose(rng, commands=4, rules=2, faults=1, depth=2)
    found = examine(rng, app, faults)       # None: a fault is not noticed
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair import cases, plan as plans
from envhub.envs.code.repo_repair.application import SETTINGS, Application, assemble
from envhub.envs.code.repo_repair.catalog import needs
from envhub.envs.code.repo_repair.mistakes import faults as fault_kinds
from envhub.envs.code.repo_repair.mistakes.faults import Fault
from envhub.envs.code.repo_repair.running import Case, Program, recorded, same

_EACH: Final = 4
"""Hidden commands of each kind."""
_WITNESSES: Final = 2
"""Hidden commands, at least, whose results a fault changes."""
_CALLS: Final = 3
"""Hidden calls of each function; of a function with a fault, that many more which show it."""
_LONGEST_CALL: Final = 1500
_EXAMPLES: Final = 12


@dataclass(frozen=True, slots=True)
class Examined:
    """What is known of a repository.

    Attributes:
        commands: Hidden commands.
        calls: Hidden calls of functions: name and arguments.
        visible: Commands for the tests of the repository.
        examples: For each fault, a command that shows it; no hidden one.
        repairs: For each fault, the path of a module, the wrong lines and the right ones.
        right: The program without faults.
        wrong: The program with all faults.
        sources: The modules with all faults.
    """

    commands: list[Case]
    calls: list[tuple[str, list[Any]]]
    visible: list[Case]
    examples: list[Case]
    repairs: list[list[str]]
    right: Program
    wrong: Program
    sources: dict[str, str]

    def results(self, of: Program) -> list[Any]:
        """What a program returns for the hidden commands and calls."""
        return [of.run(case) for case in self.commands] + [of.call(name, given) for name, given in self.calls]


def choose(rng: Stream, commands: int, rules: int, faults: int, depth: int) -> tuple[Application, list[Fault]] | None:
    """An application and its faults.

    None if too few faults are so far from the command line.
    """
    app = assemble(rng, plans.draw(rng, commands, rules))
    found = fault_kinds.draw(rng, app, faults, {place for place, far in depths(app).items() if far >= depth})
    return None if found is None else (app, found)


def depths(app: Application) -> dict[str, int]:
    """The least number of calls between ``run`` and each function.

    A setting is one farther than the functions that use it.
    """
    known = {*app.texts, *app.values}
    far, edge = {"run": 0}, ["run"]
    for name in edge:
        for used in needs(app.texts[name], known) if name in app.texts else ():
            if used not in far:
                far[used] = far[name] + 1
                edge.append(used)
    return far


def examine(rng: Stream, app: Application, faults: Sequence[Fault]) -> Examined | None:
    """The calls that judge a repository.

    None if a fault is noticed too rarely, or always.
    """
    right = Program(app.texts, app.values)
    wrong = Program(*fault_kinds.spoilt(app, faults))
    alone = [Program(*fault_kinds.spoilt(app, [fault])) for fault in faults] if len(faults) > 1 else [wrong]
    kinds = cases.commands(app)
    hidden = [cases.draw(rng, app, right, kind) for kind in kinds for _ in range(_EACH)]
    expected = cache(lambda number: right.run(hidden[number]))
    if not all(_noticed(program, hidden, expected) for program in dict.fromkeys((*alone, wrong))):
        return None
    repairs = _repairs(app, faults)
    examples = [] if repairs is None else _examples(rng, app, right, wrong, alone)
    if repairs is None or not examples:
        return None
    calls = _calls(rng, app, hidden, right, {fault.place: one for fault, one in zip(faults, alone, strict=True)})
    visible = [cases.draw(rng, app, right, kind) for kind in kinds]
    sources = app.modules(*fault_kinds.spoilt(app, faults))
    return Examined(hidden, calls, visible, examples, repairs, right, wrong, sources)


def _noticed(program: Program, hidden: Sequence[Case], expected: Callable[[int], Any]) -> bool:
    """Whether some of the hidden commands, and not all, show a fault.

    Commands are run until both is known.
    """
    shown = 0
    for number, case in enumerate(hidden, 1):
        shown += not same(program.run(case), expected(number - 1))
        if _WITNESSES <= shown < number:
            return True
    return False


def _examples(rng: Stream, app: Application, right: Program, wrong: Program, alone: Sequence[Program]) -> list[Case]:
    """A command that shows each fault; empty if one fault lacks it."""
    found = []
    for program in alone:
        example = _example(rng, app, right, wrong, program)
        if example is None:
            return []
        found.append(example)
    return found


def _example(rng: Stream, app: Application, right: Program, wrong: Program, alone: Program) -> Case | None:
    """The shortest of some commands that show a fault.

    They show it by itself and together with the other faults.
    """
    drawn = [cases.draw(rng, app, right, rng.choice(cases.commands(app))) for _ in range(_EXAMPLES)]
    for case in sorted(drawn, key=lambda case: len(case.text)):
        result = right.run(case)
        if not any(same(program.run(case), result) for program in dict.fromkeys((alone, wrong))):
            return case
    return None


def _calls(
    rng: Stream, app: Application, hidden: Sequence[Case], right: Program, spoilt: dict[str, Program]
) -> list[tuple[str, list[Any]]]:
    """Calls of the functions inside, as the hidden commands make them."""
    found = []
    for name, seen in recorded(app.texts, app.values, hidden[:: _EACH // 2]).items():
        short = [arguments for arguments in seen if name != "run" and len(repr(arguments)) <= _LONGEST_CALL]
        chosen = rng.sample(short, min(_CALLS, len(short)))
        if name in spoilt:
            telling = [
                a for a in short if not same(spoilt[name].call(name, a), right.call(name, a)) and a not in chosen
            ]
            chosen += telling[:_CALLS]
        found += [(name, arguments) for arguments in chosen]
    return found


def _repairs(app: Application, faults: Sequence[Fault]) -> list[list[str]] | None:
    """Replacements that undo the faults one after the other.

    None if lines cannot be distinguished.
    """
    sources = app.modules(*fault_kinds.spoilt(app, faults))
    found = []
    for number, fault in enumerate(faults):
        path = app.places[SETTINGS if fault.start < 0 else fault.place]
        after = app.modules(*fault_kinds.spoilt(app, faults[number + 1 :]))[path]
        lines = _lines(sources[path], after)
        if lines is None:
            return None
        found.append([path, *lines])
        sources[path] = after
    return found


def _lines(before: str, after: str) -> tuple[str, str] | None:
    """The lines that differ, extended upwards until they are unique."""
    old, new = before.split("\n"), after.split("\n")
    if len(old) != len(new):
        return None
    differ = [at for at, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]]
    for start in range(differ[0], -1, -1):
        wrong, right = ("\n".join(lines[start : differ[-1] + 1]) for lines in (old, new))
        if before.count(wrong) == 1 and after.count(right) == 1:
            return wrong, right
    return None
