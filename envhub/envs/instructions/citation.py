"""citation-v0: answer from numbered sources, and cite every source of each claim.

Action: one line for each attribute, with its value and the sources that state it. A table of claims and sources
decides. Some sources are about similar subjects, some name a value and reject it, and some attributes are stated
nowhere. Difficulty: more attributes, sources and wrong leads; effort is the number of sentences to read times the
number of attributes. The order of the attributes does not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from envhub.families.citation_phrases import CLAIMS, LINES, REJECTED, SOURCES, UNKNOWN
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.constraints.sources import draw_sources
from envhub.verifiers.answers.verbatim import Verbatim

_UNKNOWN = "unknown"


def _numbered(problem: Any) -> str:
    return "\n".join(f"[{number}] {text}" for number, text in enumerate(problem["sources"], 1))


def _tagged(problem: Any) -> str:
    return "\n".join(f'<source number="{number}">{text}</source>' for number, text in enumerate(problem["sources"], 1))


def _headed(problem: Any) -> str:
    return "\n\n".join(f"SOURCE {number}\n{text}" for number, text in enumerate(problem["sources"], 1))


def read_claims(text: str) -> dict[str, tuple[str, tuple[int, ...]]] | None:
    """The value and the citations of each attribute; None if unreadable."""
    found: dict[str, tuple[str, tuple[int, ...]]] = {}
    for line in filter(str.strip, text.split("\n")):
        attribute, colon, rest = line.strip().lower().partition(": ")
        value, *cited = rest.removesuffix("]").replace("][", "[").replace("] [", "[").split("[")
        numbers = [int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0 for digits in cited]
        wrong = not colon or attribute in found or rest.endswith("]") != bool(cited) or 0 in numbers
        if wrong or len(set(numbers)) < len(numbers):
            return None
        found[attribute] = (value.strip(), tuple(sorted(numbers)))
    return found


class Citation(Member):
    """Answer with citations; no source of a claim may be missing."""

    Params = levels(
        facts=knob("attributes that some source states", 2, 2, 3, 3, 4, 4, 5, 6, 6, 7),
        unknown=knob("attributes that no source states", 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, at_most=3),
        subjects=knob("other subjects of the same kind", 1, 1, 2, 2, 3, 3, 4, 4, 5, 6),
        sources=knob("sources", 3, 4, 4, 5, 6, 7, 8, 9, 10, 12, at_least=2),
        plans=knob("sentences that name a wrong value", 0, 1, 1, 2, 2, 3, 3, 4, 5, 6),
    )
    answer = Verbatim(
        called="your lines",
        sample="example: some value [1][2]",
        detail="White space before and after them does not count.",
    )
    data = Variants(_numbered, _tagged, held_out=_headed, name="sources")
    task = Phrase(
        "State these attributes of {subject} and cite your sources: {asked}.",
        "For {subject}, give these attributes with citations: {asked}.",
        "Look up {asked} for {subject}, and cite where each is stated.",
        held_out="Attributes of {subject} to be reported with citations: {asked}.",
    )
    rules = (LINES, SOURCES, CLAIMS, REJECTED, UNKNOWN)

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Sources; the key is the table of claims."""
        drawn = draw_sources(rng, p.facts, p.unknown, p.subjects, p.sources, p.plans)
        if drawn is None:
            return None
        asked = [attribute for attribute, _, _ in drawn.stated]
        return Instance({"subject": drawn.subject, "asked": asked, "sources": drawn.sources}, key=drawn.stated)

    def canonical(self, content: JSON) -> JSON:
        """The subject, the sources, and the attributes in a fixed order."""
        return [content["subject"], sorted(content["asked"]), content["sources"]]

    def example(self, problem: JSON) -> str:
        """A line for each attribute, with a value that no source states."""
        return "\n".join(f"{attribute}: some value [1][2]" for attribute in problem["asked"])

    def values(self, problem: JSON) -> dict[str, str]:
        """The attributes in one line."""
        return {"asked": ", ".join(problem["asked"])}

    def grade(self, inst: Instance, value: str) -> Verdict:
        """Compare the value and the sources of every attribute."""
        claims = read_claims(value)
        if claims is None:
            return Verdict.exact(
                False, "A line is not of the form 'attribute: value [1][2]', or repeats an attribute or a citation."
            )
        wanted = {attribute: ((stated or _UNKNOWN).lower(), tuple(places)) for attribute, stated, places in inst.key}
        wrong = sorted(attribute for attribute in wanted if claims.get(attribute) != wanted[attribute])
        if wrong:
            return Verdict.exact(False, f"The value or the citations of {', '.join(wrong)} are not right.")
        return Verdict.exact(
            claims.keys() == wanted.keys(), "" if claims.keys() == wanted.keys() else "A line was not asked for."
        )

    def solve(self, inst: Instance) -> str:
        """The claims with all of their sources."""
        return _written(inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The lines and the citations in the opposite order."""
        yield _written([[attribute, value, places[::-1]] for attribute, value, places in reversed(inst.key)])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Claims with too few or too many citations, and parts of them."""
        count = len(inst.problem["sources"])
        yield _written([[attribute, value, []] for attribute, value, _ in inst.key])
        yield _written([[attribute, value, range(1, count + 1)] for attribute, value, _ in inst.key])
        yield _written(inst.key[1:])
        for at, (attribute, value, places) in enumerate(inst.key):
            extra = next(number for number in range(1, count + 1) if number not in places)
            yield _written([*inst.key[:at], [attribute, value, [*places, extra]], *inst.key[at + 1 :]])
            yield _written([*inst.key[:at], [attribute, "nothing", places], *inst.key[at + 1 :]])

    def effort(self, inst: Instance) -> float:
        """Sentences to read, times the attributes."""
        sentences = sum(text.count(".") for text in inst.problem["sources"])
        return float(sentences * len(inst.key))


def _written(claims: Any) -> str:
    lines = (
        f"{attribute}: {value or _UNKNOWN} {''.join(f'[{place}]' for place in places)}"
        for attribute, value, places in claims
    )
    return "\n".join(line.rstrip() for line in lines)
