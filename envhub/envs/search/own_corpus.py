"""search-dataset-v0: answer your questions about your own corpus with search tools.

Two files of JSON lines or parquet hold the documents and the questions. Action: tool calls, as in search-qa-v0;
``search`` ranks the documents by BM25, ``find`` lists those that contain a phrase, ``open`` shows one (long ones by
pages), ``submit`` ends the task: score 1 if the answer equals one of the row's answers, else 0. Difficulty: that of the
rows, where given as 1..10, else every level is the same; effort is the number of documents the row lists as needed, or
the length of the question if no row lists any.

Components: ``retrieval``, ``cited`` and ``wasted``, see :mod:`envhub.envs.search.corpus_tools`; without ``documents``
in a row the first two are 0. A question is its text, ignoring case and spacing; the corpus does not count, so editing
it does not change splits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import Staged, write_call
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Phrase, Statement
from envhub.authoring.wording.tool_phrases import SUBMIT_ONCE
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.search.corpus_tools import Asking, Desk
from envhub.envs.search.wording import CITING, QUESTION
from envhub.generators.retrieval import Index
from envhub.generators.user_files.corpora import Asked, corpus, questions_about
from envhub.verifiers.answers.phrases import normal

_TASK: Final = Phrase(
    "Answer a question by searching a collection of {count} documents.",
    "Find the answer to a question in a collection of {count} documents, which you can search.",
    "You can search a collection of {count} documents. Answer the question from it.",
    held_out="Look up the answer to the query in a searchable collection of {count} documents.",
)
_SHORT: Final = Phrase(
    "Your answer must be short: a name, a number or a few words, and nothing else.",
    "Answer with a name, a number or a few words, without any explanation.",
    "Give nothing but the answer itself, which is a name, a number or a few words.",
    held_out="Format of the answer: a bare name, number or short phrase.",
)


class Params(UserFiles):
    """The two files."""

    digests: ClassVar[Mapping[str, str]] = {"corpus": "corpus_digest", "questions": "questions_digest"}

    corpus: str = Field("", description="the documents, .jsonl or .parquet")
    questions: str = Field("", description="the questions, .jsonl or .parquet")
    corpus_digest: str = Field("", description="SHA-256 of the documents; what it is now, if not given")
    questions_digest: str = Field("", description="SHA-256 of the questions; what it is now, if not given")
    level: int | None = Field(None, ge=1, le=10, description="only questions of this difficulty, where the rows say it")

    def look(self) -> None:
        """Find the questions of the level."""
        self.asked()

    def asked(self) -> Sequence[Asked]:
        """The questions of the level.

        Raises:
            InvalidParameters: No question has this level, or the files are invalid.
        """
        return questions_about(self.questions, self.questions_digest, self.corpus, self.corpus_digest).at(self.level)

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The questions of a level."""
        return cls(level=difficulty)


class OwnCorpus(Asking):
    """Answer questions from a file about a corpus in a file."""

    Params = Params
    files: ClassVar[tuple[str, ...]] = ("corpus", "questions")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row; the split is decided on its question."""
        chosen = rng.choice(p.asked())
        yield chosen.text
        if not all(map(normal, chosen.answers)):
            raise InvalidParameters(f"{p.questions}, row {chosen.row}: an answer has no word in it.")
        key = {
            "corpus": [p.corpus, p.corpus_digest],
            "answers": list(chosen.answers),
            "evidence": [list(ids) for ids in chosen.documents],
        }
        count = len(corpus(p.corpus, p.corpus_digest).documents)
        return Instance({"question": chosen.text, "documents": count}, key)

    def canonical(self, content: JSON) -> JSON:
        """The question case-folded, with single spaces."""
        return " ".join(content.split()).casefold()

    def prompt(self, problem: JSON) -> Statement:
        """The question and the corpus."""
        values = {"count": problem["documents"]}
        return Statement(_TASK, QUESTION, problem, rules=(_SHORT, CITING, SUBMIT_ONCE), values=values)

    def index(self, inst: Instance) -> Index:
        """The documents of the file."""
        return corpus(*inst.key["corpus"])

    def random_action(self, inst: Instance, state: Desk, rng: Stream) -> str:
        """A small number."""
        return write_call("submit", answer=rng.below(10))

    def effort(self, inst: Instance) -> float:
        """Number of needed documents.

        If no row lists any, the length of the question.
        """
        return float(len(inst.key["evidence"]) or len(inst.problem["question"]))
