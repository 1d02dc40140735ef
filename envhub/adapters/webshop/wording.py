"""Phrases and renderings of the instructions."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "You are a customer of an online shop with {goods} products. Buy the product that the instruction describes.",
    "An online shop sells {goods} products. Follow the instruction: find a product that fits it, and buy it.",
    "Shop in an online store with {goods} products. The instruction says what to buy.",
    held_out="Role: online shopper. Catalogue: {goods} products. Purchase what the instruction describes.",
)
_SEARCH: Final = Phrase(
    "search[keywords] works on every page and lists at most 50 products, 10 per page, the best match first.",
    "You can search on any page with search[keywords]. A search finds at most 50 products and shows 10 of them per page.",
    "Use search[keywords], on any page, to find up to 50 products, sorted by how well they match, 10 to a page.",
    held_out="search[keywords]: available everywhere; at most 50 hits, ranked, 10 a page.",
)
_CLICK: Final = Phrase(
    "click[button] presses a button of the current page. Each page lists its buttons as admissible actions.",
    "With click[button] you press a button that the current page lists under its admissible actions.",
    "Every page lists its admissible actions. Press one of its buttons with click[button].",
    held_out="click[button]: press one of the buttons given as admissible actions on the page.",
)
_OPTIONS: Final = Phrase(
    "Choose the options that the instruction names by clicking their values on the product's page before you buy.",
    "Before you buy, click the value of every option in the instruction on the page of the product.",
    "Every option in the instruction must be set by clicking its value on the product page, before the purchase.",
    held_out="Required options: click their values on the product page before purchase.",
)
_BUY: Final = Phrase(
    "Buy Now buys the open product with the chosen options and ends the task.",
    "The task ends when you click Buy Now, which buys the open product with the options that you chose.",
    "Clicking Buy Now orders the product that is open, with its chosen options, and ends the task.",
    held_out="Buy Now: purchases the open product with the chosen options; ends the task.",
)
_SCORE: Final = Phrase(
    "The score is the share of attributes, options and price bound that are met, times how well the kind of product fits.",
    "You are scored by the share of conditions (attributes, options, price) that are met, times the fit of the kind.",
    "Each attribute, each option and the price bound count the same; another kind of product lowers the score.",
    held_out="Score: share of met conditions (attributes, options, price bound) times the match of the product's kind.",
)
_MESSAGES: Final = Phrase(
    "You may send at most {messages} messages with one action each. An action has at most {chars} characters. Without a "
    "purchase the score is 0.",
    "There are at most {messages} messages, and each is one action of at most {chars} characters. If nothing is bought, the "
    "score is 0.",
    "At most {messages} messages are allowed, one action in each, with no more than {chars} characters; the score is 0 if you "
    "buy nothing.",
    held_out="Limits: {messages} messages, one action each; {chars} characters per action. No purchase: score 0.",
)


def _lines(problem: JSON) -> str:
    return f"Instruction: {problem['instruction']}\n\nThe first page:\n{problem['page']}"


def _fields(problem: JSON) -> str:
    return f"Page:\n{problem['page']}\n\nInstruction:\n{problem['instruction']}"


def _json(problem: JSON) -> str:
    given = {"instruction": problem["instruction"], "page": problem["page"]}
    return "The instruction and the first page:\n" + json.dumps(given, ensure_ascii=False, indent=1)


def _tagged(problem: JSON) -> str:
    return f"<instruction>{problem['instruction']}</instruction>\n<page>\n{problem['page']}\n</page>"


_DATA: Final[Variants[Rendering]] = Variants(_lines, _fields, _json, held_out=_tagged, name="data")


def statement(problem: JSON, chars: int) -> Statement:
    """The instruction, the rules and the first page."""
    rules = (_SEARCH, _CLICK, _OPTIONS, _BUY, _SCORE, _MESSAGES)
    values = {"goods": problem["goods"], "messages": problem["messages"], "chars": chars}
    return Statement(task=_TASK, data=_DATA, problem=problem, rules=rules, values=values, frames=GAME_FRAMES)
