"""Scenes in a terminal: kitty's protocol, iTerm2's, or sixels.

A terminal is believed by its environment variables; it is never asked, since its answer would be read as an action. ::

    protocol = protocol_of(os.environ)          # None for a terminal that says nothing
    sys.stdout.write(escape_codes(scene, protocol))
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, Literal

from envhub.scenes import pixels
from envhub.scenes.shapes import Scene

Protocol = Literal["kitty", "iterm2", "sixel"]

_PROGRAMS: Final[Mapping[str, Protocol]] = {
    "ghostty": "kitty",
    "WezTerm": "iterm2",
    "iTerm.app": "iterm2",
    "vscode": "iterm2",
    "mintty": "sixel",
}
_TERMS: Final[Mapping[str, Protocol]] = {
    "xterm-kitty": "kitty",
    "xterm-ghostty": "kitty",
    "foot": "sixel",
    "mlterm": "sixel",
}
_CHUNK: Final = 4096
"""Bytes of one command of kitty's protocol, a multiple of 4."""
_COLOURS: Final = 64
_BAND: Final = 6
"""Rows of pixels in a row of sixels."""
_BLANK: Final = 63
"""A column of six pixels that are not set; each pixel adds a bit."""


def protocol_of(environ: Mapping[str, str]) -> Protocol | None:
    """How the terminal shows pictures; None if unknown.

    A multiplexer such as tmux hides the terminal.
    """
    term = environ.get("TERM", "")
    if environ.get("TMUX") or term.startswith(("screen", "tmux")):
        return None
    if environ.get("KITTY_WINDOW_ID"):
        return "kitty"
    if environ.get("LC_TERMINAL") == "iTerm2":
        return "iterm2"
    named = _PROGRAMS.get(environ.get("TERM_PROGRAM", "")) or _TERMS.get(term)
    return named or ("sixel" if "sixel" in term else None)


def escape_codes(scene: Scene, protocol: Protocol) -> str:
    """The text that shows a scene, and a line break.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    if protocol == "sixel":
        return f"{_sixels(scene)}\n"
    data = b64encode(pixels.png(scene)).decode()
    if protocol == "iterm2":
        return f"\x1b]1337;File=inline=1;width={scene.width}px;height={scene.height}px:{data}\a\n"
    return "".join(_kitty(data)) + "\n"


def _kitty(data: str) -> Iterator[str]:
    """Commands that show a PNG file; they request no answer."""
    for start in range(0, len(data), _CHUNK):
        more = int(start + _CHUNK < len(data))
        head = f"a=T,f=100,q=2,m={more}" if start == 0 else f"m={more}"
        yield f"\x1b_G{head};{data[start : start + _CHUNK]}\x1b\\"


def _sixels(scene: Scene) -> str:
    """A palette, then each colour of each band of rows."""
    image = pixels.image(scene).quantize(_COLOURS)
    width, height = image.size
    palette, dots = image.getpalette() or [], image.tobytes()
    colours = sorted(set(dots))
    parts = [f'\x1bPq"1;1;{width};{height}']
    for colour in colours:
        red, green, blue = (round(value / 255 * 100) for value in palette[3 * colour : 3 * colour + 3])
        parts.append(f"#{colour};2;{red};{green};{blue}")
    for top in range(0, height, _BAND):
        rows = [dots[row * width : (row + 1) * width] for row in range(top, min(top + _BAND, height))]
        parts += [f"#{colour}{_band(rows, colour)}$" for colour in colours if any(colour in row for row in rows)]
        parts.append("-")
    return "".join(parts) + "\x1b\\"


def _band(rows: list[bytes], colour: int) -> str:
    """One colour of a band, run by run."""
    columns = (sum((dot == colour) << bit for bit, dot in enumerate(column)) for column in zip(*rows, strict=True))
    return "".join(f"!{len(list(run))}{chr(_BLANK + value)}" for value, run in groupby(columns))
