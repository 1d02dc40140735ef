"""TextConstraints: a text that reports given facts and satisfies constraints.

A member draws facts, constraints and a witness text, from which the constraints were read off::

    class Instructions(TextConstraints):
        Params = levels(facts=..., constraints=..., shaped=..., extra=...)
        task = Phrase("Write a short text about {subject}.", ..., held_out=...)

        def draft(self, rng, p):
            return facts, draw_set(rng, facts, ...)

The verdict checks every constraint and every fact, so no degenerate text passes: not the empty one, not one letter,
not the prompt. Words, sentences, lines and paragraphs are defined in the prompt by the rules that the code follows.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants
from envhub.authoring.wording.statement import Rendering
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.constraint_phrases import TERMS, sentence
from envhub.families.member import Member
from envhub.generators.constraints.facts import report_of
from envhub.generators.constraints.kinds import Constraint
from envhub.generators.constraints.sets import KINDS, Draft, broken
from envhub.generators.constraints.units import Text
from envhub.verifiers.answers.verbatim import Prose

_FLOOR: Final = 4

REPORT: Final = Phrase(
    "For each row of the table, the text must have a sentence that contains the attribute and the value, as they are "
    "written and as whole words, and at least two more words. Case does not matter.",
    "Report every row of the table in a sentence that contains its attribute and its value, word for word, and two or "
    "more other words. A part of a longer word does not count. Upper and lower case count as the same.",
    "Each row of the table needs a sentence in which its attribute and its value both occur as written, in any case, "
    "together with at least two other words. An attribute or a value inside a longer word does not count.",
    held_out="Every row (attribute, value) must be reported: some sentence contains both of them verbatim, as whole "
    "words and ignoring case, plus two or more further words.",
)
APART: Final = Phrase(
    "No sentence may contain attributes or values of two rows.",
    "A sentence that contains an attribute or a value of one row may not contain one of another row.",
    "Never mention two rows of the table in one sentence, neither by attribute nor by value.",
    held_out="Attributes and values of different rows may not share a sentence.",
)
ASCII: Final = Phrase(
    "Use only printable ASCII characters and line breaks.",
    "The text may contain only printable ASCII characters and line breaks.",
    "Apart from line breaks, every character must be a printable ASCII character.",
    held_out="Character set: printable ASCII and line breaks.",
)
FLOOR: Final = Phrase(
    "The text must have at least {floor} different words in all. Case does not matter.",
    "Without regard to case, use {floor} different words or more.",
    "At least {floor} words of the text must be different from each other, ignoring case.",
    held_out="Distinct words, ignoring case: {floor} or more.",
)
WHOLE: Final = Phrase(
    "Titles, headings and all other lines are part of the text: every rule applies to all of it.",
    "All rules apply to the whole text, with its title and its headings if it has any.",
    "Everything you give as your text counts for the rules, headings and titles included.",
    held_out="Scope of all rules: the complete text, including any title or heading.",
)


def _as_lines(problem: Any) -> str:
    return "\n".join(["The table (attribute: value):", *(f"{left}: {right}" for left, right in problem["rows"])])


def _as_grid(problem: Any) -> str:
    rows = [f"| {left} | {right} |" for left, right in problem["rows"]]
    return "\n".join(["| attribute | value |", "|---|---|", *rows])


def _as_json(problem: Any) -> str:
    rows = canonical_json([{"attribute": left, "value": right} for left, right in problem["rows"]]).decode()
    return f"The table, one object for each row:\n{rows}"


def _as_pairs(problem: Any) -> str:
    return "Table rows as attribute -> value\n" + "\n".join(f"{left} -> {right}" for left, right in problem["rows"])


FACTS: Final[Variants[Rendering]] = Variants(_as_lines, _as_grid, _as_json, held_out=_as_pairs, name="facts")


class TextConstraints(Member):
    """A text about facts under constraints; many texts are right."""

    answer = Prose(sample="This is one sentence. This is another one.")
    data = FACTS

    @abstractmethod
    def draft(self, rng: Stream, p: Any) -> tuple[JSON, Draft] | None:
        """Fields with ``subject`` and ``rows``, and constraints with a witness."""

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Facts and constraints; the key is a text that satisfies them."""
        drawn = self.draft(rng, p)
        if drawn is None:
            return None
        problem, draft = drawn
        constraints = [[name, dict(settings)] for name, settings in draft.constraints]
        return Instance({**problem, "constraints": constraints}, key=draft.text)

    def canonical(self, content: JSON) -> JSON:
        """The facts and the constraints, in fixed orders."""
        constraints = sorted(canonical_json(constraint).decode() for constraint in content["constraints"])
        return [content["subject"], sorted(content["rows"]), constraints]

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The least number of different words."""
        return {"floor": floor(problem["rows"])}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The rules on facts, the constraints, and the terms that they use."""
        return (REPORT, APART, *sentences(problem["constraints"]), FLOOR, ASCII, WHOLE, *terms(problem["constraints"]))

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Check the characters, the facts and every constraint."""
        return judge(inst.problem["rows"], inst.problem["constraints"], value)

    def solve(self, inst: Instance) -> str:
        """The witness."""
        return str(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Degenerate texts, and the witness with a fact changed."""
        rows, right = inst.problem["rows"], self.solve(inst)
        yield from ("a", "a a a", _as_lines(inst.problem), " ".join(word for row in rows for word in row))
        for attribute, value in rows:
            yield right.replace(attribute, "thing").replace(attribute.upper(), "THING")
            yield right.replace(value, "unknown").replace(value.upper(), "UNKNOWN").replace(value.lower(), "unknown")
        yield right.replace("e", "\u0435").replace("E", "\u0415")  # Cyrillic letters that look the same

    def effort(self, inst: Instance) -> float:
        """Conditions that the text must meet at once."""
        return float(len(inst.problem["rows"]) + len(inst.problem["constraints"]))


def floor(rows: Sequence[Any]) -> int:
    """The least number of different words of a text about some facts."""
    return _FLOOR * len(rows)


def sentences(constraints: Sequence[Constraint]) -> tuple[Phrase, ...]:
    """The sentences of some constraints."""
    return tuple(sentence(name, settings) for name, settings in constraints)


def terms(constraints: Sequence[Constraint]) -> tuple[Phrase, ...]:
    """The definitions that the rules on facts and some constraints need."""
    used = {"word", "sentence", *(term for name, _ in constraints for term in KINDS[name].terms)}
    return tuple(phrase for term, phrase in TERMS.items() if term in used)


def judge(rows: Sequence[Any], constraints: Sequence[Constraint], raw: str) -> Verdict:
    """Whether a text reports all facts and satisfies all constraints."""
    if not (raw.isascii() and raw.replace("\n", "").isprintable()):
        return Verdict.exact(False, "The text contains a character that is not printable ASCII.")
    text = Text(raw)
    report = report_of(rows, text)
    if report.missing:
        return Verdict.exact(False, f"No sentence reports: {', '.join(report.missing)}.")
    if report.mixed:
        return Verdict.exact(False, "A sentence contains attributes or values of two rows.")
    if len(text.word_counts) < floor(rows):
        return Verdict.exact(
            False, f"The text has {len(text.word_counts)} different words; {floor(rows)} are required."
        )
    wrong = [constraints[at][0].replace("_", " ") for at in broken(constraints, text)]
    return Verdict.exact(not wrong, f"Not satisfied: {', '.join(wrong)}." if wrong else "")
