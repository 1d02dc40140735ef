"""Scenes in terminals: what each protocol's terminal would show."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest

from envhub.scenes import Rect, Scene, Text
from envhub.scenes.pixels import image, png
from envhub.scenes.terminal import escape_codes, protocol_of

SCENE = Scene(50, 27, (Rect(3, 2, 20, 19, "shade", "ink"), Text(25, 12, "7", 20)))
LARGE = Scene(900, 900, tuple(Text(20 + 40 * at, 450, str(at), 30) for at in range(22)))


@pytest.mark.parametrize(
    ("environ", "protocol"),
    [
        ({}, None),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "iterm2"),
        ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, "iterm2"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "yaft-sixel"}, "sixel"),
        ({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux"}, None),
        ({"TERM": "screen.xterm-kitty"}, None),
    ],
)
def test_a_terminal_is_believed_by_its_variables(environ: dict[str, str], protocol: str | None) -> None:
    assert protocol_of(environ) == protocol


@pytest.mark.parametrize("scene", [SCENE, LARGE])
def test_kitty_is_sent_the_whole_file_in_parts(scene: Scene) -> None:
    parts = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\", escape_codes(scene, "kitty"))
    assert [head[-1] for head, _ in parts] == ["1"] * (len(parts) - 1) + ["0"]
    assert all(len(data) <= 4096 for _, data in parts)
    assert b64decode("".join(data for _, data in parts)) == png(scene)
    assert "q=2" in parts[0][0]  # an answer would be read as an action


def test_iterm2_is_sent_the_whole_file() -> None:
    found = re.fullmatch("\x1b]1337;File=inline=1;width=50px;height=27px:(.*)\a\n", escape_codes(SCENE, "iterm2"))
    assert found is not None
    assert b64decode(found[1]) == png(SCENE)


def test_sixels_show_each_pixel_in_a_near_colour() -> None:
    shown = shown_by(escape_codes(SCENE, "sixel"))
    wanted = image(SCENE)
    assert set(shown) == {(x, y) for x in range(50) for y in range(27)}  # each pixel, none twice
    for place, colour in shown.items():
        assert all(abs(a - b) <= 12 for a, b in zip(colour, wanted.getpixel(place), strict=True))  # type: ignore[arg-type]


def shown_by(codes: str) -> dict[tuple[int, int], tuple[int, ...]]:
    """The pixels that a terminal for sixels would set."""
    body = re.fullmatch('\x1bPq"1;1;50;27(.*)\x1b\\\\\n', codes)
    assert body is not None
    palette: dict[int, tuple[int, ...]] = {}
    shown: dict[tuple[int, int], tuple[int, ...]] = {}
    x = top = colour = 0
    for name, tone, run, dots, move in re.findall(r"#(\d+)((?:;\d+)*)|!(\d+)([?-~])|([$-])", body[1]):
        if tone:
            palette[int(name)] = tuple(round(int(value) * 2.55) for value in tone.split(";")[2:])
        elif name:
            colour = int(name)
        elif run:
            for column in range(x, x + int(run)):
                for bit in range(6):
                    if ord(dots) - 63 >> bit & 1:
                        assert (column, top + bit) not in shown
                        shown[column, top + bit] = palette[colour]
            x += int(run)
        else:
            x, top = 0, top + 6 * (move == "-")
    return shown
