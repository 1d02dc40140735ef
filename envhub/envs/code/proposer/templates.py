"""Programs of our own: examples of prompts, and the oracle's proposals.

A template is one program for any combination of arguments, constructs and result; its length and its modulus are chosen
so that the solver's rate is near the target. The programs are ours, so they are measured without a jail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.proposer.arguments import CALLS, NAMES, SHOWN, call, domain
from envhub.envs.code.proposer.execution import Bench
from envhub.envs.code.proposer.language import checked
from envhub.envs.code.proposer.library import library
from envhub.envs.code.proposer.rates import deduced, found_among, induced

CONSTRUCTS: Final = ("for", "while", "if", "comprehension", "helper")
RETURNS: Final = ("int", "bool", "str", "list")
_MOST_LINES: Final = 70
_BASES: Final = {
    "int": ("r = n + {a}",),
    "pair": ("r = a * {a} + b",),
    "list": ("r = {a}", "for x in xs:", "    r = r * 5 + x"),
    "text": ("r = {a}", "for c in s:", "    r = r * 7 + ord(c)"),
}
_BLOCKS: Final = {
    "for": ("for i in range({b}):", "    r = r + i * {a}"),
    "while": ("j = {b}", "while j > 0:", "    r = r + j", "    j = j - 1"),
    "if": ("if r % {b} == 0:", "    r = r + {a}"),
    "comprehension": ("r = r + sum([k * r for k in range({b})])",),
    "helper": ("r = g(r)",),
}
_RESULTS: Final = {
    "int": "r % {m}",
    "bool": "r % {m} == {t}",
    "str": "str(r % {m})",
    "list": "[r % {m}, r % 2]",
}


def program(argument: str, constructs: Sequence[str], extra: Sequence[str], result: str, a: int, b: int) -> str:
    """A program from parts.

    Args:
        argument: The kind of argument.
        constructs: The constructs to use, some of :data:`CONSTRUCTS`.
        extra: More lines of the body.
        result: The returned expression of ``r``.
        a: A constant.
        b: Another one, which decides the length of loops.
    """
    blocks = [line for name in constructs for line in _BLOCKS[name]]
    body = [*(line.format(a=a, b=b) for line in (*_BASES[argument], *blocks)), *extra, f"return {result}"]
    helper = f"def g(v):\n    return v * 2 + {b}\n\n" if "helper" in constructs else ""
    return helper + f"def f({', '.join(NAMES[argument])}):\n" + "\n".join(f"    {line}" for line in body)


def example(rng: Stream, argument: str) -> str:
    """A valid program, which a proposal may not copy."""
    constructs = sorted(rng.sample(CONSTRUCTS, rng.between(1, 2)))
    result = rng.choice(["r % {m}", "str(r)", "[r, r % {m}]"]).format(m=rng.between(11, 40))
    return program(argument, constructs, (), result, rng.between(2, 9), rng.between(2, 4))


def propose(rng: Stream, problem: dict[str, Any]) -> str | None:
    """A proposal with a rate near the target, or None.

    Within half of the tolerance.
    """
    near, target = problem["tolerance"] / 200, problem["target"] / 100
    for source, rate in _CANDIDATES[problem["kind"]](rng, problem):
        if abs(rate - target) <= near:
            return source
    return None


def _deductions(rng: Stream, problem: dict[str, Any]) -> Iterator[tuple[str, float]]:
    arguments = rng.choice(domain(problem["argument"]))
    a, b = rng.between(2, 9), rng.between(2, 3)
    result = _RESULTS[problem["returns"]].format(m=997, t=0)
    if problem["returns"] == "bool":
        result = "r % 8 > 3"
    numbers = [rng.between(2, 99) for _ in range(_MOST_LINES)]
    wanted = round(log(problem["target"] / 100) / log(1 - problem["slip"] / 100))
    count = 0
    for _ in range(4):  # each addition is about one more critical operation
        source = program(problem["argument"], problem["constructs"], packed(numbers[:count]), result, a, b)
        bench = Bench(checked(source, len(arguments))[0])
        right = bench.run(arguments)
        if right.failed:
            return
        critical = sum(bench.run(arguments, fact).text != right.text for fact in right.facts)
        yield f"{source}\n\n{call(arguments)}", deduced(critical, problem["slip"])
        count += wanted - critical
        if not 0 <= count <= _MOST_LINES:
            return


def packed(numbers: Sequence[int]) -> list[str]:
    """Statements with about one operation for each number."""
    whole = len(numbers) - len(numbers) % 3
    steps = [f"r = (r * {number % 8 + 2} + {number}) % {900 + number}" for number in numbers[:whole:3]]
    return [*steps, *(f"r = r + {number}" for number in numbers[whole:])]


def _abductions(rng: Stream, problem: dict[str, Any]) -> Iterator[tuple[str, float]]:
    kind = problem["argument"]
    everything = domain(kind)
    a, b = rng.between(2, 9), rng.between(2, 4)
    whole = program(kind, problem["constructs"], (), "r", a, b)
    bench = Bench(checked(whole, len(everything[0]))[0])
    values = [bench.run(arguments).value for arguments in everything]
    moduli = list(range(3, 90))
    rng.shuffle(moduli)
    for modulus in moduli:
        rest = rng.below(modulus)
        results = {
            "int": [value % modulus for value in values],
            "bool": [value % modulus == rest for value in values],
            "str": [value % modulus for value in values],
            "list": [(value % modulus, value % 2) for value in values],
        }[problem["returns"]]
        source = program(kind, problem["constructs"], (), _RESULTS[problem["returns"]].format(m=modulus, t=rest), a, b)
        for at in rng.sample(range(len(everything)), 12):
            rate = found_among(results.count(results[at]), len(results), problem["tries"])
            yield f"{source}\n\n{call(everything[at])}", rate


def _inductions(rng: Stream, problem: dict[str, Any]) -> Iterator[tuple[str, float]]:
    made, everything = library(problem["argument"]), domain(problem["argument"])
    anchor = everything.index(problem["anchor"][0]) if problem["anchor"] else None
    numbers = [n for n, row in enumerate(made.rows) if anchor is None or row[anchor] == problem["anchor"][1]]
    for _ in range(120):
        number = rng.choice(numbers)
        row = made.rows[number]
        places = rng.sample(range(len(everything)), CALLS)
        pairs = [(everything[at], row[at]) for at in places]
        consistent = made.agreeing(pairs[:SHOWN])
        right = sum(all(made.rows[each][at] == row[at] for at in places[SHOWN:]) for each in consistent)
        rate = induced(right, len(consistent), len(made), problem["tries"])
        calls = "\n".join(call(everything[at]) for at in places)
        names = ", ".join(NAMES[problem["argument"]])
        yield f"def f({names}):\n    return {made.sources[number]}\n\n{calls}", rate


_CANDIDATES: Final = {"deduction": _deductions, "abduction": _abductions, "induction": _inductions}
