"""Cells: a grid puzzle, checked, solved and proved unique by its laws.

A member draws a full grid and states laws and clues::

    class Kakurasu(Cells):
        def draw(self, rng, p): ...            # the fixed part of the problem and its solution
        def domains(self, problem): ...        # a mask of values per cell
        def laws(self, problem): ...           # what always holds, by the sentence for an answer that breaks it
        def clues(self, problem, solution): ...  # every clue that is true of the solution
        def clue(self, problem, clue): ...     # the law of one clue
        def pieces(self, problem): ...         # the data of the prompt, if it is more than the clues in their cells

From these follow sampling with a proof of uniqueness, the verdict, the oracle, the canonical form, effort, and wrong answers
for the audit: one cell changed, and solutions of the puzzle without one of its laws.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar, Final

from envhub.authoring import Staged
from envhub.authoring.board import Board
from envhub.authoring.wording import Phrase, Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.member import Member
from envhub.families.pieces import SHOWN, Pieces, picture
from envhub.families.seen import SIGNS, Signs, seen, with_looks
from envhub.generators.cells.board import TURNS, relabelled, turned
from envhub.generators.cells.carve import carve
from envhub.generators.cells.law import Law, values_of
from envhub.generators.cells.laws import Within
from envhub.generators.cells.model import Grid, Model
from envhub.scenes import Scene, Shape
from envhub.verifiers.answers.grids import Grid as GridAnswer
from envhub.verifiers.answers.types import AnswerType

Laws = Mapping[str, Sequence[Law]]
"""Laws by the sentence that names the rule an answer breaks."""

UNIQUE: Final = Phrase(
    "The puzzle has exactly one solution.",
    "There is exactly one solution.",
    "Exactly one answer satisfies all rules.",
    held_out="The solution exists and is unique.",
)
ANY_SOLUTION: Final = Phrase(
    "There may be several solutions. Any of them counts.",
    "If there are several solutions, give any one of them.",
    "Every answer that satisfies all rules is accepted.",
    held_out="Solutions need not be unique; one suffices.",
)
_CLUE: Final = "A clue is not satisfied."
_NEAR_BUDGET: Final = 1_500
_MOST_NEAR: Final = 3


class Cells(Member):
    """A grid puzzle.

    The parameters ``least`` and ``most``, if a member has them, bound the effort of its problems.

    Attributes:
        symmetries: Symmetries of the board (:data:`envhub.generators.cells.board.TURNS`) that keep all rules.
        layers: Fields of the problem that hold a label per cell (regions); they turn with the board.
        budget: Maximum number of steps of the proof and of the removal of clues.
        empty: What a cell without a symbol is, where ``pieces`` is not defined.
        signs: How symbols look in the picture, if they are not simply written.
    """

    answer: AnswerType = GridAnswer(digits=True)
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    data = SHOWN
    note: ClassVar[Phrase | None] = UNIQUE
    symmetries: ClassVar[Sequence[int]] = TURNS
    layers: ClassVar[Sequence[str]] = ()
    budget: ClassVar[int] = 40_000
    empty: ClassVar[str] = "an empty cell"
    signs: ClassVar[Signs] = SIGNS

    # -- what a member defines ----------------------------------------------------------------------------------------

    @abstractmethod
    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A fixed part and a solution; None to draw again.

        The fixed part has the fields ``height`` and ``width``.
        """

    def finished(self, rng: Stream, p: Any, problem: JSON, solution: Grid) -> JSON:
        """The fixed part after slow work; None to draw again.

        This is not called for problems of other splits.
        """
        return problem

    @abstractmethod
    def domains(self, problem: JSON) -> Sequence[int]:
        """Masks of the values of each cell."""

    def laws(self, problem: JSON) -> Laws:
        """What holds in every problem with this fixed part."""
        return {}

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """All clues that are true of a solution; by default none."""
        return []

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """The law of a clue."""
        raise NotImplementedError(f"{type(self).__name__} has clues, but no law for a clue. Define `clue`.")

    def pieces(self, problem: JSON) -> Pieces:
        """The data of the prompt.

        By default, the board with each clue ``[cell, symbol]`` in its cell.
        """
        return [picture("Grid", problem, dict(problem["clues"]), empty=self.empty)]

    def kept(self, p: Any, clues: Sequence[JSON]) -> int:
        """Number of clues at which removal stops; by default ``given`` percent."""
        return -(-len(clues) * getattr(p, "given", 100) // 100)

    def written(self, problem: JSON, solution: Grid) -> str:
        """A solution as an answer."""
        return grid_text(solution, problem["width"])

    def cells(self, problem: JSON, value: Any) -> Grid | str:
        """The values of all cells in an answer, or what is wrong."""
        height, width = problem["height"], problem["width"]
        if len(value) != height or len(value[0]) != width:
            return f"The grid must have {height} rows and {width} columns, got {len(value)} and {len(value[0])}."
        return tuple(chain.from_iterable(value))

    def marks(self, problem: JSON) -> Sequence[Shape]:
        """Shapes on the board, besides the symbols of the pieces."""
        return ()

    # -- what follows ------------------------------------------------------------------------------------------------

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A full grid, then clues removed while the solution stays unique.

        A draw whose solution breaks a law or a clue is rejected: a search for other solutions would not notice.
        """
        drawn = self.draw(rng, p)
        if drawn is None:
            return None
        problem, solution = drawn
        yield {**problem, "solution": list(solution)}
        problem = self.finished(rng, p, problem, solution)
        if problem is None:
            return None
        clues = self.clues(problem, solution)
        if self.broken({**problem, "clues": clues}, solution):
            return None
        kept = self.chosen(rng, p, problem, clues, solution)
        if kept is None:
            return None
        found = Instance({**problem, "clues": [clues[at] for at in kept]}, key=list(solution))
        fits = not hasattr(p, "least") or p.least <= self.effort(found) <= p.most
        return found if fits else None

    def chosen(self, rng: Stream, p: Any, problem: JSON, clues: Sequence[JSON], solution: Grid) -> Sequence[int] | None:
        """Positions of the clues to give; None if they do not suffice."""
        fixed = list(chain.from_iterable(self.laws(problem).values()))
        laws = [self.clue(problem, clue) for clue in clues]
        return carve(rng, self.domains(problem), fixed, laws, solution, self.kept(p, clues), self.budget)

    def canonical(self, content: JSON) -> JSON:
        """The regions and the solution, the least of all turned boards."""
        height, width = content["height"], content["width"]
        regions = [content[name] for name in self.layers]
        forms = []
        for turn in self.symmetries:
            shape = [width, height] if turn & 1 else [height, width]
            labels = [relabelled(turned(layer, height, width, turn)) for layer in regions]
            forms.append([shape, labels, self.outline(content, turn)])
        return min(forms)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The solution on the turned board, with directions turned as well."""
        return turned(content["solution"], content["height"], content["width"], turn)

    def prompt(self, problem: JSON) -> Statement:
        """The task, the pieces and the rules."""
        values = {**problem, "size": problem["width"], **self.values(problem)}
        pieces = self.pieces(problem)
        if self.observation == "image":
            pieces = with_looks(pieces, self.signs)
        return Statement(self.task, self.data, pieces, self.rules_of(problem), self.note, values)

    def example(self, problem: JSON) -> str:
        """A grid whose rows count through the values of their first cell."""
        return grid_text(_example(tuple(self.domains(problem)), problem["width"]), problem["width"])

    def board(self, problem: JSON) -> Board | None:
        """The grid with its given cells, if answers are grids."""
        if type(self).written is not Cells.written:
            return None
        domains = list(self.domains(problem))
        for law in self.model(problem).laws:
            if isinstance(law, Within):
                law.prune(domains)
        regions = tuple(problem.get("regions", ()))
        return Board(problem["height"], problem["width"], tuple(map(values_of, domains)), regions)

    def scene(self, inst: Instance, state: Any) -> Scene | None:
        """The puzzle as a picture."""
        return self.drawing(inst.problem) if self.pictured else None

    def drawing(self, problem: JSON) -> Scene:
        """The pieces as a picture."""
        return seen(problem["height"], problem["width"], self.pieces(problem), self.signs, self.marks(problem))

    def grade(self, inst: Instance, value: Any) -> Verdict:
        """Check the shape, the values, the laws and the clues."""
        cells = self.cells(inst.problem, value)
        broken = cells if isinstance(cells, str) else self.broken(inst.problem, cells)
        return Verdict.exact(not broken, broken)

    def broken(self, problem: JSON, cells: Grid) -> str:
        """The first rule that a grid breaks, or an empty text."""
        if any(not mask >> value & 1 for mask, value in zip(self.domains(problem), cells, strict=True)):
            return "A cell has a value that it may not have."
        for sentence, laws in self.laws(problem).items():
            if not all(law.holds(cells) for law in laws):
                return sentence
        return "" if all(self.clue(problem, clue).holds(cells) for clue in problem["clues"]) else _CLUE

    def solve(self, inst: Instance) -> str:
        """The solution."""
        return self.written(inst.problem, tuple(inst.key))

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The grid as JSON, and without spaces where digits suffice."""
        rows = [row.split() for row in self.solve(inst).splitlines()]
        yield json.dumps([list(map(int, row)) for row in rows])
        if all(len(cell) == 1 for row in rows for cell in row):
            yield "\n".join(map("".join, rows))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """One cell changed, and solutions of the puzzle without some law."""
        problem, key = inst.problem, tuple(inst.key)
        for grid in chain(self._slips(problem, key), self._relaxed(problem, key)):
            if self.broken(problem, grid):
                yield self.written(problem, grid)

    def effort(self, inst: Instance) -> float:
        """Steps of the search that solves the puzzle; given cells cost nothing."""
        model = self.model(inst.problem)
        off = [at for at, law in enumerate(model.laws) if isinstance(law, Within)]
        for at in off:
            model.laws[at].prune(model.domains)
        return float(model.solutions(1 + self.unique, 20 * self.budget, off).steps)

    def model(self, problem: JSON) -> Model:
        """The domains with all laws, then the clues, if there are any."""
        fixed = chain.from_iterable(self.laws(problem).values())
        clues = (self.clue(problem, clue) for clue in problem.get("clues", ()))
        return Model(self.domains(problem), [*fixed, *clues])

    def _slips(self, problem: JSON, key: Grid) -> Iterator[Grid]:
        """The solution with one cell changed."""
        open_ = [cell for cell, mask in enumerate(self.domains(problem)) if mask & mask - 1]
        for cell in dict.fromkeys((open_[0], open_[len(open_) // 2], open_[-1])):
            values = values_of(self.domains(problem)[cell])
            other = values[(values.index(key[cell]) + 1) % len(values)]
            yield (*key[:cell], other, *key[cell + 1 :])

    def _relaxed(self, problem: JSON, key: Grid) -> Iterator[Grid]:
        """Solutions without one kind of law, or without one clue."""
        model, start = self.model(problem), 0
        groups = []
        for laws in self.laws(problem).values():
            groups.append(range(start, start + len(laws)))
            start += len(laws)
        groups += [range(at, at + 1) for at in range(start, len(model.laws))][:_MOST_NEAR]
        for off in groups:
            yield from model.another(key, _NEAR_BUDGET, off).grids


def grid_text(cells: Sequence[int], width: int) -> str:
    """Values of cells row by row, separated by spaces."""
    return "\n".join(" ".join(map(str, cells[at : at + width])) for at in range(0, len(cells), width))


@lru_cache(maxsize=64)
def _example(domains: Grid, width: int) -> Grid:
    values = values_of(domains[0] if domains[0] & domains[0] - 1 else max(domains))
    return tuple(values[cell % width % len(values)] for cell in range(len(domains)))
