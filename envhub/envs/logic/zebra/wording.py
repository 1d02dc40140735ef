"""The prompt of zebra-v0.

Phrasings of the rules, and renderings of attributes and clues.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list
from envhub.core.types import JSON
from envhub.envs.logic.zebra import text
from envhub.envs.logic.zebra.clues import PLACES

_TASK: Final = Phrase(
    "Find the {attributes} of the person in each house.",
    "Work out who lives where: which {attributes} belong to each house?",
    "Use the clues to find out the {attributes} of everyone who lives in these houses.",
    "I am stuck on a logic puzzle. Who lives in which house, and with which {attributes}?",
    held_out="Determine the house of every value of: {attributes}.",
)
_STREET: Final = Phrase(
    "{houses} houses stand in a row, numbered 1 to {houses} from left to right, and one person lives in each house.",
    "There are {houses} houses in a row with one resident each. Number 1 is the leftmost house and number {houses} the "
    "rightmost.",
    "The {houses} houses stand side by side and are counted from the left, from 1 to {houses}. Exactly one person lives in "
    "every house.",
    held_out="Houses are the integers 1, ..., {houses} in order from left to right. Each holds one person.",
)
_VALUES: Final = Phrase(
    "Each person has exactly one value of each attribute, and no two people share a value.",
    "Everyone has one value of every attribute. Each value belongs to one person only.",
    "No value is shared: for every attribute, each of its values belongs to exactly one of the people.",
    held_out="Every attribute maps its values one to one onto the houses.",
)
_SAME: Final = Phrase(
    "Unless a clue rules it out, values of different attributes may belong to the same person.",
    "Two clues that name different values may be about one and the same person, unless a clue says otherwise.",
    "Do not assume that different values mean different people: values of different attributes may belong together.",
    held_out="Values of two different attributes may have the same house, except where a clue excludes it.",
)
_NOTE: Final = Phrase(
    "There is exactly one solution.",
    "The clues allow one solution, and only one.",
    "The solution is unique.",
    held_out="Exactly one assignment satisfies all of this.",
)


class _Kind(NamedTuple):
    """One kind of clue in the renderings other than English."""

    key: str
    meaning: str
    formula: str


_KINDS: Final = {
    "same": _Kind("same_house", "both values belong to the same house", "house({0}) = house({1})"),
    "differ": _Kind("different_houses", "the values belong to different houses", "house({0}) != house({1})"),
    "at": _Kind("in_house", "the value belongs to the house with this number", "house({0}) = {1}"),
    "not_at": _Kind("not_in_house", "the value does not belong to this house", "house({0}) != {1}"),
    "either": _Kind("in_one_of", "the value belongs to one of the two houses", "house({0}) in {{{1}, {2}}}"),
    "left": _Kind("directly_left_of", "the first house number is smaller by exactly 1", "house({0}) + 1 = house({1})"),
    "before": _Kind("left_of", "the first house number is smaller, by any amount", "house({0}) < house({1})"),
    "next": _Kind("adjacent", "the house numbers differ by exactly 1", "|house({0}) - house({1})| = 1"),
    "gap": _Kind("one_between", "the house numbers differ by exactly 2", "|house({0}) - house({1})| = 2"),
    "apart": _Kind("not_same_or_adjacent", "the house numbers differ by 2 or more", "|house({0}) - house({1})| >= 2"),
}


def _sentences(problem: JSON) -> str:
    attributes, clues = problem["attributes"], problem["clues"]
    told = [f"{at}. {text.english(clue, attributes)}" for at, clue in enumerate(clues, 1)]
    return (
        f"{_words(attributes)}\n\nClues:\n{_lines(told)}\n\n"
        '"Next to" means in an adjacent house, on either side. "Directly to the left of" means in the adjacent house on the '
        'left. "Somewhere to the left of" means in any house with a smaller number.'
    )


def _other_sentences(problem: JSON) -> str:
    attributes, clues = problem["attributes"], problem["clues"]
    told = [f"- {text.rephrased(clue, attributes)}" for clue in clues]
    rows = [f"| {name} | {', '.join(values)} |" for name, values in attributes]
    return (
        f"What I know for sure:\n{_lines(told)}\n\n"
        '"Neighbours" live in adjacent houses. "Immediately left of" means in the adjacent house on the left. "Further left '
        'than" means in a house with a smaller number, whether adjacent or not.\n\n'
        f"| attribute | values, each used once |\n|---|---|\n{_lines(rows)}"
    )


def _as_json(problem: JSON) -> str:
    attributes = problem["attributes"]
    clues = [{_KINDS[clue[0]].key: _terms(clue, attributes)} for clue in problem["clues"]]
    used = [kind for name, kind in _KINDS.items() if any(clue[0] == name for clue in problem["clues"])]
    meanings = [f"- {kind.key}: {kind.meaning}" for kind in used]
    shown = ",\n  ".join(map(json.dumps, clues))
    return (
        f'{{"attributes": {json.dumps(dict(attributes))},\n "clues": [\n  {shown}\n ]}}\n\n'
        f"Numbers are house numbers. The kinds of clues mean this:\n{_lines(meanings)}"
    )


def _formulas(problem: JSON) -> str:
    attributes = problem["attributes"]
    groups = "; ".join(f"{name} = {{{', '.join(values)}}}" for name, values in attributes)
    told = [_KINDS[clue[0]].formula.format(*_terms(clue, attributes)) for clue in problem["clues"]]
    return f"Groups: {groups}\nhouse(v) is the number of the house of the value v.\n\n{_lines(told)}"


_DATA: Final[Variants[Rendering]] = Variants(_sentences, _other_sentences, _as_json, held_out=_formulas, name="data")


def statement(problem: JSON) -> Statement:
    """A puzzle before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_STREET, _VALUES, _SAME),
        note=_NOTE,
        values={
            "houses": problem["houses"],
            "attributes": and_list(name for name, _ in problem["attributes"]),
        },
    )


def example(problem: JSON) -> str:
    """A table of the right size, with words of no puzzle."""
    strangers = [text.STRANGERS[name] for name, _ in problem["attributes"]]
    rows = [", ".join(words[at] for words in strangers) for at in range(problem["houses"])]
    return _lines([f"{number}: {row}" for number, row in enumerate(rows, 1)])


def _words(attributes: Sequence[Any]) -> str:
    rows = [f"- {name}: {', '.join(values)}" for name, values in attributes]
    return f"Attributes and their values:\n{_lines(rows)}"


def _terms(clue: Sequence[Any], attributes: Sequence[Any]) -> list[str | int]:
    """The values of a clue, then its house numbers."""
    kind, x, *rest = clue
    first = text.value_of(x, attributes)
    if kind in PLACES:
        return [first, *(house + 1 for house in rest)]
    return [first, *(text.value_of(y, attributes) for y in rest)]


def _lines(rows: Sequence[str]) -> str:
    return "\n".join(rows)
