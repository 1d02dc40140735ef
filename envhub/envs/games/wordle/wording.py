"""The prompt of wordle-v0.

Phrasings of the rules, and renderings of the kind of secrets.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON
from envhub.envs.games.guessing import GOAL
from envhub.envs.games.wordle import words

_TASK: Final = Phrase(
    "I am thinking of a secret word of {letters} letters. Find it in at most {guesses}.",
    "Guess my secret word, which has {letters} letters. You have {guesses}.",
    "My secret word has {letters} letters. Your task is to find it within {guesses}.",
    held_out="You are the guesser: identify the word of {letters} letters that I have chosen, using no more than {guesses}.",
)
_SEVERAL: Final = Phrase(
    "I am thinking of {secrets} different secret words of {letters} letters each. Find all of them in at most {guesses}.",
    "Guess my {secrets} secret words, which are all different and have {letters} letters each. You have {guesses} in all.",
    "My {secrets} secret words are different from each other and have {letters} letters each. Your task is to find every one "
    "of them within {guesses}.",
    held_out="You are the guesser: identify the {secrets} distinct words of {letters} letters that I have chosen, using no "
    "more than {guesses} altogether.",
)
_COMMON: Final = Phrase(
    "Secret words are common English words.",
    "Only common words of English are chosen as secret words.",
    "You can expect a secret word to be in everyday use in English.",
    held_out="Secret words are drawn from a list of frequent English words.",
)
_MARKS: Final = Phrase(
    "After each guess, I mark each of its letters: {right} follows a letter that is in its right place, {elsewhere} follows a "
    "letter that is in the secret word but in another place, and {absent} follows any other letter.",
    "I answer a guess by writing a mark after every letter: {right} if the letter is in the right place, {elsewhere} if the "
    "secret word has it in a different place, {absent} otherwise.",
    "Each letter of your guess gets a mark, written directly after it. {right} means right letter and right place, "
    "{elsewhere} means that the letter occurs elsewhere in the secret word, and {absent} means neither.",
    held_out="The reply appends one mark to each letter of the guess: {right} = correct position; {elsewhere} = present at "
    "another position; {absent} = neither.",
)
_EVERY: Final = Phrase(
    "Every guess is marked separately for each secret word that you have not found yet.",
    "You get one line of marks for each secret word that is still to be found.",
    "For every guess, I give you the marks for each of the secret words, except for those that you have found already.",
    held_out="Marks are computed independently for each secret word not yet identified.",
)
_ONCE: Final = Phrase(
    "Each letter of the secret word is counted for at most one letter of your guess: first for letters in the right place, "
    "then for the others from left to right. For example, if the secret word were abca, the guess aaxb would be marked "
    "a{right} a{elsewhere} x{absent} b{elsewhere}.",
    "A letter that your guess has more often than the secret word is marked {absent} where it is in excess. Letters in the "
    "right place are matched first, the others from left to right. With the secret word abca, the guess aaxb would be marked "
    "a{right} a{elsewhere} x{absent} b{elsewhere}.",
    "No letter of the secret word is matched twice. Matches in the right place come first, then the remaining letters of your "
    "guess from left to right; letters without a match get {absent}. Example: for the secret word abca, the marks of the "
    "guess aaxb would be a{right} a{elsewhere} x{absent} b{elsewhere}.",
    held_out="Matching is one to one: letters in place are paired first, then remaining letters of the guess in order of "
    "position; unpaired ones get {absent}. Secret abca, guess aaxb: a{right} a{elsewhere} x{absent} b{elsewhere}.",
)
_ONE: Final = Phrase(
    "Each message is one guess: any {letters} letters from a to z. It does not have to be an English word.",
    "Make exactly one guess per message, with {letters} letters from a to z, whether they form an English word or not.",
    "Send one guess in every message. Any {letters} letters from a to z will do, even if they are no word.",
    held_out="One message carries one guess, an arbitrary string of {letters} letters from a to z.",
)
_WASTED: Final = Phrase(
    "A guess of another length or with other characters still counts, but is not marked. So does a message that is not a "
    "guess.",
    "A message that is not a guess, or a guess with the wrong length or other characters, uses up a guess without giving you "
    "any information.",
    "You also lose a guess, and learn nothing from it, if your guess has another length or other characters, or your message "
    "is not a guess.",
    held_out="Messages without a guess, and guesses of another length or with other characters, are charged as guesses and "
    "yield no marks.",
)
_GOALS: Final = Phrase(
    "You succeed if you guess every secret word. You fail if you run out of guesses.",
    "You win by guessing each of the secret words. When no guesses are left, you have lost.",
    "Guess all secret words to succeed. If you use up all guesses without that, you fail.",
    held_out="Success means that each secret word equals some guess. Exhausting the guesses is failure.",
)


def _in_words(problem: JSON) -> str:
    secrets = counted(problem["secrets"], "secret word")
    return f"There {'is' if problem['secrets'] == 1 else 'are'} {secrets} to find. Guesses left: {problem['guesses']}."


def _in_rows(problem: JSON) -> str:
    return (
        f"Secret words: {problem['secrets']}\nLetters of each secret word: {problem['letters']}\n"
        f"Guesses left: {problem['guesses']}"
    )


def _as_json(problem: JSON) -> str:
    known = {"secret_words": problem["secrets"], "letters": problem["letters"], "guesses_left": problem["guesses"]}
    return json.dumps(known)


def _as_pattern(problem: JSON) -> str:
    return f"{' '.join(['_' * problem['letters']] * problem['secrets'])} (guesses remaining: {problem['guesses']})"


_DATA: Final[Variants[Rendering]] = Variants(_in_words, _in_rows, _as_json, held_out=_as_pattern, name="data")


def statement(problem: JSON) -> Statement:
    """A game before it is worded."""
    several = problem["secrets"] > 1
    return Statement(
        task=_SEVERAL if several else _TASK,
        data=_DATA,
        problem=problem,
        rules=(_COMMON, _MARKS, *([_EVERY] if several else []), _ONCE, _ONE, _WASTED),
        note=_GOALS if several else GOAL,
        values={
            "letters": problem["letters"],
            "secrets": problem["secrets"],
            "guesses": counted(problem["guesses"], "guess", "guesses"),
            "secret": "the secret word",
            "right": words.RIGHT,
            "elsewhere": words.ELSEWHERE,
            "absent": words.ABSENT,
        },
        frames=GAME_FRAMES,
    )
