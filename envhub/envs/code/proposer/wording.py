"""The prompts of proposer-v0."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Rendering, Variants, listings
from envhub.core.types import JSON
from envhub.envs.code.proposer import library
from envhub.envs.code.proposer.arguments import CALLS, SHOWN, WORDS, call
from envhub.envs.code.proposer.execution import MAX_ITEMS, MAX_PARTS, MAX_TOTAL
from envhub.envs.code.proposer.judging import NAMED
from envhub.envs.code.proposer.language import (
    FUNCTIONS,
    MAX_CHARS,
    MAX_CONSTANT,
    MAX_DEPTH,
    MAX_TEXT,
    METHODS,
    OPERATORS,
)
from envhub.envs.code.proposer.rates import WIDTH

TASK: Final = {
    "deduction": Phrase(
        "You write tasks for a solver. Propose a Python function f and one call of it. The solver must find the returned "
        "value.",
        "You set exercises. Write a Python function f and one call of f, from which a solver must work out the returned "
        "value.",
        "Propose an exercise in reading code: a Python function f with one call. A solver must find what the call returns.",
        held_out="As the author of tasks, supply a Python function f plus a single call whose value a solver has to "
        "determine.",
    ),
    "abduction": Phrase(
        "You write tasks for a solver. Propose a Python function f and one call of it. The solver sees f and the returned "
        "value, "
        "and must find arguments that give this value.",
        "You set exercises. Write a Python function f and one call of f. A solver is given f and the value of the call, and "
        "must "
        "find arguments with that value.",
        "Propose an exercise in running code backwards: a Python function f with one call. From f and the returned value, a "
        "solver "
        "must find arguments that return it.",
        held_out="As the author of tasks, supply a Python function f plus a single call. A solver gets f and the value of "
        "the call "
        "and has to name arguments that produce it.",
    ),
    "induction": Phrase(
        "You write tasks for a solver. Propose a Python function f and {calls} calls of it. The solver sees the results of "
        "the first "
        "{shown} calls, and must find a function that is right on all {calls}.",
        "You set exercises. Write a Python function f and {calls} calls of f. A solver is given the first {shown} calls with "
        "their values, and must find a function that agrees with all {calls}.",
        "Propose an exercise in finding rules: a Python function f with {calls} calls. From the values of the first {shown} "
        "calls, a "
        "solver must find a function with the right values for all {calls}.",
        held_out="As the author of tasks, supply a Python function f plus {calls} calls. A solver gets {shown} of them, the "
        "first ones, "
        "with values and has to name a function that is right on all {calls}.",
    ),
}
SOLVER: Final = {
    "deduction": Phrase(
        "The solver runs f step by step. It gets each different operation (an operator, a built-in, a method or an index, "
        "with its "
        "operands) wrong with a probability of {slip}%. Its solve rate is the probability that no mistake changes the "
        "result.",
        "The solver executes f by hand and is wrong about each different operation with a probability of {slip}%. An "
        "operation is an "
        "operator, a built-in, a method or an index, together with its operands. The solve rate is the probability that it "
        "makes no "
        "mistake that changes the result.",
        "Each different operation (operator, built-in, method or index, with its operands) is a chance of {slip}% for the "
        "solver "
        "to go wrong. Its solve rate is the probability that it avoids every mistake that changes the result.",
        held_out="The solver traces f. Per distinct operation (operator, built-in, method or index, including operands) it "
        "errs "
        "with probability {slip}%; the solve rate is the probability of no error that alters the result.",
    ),
    "abduction": Phrase(
        "The solver tries {tries} of the {size} possible arguments at random, without repetition. Its solve rate is the "
        "probability "
        "that one of them returns the value.",
        "The solver draws {tries} different arguments from the {size} possible ones. The solve rate is the probability that "
        "at least "
        "one of the drawn arguments returns the value.",
        "{tries} different arguments out of {size} are tried at random by the solver. Its solve rate is the probability "
        "that the value "
        "is returned for at least one.",
        held_out="The solver samples {tries} arguments out of {size} without replacement; the solve rate is the probability "
        "of "
        "at least one that returns the value.",
    ),
    "induction": Phrase(
        "The solver tries {tries} of {count} candidate functions in random order, and answers with the first one that "
        "agrees with the "
        "shown calls. Its solve rate is the probability that this answer is right on all calls. A candidate is: "
        "{candidates}.",
        "The solver knows {count} candidate functions. It draws {tries} of them in random order and answers with the first "
        "one that fits "
        "the shown calls. The solve rate is the probability that the answer is right on all calls. A candidate is: "
        "{candidates}.",
        "From {count} candidate functions, the solver tries {tries} in random order until one fits the shown calls. Its "
        "solve rate "
        "is the probability that this one is right on all calls. A candidate is: {candidates}.",
        held_out="The solver samples {tries} out of {count} candidates and returns the first that matches the shown calls; "
        "the solve "
        "rate is the probability that it also matches the other calls. A candidate is: {candidates}.",
    ),
}
MODEL: Final = Phrase(
    "The solver is a language model. It attempts your task {attempts} times, and its solve rate is the share of right "
    "attempts.",
    "A language model attempts your task {attempts} times. The solve rate is the share of its attempts that are right.",
    "Your task is given {attempts} times to a language model. The share of right answers is the solve rate.",
    held_out="Solve rate: the share of correct attempts among {attempts} by a language model.",
)
PAY: Final = {
    "target": Phrase(
        "Aim for a solve rate of {target}%. The proposal counts as a success if the rate is from {low}% to {high}%.",
        "The best solve rate is {target}%. A rate from {low}% to {high}% is a success.",
        "Bring the solve rate to {target}%. Success means a rate from {low}% to {high}%.",
        held_out="Target solve rate: {target}%. Success is a rate between {low}% and {high}%.",
    ),
    "absolute-zero": Phrase(
        "Your reward is 1 minus the solve rate, and 0 if the rate is 0% or 100%. A rate above 0% and up to {high}% is a "
        "success.",
        "You are paid 1 minus the solve rate, but nothing for rates of 0% and 100%. Success means a rate above 0% and at "
        "most {high}%.",
        "The lower the solve rate, the higher the reward, which is 1 minus the rate. A rate of 0% or 100% earns nothing. A "
        "rate above "
        "0% and up to {high}% is a success.",
        held_out="Reward: 1 minus the solve rate, zero at rates of 0% and 100%. Success: a rate above 0% and not above "
        "{high}%.",
    ),
    "r-zero": Phrase(
        "Your reward is highest at a solve rate of 50% and falls to 0 at 0% and 100%. A rate from {low}% to {high}% is a "
        "success.",
        "You are paid most for a solve rate of 50%, and nothing at 0% and 100%. Success means a rate from {low}% to {high}%.",
        "Aim for a solve rate of 50%: the reward falls linearly to 0 at 0% and 100%. A rate from {low}% to {high}% is a "
        "success.",
        held_out="Target solve rate: 50%, with a linear reward down to 0 at 0% and 100%; success is a rate between {low}% "
        "and {high}%.",
    ),
}
LANGUAGE: Final = Phrase(
    "Use only function definitions, assignments, if, for, while, conditional expressions, list and dict comprehensions, "
    "lambda as a "
    "key, the operators {operators}, these methods: {methods}, and these functions: {functions}. Imports, sets, floats, "
    "exceptions, f-strings, % on texts, `is`, default arguments and chained comparisons are refused.",
    "Allowed are function definitions, assignments, if, for, while, conditional expressions, list and dict comprehensions, "
    "lambda as a "
    "key, the operators {operators}, these functions: {functions}, and these methods: {methods}. Not allowed are imports, "
    "sets, floats, exceptions, f-strings, % on texts, `is`, default arguments and chained comparisons.",
    "The program may contain function definitions, assignments, if, for, while, conditional expressions, list and dict "
    "comprehensions, "
    "lambda as a key, the operators {operators}, these methods: {methods}, and these functions: {functions}. It may not "
    "contain imports, sets, floats, exceptions, f-strings, % on texts, `is`, default arguments or chained comparisons.",
    held_out="Language: function definitions, assignments, if, for, while, conditional expressions, list and dict "
    "comprehensions, lambda "
    "as a key, the operators {operators}, the methods {methods}, and the functions {functions}. Excluded: imports, sets, "
    "floats, exceptions, f-strings, % on texts, `is`, default arguments, chained comparisons.",
)
WHOLE: Final = Phrase(
    "f must return a value of the required type for every possible argument, within 2,000 steps. No result may be returned "
    "for more than 90% of the arguments, and there must be at least {least} different results.",
    "For every possible argument, f must return the required type within 2,000 steps. There must be at least {least} "
    "different results, and none may occur for more than 90% of the arguments.",
    "f is run on every possible argument: it must return the required type within 2,000 steps, give at least {least} "
    "different results, and give none of them for more than 90% of the arguments.",
    held_out="Over all possible arguments, f needs the required return type, at most 2,000 steps each, at least {least} "
    "distinct results, and no result on more than 90% of them.",
)
MATTERS: Final = Phrase(
    "Every statement must matter: leaving it out must change a result. The function may not behave like an example.",
    "A statement without any effect on the results makes the proposal invalid. So does a function that behaves like an "
    "example.",
    "Each statement must change some result, and f must differ from every example in at least one result.",
    held_out="No statement may be without effect, and f must not be equivalent to one of the examples.",
)
INVALID: Final = Phrase(
    "An invalid proposal earns 0.",
    "You earn 0 if the proposal breaks a rule.",
    "Proposals that break a rule earn 0.",
    held_out="Reward of an invalid proposal: 0.",
)
CALLED: Final = Phrase(
    "Write everything in one block: first the functions, then {lines}. All arguments of the calls must be literals.",
    "Write one block: the functions, and after them {lines}. Use literals as arguments of the calls.",
    "Your block starts with the functions. After them comes the rest, {lines}, with literals as arguments.",
    held_out="Layout of the block: function definitions, followed by {lines}, with literal arguments.",
)
LIMITS: Final = Phrase(
    "The program may have at most 40 statements and 500 syntactic parts. Integers have at most 128 bits, and exponents and "
    "the digits of round are at most 128. Texts and lists have at most 256 items, and {parts} with the items inside their "
    "items. The first call may need at most 150 different operations. Names may not begin with an underscore.",
    "At most 40 statements and 500 syntactic parts are allowed, integers of 128 bits, exponents and digits of round up to "
    "128, texts and lists of 256 items ({parts} with the items inside their items), and 150 different operations in the "
    "first call. No name may begin with an underscore.",
    "There may be no more than 40 statements, 500 syntactic parts and, in the first call, 150 different operations. "
    "Integers may not exceed 128 bits, exponents and digits of round 128, and texts and lists 256 items, or {parts} with "
    "the items inside their items. A name with an underscore in front is refused.",
    held_out="Limits: 40 statements, 500 syntactic parts, 150 different operations in the first call, integers of 128 bits, "
    "exponents and digits of round up to 128, texts and lists of 256 items, and of {parts} with the items inside their "
    "items; no name with a leading underscore.",
)
SOURCE: Final = Phrase(
    "Define each function once, at the top level, and do not redefine a built-in. A function may only be called, or "
    "passed to map, filter or as a key; a method may only be called. Operators take no iterators: make a list of map, "
    "filter, zip, enumerate or reversed first. Constants are integers up to {constant}, printable ASCII texts of at most "
    "{text} characters, `True`, `False` and `None`. Loops may not have an else. Arguments with stars are refused, and so "
    "are keyword arguments other than key, reverse, default and start. The program may have {chars} characters and "
    "be nested {depth} deep. Dicts and ranges are limited to {items} items as well.",
    "Each function is defined once, at the top level, under a name that is no built-in; its name may stand only in a "
    "call, or as an argument of map, filter or key, and that of a method only in a call. Operators may not be applied to "
    "an iterator, which map, filter, zip, enumerate and reversed return; a list of it is allowed. Allowed constants are "
    "integers up to {constant}, printable ASCII texts of up to {text} characters, `True`, `False` and `None`. Not allowed "
    "are an else after a loop, arguments with stars, and keyword arguments except key, reverse, default and start. "
    "Limits: {chars} characters, a nesting of {depth}, and {items} items of a dict or a range.",
    "All functions stand at the top level, each once, and none replaces a built-in. They are called, or given to "
    "map, filter or key, and used in no other way; methods are only called. An iterator (from map, filter, zip, enumerate "
    "or reversed) may not be an operand; make a list of it. Write constants as integers up to {constant}, printable ASCII "
    "texts of at most {text} characters, `True`, `False` or `None`. Loops with else, arguments with stars, and keyword "
    "arguments other than key, reverse, default and start are refused, and so is a program of more than {chars} "
    "characters, one that is nested more than {depth} deep, or a dict or range of more than {items} items.",
    held_out="Functions: top level, unique names, no redefined built-ins, used only in calls or with map, filter and "
    "key. Methods: only in calls. Operands: no iterators (map, filter, zip, enumerate, reversed), but lists of them. "
    "Constants: integers up to {constant}, printable ASCII texts up to {text} characters, `True`, `False`, `None`. "
    "Excluded: else of loops, starred arguments, keyword arguments except key, reverse, default, start. Limits: "
    "{chars} characters, nesting {depth}, {items} items of a dict or range.",
)
EFFORT: Final = Phrase(
    "To judge a proposal, f is run on every possible argument, and again with each of its statements left out; the "
    "examples are run as well. All of this may take at most {total} steps. Each operation, call and pass of a loop is a step, "
    "and an operation takes one more for every 32 characters of its operands.",
    "The runs on all possible arguments, those without one of the statements, and those of the examples may take "
    "{total} steps together. A step is an operation, a call or a pass of a loop; operands cost one step more for every 32 "
    "characters.",
    "At most {total} steps are spent on judging: for f on all possible arguments, for f without each statement, and "
    "for the examples. A proposal that needs more is invalid. Steps are operations, calls and passes of loops, and one more "
    "for every 32 characters of an operation's operands.",
    held_out="Total budget of judging: {total} steps, over all arguments, all single-statement deletions and the "
    "examples. Steps: operations, calls, passes of loops, plus one per 32 characters of operands.",
)
_TYPES: Final = {"int": "an int", "bool": "a bool", "str": "a str", "list": "a list of int, bool or str"}


def requirements(problem: JSON) -> list[str]:
    """What a proposal must contain, one requirement per item."""
    found = [f"Argument{'s' if problem['argument'] == 'pair' else ''}: {WORDS[problem['argument']]}."]
    found.append(f"Return type: {_TYPES[problem['returns']]}.")
    if problem["constructs"]:
        found.append(f"Must contain: {', '.join(NAMED[name] for name in problem['constructs'])}.")
    if problem["anchor"]:
        found.append(f"Must hold: {call(problem['anchor'][0])} == {problem['anchor'][1]!r}.")
    return found


def values(problem: JSON) -> dict[str, Any]:
    """The fields of the phrases."""
    target = 50 if problem["pays"] == "r-zero" else problem["target"]
    return {
        "calls": CALLS,
        "shown": SHOWN,
        "slip": problem["slip"],
        "tries": problem["tries"],
        "size": problem["size"],
        "lines": f"{CALLS} calls of f with different arguments, one per line"
        if problem["kind"] == "induction"
        else "one call of f",
        "count": len(library.library(problem["argument"])) if problem["kind"] == "induction" else 0,
        "candidates": library.WORDS[problem["argument"]],
        "attempts": problem["attempts"],
        "target": target,
        "low": target - problem["tolerance"],
        "high": target + problem["tolerance"],
        "width": round(100 * WIDTH),
        "operators": OPERATORS,
        "methods": ", ".join(sorted(METHODS)),
        "functions": ", ".join(sorted(FUNCTIONS)),
        "constant": f"{MAX_CONSTANT:,}",
        "text": MAX_TEXT,
        "chars": f"{MAX_CHARS:,}",
        "depth": MAX_DEPTH,
        "items": MAX_ITEMS,
        "parts": f"{MAX_PARTS:,}",
        "total": f"{MAX_TOTAL:,}",
        "least": 2 if problem["returns"] == "bool" else 3,
    }


def _list(problem: JSON) -> str:
    items = "\n".join(f"- {each}" for each in requirements(problem))
    shown = "\n\n".join(map(listings.fenced, problem["references"]))
    return f"Requirements:\n{items}\n\nExamples, which may not be copied:\n\n{shown}"


def _prose(problem: JSON) -> str:
    shown = "\n\n".join(map(listings.fenced, problem["references"]))
    return f"These functions are known already:\n\n{shown}\n\nWhat is required now: {' '.join(requirements(problem))}"


def _json(problem: JSON) -> str:
    given = {"requirements": requirements(problem), "examples": [each.split("\n") for each in problem["references"]]}
    return f"Each example is a list of lines.\n\n{json.dumps(given, indent=1)}"


def _numbered(problem: JSON) -> str:
    items = "\n".join(f"R{number}. {each}" for number, each in enumerate(requirements(problem), 1))
    return f"{items}\n\nKnown functions:\n\n" + "\n\n".join(map(listings.fenced, problem["references"]))


DATA: Final[Variants[Rendering]] = Variants(_list, _prose, _json, held_out=_numbered, name="data")
