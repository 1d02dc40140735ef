"""The interpreter against a second one: the same boards, wins and shortest solutions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.rewriting.games import GAMES, Recipe
from envhub.generators.rewriting.levels import Wanted, draw, machine_of, program_of
from envhub.generators.rewriting.machine import Board, Machine
from envhub.generators.rewriting.twists import movable, twisted
from tests.generators.rewriting.second import Cells, Slow, shortest

ODD = """
title odd
require_player_movement
OBJECTS
background
white
floor
white
player
white
crate
white
ball
white
bat
white
mark
white
LEGEND
. = background
, = floor
p = player
c = crate
o = ball
b = bat
m = mark
thing = crate or ball
flyer = bat or mark
stack = crate and mark
COLLISIONLAYERS
background
floor
player, crate, ball
bat
mark
RULES
[ > player | thing ] -> [ > player | > thing ]
[ parallel bat | thing ] -> [ parallel bat | parallel thing ]
[ action player | ... | thing no mark ] -> [ action player | ... | < thing mark ]
[ perpendicular crate | no thing no player ] -> [ crate | mark ]
startloop
up [ stationary ball | no thing no player ] -> [ up ball | ]
+ [ moving ball mark ] -> [ moving ball ]
endloop
late [ flyer ] [ player mark ] -> [ flyer ] [ player ]
late [ crate | ball | crate ] -> [ ball | | ball ] again
late horizontal [ stack | bat ] -> [ crate | bat mark ]
late [ ball | ball | ball ] -> cancel
WINCONDITIONS
no crate
some player on floor
"""
"""Most of the language in one game that makes no sense."""
ORDERS = """
OBJECTS
background
white
player
white
a
white
b
white
m
white
LEGEND
. = background
p = player
solid = player or a or b
COLLISIONLAYERS
background
player, a, b
m
RULES
[ > player | a ] -> [ > player | ^ a ]
[ < player | b ] -> [ player | v b ]
[ stationary a m ] -> [ right a m ]
[ stationary b m ] -> [ left b m ]
[ stationary b no m ] -> [ down b ]
[ > player | m ] -> [ m | player ]
late [ a | a ] -> [ a | b ]
late [ b | no solid ] [ m no solid ] -> [ | b ] [ a ]
late right [ a | no solid ] -> [ | b ]
late [ player | ... | b | a ] -> [ player | ... | a | b ]
WINCONDITIONS
no b
"""
"""A game in which the order of matches and movements matters."""


def plain(machine: Machine, board: Board) -> Cells:
    """A board as the second interpreter has it."""
    names = machine.program.game.objects
    return {
        (x, y): frozenset(name for at, name in enumerate(names) if board[at] >> x * machine.height + y & 1)
        for x in range(machine.width)
        for y in range(machine.height)
    }


def random_board(rng: Stream, machine: Machine, share: int) -> Board:
    """Anything anywhere, with a player."""
    planes = [0] * len(machine.program.game.objects)
    for cell in range(machine.cells):
        for layer in machine.program.layers[1:]:
            if rng.below(100) < share:
                planes[rng.choice(layer)] |= 1 << cell
    planes[machine.program.layers[0][0]] = machine.full
    return tuple(planes)


def compare(source: str, seed: int, turns: int) -> int:
    """Plays random turns with both, from a random board; the number of wins."""
    rng = Stream(b"second", source, seed)
    width, height = rng.between(1, 5), rng.between(2, 5)
    machine = machine_of(source, width, height)
    slow = Slow(machine.program.game, width, height)
    board, wins = random_board(rng, machine, rng.between(10, 80)), 0
    for _ in range(turns):
        action = rng.choice(machine.actions)
        turn, (cells, won) = machine.play(board, action), slow.turn(plain(machine, board), action)
        assert (plain(machine, turn.board), turn.won) == (cells, won), (source, board, action)
        board, wins = turn.board, wins + turn.won
    return wins


@pytest.mark.parametrize("name", GAMES)
def test_our_games(name: str) -> None:
    for seed in range(3):
        compare(GAMES[name].source(), seed, 6)


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_odd_rules(seed: int) -> None:
    compare(ODD, seed, 4)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_orders(seed: int) -> None:
    compare(ORDERS, seed, 4)


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_changed_rules(seed: int) -> None:
    rng = Stream(b"changed", seed)
    recipe = GAMES[rng.choice([name for name, each in GAMES.items() if movable(each)])]
    compare(twisted(rng, recipe, rng.between(1, 3)).source(), seed, 5)


@pytest.mark.nightly
@given(st.integers(0, 10**9))
@settings(max_examples=1500, deadline=None)
def test_many_boards(seed: int) -> None:
    rng = Stream(b"many", seed)
    name = rng.choice([*GAMES, "odd", "orders"])
    odd = {"odd": ODD, "orders": ORDERS}
    compare(odd[name] if name in odd else twisted(rng, GAMES[name], rng.below(3)).source(), seed, 8)


@pytest.mark.parametrize("name", ["boxes", "glide", "trail", "lamps", "mirror", "wake", "pits", "magnet"])
def test_solutions_are_shortest(name: str) -> None:
    recipe, source = GAMES[name], GAMES[name].source()
    drawn = (draw(Stream(b"short", name, at), recipe, Wanted(4, 4, 0, 3, 5, 120), source) for at in range(60))
    level = next(level for level in drawn if level is not None)
    machine = machine_of(source, 4, 4)
    slow = Slow(program_of(source).game, 4, 4)
    cells, won = plain(machine, level.board), False
    for number, move in enumerate(level.plan, 1):
        cells, won = slow.turn(cells, move)
        assert won == (number == len(level.plan))
    assert shortest(slow, plain(machine, level.board), len(level.plan)) == len(level.plan)


DRIFT = Recipe(
    "drift",
    ("Spot o", "Open h", "Player p, Wall #, Ball b, Gate g"),
    (
        "[ action Player ] [ Gate ] -> [ Player ] [ Open ]",
        "[ action Player ] [ Open no Solid ] -> [ Player ] [ Gate ]",
        "[ > Player | Ball ] -> [ > Player | > Ball ]",
        "right [ stationary Ball | no Solid ] [ Open ] -> [ > Ball | ] [ Open ] again",
    ),
    ("Some Spot on Ball",),
    (("p", (1, 1, 1)), ("b", (1, 1, 1)), ("g", (1, 1, 1))),
    names=("Solid = Player or Wall or Ball or Gate",),
    goals=(("Spot", "Ball"),),
    walls=0,
    action=True,
)
"""With an open gate, a ball drifts to the right until it is stopped, over places where it may rest otherwise."""


def test_a_win_in_the_middle_of_a_chain_counts() -> None:
    source = DRIFT.source()
    assert machine_of(source, 4, 4).chains
    assert not any(machine_of(recipe.source(), 4, 4).chains for recipe in GAMES.values())
    slow, within = Slow(program_of(source).game, 4, 4), 0
    for seed in range(8):
        level = draw(Stream(b"chain", seed), DRIFT, Wanted(4, 4, 0, 1, 6, 300), source)
        if level is None:
            continue
        machine = machine_of(source, 4, 4)
        cells, won = plain(machine, level.board), False
        for number, move in enumerate(level.plan, 1):
            rests = machine.play(_at(cells, machine), move, judged=False).board
            cells, won = slow.turn(cells, move)
            assert won == (number == len(level.plan))
            within += won and not machine.won(rests)
        assert shortest(slow, plain(machine, level.board), len(level.plan)) == len(level.plan)
    assert within > 0


def _at(cells: Cells, machine: Machine) -> Board:
    names, planes = machine.program.game.objects, []
    for name in names:
        planes.append(sum(1 << x * machine.height + y for (x, y), there in cells.items() if name in there))
    return tuple(planes)


def test_a_match_that_no_longer_fits_is_left_out() -> None:
    head, tail = ORDERS.index("[ > player | a ]"), ORDERS.index("WINCONDITIONS")
    source = f"{ORDERS[:head]}late right [ a | a ] -> [ a | b ]\n{ORDERS[tail:]}".replace(
        "p = player", "p = player\nq = a"
    )
    machine = machine_of(source, 3, 2)
    board = machine.play(machine.read(["qqq", "p.."]), "left").board
    assert [machine.cell(board, 0, column)[1:] for column in range(3)] == [("a",), ("b",), ("a",)]


def test_a_difference_would_be_seen() -> None:
    machine = machine_of(GAMES["boxes"].source(), 4, 1)
    slow = Slow(program_of(GAMES["tow"].source()).game, 4, 1)
    board = machine.read(["pc.."])
    assert plain(machine, machine.play(board, "right").board) != slow.turn(plain(machine, board), "right")[0]
