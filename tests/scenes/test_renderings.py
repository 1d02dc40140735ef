"""Scenes as SVG and as pixels."""

from __future__ import annotations

import io
import sys
from xml.etree import ElementTree

import pytest

from envhub.core.errors import MissingExtra
from envhub.scenes import Line, Oval, Polygon, Rect, Scene, Text, stacked
from envhub.scenes.grid import CELL, Tile, grid, middle
from envhub.scenes.network import network, tree
from envhub.scenes.palette import PALETTES
from envhub.scenes.pixels import image, pixel_digest, png
from envhub.scenes.svg import svg

EVERYTHING = Scene(
    60,
    40,
    (
        Rect(0, 0, 20, 20, "shade", "ink"),
        Oval(30, 20, 8, 5, "tint0"),
        Line(((0, 0), (59, 39)), "dark", 3),
        Polygon(((40, 30), (50, 30), (45, 20)), "tint1", "faint"),
        Text(30, 20, "<7> & \N{BLACK CHESS QUEEN}", 12),
    ),
)


def test_svg_is_a_document_with_every_shape_and_its_text_unchanged() -> None:
    root = ElementTree.fromstring(svg(EVERYTHING, title="a < b"))
    names = [element.tag.partition("}")[2] for element in root]
    assert names == ["title", "rect", "rect", "ellipse", "polyline", "polygon", "text"]
    assert [root[0].text, root[-1].text] == ["a < b", "<7> & \N{BLACK CHESS QUEEN}"]
    assert (root.get("width"), root.get("height")) == ("60", "40")


@pytest.mark.parametrize("palette", PALETTES)
def test_every_palette_has_every_tone(palette: str) -> None:
    assert PALETTES[palette].keys() == PALETTES["plain"].keys()
    assert svg(EVERYTHING, palette)
    assert image(EVERYTHING, palette)


def test_pixels_have_the_size_and_the_colours_of_the_scene() -> None:
    drawn = image(Scene(20, 10, (Rect(0, 0, 10, 10, "ink"),)))
    assert drawn.size == (20, 10)
    assert [drawn.getpixel(place) for place in ((0, 0), (9, 9), (10, 0), (19, 9))] == [
        PALETTES["plain"][tone] for tone in ("ink", "ink", "paper", "paper")
    ]


def test_a_png_holds_the_pixels() -> None:
    from PIL import Image

    read = Image.open(io.BytesIO(png(EVERYTHING)))
    assert read.format == "PNG"
    assert read.tobytes() == image(EVERYTHING).tobytes()


def test_equal_scenes_have_equal_digests_and_others_do_not() -> None:
    moved = EVERYTHING._replace(shapes=(EVERYTHING.shapes[0]._replace(x=1), *EVERYTHING.shapes[1:]))
    again = Scene(*EVERYTHING)
    assert again.fingerprint() == EVERYTHING.fingerprint() != moved.fingerprint()
    assert pixel_digest(again) == pixel_digest(EVERYTHING) != pixel_digest(moved)


def test_without_pillow_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(MissingExtra, match=r"envhub\[pictures\]"):
        image(EVERYTHING)


def test_a_grid_shows_symbols_clues_and_borders_of_regions() -> None:
    scene = grid(
        [["7", Tile(fill="dark")], ["", "3"]], regions=(0, 0, 1, 1), sides={"right": ["5", "4"], "top": ["1 2", "0"]}
    )
    texts = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    assert sorted(texts) == ["0", "1", "2", "3", "4", "5", "7"]
    thick = [shape for shape in scene.shapes if isinstance(shape, Line)]
    assert len(thick) == 2  # below each cell of the upper region
    fills = [shape.fill for shape in scene.shapes if isinstance(shape, Rect) and shape.width == CELL]
    assert fills[1] == "dark"
    assert fills[0] != fills[2]


def test_halves_are_between_cells() -> None:
    assert middle(0, 0.5) == (CELL, CELL // 2)
    assert middle(0.5, 0.5) == (CELL, CELL)


def test_scenes_below_one_another_do_not_overlap() -> None:
    both = stacked([grid([["a"]]), grid([["b", "c"]])])
    places = {shape.text: shape.y for shape in both.shapes if isinstance(shape, Text)}
    assert places["a"] < places["b"] == places["c"] < both.height


def test_no_edge_of_a_graph_runs_through_another_node() -> None:
    names = [f"n{at}" for at in range(14)]
    scene = network(names, [(one, other) for one in names for other in names if one < other])
    nodes = [shape for shape in scene.shapes if isinstance(shape, Oval)]
    for line in (shape for shape in scene.shapes if isinstance(shape, Line)):
        (ax, ay), (bx, by) = line.points
        for node in (node for node in nodes if (node.x, node.y) not in line.points):
            length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
            distance = abs((bx - ax) * (ay - node.y) - (ax - node.x) * (by - ay)) / length
            inside = 0 <= (node.x - ax) * (bx - ax) + (node.y - ay) * (by - ay) <= length**2
            assert not inside or distance > 0.3 * node.rx


def test_arrows_point_along_their_edge() -> None:
    one_way = network(["a", "b"], [("a", "b")], directed=True)
    both = network(["a", "b"], [("a", "b"), ("b", "a")], directed=True)
    heads = [[shape for shape in scene.shapes if isinstance(shape, Polygon)] for scene in (one_way, both)]
    assert [len(found) for found in heads] == [1, 4]
    (ax, ay), (bx, by) = next(shape.points for shape in one_way.shapes if isinstance(shape, Line))
    tip = heads[0][0].points[0]
    assert abs(tip[0] - bx) + abs(tip[1] - by) < abs(tip[0] - ax) + abs(tip[1] - ay)


def test_a_tree_has_its_root_at_the_top_and_no_two_nodes_in_one_place() -> None:
    below = {"r": ["a", "b"], "a": ["c", "d", "e"], "b": [], "c": [], "d": [], "e": []}
    places = {shape.text: (shape.x, shape.y) for shape in tree(below, "r").shapes if isinstance(shape, Text)}
    assert min(places, key=lambda name: places[name][1]) == "r"
    assert len(set(places.values())) == len(below)
    assert places["c"][0] < places["d"][0] < places["e"][0] < places["b"][0]
