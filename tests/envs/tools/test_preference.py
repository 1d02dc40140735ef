"""preference-v0: the user is read and answers by rules, the reference always finds it, and talking on earns nothing."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, wilson
from envhub.envs.tools.preference import simulated_user
from envhub.envs.tools.preference.environment import Params
from envhub.envs.tools.preference.simulated_user import Manner, Theme, User
from envhub.gymnasium.env import Env

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
    assert simulated_user.asked(THEME, question) == about


def test_every_manner_of_answering() -> None:
    user = User(
        {"colour": "red", "size": "A4"},
        {"colour": "vague", "size": "depends"},
        {"size": ["colour", {"warm": "A4", "cold": "A0"}]},
    )
    assert simulated_user.answer(THEME, user, "colour") == "For the colour, something warm."
    assert simulated_user.answer(THEME, user, "size") == (
        "My wish for the size depends on the colour: if that is warm, A4; if that is cold, A0."
    )
    assert simulated_user.left_open(THEME, user) == {"colour": ["red", "orange"], "size": ["A4"]}
    plain = User(user.wants, {"colour": "not", "size": "unsure"}, {"colour": ["blue", "green", "orange"]})
    assert simulated_user.answer(THEME, plain, "colour") == "For the colour, neither blue nor green nor orange."
    assert simulated_user.left_open(THEME, plain)["colour"] == ["red"]
    assert "A4" not in simulated_user.answer(THEME, plain, "size")
    assert simulated_user.answer(THEME, User(user.wants, {"size": "plain"}, {}), "size") == "For the size: A4."


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(4, 9))
def test_answers_are_true_and_leave_open_what_they_should(seed: int, features: int) -> None:
    rng = Stream(b"test", seed)
    theme = simulated_user.draw_theme(rng, features)
    user = simulated_user.draw_user(rng, theme, Manner(2, 1, 20, 40))
    left = simulated_user.left_open(theme, user)
    assert all(wanted in left[feature] for feature, wanted in user.wants.items())
    sizes = {"vague": 3, "unsure": 6}
    assert {f: len(options) for f, options in left.items()} == {f: sizes.get(user.says[f], 1) for f in left}
    assert Counter(user.says.values())["vague"] == 2
    for feature, (other, told) in ((f, fact) for f, fact in user.facts.items() if user.says[f] == "depends"):
        assert user.says[other] in ("vague", "plain")
        assert told[simulated_user.group_of(theme, other, user.wants[other])] == user.wants[feature]


def best_worst(sizes: tuple[int, ...], most: int) -> bool:
    """Whether some player finds any combination in so many proposals, if wrong features are counted: every play is tried."""
    every = list(product(*map(range, sizes)))

    def can(left: tuple[tuple[int, ...], ...], tries: int) -> bool:
        if tries == 0 or len(left) <= 1:
            return tries > 0
        for one in every:
            classes: dict[int, list[tuple[int, ...]]] = {}
            for other in left:
                count = sum(a != b for a, b in zip(one, other, strict=True))
                if count:
                    classes.setdefault(count, []).append(other)
            if all(len(some) < len(left) and can(tuple(some), tries - 1) for some in classes.values()):
                return True
        return False

    return can(tuple(every), most)


@pytest.mark.parametrize("counts", [(1, 0), (2, 0), (0, 1)])
def test_the_proposals_are_enough_and_one_fewer_may_not_be(counts: tuple[int, int]) -> None:
    sizes = (3,) * counts[0] + (6,) * counts[1]
    needed = simulated_user.proposals_needed(*counts, named=False)
    assert best_worst(sizes, needed)
    assert not best_worst(sizes, needed - 1)


Chosen = tuple[str, ...]


def at_worst(left: list[Chosen], inside: set[Chosen], one: Chosen) -> tuple[int, bool]:
    """How many combinations can remain after a proposal; of equals, one that may be right comes first."""
    counts = Counter(sum(a != b for a, b in zip(one, other, strict=True)) for other in left)
    return max((many for count, many in counts.items() if count), default=0), one not in inside


def good_player(env: Env) -> str:
    """Asks about everything; then makes the proposal after which the fewest combinations can remain. Reads only answers."""
    features = env.task.problem["features"]
    heard: dict[str, list[str]] = {}
    for feature, groups in features.items():
        said = say(env, question=f"Which {feature} would you like?").split("\n")[0]
        options = [option for group in groups.values() for option in group]
        if "not sure" in said:
            heard[feature] = options
        elif "something" in said:
            heard[feature] = groups[said.removesuffix(".").partition("something ")[2]]
        elif "neither" in said:
            out = said.removesuffix(".").partition("neither ")[2].split(" nor ")
            heard[feature] = [option for option in options if option not in out]
        elif "depends" in said:
            heard[feature] = [said]
        else:
            heard[feature] = [said.removesuffix(".").partition(": ")[2]]
    for feature, (said, *_) in heard.items():
        if said.startswith("My wish"):
            other, _, cases = said.partition(" depends on the ")[2].removesuffix(".").partition(": ")
            group = next(g for g, options in features[other].items() if heard[other][0] in options)
            told = dict(case.removeprefix("if that is ").split(", ", 1) for case in cases.split("; "))
            heard[feature] = [told[group]]
    every = list(product(*heard.values()))
    left, shown = every, ""
    while not env.episode.over:
        tried = left if env.task.problem["named"] or len(left) > 200 else every
        one = min(tried, key=partial(at_worst, left, set(left)))
        shown = say(env, values=dict(zip(heard, one, strict=True)))
        if env.episode.over:
            break
        if env.task.problem["named"]:
            named = set(shown.partition("match: ")[2].partition(".")[0].split(", "))
            left = [o for o in left if {f for f, a, b in zip(heard, one, o, strict=True) if a != b} == named]
        else:
            count = int(shown.split()[0])
            left = [other for other in left if sum(a != b for a, b in zip(one, other, strict=True)) == count]
    return shown


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 6, 7, 8])
def test_who_reads_nothing_but_the_answers_always_finds_it(level: int) -> None:
    for seed in range(3):
        env = begun(level, seed)
        assert good_player(env) == "That is exactly what I want.", (level, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("level", LEVELS)
def test_who_reads_nothing_but_the_answers_always_finds_it_at_length(level: int) -> None:
    for seed in range(20):
        assert good_player(begun(level, 100 + seed)) == "That is exactly what I want.", (level, seed)


def never_asks(env: Env, rng: Stream) -> bool:
    """Proposes first options, then steps what is named wrong; where it is counted, anything that agrees with the counts."""
    problem = env.task.problem
    options = {f: [o for group in groups.values() for o in group] for f, groups in problem["features"].items()}
    at, past = dict.fromkeys(options, 0), list[tuple[dict[str, int], int]]()
    while not env.episode.over:
        shown = say(env, values={feature: options[feature][index % 6] for feature, index in at.items()})
        if problem["named"]:
            named = shown.partition("match: ")[2].partition(".")[0].split(", ")
            at = {feature: index + (feature in named) for feature, index in at.items()}
        elif not env.episode.over:
            past.append((at, int(shown.split()[0])))
            for _ in range(40_000):
                at = {feature: rng.below(6) for feature in options}
                if all(sum(at[f] != old[f] for f in old) == count for old, count in past):
                    break
    verdict = env.episode.turns[-1].verdict
    return bool(verdict and verdict.solved)


@pytest.mark.parametrize(("level", "episodes"), [(1, 150), (2, 100), (3, 150), (4, 100), (5, 20)])
def test_who_never_asks_solves_almost_nothing(level: int, episodes: int) -> None:
    solved = sum(never_asks(begun(level, seed), Stream(b"blind", seed)) for seed in range(episodes))
    assert wilson(solved, episodes, NORMAL_999)[0] <= 0.05, (level, solved, episodes)


def test_no_word_stands_for_two_features_and_no_option_for_any() -> None:
    for bank in simulated_user._THEMES.values():
        words = [word for feature, (others, _) in bank.items() for word in (feature, *others)]
        assert len(words) == len(set(words))
        for _, groups in bank.values():
            assert not {
                word for options in groups.values() for option in options for word in option.lower().split()
            } & set(words)


@pytest.mark.parametrize("level", LEVELS)
def test_limits_tell_nothing_of_the_user(level: int) -> None:
    seen = {
        (begun(level, seed).task.problem["messages"], begun(level, seed).task.problem["proposals"]) for seed in range(5)
    }
    assert len(seen) == 1
    [(messages, proposals)] = seen
    assert messages == Params.at(level).features + proposals + Params.at(level).spare


def test_only_what_is_wanted_is_accepted() -> None:
    env = begun(7)
    assert "1 feature does not match. Proposals left: 5." in say(env, values=spoilt(env, 1))
    assert "3 features do not match." in say(env, values=spoilt(env, 3))
    assert "It does not count as a proposal." in say(env, values={})
    _, reward, terminated, _, info = env.step(write_call("propose", values=wants(env)))
    assert (reward, terminated, info["verdict"]["components"]["fitting"]) == (1.0, True, 1.0)


def test_the_last_proposal_ends_the_task() -> None:
    env = begun(1)
    assert "Proposals left: 1." in say(env, values=spoilt(env, 1))
    say(env, values={})  # not a proposal
    assert not env.episode.over
    observation, reward, terminated, _, info = env.step(write_call("propose", values=spoilt(env, 1)))
    assert (reward, terminated, info["verdict"]["status"]) == (0.0, True, "graded")
    assert observation.endswith("That was your last proposal.")
    assert info["verdict"]["components"]["fitting"] == pytest.approx(2 / 3)


def test_who_names_what_is_wrong_names_it() -> None:
    env = begun(4)
    first = next(iter(wants(env)))
    assert f"1 feature does not match: {first}." in say(env, values=spoilt(env, 1))


@pytest.mark.parametrize(
    "change", [{"colour of the moon": "red"}, {"": ""}, {"drop": "x"}], ids=["another", "empty", "unknown"]
)
def test_a_proposal_has_the_features_and_no_others(change: dict[str, str]) -> None:
    env = begun(3)
    assert "these features and no others" in say(env, values={**wants(env), **change})
    short = wants(env)
    short.popitem()
    assert "lacks the feature" in say(env, values=short)
    other = {**wants(env), next(iter(wants(env))): "nonsense"}
    assert "'nonsense' is not an option of" in say(env, values=other)


def test_one_call_a_message_is_heard_and_every_message_counts() -> None:
    env = begun(3)
    total = env.task.problem["messages"]
    right = write_call("propose", values=wants(env))
    observation, _, terminated, _, _ = env.step(write_call("ask", question="hm?") + right)
    assert "one thing at a time" in observation
    assert "the others were ignored" in observation
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
