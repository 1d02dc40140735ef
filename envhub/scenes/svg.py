"""Scenes as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from envhub.scenes.palette import PALETTES, RGB, Palette
from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text


def svg(scene: Scene, palette: str = "plain", title: str = "") -> str:
    """A scene as one SVG document; it needs no other file."""
    tones = PALETTES[palette]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{scene.width}" height="{scene.height}" '
        f'viewBox="0 0 {scene.width} {scene.height}" role="img" font-family="DejaVu Sans, Verdana, sans-serif">'
    )
    named = f"<title>{escape(title)}</title>" if title else ""
    paper = f'<rect width="{scene.width}" height="{scene.height}" fill="{_hex(tones["paper"])}"/>'
    return head + named + paper + "".join(_element(shape, tones) for shape in scene.shapes) + "</svg>\n"


def _element(shape: Shape, tones: Palette) -> str:
    attributes = "".join(f' {name}="{escape(str(value))}"' for name, value in _attributes(shape, tones))
    if isinstance(shape, Text):
        return f"<text{attributes}>{escape(shape.text)}</text>"
    return f"<{_NAMES[type(shape)]}{attributes}/>"


def _attributes(shape: Shape, tones: Palette) -> Iterator[tuple[str, Any]]:
    if isinstance(shape, Text):
        yield from (("x", shape.x), ("y", shape.y), ("font-size", shape.size), ("text-anchor", shape.anchor))
        yield from (("dominant-baseline", "central"), ("fill", _hex(tones[shape.fill])))
        return
    if isinstance(shape, Rect):
        yield from (("x", shape.x), ("y", shape.y), ("width", shape.width), ("height", shape.height))
    elif isinstance(shape, Oval):
        yield from (("cx", shape.x), ("cy", shape.y), ("rx", shape.rx), ("ry", shape.ry))
    else:
        yield "points", " ".join(f"{x},{y}" for x, y in shape.points)
    fill = None if isinstance(shape, Line) else shape.fill
    yield "fill", "none" if fill is None else _hex(tones[fill])
    if shape.line is not None:
        yield from (("stroke", _hex(tones[shape.line])), ("stroke-width", shape.stroke))


def _hex(colour: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


_NAMES = {Rect: "rect", Oval: "ellipse", Line: "polyline", Polygon: "polygon"}
