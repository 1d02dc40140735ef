"""Kitchens: what steps do, that layouts can be worked in, what the cook by the rule and the planner are worth."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.games.kitchen.cook import foreseen, script
from envhub.envs.games.kitchen.layouts import canonical, lay_out, menu, rooms_of, stand
from envhub.envs.games.kitchen.planning import alone, paired, partner_round, plan
from envhub.envs.games.kitchen.rules import (
    STEPS,
    WAIT,
    Core,
    Kitchen,
    drawn,
    first,
    fitting,
    ground,
    missing,
    narrated,
    progress,
    step,
)

UP, LEFT, DOWN, RIGHT = range(4)
ROWS = ("#OC##", "T..W#", "#..P#", "#####")
KITCHEN = Kitchen(ROWS, size=2, cook=2)
START = first(KITCHEN, (6, 7), ("OT",))  # beside T and O; beside C and W


def test_at_first_the_cooker_is_empty_and_off() -> None:
    assert START.pots == (("", 0),)


def after(core: Core, *pairs: tuple[int, int]) -> Core:
    for pair in pairs:
        core = step(KITCHEN, core, pair)
    return core


def test_an_order_from_box_to_window() -> None:
    core = after(START, (UP, WAIT))
    assert core.held == ("O", "")
    core = after(core, (DOWN, DOWN), (WAIT, RIGHT))
    assert (core.at, core.held) == ((11, 12), ("O", "P"))
    core = after(core, (UP, WAIT), (RIGHT, WAIT), (UP, WAIT))
    assert core.pots == (("O", 0),)
    core = after(core, (LEFT, WAIT), (LEFT, WAIT), (RIGHT, WAIT), (UP, WAIT))
    assert core.pots == (("OT", 2),)
    core = after(core, (LEFT, UP), (WAIT, UP))
    assert core.held == ("", "SOT"), "a cooker goes on before it is used, so the soup is ready in the second step"
    core = after(core, (WAIT, RIGHT))
    assert (core.orders, core.served, core.held) == ((), 1, ("", ""))
    assert progress(KITCHEN, core) == 1.0


def test_a_soup_that_is_not_ready_stays_in() -> None:
    core = START._replace(held=("", "P"), pots=(("OT", 2),))
    assert after(core, (WAIT, UP)).held == ("", "P")
    served = after(core, (WAIT, UP), (WAIT, UP))
    assert (served.held, served.pots) == (("", "SOT"), (("", 0),))


@pytest.mark.parametrize(
    ("held", "pot", "action", "then"),
    [
        ("P", ("O", 0), UP, "P"),  # not full
        ("O", ("OT", 0), UP, "O"),  # full
        ("", ("OT", 0), UP, ""),  # no plate
        ("O", ("", 0), RIGHT, "O"),  # no soup
        ("SOO", ("", 0), RIGHT, ""),  # nobody ordered it
        ("SOT", ("", 0), RIGHT, ""),
    ],
)
def test_what_a_station_takes(held: str, pot: tuple[str, int], action: int, then: str) -> None:
    core = after(START._replace(held=("", held), pots=(pot,)), (WAIT, action))
    assert core.held == ("", then)
    assert core.served == (held == "SOT")


def test_boxes_take_back_their_own_and_counters_hold_one_thing() -> None:
    core = START._replace(held=("O", ""))
    assert after(core, (UP, WAIT)).held == ("", "")
    assert after(core, (LEFT, WAIT)).held == ("O", "")
    below = core._replace(at=(11, 7))
    lying = after(below, (DOWN, WAIT))
    assert lying.held == ("", "")
    assert sum(map(bool, lying.shelves)) == 1
    assert after(lying, (DOWN, WAIT)).held == ("O", "")
    full = after(lying._replace(held=("T", "")), (DOWN, WAIT))
    assert full.held == ("T", "")


@pytest.mark.parametrize(
    ("pair", "at"),
    [
        ((RIGHT, LEFT), (6, 7)),  # no changing places
        ((RIGHT, WAIT), (6, 7)),
        ((RIGHT, DOWN), (7, 12)),  # into the place that is left
        ((DOWN, DOWN), (11, 12)),
        ((RIGHT, UP), (6, 7)),  # who uses something stays
    ],
)
def test_who_walks_where(pair: tuple[int, int], at: tuple[int, int]) -> None:
    assert after(START, pair).at == at


def test_two_do_not_walk_to_one_cell() -> None:
    assert after(START._replace(at=(6, 12)), (RIGHT, UP)).at == (6, 12)


def test_of_two_at_one_thing_player_one_is_first() -> None:
    core = Core((6, 12), ("O", ""), (("", 0),), START.shelves, ("OT",))
    shared = Kitchen(("#####", "#.#.#", "##OC#", "#PWT#"), 2, 2)
    both = first(shared, (6, 8), ("OT",))._replace(held=("O", ""))
    passed = step(shared, both, (RIGHT, LEFT))
    assert passed.held == ("", "O")
    waits = step(shared, both._replace(held=("", "O")), (RIGHT, LEFT))
    assert waits.held == ("", ""), "player 1 reached for it before it lay there"
    assert core.served == 0


def test_what_is_told_is_what_was_done() -> None:
    took = after(START, (UP, RIGHT))
    assert narrated(START, took, 0, UP) == "up (takes an onion)"
    assert narrated(START, took, 1, RIGHT) == "right (nothing happens)"
    assert narrated(took, after(took, (UP, WAIT)), 0, UP) == "up (parts with an onion)"
    assert narrated(START, after(START, (DOWN, WAIT)), 0, DOWN) == "down"
    assert drawn(KITCHEN, START)[2] == "1 T12W#"


def test_progress_counts_the_furthest_once() -> None:
    core = START._replace(orders=("OT", "OT"))
    assert progress(KITCHEN, core) == 0.0
    assert progress(KITCHEN, core._replace(pots=(("O", 0),))) == 0.125
    assert progress(KITCHEN, core._replace(pots=(("OT", 1),))) == 0.3
    assert progress(KITCHEN, core._replace(held=("SOT", ""))) == 0.4
    assert progress(KITCHEN, core._replace(held=("SOO", ""), pots=(("TT", 0),))) == 0.0
    many = core._replace(held=("SOT", "SOT"), pots=(("OT", 0),))
    assert progress(KITCHEN, many) == 0.8
    assert progress(KITCHEN, core._replace(orders=("OT",), served=1)) == 0.5


def test_fitting_and_missing() -> None:
    assert fitting("", "OT")
    assert fitting("O", "OOT")
    assert not fitting("TT", "OOT")
    assert missing("OT", "OOT") == ["O"]


layouts = st.tuples(
    st.integers(0, 10**9), st.integers(6, 9), st.integers(5, 7), st.integers(1, 3), st.integers(1, 2), st.booleans()
)


def laid(drawn_: tuple[int, int, int, int, int, bool]) -> tuple[str, ...] | None:
    seed, width, height, kinds, pots, divided = drawn_
    return lay_out(Stream(b"layout", seed), width, height, kinds, pots, islands=seed % 3, divided=divided)


@settings(max_examples=80, deadline=None)
@given(layouts)
def test_everything_can_be_reached_and_two_rooms_need_both(what: tuple[int, int, int, int, int, bool]) -> None:
    rows = laid(what)
    if rows is None:
        return
    _, width, height, kinds, pots, divided = what
    assert (len(rows), {len(row) for row in rows}) == (height, {width})
    g, rooms = ground(rows), rooms_of(rows)
    assert [len(g.of(mark)) for mark in "OTMPWC"] == [kinds > 0, kinds > 1, kinds > 2, 1, 1, pots]
    assert len(rooms) == 1 + divided
    reach = [{g.text[cell] for cell, near in g.near.items() if room[0] in near} for room in rooms]
    for marks in reach:
        assert not divided or not ({"C"} <= marks and marks & set("OTM")), "one cook could do everything"
    if divided:
        shared = [cell for cell in g.shelves if all(room[0] in g.near[cell] for room in rooms)]
        assert len(shared) >= 2
    starts = stand(Stream(b"stand", what[0]), rows)
    assert starts[0] != starts[1]
    assert {next(i for i, room in enumerate(rooms) if at in room) for at in starts} == set(range(len(rooms)))


@settings(max_examples=60, deadline=None)
@given(layouts, st.integers(0, 3), st.booleans())
def test_the_same_kitchen_turned_mirrored_or_renamed_is_the_same(
    what: tuple[int, int, int, int, int, bool], turns: int, mirrored: bool
) -> None:
    rows = laid(what)
    if rows is None:
        return
    other = list(rows)
    for _ in range(turns):
        other = ["".join(column) for column in zip(*other[::-1], strict=True)]
    other = [row[::-1] for row in other] if mirrored else other
    kinds = "OTM"[: what[3]]
    renamed = [row.translate(str.maketrans(kinds, kinds[1:] + kinds[:1])) for row in other]
    assert canonical(rows) == canonical(other) == canonical(renamed)


def test_another_kitchen_is_another() -> None:
    assert canonical(ROWS) != canonical([row.replace("P", "#") for row in ROWS])
    assert canonical(ROWS) != canonical(("#OC##", "T..P#", "#..W#", "#####"))


@settings(max_examples=25, deadline=None)
@given(layouts)
def test_any_steps_keep_things_in_order(what: tuple[int, int, int, int, int, bool]) -> None:
    rows = laid(what)
    if rows is None:
        return
    rng, kitchen = Stream(b"any", what[0]), Kitchen(rows, 2, 3)
    core = first(kitchen, stand(rng, rows), menu(rng, what[3], 2, 3))
    floor = ground(rows).around
    for _ in range(120):
        core = step(kitchen, core, (rng.below(5), rng.below(5)))
        assert core.at[0] != core.at[1]
        assert set(core.at) <= set(floor)
        assert core.served + len(core.orders) == 3
        assert all(len(inside) <= 2 and (not left or len(inside) == 2) for inside, left in core.pots)
        assert 0.0 <= progress(kitchen, core) <= 1.0
        assert (progress(kitchen, core) == 1.0) is (not core.orders)


@settings(max_examples=20, deadline=None)
@given(layouts)
def test_a_plan_is_a_proof_and_beats_the_rule(what: tuple[int, int, int, int, int, bool]) -> None:
    rows = laid(what)
    if rows is None:
        return
    rng, kitchen, seat = Stream(b"plan", what[0]), Kitchen(rows, 2, 4), what[0] % 2
    core = first(kitchen, stand(rng, rows), menu(rng, what[3], 2, 2))
    line = plan(kitchen, core, seat, 4, 160)
    quick = paired(kitchen, core, seat, 4, 160)
    assert line is not None
    assert quick is None or len(line) <= quick
    at, counted = core, True
    for begun in range(0, len(line), 4):
        told = partner_round(kitchen, at, 1 - seat, 4, counted)
        for number, actions in enumerate(line[begun : begun + 4]):
            assert actions[1 - seat] == told[number], "the other cook keeps to the rule"
            at = step(kitchen, at, actions)
        counted = any(actions[seat] != WAIT for actions in line[begun : begun + 4])
    assert not at.orders
    assert alone(kitchen, core, 1 - seat, 4, 40)[-1] == 0 or not what[5]


def test_the_rule_draws_nothing_and_is_followed_by_both() -> None:
    kitchen = Kitchen(("###C###", "O.....#", "#..#..W", "T.....#", "##P#C##"), 3, 6)
    core = first(kitchen, (8, 12), ("OOT", "OTT", "OOO"))
    steps = foreseen(kitchen, core, 100)
    assert steps == foreseen(kitchen, core, 100)
    assert steps[0] == script(kitchen, core)
    for actions in steps:
        core = step(kitchen, core, actions)
    assert not core.orders


def test_who_is_not_counted_on_is_given_nothing() -> None:
    kitchen = Kitchen(("##O#C##", "#.....#", "#.....W", "####P##"), 1, 2)
    core = first(kitchen, (16, 18), ("O",))
    assert script(kitchen, core)[1] == WAIT, "player 1 is nearer"
    assert script(kitchen, core, (1,))[1] != WAIT
    for _ in range(60):  # player 1 stands still: player 2, who does not count on it, cooks alone
        core = step(kitchen, core, (WAIT, script(kitchen, core, (1,))[1]))
    assert core.served == 1
    assert STEPS[WAIT] == "wait"
