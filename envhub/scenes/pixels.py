"""Scenes as pixels, by Pillow (the extra ``pictures``).

Everything but text is drawn at twice its size and averaged, so edges are smooth and the pixels are the same in every release of
Pillow. PNG bytes are not: they depend on the compressor. Compare :func:`pixel_digest`.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Any, Final

from envhub.core.errors import MissingExtra
from envhub.scenes.palette import PALETTES, Palette
from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text

if TYPE_CHECKING:
    from PIL.Image import Image

_TWICE: Final = 2
_ANCHORS: Final = {"start": "lm", "middle": "mm", "end": "rm"}


def image(scene: Scene, palette: str = "plain") -> Image:
    """A scene as an RGB image of its size.

    Raises:
        MissingExtra: Pillow is not installed.
    """
    drawing = pillow()
    tones = PALETTES[palette]
    size = scene.width * _TWICE, scene.height * _TWICE
    canvas = drawing.Image.new("RGB", size, tones["paper"])
    draw = drawing.ImageDraw.Draw(canvas)
    for shape in scene.shapes:
        _draw(draw, shape, tones)
    reduced: Image = canvas.reduce(_TWICE)
    return reduced


def png(scene: Scene, palette: str = "plain") -> bytes:
    """A scene as a PNG file."""
    file = io.BytesIO()
    image(scene, palette).save(file, "PNG")
    return file.getvalue()


def pixel_digest(scene: Scene, palette: str = "plain") -> str:
    """A digest of size and pixels.

    The same with every supported release of Pillow.
    """
    drawn = image(scene, palette)
    return hashlib.blake2b(repr(drawn.size).encode() + drawn.tobytes(), digest_size=16).hexdigest()


def _draw(draw: Any, shape: Shape, tones: Palette) -> None:
    if isinstance(shape, Text):
        place = shape.x * _TWICE, shape.y * _TWICE
        font = _font(shape.size * _TWICE)
        draw.text(place, shape.text, fill=tones[shape.fill], font=font, anchor=_ANCHORS[shape.anchor])
        return
    line = None if shape.line is None else tones[shape.line]
    stroke = shape.stroke * _TWICE
    if isinstance(shape, Line):
        _draw_line(draw, [(x * _TWICE, y * _TWICE) for x, y in shape.points], stroke, line)
        return
    fill = None if shape.fill is None else tones[shape.fill]
    if isinstance(shape, Polygon):
        corners = [(x * _TWICE, y * _TWICE) for x, y in shape.points]
        if fill is not None:
            _fill(draw, corners, fill)
        if line is not None:
            _draw_line(draw, [*corners, *corners[:2]], stroke, line)
        return
    left, top, right, bottom = _box(shape)
    half = stroke // 2 if line is not None else 0
    box = [left * _TWICE - half, top * _TWICE - half, right * _TWICE + half - 1, bottom * _TWICE + half - 1]
    figure = draw.rectangle if isinstance(shape, Rect) else draw.ellipse
    figure(box, fill=fill, outline=line, width=stroke if line is not None else 0)


def _draw_line(draw: Any, points: Sequence[tuple[int, int]], stroke: int, colour: Any) -> None:
    """Straight pieces as rectangles, joined by discs."""
    for (ax, ay), (bx, by) in pairwise(points):
        length = hypot(bx - ax, by - ay) or 1.0
        right, down = (by - ay) / length * stroke / 2, (ax - bx) / length * stroke / 2
        edges = ((ax + right, ay + down), (bx + right, by + down), (bx - right, by - down), (ax - right, ay - down))
        _fill(draw, edges, colour)
    for x, y in points[1:-1]:
        draw.ellipse([x - stroke // 2, y - stroke // 2, x + stroke // 2, y + stroke // 2], fill=colour)


def _fill(draw: Any, corners: Sequence[tuple[float, float]], colour: Any) -> None:
    """Fill a polygon row by row.

    Pillow's own polygons and wide lines differ between its releases. A pixel is filled if its centre is inside. Corners
    are rounded to 1/64, which hides the differences between mathematics libraries.
    """
    points = [(round(x * 64) / 64, round(y * 64) / 64) for x, y in corners]
    sides = list(zip(points, [*points[1:], points[0]], strict=True))
    for row in range(floor(min(y for _, y in points)), ceil(max(y for _, y in points))):
        at = row + 0.5
        cut = (ax + (at - ay) / (by - ay) * (bx - ax) for (ax, ay), (bx, by) in sides if (ay <= at) != (by <= at))
        crossed = sorted(cut)
        for left, right in zip(crossed[::2], crossed[1::2], strict=True):
            first, last = ceil(left - 0.5), ceil(right - 0.5) - 1
            if first <= last:
                draw.rectangle([first, row, last, row], fill=colour)


def _box(shape: Rect | Oval) -> tuple[int, int, int, int]:
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    return shape.x - shape.rx, shape.y - shape.ry, shape.x + shape.rx, shape.y + shape.ry


@lru_cache(maxsize=64)
def _font(size: int) -> Any:
    drawing = pillow()
    data = resources.files("envhub.scenes").joinpath("font", "EnvhubSans.ttf").read_bytes()
    return drawing.ImageFont.truetype(io.BytesIO(data), size, layout_engine=drawing.ImageFont.Layout.BASIC)


def pillow() -> Any:
    """Pillow with the modules that draw.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        import PIL.Image
        import PIL.ImageDraw
        import PIL.ImageFont
    except ImportError:
        raise MissingExtra("Pictures need Pillow. Install it with: pip install 'envhub[pictures]'") from None
    return PIL
