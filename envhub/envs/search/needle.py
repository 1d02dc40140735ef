"""needle-v0: answer a question about documents given in the prompt.

Action: a name, a year or a number. The question needs one to five facts (a count up to two more) from different places,
as in search-qa-v0: combined in a chain, by comparison, by counting, by two properties that only one thing has, or by
the state in a year. Sometimes no document states a needed fact, and the answer is "not in the corpus". Every answer is
computed from the world's tables, where it is unique; a second name of the same thing counts, additional text does not.
Difficulty: a longer text, more facts, more people who share a name; effort is the length of the text.

Two problems with the same question words and the same facts are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring import SingleTurn, Staged, wording as w
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.search.wording import ANSWER, DOCUMENTS, READING, UNANSWERED
from envhub.envs.search.worlds import WorldParams, drawn
from envhub.generators.worlds.corpus import index_of
from envhub.generators.worlds.kinds import kind_of
from envhub.generators.worlds.questions import UNKNOWN
from envhub.verifiers.answers.phrases import Phrase, judged
from envhub.verifiers.answers.types import AnswerType

_MOST_CHARS: Final = 60_000
_TASK: Final = w.Phrase(
    "Answer a question about these {count} documents.",
    "Read the {count} documents and answer the question about them.",
    "Find the answer to the question in the {count} documents.",
    held_out="Derive the answer to the query from the given {count} documents.",
)


class Params(WorldParams):
    """The world, and the number of facts in a question."""

    levels: ClassVar[Sequence[tuple[int, ...]]] = (
        (8, 0, 1),
        (10, 0, 1),
        (13, 1, 2),
        (17, 1, 2),
        (21, 2, 3),
        (26, 2, 3),
        (32, 3, 4),
        (39, 4, 4),
        (46, 5, 5),
        (54, 6, 5),
    )

    people: int = Field(
        20, ge=8, le=56, description="people in the world; each adds some thousand characters to the text"
    )
    namesakes: int = Field(2, ge=0, le=14, description="pairs of people who share a name")
    facts: int = Field(2, ge=1, le=6, description="facts that have to be put together")


class Needle(SingleTurn):
    """Answer a question from a long text."""

    Params = Params
    answer: AnswerType = Phrase()
    unique: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A world, and a question about it.

        Documents are written only for content of the wanted split.
        """
        found = drawn(rng, p)
        if found is None:
            return None
        made, question, content = found
        yield content
        documents = [f"{document.head}\n{document.text}" for document in index_of(*made).documents]
        if sum(map(len, documents)) > _MOST_CHARS:
            return None
        problem = {
            "question": question.text,
            "kind": kind_of(question.expression),
            "documents": documents,
        }
        return Instance(problem, key={"answers": list(question.answers)})

    def form(self, problem: JSON) -> str:
        """The type of the requested value, and how the facts are combined."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> w.Statement:
        """The documents, the question, and how to read them."""
        rules = (*READING, ANSWER, UNANSWERED)
        values = {"count": len(problem["documents"])}
        return w.Statement(task=_TASK, data=DOCUMENTS, problem=problem, rules=rules, values=values)

    def grade(self, inst: Instance, value: str) -> Verdict:
        """By all names of the right answer."""
        return judged(value, inst.key["answers"], (UNKNOWN,))

    def solve(self, inst: Instance) -> str:
        """The plainest form of the answer."""
        return str(inst.key["answers"][0])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The other forms, and quotation marks around them."""
        yield from inst.key["answers"][1:]
        yield f"\u201c{self.solve(inst)}\u201d"

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A year, a small number, or "not in the corpus"."""
        return self.answer.wrap(UNKNOWN if rng.below(3) == 0 else self.answer.random(rng))
