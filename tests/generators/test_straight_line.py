"""Straight programs: our interpreter and Python agree, they always end, and all of each matters."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.straight_line import (
    LETTERS,
    Machine,
    Shape,
    TooMuch,
    alive,
    canonical,
    described,
    draw,
    draw_arguments,
    edge_arguments,
    fits,
    hint,
    neighbours,
    outside,
    pruned,
    run,
    search,
    source,
)
from envhub.generators.straight_line.loops import steering

SHAPES = st.builds(
    Shape,
    blocks=st.integers(1, 6),
    nesting=st.integers(1, 3),
    size=st.integers(1, 3),
    kinds=st.integers(1, 3),
    arguments=st.integers(1, 3),
    helpers=st.integers(0, 2),
    length=st.integers(4, 16),
    reach=st.integers(9, 99),
)
SEEDS = st.integers(0, 2**32)


def python(program: JSON) -> Any:
    """The function that Python makes of our own text; only tests do this."""
    space: dict[str, Any] = {}
    exec(compile(source(program), "generated", "exec"), space)
    return space["f"]


def stream(seed: int) -> Stream:
    return Stream(seed.to_bytes(8, "little"), "test")


@pytest.mark.slow
@settings(max_examples=1000)
@given(SEEDS, SHAPES)
def test_the_interpreter_and_python_agree_on_programs_as_drawn(seed: int, shape: Shape) -> None:
    rng = stream(seed)
    program = draw(rng, shape)
    function, machine = python(program), Machine(program)
    for _ in range(6):
        arguments = draw_arguments(program["takes"], rng)
        value = machine.run(arguments).value
        # the order of a dict does not count, and everything else does
        assert _plain(function(*copy.deepcopy(arguments))) == _plain(value)


def _plain(value: Any) -> str:
    return repr(sorted(value.items()) if type(value) is dict else value)


@settings(max_examples=60)
@given(SEEDS, SHAPES)
def test_programs_cut_down_agree_with_python_and_end_well_on_inputs_they_were_not_cut_down_for(
    seed: int, shape: Shape
) -> None:
    rng = stream(seed)
    found = search(rng, shape, tries=3)
    if found is None:
        return
    function = python(found.program)
    for _ in range(30):
        arguments = draw_arguments(found.program["takes"], rng)
        assert _plain(function(*copy.deepcopy(arguments))) == _plain(run(found.program, arguments).value)


@settings(max_examples=60)
@given(SEEDS, SHAPES)
def test_all_of_a_program_that_is_found_matters(seed: int, shape: Shape) -> None:
    found = search(stream(seed), shape, tries=3)
    if found is None:
        return
    assert len(set(map(repr, found.outputs))) >= 0.75 * len(found.outputs)
    assert len(set(map(repr, found.inputs))) == len(found.inputs)
    assert alive(found.program, found.inputs, found.outputs)
    assert [run(found.program, arguments).value for arguments in found.inputs] == found.outputs


@given(SEEDS, SHAPES)
def test_the_same_stream_gives_the_same_program(seed: int, shape: Shape) -> None:
    assert draw(stream(seed), shape) == draw(stream(seed), shape)


def program(*body: JSON, names: tuple[str, ...] = ("xs", "a", "b")) -> JSON:
    takes = [{"kind": "ints", "least": 2, "most": 5, "low": 0, "high": 9}]
    return {"takes": takes, "helpers": [], "main": {"arguments": 1, "names": list(names), "body": list(body)}}


XS: JSON = ["var", 0]
TOTAL: JSON = ["set", 1, ["call", "sum", XS]]
IDLE: JSON = ["set", 2, ["call", "len", XS]]
BACK: JSON = ["return", ["var", 1]]


def test_an_idle_statement_is_seen_and_left_out() -> None:
    inputs: list[list[Any]] = [[[1, 2]], [[3, 4, 5]]]
    whole, cut = program(TOTAL, IDLE, BACK), program(TOTAL, BACK)
    assert not alive(whole, inputs, [3, 12])
    assert alive(cut, inputs, [3, 12])
    assert pruned(whole, inputs, [3, 12]) == cut


def test_a_program_with_an_idle_argument_is_given_up() -> None:
    assert pruned(program(["return", ["int", 3]]), [[[1, 2]]], [3]) is None


def test_a_constant_that_does_not_matter_on_the_runs_is_seen() -> None:
    above = program(["return", ["comp", "list", 1, ["var", 1], XS, ["cmp", ">", ["var", 1], ["int", 4]]]])
    coarse: list[list[Any]] = [[[1, 9]]]
    fine: list[list[Any]] = [[[3, 4, 5, 6, 7]]]
    assert alive(above, coarse, [[9]])
    assert not alive(above, coarse, [[9]], constants=True)
    assert alive(above, fine, [[5, 6, 7]], constants=True)


def test_names_numbers_of_variables_and_sizes_do_not_make_another_program_and_constants_do() -> None:
    one = program(TOTAL, BACK)
    other = program(["set", 2, ["call", "sum", XS]], ["return", ["var", 2]], names=("data", "p", "q"))
    other["takes"][0]["most"] = 9
    assert canonical(one) == canonical(other)
    assert canonical(one) != canonical(program(["set", 1, ["call", "len", XS]], BACK))


def test_what_never_ends_or_grows_is_stopped() -> None:
    endless = program(["while", ["cmp", "==", ["int", 1], ["int", 1]], [["set", 1, ["int", 1]]]], BACK)
    with pytest.raises(TooMuch):
        run(endless, [[1]])
    square: JSON = ["set", 1, ["bin", "*", ["var", 1], ["var", 1]]]
    growing = program(["set", 1, ["int", 9]], *([square] * 12), BACK)
    with pytest.raises(TooMuch):
        run(growing, [[1]])
    assert run(growing, [[1]], digits=5000).value == 9**4096


def test_a_variable_without_a_value_is_an_error_as_in_python() -> None:
    with pytest.raises(KeyError):
        run(program(BACK), [[1]])


def test_arguments_are_not_changed_by_a_run() -> None:
    arguments: list[Any] = [[1, 2]]
    assert run(program(["append", 0, ["int", 7]], ["return", XS]), arguments).value == [1, 2, 7]
    assert arguments == [[1, 2]]


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        (["bin", "-", ["int", 1], ["bin", "-", ["int", 2], ["int", 3]]], "1 - (2 - 3)"),
        (["bin", "-", ["bin", "-", ["int", 1], ["int", 2]], ["int", -3]], "1 - 2 - -3"),
        (["bin", "%", ["bin", "+", ["int", 1], ["int", 2]], ["int", 3]], "(1 + 2) % 3"),
        (["bin", "*", ["either", XS, ["int", 1], ["int", 2]], ["int", 3]], "(1 if xs else 2) * 3"),
        (["and", ["or", XS, XS], ["not", ["in", ["int", 1], XS]]], "(xs or xs) and 1 not in xs"),
        (["either", XS, ["either", XS, ["int", 1], ["int", 2]], ["int", 3]], "(1 if xs else 2) if xs else 3"),
    ],
)
def test_brackets_stand_where_they_are_needed(tree: JSON, text: str) -> None:
    assert source(program(["return", tree])) == f"def f(xs):\n    return {text}"


@given(SEEDS, SHAPES)
def test_drawn_arguments_are_of_their_domains_and_others_are_not(seed: int, shape: Shape) -> None:
    rng = stream(seed)
    takes = draw(rng, shape)["takes"]
    for domain, value in zip(takes, draw_arguments(takes, rng), strict=True):
        assert described(domain)
        assert fits(domain, value)
        others: list[Any] = [
            None,
            True,
            1.0,
            -1000,
            [True],
            ["z"],
            "z",
            [1] * 99,
            "a" * 99,
            {"a": True},
            {1: 1},
            [],
            "",
            {},
        ]
        assert not any(fits(domain, other) for other in others)


@pytest.mark.parametrize("kind", ["int", "ints", "str", "strs", "dict"])
@given(
    st.integers(0, 2), st.integers(0, 2), st.integers(-9, 9), st.integers(0, 5), st.integers(2, 4), st.integers(0, 999)
)
def test_a_domain_holds_what_is_within_its_bounds_and_nothing_just_beyond_them(
    kind: str, least: int, more: int, low: int, reach: int, letters: int, seed: int
) -> None:
    bounds = {"least": least + 2, "most": least + 2 + more, "low": low, "high": low + reach}
    domain = {"kind": kind, **bounds, "letters": "cdefghij"[: letters + 4]}
    rng = Stream(b"t", seed)
    values = [*(found for [found] in edge_arguments([domain], rng)), *draw_arguments([domain], rng)]
    for value in values:
        assert fits(domain, value)
        assert [other for other in outside(domain, value) if fits(domain, other)] == []


def test_each_bound_of_a_domain_holds() -> None:
    domain = {"least": 2, "most": 4, "low": -1, "high": 3, "letters": "bcdef"}
    assert [n for n in range(-5, 9) if fits({**domain, "kind": "int"}, n)] == [-1, 0, 1, 2, 3]
    lengths: dict[str, Callable[[int], object]] = {
        "ints": lambda n: [1] * n,
        "str": lambda n: "b" * n,
        "strs": lambda n: ["b"] * n,
        "dict": lambda n: dict.fromkeys("bcdef"[:n], 1),
    }
    for kind, make in lengths.items():
        assert [n for n in range(6) if fits({**domain, "kind": kind}, make(n))] == [2, 3, 4]
    assert [n for n in range(-5, 9) if fits({**domain, "kind": "ints"}, [1, n])] == [-1, 0, 1, 2, 3]
    assert [n for n in range(-5, 9) if fits({**domain, "kind": "dict"}, {"b": 1, "c": n})] == [-1, 0, 1, 2, 3]
    assert [n for n in range(8) if fits({**domain, "kind": "strs"}, ["b", "b" * n])] == [1, 2, 3, 4, 5]
    assert [n for n in range(8) if fits({**domain, "kind": "dict"}, {"b": 1, "c" * n: 1})] == [1]
    for letter in "abfg":
        inside = letter in "bf"
        assert fits({**domain, "kind": "str"}, f"b{letter}") is inside
        assert fits({**domain, "kind": "strs"}, ["b", letter]) is inside
        assert fits({**domain, "kind": "dict"}, {"c": 1, letter: 1}) is inside
    assert fits({**domain, "kind": "str", "letters": "bc"}, "bc")
    assert fits({**domain, "kind": "strs", "letters": "bc"}, ["bc", "b"])


def test_neighbours_change_one_thing() -> None:
    found = [other for [other] in neighbours([[1, 20]])]
    assert [2, 20] in found
    assert [1, 30] in found
    assert [1, 20] not in found
    assert ["ba"] in list(neighbours(["aa"]))
    assert ["ha"] in list(neighbours(["aa"], LETTERS))
    assert [{"b": 1}] in list(neighbours([{"a": 1}]))


def test_a_hint_names_what_is_used_and_no_more() -> None:
    assert hint(program(TOTAL, BACK)) == "The function uses a sum."
    looped = program(["for", [1], XS, [["aug", 2, "+", ["bin", "%", ["var", 1], ["int", 7]]]]], BACK)
    assert hint(looped) == "The function uses a loop and remainders. No number in it is larger than 7."


def test_an_endless_loop_is_noticed_long_before_its_steps_are_spent() -> None:
    """It is the variant of a loop over digits in which the number stays as it is; what it collects does not matter."""
    condition = ["cmp", ">", ["var", 0], ["int", 0]]
    body = [["aug", 1, "+", ["bin", "%", ["var", 0], ["int", 3]]]]
    assert steering(condition, body) == (0,)
    machine = Machine(looping(condition, body), digits=3)
    with pytest.raises(TooMuch, match="too many steps"):  # before the sum has more than three digits
        machine.run([5])
    assert machine.run([0]).value == 0
    ends = [*body, ["aug", 0, "-", ["int", 1]]]
    assert Machine(looping(condition, ends)).run([1_000]).value == sum(number % 3 for number in range(1_001))


def test_what_steers_a_loop_includes_what_leaves_it() -> None:
    """A variable that only decides about ``break`` steers the loop as well."""
    condition, leave = (
        ["cmp", "<", ["var", 0], ["int", 9]],
        ["if", ["cmp", ">", ["var", 1], ["int", 99]], [["break"]], []],
    )
    body = [["set", 2, ["var", 1]], ["append", 3, ["var", 2]], ["aug", 1, "+", ["int", 1]], leave]
    assert steering(condition, body) == (0, 1)
    assert Machine(looping(condition, [["aug", 1, "+", ["int", 1]], leave])).run([5]).value == 100


def looping(condition: JSON, body: JSON) -> JSON:
    """A program with one ``while`` loop that returns its second variable."""
    main = [["set", 1, ["int", 0]], ["while", condition, body], ["return", ["var", 1]]]
    return {"takes": [], "helpers": [], "main": {"arguments": 1, "names": ["n", "total"], "body": main}}
