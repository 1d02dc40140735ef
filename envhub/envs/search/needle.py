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

from envhub.authoring import SingleTurn, Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.search.worlds import WorldParams, drawn
from envhub.generators.worlds.corpus import GLOSSARY, RULES, index_of
from envhub.generators.worlds.kinds import kind_of
from envhub.generators.worlds.questions import UNKNOWN
from envhub.verifiers.answers.phrases import Phrase, judged
from envhub.verifiers.answers.types import AnswerType

_MOST_CHARS: Final = 60_000


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

    def prompt(self, problem: JSON) -> str:
        """How to read the documents, the documents, the question."""
        documents = "\n\n".join(problem["documents"])
        return (
            f"Answer a question from the {len(problem['documents'])} documents below.\n\n{RULES}\n\n{GLOSSARY}\n\n{documents}"
            f"\n\nThe question: {problem['question']}\n\nThe answer is a name, a year or a number, and nothing else; of people "
            "who share a name give the trade as well, as in: the baker Ada Example. If the documents do not tell it, the "
            f"answer is: {UNKNOWN}."
        )

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
