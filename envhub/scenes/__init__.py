"""What is seen: scenes of shapes, and their renderings as pixels and SVG."""

from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text, stacked

__all__ = ["Line", "Oval", "Polygon", "Rect", "Scene", "Shape", "Text", "stacked"]
