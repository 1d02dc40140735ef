"""preference-v0: the user is read and answers by rules, the reference always finds it, and talking on earns nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.author import write_call
from envhub.difficulty import LEVELS
from envhub.env import Env
from envhub.envs.tools.preference import Params
from envhub.generators import wishes
from envhub.generators.wishes import Manner, Theme, User
from envhub.seeding import Stream

PLAIN = {"size": {"small": ["A5", "A4", "A3"], "large": ["A2", "A1", "A0"]}}
THEME = Theme("a poster", {"colour": {"warm": ["red", "orange"], "cold": ["blue", "green"]}, **PLAIN})


def begun(level: int, seed: int = 0) -> Env:
    env = envhub.make("preference-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def wants(env: Env) -> dict[str, str]:
    return dict(env.episode.instance.key["wants"])


def spoilt(env: Env, count: int) -> dict[str, str]:
    """What is wanted with so many features wrong."""
    values = wants(env)
    for feature in list(values)[:count]:
        options = [o for group in env.task.problem["features"][feature].values() for o in group]
        values[feature] = next(option for option in options if option != values[feature])
    return values


def say(env: Env, **values: object) -> str:
    name = "propose" if "values" in values else "ask"
    return str(env.step(write_call(name, **values))[0])


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Which colour would you like?", ["colour"]),
        ("COLOR???", ["colour"]),
        ("What format, please", ["size"]),
        ("size and colour?", ["colour", "size"]),
        ("What would you like?", []),
        ("Tell me about the colouring", []),
        ("", []),
    ],
)
def test_a_question_is_read_by_the_features_it_names(question: str, about: list[str]) -> None:
    assert wishes.asked(THEME, question) == about


def test_every_manner_of_answering() -> None:
    user = User(
        {"colour": "red", "size": "A4"},
        {"colour": "vague", "size": "depends"},
        {"size": ["colour", {"warm": "A4", "cold": "A0"}]},
    )
    assert wishes.answer(THEME, user, "colour") == "For the colour something warm."
    assert wishes.answer(THEME, user, "size") == (
        "My wish for the size depends on the colour: if that is warm, A4; if that is cold, A0."
    )
    assert wishes.combinations(THEME, user) == [{"colour": "red", "size": "A4"}, {"colour": "orange", "size": "A4"}]
    plain = User(user.wants, {"colour": "not", "size": "unsure"}, {"colour": ["blue", "green"]})
    assert wishes.answer(THEME, plain, "colour") == "For the colour not blue and not green."
    assert "A4" not in wishes.answer(THEME, plain, "size")
    assert wishes.answer(THEME, User(user.wants, {"size": "plain"}, {}), "size") == "For the size: A4."


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_answers_are_true_and_the_reference_ends(seed: int, features: int) -> None:
    rng = Stream(b"test", seed)
    theme = wishes.draw_theme(rng, features)
    user = wishes.draw_user(rng, theme, Manner(40, 20, 20, 1))
    left = wishes.combinations(theme, user)
    assert left is None or user.wants in left
    if left is not None:
        assert len({tuple(sorted(values.items())) for values in left}) == len(left)
        for named in (True, False):
            needed = wishes.messages_needed(theme, user, named)
            assert needed is not None
            assert features < needed <= features + len(left)


def test_no_word_stands_for_two_features_and_no_option_for_any() -> None:
    for bank in wishes._THEMES.values():
        words = [word for feature, (others, _) in bank.items() for word in (feature, *others)]
        assert len(words) == len(set(words))
        for _, groups in bank.values():
            assert not {
                word for options in groups.values() for option in options for word in option.lower().split()
            } & set(words)


@pytest.mark.parametrize("level", LEVELS)
def test_the_messages_are_enough_for_the_reference_and_tell_nothing_of_the_user(level: int) -> None:
    seen = {begun(level, seed).task.problem["messages"] for seed in range(5)}
    assert seen == {Params.at(level).most + Params.at(level).spare}
    assert begun(level).episode.instance.key["needed"] <= Params.at(level).most


def test_only_what_is_wanted_is_accepted() -> None:
    env = begun(7)
    assert "1 not as I want" in say(env, values=spoilt(env, 1))
    assert "3 not as I want" in say(env, values=spoilt(env, 3))
    assert "the user" not in say(env, values={})
    _, reward, terminated, _, info = env.step(write_call("propose", values=wants(env)))
    assert (reward, terminated, info["verdict"]["components"]["fitting"]) == (1.0, True, 1.0)


def test_who_names_what_is_wrong_names_it() -> None:
    env = begun(4)
    first = next(iter(wants(env)))
    assert f"not as I want: {first}." in say(env, values=spoilt(env, 1))


@pytest.mark.parametrize(
    "change", [{"colour of the moon": "red"}, {"": ""}, {"drop": "x"}], ids=["another", "empty", "unknown"]
)
def test_a_proposal_has_the_features_and_no_others(change: dict[str, str]) -> None:
    env = begun(3)
    assert "these features and no others" in say(env, values={**wants(env), **change})
    short = wants(env)
    short.popitem()
    assert "is missing or none of its options" in say(env, values=short)


def test_one_call_a_message_is_heard_and_every_message_counts() -> None:
    env = begun(3)
    total = env.task.problem["messages"]
    right = write_call("propose", values=wants(env))
    observation, _, terminated, _, _ = env.step(write_call("ask", question="hm?") + right)
    assert "one thing at a time" in observation
    assert "others were not" in observation
    assert not terminated
    assert f"Messages left: {total - 2}." in env.step("What would you like?")[0]
    for _ in range(total - 2):
        _, reward, terminated, _, info = env.step(write_call("ask", question="the same again?"))
    assert (reward, terminated, info["verdict"]["reason"]) == (0.0, True, "turn_limit")


def test_talking_on_yields_no_more_than_finishing() -> None:
    for seed in range(4):
        near, same = begun(8, seed), begun(8, seed)
        verdicts = []
        for env, wrong in ((near, 1), (same, 4)):
            while not env.episode.over:
                env.step(write_call("propose", values=spoilt(env, wrong)))
            verdict = env.episode.turns[-1].verdict
            assert verdict is not None
            assert verdict.score == 0.0
            verdicts.append(verdict.components["fitting"])
        assert 1 > verdicts[0] > verdicts[1]
        silent = begun(8, seed)
        while not silent.episode.over:
            silent.step(write_call("ask", question="What?"))
        last = silent.episode.turns[-1].verdict
        assert last is not None
        assert last.components["fitting"] == 0.0


def test_asking_again_gives_the_same_answer() -> None:
    env = begun(9)
    feature = next(iter(wants(env)))
    one, two = (say(env, question=f"the {feature}, please").split("\n")[0] for _ in range(2))
    assert one == two


def test_two_things_at_once_are_not_answered() -> None:
    env = begun(5)
    one, other, *_ = wants(env)
    assert "one thing at a time" in say(env, question=f"What about the {one} and the {other}?")
    assert env.episode.state.heard == frozenset()
