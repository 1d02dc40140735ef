"""Measures a proposal in the jail.

Its validity, its behaviour on the domain, and how hard it is for the solvers.

:func:`measure` answers a request with JSON values and never raises for what a program does. The host adds no judgement to
what only the program knows; it computes rates and rewards from the counts (:mod:`envhub.envs.code.proposer.rates`)::

    found = measure(request)        # steps, facts and results, counted
    found = plain(request)          # the results alone, computed by Python itself
"""

from __future__ import annotations

import ast
import json
import sys
from importlib.resources import files
from typing import Any, Final

from envhub.envs.code.proposer.execution import Bench, Purse, Ran, text_of
from envhub.envs.code.proposer.language import FUNCTIONS, Refused, arguments_of, checked, misused
from envhub.envs.code.proposer.settling import dead_statement, renamed

MAX_FACTS: Final = 150
_MODULES: Final = ("language", "rewriting", "execution", "settling", "bench")
_FOLDER: Final = "envhub/envs/code/proposer"
_SAMPLE: Final = 40
_CONSTRUCTS: Final = {"for": ast.For, "while": ast.While, "if": ast.If, "comprehension": ast.ListComp}


def jail_files() -> dict[str, bytes]:
    """The modules that the jail needs, by path."""
    here = files("envhub.envs.code.proposer")
    return {f"{_FOLDER}/{name}.py": here.joinpath(f"{name}.py").read_bytes() for name in _MODULES}


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """What a program does.

    Args:
        request: ``source``; ``domain``, the possible lists of arguments; ``calls``, the number of calls that it must
            make; ``references``, programs that it may not behave like; ``critical``, whether to count critical facts;
            ``points``, arguments to run it on.

    Returns:
        ``refused`` with the reason, or the measurements.
    """
    try:
        return _measured(request)
    except Refused as refused:
        return {"refused": str(refused)}


def plain(request: dict[str, Any]) -> dict[str, Any]:
    """The values of the calls, computed by Python itself without our counting."""
    try:
        tree, calls = checked(request["source"], len(request["domain"][0]))
        space: dict[str, Any] = {"__builtins__": {name: _builtin(name) for name in FUNCTIONS}}
        exec(compile(tree, "<proposal>", "exec", dont_inherit=True), space)
        values = [space["f"](*arguments_of(call)) for call in calls]
        return {"values": list(map(_sendable, values)), "texts": list(map(text_of, values))}
    except Refused as refused:
        return {"refused": str(refused)}


def _builtin(name: str) -> Any:
    space = globals()["__builtins__"]
    return space[name] if isinstance(space, dict) else getattr(space, name)


def _measured(request: dict[str, Any]) -> dict[str, Any]:
    domain: list[list[Any]] = request["domain"]
    tree, calls = checked(request["source"], len(domain[0]))
    misuse = misused(tree)
    if misuse is not None:
        raise Refused(misuse)
    given = [arguments_of(call) for call in calls]
    if len(given) != request["calls"]:
        wanted = request["calls"]
        raise Refused(f"Expected {wanted} call{'s' if wanted != 1 else ''} of f after the functions, got {len(given)}.")
    for arguments in given:
        if arguments not in domain or text_of(arguments) != text_of(domain[domain.index(arguments)]):
            raise Refused(f"f({', '.join(map(repr, arguments))[:80]}) is not a call with a possible argument.")
    if len(set(map(text_of, given))) != len(given):
        raise Refused("The calls must have different arguments, and two of them have the same.")
    purse = Purse()
    program = Bench(tree, purse)
    ran = [program.run(arguments) for arguments in given]
    for arguments, each in zip(given, ran, strict=True):
        if each.failed:
            raise Refused(f"f({', '.join(map(repr, arguments))[:80]}) does not return: {each.text[1:]}.")
    everywhere = [program.run(arguments) for arguments in domain]
    texts = [each.text for each in everywhere]
    for number, reference in enumerate(request["references"], 1):
        like = Bench(checked(reference, len(domain[0]))[0], purse)
        if [like.run(arguments).text for arguments in domain] == texts:
            raise Refused(f"The function behaves like example {number}.")
    known = list(zip(domain, texts, strict=True))
    dead = dead_statement(tree, [*known[:: max(1, len(domain) // _SAMPLE)], *known], purse)
    if dead is not None:
        raise Refused(f"A statement has no effect on any result: {dead[:60]}")
    facts = len(ran[0].facts)
    if facts > MAX_FACTS:
        raise Refused(f"The first call needs {facts} different operations. At most {MAX_FACTS} are allowed.")
    good = [each for each in everywhere if not each.failed]
    return {
        "arguments": given,
        "values": [_sendable(each.value) for each in ran],
        "texts": [each.text for each in ran],
        "kinds": sorted({_kind(each.value) for each in good}),
        "raised": len(everywhere) - len(good),
        "failing": next(
            ([given, each.text[1:]] for given, each in zip(domain, everywhere, strict=True) if each.failed), None
        ),
        "distinct": len({each.text for each in good}),
        "common": max((texts.count(text) for text in {each.text for each in good}), default=0),
        "points": [program.run(arguments).text for arguments in request["points"]],
        "hits": texts.count(ran[0].text),
        "facts": facts,
        "critical": _critical(Bench(tree), given[0], ran[0]) if request["critical"] else None,
        "constructs": _constructs(tree),
        "source": renamed(tree),
    }


def _critical(program: Bench, arguments: list[Any], right: Ran) -> int:
    """Number of facts whose wrong result changes the returned value."""
    return sum(program.run(arguments, fact).text != right.text for fact in right.facts)


def _kind(value: Any) -> str:
    """The name of a type, with one for lists of other items."""
    if type(value) is list and not all(type(item) in (bool, int, str) for item in value):
        return "list of other items"
    return "None" if value is None else type(value).__name__


def _sendable(value: Any) -> Any:
    """A value of an allowed type, or None."""
    return value if _kind(value) in ("bool", "int", "str", "list") else None


def _constructs(tree: ast.Module) -> list[str]:
    nodes = list(ast.walk(tree))
    found = [name for name, kind in _CONSTRUCTS.items() if any(isinstance(node, kind) for node in nodes)]
    return [*found, "helper"] if len(tree.body) > 1 else found


def main() -> None:
    """Answer the request on standard input."""
    request = json.load(sys.stdin)
    answer = measure(request) if request["mode"] == "measure" else plain(request)
    sys.stdout.write(json.dumps(answer))
