"""Contract on tool calls: invalid calls change nothing; equivalent forms are equal.

The oracle's calls are changed according to the task's schemas: a wrong type, a value beyond a bound, an unknown or a
missing argument. Each must be reported as malformed, and the oracle must still solve the task afterwards. Equivalent
calls (arguments or a set in another order, a default omitted or given, 5.0 for 5) must solve it too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any, Final, cast

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, oracle_actions, play, require, where
from envhub.authoring import ToolEnv
from envhub.core.difficulty import LEVELS
from envhub.core.tools import MAX_CALLS, write_call
from envhub.core.types import JSON
from envhub.gymnasium.env import Env

_SEED: Final = 60
_MOST_EQUAL: Final = 40
_CALL: Final = re.compile(r"<tool_call>(\{.*?\})</tool_call>", re.DOTALL)
_OTHERS: Final[Mapping[str, tuple[Any, ...]]] = {
    "object": ([], "x", 1),
    "array": ({}, "x", 1),
    "string": (7, ["x"], True),
    "integer": ("7", True, 1.5, [7], float("inf"), float("nan")),
    "number": ("7", False, [7], float("inf"), float("-inf"), float("nan")),
    "boolean": (1, "true", 0),
}
"""Values of other types than required."""

Call = tuple[str, dict[str, Any]]


@applies_if(lambda subject: isinstance(subject.environment, ToolEnv) and not subject.environment.required())
def check_calls(subject: Subject) -> None:
    """Invalid calls are malformed and change nothing; equivalent right calls are right."""
    environment = cast(ToolEnv, subject.environment)
    for level in LEVELS:
        for seed in range(_SEED, _SEED + min(2, subject.depth.controls)):
            env = subject.started(level, seed)
            schemas = {
                tool["function"]["name"]: tool["function"]["parameters"]
                for tool in environment.tools_for(env.task.problem)
            }
            for actions in environment.alternatives(env.episode.instance):
                _require_solved(env, [*actions], f"A right episode is refused: {actions!r:.400}")
            for actions in environment.mistakes(env.episode.instance):
                twin = env.fork()
                solved = play(twin, chain(actions, repeat(""))).solved
                require(not solved, f"A wrong episode is taken for right: {actions!r:.400}: {where(env)}.")
            script = [_calls(action) for action in oracle_actions(env.fork())]
            _check_misfits(env, schemas, script)
            _check_equal(env, schemas, script, own=not environment.tools)


def _calls(action: str) -> list[Call]:
    found = (json.loads(text) for text in _CALL.findall(action))
    return [(call["name"], call.get("arguments", {})) for call in found]


def _written(calls: Sequence[Call]) -> str:
    return "".join(write_call(name, **arguments) for name, arguments in calls)


def _check_misfits(env: Env, schemas: Mapping[str, JSON], script: Sequence[Sequence[Call]]) -> None:
    tried: set[str] = set()
    for at, calls in enumerate(script):
        wrong = [(name, other) for name, arguments in calls for other in bad_objects(schemas[name], arguments)]
        fresh = [call for call in wrong if _written([call]) not in tried]
        tried.update(_written([call]) for call in fresh)
        before = [_written(done) for done in script[:at]]
        standing = env.fork()
        for action in before:
            standing.episode.step(action)
        for call in fresh:
            turn = standing.fork().episode.step(_written([call]))
            what = f"{_written([call])[:200]} does not fit its schema"
            require(
                turn.verdict is None or turn.verdict.status != "error", f"{what}, and cannot be judged: {where(env)}."
            )
            require(turn.info.get("rejected") == "malformed", f"{what}, and is carried out: {where(env)}.")
        # all in one extra message, which every environment allows
        after = [_written(done) for done in script[at:]]
        for first in range(0, len(fresh), MAX_CALLS):
            actions = [*before, _written(fresh[first : first + MAX_CALLS]), *after]
            _require_solved(env, actions, "calls that do not fit their schemas change something")


def _check_equal(env: Env, schemas: Mapping[str, JSON], script: Sequence[Sequence[Call]], own: bool) -> None:
    forms = (
        (at, number, name, other)
        for at, calls in enumerate(script)
        for number, (name, arguments) in enumerate(calls)
        for other in equals(schemas[name], arguments, floats=own)
        if json.dumps(other) != json.dumps(arguments)
    )
    for at, number, name, other in islice(forms, _MOST_EQUAL):
        changed = [list(calls) for calls in script]
        changed[at][number] = (name, other)
        _require_solved(
            env,
            [_written(calls) for calls in changed],
            f"{_written([(name, other)])[:200]} means the same as a right call, and is not taken for it",
        )


def _require_solved(env: Env, actions: Sequence[str], otherwise: str) -> None:
    require(bool(play(env.fork(), chain(actions, repeat(""))).solved), f"{otherwise}: {where(env)}.")


def misfits(schema: JSON, value: Any) -> Iterator[Any]:
    """Values that a schema rejects, derived from a valid one."""
    kind = schema.get("type")
    if kind not in _OTHERS or "const" in schema:
        return
    yield from _OTHERS[kind]
    yield None
    if kind in ("integer", "number"):
        yield from (schema[bound] + step for bound, step in (("minimum", -1), ("maximum", 1)) if bound in schema)
    elif kind == "string":
        yield from _bad_texts(schema, value)
    elif kind == "array":
        items = schema.get("items", {})
        yield from ([*value[:-1], other] for other in misfits(items, value[-1] if value else 1))
        if schema.get("uniqueItems") and value:
            yield [*value, value[0]]
        yield from ([*value, *value[:1] * most] for most in (schema.get("maxItems"),) if most and value)
    elif kind == "object":
        yield from bad_objects(schema, value)


def _bad_texts(schema: JSON, value: str) -> Iterator[str]:
    near = (f"{value}\n", f" {value}", f"{value}x", f"x{value}", "", value[:-1], value.swapcase())
    if "enum" in schema:
        yield from (other for other in near if other not in schema["enum"])
    if "pattern" in schema:
        yield from (other for other in near if not re.fullmatch(schema["pattern"], other))
    if "maxLength" in schema:
        yield "x" * (schema["maxLength"] + 1)


def bad_objects(schema: JSON, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Objects that a schema rejects: an unknown, missing or mistyped argument."""
    properties = schema.get("properties", {})
    if not schema.get("additionalProperties"):
        yield {**value, "unknown": 1}
        yield {"unknown": None, **value}
    for name in schema.get("required", ()):
        yield {key: inner for key, inner in value.items() if key != name}
    for name, inner in properties.items():
        if name in value or "default" in inner:
            yield from ({**value, name: other} for other in misfits(inner, value.get(name, inner.get("default"))))


def equals(schema: JSON, value: Any, floats: bool = True) -> Iterator[Any]:
    """Other forms of a value that the schema treats as equal.

    Args:
        schema: Schema of the value.
        value: A valid value.
        floats: Whether 5.0 counts as an integer.
    """
    kind = schema.get("type")
    if kind in ("integer", "number") and floats and type(value) is int:
        yield float(value)
    elif kind == "array":
        if schema.get("uniqueItems"):
            yield value[::-1]
        if value and not schema.get("uniqueItems"):
            yield from ([*value[:-1], other] for other in equals(schema.get("items", {}), value[-1], floats))
    elif kind == "object":
        yield dict(reversed(value.items()))
        for name, inner in schema.get("properties", {}).items():
            if name in value:
                yield from ({**value, name: other} for other in equals(inner, value[name], floats))
            if "default" in inner and name not in value:
                yield {**value, name: inner["default"]}
            elif "default" in inner and value[name] == inner["default"]:
                yield {key: given for key, given in value.items() if key != name}
