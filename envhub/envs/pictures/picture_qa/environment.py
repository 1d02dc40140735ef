"""picture-qa-v0: questions about positions of games and puzzles.

Action: a list of numbers, words or cells. The position comes from the generator of one of 32 games and puzzles, and the answer
is computed by its engine: what is where, counts, areas, distances, a rule that examples determine, legal moves, the position
after moves, the only best move, the only wrong cell, and contents that follow from the rules. With ``observation="image"`` the
position is shown as a picture alone.

Difficulty: larger positions and deeper questions (more cells, lines, moves or steps); effort is the length of a
line of the board times the depth. Positions that are equal up to symmetry count as different.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any, ClassVar, Final

from envhub.authoring import SingleTurn
from envhub.authoring.wording import Phrase, Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures.picture_qa import follows, hidden_rule, looks, wording
from envhub.envs.pictures.picture_qa.games import games
from envhub.envs.pictures.picture_qa.kind import Kind
from envhub.envs.pictures.picture_qa.puzzles import puzzles
from envhub.envs.pictures.picture_qa.source import Played, Source
from envhub.envs.pictures.picture_qa.worlds import worlds
from envhub.families.levels import knob, levels
from envhub.families.pieces import SHOWN
from envhub.scenes import Scene
from envhub.verifiers.answers.items import Items
from envhub.verifiers.answers.types import AnswerType

SOURCES: Final[Mapping[str, Source]] = {**puzzles(), **games(), **worlds()}
KINDS: Final[Mapping[str, Kind]] = {
    "count": looks.Count(),
    "at": looks.At(),
    "where": looks.Where(),
    "busiest": looks.Busiest(),
    "around": looks.Around(),
    "areas": looks.Areas(),
    "reach": looks.Reach(),
    "slide": looks.Slide(),
    "hidden rule": hidden_rule.HiddenRule(),
    "legal": follows.Legal(),
    "after": follows.After(),
    "options": follows.Options(),
    "best": follows.Best(),
    "wrong": follows.Wrong(),
    "missing": follows.Missing(),
}
_TRIES: Final = 40


class PictureQA(SingleTurn):
    """Answer a question about a position of a game or puzzle."""

    Params = levels(
        size=knob("size of the position, from small to large", *range(1, 11)),
        depth=knob("how deep the question goes", 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, at_most=6),
    )
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    answer: AnswerType = Items()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A kind of question, a source that it fits, and a position."""
        name = rng.choice(list(KINDS))
        kind = KINDS[name]
        fitting = [source for source in SOURCES if kind.fits(SOURCES[source])]
        for _ in range(_TRIES):
            source = rng.choice(fitting)
            state = kind.position(rng, SOURCES[source], p.size)
            asked = None if state is None else kind.ask(rng, SOURCES[source], state, p.depth)
            if asked is not None:
                state, ask = asked
                key = kind.answer(SOURCES[source], state, ask)
                problem = {"source": source, "state": state, "kind": name, "ask": ask, "depth": p.depth}
                return Instance(problem, key=key)
        return None

    def canonical(self, content: JSON) -> JSON:
        """The position and the question."""
        return [content[name] for name in ("source", "state", "kind", "ask")]

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The question, the position, and the rules that it relies on."""
        source, kind = SOURCES[problem["source"]], KINDS[problem["kind"]]
        view = source.view(problem["state"])
        rules: list[Phrase] = [wording.PLACES, wording.CELLS, *kind.rules]
        if problem["source"] == "chess":
            rules.append(wording.SQUARES_TOO)
        if kind.engine:
            rules += source.rules_of(problem["state"])
            if isinstance(source, Played) and source.written is not None:
                rules.append(source.written)
        values = {"source": source.name, **kind.values(source, view, problem["ask"])}
        return Statement(kind.task_of(source), SHOWN, view.pieces, tuple(rules), None, values)

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The position."""
        return SOURCES[inst.problem["source"]].view(inst.problem["state"]).scene

    def example(self, problem: JSON) -> str:
        """As many items as a right answer has.

        The question says how many.
        """
        return ", ".join(KINDS[problem["kind"]].example(problem["ask"]))

    def grade(self, inst: Instance, value: tuple[Any, ...]) -> Verdict:
        """Compare the items in order."""
        return Verdict.exact(value == self.answer.parse(", ".join(inst.key)))

    def solve(self, inst: Instance) -> str:
        """The items."""
        return ", ".join(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """One item changed, left out, or too many."""
        for at, item in enumerate(inst.key):
            other = str(int(item) + 1) if item.isdigit() else "r1c1" if item != "r1c1" else "r1c2"
            yield ", ".join([*inst.key[:at], other, *inst.key[at + 1 :]])
        yield ", ".join([*inst.key, "r99c99"])
        if len(inst.key) > 1:
            yield ", ".join(inst.key[:-1])

    def effort(self, inst: Instance) -> float:
        """The cells of a line of the board, times the depth."""
        view = SOURCES[inst.problem["source"]].view(inst.problem["state"])
        return sqrt(len(view.cells())) * float(inst.problem["depth"])
