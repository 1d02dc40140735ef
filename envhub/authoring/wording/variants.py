"""Variants: equivalent phrasings, renderings and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from string import Formatter
from typing import Any, Final, Generic, TypeVar
from zlib import crc32

T = TypeVar("T")

FEWEST_PHRASINGS: Final = 3


class Variants(Generic[T]):
    """Equivalent options, the last of which is reserved for evaluation.

    Args:
        options: At least one; training prompts use these.
        held_out: Used by held-out prompts alone.
        name: Tells these variants from others, which are chosen independently.
        seen: The variants for a prompt whose picture shows what these describe; None if no picture does.

    Attributes:
        places: The place of the option of each training wording, once it was tabulated (``wording.choices``).
    """

    places: Sequence[int] | None = None

    def __init__(self, *options: T, held_out: T, name: str, seen: Variants[T] | None = None) -> None:
        if not options:
            raise ValueError("variants need at least one option")
        self.options = options
        self.held_out = held_out
        self.name = name
        self.seen = seen

    @cached_property
    def salt(self) -> int:
        """A number that is different for other variants."""
        return crc32(self.name.encode()) << 16

    def __iter__(self) -> Any:
        """All options, the held-out one last."""
        return iter((*self.options, self.held_out))


class Phrase(Variants[str]):
    """One sentence, or a few that belong together, in several phrasings.

    The phrasings may contain fields such as ``{size}``, and must all contain the same ones, so that no wording drops a
    quantity. They may not say where something stands ("below", "above"), because frames arrange the parts differently.

    Args:
        options: At least three phrasings for training.
        held_out: The phrasing reserved for evaluation.
        seen: The phrase for a prompt whose picture shows what this one describes; None if no picture does.

    Raises:
        ValueError: There are too few phrasings, two are equal, or their fields differ.
    """

    def __init__(self, *options: str, held_out: str, seen: Phrase | None = None) -> None:
        super().__init__(*options, held_out=held_out, name=options[0] if options else "", seen=seen)
        self.values: Mapping[str, Any] = {}
        if len(options) < FEWEST_PHRASINGS:
            raise ValueError(f"a phrase needs at least {FEWEST_PHRASINGS} phrasings for training: {options!r:.120}")
        if len({*self}) <= len(options):
            raise ValueError(f"two phrasings are equal: {options[0]!r:.80}")
        wanted = fields(options[0])
        for text in self:
            if fields(text) != wanted:
                raise ValueError(f"the phrasings {options[0]!r:.80} and {text!r:.80} have different fields")

    def bound(self, values: Mapping[str, Any]) -> Phrase:
        """This phrase with fields of its own."""
        made = Phrase.__new__(Phrase)  # the phrasings have been checked
        made.options, made.held_out, made.values, made.seen = self.options, self.held_out, values, self.seen
        made.name = f"{self.name} {values}"
        return made

    def filled(self, values: Mapping[str, Any]) -> list[str]:
        """Every phrasing with its fields filled in, the held-out one last."""
        return [text.format_map({**values, **self.values}) for text in self]


def fields(text: str) -> set[str]:
    """Names of the fields of a format string: ``{"size"}`` for ``"1 to {size}"``."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}
