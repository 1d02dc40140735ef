"""search-qa-v0: answer a one-to-ten-fact question with search tools.

Action: tool calls. ``search`` ranks the documents by BM25, ``find`` lists those that contain a phrase, ``open`` shows
one, and ``submit`` ends the task: score 1 if it is right, else 0. The question needs one to ten facts (a count up to
two more), combined in up to six hops, by comparison, by counting, by two properties that only one thing has, or by the
state in a year. Sometimes no document states a needed fact, and the answer is "not in the corpus". Every answer is
computed from the world's tables, where it is unique; a second name of the same thing counts, additional text does not.
Documents differ in age and may be superseded. Difficulty: more facts, a larger world, more people who share a name;
effort is the number of lines of lists and documents read by a searcher that looks up each fact by name and opens the
results in order.

Components: ``retrieval``, ``cited`` and ``wasted``, see :mod:`envhub.envs.search.corpus_tools`. Two problems with the
same words and the same facts are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring import Staged, write_call
from envhub.authoring.wording import Phrase, Statement
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.search.corpus_tools import Asking, Desk, texts_read
from envhub.envs.search.wording import ANSWER, CITING, QUESTION, READING, UNANSWERED
from envhub.envs.search.worlds import WorldParams, drawn
from envhub.generators.retrieval import Index, states
from envhub.generators.worlds.corpus import index_of, world_of
from envhub.generators.worlds.kinds import kind_of
from envhub.generators.worlds.questions import UNKNOWN
from envhub.generators.worlds.tables import ALIAS
from envhub.generators.worlds.text import called

_IN_VAIN: Final = 10  # texts read in vain if no document states the answer
_TASK: Final = Phrase(
    "Answer a question by searching a collection of {count} documents.",
    "Search a collection of {count} documents for the answer to this question.",
    "There is a collection of {count} documents that you can search. Use it to answer the question.",
    held_out="Resolve the query against a searchable collection of {count} documents.",
)


class Params(WorldParams):
    """The world, and the number of facts in a question."""

    levels: ClassVar[Sequence[tuple[int, ...]]] = (
        (8, 0, 1),
        (10, 1, 2),
        (14, 1, 3),
        (20, 2, 4),
        (26, 3, 5),
        (34, 4, 6),
        (42, 5, 7),
        (50, 6, 8),
        (58, 7, 9),
        (66, 8, 10),
    )

    facts: int = Field(3, ge=1, le=10, description="facts that have to be put together")


class SearchQA(Asking):
    """Answer a question about a closed corpus with the help of search."""

    Params = Params
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A world, and a question about it.

        Documents are written only for content of the wanted split.
        """
        found = drawn(rng, p)
        if found is None:
            return None
        made, question, content = found
        yield content
        documents = index_of(*made).documents
        key = {
            "world": list(made),
            "answers": list(question.answers),
            "facts": list(question.facts),
            "evidence": [states(documents, fact) for fact in question.facts],
            "shape": question.shape,
        }
        kind = kind_of(question.expression)
        return Instance({"question": question.text, "kind": kind, "documents": len(documents)}, key)

    def form(self, problem: JSON) -> str:
        """The type of the requested value, and how the facts are combined."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The question, and how to read the corpus."""
        rules = (*READING, ANSWER, UNANSWERED, CITING, SUBMIT_ONCE)
        values = {"count": problem["documents"]}
        return Statement(task=_TASK, data=QUESTION, problem=problem, rules=rules, values=values)

    def index(self, inst: Instance) -> Index:
        """The documents of the world."""
        return index_of(*inst.key["world"])

    def random_action(self, inst: Instance, state: Desk, rng: Stream) -> str:
        """A random answer."""
        return write_call("submit", answer=rng.choice((UNKNOWN, str(rng.between(2, 9)), str(rng.between(1940, 2022)))))

    def effort(self, inst: Instance) -> float:
        """Lines and documents read by a plain searcher.

        It looks up each fact by name.
        """
        world = world_of(*inst.key["world"])
        queries = []
        for number in inst.key["facts"]:
            fact = world.facts[number]
            name = fact.value if fact.relation == ALIAS else called(world.things[fact.subject])
            queries.append((f"{name} {fact.relation}", number))
        return float(texts_read(self.index(inst), queries) + _IN_VAIN * (inst.key["shape"] == "unknown"))
