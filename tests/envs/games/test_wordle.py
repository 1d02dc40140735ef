"""wordle-v0: the marks, what a guess costs, several secrets, and an oracle that reasons."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.wordle import words
from envhub.envs.games.wordle.environment import Params, State, Wordle
from tests.envs.playing import oracle_ends

RNG = Stream(b"test", "wordle")
GAME = Wordle()
FIVE = st.text("abcde", min_size=5, max_size=5)


def game(*secrets: str, guesses: int = 6) -> Instance:
    return Instance({"letters": len(secrets[0]), "secrets": len(secrets), "guesses": guesses}, key=list(secrets))


def play(inst: Instance, *texts: str) -> list[Turn]:
    state, turns = GAME.begin(inst, RNG), []
    for text in texts:
        turn: Any = GAME.advance(inst, state, text, RNG)
        turns.append(turn)
        state = turn.state
    return turns


def by_crossing_out(secret: str, guess: str) -> str:
    """The marks as a person finds them: cross letters out of the secret, right places first."""
    left, found = list(secret), ["-"] * len(guess)
    for i in range(len(guess)):
        if guess[i] == secret[i]:
            found[i] = "+"
            left[i] = ""
    for i in range(len(guess)):
        if found[i] == "-" and guess[i] in left:
            found[i] = "?"
            left[left.index(guess[i])] = ""
    return "".join(found)


@pytest.mark.parametrize(
    ("secret", "guess", "expected"),
    [
        ("crane", "crane", "+++++"),
        ("crane", "eerie", "--?-+"),
        ("level", "eagle", "?--??"),
        ("abbey", "babes", "??++-"),
        ("speed", "eerie", "??---"),
        ("about", "llama", "--?--"),
        ("about", "fuzzy", "-?---"),
    ],
)
def test_marks_of_known_words(secret: str, guess: str, expected: str) -> None:
    assert words.marks(secret, guess) == expected
    said = play(game(secret), guess)[0].observation
    if secret != guess:
        assert said == " ".join(a + b for a, b in zip(guess, expected, strict=True)) + "\nGuesses left: 5."


@given(FIVE, FIVE)
def test_marks_agree_with_crossing_out_and_count_every_common_letter_once(secret: str, guess: str) -> None:
    found = words.marks(secret, guess)
    assert found == by_crossing_out(secret, guess)
    common = sum(min(secret.count(letter), guess.count(letter)) for letter in set(guess))
    assert len(found) - found.count("-") == common
    assert (found == "+++++") == (secret == guess)


def test_the_list_is_plain_words_sorted_and_enough_of_them() -> None:
    for letters in range(4, 8):
        listed = words.of_length(letters)
        assert len(listed) >= 500
        assert list(listed) == sorted(set(listed))
        assert all(word.isascii() and word.isalpha() and word.islower() for word in listed)


@pytest.mark.parametrize("text", ["crane", "CRANE", '"crane"', "**Crane**"])
def test_the_secret_counts_however_it_is_written(text: str) -> None:
    turn = play(game("crane"), f"<answer>{text}</answer>")[0]
    assert turn.verdict is not None
    assert (turn.verdict.score, turn.verdict.solved, turn.verdict.components["found"]) == (1.0, True, 1.0)


@pytest.mark.parametrize("text", ["cran", "cranes", "cr\u00e4ne", "\u0441rane"])
def test_a_guess_that_is_no_guess_of_the_game_costs_one_and_tells_nothing(text: str) -> None:
    said = {play(game(secret), text)[0].observation for secret in ("crane", "house", "level")}
    assert said == {"A guess has 5 letters from a to z.\nGuesses left: 5."}


@pytest.mark.parametrize(
    "text", ["", "crane or house", "<answer>crane</answer><answer>house</answer>", "c r a n e", "5"]
)
def test_what_cannot_be_read_costs_one(text: str) -> None:
    first, second = play(game("crane", guesses=2), text, text)
    assert first.observation.endswith("Guesses left: 1.")
    assert first.verdict is None
    assert second.verdict is not None
    assert (second.verdict.solved, second.verdict.status) == (False, "graded")


def test_letters_need_make_no_word() -> None:
    assert play(game("crane"), "zzeaa")[0].observation.startswith("z- z- e? a? a-")


def test_the_last_guess_counts_and_a_lost_game_does_not_tell_the_secret() -> None:
    inst = game("crane", guesses=2)
    assert play(inst, "house", "crane")[1].verdict.solved  # type: ignore[union-attr]
    for last in ("house", "what?", "1"):
        lost = play(inst, "house", last)[1]
        assert lost.terminated
        assert lost.observation.endswith("No guesses are left.")
        assert "crane" not in repr(lost)


def test_several_secrets_are_marked_by_themselves_and_all_are_needed() -> None:
    inst = game("crane", "house", guesses=4)
    first, second, third = play(inst, "horse", "crane", "house")
    assert first.observation == ("Word 1: h- o- r? s- e+\nWord 2: h+ o+ r- s+ e+\nGuesses left: 3.")
    assert second.verdict is None
    assert second.observation.startswith("Word 1: crane is right. Found.\nWord 2: c- r- a- n- e+")
    assert third.verdict is not None
    assert third.verdict.solved
    again = play(inst, "crane", "mouse")[1]
    assert again.observation.startswith("Word 1: found (crane).\nWord 2: m- o+ u+ s+ e+")


def test_a_secret_counts_once_and_repeating_it_yields_less_than_finishing() -> None:
    inst = game("crane", "house", guesses=6)
    looped = play(inst, *["crane"] * 6)[-1].verdict
    won = play(inst, "crane", "house")[-1].verdict
    none = play(inst, *["level"] * 6)[-1].verdict
    assert looped is not None
    assert won is not None
    assert none is not None
    assert (looped.score, looped.solved, looped.components["found"]) == (0.0, False, 0.5)
    assert (won.score, won.components["found"], none.components["found"]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_secrets_are_as_the_parameters_say(level: int) -> None:
    p = Params.at(level)
    for seed in range(20):
        inst: Any = GAME.sample(Stream(b"test", level, seed), p)
        assert len(set(inst.key)) == p.secrets
        assert set(inst.key) <= set(words.of_length(p.letters))


@given(
    st.lists(st.sampled_from(["crane", "house", "level", "abcde", "no guess", ""]), max_size=5),
    st.lists(st.sampled_from(words.of_length(5)), min_size=1, max_size=4, unique=True),
    st.integers(0, 5),
)
def test_the_oracle_wins_from_wherever_a_policy_has_got_to(before: list[str], secrets: list[str], spare: int) -> None:
    inst = game(*secrets, guesses=len(before) + len(secrets) + spare)
    turns = play(inst, *before)
    if any(turn.verdict for turn in turns):
        return
    state: State = turns[-1].state if turns else GAME.begin(inst, RNG)
    last = oracle_ends(GAME, inst, state, RNG).verdict
    assert last is not None
    assert last.solved


@pytest.mark.parametrize("bad", [{"letters": 3}, {"letters": 8}, {"secrets": 5}, {"secrets": 3, "guesses": 2}])
def test_parameters_that_make_no_game_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hold|greater|less"):
        Params(**bad)
