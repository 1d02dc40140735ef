"""Members about structured documents and exact texts: other parsers and validators agree, and bad documents are refused."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.generators.documents import formats, rules, tables
from envhub.generators.documents.patch import BadPatch, apply
from envhub.generators.documents.records import draw_record
from envhub.generators.documents.schema import BadSchema, violation
from envhub.generators.documents.strict import NotStrict, read_json, same_json
from envhub.generators.documents.yaml_text import read_yaml
from envhub.generators.edits.templates import fill
from tests.families.members import problems
from tests.families.second import instructions as second

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


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, TWENTY])
def test_patches_and_tables_lead_to_the_stated_result(count: int) -> None:
    for level in LEVELS:
        for _, instance in problems("json-patch-v0", level, count):
            assert same_json(apply(instance.key, instance.problem["before"]), instance.problem["after"])
        for environment, instance in problems("format-convert-v0", level, count):
            table = instance.problem["table"]
            if instance.problem["target"] in ("csv", "json"):
                rows = second.READERS[instance.problem["target"]](environment.solve(instance))
                assert [list(rows[0]), *(list(row.values()) for row in rows)] == table


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


# -- refused documents -----------------------------------------------------------------------------------------------------


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


# -- patches: the examples of RFC 6902 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "operation", "after"),
    [
        ({"foo": "bar"}, {"op": "add", "path": "/baz", "value": "qux"}, {"baz": "qux", "foo": "bar"}),
        ({"foo": ["bar", "baz"]}, {"op": "add", "path": "/foo/1", "value": "qux"}, {"foo": ["bar", "qux", "baz"]}),
        ({"baz": 1, "foo": "bar"}, {"op": "remove", "path": "/baz"}, {"foo": "bar"}),
        ({"foo": ["a", "b"]}, {"op": "remove", "path": "/foo/1"}, {"foo": ["a"]}),
        ({"a": 1}, {"op": "replace", "path": "/a", "value": 2}, {"a": 2}),
        ({"foo": {"x": 1}, "q": {}}, {"op": "move", "from": "/foo/x", "path": "/q/y"}, {"foo": {}, "q": {"y": 1}}),
        ({"foo": [1, 2, 3]}, {"op": "move", "from": "/foo/0", "path": "/foo/2"}, {"foo": [2, 3, 1]}),
        ({"foo": [1]}, {"op": "add", "path": "/foo/-", "value": [2]}, {"foo": [1, [2]]}),
        ({"a/b": 1, "m~n": 2}, {"op": "replace", "path": "/a~1b", "value": 3}, {"a/b": 3, "m~n": 2}),
        ({"~1": 10}, {"op": "test", "path": "/~01", "value": 10}, {"~1": 10}),
        ({"a": 1}, {"op": "copy", "from": "", "path": "/b"}, {"a": 1, "b": {"a": 1}}),
        ({"a": 1}, {"op": "replace", "path": "", "value": []}, []),
    ],
)
def test_an_operation_does_what_the_standard_says(before: Any, operation: Any, after: Any) -> None:
    assert apply([operation], before) == after


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/a/b", "value": 1},
        {"op": "remove", "path": "/none"},
        {"op": "replace", "path": "/none", "value": 1},
        {"op": "test", "path": "/a", "value": "1"},
        {"op": "move", "from": "/l", "path": "/l/0"},
        {"op": "add", "path": "/l/3", "value": 1},
        {"op": "add", "path": "/l/01", "value": 1},
        {"op": "add", "path": "/l/-1", "value": 1},
        {"op": "remove", "path": "/l/-"},
        {"op": "add", "path": "a", "value": 1},
        {"op": "add", "path": "/~2", "value": 1},
        {"op": "add", "path": "/~~01", "value": 1},
        {"op": "add", "path": "/a"},
        {"op": "other", "path": "/a"},
        {"path": "/a"},
        {"op": "remove", "path": ""},
        {"op": "add", "path": 7, "value": 1},
        "add",
    ],
    ids=str,
)
def test_an_operation_that_cannot_be_applied_is_refused(operation: Any) -> None:
    document = {"a": 1, "l": [1, 2]}
    with pytest.raises(BadPatch):
        apply([operation], document)
    assert document == {"a": 1, "l": [1, 2]}


def test_a_patch_cannot_double_a_document_again_and_again() -> None:
    with pytest.raises(BadPatch, match="values"):
        apply([{"op": "copy", "from": "", "path": f"/{number}"} for number in range(40)], {"a": 1})


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
