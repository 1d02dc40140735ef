"""browse-v0: pages, the one form that counts, and what is in it."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.author import write_call
from envhub.env import Env


def begun(level: int, seed: int = 0) -> Env:
    env = envhub.make("browse-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def at_the_form(env: Env) -> dict[str, str]:
    """Play until the form is open; what is to be sent."""
    while '"submit"' not in env.solve():
        env.step(env.solve())
    key, problem = env.episode.instance.key, env.task.problem
    return {field: key["people"][key["chain"][-1]][2][field] for field in problem["fields"]}


def sent(env: Env, values: Any) -> float:
    _, reward, terminated, _, _ = env.fork().step(write_call("submit", values=values))
    assert terminated
    return float(reward)


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_right_values_in_the_right_form(level: int) -> None:
    env = begun(level)
    values = at_the_form(env)
    first, second = values
    assert sent(env, values) == 1.0
    people = env.episode.instance.key["people"]
    other = next(p[2] for p in people if p[2][first] != values[first])
    wrong = [{}, {first: values[first]}, {**values, "more": ""}, {first: values[second], second: values[first]}]
    for spoilt in [*wrong, {field: other[field] for field in values}, {**values, first: values[first] + " "}]:
        assert sent(env, spoilt) == 0.0
    form = env.episode.state[0][0]
    env.step(write_call("back"))
    assert "no form" in env.fork().step(write_call("submit", values=values))[0]
    env.step(write_call("follow", link=form % 5 + 2))
    assert sent(env, values) == 0.0


def test_pages_show_what_is_there_and_links_that_are_not_are_told() -> None:
    env = begun(3)
    assert env.step(write_call("back"))[0].startswith("Home")
    assert env.step(write_call("follow", link=1))[0].startswith("Directory")
    assert "has no link 5; it has 4" in env.step(write_call("follow", link=5))[0]
    assert "has no link 0" in env.step(write_call("follow", link=0))[0]
    env.step(write_call("follow", link=2))
    person = env.step(write_call("follow", link=3))[0]
    name, deputy, entries = env.episode.instance.key["people"][6]
    told = [f"deputy: {deputy}", *(f"{e}: {v}" for e, v in entries.items())]
    assert person.split("\n") == [name, *told]
    assert "it has 0" in env.step(write_call("follow", link=1))[0]


@pytest.mark.parametrize("level", range(1, 11))
def test_the_oracle_reads_every_value_before_it_sends_it(level: int) -> None:
    env = begun(level, 5)
    seen, steps = "", 0
    while '"submit"' not in env.solve():
        seen += env.step(env.solve())[0]
        steps += 1
    assert all(f"{field}: {value}" in seen for field, value in at_the_form(env).items())
    assert steps == env.author.effort(env.episode.instance)
