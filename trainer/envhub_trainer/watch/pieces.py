"""Decodes token ids one by one, for people to read.

::

    pieces = Pieces(tokenizer)
    "".join(pieces([318, 262])) == " is the"

A tokenizer may drop the leading space of a single token, so each token is decoded after another one. A character whose bytes
are several tokens is shown at the first of them, and the others are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

_BROKEN: Final = "\ufffd"
_LONGEST: Final = 8
"""Maximum number of tokens tried as one character; UTF-8 has up to four bytes, a composed character a few more."""


class Pieces:
    """Decodes token by token, with a cache.

    Args:
        tokenizer: A Hugging Face tokenizer, or any object with ``decode`` and ``encode``.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._anchor = list(tokenizer.encode("a", add_special_tokens=False))[-1:]
        self._before = len(self._decode(self._anchor))
        self._known: dict[int, str] = {}

    def __call__(self, ids: Sequence[int]) -> list[str]:
        """Return one piece per id; special tokens are spelled out."""
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
        """Decode ids as a whole, with a mark for each picture."""
        runs = groupby(ids, lambda id: min(id, 0))
        return "".join(
            "[picture]" if kind else self._decode([*self._anchor, *part])[self._before :] for kind, part in runs
        )

    def _one(self, token: int) -> str:
        if token not in self._known:
            self._known[token] = self.text([token])
        return self._known[token]

    def _character(self, ids: Sequence[int], alone: str) -> tuple[str, int]:
        """The first character and its number of tokens, 1 if invalid."""
        for used in range(2, len(ids) + 1):
            piece = self.text(ids[:used])
            if _BROKEN not in piece:
                return piece, used
        return alone, 1

    def _decode(self, ids: Sequence[int]) -> str:
        decoded: str = self._tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return decoded
