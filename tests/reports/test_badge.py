"""Badges: well-formed, escaped, and wide enough."""

from __future__ import annotations

from xml.etree import ElementTree

from envhub.reports.badge import BAD, GOOD, badge

SVG = "{http://www.w3.org/2000/svg}"


def test_a_badge_is_xml_that_says_both_texts() -> None:
    drawn = ElementTree.fromstring(badge("a <b> & 'c'", "12 passed", GOOD))
    assert [text.text for text in drawn.iter(f"{SVG}text")] == ["a <b> & 'c'", "12 passed"]
    assert drawn.attrib["aria-label"] == "a <b> & 'c': 12 passed"


def test_the_parts_stand_side_by_side() -> None:
    drawn = ElementTree.fromstring(badge("label", "a longer result", BAD))
    left, right = drawn.iter(f"{SVG}rect")
    assert int(right.attrib["x"]) == int(left.attrib["width"])
    assert int(left.attrib["width"]) + int(right.attrib["width"]) == int(drawn.attrib["width"])
    for text, rect in zip(drawn.iter(f"{SVG}text"), (left, right), strict=True):
        assert int(text.attrib["textLength"]) < int(rect.attrib["width"])
