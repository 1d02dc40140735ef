"""deep-research-v0: write a report in which every claim cites a document.

Action: tool calls. ``search``, ``find`` and ``open`` are those of search-qa-v0; ``submit`` gives the report and ends
the task. A line that begins with CLAIM states one fact in a fixed form, ``CLAIM thing | what | value [doc-12]``; all
other text is prose, which is not judged. A claim holds if the world's tables currently contain it, and the document
states it. The score is ``completeness`` times ``support``: the share of the requested facts that are claimed, and the
share of claims that hold (claims that hold but were not requested are left out, so padding gains nothing). A complete
report without a false claim is solved. Difficulty: more things, more facts of each, a longer path to them, a larger
world, more people who share a name; effort is the number of lines of lists and documents read by a searcher that looks
up each fact by name and opens the results in order.

Components: ``support`` and ``completeness``; ``retrieval``, ``cited`` and ``wasted``, see
:mod:`envhub.envs.search.corpus_tools`. Two problems with the same topic words and the same facts to report are the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import Staged, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.search.corpus_tools import Desk, LookUp, texts_read
from envhub.envs.search.research_wording import DATA, RULES, TASK
from envhub.envs.search.worlds import WorldParams
from envhub.generators.retrieval import Index, states
from envhub.generators.worlds.corpus import index_of, recipe, world_of
from envhub.generators.worlds.questions import PLURAL, names_of, told
from envhub.generators.worlds.tables import KINDS, RELATIONS, World
from envhub.generators.worlds.text import called
from envhub.generators.worlds.topics import draw_topic, fact_of, nouns, things_by_name
from envhub.verifiers.answers.phrases import normal

_TRIES: Final = 20
_MOST_CHARS: Final = 20_000
_MOST_CLAIMS: Final = 200
_CHECKED: Final = 5
_BEGINS: Final = re.compile(r"(?:[-*+>|#\s\u2022_`]|\d{1,3}[.)]\s){0,12}CLAIM\b[*_`:|\s]{0,12}", re.IGNORECASE)
_CITED: Final = re.compile(r"[\s|,*_`]*[\[(]?\s*(doc-\d{1,6})\s*[\])]?[\s.*_`|]*", re.IGNORECASE)

# How a claim may be written, and which claims are unreadable.
_FORMS: Final = (
    "- claim: {0}|{1}|{2} [{3}].",
    "**CLAIM** {0} | {1} | **{2}** [{3}]",
    "1. CLAIM {0} | {1} | {2} ({3})",
    "| CLAIM | {0} | {1} | {2} | {3} |",
    "> CLAIM {0} | {1} | {2} | [{3}]",
    "`CLAIM {0} | {1} | {2} {3}`",
)
_UNREADABLE: Final = (
    "CLAIM",
    "CLAIM a | b",
    "CLAIM a | b | c",
    "CLAIM a | b | [doc-1]",
    "CLAIM a | b | c [doc-1], surely",
)


class Params(WorldParams):
    """The world, and the number of facts in a report."""

    levels: ClassVar[Sequence[tuple[int, ...]]] = (
        (10, 0, 0, 2, 1, 0),
        (12, 1, 0, 2, 2, 0),
        (16, 1, 1, 2, 3, 0),
        (20, 2, 1, 3, 3, 0),
        (26, 3, 2, 3, 3, 1),
        (38, 4, 2, 4, 3, 1),
        (50, 5, 3, 4, 3, 2),
        (54, 6, 3, 5, 3, 2),
        (70, 7, 4, 6, 3, 2),
        (88, 8, 5, 7, 3, 2),
    )

    people: int = Field(20, ge=10, le=200, description="people in the world; there are about three documents for each")
    hops: int = Field(1, ge=0, le=6, description="facts that lead to what the things have in common")
    items: int = Field(
        3, ge=2, le=8, description="things to report on, or one more; fewer where a relation has no such set"
    )
    attributes: int = Field(2, ge=1, le=3, description="facts of each")
    deeper: int = Field(0, ge=0, le=2, description="of how many of these something further is asked")

    @model_validator(mode="after")
    def _enough_things(self) -> Self:
        if self.items * 5 > self.people:
            raise ValueError("5 * items <= people must hold")
        return self


class Claim(NamedTuple):
    """A parsed line of a report."""

    thing: str
    what: str
    value: str
    document: str


class Judged(NamedTuple):
    """The claims of a report.

    Requested facts that hold, number of false lines, and documents named.
    """

    held: frozenset[int]
    failed: int
    cited: frozenset[str]


class DeepResearch(LookUp):
    """Report on a set of things, with a document for every claim."""

    Params = Params
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = LookUp.components | {"support", "completeness"}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A world, and a topic.

        Documents are written only for content of the wanted split.
        """
        made = recipe(rng, p.people, p.namesakes)
        world = world_of(*made)
        drawn = (draw_topic(rng, world, p.hops, p.items, p.attributes, p.deeper) for _ in range(_TRIES))
        topic = next(filter(None, drawn), None)
        if topic is None:
            return None
        yield {"topic": topic.text, "facts": sorted(told(world, fact) for fact in topic.claims)}
        documents = index_of(*made).documents
        needed = tuple(dict.fromkeys(topic.leading + topic.claims))
        key = {
            "world": list(made),
            "claims": list(topic.claims),
            "facts": list(needed),
            "evidence": [states(documents, fact) for fact in needed],
        }
        return Instance({"topic": topic.text, "kind": topic.kind, "documents": len(documents)}, key)

    def form(self, problem: JSON) -> str:
        """The kind of topic.

        The shared property, and whether facts of linked things are requested.
        """
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The topic, the form of a claim, and reading the corpus."""
        shown = {**problem, "nouns": {PLURAL[kind]: list(nouns(kind)) for kind in KINDS}}
        values = {"count": problem["documents"], "chars": _MOST_CHARS, "claims": _MOST_CLAIMS}
        return Statement(task=TASK, data=DATA, problem=shown, rules=RULES, values=values)

    def index(self, inst: Instance) -> Index:
        """The documents of the world."""
        return index_of(*inst.key["world"])

    def evidence(self, inst: Instance) -> Sequence[Sequence[str]]:
        """Documents of the report's facts, and those leading to its topic."""
        found: list[list[str]] = inst.key["evidence"]
        return found

    @tool
    def submit(self, inst: Instance, state: Desk, report: str) -> tuple[Desk, str | Verdict]:  # noqa: D417
        """Submit the report. This ends the task if the report can be graded.

        Args:
            report: its text, with one claim per line
        """
        lines = [line for line in dict.fromkeys(report[:_MOST_CHARS].splitlines()) if _BEGINS.match(line)]
        if len(report) > _MOST_CHARS or len(lines) > _MOST_CLAIMS:
            said = f"at most {_MOST_CHARS} characters and {_MOST_CLAIMS} claims are allowed, got {len(report)} and {len(lines)}"
            return state.after(), f"submit: {said}. The report was not graded; shorten it and submit again."
        claims = [claim for line in lines if (claim := read_claim(line)) is not None]
        if len(claims) < len(lines) or not claims:
            return state.after(), _unreadable([line for line in lines if read_claim(line) is None])
        found = self._judged(inst, claims)
        completeness = len(found.held) / len(inst.key["claims"])
        support = len(found.held) / max(1, len(found.held) + found.failed)
        verdict = Verdict(
            score=completeness * support,
            solved=completeness == support == 1.0,
            components={"completeness": completeness, "support": support},
            feedback=f"Claims that match the topic and hold: {len(found.held)}. Claims that do not hold: {found.failed}.",
        )
        return state, self.noted(inst, state, verdict, report[:200], found.cited)

    def _judged(self, inst: Instance, claims: Sequence[Claim]) -> Judged:
        """Check every claim against the tables and its document."""
        world, index = world_of(*inst.key["world"]), self.index(inst)
        ids = things_by_name(world, normal)
        asked = frozenset(inst.key["claims"])
        held: set[int] = set()
        cited: set[str] = set()
        failed = 0
        for claim in claims:
            number = fact_of(world, ids, normal(claim.thing), normal(claim.what), normal(claim.value))
            document = index.get(claim.document)
            if document is not None:
                cited.add(document.id)
            if number is None or document is None or number not in document.facts:
                failed += 1
            elif number in asked:
                held.add(number)
        return Judged(frozenset(held), failed, frozenset(cited))

    def solve(self, inst: Instance, state: Desk) -> str:
        """Open the needed documents, then report."""
        unread = self.unread(inst, state)
        if unread:
            return "\n".join(write_call("open", doc=id) for id in unread)
        return write_call("submit", report="\n".join(["The report.", *_claims(inst)]))

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Right reports in other forms.

        Claims in lists, tables and emphasis, reports of maximum length, and a right one after an ungraded one.
        """
        lines = _claims(inst)
        right = "\n".join(lines)
        for form in _FORMS:
            made = (form.format(*claim) for line in reversed(lines) if (claim := read_claim(line)))
            yield [
                write_call(
                    "submit", report="\n".join(["| thing | what | value |", *made, *lines[:1], "No claims follow."])
                )
            ]
        many = [f"{number}. {lines[number % len(lines)]}" for number in range(_MOST_CLAIMS + 1)]
        for report in (right.ljust(_MOST_CHARS, "."), "\n".join(many[:-1])):
            yield [write_call("submit", report=report)]
        thing, what, value, document = read_claim(lines[0]) or Claim("", "", "", "")
        for bad in (
            "No claims.",
            right.ljust(_MOST_CHARS + 1, "."),
            "\n".join(many),
            *(f"{right}\n{row}" for row in _UNREADABLE),
            f"{right}\nCLAIM | {what} | {value} [{document}]",
            f"{right}\nCLAIM {thing} | | {value} [{document}]",
            f"{right}\nCLAIM {thing} | {what} | [{document}]",
            f"{right}\nCLAIM {thing} | {what} | {value} [{document}] [{document}]",
            f"{right}\nCLAIM {thing} | {what} | {value} | [{document}] | {value}",
        ):
            yield [write_call("submit", report=bad), write_call("submit", report=right)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Reports with one fault.

        A missing fact, another value, a document that states another fact or does not exist, and an extra claim.
        """
        lines, documents = _claims(inst), self.index(inst).documents
        for at, number in ((0, inst.key["claims"][0]), (len(lines) - 1, inst.key["claims"][-1])):
            thing, what, value, document = read_claim(lines[at]) or Claim("", "", "", "")
            other = next(found.id for found in documents if number not in found.facts)
            for line in (
                "",
                f"CLAIM {thing} | {what} | {value} [{other}]",
                f"CLAIM {thing} | {what} | {value} [doc-{len(documents) + 1}]",
                f"CLAIM {thing} | {what} | Nowhere [{document}]",
                f"CLAIM {thing} | nothing | {value} [{document}]",
                f"CLAIM Ada Example | {what} | {value} [{document}]",
            ):
                yield [write_call("submit", report="\n".join(["The report.", *lines[:at], line, *lines[at + 1 :]]))]
                if line:
                    yield [write_call("submit", report="\n".join([*lines, line]))]

    def random_action(self, inst: Instance, state: Desk, rng: Stream) -> str:
        """A random claim."""
        line = f"CLAIM Ada Example | birth year | {rng.between(1940, 1968)} [doc-{rng.between(1, 20)}]"
        return write_call("submit", report=line)

    def effort(self, inst: Instance) -> float:
        """Lines and documents read by a plain searcher.

        It looks up each fact by name.
        """
        world = world_of(*inst.key["world"])
        facts = [(number, world.facts[number]) for number in inst.key["facts"]]
        named = [(f"{called(world.things[fact.subject])} {fact.relation}", number) for number, fact in facts]
        return float(texts_read(self.index(inst), named))


def read_claim(line: str) -> Claim | None:
    """The claim of a line that begins with CLAIM.

    Inside any list, table or emphasis; None if it is unreadable.
    """
    head = _BEGINS.match(line)
    cells = line[head.end() :].split("|") if head else []
    while cells and not cells[-1].strip("*_` \t."):
        cells.pop()
    if len(cells) == 4:
        cells[2:] = [f"{cells[2]} {cells[3]}"]
    if len(cells) != 3:
        return None
    at = cells[2].lower().rfind("doc-")
    begin = len(cells[2][:at].rstrip(" \t[(,*_`")) if at >= 0 else 0
    cited = _CITED.fullmatch(cells[2], begin) if begin else None
    parts = [part.strip("*_` \t") for part in (*cells[:2], cells[2][:begin])]
    return (
        Claim(parts[0], parts[1], parts[2], cited[1])
        if cited and all(parts) and "doc-" not in parts[2].lower() and "[" not in parts[2]
        else None
    )


def _unreadable(lines: Sequence[str]) -> str:
    """The answer to a report that cannot be graded."""
    form = "Write each fact on a line of its own: CLAIM thing | what | value [doc-12]"
    if not lines:
        return f"submit: the report contains no claim and was not graded. {form}"
    shown = "\n".join(f"- {line.strip()[:200]}" for line in lines[:_CHECKED])
    count = f"{len(lines)} lines are" if len(lines) > 1 else "1 line is"
    return f"submit: {count} unreadable, so the report was not graded. {form}\nUnreadable:\n{shown}"


def _claims(inst: Instance) -> list[str]:
    """The lines of a right report."""
    world, where = world_of(*inst.key["world"]), dict(zip(inst.key["facts"], inst.key["evidence"], strict=True))
    return [_claim(world, number, where[number][0]) for number in inst.key["claims"]]


def _claim(world: World, number: int, id: str) -> str:
    fact = world.facts[number]
    thing = world.things.get(str(fact.value))
    value = names_of(thing)[0] if thing else str(fact.value)
    return f"CLAIM {names_of(world.things[fact.subject])[0]} | {RELATIONS[fact.relation].noun} | {value} [{id}]"
