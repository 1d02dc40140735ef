"""Tables of answers.md, which list supported answer wrappings: ``python docs/answers.py``.

Every answer type is tried with every wrapping of :mod:`envhub.verifiers.answers.wrappings` that suits its text, around
a right and around a wrong answer. ``tests/verifiers/answers/test_conformance.py`` checks the same cells.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from envhub.envs.games.blotto import environment as blotto
from envhub.envs.games.chess import rules
from envhub.envs.games.kitchen import plans as kitchen
from envhub.envs.games.mastermind import environment as mastermind
from envhub.envs.games.maze import environment as maze
from envhub.envs.games.minesweeper import environment as minesweeper
from envhub.envs.games.negotiation import offers as negotiation
from envhub.verifiers.answers import graphs
from envhub.verifiers.answers.assignments import Assignments
from envhub.verifiers.answers.choices import Square
from envhub.verifiers.answers.documents import JsonDocument
from envhub.verifiers.answers.exact import Exact, ExactMatrix
from envhub.verifiers.answers.final_answer import FinalAnswer, compare_answer
from envhub.verifiers.answers.grids import Grid
from envhub.verifiers.answers.items import Items
from envhub.verifiers.answers.labels import Labels
from envhub.verifiers.answers.linear_solutions import LinearSolutions
from envhub.verifiers.answers.literals import Literal
from envhub.verifiers.answers.numerals import Decimal, Digits, Factors, Integers, LowestTerms, Numeral, Totalled
from envhub.verifiers.answers.paths import Path as PathAnswer
from envhub.verifiers.answers.phrases import Phrase, is_one_of
from envhub.verifiers.answers.places import CellNames, CellPair, Point
from envhub.verifiers.answers.plans import Action, Facts, Plan
from envhub.verifiers.answers.tables import Table
from envhub.verifiers.answers.typed import Typed
from envhub.verifiers.answers.types import AnswerType, Expression, Integer, Rational, Word
from envhub.verifiers.answers.verbatim import Prose, Verbatim
from envhub.verifiers.answers.wrappings import WRAPPINGS, Wrapping, wrappings_for
from envhub.verifiers.code.answer import Code

PAGE: Final = Path(__file__).with_name("answers.md")
_SHOWN: Final = ("375", "5/3", "1944", "north", "Nxf5#", "O -> F, cost 9")
_SLASH: Final = chr(92)
BEGIN: Final = "<!-- tables: python docs/answers.py -->"


class Case(NamedTuple):
    """An answer type with a right and a wrong answer.

    Attributes:
        name: Name of the type, and of the case if a type has several.
        kind: The answer type.
        right: A right answer.
        wrong: A wrong answer.
        gold: The gold answer, if it is not the right answer itself.
    """

    name: str
    kind: AnswerType
    right: str
    wrong: str
    gold: str | None = None

    def solved(self, message: str) -> bool:
        """Whether a message is read as the right answer."""
        reading = self.kind.read(message)
        if reading.reason is not None:
            return False
        if isinstance(self.kind, FinalAnswer):
            return compare_answer(self.gold or self.right, reading.value).same
        if isinstance(self.kind, Phrase):
            return is_one_of(reading.value, [self.right])
        if isinstance(self.kind, Code):
            return bool(reading.value.strip() == self.right)
        if isinstance(self.kind, Typed):
            return self.kind.matches(self.gold or self.right, reading.value).same
        return self.kind.same(reading.value, self.kind.parse(self.right))


def _typed(kind: str, right: str, wrong: str, **options: Any) -> Case:
    return Case(f"Typed: {kind}", Typed(kind=kind, options=options), right, wrong)


CASES: Final = (
    Case("Integer", Integer(), "375", "374"),
    Case("Integer: a year", Integer(), "1944", "1945"),
    Case("Integer: negative", Integer(), "-7", "7"),
    Case("Rational", Rational(), "5/3", "3/5"),
    Case("Rational: a decimal", Rational(), "2.5", "2.6"),
    Case("Expression", Expression(), "10 * 6 + 27", "10 * 6 - 27"),
    Case("Integers", Integers(), "3, -5, 12", "3, 5, 12"),
    Case("Integers: rows", Integers(), "3, 5\n12, 7", "3, 5\n7, 12"),
    Case("Totalled", Totalled(), "3, 0, 5, 8", "3, 5, 0, 8"),
    Case("Factors", Factors(), "2 * 2 * 7", "2 * 7 * 7"),
    Case("Decimal", Decimal(), "-17.25", "-1.725"),
    Case("Lowest terms", LowestTerms(), "5/3", "3/5"),
    Case("Digits", Digits(), "1f0", "10f"),
    Case("Numeral", Numeral(), "two hundred and twenty-one", "two hundred and twelve"),
    Case("Assignments", Assignments(), "x = 5/3, y = -2", "x = 5/3, y = 2"),
    Case("Assignments: a number", Assignments(), "5/3", "3/5"),
    Case("Grid", Grid(), "1 2\n3 4", "1 2\n4 3"),
    Case("Table", Table(), "1: Ann, tea\n2: Bob, milk", "1: Bob, tea\n2: Ann, milk"),
    Case("Labels", Labels(labels=("knight", "knave")), "Ann: knight, Bob: knave", "Ann: knave, Bob: knave"),
    Case("Path", PathAnswer(), "O -> F -> A, cost 9", "O -> A, cost 9"),
    Case("EdgeSet", graphs.EdgeSet(value="weight"), "O-F, F-A; 9", "O-F, O-A; 9"),
    Case("EdgeSet: directed", graphs.EdgeSet(directed=True), "O -> F, F -> A", "F -> O, F -> A"),
    Case("Route", graphs.Route(value="length"), "O -> F -> A; 9", "O -> A -> F; 9"),
    Case("Route: commas", graphs.Route(arrows=False), "O, F, A", "O, A, F"),
    Case("NodeSet", graphs.NodeSet(value="size"), "{A, F, O}; 3", "{A, F}; 2"),
    Case("Groups", graphs.Groups(value="number of groups"), "{A, F}, {O}; 2", "{A}, {F, O}; 2"),
    Case("Labelling", graphs.Labelling(value="number of colors"), "A:red, F:blue; 2", "A:blue, F:red; 2"),
    Case("Flow", graphs.Flow(value="value"), "O -> F: 4, F -> A: 4; 4", "O -> F: 3, F -> A: 3; 3"),
    Case("Point", Point(), "120, 85", "85, 120"),
    Case("CellPair", CellPair(), "2, 3 and 2, 4", "2, 3 and 2, 5"),
    Case("CellNames", CellNames(), "B3, D1", "B3, D2"),
    Case("Items", Items(), "r2c5, 3", "r2c5, 4"),
    Case("RouteOrSet: a route", graphs.RouteOrSet(), "O -> F -> A", "O -> A -> F"),
    Case("RouteOrSet: a set", graphs.RouteOrSet(), "{A, F}", "{A, O}"),
    Case("Word", Word(), "crane", "slate"),
    Case("Phrase", Phrase(), "Silver Door", "Golden Door"),
    Case("Phrase: a year", Phrase(), "1944", "1945"),
    Case("Literal", Literal(), "[1, 2]", "[2, 1]"),
    Case("Literal: a string", Literal(), "'ab'", "'ba'"),
    Case("Literal: a call", Literal(called="f"), "f([1, 2])", "f([2, 1])"),
    Case("Choice", maze.Compass(), "north", "south"),
    Case("Square", Square(), "c4", "c5"),
    Case("Chess: SAN", rules.Move(), "Nxf5#", "Nxe5#"),
    Case("Chess: squares", rules.Move(), "g1f3", "g1h3"),
    Case("Code of digits", mastermind.Code(), "1123", "1132"),
    Case("Cell", minesweeper.Cell(), "3, 5", "5, 3"),
    Case("Allocation", blotto.Allocation(), "4 3 3", "3 4 3"),
    Case("Trade", negotiation.Trade(), "offer 3 wheat for 2 ore", "offer 2 wheat for 3 ore"),
    Case("Plan", Plan(), "(pick-up a)\n(stack a b)", "(stack a b)\n(pick-up a)"),
    Case("Action", Action(), "(stack a b)", "(stack b a)"),
    Case("Facts", Facts(), "(on a b)\n(hand-empty)", "(on b a)\n(hand-empty)"),
    Case("Steps", kitchen.Steps(), "up up left wait", "up left up wait"),
    Case("Verbatim", Verbatim(), "One line.\n\n- **Bold**, (not) so.", "One line.\n- **Bold**, (not) so."),
    Case("Prose", Prose(), "A text, of one line.", "A text of one line."),
    Case("JSON", JsonDocument(), '{"a": [1, true]}', '{"a": [1, "true"]}'),
    Case("Code", Code(), "def f(x):\n    return x * 2", "def f(x):\n    return x * 3"),
    _typed("integer", "375", "374"),
    _typed("rational", "5/3", "3/5"),
    _typed("decimal", "2.5", "2.7", digits=2),
    _typed("complex", "3 + 2i", "3 - 2i"),
    _typed("set", "{1, 2}", "{1, 3}", of="integer"),
    _typed("tuple", "(1, 2)", "(2, 1)"),
    _typed("list", "[1, 2]", "[2, 1]"),
    _typed("matrix", "[[1, 2], [3, 4]]", "[[1, 2], [4, 3]]"),
    _typed("interval", "(2, 5]", "[2, 5]"),
    _typed("relation", "y = 2x + 1", "y = 2x - 1"),
    _typed("expression", "2x + 1", "2x - 1", variables=["x"]),
    _typed("quantity", "12 cm", "12 m", unit="cm"),
    _typed("date", "1917-05-23", "1917-05-24"),
    _typed("text", "Silver Door", "Golden Door"),
    _typed("choice", "B", "C", options=["A", "B", "C", "D"]),
    Case(
        "Exact: an expression", Exact(kind="expression", options={"variables": ["x"]}), "x^2 + 2*x + 1", "x^2 + 2*x - 1"
    ),
    Case("Exact: a set of roots", Exact(kind="set", options={"of": "complex"}), "1/2, 3 + sqrt(2)", "1/2, 3 - sqrt(2)"),
    Case(
        "Exact: a matrix", ExactMatrix(options={"of": "rational"}, literal=True), "[[1, 2], [3, 4]]", "[[1, 2], [4, 3]]"
    ),
    Case("Linear solutions", LinearSolutions(), "x = 1 - 2*t, y = t", "x = 1 + 2*t, y = t"),
    Case("Free: a number", FinalAnswer(), "72", "71"),
    Case("Free: a fraction", FinalAnswer(), "5/3", "3/5"),
    Case("Free: words", FinalAnswer(), "Silver Door", "Golden Door"),
    Case("Free: a year", FinalAnswer(), "1944", "1945"),
    Case("Free: an interval", FinalAnswer(), "(2, 5]", "(2, 6]"),
)


def cells(case: Case) -> Iterator[tuple[Wrapping, str, str]]:
    """Wrappings that fit a case, each with the right and the wrong answer."""
    code = case.kind.verbatim
    wrong = {wrapping.name for wrapping in wrappings_for(case.wrong, code=code)}
    for wrapping in wrappings_for(case.right, code=code):
        if wrapping.name in wrong:
            yield wrapping, wrapping.wrap(case.right), wrapping.wrap(case.wrong)


def tables() -> str:
    """Table of wrappings with examples, and how many of them every type reads."""
    lines = [BEGIN, "", f"## The {len(WRAPPINGS)} wrappings", "", "| wrapping | example of a message |", "|---|---|"]
    for wrapping in WRAPPINGS:
        text = next(text for text in _SHOWN if wrapping.fits(text))
        lines.append(f"| {wrapping.name.replace(_SLASH, _SLASH * 2)} | {_code(wrapping.wrap(text))} |")
    heads = ("answer type", "right answer", "wrong answer", "wrappings", "right answer counts", "wrong answer counts")
    lines += [
        "",
        "## Every answer type in every wrapping that fits it",
        "",
        f"| {' | '.join(heads)} |",
        "|---|---|---|--:|--:|--:|",
    ]
    for case in CASES:
        found = list(cells(case))
        right, wrong = (sum(case.solved(messages[at]) for messages in found) for at in (1, 2))
        lines.append(f"| {case.name} | {_code(case.right)} | {_code(case.wrong)} | {len(found)} | {right} | {wrong} |")
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """A text on one line of a table."""
    shown = text.replace("\n", "\u23ce").replace("|", "\\|")
    longest = max(map(len, re.findall("`+", shown)), default=0)
    return f"{'`' * (longest + 1)} {shown} {'`' * (longest + 1)}" if longest else f"`{shown}`"


def misses() -> Iterator[str]:
    """The cells with a wrong result."""
    for case in CASES:
        for wrapping, right, wrong in cells(case):
            if not case.solved(right):
                yield f"{case.name}: {wrapping.name}: {right!r} is refused"
            if case.solved(wrong):
                yield f"{case.name}: {wrapping.name}: {wrong!r} counts"


def main(show: Callable[[str], None] = print) -> int:
    """Write the tables below the text of the page."""
    for miss in misses():
        show(miss)
    text = PAGE.read_text("utf-8").partition(BEGIN)[0]
    PAGE.write_text(text + tables(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
