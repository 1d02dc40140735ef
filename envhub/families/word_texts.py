"""WordTexts: sentences of listed words under exact constraints.

A member names the laws and the measures that it draws from::

    class Count(WordTexts):
        laws = ("prime_lengths", "rising_lengths")
        measures = ("letter_total", "vowel_total")

A text is composed first and the constraints are read off it, so every task has a solution. Only listed words count,
and none counts twice: no degenerate text passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar, Final

from envhub.authoring.wording import Phrase, Variants
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Verdict
from envhub.families.constraint_phrases import counted
from envhub.families.member import Member
from envhub.families.word_text_phrases import SENTENCES
from envhub.generators.constraints.word_pool import POOL
from envhub.generators.constraints.word_texts import LAWS, MEASURES, compose, read, satisfies, spell, words
from envhub.verifiers.answers.verbatim import Verbatim

LISTED: Final = Phrase(
    "Use only words of the list, each of them at most once.",
    "Every word must be from the list, and no word may occur twice.",
    "Choose your words only from the list. Do not repeat a word.",
    held_out="Vocabulary: the list, without repetition.",
)
SIZE: Final = Phrase(
    "Write {sentences} with {words} in total.",
    "The text must have {sentences} and, in all of them together, {words}.",
    "There must be {sentences}. Together they must have {words}.",
    held_out="Size: {sentences}; {words} overall.",
)
SPELLING: Final = Phrase(
    "Write all words in lower case, with one space between words and a full stop directly after the last word of a sentence. "
    "Between sentences write one space or one line break, and nothing else anywhere.",
    "Spell the words as in the list, in lower case. A single space separates words, a full stop ends each sentence, and a "
    "single space or line break separates sentences. No other character is allowed.",
    "Each sentence consists of lower-case words with one space between them, and ends with a full stop. One space or one line "
    "break comes between two sentences. There may be no other character.",
    held_out="Notation: lower case; one space between words; a full stop at the end of each sentence; one space or line break "
    "between sentences; no other characters.",
)
SENSE: Final = Phrase(
    "The sentences do not have to make sense.",
    "Grammar and meaning do not matter.",
    "The text need not be meaningful.",
    held_out="Meaning and grammar are not graded.",
)


def _in_a_row(problem: Any) -> str:
    return f"The list of words: {', '.join(problem['list'])}."


def _in_lines(problem: Any) -> str:
    rows = [problem["list"][at : at + 6] for at in range(0, len(problem["list"]), 6)]
    return "\n".join(["The list of words:", *(" ".join(row) for row in rows)])


def _as_json(problem: Any) -> str:
    return f"The list of words, as JSON:\n{canonical_json(problem['list']).decode()}"


def _numbered(problem: Any) -> str:
    return "Permitted vocabulary:\n" + "\n".join(f"{at}. {word}" for at, word in enumerate(problem["list"], 1))


class WordTexts(Member):
    """Sentences of listed words.

    Attributes:
        laws: Names of the laws that it draws from; at most one of each half holds.
        measures: Names of the measures that it draws from.
    """

    laws: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]]
    measures: ClassVar[tuple[str, ...]]
    answer = Verbatim(sample="word word word.")
    data = Variants(_in_a_row, _in_lines, _as_json, held_out=_numbered, name="words")

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Constraints read off a text; the key is the text."""
        sizes = [p.words // p.sentences + rng.below(3) - 1 for _ in range(p.sentences)]
        laws = [(name, LAWS[name].draw(rng)) for name in self.draw_laws(rng, p.laws)]
        text = compose(rng, sizes, laws)
        if text is None:
            return None
        used = words(text)
        shown = [*used, *rng.sample([word for word in POOL if word not in used], p.spare)]
        rng.shuffle(shown)
        read_off = [(name, MEASURES[name].draw(rng, text)) for name in rng.sample(self.measures, p.measures)]
        constraints = [[name, dict(settings)] for name, settings in (*laws, *read_off)]
        problem = {"list": shown, "sentences": len(sizes), "words": len(used), "constraints": constraints}
        return None if _solved_in_order(problem) else Instance(problem, key=spell(text))

    def draw_laws(self, rng: Stream, count: int) -> list[str]:
        """The names of one law or of two that can hold together."""
        halves = [rng.choice(half) for half in self.laws]
        return rng.sample(halves, count)

    def canonical(self, content: JSON) -> JSON:
        """The words and the constraints, in fixed orders."""
        constraints = sorted(canonical_json(constraint).decode() for constraint in content["constraints"])
        return [sorted(content["list"]), content["sentences"], content["words"], constraints]

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The numbers of sentences and words."""
        return {
            "sentences": counted("exactly", problem["sentences"], "sentence"),
            "words": counted("exactly", problem["words"], "word"),
        }

    def example(self, problem: JSON) -> str:
        """Sentences of the right number; their words are not listed."""
        return " ".join(["word word word."] * problem["sentences"])

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The rules of all tasks, and one sentence for each constraint."""
        own = (SENTENCES[name].bound(_shown(name, settings)) for name, settings in problem["constraints"])
        return (LISTED, SIZE, *own, SPELLING, SENSE)

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Check the notation, the words, the size and every constraint."""
        problem, text = inst.problem, read(value)
        if text is None:
            return Verdict.exact(False, "The text is not spelt as the rules require.")
        used = words(text)
        if len(set(used)) < len(used) or not set(used) <= set(problem["list"]):
            return Verdict.exact(False, "A word occurs twice or is not from the list.")
        if (len(text), len(used)) != (problem["sentences"], problem["words"]):
            return Verdict.exact(False, f"The text has {len(text)} sentences and {len(used)} words.")
        wrong = [name.replace("_", " ") for name in satisfies(text, problem["constraints"])]
        return Verdict.exact(not wrong, f"Not satisfied: {', '.join(wrong)}." if wrong else "")

    def solve(self, inst: Instance) -> str:
        """The text that the constraints were read off."""
        return str(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The same text with each sentence on a line of its own."""
        yield inst.key.replace(". ", ".\n")

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """A word left out, repeated or not listed, and the list itself."""
        first, rest = inst.key.split(" ", 1)
        yield rest
        yield f"{rest[:-1]} {first} {first}."
        yield f"unlisted {rest}"
        yield inst.key.title()
        yield " ".join(inst.problem["list"]) + "."
        yield "a."

    def effort(self, inst: Instance) -> float:
        """Words to choose, times the conditions on them."""
        return float(inst.problem["words"] * (2 + len(inst.problem["constraints"])))


def _solved_in_order(problem: JSON) -> bool:
    """Whether successive words of the list solve the problem as they stand."""
    shown, count = problem["list"], problem["words"]
    bounds = [count * at // problem["sentences"] for at in range(problem["sentences"] + 1)]
    for first in range(0, len(shown) - count + 1, count):
        text = [shown[first + low : first + high] for low, high in pairwise(bounds)]
        if not satisfies(text, problem["constraints"]):
            return True
    return False


def _shown(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a constraint's sentence."""
    shown: dict[str, Any] = dict(settings)
    if "n" in shown:
        noun = {"letter_total": "letter", "vowel_total": "vowel", "letter_times": "time"}.get(name, "word")
        shown["counted"] = counted("exactly", shown["n"], noun)
    if "sizes" in shown:
        shown["list"] = ", ".join(map(str, shown["sizes"]))
    for field in ("letters", "vowels"):
        if field in shown:
            shown["spaced"] = ", ".join(shown[field])
    return shown
