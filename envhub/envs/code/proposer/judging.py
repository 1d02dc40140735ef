"""Judges a proposal from what the bench has measured.

The jail counts; the rules of the task and the rate are decided here::

    found = yield from measured("jobs", problem, source)       # three fresh processes must agree
    why = invalid(problem, found)                              # None for a valid proposal
    rate = rate_of(problem, found)
"""

from __future__ import annotations

import json
import signal
from collections.abc import Generator, Mapping
from typing import Any, Final

from envhub.core.effects import Effect, Outcome
from envhub.core.types import JSON
from envhub.envs.code.proposer.arguments import CALLS, SHOWN, call, domain
from envhub.envs.code.proposer.bench import jail_files
from envhub.envs.code.proposer.execution import text_of
from envhub.envs.code.proposer.library import library
from envhub.envs.code.proposer.rates import abducted, deduced, induced
from envhub.sandbox.jobs import Job, Limits, Program, Result
from envhub.sandbox.resource import run_job

LIMITS: Final = Limits(wall_s=120.0, cpu_s=20.0, memory_mb=256, output_bytes=1 << 21)
"""A result of the largest size is printed twice, with six bytes for a character."""
NAMED: Final = {
    "for": "a for loop",
    "while": "a while loop",
    "if": "an if statement",
    "comprehension": "a list comprehension",
    "helper": "a second function that f uses",
}
"""Required constructs in words."""
COMMON: Final = 0.9
"""Largest share of the domain that may have the same result."""
_CRASHES: Final = tuple(
    -number for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT)
)
"""Exit statuses of an interpreter that a program made crash; other signals come from outside."""
_MAIN: Final = "from envhub.envs.code.proposer.bench import main\nmain()\n"


class Unusable(Exception):
    """The bench did not answer, and the proposal is not to blame."""


def request(problem: dict[str, Any], source: str) -> dict[str, Any]:
    """What the bench is asked about a proposal."""
    return {
        "mode": "measure",
        "source": source,
        "domain": domain(problem["argument"]),
        "calls": CALLS if problem["kind"] == "induction" else 1,
        "references": problem["references"],
        "critical": problem["kind"] == "deduction",
        "points": [problem["anchor"][0]] if problem["anchor"] else [],
    }


def jailed(
    resource: str, requests: list[Mapping[str, JSON]]
) -> Generator[Effect, Outcome, tuple[list[dict[str, Any]] | None, str]]:
    """The bench's answers to requests, each from a fresh process.

    Or None and what the program did.

    Raises:
        Unusable: The bench failed in a way that no program causes.
    """
    stdins = tuple(json.dumps(each).encode() for each in requests)
    results = yield from run_job(resource, Job(Program(_MAIN, files=jail_files()), stdins=stdins, limits=LIMITS))
    answers = []
    for result in results:
        if result.limit in ("cpu", "memory", "pids"):
            return None, f"it uses too much {'memory' if result.limit == 'memory' else 'processor time'}"
        if result.crashed or result.exit in _CRASHES:
            return None, "it crashes Python"
        if (result.exit or 0) < 0:
            raise Unusable("the bench was ended from outside")  # proposals cannot send signals
        answers.append(_answer(result))
    return answers, ""


def _answer(result: Result) -> dict[str, Any]:
    if not result.ok:
        raise Unusable(f"the bench ended with {result.limit or result.exit}")
    try:
        answer: dict[str, Any] = json.loads(result.stdout)
    except ValueError:
        raise Unusable("the bench printed no JSON") from None
    return answer


def measured(resource: str, problem: dict[str, Any], source: str) -> Generator[Effect, Outcome, dict[str, Any]]:
    """The measurements of a proposal.

    From one process that counts and two that just run it.

    Raises:
        Unusable: We failed.
    """
    asked = request(problem, source)
    as_it_is = {"mode": "plain", "source": source, "domain": asked["domain"]}
    answers, why = yield from jailed(resource, [asked])
    if answers is None:
        return {"refused": f"The program cannot be judged: {why}."}
    if "refused" in answers[0]:
        return answers[0]
    again, why = yield from jailed(resource, [as_it_is, as_it_is])
    if again is None:
        return {"refused": f"The program cannot be judged: {why}."}
    if again[0] != again[1]:
        return {"refused": "The program is not deterministic: two runs gave different results."}
    if again[0].get("texts") != answers[0]["texts"]:
        raise Unusable("Python and the bench disagree about the results")
    return answers[0]


def invalid(problem: Mapping[str, Any], found: Mapping[str, Any]) -> str | None:
    """Why a proposal breaks the rules; None if it does not."""
    if "refused" in found:
        return str(found["refused"])
    size = len(domain(problem["argument"]))
    least = 2 if found["kinds"] == ["bool"] else 3
    missing = [name for name in problem["constructs"] if name not in found["constructs"]]
    if found["raised"]:
        first, why = found["failing"]
        return f"f does not return for {found['raised']} of the {size} possible arguments. Example: for {call(first)}, {why}."
    if found["kinds"] != [problem["returns"]]:
        return f"f must always return the type {problem['returns']}, got {', '.join(found['kinds'])}."
    if found["distinct"] < least:
        return f"f is almost constant. At least {least} different results are required, got {found['distinct']}."
    if found["common"] > COMMON * size:
        most, most_common = int(COMMON * size), found["common"]
        return f"f is almost constant. At most {most} of {size} arguments may have the same result, got {most_common}."
    if missing:
        return f"The program must contain: {', '.join(NAMED[name] for name in missing)}."
    if problem["anchor"] and found["points"] != [text_of(problem["anchor"][1])]:
        arguments, value = problem["anchor"]
        return f"{call(arguments)} must return {value!r}, got {found['points'][0][:40]}."
    return None


def rate_of(problem: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    """The solver's rate on a valid proposal."""
    match problem["kind"]:
        case "deduction":
            return deduced(found["critical"], problem["slip"])
        case "abduction":
            return abducted(found["hits"], len(domain(problem["argument"])), problem["tries"])
    made = library(problem["argument"])
    pairs = list(zip(found["arguments"], found["values"], strict=True))
    consistent = made.agreeing(pairs[:SHOWN])
    right = set(consistent) & set(made.agreeing(pairs))
    return induced(len(right), len(consistent), len(made), problem["tries"])


def values_of(resource: str, challenge: Mapping[str, Any]) -> Generator[Effect, Outcome, list[Any]]:
    """The values of the calls of a challenge, from the jail.

    Raises:
        Unusable: It does not run as it did when it was judged.
    """
    calls = "\n".join(map(call, challenge["calls"]))
    asked = {"mode": "plain", "source": f"{challenge['source']}\n{calls}", "domain": domain(challenge["argument"])}
    answers, why = yield from jailed(resource, [asked])
    if answers is None or "values" not in answers[0]:
        raise Unusable(why or answers[0].get("refused", "no values") if answers else why)
    return list(answers[0]["values"])
