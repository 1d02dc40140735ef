"""deep-research-v1: answer from an archive whose documents disagree, with citations.

Action: tool calls, up to eight in a message. ``search`` ranks documents by their index terms, ``open`` shows a page of a
document, ``find`` lists the paragraphs of a document that contain a phrase, ``submit`` gives the answer and a report.
The archive has up to 10,400 documents of several pages. They state the same facts in different words and with different
values; a document beats another by its source, in an order that is drawn with the task, then by its later date, and at
higher levels documents after a certain day do not count. Plans, rumours and denials state nothing.

A report is prose. A sentence before a citation such as ``[doc-12:3]`` is a claim; it must state one fact in one of three
forms. A claim holds if the deciding documents give this value and the cited paragraph states it. The score is 0 if the
answer is wrong, else ``completeness`` times ``support``: the share of the steps of the question that are claimed, and
the share of claims that hold. True claims beside the question count for neither. Only a right answer with every step
and no false claim is solved. The oracle reaches 1 in every task; its messages are an upper bound of the fewest.

Components: ``completeness`` and ``support``; ``retrieval``, ``cited`` and ``wasted``, see
:mod:`envhub.envs.search.corpus_tools`. Difficulty: more documents, more links, sets of things to compare, more
disagreement and rumours, longer documents, a last day. Effort is the number of paragraphs of the documents that state a
value for a step, and of search results above them. Two problems with the same question, rules and facts are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from math import log2
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.tools import MAX_CALLS
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.search.archive import wording
from envhub.envs.search.archive.catalogue import PAGE, SHOWN, best_line, catalogue, head
from envhub.envs.search.archive.claims import Claim, claimed, claims_in, fact_of, holds, supported
from envhub.envs.search.archive.prose import dated, written
from envhub.envs.search.archive.questions import disputed, draw_question
from envhub.envs.search.archive.schema import ATTRIBUTES, SOURCES, linked
from envhub.envs.search.archive.world import Fact, Law, Paper, World, world_of
from envhub.envs.search.corpus_tools import Desk, fit
from envhub.verifiers.answers.phrases import judged

_TRIES: Final = 100
_MOST_CHARS: Final = 20_000
_MOST_CLAIMS: Final = 100
_NAMED: Final = 5
_LEAST_PHRASE: Final = 3
_CUTOFF: Final = (date(1940, 1, 1).toordinal(), date(1964, 12, 31).toordinal())
Page = Annotated[int, Field(ge=1)]
# size, hops, items, conflict, rumours, length, cutoff
_LEVELS: Final[tuple[tuple[Any, ...], ...]] = (
    (40, 1, 0, 20, 0, 3, False),
    (80, 2, 0, 25, 20, 4, False),
    (160, 2, 0, 30, 30, 6, False),
    (300, 3, 0, 30, 40, 8, False),
    (500, 1, 2, 30, 40, 10, False),
    (800, 2, 2, 35, 50, 12, True),
    (1100, 2, 3, 35, 50, 14, True),
    (1500, 3, 3, 40, 60, 16, True),
    (1900, 3, 4, 40, 60, 20, True),
    (2400, 4, 5, 45, 60, 24, True),
)


class Params(BaseParams):
    """The archive and the question."""

    size: int = Field(
        160, ge=40, le=2400, description="things in the archive; there are four to five documents for each"
    )
    hops: int = Field(2, ge=1, le=5, description="links from the thing that the question names")
    items: int = Field(
        0, ge=0, le=6, description="things to compare or count, or one more or less, at least 2; 0 for links only"
    )
    conflict: int = Field(30, ge=0, le=50, description="per cent of statements with another value than the usual one")
    rumours: int = Field(30, ge=0, le=100, description="per cent of documents with a rumour, a plan or a denial")
    length: int = Field(6, ge=0, le=40, description="paragraphs of a document beside those with facts, on average")
    cutoff: bool = Field(False, description="whether documents after a certain day do not count")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(**dict(zip(cls.model_fields, _LEVELS[difficulty - 1], strict=True)))


class DeepResearch(ToolEnv):
    """Answer a question from documents that disagree, and cite each step."""

    Params = Params
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"completeness", "support", "retrieval", "cited", "wasted"})
    max_turns: ClassVar[int] = 64

    def sample(self, rng: Stream, p: Any) -> Staged:
        """An archive and a question; nothing is written yet."""
        recipe = [f"{rng.bits(128):032x}", p.size, p.conflict, p.rumours, p.length]
        order = list(SOURCES)
        rng.shuffle(order)
        cutoff = rng.between(*_CUTOFF) if p.cutoff else None
        world, law = world_of(*recipe), Law(tuple(order), cutoff)
        drawn = (draw_question(rng, world, law, p.hops, p.items) for _ in range(_TRIES))
        wanted = (found for found in drawn if found and (not p.conflict or _disputed(world, law, found.facts)))
        question = next(wanted, None)
        if question is None:
            return None
        told = sorted(claimed(world, fact, "") for fact in question.facts)
        yield {"question": question.text, "order": order, "cutoff": cutoff, "facts": told}
        problem = {"question": question.text, "kind": question.kind, "documents": world.documents, "order": order}
        key = {"world": recipe, "facts": [list(fact) for fact in question.facts], "answers": list(question.answers)}
        last = None if cutoff is None else dated(cutoff)
        return Instance({**problem, "cutoff": last}, {**key, "cutoff": cutoff})

    def form(self, problem: JSON) -> str:
        """How the question is built, and the attributes that it asks for."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The question, how to rank documents, and the report's format."""
        return wording.statement(problem, _MOST_CHARS, _MOST_CLAIMS)

    def begin(self, inst: Instance, rng: Stream) -> Desk:
        """Nothing has been looked up."""
        return Desk()

    @tool
    def search(self, inst: Instance, state: Desk, query: str, page: Page = 1) -> tuple[Desk, str]:  # noqa: D417
        """List documents with a word of the query among their index terms, those with a whole name first, ten on a page.

        Args:
            query: names, attributes, sources or years
            page: page of the results
        """
        world = _world(inst)
        found = catalogue(inst.key["world"]).search(query)
        if not found:
            return state.after(), "search: no index term is a word of this query."
        pages = -(-len(found) // SHOWN)
        if page > pages:
            return state.after(), f"search: this query has {_pages(pages)} of results, got page {page}."
        shown = found[(page - 1) * SHOWN : page * SHOWN]
        lines = [f"{head(world, paper)}\n    {best_line(written(world, paper).paragraphs, query)}" for paper in shown]
        lines.insert(0, f"Documents found: {len(found)}, page {page} of {pages}")
        return state.after(listed=[world.id(paper.number) for paper in shown]), "\n".join(lines)

    @tool
    def open(self, inst: Instance, state: Desk, doc: str, page: Page = 1) -> tuple[Desk, str]:  # noqa: D417
        """Show a page of a document, with numbered paragraphs.

        Args:
            doc: id of the document, such as doc-12
            page: page of the document
        """
        world = _world(inst)
        paper = _paper(world, doc)
        if paper is None:
            return state.after(), f"open: there is no document {doc[:40]!r}. Use an id that search has listed."
        paragraphs = written(world, paper).paragraphs
        pages = -(-len(paragraphs) // PAGE)
        if page > pages:
            return state.after(), f"open: {world.id(paper.number)} has {_pages(pages)}, got page {page}."
        first = (page - 1) * PAGE
        lines = [f"({at}) {each.text}" for at, each in enumerate(paragraphs[first : first + PAGE], first + 1)]
        more = f" (page {page} of {pages})"
        id = world.id(paper.number)
        return state.after([id], [(id, page)]), "\n".join([head(world, paper) + more, *lines])

    @tool
    def find(self, inst: Instance, state: Desk, doc: str, text: str) -> tuple[Desk, str]:  # noqa: D417
        """List the paragraphs of a document that contain a phrase, ignoring case.

        Args:
            doc: id of the document, such as doc-12
            text: the phrase, at least 3 characters; spaces around it are ignored
        """
        world = _world(inst)
        paper = _paper(world, doc)
        phrase = " ".join(text.casefold().split())
        if paper is None:
            return state.after(), f"find: there is no document {doc[:40]!r}. Use an id that search has listed."
        if len(phrase) < _LEAST_PHRASE:
            return state.after(), f"find: `text` must have at least {_LEAST_PHRASE} characters, got {len(phrase)}."
        paragraphs = written(world, paper).paragraphs
        shown = [(at, each.text) for at, each in enumerate(paragraphs, 1) if phrase in each.text.casefold()]
        id = world.id(paper.number)
        if not shown:
            return state.after(), f"find: no paragraph of {id} contains this phrase."
        lines = [f"({at}) {told}" for at, told in shown[:PAGE]]
        if len(shown) > PAGE:
            lines.append(f"and {len(shown) - PAGE} more paragraphs")
        opened = {(id, -(-at // PAGE)) for at, _ in shown[:PAGE]}
        return state.after([id], sorted(opened)), "\n".join([head(world, paper), *lines])

    @tool
    def submit(self, inst: Instance, state: Desk, answer: str | int, report: str) -> tuple[Desk, str | Verdict]:  # noqa: D417
        """Submit the answer and the report. This ends the task if the report can be graded.

        Args:
            answer: the answer to the question and nothing else
            report: prose with a citation after each claim
        """
        if len(report) > _MOST_CHARS:
            said = f"submit: a report may have at most {_MOST_CHARS} characters, got {len(report)}."
            return state.after(), f"{said} It was not graded; shorten it and submit again."
        claims = list(dict.fromkeys(claims_in(report)))
        if len(claims) > _MOST_CLAIMS:
            said = f"submit: a report may have at most {_MOST_CLAIMS} claims, got {len(claims)}."
            return state.after(), f"{said} It was not graded; shorten it and submit again."
        unreadable = [claim for claim in claims if claim.parts is None]
        if unreadable or not claims:
            return state.after(), _unreadable(unreadable)
        return state, self._judged(inst, state, str(answer), claims)

    def _judged(self, inst: Instance, state: Desk, answer: str, claims: Sequence[Claim]) -> Verdict:
        """The verdict on an answer with readable claims."""
        world, law, asked = _world(inst), _law(inst), set(_facts(inst))
        held: set[Fact] = set()
        failed = 0
        for claim in claims:
            fact = fact_of(world, claim)
            if fact is None or not holds(world, law, fact) or not supported(world, law, claim, fact):
                failed += 1
            elif fact in asked:
                held.add(fact)
        completeness = len(held) / len(asked)
        support = len(held) / max(1, len(held) + failed)
        right = judged(answer, inst.key["answers"], ()).solved
        cited = {f"doc-{claim.document}" for claim in claims}
        told = f"Claims of steps that hold: {len(held)}. Claims that do not hold: {failed}."
        verdict = Verdict(
            score=completeness * support if right else 0.0,
            solved=right and completeness == support == 1.0,
            components={"completeness": completeness, "support": support},
            feedback=f"{'The answer is right.' if right else 'The answer is wrong.'} {told}",
        )
        return self._noted(inst, state, verdict, answer[:200], cited)

    def _noted(self, inst: Instance, state: Desk, verdict: Verdict, answer: str | None, cited: set[str]) -> Verdict:
        needed = self._evidence(inst)
        return verdict.noting(
            answer,
            retrieval=fit(needed, {id for id, _ in state.opened}),
            cited=fit(needed, cited),
            wasted=state.wasted / max(1, state.calls),
        )

    def _evidence(self, inst: Instance) -> list[list[str]]:
        """For every step, the documents that count and state it."""
        world, law = _world(inst), _law(inst)
        return [
            [world.id(paper.number) for paper, value in world.statements(*fact[:2], law) if value == fact.value]
            for fact in _facts(inst)
        ]

    def exhausted(self, inst: Instance, state: Desk) -> Verdict:
        """No answer was given in time."""
        return self._noted(inst, state, super().exhausted(inst, state), None, set())

    def solve(self, inst: Instance, state: Desk) -> str:
        """Open the deciding pages, then report."""
        places = [_place(inst, fact) for fact in _facts(inst)]
        pages = dict.fromkeys((id, -(-at // PAGE)) for id, at in places)
        unread = [place for place in pages if place not in state.opened][:MAX_CALLS]
        if unread:
            return "\n".join(write_call("open", doc=id, page=page) for id, page in unread)
        return _submit(inst, ["What the documents say.", *_claims(inst)])

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Right reports in other forms, at once, and after malformed reports."""
        world, facts = _world(inst), _facts(inst)
        lines = _claims(inst)
        forms = ("{1} is the {2} of {0} {3}", "- **{0}'s {2} was {1}** {3}", "1. The {2} of {0} is *{1}* {3}.")
        for form in forms:
            yield [_submit(inst, [_in_form(world, inst, fact, form) for fact in reversed(facts)])]
        yield [_submit(inst, ["# Report", *lines, lines[0], "Nothing else was found. [doc-1]", "x" * 200])]
        right = _submit(inst, lines)
        yield [_submit(inst, ["No claims."]), right]
        yield [_submit(inst, [*lines, "It is so [doc-1:1]."]), right]
        yield [_submit(inst, ["x" * (_MOST_CHARS + 1)]), right]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Reports with one fault.

        A missing step, another value, a paragraph or document that does not state it, and a wrong answer.
        """
        world, lines = _world(inst), _claims(inst)
        for at, fact in list(enumerate(_facts(inst)))[:: max(1, len(lines) - 1)]:
            id, paragraph = _place(inst, fact)
            others = [value for value in world.values(fact.thing, fact.attribute) if value != fact.value]
            wrong = [
                claimed(world, fact, f"{id}:{paragraph + 500}"),
                claimed(world, fact, f"doc-{world.documents + 1}:1"),
                claimed(world, fact._replace(value=others[0]), f"{id}:{paragraph}"),
            ]
            for line in ("", *wrong):
                yield [_submit(inst, [*lines[:at], line, *lines[at + 1 :]])]
                if line:
                    yield [_submit(inst, [*lines, line])]
        yield [write_call("submit", answer="nothing", report="\n".join(lines))]
        yield [write_call("submit", answer=inst.key["answers"][0], report="The answer is known.")]

    def random_action(self, inst: Instance, state: Desk, rng: Stream) -> str:
        """A random claim with a random citation."""
        text = f"The birth year of Ada Example is {rng.between(1800, 1819)} [doc-{rng.between(1, 100)}:1]."
        return write_call("submit", answer=str(rng.between(1, 4)), report=text)

    def effort(self, inst: Instance) -> float:
        """Paragraphs that state a value for a step, with search results."""
        world, law = _world(inst), _law(inst)
        papers = {paper.number: paper for fact in _facts(inst) for paper, _ in world.statements(*fact[:2], law)}
        read = sum(len(written(world, paper).paragraphs) for paper in papers.values())
        return read + len(_facts(inst)) * log2(world.documents)


def _world(inst: Instance) -> World:
    return world_of(*inst.key["world"])


def _law(inst: Instance) -> Law:
    return Law(tuple(inst.problem["order"]), inst.key["cutoff"])


def _facts(inst: Instance) -> list[Fact]:
    return [Fact(*fact) for fact in inst.key["facts"]]


def _disputed(world: World, law: Law, facts: Sequence[Fact]) -> bool:
    """Whether documents disagree on at least a third of the facts."""
    return 3 * sum(disputed(world, law, fact) for fact in facts) >= len(facts)


def _paper(world: World, doc: str) -> Paper | None:
    """The document with an ID, in any case, with or without brackets."""
    number = doc.strip().strip("[]").strip().casefold().removeprefix("doc-")
    return world.by_id(int(number)) if number.isascii() and number.isdigit() and len(number) < 8 else None


def _pages(count: int) -> str:
    return f"{count} page{'s' if count > 1 else ''}"


def _place(inst: Instance, fact: Fact) -> tuple[str, int]:
    """The deciding document of a step, and the paragraph that states it."""
    world = _world(inst)
    paper = world.statements(fact.thing, fact.attribute, _law(inst))[0][0]
    paragraphs = enumerate(written(world, paper).paragraphs, 1)
    return world.id(paper.number), next(at for at, paragraph in paragraphs if fact in paragraph.facts)


def _claims(inst: Instance) -> list[str]:
    """The claims of a complete report."""
    places = ((fact, _place(inst, fact)) for fact in _facts(inst))
    return [claimed(_world(inst), fact, f"{id}:{at}") for fact, (id, at) in places]


def _in_form(world: World, inst: Instance, fact: Fact, form: str) -> str:
    id, at = _place(inst, fact)
    row = ATTRIBUTES[fact.attribute]
    value = world.said(fact.attribute, fact.value) if linked(fact.attribute) else f"{fact.value:,} {row.unit}".strip()
    value = str(fact.value) if row.to == "year" else value
    return form.format(world.called(fact.thing), value, row.noun, f"[doc-{id[4:]}:{at}]")


def _submit(inst: Instance, lines: Sequence[str]) -> str:
    return write_call("submit", answer=inst.key["answers"][0], report="\n".join(lines))


def _unreadable(claims: Sequence[Claim]) -> str:
    """The answer to a report that cannot be graded."""
    form = "Write each claim as one sentence with one citation: The owner of the Example is Example Paper [doc-0:1]."
    if not claims:
        return f"submit: the report contains no citation such as [doc-0:1] and was not graded. {form}"
    shown = "\n".join(
        f"- {claim.text[:200] or 'no text'} [doc-{claim.document}:{claim.paragraph}]" for claim in claims[:_NAMED]
    )
    count = f"{len(claims)} claims are" if len(claims) > 1 else "1 claim is"
    return f"submit: {count} unreadable, so the report was not graded. {form}\nUnreadable:\n{shown}"
