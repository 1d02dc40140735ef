"""dataset-v0: answer your questions from a file, graded against your answers.

Each row of a JSON lines or parquet file has a question and a gold answer; the type of the gold answer is in a column
``kind`` (with ``options``), in the parameters of these names, or read from it (``auto``). Action: the answer alone,
in any form a person would write it. Difficulty: that of the rows, if a column ``difficulty`` has 1..10, else every
level is the same.

A question is its text, ignoring case and spacing; duplicates in the file count once. Questions that mean the same in
other words are not folded. Effort is the length of the question, as nothing else is known of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from envhub.authoring import Grading, SingleTurn, Staged
from envhub.authoring.user_file import UserFile
from envhub.core.effects import Resource
from envhub.core.errors import InvalidParameters, MissingExtra
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.generators.user_files.questions import Question, questions
from envhub.verifiers.answers.examples import example_for
from envhub.verifiers.answers.final_answer import (
    COMPONENTS,
    SYMBOLIC,
    SYMBOLIC_SECONDS,
    FinalAnswer,
    compare_answer,
    compare_views,
    has_sympy,
)
from envhub.verifiers.answers.golds import PRESETS, REMEDY, WORKED, Preset, is_prose, reader
from envhub.verifiers.math import KINDS, gold_of, is_text, kind_of, math_verify
from envhub.verifiers.math.verdict import verdict_of
from envhub.workers.grader import Grader, judged_by

_AUTO: Final = "auto"
_USUAL: Final = Preset("prompt", "answer", "answer")
_MATH_VERIFY_SECONDS: Final = 10.0


class Params(UserFile):
    """The file and its columns."""

    path: str = Field("", description="the file, .jsonl or .parquet")
    question: str = Field("prompt", description="the column with the question")
    gold: str = Field("answer", description="the column with the gold answer")
    gold_from: Literal["answer", "####", "boxed", "last_number"] = Field(
        "answer",
        description="where the gold stands in its column: it is all of it, follows ####, is the last box or the last number",
    )
    preset: Literal["none", "gsm8k", "math"] = Field(
        "none", description="a public data set, whose columns and place of the gold are used where they are not given"
    )
    kind: str = Field(_AUTO, description=f"what a gold is, where no column `kind` says it: {', '.join(KINDS)}")
    options: dict[str, Any] = Field(default_factory=dict, description="of that kind")
    second: Literal["none", "math-verify"] = Field(
        "none",
        description="who is asked about answers to golds of no declared kind that the ladder cannot read or decide",
    )

    @model_validator(mode="after")
    def _the_kind_takes_its_options(self) -> Self:
        kind_of(self.kind, self.options)
        return self

    def look(self) -> None:
        """Find the questions of the level."""
        self.rows()

    def rows(self) -> Sequence[Question]:
        """The questions of the level."""
        given = (self.question, self.gold, self.gold_from)
        known = PRESETS.get(self.preset, Preset(*given))
        question, gold, place = (
            mine if mine != usual else its for mine, usual, its in zip(given, _USUAL, known, strict=True)
        )
        return questions(self.path, self.digest, question, gold, reader(place)).at(self.level)


class Dataset(SingleTurn):
    """Answer questions from a file."""

    Params = Params
    answer: FinalAnswer = FinalAnswer()
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = COMPONENTS | {"second"}
    resources: ClassVar[Mapping[str, Resource]] = {
        "grader": Grader(SYMBOLIC, deadline_s=SYMBOLIC_SECONDS),
        "second": Grader("envhub.verifiers.math.fallback:by_math_verify", deadline_s=_MATH_VERIFY_SECONDS),
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A row; the split is decided on its question."""
        chosen = rng.choice(p.rows())
        yield chosen.text
        kind = chosen.kind or p.kind
        options = chosen.options or {} if chosen.options or chosen.kind else p.options
        if kind == _AUTO:
            options = {"question": chosen.text, **options}
        try:
            known = gold_of(chosen.gold, kind, options)
            if kind == _AUTO and is_text(*known) and is_prose(chosen.gold):
                raise InvalidParameters(f'{WORKED} {REMEDY} If it is the answer itself, declare kind="text".')
        except InvalidParameters as error:
            raise InvalidParameters(f"{p.path}, row {chosen.row}: {error}") from None
        if p.second != "none" and not math_verify.installed():
            raise MissingExtra("math-verify is not installed. Run: pip install 'envhub[math-verify]'")
        asked = p.second != "none" and kind == "auto"  # only the declared kind's own verifier may judge it
        example = example_for(chosen.text, kind, options, rng)
        return Instance(
            {"question": chosen.text, "example": example, **({"second": p.second} if asked else {})},
            key={"gold": chosen.gold, "kind": kind, "options": options},
        )

    def accepts(self, inst: Instance) -> bool:
        """Reject an instance that the prompt's own example would solve."""
        return not compare_answer(answer=inst.problem["example"], **inst.key).same

    def canonical(self, content: JSON) -> JSON:
        """The question case-folded, with single spaces."""
        return " ".join(content.split()).casefold()

    def prompt(self, problem: JSON) -> str:
        """The text of the question."""
        return str(problem["question"])

    def directions(self, problem: JSON) -> str:
        """The format with the example of the problem."""
        return replace(self.answer, shown=problem["example"]).instruction()

    def grade(self, inst: Instance, value: str) -> Grading:
        """By the ladder.

        Undecided answers go to SymPy, if installed, or to the configured judge.
        """
        found, said = compare_views(answer=value, **inst.key)
        if found.stage in ("unreadable", "undecided") and "second" in inst.problem:
            return judged_by("second", {"answer": value, "gold": inst.key["gold"]})
        if found.stage == "undecided" and has_sympy():
            return judged_by("grader", {"answer": said, **inst.key})
        return verdict_of(found)

    def solve(self, inst: Instance) -> str:
        """The gold answer."""
        return str(inst.key["gold"])
