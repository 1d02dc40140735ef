"""JSON Patch: the examples of RFC 6902, and refused operations."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.generators.documents.patch import BadPatch, apply


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
