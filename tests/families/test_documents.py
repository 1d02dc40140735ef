"""Members about structured documents and exact texts: other parsers and validators agree, and usual wrappings are read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.generators.documents import formats, rules, tables
from envhub.generators.documents.schema import BadSchema, violation
from envhub.generators.edits.templates import fill
from tests.families.members import problems
from tests.families.second import documents as second

TWENTY = pytest.param(20, marks=pytest.mark.nightly)


# -- second implementations ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, TWENTY])
def test_jsonschema_accepts_the_orders_and_refuses_the_same_mistakes(count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems("json-schema-v0", level, count):
            schema = instance.problem["schema"]
            assert second.conforms(schema, json.loads(environment.solve(instance)))
            for text in environment.mistakes(instance):
                value = json.loads(text)
                assert second.conforms(schema, value) == (violation(schema, value, patterns=True) is None), text


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, TWENTY])
def test_other_parsers_read_the_same_content(count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems("structured-output-v0", level, count):
            name = instance.problem["format"].lower()
            found = second.READERS[name](environment.solve(instance))
            wanted = instance.problem["content"]
            assert found == (second.as_texts(wanted) if name in ("xml", "csv") else wanted)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, TWENTY])
def test_jsonschema_decides_hidden_objects_alike(count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems("schema-infer-v0", level, count):
            schema = json.loads(environment.solve(instance))
            for name, wanted in (("accepted", True), ("rejected", False)):
                assert all(second.conforms(schema, value) == wanted for value in instance.problem[name])


def test_a_wrong_rule_would_be_seen() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}, "required": ["a"]}
    assert second.conforms(schema, {"a": 3})
    assert not second.conforms({**schema, "required": ["b"]}, {"a": 3})


SCHEMAS: list[Any] = [
    True,
    False,
    {"type": "integer"},
    {"type": ["string", "null"]},
    {"minimum": 2, "exclusiveMaximum": 5},
    {"maximum": 2, "exclusiveMinimum": 0},
    {"minLength": 1, "maxLength": 2},
    {"minItems": 1, "maxItems": 2, "uniqueItems": True},
    {"items": {"type": "integer"}},
    {"enum": [1, "a", None, [1]]},
    {"const": {"a": 1}},
    {"required": ["a"], "properties": {"a": {"type": "boolean"}}, "additionalProperties": False},
    {"additionalProperties": {"type": "integer"}},
    {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
    {"anyOf": [{"type": "string"}, {"type": "array"}]},
    {"allOf": [{"minimum": 1}, {"maximum": 3}]},
    {"not": {"type": "object"}},
    {"$ref": "#/$defs/x", "$defs": {"x": {"type": "integer"}}},
]
VALUES: list[Any] = [
    *(None, True, False, 0, 1, 2, 3, 5, -1, "", "a", "abc", [], [1], [1, 1], [1, True], [1, 2, 3], ["a"], {}, {"a": 1}),
    *({"a": True}, {"b": 1}, {"a": True, "b": 1}, [[1], [1]]),
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_jsonschema_agrees_on_every_keyword(schema: Any) -> None:
    for value in VALUES:
        assert (violation(schema, value) is None) == second.conforms(schema, value), value


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "(a+)+$"},
        {"format": "date"},
        {"type": "int"},
        {"minimum": "1"},
        {"$ref": "#/$defs/x"},
        {"$ref": "#", "$defs": {}},
        {"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}},
        {"oneOf": []},
        {"required": "a"},
        {"enum": 1},
        {"additionalProperties": False, "properties": 5},
        {
            "$defs": {
                **{f"d{k}": {"anyOf": [{"$ref": f"#/$defs/d{k + 1}"}] * 2} for k in range(15)},
                "d15": False,
            },
            "$ref": "#/$defs/d0",
        },
        [],
        7,
    ],
    ids=str,
)
def test_a_schema_outside_the_subset_is_an_error(schema: Any) -> None:
    with pytest.raises(BadSchema):
        [violation(schema, value) for value in VALUES]


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["structured-output-v0", "format-convert-v0", "edit-exactly-v0", "template-fill-v0", "citation-v0"],
)
def test_line_ends_of_other_systems_and_code_fences_do_not_matter(name: str) -> None:
    for environment, instance in problems(name, 5, 6):
        right = environment.solve(instance)
        for text in (right.replace("\n", "\r\n"), f"\r\n{right}\r\n", f"```\r\n{right}\r\n```"):
            value = environment.answer.read(f"<answer>{text}</answer>").value
            assert environment.grade(instance, value).solved, text


def test_the_example_is_a_document_of_the_requested_format() -> None:
    for environment, instance in problems("structured-output-v0", 2, 20):
        assert formats.read(instance.problem["format"].lower(), environment.example(instance.problem))
    for environment, instance in problems("format-convert-v0", 2, 20):
        shown = tables.read_table(instance.problem["target"], environment.example(instance.problem))
        assert [len(row) for row in shown] == [len(row) for row in instance.problem["table"]]


def test_citations_may_be_written_in_any_case_and_with_blank_lines() -> None:
    for environment, instance in problems("citation-v0", 5, 3):
        right = environment.solve(instance)
        assert environment.grade(instance, right.title().replace("\n", "\n\n")).solved
        assert not environment.grade(instance, right.replace("[", "(").replace("]", ")")).solved


def test_numbers_of_calls_are_compared_exactly() -> None:
    checked = 0
    for environment, instance in problems("email-format-v0", 8, 12):
        right = environment.solve(instance)
        for number in {str(value) for value in _floats(json.loads(right))}:
            for other, solved in ((f"{number}0", True), (f"{number}e0", True), (f"{number}{'0' * 30}1", False)):
                value = environment.answer.read(f"<answer>{right.replace(number, other)}</answer>").value
                assert environment.grade(instance, value).solved == solved, other
                checked += 1
    assert checked > 6


def _floats(value: Any) -> list[float]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] if isinstance(value, float) else [number for part in inner for number in _floats(part)]


# -- rules, templates ----------------------------------------------------------------------------------------------------------


@given(st.binary(min_size=4, max_size=4), st.booleans())
def test_the_schema_of_a_table_decides_every_probe(key: bytes, closed: bool) -> None:
    table = rules.draw_table(Stream(key), 3, 50)
    schema = rules.schema_of(table, closed)
    for value, wanted in rules.probes(Stream(key, "probes"), table, closed):
        assert (violation(schema, value) is None) == second.conforms(schema, value) == wanted


def test_a_template_is_filled_by_its_rules() -> None:
    template = [
        "{{#if a}}",
        "A {{n|upper}}",
        "{{/if}}",
        "{{#unless a}}",
        "B",
        "{{/unless}}",
        "{{#each l}}",
        "{{x|euros}}",
        "{{/each}}",
    ]
    record = {"a": True, "n": "ab c", "l": [{"x": 1205}, {"x": 5}]}
    assert fill(template, record) == ["A AB C", "12.05 EUR", "0.05 EUR"]
    assert fill(template, {**record, "a": False, "l": []}) == ["B"]
    assert fill(["{{d|date}} {{n|initials}} {{h|html}}"], {"d": "2027-03-10", "n": "ab c", "h": "a<b&c"}) == [
        "10 March 2027 a.c. a&lt;b&amp;c"
    ]
