"""The prompt of mastermind-v0.

Phrasings of the rules, and renderings of the kind of code.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON
from envhub.envs.games.guessing import GOAL

_TASK: Final = Phrase(
    "I am thinking of a secret code of {pegs} digits. Find it in at most {guesses}.",
    "Crack my secret code, which has {pegs} digits. You have {guesses}.",
    "My secret code is a row of {pegs} digits. Your task is to find it within {guesses}.",
    held_out="You are the codebreaker: identify my sequence of {pegs} digits, using no more than {guesses}.",
)
_DIGITS: Final = Phrase(
    "Each digit of the code is from 1 to {colours}.",
    "The code uses only the digits 1 to {colours}.",
    "No digit of the code is smaller than 1 or larger than {colours}.",
    held_out="The alphabet of the code is 1, ..., {colours}.",
)
_REPEATS: Final = Phrase(
    "A digit may occur more than once in the code.",
    "The code may contain the same digit several times.",
    "Digits of the code may repeat.",
    held_out="Digits of the code need not be distinct.",
)
_DISTINCT: Final = Phrase(
    "A digit occurs at most once in the code.",
    "The digits of the code are all different.",
    "No digit of the code repeats.",
    held_out="Digits of the code are pairwise distinct.",
)
_EXACT: Final = Phrase(
    "After each wrong guess, I tell you two counts. The first one, exact, is the number of digits of your guess that are right "
    "and in the right place.",
    "I answer a wrong guess with two counts. One is called exact: the digits that are correct and stand in the correct place.",
    "A wrong guess gets two counts as a reply: exact counts the digits of the guess that equal the digit of the code in the "
    "same place.",
    held_out="The reply to an incorrect guess consists of the counts exact and partial, where exact is the number of "
    "positions in which guess and code agree.",
)
_PARTIAL: Final = Phrase(
    "The second count, partial, is the number of other digits of your guess that occur in the code in another place.",
    "The other count is called partial: the remaining digits of your guess that are in the code, but in a different place.",
    "Besides exact there is partial, which counts the digits of the guess that the code has somewhere else.",
    held_out="The count partial is the number of further digits of the guess that the code contains at a different position.",
)
_ONCE: Final = Phrase(
    "Each digit of the code is counted for at most one digit of your guess, exact matches first.",
    "A digit of the code matches at most one digit of your guess. Exact matches are counted first.",
    "No digit of the code is counted twice: exact matches are taken out first, and partial ones are counted among the rest.",
    held_out="Matching is one to one: exact pairs are removed, then partial pairs are formed from what remains.",
)
_ONE: Final = Phrase(
    "Each message is one guess of {pegs} digits. A guess may repeat digits.",
    "Make exactly one guess per message: {pegs} digits, which may repeat.",
    "Send one guess in every message. It has {pegs} digits, and the same digit may occur more than once in it.",
    held_out="One message carries one guess, a sequence of {pegs} digits that need not be distinct.",
)
_WASTED: Final = Phrase(
    "A guess of another length or with another digit still counts, but gets no counts. So does a message that is not a guess.",
    "A message that is not a guess, or a guess with the wrong length or a digit that is not allowed, uses up a guess without "
    "giving you any information.",
    "You also lose a guess, and learn nothing from it, if your guess has another length or other digits, or your message is "
    "not a guess.",
    held_out="Messages without a guess, and guesses of another length or with other digits, are charged as guesses and yield "
    "no information.",
)


def _in_words(problem: JSON) -> str:
    pegs, colours, guesses = problem["pegs"], problem["colours"], problem["guesses"]
    repeated = "A digit may repeat." if problem["repeats"] else "No digit repeats."
    return f"My code has {pegs} digits from 1 to {colours}. {repeated} Guesses left: {guesses}."


def _in_rows(problem: JSON) -> str:
    return (
        f"Length of the code: {problem['pegs']}\nDigits: 1 to {problem['colours']}\n"
        f"Repeated digits in the code: {'possible' if problem['repeats'] else 'none'}\nGuesses left: {problem['guesses']}"
    )


def _as_json(problem: JSON) -> str:
    digits = list(range(1, problem["colours"] + 1))
    known = {"length": problem["pegs"], "digits": digits, "repeats": problem["repeats"]}
    return json.dumps({**known, "guesses_left": problem["guesses"]})


def _as_set(problem: JSON) -> str:
    kind = "any sequence" if problem["repeats"] else "a sequence of distinct members"
    return f"my code: {kind} in {{1, ..., {problem['colours']}}}^{problem['pegs']}; guesses remaining: {problem['guesses']}"


_DATA: Final[Variants[Rendering]] = Variants(_in_words, _in_rows, _as_json, held_out=_as_set, name="data")


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_DIGITS, _REPEATS if problem["repeats"] else _DISTINCT, _EXACT, _PARTIAL, _ONCE, _ONE, _WASTED),
        note=GOAL,
        values={
            "pegs": problem["pegs"],
            "colours": problem["colours"],
            "guesses": counted(problem["guesses"], "guess", "guesses"),
            "secret": "my code",
        },
        frames=GAME_FRAMES,
    )
