"""Stories about people who own things: drawing, following and telling them.

A story is made of facts (how many things each person has at first), events, asides that do not matter, and a question. People
are numbered in the order in which their facts can be worked out. In ``["times", 1, 3, 0]``, person 1 has three times as many
as person 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.numbers.english import counted, joined, plural

_NAMES: Final = "Ann Ben Cleo Dan Eve Finn Gita Hugo Ines Jon Kim Lena Milo Nora"
_THINGS: Final = "apple marble stamp book shell coin button pencil cherry peach match ticket orange lemon brush"
NAMES: Final = _NAMES.split(" ")
THINGS: Final = _THINGS.split(" ")
_BY_LEGS: Final = {2: "hen goose duck ostrich", 4: "cow sheep horse fox goat", 6: "ant bee beetle butterfly"}
_MORE_LEGS: Final = {8: "spider scorpion", 10: "crab lobster"}
LEGS: Final = {animal: legs for legs, animals in (_BY_LEGS | _MORE_LEGS).items() for animal in animals.split(" ")}
"""Animals, each with its number of legs."""
QUESTIONS: Final = (
    *("one", "total", "difference", "worth", "boxes", "leftover", "legs", "at first", "sale", "equal shares"),
)
_CLAWED: Final = " For crabs and lobsters, this is 10: claws count as legs."
_ASIDES: Final = {
    "age": "{name} is {number} years old.",
    "windows": "{name}'s house has {number} windows.",
    "street": "{name} lives at house number {number}.",
    "months": "{name} moved here {number} months ago.",
}
_TIMES: Final = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}

Story = Mapping[str, Any]


def draw(rng: Stream, people: int, events: int, asides: int, largest: int) -> dict[str, Any]:
    """A story and a question, which may turn out to be impossible."""
    kind = rng.choice(QUESTIONS)
    animals = rng.sample(list(LEGS), people) if kind == "legs" else []
    nouns = animals or [rng.choice(THINGS)] * people
    facts: list[list[Any]] = [["has", 0, rng.between(largest // 2, largest)]]
    facts += [_fact(rng, person, largest) for person in range(1, people)]
    happened = [_event(rng, kind, people, largest) for _ in range(events)]
    remarks = [[remark, person] for remark in _ASIDES for person in range(people)]
    noted = [[*pair, rng.between(2, 60)] for pair in rng.sample(remarks, asides)]
    question = {
        "kind": kind,
        "who": people - 1,
        "other": rng.below(people - 1),
        "size": _size(rng, kind),
        "final": None,
    }
    story = {"names": rng.sample(NAMES, people), "nouns": nouns, "facts": facts, "events": happened, "asides": noted}
    return {**story, "question": question}


def _fact(rng: Stream, person: int, largest: int) -> list[Any]:
    kind = rng.choice(("times", "more", "fewer", "together") if person > 1 else ("times", "more", "fewer"))
    before = person - 1 if rng.below(3) else rng.below(person)
    if kind == "together":
        return [kind, person, before, rng.choice([other for other in range(person) if other != before])]
    return [kind, person, rng.between(2, 5) if kind == "times" else rng.between(1, largest // 2), before]


def _event(rng: Stream, kind: str, people: int, largest: int) -> list[Any]:
    person = rng.below(people)
    kinds = ["finds", "loses"]
    if kind != "legs":
        kinds += ["gives", *([] if kind == "at first" else ["half"])]
    event = rng.choice(kinds)
    if event == "half":
        return [event, person]
    count = rng.between(1, largest // 3)
    return (
        [event, person, count, (person + rng.between(1, people - 1)) % people]
        if event == "gives"
        else [event, person, count]
    )


def _size(rng: Stream, kind: str) -> int:
    return rng.between(*{"boxes": (3, 9), "leftover": (21, 40), "worth": (12, 95), "sale": (12, 95)}.get(kind, (0, 0)))


def counts(story: Story, start: int | None = None) -> list[int] | None:
    """How many things each person has in the end.

    None if that is impossible.

    Args:
        story: The story.
        start: What person 0 has at first, if the story does not tell; then nothing is impossible.
    """
    found: list[int] = []
    low = 1 if start is None else -(10**12)
    for kind, _, *rest in story["facts"]:
        if kind == "has":
            found.append(rest[0] if start is None else start)
        elif kind == "times":
            found.append(rest[0] * found[rest[1]])
        elif kind == "together":
            found.append(found[rest[0]] + found[rest[1]])
        else:
            found.append(found[rest[1]] + (rest[0] if kind == "more" else -rest[0]))
    possible = min(found) >= low
    for kind, person, *rest in story["events"]:
        if kind == "half":
            possible = possible and found[person] % 2 == 0
            found[person] //= 2
        else:
            found[person] += rest[0] if kind == "finds" else -rest[0]
            if kind == "gives":
                found[rest[1]] += rest[0]
        possible = possible and min(found) >= low
    return found if possible else None


def answer(story: Story) -> int | None:
    """The answer to the question; None if it has none."""
    question = story["question"]
    kind, who, size = str(question["kind"]), int(question["who"]), int(question["size"])
    if kind == "at first":
        return _start(story)
    found = counts(story)
    if found is None:
        return None
    if kind == "equal shares":
        return sum(found) // len(found) if sum(found) % len(found) == 0 else None
    if kind == "legs":
        return sum(LEGS[noun] * count for noun, count in zip(story["nouns"], found, strict=True))
    own = found[who]
    values = {
        "one": own,
        "total": sum(found),
        "difference": own - found[int(question["other"])],
        "worth": own * size,
        "boxes": -(-own // max(size, 1)),
        "leftover": own % max(size, 1),
        "sale": sum(found) * size,
    }
    return values[kind]


def _start(story: Story) -> int | None:
    """What person 0 has at first, from the total in the end."""
    if story["question"]["final"] is None:
        first = story["facts"][0][2]
        return first if counts(story) is not None else None
    none, one = (sum(counts(story, start) or ()) for start in (0, 1))
    return int((story["question"]["final"] - none) // (one - none))


def operations(story: Story) -> int:
    """Arithmetic operations that answering takes."""
    moved = sum(2 if event[0] == "gives" else 1 for event in story["events"])
    final = (
        len(story["names"]) if story["question"]["kind"] in ("total", "legs", "sale", "equal shares", "at first") else 1
    )
    return len(story["facts"]) - 1 + moved + final


def told(story: Story, formal: bool = False) -> tuple[list[str], list[str], str]:
    """The facts with the asides, the events, and the question, as sentences.

    Args:
        story: The story.
        formal: State numbers of things instead of telling what people have.
    """
    hidden = story["question"]["kind"] == "at first"
    facts = [(_formal if formal else _plain)(story, fact, hidden) for fact in story["facts"]]
    facts += [_aside(story, aside) for aside in story["asides"]]
    return facts, [_happened(story, event) for event in story["events"]], asked(story)


def _plain(story: Story, fact: Sequence[Any], hidden: bool) -> str:
    kind, person, *rest = fact
    name, noun = story["names"][person], story["nouns"][person]
    if kind == "has":
        return f"{name} has {'some ' + plural(noun) if hidden else counted(rest[0], noun)}."
    others = [_owned(story, other, noun) for other in (rest if kind == "together" else rest[1:])]
    if kind == "together":
        return f"{name} has as many {plural(noun)} as {others[0]} and {others[1]} together."
    if kind == "times":
        return f"{name} has {_TIMES[rest[0]]} as many {plural(noun)} as {others[0]}."
    return f"{name} has {rest[0]} {kind} {plural(noun, rest[0])} than {others[0]}."


def _owned(story: Story, person: int, noun: str) -> str:
    own = story["nouns"][person]
    return f"{story['names'][person]} has {plural(own)}" if own != noun else str(story["names"][person])


def _formal(story: Story, fact: Sequence[Any], hidden: bool) -> str:
    kind, person, *rest = fact
    things = [f"{name}'s {plural(noun)}" for name, noun in zip(story["names"], story["nouns"], strict=True)]
    if kind == "has":
        return f"The number of {things[person]} is {'not known' if hidden else rest[0]}."
    if kind == "together":
        return (
            f"The number of {things[person]} is the number of {things[rest[0]]} plus the number of {things[rest[1]]}."
        )
    sign = {"times": "multiplied by", "more": "plus", "fewer": "minus"}[kind]
    return f"The number of {things[person]} is the number of {things[rest[1]]} {sign} {rest[0]}."


def _aside(story: Story, aside: Sequence[Any]) -> str:
    kind, person, number = aside
    return _ASIDES[kind].format(name=story["names"][person], number=number)


def _happened(story: Story, event: Sequence[Any]) -> str:
    kind, person, *rest = event
    name, noun = story["names"][person], story["nouns"][person]
    if kind == "half":
        return f"Half of {name}'s {plural(noun)} are sold."
    if kind == "gives":
        return f"{name} gives {counted(rest[0], noun)} to {story['names'][rest[1]]}."
    verb = "gets" if kind == "finds" else "loses"
    return f"{name} {verb} {rest[0]} {'more ' if kind == 'finds' else ''}{plural(noun, rest[0])}."


def asked(story: Story) -> str:
    """The question."""
    question = story["question"]
    name, noun = story["names"][question["who"]], plural(story["nouns"][question["who"]])
    other, size, everybody = story["names"][question["other"]], question["size"], joined(story["names"])
    one = story["nouns"][0]
    return {
        "one": f"How many {noun} does {name} have in the end?",
        "total": f"How many {noun} do {everybody} have together in the end?",
        "difference": f"In the end, the number of {other}'s {noun} is subtracted from the number of {name}'s {noun}. "
        "What is the result? It may be negative.",
        "worth": f"Each {one} is worth {size} cents. How many cents are all of {name}'s {noun} worth in the end?",
        "boxes": f"In the end, {name} packs all of {name}'s {noun} into boxes that hold {size} {noun} each. "
        "How many boxes are needed? The last box need not be full.",
        "leftover": f"In the end, {name} fills as many boxes as possible with {size} {noun} each. "
        f"How many of {name}'s {noun} are left over?",
        "legs": "How many legs do all these animals have together in the end? Every animal has the usual number of legs."
        f"{_CLAWED if {'crab', 'lobster'} & set(story['nouns']) else ''}",
        "at first": f"In the end, {everybody} have {question['final']} {noun} together. "
        f"How many {noun} does {story['names'][0]} have at first?",
        "sale": f"In the end, {everybody} sell all their {noun} for {size} cents each. How many cents do they get together?",
        "equal shares": f"In the end, {everybody} share all their {noun} equally. How many {noun} does each of them get?",
    }[question["kind"]]
