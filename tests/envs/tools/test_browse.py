"""browse-v0: pages, the one form that counts, and what is in it."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.gymnasium.env import Env


def begun(level: int, seed: int = 0) -> Env:
    env = envhub.make("browse-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def at_the_form(env: Env) -> dict[str, str]:
    """Play until the form is open; what is to be sent."""
    while '"submit"' not in env.solve():
        env.step(env.solve())
    values: dict[str, str] = env.episode.instance.key["values"]
    return values


def sent(env: Env, values: Any) -> float:
    _, reward, terminated, _, _ = env.fork().step(write_call("submit", values=values))
    assert terminated
    return float(reward)


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_right_values_in_the_right_form(level: int) -> None:
    for seed in range(6):
        env = begun(level, seed)
        values = at_the_form(env)
        assert sent(env, values) == 1.0
        assert sent(env, {field: f" {value} " for field, value in values.items()}) == 1.0
        assert sent(env, {field: int(value) if value.isdigit() else value for field, value in values.items()}) == 1.0
        for field, value in values.items():
            for wrong in (f"{value}0", "", value[:-1], f"{value} {value}", value[::-1], -1, 10**30, 0):
                if wrong != value:
                    assert sent(env, {**values, field: wrong}) == 0.0
        form = env.episode.state[0][0]
        env.step(write_call("back"))
        assert "no form" in env.fork().step(write_call("submit", values=values))[0]
        env.step(write_call("follow", link=form % 5 + 2))
        assert sent(env, values) == 0.0


def test_a_form_with_other_fields_is_answered_and_not_graded() -> None:
    env = begun(4)
    values = at_the_form(env)
    (first, *rest) = values
    for spoilt in (
        {},
        {first.upper(): values[first]},
        {**values, "more": ""},
        {field: values[field] for field in rest},
    ):
        shown, _, terminated, _, _ = env.step(write_call("submit", values=spoilt))
        assert not terminated
        assert "Not sent: the form has the field" in shown
    for value in (1.5, None, True, ["x"]):
        assert "Invalid call to submit" in env.step(write_call("submit", values={**values, first: value}))[0]
    assert sent(env, values) == 1.0


@pytest.mark.parametrize("level", [1, 6])
def test_the_values_follow_from_the_pages_and_the_words_of_the_fields(level: int) -> None:
    import re

    for seed in range(40):
        env = begun(level, seed)
        people = {row[0]: row for row in env.episode.instance.key["people"]}

        def reached(words: str, people: Any = people) -> Any:
            steps = re.findall(r"the (deputy|mentor) of ", words)
            row = people[re.sub(r"^(?:the (?:deputy|mentor) of )+", "", words)]
            for step in reversed(steps):
                row = list(people.values())[row[1 if step == "deputy" else 2]]
            return row

        chosen: Any = None
        for field, words in env.task.problem["fields"]:
            value = env.episode.instance.key["values"][field]
            if match := re.fullmatch(r"the name of the person with the (higher|lower) (\w+): (.+), or (.+)", words):
                pick = max if match[1] == "higher" else min
                chosen = pick((reached(match[3]), reached(match[4])), key=lambda row: int(row[3][match[2]]))
                assert value == chosen[0]
            elif match := re.fullmatch(r"the (\w+) of that person", words):
                assert value == chosen[3][match[1]]
            elif match := re.fullmatch(r"the sum of the (\w+) and the (\w+) of (.+)", words):
                row = reached(match[3])
                assert int(value) == int(row[3][match[1]]) + int(row[3][match[2]])
            elif match := re.fullmatch(r"the larger minus the smaller of the (\w+) and the (\w+) of (.+)", words):
                row = reached(match[3])
                assert int(value) == abs(int(row[3][match[1]]) - int(row[3][match[2]]))
            elif match := re.fullmatch(r"the name of (.+)", words):
                assert value == reached(match[1])[0]
            else:
                match = re.fullmatch(r"the (code|room|phone|desk) of (.+)", words)
                assert match is not None
                assert value == reached(match[2])[3][match[1]]


def test_pages_show_what_is_there_and_links_that_are_not_are_told() -> None:
    env = begun(3)
    assert env.step(write_call("back"))[0].startswith("Home")
    assert env.step(write_call("follow", link=1))[0].startswith("Directory")
    assert "has no link 5; it has 4 links" in env.step(write_call("follow", link=5))[0]
    assert "`link` must be an integer, at least 1, got 0" in env.step(write_call("follow", link=0))[0]
    env.step(write_call("follow", link=2))
    person = env.step(write_call("follow", link=3))[0]
    people = env.episode.instance.key["people"]
    name, deputy, mentor, entries = people[6]
    told = [f"deputy: {people[deputy][0]}", f"mentor: {people[mentor][0]}", *(f"{e}: {v}" for e, v in entries.items())]
    assert person.split("\n") == [name, *told, "", "Messages left: 90."]
    assert "it has 0" in env.step(write_call("follow", link=1))[0]


@pytest.mark.parametrize("level", range(1, 11))
def test_the_oracle_reads_every_value_before_it_sends_it(level: int) -> None:
    env = begun(level, 5)
    seen, steps = "", 0
    while '"submit"' not in env.solve():
        seen += env.step(env.solve())[0]
        steps += 1
    assert set(env.task.problem["kind"].split(", ")) & {"sum", "difference"} or all(
        value in seen for value in at_the_form(env).values()
    )
    assert steps == env.environment.effort(env.episode.instance)
