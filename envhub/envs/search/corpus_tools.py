"""Shared base of environments with a corpus: search tools and usage components.

A subclass defines the corpus of an instance and the documents that state each fact of its answer. Three components of a verdict
describe how the corpus was used. They are not part of the reward unless requested, and repeating an action does not raise them:

* ``retrieval``: how well the documents that were opened are the ones that were needed (F1 of the share of needed facts they
  state and the share of them that state any); opening everything makes it small;
* ``cited``: the same for the documents that the answer names; * ``wasted``: the share of calls that showed nothing new.

The first two are 0 where no document is needed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, ClassVar, Final, NamedTuple

from pydantic import Field

from envhub.authoring import ToolEnv, tool, write_call
from envhub.core.seeding import Stream
from envhub.core.tools import MAX_CALLS
from envhub.core.types import Instance, Verdict
from envhub.generators.retrieval import Document, Index, snippet
from envhub.generators.worlds.questions import UNKNOWN
from envhub.verifiers.answers.phrases import judged

_MOST_RESULTS: Final = 10
_LISTED: Final = 5
_LEAST_PHRASE: Final = 3
_PAGE: Final = 6000
Results = Annotated[int, Field(ge=1, le=_MOST_RESULTS)]
Page = Annotated[int, Field(ge=1)]


class Desk(NamedTuple):
    """Usage so far.

    Documents listed, pages opened, calls, and calls that showed nothing new.
    """

    listed: frozenset[str] = frozenset()
    opened: frozenset[tuple[str, int]] = frozenset()
    calls: int = 0
    wasted: int = 0

    def after(self, listed: Collection[str] = (), opened: Collection[tuple[str, int]] = ()) -> Desk:
        """The state after one more call."""
        new = not (self.listed.issuperset(listed) and self.opened.issuperset(opened))
        return Desk(self.listed.union(listed), self.opened.union(opened), self.calls + 1, self.wasted + (not new))


Told = tuple[Desk, str]


class LookUp(ToolEnv):
    """An environment with a corpus and the tools search, open and find."""

    components: ClassVar[frozenset[str]] = frozenset({"retrieval", "cited", "wasted"})
    max_turns: ClassVar[int] = 24

    @abstractmethod
    def index(self, inst: Instance) -> Index:
        """The corpus."""

    @abstractmethod
    def evidence(self, inst: Instance) -> Sequence[Sequence[str]]:
        """For every needed fact, the ids of the documents that state it."""

    def begin(self, inst: Instance, rng: Stream) -> Desk:
        """Nothing has been looked up."""
        return Desk()

    @tool
    def search(self, inst: Instance, state: Desk, query: str, k: Results = _LISTED) -> Told:  # noqa: D417
        """List the documents that match the query best, each with its best sentence (BM25, exact words only).

        Args:
            query: words to look for
            k: number of results
        """
        found = self.index(inst).search(query, k)
        if not found:
            return state.after(), "search: no document contains a word of this query."
        lines = [f"{document.head}: {snippet(document, query)}" for document in found]
        return state.after(listed=[document.id for document in found]), "\n".join(lines)

    @tool
    def open(self, inst: Instance, state: Desk, doc: str, page: Page = 1) -> Told:  # noqa: D417
        """Show a document.

        Args:
            doc: id of the document, as listed by search and find, such as doc-1
            page: page of a long document
        """
        document = self.index(inst).get(doc)
        if document is None:
            return (
                state.after(),
                f"open: there is no document {doc[:40]!r}. Use an id that search or find has listed.",
            )
        pages = max(1, -(-len(document.text) // _PAGE))
        if page > pages:
            return state.after(), f"open: the pages of {document.id} are 1 to {pages}, got {page}."
        text = document.text[(page - 1) * _PAGE : page * _PAGE]
        more = f" (page {page} of {pages})" if pages > 1 else ""
        return state.after([document.id], [(document.id, page)]), f"{document.head}{more}\n{text}"

    @tool
    def find(self, inst: Instance, state: Desk, text: str) -> Told:  # noqa: D417
        """List the documents that contain an exact phrase, ignoring case.

        Args:
            text: the phrase, at least 3 characters; spaces around it are ignored
        """
        if len(text.strip()) < _LEAST_PHRASE:
            return (
                state.after(),
                f"find: `text` must have at least {_LEAST_PHRASE} characters, got {len(text.strip())}.",
            )
        found = self.index(inst).find(text)
        if not found:
            return state.after(), "find: no document contains this phrase."
        shown = [f"{document.head}: {times} time{'s' * (times > 1)}" for document, times in found[:_MOST_RESULTS]]
        if len(found) > _MOST_RESULTS:
            shown.append(f"and {len(found) - _MOST_RESULTS} more documents")
        return state.after(listed=[document.id for document, _ in found[:_MOST_RESULTS]]), "\n".join(shown)

    def noted(
        self, inst: Instance, state: Desk, verdict: Verdict, answer: str | None, cited: Collection[str]
    ) -> Verdict:
        """A verdict with components on the use of the corpus."""
        known = [document.id if (document := self.index(inst).get(id)) else id for id in cited]
        needed = self.evidence(inst)
        return verdict.noting(
            answer,
            retrieval=fit(needed, {id for id, _ in state.opened}),
            cited=fit(needed, set(known)),
            wasted=state.wasted / max(1, state.calls),
        )

    def exhausted(self, inst: Instance, state: Desk) -> Verdict:
        """No answer was given in time."""
        return self.noted(inst, state, super().exhausted(inst, state), None, ())

    def unread(self, inst: Instance, state: Desk) -> list[str]:
        """Unopened documents of needed facts, one per fact.

        At most as many as one message may open.
        """
        opened = {id for id, _ in state.opened}
        for ids in self.evidence(inst):
            if not opened.intersection(ids):
                opened.add(ids[0])
        return [id for id in sorted(opened, key=_number) if (id, 1) not in state.opened][:MAX_CALLS]


class Asking(LookUp):
    """An environment that asks one question; the key has ``answers`` and ``evidence``."""

    def evidence(self, inst: Instance) -> Sequence[Sequence[str]]:
        """The documents that state the facts of the answer."""
        found: list[list[str]] = inst.key["evidence"]
        return found

    @tool
    def submit(  # noqa: D417
        self, inst: Instance, state: Desk, answer: str | int, documents: tuple[str, ...] = ()
    ) -> tuple[Desk, Verdict]:
        """Submit the answer. This ends the task.

        Args:
            answer: the answer and nothing else
            documents: ids of the documents that support it; they do not change the score
        """
        verdict = judged(str(answer), inst.key["answers"], (UNKNOWN,))
        return state, self.noted(inst, state, verdict, str(answer)[:200], documents)

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The answer in all its forms.

        In other letter case, with documents that do not exist, and at once.
        """
        for text in inst.key["answers"]:
            for other in (text, f"The {text.upper()}.", f'"{text}"'):
                yield [write_call("submit", answer=other, documents=["doc-0", "x"])]
        text = inst.key["answers"][0]
        if text.isdigit():
            yield [write_call("submit", answer=int(text))]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The answer among other words, and a false "not in the corpus"."""
        text = inst.key["answers"][0]
        for other in (f"perhaps {text}", f"{text} or another", f"not {text}", f"{text} {text}", UNKNOWN, "0", "x"):
            if text != other:
                yield [write_call("submit", answer=other)]

    def solve(self, inst: Instance, state: Desk) -> str:
        """Open the needed documents, then answer."""
        unread = self.unread(inst, state)
        if unread:
            return write_call("open", doc=unread[0])
        opened = sorted({id for id, _ in state.opened}, key=_number)
        return write_call("submit", answer=inst.key["answers"][0], documents=opened)


def fit(needed: Sequence[Collection[str]], given: set[str]) -> float:
    """F1 of two shares.

    Needed facts that documents state, and documents that state any.
    """
    useful = sum(any(id in ids for ids in needed) for id in given)
    if not useful:
        return 0.0
    precision, recall = useful / len(given), sum(bool(given.intersection(ids)) for ids in needed) / len(needed)
    return 2 * precision * recall / (precision + recall)


def _number(id: str) -> tuple[int, str]:
    return len(id), id


def texts_read(index: Index, queries: Sequence[tuple[str, int]]) -> int:
    """Texts read by a plain searcher.

    For each fact lists of five, and documents down to the first that states it.
    """

    def rank(found: Sequence[Document], fact: int) -> int:
        return next((number for number, document in enumerate(found, 1) if fact in document.facts), len(found))

    places = [rank(index.search(query, 4 * _MOST_RESULTS), fact) for query, fact in queries]
    return sum(place + _LISTED * -(-place // _LISTED) for place in places)
