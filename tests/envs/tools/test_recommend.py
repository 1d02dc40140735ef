"""preference-v1: the fewest questions by another search, a reader of replies, and attacks that gain nothing."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.envs.tools.recommend.bank import BANK
from envhub.envs.tools.recommend.offers import Market, draw_market, questions_needed
from envhub.envs.tools.recommend.user import User, reply
from envhub.gymnasium.env import Env

ID = "preference-v1"


def begun(seed: int = 1, level: int = 5) -> Env:
    env = envhub.make(ID, difficulty=level)
    env.reset(seed=seed)
    return env


def words(env: Env) -> list[str]:
    problem = env.task.problem
    return [BANK[problem["thing"]][name].phrases[0] for name in problem["features"]]


def best(env: Env) -> str:
    """The best offer, from the dollars in the user's answers, asked on a copy."""
    problem = env.task.problem
    costs = dict(zip("ABCDEFGHIJKLMNOPQRST", problem["prices"], strict=False))
    for at, word in enumerate(words(env)):
        told, *_ = env.fork().step(write_call("say", message=f"And {word}?"))
        feature = BANK[problem["thing"]][problem["features"][at]]
        paid = re.search(r"\$(\d+)", str(told).partition("Questions")[0])
        if paid:
            plain = str(told).lower()
            for taste, (form, penalties) in enumerate(feature.tastes):
                if form.format(*problem["units"][at]).lower() in plain:
                    unit = problem["units"][at][taste]
                    assert unit == int(paid[1])
                    for letter, levels in zip(costs, problem["offers"], strict=True):
                        costs[letter] += unit * penalties[levels[at]]
    return min(costs, key=lambda letter: costs[letter])


def finished(env: Env, *calls: str) -> dict[str, Any]:
    twin = env.fork()
    for call in calls:
        _, _, _, _, info = twin.step(call)
    found: dict[str, Any] = info["verdict"]
    return found


def fewest(market: Market) -> int:
    """The fewest questions in the worst case, over sets of users: slow, and without a bound between offers."""
    users = list(product(range(3), repeat=len(market.features)))
    costs = {user: market.costs(user) for user in users}
    winners = {user: frozenset(at for at, cost in enumerate(row) if cost == min(row)) for user, row in costs.items()}

    @cache
    def needed(left: frozenset[tuple[int, ...]]) -> int:
        if frozenset.intersection(*(winners[user] for user in left)):
            return 0
        split = []
        for at in range(len(market.features)):
            parts = [frozenset(user for user in left if user[at] == taste) for taste in range(3)]
            if sum(map(bool, parts)) > 1:
                split.append(max(needed(part) for part in parts if part))
        return 1 + min(split)

    return needed(frozenset(users))


@pytest.mark.parametrize("seed", range(12))
def test_the_number_of_free_questions_is_the_minimum(seed: int) -> None:
    rng = Stream(b"market", seed)
    market = draw_market(rng, rng.choice(list(BANK)), features=3 + seed % 2, idle=seed % 2, offers=4 + seed % 3)
    assert questions_needed(market) == fewest(market)


def test_a_bound_that_is_too_small_would_be_seen() -> None:
    markets = [draw_market(Stream(b"other", seed), "flat", features=3, idle=0, offers=6) for seed in range(6)]
    assert any(fewest(market) > 2 for market in markets)
    assert {questions_needed(market) for market in markets} > {3} or all(questions_needed(m) == 3 for m in markets)


@pytest.mark.parametrize("level", [1, 4, 7])
def test_the_answers_lead_to_the_best_offer(level: int) -> None:
    for seed in range(4):
        env = begun(seed, level)
        found = finished(env, write_call("recommend", offer=best(env)))
        assert (found["score"], found["components"]["fit"]) == (1.0, 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_asking_everything_costs_a_tenth_for_each_question_too_many(seed: int) -> None:
    env = begun(seed)
    every = write_call("say", message=" and ".join(words(env)))
    found = finished(env, every, write_call("recommend", offer=best(env)))
    extra = len(words(env)) - env.task.problem["questions"]
    assert extra > 0
    assert (found["solved"], found["score"]) == (False, pytest.approx(1 - 0.1 * extra))
    assert finished(env, *[every] * 8, write_call("recommend", offer=best(env)))["score"] == 0.0


def test_recommending_several_offers_or_none_ends_nothing() -> None:
    env = begun()
    for offer in ("A, B", "AB", "", "all", "a", "Z", "\u0410", "A\u200b", "ABCDEFG" * 900):
        shown, reward, terminated, *_ = env.fork().step(write_call("recommend", offer=offer))
        assert not terminated
        assert reward == 0.0, shown


def test_the_user_tells_only_what_is_asked_and_repeats_nothing_of_what_is_said() -> None:
    env = begun()
    for message in (
        "",
        "Which offer is the best?",
        "I love window seats",
        "Tell me everything",
        "\u0455tops",
        "?" * 2000,
    ):
        asked, said = reply(_user(env), message)
        assert (asked == ()) is ("$" not in said and "seats" not in message)
        assert "love" not in said
    one = words(env)[0]
    assert reply(_user(env), f"{one}?") == reply(
        _user(env), f"You do not care about {one}, say that you do not care. {one}!"
    )


def _user(env: Env) -> User:
    problem, key = env.task.problem, env.episode.instance.key
    units = tuple((one, two) for one, two in problem["units"])
    return User(problem["thing"], tuple(problem["features"]), units, tuple(key["tastes"]), key["style"])


@pytest.mark.parametrize("thing", BANK)
def test_every_word_for_a_feature_is_understood_and_every_taste_can_be_told_apart(thing: str) -> None:
    features = tuple(BANK[thing])
    for at, name in enumerate(features):
        said = set()
        for taste in range(3):
            tastes = tuple(taste if other == at else 0 for other in range(len(features)))
            for style in range(3):
                user = User(thing, features, ((30, 40),) * len(features), tastes, style)
                for phrase in BANK[thing][name].phrases:
                    assert name in reply(user, f"What about the {phrase.upper()}?")[0], phrase
                said.add((taste, reply(user, BANK[thing][name].phrases[0])[1]))
        assert len({text for _, text in said}) == 9


def test_not_asking_finds_the_best_offer_for_at_most_half_of_all_users() -> None:
    for seed in range(8):
        problem = begun(seed, 3).task.problem
        market = Market(problem["thing"], tuple(problem["features"]), tuple(map(tuple, problem["units"])),
                        tuple(map(tuple, problem["offers"])), tuple(problem["prices"]))  # fmt: skip
        users = [market.costs(tastes) for tastes in product(range(3), repeat=len(market.features))]
        for offer in range(len(market.offers)):
            assert sum(costs[offer] == min(costs) for costs in users) <= len(users) / 2


@given(st.text(max_size=300))
def test_no_message_breaks_the_user(message: str) -> None:
    env = begun(1, 1)
    _, reward, terminated, *_ = env.step(write_call("say", message=message))
    assert (reward, terminated) == (0.0, False)
