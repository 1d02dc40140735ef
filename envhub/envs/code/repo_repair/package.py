"""Small faulty Python packages: sources, faults, and the calls that show them.

A package has some of ten parts, each of two or three modules with one entry point, and a shared module. A fault is a
small change of one line that changes the results of some calls of one part, and not all::

    package = draw(rng, parts=2)
    faults = spoil(rng, package, count=1)

Expected results come from running the package without faults; only our own sources are ever run here.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.business_parts import BUSINESS
from envhub.envs.code.repo_repair.calls import CALLS, COMMON_CALLS
from envhub.envs.code.repo_repair.faults import Change, changes
from envhub.envs.code.repo_repair.part import COMMON, Constants, Part
from envhub.envs.code.repo_repair.record_parts import RECORDS
from envhub.envs.code.repo_repair.text_parts import TEXTS

PARTS: Final[Mapping[str, Part]] = {**BUSINESS, **RECORDS, **TEXTS}
_PACKAGES: Final = ("acorn", "beacon", "cobalt", "dynamo", "ember", "falcon", "garnet", "harbor", "island", "jigsaw")
_TRIES: Final = 40
_SCREENED: Final = 24  # cases on which a change is tried before it may be a fault
INSIDE: Final = 8  # calls of every function inside a part, a third of those where it has a fault
RAISED: Final = "raised"


class Call(NamedTuple):
    """A call of one part.

    Attributes:
        part: Its name.
        args: The arguments.
        inside: Module and function, ``money.cents``, of a call that bypasses the entry point.
    """

    part: str
    args: tuple[Any, ...]
    inside: str | None = None


@dataclass(frozen=True, slots=True)
class Package:
    """A package.

    Attributes:
        name: Its name.
        parts: The names of its parts.
        constants: The drawn constants of each part.
        sources: Source texts by path.
    """

    name: str
    parts: tuple[str, ...]
    constants: Mapping[str, Constants]
    sources: Mapping[str, str]

    def case(self, rng: Stream, part: str) -> Call:
        """A call to try."""
        return Call(part, PARTS[part].case(rng, self.constants[part]))

    def inner_cases(self, rng: Stream, part: str, each: int) -> list[Call]:
        """Calls of the functions inside a part and of the shared functions."""
        constants = self.constants[part]
        functions = {**CALLS[part], **COMMON_CALLS}
        return [Call(part, draw(rng, constants), inside) for inside, draw in functions.items() for _ in range(each)]


class Fault(NamedTuple):
    """A fault of a package.

    Attributes:
        part: Which part shows it.
        path: The file.
        right: The correct lines.
        wrong: The faulty lines; they occur once in the file.
        example: A call that shows it.
    """

    part: str
    path: str
    right: str
    wrong: str
    example: Call


def draw(rng: Stream, parts: int) -> Package:
    """A package with this number of parts."""
    name = rng.choice(_PACKAGES)
    chosen = sorted(rng.sample(sorted(PARTS), parts))
    constants = {
        part: {constant: rng.between(*bounds) for constant, bounds in PARTS[part].ranges.items()} for part in chosen
    }
    return Package(name, tuple(chosen), constants, written(name, chosen, constants))


def written(name: str, parts: Sequence[str], constants: Mapping[str, Constants]) -> dict[str, str]:
    """The sources of a package by path, each after those it imports."""
    sources = {f"{name}/__init__.py": f'"""{name.capitalize()}: {", ".join(parts)}."""\n', f"{name}/common.py": COMMON}
    for part in parts:
        for module, text in PARTS[part].modules.items():
            places = {constant: str(value) for constant, value in constants[part].items()}
            sources[f"{name}/{module}.py"] = Template(text).substitute(places, pkg=name)
    return sources


def called(package: Package, call: Call) -> str:
    """The function called, as it is imported: ``package.module.function``."""
    return f"{package.name}.{call.inside or '.'.join(PARTS[call.part].entry)}"


def spoil(rng: Stream, package: Package, count: int) -> tuple[dict[str, str], list[Fault]] | None:
    """The sources with faults in different parts, and the faults.

    None if none were found.
    """
    sources = dict(package.sources)
    faults: list[Fault] = []
    for part in rng.sample(package.parts, count):
        fault = _fault(rng, package, part, {fault.path for fault in faults})
        if fault is None:
            return None
        faults.append(fault)
        sources[fault.path] = sources[fault.path].replace(fault.right, fault.wrong)
    return sources, faults


def _fault(rng: Stream, package: Package, part: str, taken: set[str]) -> Fault | None:
    """A change that some calls of a part detect, and not all."""
    paths = [f"{package.name}/{module}.py" for module in (*PARTS[part].modules, "common")]
    found = [(path, change) for path in paths if path not in taken for change in changes(package.sources[path])]
    calls = [package.case(rng, part) for _ in range(_SCREENED)]
    right = outcomes(package, package.sources, calls)
    for path, change in rng.sample(found, min(_TRIES, len(found))):
        before, after = _lines(package.sources[path], change)
        if not before:
            continue
        spoilt = outcomes(package, {**package.sources, path: change.applied(package.sources[path])}, calls)
        told = [call for call, is_, should in zip(calls, spoilt, right, strict=True) if not same(is_, should)]
        if 3 <= len(told) <= 0.8 * len(calls):
            return Fault(part, path, before, after, min(told, key=lambda call: len(repr(call.args))))
    return None


def _lines(source: str, change: Change) -> tuple[str, str]:
    """The lines of a change before and after, made unique.

    They are extended upwards until both occur once.
    """
    applied = change.applied(source)
    before, after = source.split("\n"), applied.split("\n")
    at = next(number for number, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    for start in range(at, max(-1, at - 4), -1):
        right, wrong = "\n".join(before[start : at + 1]), "\n".join(after[start : at + 1])
        if source.count(right) == 1 and applied.count(wrong) == 1 and wrong not in source and right not in applied:
            return right, wrong
    return "", ""


def hidden(rng: Stream, package: Package, faults: Sequence[Fault], each: int) -> list[Call] | None:
    """Hidden calls.

    For every part, ``each`` entry calls and some of every inner function.

    A faulty part has three times as many, and at least ``each`` // 3 of them show the fault. None if too few such calls
    were found. How many other faults would go undetected is measured in
    ``tests/envs/code/test_repo_repair_package.py``.
    """
    found: list[Call] = []
    faulty = {fault.part: fault for fault in faults}
    for part in package.parts:
        fault = faulty.get(part)
        calls = [package.case(rng, part) for _ in range(each if fault is None else 3 * each)]
        if fault is not None:
            calls = [call for call in calls if call.args != fault.example.args]
            right = outcomes(package, package.sources, calls)
            spoilt = outcomes(package, only(package, fault), calls)
            if sum(not same(one, other) for one, other in zip(right, spoilt, strict=True)) < each // 3:
                return None
        found += calls + package.inner_cases(rng, part, INSIDE if fault is None else 3 * INSIDE)
    return found


def only(package: Package, fault: Fault) -> dict[str, str]:
    """The sources with this fault only."""
    return {**package.sources, fault.path: package.sources[fault.path].replace(fault.right, fault.wrong)}


# -- running -----------------------------------------------------------------------------------------------------------


def outcomes(package: Package, sources: Mapping[str, str], calls: Sequence[Call]) -> list[Any]:
    """The results of calls on our own sources: values, or ``(RAISED, name of the exception)``."""
    modules = _load(package, sources, {call.part for call in calls})
    return [_outcome(modules, called(package, call), call.args) for call in calls]


def same(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same; True differs from 1."""
    return repr(one) == repr(other)


def _outcome(modules: Mapping[str, ModuleType] | str, way: str, args: tuple[Any, ...]) -> Any:
    if isinstance(modules, str):
        return (RAISED, modules)
    module, _, function = way.rpartition(".")
    try:
        return getattr(modules[module], function)(*args)
    except Exception as error:
        return (RAISED, type(error).__name__)


def _load(package: Package, sources: Mapping[str, str], parts: Set[str]) -> dict[str, ModuleType] | str:
    """The modules of these parts by name, or an exception's name.

    The exception is the one raised on import.
    """
    others = {
        f"{package.name}/{module}.py" for part in package.parts if part not in parts for module in PARTS[part].modules
    }
    modules: dict[str, ModuleType] = {}

    def importing(name: str, *rest: Any) -> Any:
        return modules[name] if name in modules else builtins.__import__(name, *rest)

    for path in sources:  # each after those it imports
        if path in others:
            continue
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = ModuleType(name)
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": importing}
        try:
            exec(_compiled(sources[path], path), module.__dict__)
        except Exception as error:
            return type(error).__name__
        modules[name] = module
    return modules


@lru_cache(maxsize=256)
def _compiled(text: str, path: str) -> CodeType:
    return compile(text, path, "exec", dont_inherit=True)
