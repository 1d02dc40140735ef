"""Token ids as the pieces of text that they stand for, one each, for people to read.

::

    pieces = Pieces(tokenizer)
    "".join(pieces([318, 262])) == " is the"

A tokenizer decodes a whole text and may drop the space that a token alone begins with; so a token is decoded behind another.
A character whose bytes are several tokens stands at the first of them, and the others are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

_BROKEN: Final = "\ufffd"
_LONGEST: Final = 8
"""At most so many tokens are tried as one character; UTF-8 has four bytes, and a composed character a few more."""


class Pieces:
    """Decodes token by token; what a token stands for is looked up once.

    Args:
        tokenizer: Of Hugging Face, or anything with its ``decode`` and ``encode``.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._anchor = list(tokenizer.encode("a", add_special_tokens=False))[-1:]
        self._before = len(self._decode(self._anchor))
        self._known: dict[int, str] = {}

    def __call__(self, ids: Sequence[int]) -> list[str]:
        """As many pieces as ids; special tokens are written out."""
        pieces: list[str] = []
        while len(pieces) < len(ids):
            start = len(pieces)
            piece = self._one(ids[start])
            used = 1
            if _BROKEN in piece:
                piece, used = self._character(ids[start : start + _LONGEST], piece)
            pieces += [piece, *[""] * (used - 1)]
        return pieces

    def text(self, ids: Sequence[int]) -> str:
        """The text of ids as a whole."""
        return self._decode([*self._anchor, *ids])[self._before :]

    def _one(self, token: int) -> str:
        if token not in self._known:
            self._known[token] = self.text([token])
        return self._known[token]

    def _character(self, ids: Sequence[int], alone: str) -> tuple[str, int]:
        """The first character that some ids make, and how many of them it takes; the broken one alone if they make none."""
        for used in range(2, len(ids) + 1):
            piece = self.text(ids[:used])
            if _BROKEN not in piece:
                return piece, used
        return alone, 1

    def _decode(self, ids: Sequence[int]) -> str:
        decoded: str = self._tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return decoded
