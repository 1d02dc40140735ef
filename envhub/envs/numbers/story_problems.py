"""story-problems-v0: answer a question about people who own and exchange things.

Action: one integer. Difficulty: more people, events and sentences that do not matter; effort is the number of arithmetic
operations. Names, things and sentences that do not matter are folded.
"""

from __future__ import annotations

from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels
from envhub.generators.numbers import stories


def _mixed(problem: Any, formal: bool = False) -> list[str]:
    """All sentences; facts in the order that the problem states."""
    facts, events, question = stories.told(problem, formal)
    return [*(facts[at] for at in problem["order"]), *events, question]


def _prose(problem: Any) -> str:
    return " ".join(_mixed(problem))


def _lines(problem: Any) -> str:
    return "\n".join(_mixed(problem))


def _parts(problem: Any) -> str:
    *sentences, question = _mixed(problem)
    count = len(problem["order"])
    happened = ["Then, in this order:", *(f"- {one}" for one in sentences[count:])] if sentences[count:] else []
    return "\n".join(["At first:", *(f"- {one}" for one in sentences[:count]), *happened, question])


def _formal(problem: Any) -> str:
    return "\n".join(f"[{at}] {sentence}" for at, sentence in enumerate(_mixed(problem, formal=True), 1))


class StoryProblems(Value):
    """Answer a question about a story."""

    Params = levels(
        people=knob("how many people", 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, at_least=2, at_most=14),
        events=knob("how many events", 0, 0, 1, 2, 3, 4, 5, 6, 8, 11, at_most=20),
        asides=knob("sentences that do not matter", 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, at_most=10),
        largest=knob("largest number of things at first", 60, 60, 60, 60, 80, 80, 100, 100, 150, 200, at_least=30),
        shuffled=knob("whether facts are told in any order", *[False] * 5, *[True] * 5),
    )
    answer = Integer()
    data = Variants(_prose, _lines, _parts, held_out=_formal, name="story")
    task = Phrase(
        "Read the story and answer the question at its end.",
        "Solve this word problem.",
        "Answer the question with which the story ends.",
        held_out="Determine the number for which the question at the end of the text asks.",
    )
    rules = (
        Phrase(
            "Comparisons refer to what people have at first. The events come after that, in the order of their sentences.",
            "The comparisons hold before all events. The events happen in the order of the text.",
            "At first, every person has what the comparisons say. Then the events happen, one after the other.",
            held_out="All comparisons describe the initial state; the events follow it sequentially, in textual order.",
        ),
    )

    def check(self, p: Any) -> None:
        """At most four remarks about each person."""
        if p.asides > 4 * p.people:
            raise InvalidParameters(f"`asides` must be at most 4 * `people`, which is {4 * p.people}; got {p.asides}.")

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A story in which nobody runs out of things."""
        story = stories.draw(rng, p.people, p.events, p.asides, p.largest)
        found = stories.counts(story)
        value = stories.answer(story)
        if found is None or value is None or max(found) > 100 * p.largest or abs(value) < 2:
            return None
        order = list(range(len(story["facts"]) + p.asides))
        if p.shuffled or p.asides:
            order = _order(rng, len(story["facts"]), p.asides, p.shuffled)
        if story["question"]["kind"] == "at first":
            story["question"]["final"] = sum(found)
            story["facts"][0] = ["has", 0, None]
        return {**story, "order": order}

    def value(self, problem: JSON) -> int:
        """By following the story."""
        found = stories.answer(problem)
        assert found is not None
        return found

    def slips(self, problem: JSON) -> list[int]:
        """The answer without the events, and neighbours."""
        right = self.value(problem)
        still = stories.answer({**problem, "events": []})
        return [right + 1, right - 1, -right, 2 * right, right if still is None else still]

    def canonical(self, content: JSON) -> JSON:
        """The story without names, things and asides."""
        legs = [stories.LEGS[noun] for noun in content["nouns"]] if content["question"]["kind"] == "legs" else []
        return [content["facts"], content["events"], content["question"], legs]

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["question"]["kind"])

    def effort(self, inst: Instance) -> float:
        """Arithmetic operations."""
        return float(stories.operations(inst.problem))


def _order(rng: Stream, facts: int, asides: int, shuffled: bool) -> list[int]:
    """An order of facts and asides; without shuffling, the facts keep theirs."""
    order = list(range(facts + asides))
    rng.shuffle(order)
    if shuffled:
        return order
    kept = iter(range(facts))
    return [next(kept) if at < facts else at for at in order]
