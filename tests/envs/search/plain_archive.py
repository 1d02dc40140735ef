"""A reader of an archive who has only the prompt and the tools: reads prose by key words and decides by the stated rules.

Written without the engine of the environment: names are what stands in capitals, attributes are recognised by key words,
documents are found with ``search`` and read with ``open``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

Tool = Callable[..., str]
MONTH = "%d %B %Y"
CUES = {
    "person": {
        "birthplace": r"\bborn\b|came into the world|gave birth",
        "birth year": r"\bborn\b|birth|came into the world",
        "assistant": r"assistant",
    },
    "company": {
        "founder": r"found(?:ed|er|ing)|into being",
        "seat": r"head office|seat\b",
        "founding year": r"found(?:ed|ing)",
        "starting capital": r"crowns",
    },
    "town": {"honorary citizen": r"honorary", "mother town": r"settle", "charter year": r"charter"},
    "bridge": {
        "engineer": r"design|plans|engineer",
        "builder": r"built|building|contract",
        "location": r"stands|found in",
        "opening year": r"open",
        "length": r"metres",
    },
    "museum": {
        "architect": r"design|architect|plans",
        "donor": r"paid|donor|gift|money",
        "location": r"stands|found in",
        "opening year": r"open",
        "number of rooms": r"rooms",
    },
    "ship": {
        "owner": r"own(?:ed|er)|belonged",
        "first captain": r"captain|command",
        "home port": r"registered|home port",
        "launch year": r"launch|slipway|touched the water",
        "length": r"metres",
    },
}
PEOPLE = {"assistant", "founder", "honorary citizen", "engineer", "architect", "first captain"}
FIRMS = {"builder", "donor", "owner"}
TOWNS = {"birthplace", "seat", "mother town", "location", "home port"}
RUMOUR = re.compile(r"never more than talk|It is not true|came to nothing|Some have guessed|once asked|withdrawn")
TRADE = r"(?:Optics|Printing|Instruments|Textiles|Glassworks|Shipping|Ceramics|Paper|Tools|Foundry)"
LEAD = (
    r"(?:A word on|This paragraph is about|Readers have asked about|Something remains to be said of|Now to|The notes on) "
    r"{}(?: fill several sheets)?\."
)
DIRECTED = {
    "assistant": r"# had|for # as|of #|# could",
    "mother town": r"# was first settled|settlers of #|settlers to #|# has",
}
"""Sentences in which # is the thing and not the value, where both are of the same kind."""
PAIR = r"[A-Z][a-z]+ [A-Z][a-z]+"


def kind_of(name: str) -> str:
    """The kind of a thing, from its name."""
    plain = name.removeprefix("the ")
    if re.search(r" (?:Bridge|Viaduct|Crossing)$", plain):
        return "bridge"
    if plain.endswith(" Museum"):
        return "museum"
    if re.search(rf" {TRADE}$", plain):
        return "company"
    if name.startswith("the "):
        return "ship"
    return "person" if " " in plain else "town"


class Seen(NamedTuple):
    """A statement: its source, its date, its value, and where it stands."""

    source: str
    day: datetime
    value: str
    place: str


class Reader:
    """Answers a question with tools alone."""

    def __init__(self, call: Tool, question: str, order: list[str], cutoff: str | None) -> None:
        self.call, self.question, self.order = call, question, order
        self.cutoff = datetime.strptime(cutoff, MONTH) if cutoff else None
        self.claims: list[str] = []
        self._texts: dict[tuple[str, str], tuple[str, datetime, list[tuple[int, str]]]] = {}
        self._found: dict[str, list[str]] = {}

    def documents(self, name: str) -> list[str]:
        """Ids of the documents whose best line or title has a name, page by page, until a page has none."""
        if name not in self._found:
            ids: list[str] = []
            page, pages, hits = 1, 1, ["first"]
            while page <= pages and hits:
                shown = self.call("search", query=name.removeprefix("the "), page=page)
                pages = int((re.search(r"of (\d+)", shown) or [0, 1])[1])
                rows = re.findall(r"^\[(doc-\d+)\](.*\n.*)", shown, re.MULTILINE)
                hits = [id for id, told in rows if name.lower() in told.lower()]
                ids += hits
                page += 1
            self._found[name] = ids
        return self._found[name]

    def text(self, id: str, name: str) -> tuple[str, datetime, list[tuple[int, str]]]:
        """Source and date of a document, and its numbered paragraphs that contain a name."""
        if (id, name) not in self._texts:
            shown = self.call("find", doc=id, text=name)
            head = re.match(r"\[doc-\d+\] (\w+), (\d+ \w+ \d+):", shown)
            rows = [(int(at), told) for at, told in re.findall(r"^\((\d+)\) (.*)$", shown, re.MULTILINE)]
            day = datetime.strptime(head[2], MONTH) if head else datetime.max
            self._texts[id, name] = (head[1] if head else "", day, rows)
        return self._texts[id, name]

    def statements(self, thing: str, noun: str) -> list[Seen]:
        """What the documents state, the best first."""
        seen = []
        for id in self.documents(thing):
            source, day, paragraphs = self.text(id, thing)
            if self.cutoff and day > self.cutoff:
                continue
            for at, paragraph in paragraphs:
                value = self.value(paragraph, thing, noun)
                if value is not None:
                    seen.append(Seen(source, day, value, f"{id}:{at}"))
        return sorted(seen, key=lambda each: (self.order.index(each.source), -each.day.toordinal()))

    def value(self, paragraph: str, thing: str, noun: str) -> str | None:
        """The value that a paragraph about a thing states."""
        if not re.search(rf"{re.escape(thing)}\b", paragraph, re.IGNORECASE) or RUMOUR.search(paragraph):
            return None
        sentences = re.split(r"(?<=\.) ", paragraph)
        direct = [sentence for sentence in sentences if thing.lower() in sentence.lower()]
        for sentence in direct:
            found = self._stated(sentence, thing, noun)
            if found:
                return found
        topic = any(re.fullmatch(LEAD.format(re.escape(thing)), sentence) for sentence in sentences) or any(
            self._stated(sentence, thing, other) for sentence in direct for other in CUES[kind_of(thing)]
        )
        short = rf"\b(?:{re.escape(thing.split()[-1])}|it|It|[Tt]he (?:ship|bridge|museum|town|company|firm))\b"
        for sentence in sentences if topic else ():
            if sentence not in direct and re.search(short, sentence):
                found = self._stated(sentence, thing, noun)
                if found:
                    return found
        return None

    def _stated(self, sentence: str, thing: str, noun: str) -> str | None:
        """The value in a sentence about a thing."""
        if not re.search(CUES[kind_of(thing)][noun], sentence):
            return None
        rest = re.sub(re.escape(thing), "#", sentence, flags=re.IGNORECASE)
        last = re.escape(thing.split()[-1])  # alone, not as the surname of somebody else
        rest = re.sub(rf"([A-Z][a-z]+ )?\b{last}\b", lambda met: met[0] if met[1] else "#", rest)
        rest = re.sub(r"^(?:As we know|To begin with|In short|According to the file), ", "", rest)
        found = self._named(rest, noun)
        ways = DIRECTED.get(noun)
        return found if ways is None or re.search(ways, re.sub(r"\b(?:It|it|[Tt]he town)\b", "#", rest)) else None

    def _named(self, rest: str, noun: str) -> str | None:
        if noun.endswith(" year"):
            return (re.search(r"\b1[4-8]\d\d\b", rest) or [None])[0]
        if noun in ("length", "starting capital", "number of rooms"):
            unit = {"length": "metres", "starting capital": "crowns", "number of rooms": "rooms"}[noun]
            number = re.search(rf"([\d,]+) {unit}", rest)
            return number[1].replace(",", "") if number else None
        if noun in FIRMS:
            return (re.search(rf"[A-Z][a-z]+ {TRADE}\b", rest) or [None])[0]
        if noun in PEOPLE:
            return (re.search(PAIR, rest) or [None])[0]
        ends = r"(?:bridge|by|cote|dale|ferry|ford|gate|ham|haven|hollow|mere|moor|ness|port|stow|ton|well|worth)"
        return (re.search(rf"\b[A-Z][a-z]*{ends}\b", rest) or [None])[0]

    def decide(self, thing: str, noun: str) -> str:
        """The value that counts, with its claim."""
        best = self.statements(thing, noun)[0]
        self.claims.append(f"The {noun} of {thing} is {best.value} [{best.place}].")
        return best.value

    def path(self, words: str) -> str:
        """The thing at the end of a chain of links."""
        link = re.match(rf"the ({'|'.join(sorted(PEOPLE | FIRMS | TOWNS))}) of (.+)$", words)
        return self.decide(self.path(link[2]), link[1]) if link else words

    def members(self, kind: str, noun: str, shared: str) -> list[str]:
        """All things of a kind whose deciding value is this one."""
        names: set[str] = set()
        for id in self.documents(shared):
            for _, paragraph in self.text(id, shared)[2]:
                names |= set(THINGS[kind].findall(paragraph))
        names = {(name[:1].lower() + name[1:]) if name.startswith("The ") else name for name in names}
        names = {name for name in names if kind_of(name) == kind}
        found = []
        for name in sorted(names):
            seen = self.statements(name, noun)
            if seen and seen[0].value == shared:
                found.append(name)
                self.claims.append(f"The {noun} of {name} is {shared} [{seen[0].place}].")
        return found

    def answer(self) -> str:
        """The answer; the claims are collected on the way."""
        chain = re.fullmatch(r"(?:What|Who) is the ([a-z ]+?) of (.+)\?", self.question)
        if chain:
            return self.decide(self.path(chain[2]), chain[1])
        group = re.search(
            r"the (ships|bridges|museums|companies) whose ([a-z ]+?) is (.+?)(?:, take| has the| and whose)",
            self.question,
        )
        assert group is not None, self.question
        kind = {"ships": "ship", "bridges": "bridge", "museums": "museum", "companies": "company"}[group[1]]
        members = self.members(kind, group[2], self.path(group[3]))
        bound = re.search(r"and whose ([a-z ]+?) is (?:before|less than) (\d+)", self.question)
        if bound:
            return str(sum(int(self.decide(name, bound[1])) < int(bound[2]) for name in members))
        extreme = re.search(
            r"has the (earliest|latest|greatest|smallest) ([a-z ]+?)(?:\?|\. (?:What|Who) is its ([a-z ]+)\?)",
            self.question,
        )
        assert extreme is not None, self.question
        best = max if extreme[1] in ("latest", "greatest") else min
        values = {name: int(self.decide(name, extreme[2])) for name in members}
        winner = best(values, key=lambda name: values[name])
        return self.decide(winner, extreme[3]) if extreme[3] else winner


THINGS = {
    "ship": re.compile(r"[Tt]he [A-Z][a-z]+ [A-Z][a-z]+"),
    "bridge": re.compile(r"[Tt]he [A-Z][a-z]+ (?:Bridge|Viaduct|Crossing)(?! Museum)"),
    "museum": re.compile(r"[Tt]he [A-Z][a-z]+ [A-Z][a-z]+ Museum"),
    "company": re.compile(rf"[A-Z][a-z]+ {TRADE}"),
}


def research(call: Tool, problem: Any) -> tuple[str, str]:
    """The answer to a problem, and its report."""
    reader = Reader(call, problem["question"], problem["order"], problem["cutoff"])
    answer = reader.answer()
    return answer, "\n".join(reader.claims)
