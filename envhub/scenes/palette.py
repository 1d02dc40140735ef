"""Tones: the names of colours, and their values in each palette.

``paper`` is the background, ``ink`` text and lines, ``faint`` thin lines and labels, ``shade`` and ``dark`` the fillings of
cells, and ``tint0`` to ``tint7`` colours that only need to differ; ``hue0`` to ``hue5`` are strong colours that differ, for
charts. ``light`` and ``deep`` are the two sides of a game. The tones of :data:`HUES` are what their names say in every
palette, so a prompt may name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

RGB = tuple[int, int, int]
Palette = Mapping[str, RGB]
HUES: Final = ("red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink")


def _palette(
    paper: str, ink: str, faint: str, shade: str, dark: str, light: str, deep: str, tints: str, hues: str, strong: str
) -> Palette:
    named = {"paper": paper, "ink": ink, "faint": faint, "shade": shade, "dark": dark, "light": light, "deep": deep}
    named |= {f"tint{at}": value for at, value in enumerate(tints.split())}
    named |= dict(zip(HUES, hues.split(), strict=True))
    named |= {f"hue{at}": value for at, value in enumerate(strong.split())}
    return {name: _rgb(value) for name, value in named.items()}


def _rgb(value: str) -> RGB:
    return int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16)


PALETTES: Final[Mapping[str, Palette]] = {
    "plain": _palette(
        "ffffff",
        "1f2328",
        "8c959f",
        "e4e8ec",
        "57606a",
        "ffffff",
        "24292f",
        "cfe3fa fbe0c3 d3ecd4 f6d2d8 e2d6f3 f6edb4 cdebea e3e0da",
        "d93a3a ef8a22 f4d32a 3a9a4b 37bccb 2c66cf 8848b8 f39ac4",
        "1f6fb4 e07b00 2e8b3d c23b4e 7a5bb5 7a7a7a",
    ),
    "warm": _palette(
        "fbf6ec",
        "3a2f24",
        "a1917c",
        "eadfca",
        "6d5a45",
        "fffaf0",
        "2f251b",
        "f3d9b1 cfe0d0 f0c6b5 d8d3e6 f4e8a8 c9dfe8 e6cfd9 dedbc4",
        "c43f2c df8430 e6c63c 5a9648 4fb3b5 3a68ad 7f4f9a e69fb6",
        "2f6d8c c8681c 5d7f3a a83a3a 7d5a86 6e665c",
    ),
    "contrast": _palette(
        "ffffff",
        "000000",
        "767676",
        "dddddd",
        "333333",
        "ffffff",
        "000000",
        "b3d4ff ffd9a8 b8e6b8 ffc2cc d9c2ff fff09e a8eaea d4d0c8",
        "e00000 ff8000 ffe000 009000 00c8e8 0038f0 8000c0 ff80c0",
        "0050c8 d06000 007a2a c00030 6a20b0 606060",
    ),
}
"""Palettes by name; ``plain`` is the default."""
