"""function-call-v0: what counts as the right call, what does not, and that nothing but finishing pays."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.core.types import Task
from envhub.envs.tools.function_call.environment import FunctionCall
from envhub.generators.typed_tools.families import FAMILIES
from envhub.generators.typed_tools.requests import Style, draw_requests, dress
from envhub.generators.typed_tools.schemas import Misfit, fit, function
from envhub.generators.values import KINDS
from envhub.gymnasium.env import Env


def begun(level: int, seed: int = 0) -> Env:
    env = envhub.make("function-call-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def right(env: Env) -> list[tuple[str, dict[str, Any]]]:
    return [(name, arguments) for name, arguments in filter(None, env.episode.instance.key["calls"])]


def hopeless(env: Env) -> list[int]:
    return [number for number, call in enumerate(env.episode.instance.key["calls"], 1) if call is None]


def finished(env: Env, calls: list[tuple[str, dict[str, Any]]], impossible: list[int] | None = None) -> dict[str, Any]:
    """The verdict when these calls are made in one message each eight, and then ``done``."""
    twin = env.fork()
    for start in range(0, len(calls), 8):
        twin.step("".join(write_call(name, **arguments) for name, arguments in calls[start : start + 8]))
    last = write_call("done", impossible=hopeless(env) if impossible is None else impossible)
    verdict: dict[str, Any] = twin.step(last)[4]["verdict"]
    return verdict


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_right_calls_in_any_order_and_nothing_else(level: int) -> None:
    env = begun(level)
    calls = right(env)
    assert finished(env, calls)["solved"]
    assert finished(env, calls[::-1])["solved"]
    one_more, one_twice, one_less = (finished(env, c) for c in ([*calls, rival(env)], [*calls, calls[0]], calls[1:]))
    for verdict in (one_more, one_twice, one_less):
        assert (verdict["score"], verdict["solved"]) == (0.0, False)
        assert verdict["components"]["right"] < 1


def rival(env: Env) -> tuple[str, dict[str, Any]]:
    """A call that fits a tool which nobody asked for."""
    wanted = {name for name, _ in right(env)} | {"done", "find_person", "find_manager"}
    tool = next(tool for tool in env.task.problem["tools"] if tool["name"] not in wanted)
    return tool["name"], sample_of(tool["parameters"])


def sample_of(schema: Any) -> Any:
    if schema["type"] == "object":
        return {name: sample_of(inner) for name, inner in schema["properties"].items()}
    if schema["type"] == "array":
        return ["x"]
    if schema["type"] == "string":
        texts = (*schema.get("enum", ()), "x", "2027-04-01", "01.04.2027", "10:00", "1.00")
        return next(text for text in texts if fits(schema, text))
    return {"integer": 1, "number": 1, "boolean": True}[schema["type"]]


def fits(schema: Any, value: Any) -> bool:
    try:
        fit(schema, value, "it")
    except Misfit:
        return False
    return True


def test_any_argument_that_is_another_is_wrong() -> None:
    for seed in range(6):
        env = begun(5, seed)
        calls = right(env)
        for at, (name, arguments) in enumerate(calls):
            for key, value in arguments.items():
                other = {**arguments, key: changed(value)}
                twin = env.fork()
                twin.step(write_call(name, **other))
                verdict = finished(env, [*calls[:at], (name, other), *calls[at + 1 :]])
                assert not verdict["solved"], (name, other)


def changed(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return [*value, "Nobody Else"]
    first = next(iter(value))
    return {**value, first: changed(value[first])}


def test_what_the_schema_makes_equal_is_equal() -> None:
    schema = function(
        "f",
        "",
        {
            "n": {"type": "integer"},
            "x": {"type": "number"},
            "who": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            "loud": {"type": "boolean", "default": False},
        },
        ("loud",),
    )["parameters"]
    plain = fit(schema, {"n": 5, "x": 2, "who": ["a", "b"]})
    assert plain == fit(schema, {"n": 5.0, "x": 2.0, "who": ["b", "a"], "loud": False})
    assert plain != fit(schema, {"n": 5, "x": 2, "who": ["a", "b"], "loud": True})
    assert plain != fit(schema, {"n": 5, "x": 2.5, "who": ["a", "b"]})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "n is missing"),
        ({"n": "5"}, "n must be an integer"),
        ({"n": True}, "n must be an integer"),
        ({"n": 5.5}, "n must be an integer"),
        ({"n": 11}, "n must be from 0 to 10"),
        ({"n": 1, "m": 2}, "there is no 'm'"),
        ({"n": 1, "deep": {"s": "c"}}, "deep.s must be one of a, b"),
        ({"n": 1, "deep": {"s": "a", "t": "7"}}, "deep.t must match"),
        ({"n": 1, "deep": []}, "deep must be an object"),
        ({"n": 1, "all": [1, 1.0]}, "all holds an item twice"),
        ({"n": 1, "all": [1, "x"]}, r"all\[1\] must be an integer"),
        ({"n": 1, "all": list(range(65))}, "more than 64"),
    ],
)
def test_what_does_not_fit_is_told(given: Any, why: str) -> None:
    deep = {
        "type": "object",
        "properties": {"s": {"type": "string", "enum": ["a", "b"]}, "t": {"type": "string", "pattern": "^[a-z]$"}},
        "required": ["s"],
    }
    deep["properties"]["t"]["default"] = "a"  # type: ignore[index]
    properties = {
        "n": {"type": "integer", "minimum": 0, "maximum": 10},
        "deep": {**deep, "default": {"s": "a", "t": "a"}},
        "all": {"type": "array", "items": {"type": "integer"}, "uniqueItems": True, "default": []},
    }
    with pytest.raises(Misfit, match=why):
        fit(function("f", "", properties, ("deep", "all"))["parameters"], given)


def test_a_call_that_does_not_fit_changes_nothing_and_costs_the_message() -> None:
    env = begun(3)
    name, arguments = right(env)[0]
    messages = env.task.problem["messages"]
    observation = env.step(write_call(name, **{**arguments, "nonsense": 1}))[0]
    assert f"Invalid call to {name}: there is no 'nonsense'" in observation
    assert "Expected: " in observation
    assert f"Messages left: {messages - 1}." in observation
    assert env.episode.state.made == ()
    assert "There is no tool 'fly'" in env.step(write_call("fly"))[0]
    assert f"Messages left: {messages - 3}." in env.step("hello")[0]
    assert finished(env, right(env))["solved"]


def test_requests_that_no_tool_serves_have_to_be_named() -> None:
    env = begun(10)
    calls, numbers = right(env), hopeless(env)
    assert len(numbers) == 2
    assert finished(env, calls, numbers[::-1])["solved"]
    for wrong in ([], numbers[:1], [*numbers, 9], list(range(1, 9))):
        assert not finished(env, calls, wrong)["solved"]
    served = {
        family.tools for name, family in FAMILIES.items() if any(r[0] == name for r in env.task.problem["content"])
    }
    offered = {tool["name"] for tool in env.task.problem["tools"]}
    assert sum(bool(offered & set(names)) for names in served) == 6


def test_without_done_nothing_counts() -> None:
    env = begun(6)
    env.step("".join(write_call(name, **arguments) for name, arguments in right(env)))
    info: dict[str, Any] = {}
    ended, reward = False, 0.0
    while not ended:
        _, reward, ended, _, info = env.step("")
    assert reward == 0.0
    assert info["verdict"]["reason"] == "turn_limit"
    assert info["verdict"]["components"]["right"] == 1.0


def test_looping_yields_no_more_than_finishing() -> None:
    for seed in range(5):
        env = begun(6, seed)
        calls = right(env)
        shares = [finished(env, calls * times)["components"]["right"] for times in (1, 2, 4)]
        assert shares[0] == 1.0 > shares[1] > shares[2]
        assert finished(env, [rival(env)] * 8)["components"]["right"] == 0.0


def test_who_is_looked_up_is_found_and_nobody_else() -> None:
    env = begun(10, 0)
    key = env.episode.instance.key
    name, own = next(iter(key["people"].items()))
    assert f"find_person: {own}." in env.step(write_call("find_person", name=name))[0]
    assert f"find_manager: {key['managers'][own]}." in env.step(write_call("find_manager", person_id=own))[0]
    assert "nobody" in env.step(write_call("find_person", name=name.lower()))[0]
    assert env.episode.state.made == ()


@given(st.integers(0, 10_000), st.integers(1, 8), st.integers(0, 2))
def test_every_right_call_fits_its_schema_and_tools_have_names_of_their_own(seed: int, count: int, lost: int) -> None:
    rng = Stream(b"test", seed)
    lost = min(lost, count - 1)
    requests = draw_requests(rng, count)
    dressed = dress(rng, requests, Style(count + 6, 90, 80, 50, 50, lost))
    schemas = {tool["name"]: tool["parameters"] for tool in dressed.tools}
    assert len(schemas) == len(dressed.tools)
    assert sum(call is None for call in dressed.calls) == lost
    for call in filter(None, dressed.calls):
        assert fit(schemas[call[0]], call[1])
    json.dumps(dressed)


@given(st.integers(0, 10_000))
def test_quantities_are_what_exact_arithmetic_gives(seed: int) -> None:
    rng = Stream(b"test", seed)
    per = {"temperature": 2, "mass": 1000, "length": 100, "money": 100, "percent": 100}
    for name in per:
        value = KINDS[name].draw(rng)
        for form in KINDS[name].forms:
            got = form.encode(value)
            if isinstance(got, float):
                fahrenheit = Fraction(9 * value, 10) + 32 if "Fahrenheit" in form.schema["description"] else None
                wanted = Fraction(value, per[name])
                assert got == float(fahrenheit if fahrenheit is not None else wanted)


def test_one_cent_and_one_metre_are_singular() -> None:
    for name, value, wanted in (("money", 4201, "42 euros and 1 cent"), ("length", 100, "1 metre")):
        said = {KINDS[name].say(value, Stream(b"test", seed), True) for seed in range(20)}
        assert wanted in said
        assert f"{wanted}s" not in said


def test_no_two_tools_share_a_name() -> None:
    names = [name for family in FAMILIES.values() for name in (*family.tools, *(rival for rival, _ in family.rivals))]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_tools_of_a_task_are_those_of_its_problem_and_of_its_prompt(level: int) -> None:
    for seed in range(3):
        task = begun(level, seed).task
        assert list(task.tools) == [{"type": "function", "function": tool} for tool in task.problem["tools"]]
        plain = FunctionCall().worded(task.problem)
        told = plain.partition("with JSON schemas of their arguments:\n\n")[2].partition("\n\n")[0]
        assert [json.loads(line) for line in told.split("\n")] == task.problem["tools"]
        assert {"done"} <= {tool["function"]["name"] for tool in task.tools}
        assert Task.from_json(json.loads(json.dumps(task.to_json()))) == task
    one, other = (begun(level, seed).task.tools for seed in (0, 1))
    assert one != other


@pytest.mark.parametrize("level", range(1, 11))
def test_one_call_a_message_is_enough(level: int) -> None:
    for seed in range(8):
        env, over = begun(level, seed), False
        while not over:
            first = env.solve().partition("</tool_call>")
            _, reward, terminated, truncated, _ = env.step("".join(first[:2]))
            over = terminated or truncated
        assert reward == 1.0
