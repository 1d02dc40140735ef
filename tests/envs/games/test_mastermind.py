"""mastermind-v0: the counts, what a guess costs, and an oracle that reasons."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.difficulty import resolve
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.mastermind import environment as mastermind
from envhub.envs.games.mastermind.environment import Code, Mastermind, Params, State, feedback
from envhub.verifiers.answers.types import Unreadable
from tests.envs.playing import oracle_ends

RNG = Stream(b"test", "mastermind")
GAME = Mastermind()


def game(key: str = "1344", colours: int = 6, repeats: bool = True, guesses: int = 10) -> Instance:
    return Instance({"pegs": len(key), "colours": colours, "repeats": repeats, "guesses": guesses}, key=key)


def play(inst: Instance, *texts: str) -> list[Turn]:
    state, turns = GAME.begin(inst, RNG), []
    for text in texts:
        turn: Any = GAME.advance(inst, state, text, RNG)
        turns.append(turn)
        state = turn.state
    return turns


def by_crossing_out(secret: list[int], guess: list[int]) -> tuple[int, int]:
    """The counts as a person finds them: cross out exact hits, then match what is left one by one."""
    exact = [i for i in range(len(secret)) if secret[i] == guess[i]]
    rest = [secret[i] for i in range(len(secret)) if i not in exact]
    partial = 0
    for i in range(len(guess)):
        if i not in exact and guess[i] in rest:
            rest.remove(guess[i])
            partial += 1
    return len(exact), partial


@pytest.mark.parametrize(
    ("secret", "guess", "counts"),
    [
        ("1122", "2211", (0, 4)),
        ("1234", "1111", (1, 0)),
        ("1123", "2111", (1, 2)),
        ("1234", "5555", (0, 0)),
        ("1344", "4413", (0, 4)),
        ("1344", "4444", (2, 0)),
    ],
)
def test_counts_of_known_codes(secret: str, guess: str, counts: tuple[int, int]) -> None:
    assert feedback(list(map(int, secret)), list(map(int, guess))) == counts
    said = play(game(secret), guess)[0].observation
    assert said == f"{guess}: {counts[0]} exact, {counts[1]} partial. Guesses left: 9."


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(1, 5), min_size=n, max_size=n)] * 2)))
def test_counts_agree_with_crossing_out_and_are_symmetric(codes: tuple[list[int], list[int]]) -> None:
    secret, guess = codes
    assert feedback(secret, guess) == by_crossing_out(secret, guess) == feedback(guess, secret)
    assert sum(feedback(secret, guess)) == (Counter(secret) & Counter(guess)).total()


@pytest.mark.parametrize("text", ["1344", "1 3 4 4", "1, 3, 4, 4", "1-3-4-4", "[1,3,4,4]", "(1 3 4 4)", "**1344**"])
def test_a_right_code_counts_however_it_is_written(text: str) -> None:
    turn = play(game(), f"<answer>{text}</answer>")[0]
    assert turn.verdict is not None
    assert turn.verdict.solved
    assert turn.observation == "1344 is my code. You found it."


@pytest.mark.parametrize(
    "text",
    [
        "-1344",
        "1,344",
        "13 44",
        "1344.5",
        "1 3 4 4 or 1 3 4 5",
        "1344 1345",
        "+1344",
        "",
        "1;3",
        "\u0661\u0663",
        "1--3",
    ],
)
def test_what_is_no_code_is_not_read(text: str) -> None:
    with pytest.raises(Unreadable):
        Code().parse(text)


def test_leading_zeros_make_another_code() -> None:
    assert Code().parse("0012") == (0, 0, 1, 2)
    assert not play(game(), "01344")[0].terminated


@pytest.mark.parametrize("text", ["134", "13444", "0344", "7344", "134" * 20])
def test_a_guess_that_is_no_code_of_the_game_costs_one_and_tells_nothing(text: str) -> None:
    said = {play(game(key), text)[0].observation for key in ("1344", "6666", "2134")}
    assert said == {"A guess has 4 digits, each from 1 to 6. Guesses left: 9."}


@pytest.mark.parametrize(
    "text", ["", "red", "1344 or 1345", "<answer>1344</answer><answer>1345</answer>", "\x00", "9" * 999]
)
def test_what_cannot_be_read_costs_one(text: str) -> None:
    first, second = play(game(guesses=2), text, text)
    assert first.observation.endswith("Guesses left: 1.")
    assert first.verdict is None
    assert second.verdict is not None
    assert (second.verdict.solved, second.verdict.status) == (False, "graded")


def test_the_last_guess_counts_and_a_lost_game_does_not_tell_the_secret() -> None:
    inst = game(guesses=2)
    assert play(inst, "1111", "1344")[1].verdict.solved  # type: ignore[union-attr]
    for last in ("1345", "what?", "1"):
        lost = play(inst, "1111", last)[1]
        assert lost.terminated
        assert lost.observation.endswith("No guesses are left.")
        assert "1344" not in repr(lost)


@given(
    st.text("123456", min_size=4, max_size=4), st.lists(st.text("1234567 ", max_size=5), max_size=6), st.integers(1, 9)
)
def test_the_oracle_wins_from_wherever_a_policy_has_got_to(key: str, before: list[str], left: int) -> None:
    inst = game(key, guesses=len(before) + left)
    turns = play(inst, *before)
    if any(turn.verdict for turn in turns):
        return
    state: State = turns[-1].state if turns else GAME.begin(inst, RNG)
    last = oracle_ends(GAME, inst, state, RNG).verdict
    assert last is not None
    assert last.solved


@given(st.permutations("123456").map(lambda p: "".join(p[:4])), st.booleans())
def test_the_oracle_only_says_what_fits_all_answers(key: str, repeats: bool) -> None:
    inst = game(key, repeats=repeats, guesses=63)
    state = GAME.begin(inst, RNG)
    for _ in range(20):
        guess = GAME.solve(inst, state)
        assert all(
            by_crossing_out(list(map(int, guess)), list(old)) == counts
            for old, *counts_ in state.answered
            for counts in [tuple(counts_)]
        )
        assert repeats or len(set(guess)) == 4
        turn: Any = GAME.advance(inst, state, guess, RNG)
        if turn.verdict is not None:
            return
        state = turn.state
    pytest.fail("a player that only says what fits needs fewer guesses")


def test_the_oracle_is_bounded_and_wins_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mastermind, "_WORK", 2)
    assert GAME.solve(game(), GAME.begin(game(), RNG)) == "1344"


@given(st.integers(0, 10**6), st.booleans())
def test_secrets_are_as_the_parameters_say(seed: int, repeats: bool) -> None:
    params = Params(pegs=4, colours=5, repeats=repeats)
    key = GAME.sample(Stream(b"s", seed), params).key
    assert len(key) == 4
    assert set(key) <= set("12345")
    assert repeats or len(set(key)) == 4


def test_the_example_of_the_prompt_is_refused_as_a_secret() -> None:
    assert not GAME.accepts(game(Code.example))
    assert GAME.accepts(game("1132"))


@pytest.mark.parametrize(
    "bad", [{"pegs": 1}, {"colours": 10}, {"guesses": 64}, {"pegs": 7, "repeats": False}, {"repeats": 1}]
)
def test_parameters_that_make_no_game_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameters):
        resolve(Params, None, bad)
