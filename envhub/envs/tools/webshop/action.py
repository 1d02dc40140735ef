"""The action language of WebShop: ``search[keywords]`` and ``click[button]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.types import AnswerType, Unreadable

_ACTION: Final = re.compile(
    r"(?:action: ?)?(?:<action>)?\s*(search|click) ?\[([^\[\]]*)\]\s*(?:</action>)?", re.I | re.A
)
_MOST: Final = 400
_WORDS: Final = ("lamp", "shoes", "tea", "black", "large", "camera")
_BUTTONS: Final = ("Buy Now", "< Prev", "Next >", "Back to Search", "Features", "Basket")


@dataclass(frozen=True)
class ShopAction(AnswerType):
    """One action.

    Its value is the pair of its name and its argument, in lower case.
    """

    noun: ClassVar[str] = "one action"
    example: ClassVar[str] = "search[red umbrella]"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("search[red mug]", "Search[Red Mug]", "search[ red  mug ]"),
        ("click[Buy Now]", "click[buy now]", "CLICK[BUY NOW]"),
    )
    refused: ClassVar[Sequence[str]] = (
        "buy now",
        "search[]",
        "click[]",
        "click[Buy Now] click[Buy Now]",
        "search[a] then click[b]",
        "click[click[Buy Now]]",
        "\u0441lick[Buy Now]",
    )

    def parse(self, text: str) -> tuple[str, str]:
        """Name and argument of an action."""
        found = _ACTION.fullmatch(text.strip()) if len(text) <= _MOST else None
        argument = " ".join(found[2].split()) if found else ""
        if found is None or not argument:
            raise Unreadable(f"write search[keywords] or click[button], once and in at most {_MOST} characters.")
        name = found[1].lower()
        if name == "click" and not argument.isascii():  # a letter that only looks like one of a button
            raise Unreadable("the names of buttons have only ASCII characters.")
        return name, argument.lower()

    def random(self, rng: Stream) -> str:
        """A search for a common word, or a common button."""
        return f"search[{rng.choice(_WORDS)}]" if rng.below(3) == 0 else f"click[{rng.choice(_BUTTONS)}]"
