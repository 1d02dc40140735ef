"""Writes a text that reports facts and has a given shape.

::

    write(rng, facts, [("title", {"title": "A Short Report"}), ("bullets", {"n": 2})])
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.constraints.kinds import Constraint
from envhub.generators.constraints.shapes import BULLET, DIVIDER, FILLERS

_FACTS = ("The {0} is {1}.", "Its {0} is known: {1}.", "As for the {0}, it is {1}.", "For the {0} the file says {1}.")


def write(rng: Stream, facts: JSON, shape: Sequence[Constraint], extra: int = 2) -> str:
    """A text that reports facts, with ``extra`` other sentences."""
    return _Writer(rng, shape).text(facts, extra)


class _Writer:
    """The state of one :func:`write`."""

    def __init__(self, rng: Stream, shape: Sequence[Constraint]) -> None:
        self.rng = rng
        self.settings: dict[str, Any] = {name: settings for name, settings in shape if name != "planted"}
        self.planted = [settings for name, settings in shape if name == "planted"]
        self.barred = set(self.settings.get("forbidden", {}).get("words", ()))

    def text(self, facts: JSON, extra: int) -> str:
        body = [self.fact(*row) for row in facts["rows"]]
        body += [self.filler() for _ in range(extra)]
        body += [self.filler(planted["word"]) for planted in self.planted for _ in range(planted["n"])]
        self.rng.shuffle(body)
        body = [f"This text is about {facts['subject']}.", *body]
        for name, left, right in (("highlights", "*", "*"), ("placeholders", "[", "]"), ("parentheses", "(", ")")):
            body += [self.marked(left, right) for _ in range(self.number(name))]
        body += [self.filler(shout=True) for _ in range(self.number("capital_words"))]
        body += [f"Do {self.filler()[:-1].lower()}?" for _ in range(self.number("questions"))]
        return self.cased(self.framed(self.paragraphs(body)))

    def number(self, name: str) -> int:
        return int(self.settings[name]["n"]) if name in self.settings else 0

    def fact(self, attribute: str, value: str) -> str:
        form = self.rng.choice(_FACTS)
        return (_FACTS[0] if "no_comma" in self.settings and "," in form else form).format(attribute, value)

    def words(self) -> list[str]:
        return [self.rng.choice([word for word in words if word not in self.barred]) for words in FILLERS]

    def filler(self, planted: str = "place", shout: bool = False) -> str:
        adjective, noun, verb = self.words()
        verb = verb.upper() if shout else verb
        return f"{adjective.capitalize()} {noun} {verb} the {planted}."

    def marked(self, left: str, right: str) -> str:
        adjective, noun, verb = self.words()
        return f"Some {noun} {verb} {left}{adjective} work{right} here."

    def paragraphs(self, body: list[str]) -> list[str]:
        """The sentences as bullets and paragraphs, with headings and dividers."""
        bullets = [BULLET + self.filler() for _ in range(self.number("bullets"))]
        parts = max(self.number("sections"), self.number("dividers") + 1, 1 + self.rng.below(3))
        cuts = [round(len(body) * at / parts) for at in range(parts + 1)]
        blocks = [" ".join(body[low:high]) for low, high in pairwise(cuts)]
        for at in range(self.number("sections")):
            blocks[at] = f"{self.settings['sections']['head']} {at + 1}\n{blocks[at]}"
        for at in range(self.number("dividers")):
            blocks[at] += f"\n{DIVIDER}"
        if bullets:
            blocks[-1] += "\n" + "\n".join(bullets)
        return blocks

    def framed(self, blocks: list[str]) -> str:
        """The paragraphs with title, first and last words and quotation marks."""
        if "title" in self.settings:
            blocks[0] = f"<<{self.settings['title']['title']}>>\n{blocks[0]}"
        if "first_words" in self.settings:
            blocks[0] = f"{self.settings['first_words']['phrase']}:\n{blocks[0]}"
        if "postscript" in self.settings:
            blocks.append(f"{self.settings['postscript']['marker']} {self.filler()}")
        if "last_words" in self.settings:
            blocks[-1] += f"\n{self.settings['last_words']['phrase']}"
        text = "\n\n".join(block for block in blocks if block)
        return f'"{text}"' if "quoted" in self.settings else text

    def cased(self, text: str) -> str:
        if "upper_case" in self.settings:
            return text.upper()
        return text.lower() if "lower_case" in self.settings else text
