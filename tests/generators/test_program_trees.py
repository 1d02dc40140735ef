"""A copied tree is equal, and changes of it do not reach the original."""

from __future__ import annotations

import ast
import inspect

from envhub.generators.programs import mutate
from envhub.generators.programs.trees import copied


def test_a_copy_is_equal_and_shares_no_node_that_may_change():
    tree = ast.parse(inspect.getsource(mutate))
    before = ast.dump(tree, include_attributes=True)
    made = copied(tree)
    assert ast.dump(made, include_attributes=True) == before
    for node in list(ast.walk(made)):
        node.__dict__.clear()
    assert ast.dump(tree, include_attributes=True) == before


def test_nodes_without_fields_are_not_shared():
    loop = ast.For(body=[ast.Break(), ast.Continue()])
    assert not set(map(id, loop.body)) & set(map(id, copied(loop).body))
