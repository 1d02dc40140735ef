"""Scenes: what is seen, and its rendering as pixels and SVG."""

from envhub.scenes.shapes import Line, Oval, Polygon, Rect, Scene, Shape, Text, stacked

__all__ = ["Line", "Oval", "Polygon", "Rect", "Scene", "Shape", "Text", "stacked"]
