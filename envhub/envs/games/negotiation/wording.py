"""The prompt of negotiation-v0.

Phrasings of the rules, and renderings of what a trader knows.
"""

from __future__ import annotations

import json
import re
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.wording import Phrase, and_list, counted
from envhub.core.types import JSON
from envhub.envs.games.negotiation.offers import PRICES

_TASK: Final = Phrase(
    "You are {seat} in a negotiation between two traders. The goods are {goods}.",
    "Negotiate as {seat} with another trader about {goods}.",
    "Two traders exchange {goods}, and you act as {seat}.",
    held_out="Your part in a bilateral trade of {goods} is that of {seat}.",
)
_VALUES: Final = Phrase(
    "Each trader has its own value for each good: a whole number within {spread}% of the price. The prices are: {prices}.",
    "What one piece of a good is worth differs between the traders. Each value is a whole number that differs from the price "
    "by at most {spread}%. Prices: {prices}.",
    "For each good there is a price ({prices}). Each trader values one piece at a whole number of its own that is at most "
    "{spread}% lower or higher than the price.",
    held_out="Values per piece are individual to each trader: integers in the interval price +- {spread}%, where the prices "
    "are {prices}.",
)
_PRIVATE: Final = Phrase(
    "You do not know the other trader's values, and it does not know yours.",
    "Values are private: neither trader knows those of the other.",
    "Each trader knows only its own values.",
    held_out="A trader's values are unobservable for the other trader.",
)
_TURNS: Final = Phrase(
    "The traders take turns, and player 1 goes first. Each has {turns}.",
    "Player 1 has the first turn. Then the traders alternate until each has had {turns}.",
    "Turns alternate between the traders, starting with player 1, and each of them gets {turns}.",
    held_out="The sequence of turns alternates, beginning with player 1, and comprises {turns} per trader.",
)
_CHOICE: Final = Phrase(
    "In its turn, a trader does one of three things: it makes an offer, accepts the offer that the other trader made in the "
    "turn before, or denies.",
    "A turn is one of these: making an offer, accepting the offer from the other trader's last turn, or denying.",
    "A trader may use its turn to make an offer, to accept what the other trader offered in its last turn, or to deny.",
    held_out="Admissible in a turn: an offer; acceptance of the offer made by the other trader in the preceding turn; denial.",
)
_OFFER: Final = Phrase(
    "An offer gives a number of pieces of one good for a number of pieces of another good. A trader may not offer more pieces "
    "than it has, or ask for more pieces than the other trader has.",
    "With an offer, a trader proposes to give some pieces of one good and to receive some pieces of another good. It must "
    "have the pieces that it gives, and the other trader must have the pieces that it asks for.",
    "An offer exchanges pieces of two different goods. Nobody can promise pieces that it does not have, nor ask for pieces "
    "that the other trader does not have.",
    held_out="An offer names a quantity of one good to give and a quantity of a different good to receive; both quantities "
    "must be in stock with the trader who would deliver them.",
)
_DIRECTION: Final = Phrase(
    '"offer 3 wheat for 2 ore" means that the trader who says it gives 3 wheat and receives 2 ore. If the other trader '
    "says it, you would receive 3 wheat and give 2 ore.",
    'The words before "for" are what the trader who makes the offer gives, and the words after it are what this trader '
    'receives: with "offer 3 wheat for 2 ore" from the other trader, you would get 3 wheat for 2 ore of yours.',
    'Read an offer from the side of the trader who makes it. "offer 3 wheat for 2 ore" gives away 3 wheat and brings in 2 '
    "ore; for the trader who accepts it, it is the other way round.",
    held_out='Direction: in "offer 3 wheat for 2 ore" the proposer delivers 3 wheat and obtains 2 ore, and the accepting '
    "trader delivers 2 ore and obtains 3 wheat.",
)
_REJECT: Final = Phrase(
    "Making an offer or denying rejects the offer that the other trader made before.",
    "If you do not accept an offer in your next turn, it is gone, whether you deny or make an offer of your own.",
    "An offer is void as soon as the other trader denies or makes another offer.",
    held_out="An offer lapses unless it is accepted in the very next turn.",
)
_TRADE: Final = Phrase(
    "An accepted offer is carried out at once.",
    "Accepting exchanges the goods immediately.",
    "The goods change hands as soon as an offer is accepted.",
    held_out="Acceptance executes the exchange immediately.",
)
_LAST: Final = Phrase(
    "The match ends with the last turn of player 2. An offer that player 2 makes in that turn cannot be accepted.",
    "After the last turn of player 2, the match is over, so an offer that player 2 makes in its last turn comes to nothing.",
    "Player 2 has the last turn of the match. No offer made in that turn can be accepted any more.",
    held_out="The final turn belongs to player 2; an offer made in it cannot take effect.",
)
_GAIN: Final = Phrase(
    "A trader's gain is the value of all pieces that it received minus the value of all pieces that it gave, by its own "
    "values.",
    "To get a trader's gain, add up its values of the pieces that it received and subtract its values of the pieces that it "
    "gave.",
    "A trader gains the value of what it received in trades, less the value of what it gave in trades. Its own values count.",
    held_out="gain = value of pieces received - value of pieces given, both evaluated by the trader's own values.",
)
_GREEDY: Final = Phrase(
    "The other trader accepts every offer that gives it a gain greater than 0.",
    "Any offer by which it gains something is accepted by the other trader.",
    "The other trader says yes to each offer from which its own gain is more than 0.",
    held_out="The opponent accepts an offer whenever its own gain from this trade is positive.",
)
_LEAD: Final = Phrase(
    "You succeed if, at the end, your gain exceeds the other trader's gain by {lead} or more. Your score is 1 if you succeed, "
    "otherwise 0.",
    "Your goal is to end with a gain that is at least {lead} higher than the other trader's gain. This scores 1, anything less "
    "scores 0.",
    "At the end, subtract the other trader's gain from yours. If the result is {lead} or more, you succeed with a score of 1; "
    "otherwise your score is 0.",
    held_out="Success (score 1, otherwise 0) means your gain - the other trader's gain >= {lead} at the end of the match.",
)
_PAIR: Final = re.compile(r"([a-z]+) ([0-9]+)")


def rulebook(problem: JSON) -> Rulebook:
    """The rules, the required lead, and what is known of the opponent."""
    goods = problem["goods"]
    return Rulebook(
        f"A negotiation about {and_list(goods)}",
        _TASK,
        (_VALUES, _PRIVATE, _TURNS, _CHOICE, _OFFER, _DIRECTION, _REJECT, _TRADE, _LAST, _GAIN),
        _LEAD,
        opponent=(_GREEDY,) if problem.get("opponent") == "greedy" else (),
        values={
            "goods": and_list(goods),
            "prices": ", ".join(f"{good} {PRICES[good]}" for good in goods),
            "spread": problem["spread"],
            "turns": counted(problem["rounds"], "turn"),
            "lead": f"{problem.get('target', 0):g}",
        },
        view=_VIEW,
    )


def _parts(problem: JSON) -> tuple[dict[str, dict[str, int]], list[str]]:
    """Amounts by heading and good, and the other lines."""
    amounts, others = {}, []
    for line in problem["view"].split("\n"):
        found = {good: int(amount) for good, amount in _PAIR.findall(line) if good in PRICES}
        if len(found) == len(problem["goods"]) and "said" not in line:
            amounts[line[: line.index(problem["goods"][0])].strip(" :")] = found
        else:
            others.append(line)
    return amounts, others


def _as_table(problem: JSON) -> str:
    amounts, others = _parts(problem)
    heads = list(amounts)
    rows = [f"| {good} | {' | '.join(str(amounts[head][good]) for head in heads)} |" for good in problem["goods"]]
    return "\n".join([f"| good | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}", *rows, "", *others])


def _as_json(problem: JSON) -> str:
    amounts, others = _parts(problem)
    known = {head.lower().replace(" ", "_"): found for head, found in amounts.items()}
    return "\n".join([json.dumps(known), *others])


def _as_vectors(problem: JSON) -> str:
    amounts, others = _parts(problem)
    told = [f"{head} = ({', '.join(map(str, found.values()))})" for head, found in amounts.items()]
    return "\n".join([f"Vectors over ({', '.join(problem['goods'])}): {'; '.join(told)}", *others])


_VIEW: Final = views(_as_table, _as_json, held_out=_as_vectors)
