"""Phrases and renderings of preference-v1."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "A user looks for a {thing}. Find out what matters to the user, and recommend the best of the offers.",
    "You advise a user who wants a {thing}. Ask what the user cares about, and recommend the offer that suits best.",
    "Help a user to choose a {thing}: ask questions, and then recommend the offer that is best for this user.",
    held_out="Role: adviser of a user in search of a {thing}. Goal: by questions, identify the best offer for this user and "
    "recommend it.",
)
_ASK: Final = Phrase(
    "Ask with say, in your own words. The user answers each feature that your message names, and nothing else.",
    "Use say for questions, in any words. If a message names a feature, the user tells you about it. The user volunteers "
    "nothing.",
    "The user answers what you ask with say: every feature that is named in it, in any words, and no other feature.",
    held_out="say: free text; the user answers exactly the features that it names.",
)
_COUNT: Final = Phrase(
    "Each answer about a feature counts as one question, also if you ask again or ask about several features in one message.",
    "Every feature that a message names is one question, and so is one that you ask about again.",
    "Questions are counted by feature: a message about two features is two questions, and a repeated question counts again.",
    held_out="Question count: one per feature named, per message; repetitions included.",
)
_TASTES: Final = Phrase(
    "For each feature, the user has one of the two stated tastes or does not care, each with probability 1/3 and "
    "independently of the other features. Answers are true and never change.",
    "Of each feature, a user does not care with probability 1/3 and has each of the two stated tastes with probability 1/3, "
    "independently of other features. What the user says is true.",
    "There are three possibilities for each feature, equally likely and independent: the two stated tastes, and not caring. "
    "The user never lies.",
    held_out="Prior: per feature, three equally likely and independent cases (two stated tastes, indifference). Answers are "
    "truthful.",
)
_BEST: Final = Phrase(
    "What something is worth to the user is added to the price of each offer that lacks it. The best offer has the smallest "
    "sum.",
    "To compare offers, add to the price of an offer what the user would have paid for the things that it lacks. The smallest "
    "sum is the best.",
    "An offer costs the user its price plus the worth of everything that the user wants and that it lacks. The best offer is "
    "the one with the least cost.",
    held_out="Cost of an offer to the user = price + worth of each wanted thing that it lacks. Best = least cost.",
)
_LIMIT: Final = Phrase(
    "{questions} are enough to be sure, whatever the user answers. Up to this number, questions are free.",
    "If they are well chosen, {questions} always suffice to know the best offer. This number is free.",
    "A perfect adviser needs at most {questions}. You may ask as many for free.",
    held_out="Worst-case optimum: {questions}. Free up to this number.",
)
_SCORE: Final = Phrase(
    "Your score is 1 for the best offer and 0 for the worst, and in between by cost. Each question beyond the free ones costs "
    "0.1.",
    "The best offer scores 1, the worst 0, and any other in proportion to its cost. For each question that is not free, 0.1 is "
    "deducted.",
    "You score between 0 for the worst offer and 1 for the best, in proportion to cost, less 0.1 for each question that is "
    "not free.",
    held_out="Score: linear in cost from 0 (worst offer) to 1 (best); minus 0.1 per question beyond the free ones.",
)
_END: Final = Phrase(
    "Call recommend with the letter of one offer. This ends the task.",
    "A call of recommend with one letter is your recommendation; the task ends with it.",
    "You can recommend once: call recommend with the letter of an offer. The task is then over.",
    held_out="recommend takes one letter and is final.",
)
_RULES: Final = (_ASK, _COUNT, _TASTES, _BEST, _LIMIT, _SCORE, _END)


def statement(problem: JSON) -> Statement:
    """The offers, the possible tastes and the rules."""
    many = problem["questions"]
    values = {"thing": problem["thing"], "questions": f"{many} question{'s' if many > 1 else ''}"}
    return Statement(_TASK, _DATA, problem, rules=_RULES, values=values)


def _told(offer: JSON) -> str:
    return ", ".join(f"{value}" for name, value in offer.items() if name != "price")


def _lists(problem: JSON) -> str:
    offers = "\n".join(f"- {letter}: ${offer['price']}, {_told(offer)}" for letter, offer in problem["offers"].items())
    tastes = "\n".join(f"- {name}: {one}; or {two}" for name, (one, two) in problem["tastes"].items())
    return f"Offers:\n{offers}\n\nWhat the user may say:\n{tastes}"


def _table(problem: JSON) -> str:
    names = list(problem["tastes"])
    head = ["offer", "price in $", *names]
    rows = [
        [letter, str(offer["price"]), *(offer[name] for name in names)] for letter, offer in problem["offers"].items()
    ]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
    tastes = "\n".join(
        f"About {name}, the user may say: {one}. Or: {two}." for name, (one, two) in problem["tastes"].items()
    )
    return f"{lines}\n\n{tastes}"


def _json(problem: JSON) -> str:
    data = {"offers, prices in dollars": problem["offers"], "tastes that the user may have": problem["tastes"]}
    return json.dumps(data, ensure_ascii=False, indent=1)


def _sheet(problem: JSON) -> str:
    offers = "\n".join(
        f"{letter} = {offer['price']} USD ({_told(offer)})" for letter, offer in problem["offers"].items()
    )
    tastes = "\n".join(f"{name}: (1) {one} (2) {two}" for name, (one, two) in problem["tastes"].items())
    return f"OFFERS\n{offers}\nTASTES\n{tastes}"


_DATA: Final[Variants[Rendering]] = Variants(_lists, _table, _json, held_out=_sheet, name="data")
