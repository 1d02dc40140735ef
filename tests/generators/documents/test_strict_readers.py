"""Strict readers of documents and tables: what they refuse, and what they read alike with other parsers."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.documents import formats, tables
from envhub.generators.documents.records import draw_record
from envhub.generators.documents.schema import violation
from envhub.generators.documents.strict import NotStrict, read_json, same_json
from envhub.generators.documents.yaml_text import read_yaml
from tests.families.second import documents as second


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "no: no",
            "a: 3.10",
            "a: 12:30",
            "a: 2027-03-10",
            "a: [1]",
            "a: {b: 1}",
            "a: |\n  x",
            "a: &x 1",
            "a: *x",
            "a: !!int 1",
        ),
        *(
            "a: 1\na: 2",
            "a:\n\t- 1",
            "a: yes",
            "a: ~",
            "a: null",
            "a: 0x1",
            "a: 1_0",
            "a: 010",
            "a: # x",
            "- 1\n-2",
            "a: 'x",
            'a: "\\x"',
        ),
        *(
            "a:",
            "a:\nb: 1",
            "a: 1\n  b: 2",
            " a: 1\nb: 2",
            "a: x # y",
            "{}",
            "a: .5",
            "a: 1e3",
            "? a",
            "a: >\n x",
            "%YAML 1.2",
            "a: @b",
        ),
    ],
)
def test_yaml_that_is_not_of_the_subset_is_refused(text: str) -> None:
    with pytest.raises(NotStrict):
        read_yaml(text)


@given(
    st.lists(
        st.sampled_from(["a", "b:", "- ", "  ", "\n", "x y", '"q"', "'r'", "1", "true", ": ", "-", "no"]), max_size=14
    )
)
def test_yaml_that_is_read_is_read_alike_by_pyyaml(parts: list[str]) -> None:
    text = "".join(parts)
    try:
        value = read_yaml(text)
    except NotStrict:
        return
    assert second.READERS["yaml"](text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("toml", "a = 1.5"),
        ("toml", "a = 2027-03-10"),
        ("toml", "a = 1\na = 2"),
        ("toml", "a = " + "[" * 5000),
        ("xml", "<!DOCTYPE record [<!ENTITY a 'b'>]><record>&a;</record>"),
        ("xml", "<?xml version='1.0'?><record/>"),
        ("xml", "<record a='1'/>"),
        ("xml", "<record>a<b/></record>"),
        ("xml", "<record><a/><a/></record>"),
        ("xml", "<other/>"),
        ("xml", "<record>&b;</record>"),
        ("csv", "a,b\n1"),
        ("csv", "a,a\n1,2"),
        ("csv", 'a,b\n1,"2'),
        ("csv", 'a,b\n1,x"y"'),
        ("csv", '"a","b"\n1,x "y"'),  # needless quotation marks do not make up for missing ones
        ("json", '"\\ud800"'),
        ("csv", "a,b"),
        ("json", '{"a": 1, "a": 1}'),
        ("json", "NaN"),
    ],
)
def test_documents_that_are_not_strict_are_refused(name: str, text: str) -> None:
    with pytest.raises(NotStrict):
        formats.read(name, text)


@given(st.binary(min_size=4, max_size=4))
def test_a_record_survives_every_format(key: bytes) -> None:
    record = draw_record(Stream(key), 3, 1, 1, 90)
    for name in ("json", "yaml", "toml", "xml"):
        assert formats.same_content(name, formats.read(name, formats.write(name, record)), record)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("markdown", "| a | b |\n|---|\n| 1 | 2 |"),
        ("markdown", "a | b\n---|---\n1 | 2"),
        ("markdown", "| a |\n|---|\n| x\\y |"),
        ("markdown", "| a | b |\n|---|---|\n| x|y | 2 | 3 |"),
        ("latex", "\\begin{tabular}{l}\na & b \\\\\n1 & 2 \\\\\n\\end{tabular}"),
        ("latex", "\\begin{tabular}{l}\na \\\\\n100% \\\\\n\\end{tabular}"),
        ("latex", "\\begin{tabular}{l}\na\n1\n\\end{tabular}"),
        ("json", '[{"a": 1}]'),
        ("json", '[{"a": "1", "b": "2"}, {"b": "1", "a": "2"}]'),
    ],
)
def test_tables_that_are_not_strict_are_refused(name: str, text: str) -> None:
    with pytest.raises(NotStrict):
        tables.read_table(name, text)


def test_latex_columns_may_be_declared_with_spaces() -> None:
    text = "\\begin{tabular}{| l | c |}\na & b \\\\\n\\hline\n1 & 2 \\\\\n\\end{tabular}"
    assert tables.read_table("latex", text) == [["a", "b"], ["1", "2"]]


def test_a_very_large_decimal_is_an_integer_or_is_not() -> None:
    assert violation({"type": "integer"}, Decimal("1e50")) is None
    assert violation({"type": "integer"}, Decimal("1." + "0" * 50 + "1")) is not None


def test_json_is_compared_by_type_and_value() -> None:
    assert same_json(read_json("[1.0, 2]"), [1, 2])
    assert not same_json(read_json("[true]"), [1])
    assert not same_json(read_json('{"a": null}'), {})
