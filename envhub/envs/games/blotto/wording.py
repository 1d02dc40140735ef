"""The prompt of blotto-v0.

Phrasings of the rules, and renderings of the score.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.wording import Phrase, counted
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are {seat} in a game of Colonel Blotto over {rounds}.",
    "Play Colonel Blotto as {seat}. The game lasts {rounds}.",
    "This is a game of Colonel Blotto with {rounds}, and you play {seat}.",
    held_out="Your part in a Colonel Blotto contest of {rounds} is that of {seat}.",
)
_SECRET: Final = Phrase(
    "In each round, both players distribute {troops} troops over {fields} fields at the same time, without seeing the other's "
    "choice.",
    "A round begins with both players secretly distributing {troops} troops each over the same {fields} fields.",
    "Every round, you and the other player choose independently how to distribute {troops} troops over {fields} fields. "
    "Neither sees the other's choice.",
    held_out="A round consists of two simultaneous and hidden choices: each player allocates {troops} troops to {fields} "
    "fields.",
)
_ALL: Final = Phrase(
    "You must place all {troops} troops. You may leave a field empty.",
    "The numbers of troops must add up to {troops}. A field may get 0 troops.",
    "No troops may be left over: exactly {troops} are placed. Fields without troops are allowed.",
    held_out="Allocations are nonnegative integers with the sum {troops}.",
)
_FIELD: Final = Phrase(
    "The player with more troops on a field wins this field. A field with equal troops goes to nobody.",
    "A field is won by the player who has more troops there. With equal numbers, nobody wins it.",
    "On each field, the larger number of troops wins. If the numbers are equal, the field is won by neither player.",
    held_out="Each field is won by the strictly larger force on it; equal forces win nothing.",
)
_ROUND: Final = Phrase(
    "The player who wins more fields wins the round. With equal numbers of fields, the round is a draw.",
    "A round goes to the player who has won more fields, and it is a draw if both have won the same number.",
    "Whoever wins more fields than the other player wins the round. Otherwise the round is a draw.",
    held_out="The round is won by the player with strictly more fields; equality is a draw.",
)
_SHOWN: Final = Phrase(
    "After each round, both distributions are revealed.",
    "Both players see both distributions when the round is over.",
    "You learn the other player's distribution at the end of every round, and it learns yours.",
    held_out="At the end of a round both choices become public.",
)
_LEAD: Final = Phrase(
    "You succeed if, at the end, you have won at least {lead} more rounds than you have lost. Your score is 1 if you succeed, "
    "otherwise 0.",
    "Your goal is a lead of {lead} or more: the rounds that you have won minus those that you have lost, at the end. "
    "Reaching it scores 1, anything less scores 0.",
    "At the end, subtract the rounds you lost from the rounds you won. If the result is {lead} or more, you succeed with a "
    "score of 1; otherwise your score is 0.",
    held_out="Success (score 1, otherwise 0) means won rounds - lost rounds >= {lead} after the final round.",
)
_HABITS: Final = Phrase(
    "Your opponent may follow a pattern that you can exploit.",
    "There may be a pattern in what your opponent does.",
    "Watch your opponent: its choices may follow habits.",
    held_out="The opponent's choices are possibly predictable.",
)
_LIST: Final = Phrase(
    "Your opponent has a secret list of {length} different distributions.",
    "Your opponent plays only distributions from a list of {length} different ones, which you do not know.",
    "All choices of your opponent come from a hidden list with {length} different distributions.",
    held_out="The opponent draws on {length} distinct distributions, unknown to you, in a fixed sequence.",
)
_SOME: Final = Phrase(
    "Your opponent has a secret list of different distributions. You do not know how many there are.",
    "Your opponent plays only distributions from a list of different ones, which you do not know; nor do you know its length.",
    "All choices of your opponent come from a hidden list of different distributions, whose number is hidden as well.",
    held_out="The opponent draws on distinct distributions in a fixed sequence; the sequence and its length are unknown to "
    "you.",
)
_ORDER: Final = Phrase(
    "It plays them in order, one per round, over and over.",
    "It goes through the list from first to last, one distribution per round, and then begins again.",
    "Every round it takes the next distribution of the list, and after the last one the first.",
    held_out="It cycles through the sequence, advancing by one with each round.",
)
_STAY: Final = Phrase(
    "It keeps playing one distribution until it loses a round, and then takes the next one. After the last comes the first.",
    "It repeats a distribution for as long as it loses no round. After a lost round it goes on to the next one of the list, "
    "and from the last to the first.",
    "When it loses a round, it moves on to the next distribution of the list (from the last to the first). Otherwise it plays "
    "the same one again.",
    held_out="It cycles through the sequence, advancing by one after each round that it loses and staying otherwise.",
)
_EITHER: Final = Phrase(
    "It uses one of two rules throughout, and you do not know which. Either it plays them in order, one per round, over and "
    "over. Or it keeps playing one until it loses a round, and then takes the next one; after the last comes the first.",
    "One of two rules holds for the whole game, but you are not told which: it goes through the list from first to last, one "
    "per round, and begins again; or it repeats a distribution until it loses a round and only then goes on to the next one, "
    "and from the last to the first.",
    "You do not know which of these two rules it follows from beginning to end: (1) every round it takes the next "
    "distribution, and after the last one the first; (2) it takes the next distribution, or after the last one the first, "
    "only when it has lost a round, and plays the same one again otherwise.",
    held_out="It cycles through the sequence, advancing by one either with each round or with each round that it loses. The "
    "rule is constant and unknown to you.",
)
_GOES: Final = {"order": _ORDER, "stay": _STAY, "any": _EITHER}


def rulebook(problem: JSON) -> Rulebook:
    """The rules, the required lead, and what is known of the opponent."""
    rounds = counted(problem["rounds"], "round")
    length, kinds = problem.get("pattern") or (None, "")
    known = {"fields": problem["fields"], "troops": problem["troops"], "rounds": rounds, "length": length}
    opponent: tuple[Phrase, ...] = ()
    if kinds:
        opponent = (_LIST if length else _SOME, _GOES[kinds])
    elif problem.get("opponent") == "greedy":
        opponent = (_HABITS,)
    return Rulebook(
        f"Colonel Blotto, {rounds}",
        _TASK,
        (_SECRET, _ALL, _FIELD, _ROUND, _SHOWN),
        _LEAD,
        opponent=opponent,
        values={**known, "lead": f"{problem.get('target', 0):g}"},
        view=_VIEW,
    )


def _in_rows(problem: JSON) -> str:
    return f"Rounds left: {problem['rounds']}\nRounds won minus rounds lost: 0"


def _as_json(problem: JSON) -> str:
    return json.dumps({"rounds_left": problem["rounds"], "rounds_won": 0, "rounds_lost": 0})


def _as_table(problem: JSON) -> str:
    return f"won: 0 | lost: 0 | remaining: {problem['rounds']}"


_VIEW: Final = views(_in_rows, _as_json, held_out=_as_table)
