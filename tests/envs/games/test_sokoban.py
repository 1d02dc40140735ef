"""sokoban-v0: pushes, what a step costs, and a proof that agrees with a search from the front."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.sokoban import rooms
from envhub.envs.games.sokoban.environment import Params, Sokoban, State

GAME = Sokoban()
RNG = Stream(b"unused")


def drawn(p: Params, seed: int = 0) -> Instance:
    for attempt in range(1000):
        staged: Any = GAME.sample(Stream(b"test", p.pushes, p.boxes, seed, attempt), p)
        if next(staged, None) is not None:
            try:
                next(staged)
            except StopIteration as stop:
                if stop.value is not None:
                    return stop.value  # type: ignore[no-any-return]
    raise AssertionError("nothing drawn")


def game(*rows: str, moves: int = 9) -> Instance:
    return Instance({"room": list(rows), "moves": moves}, key={"pushes": 1})


def say(inst: Instance, state: State, text: str) -> Turn:
    turn = GAME.advance(inst, state, text, RNG)
    assert isinstance(turn, Turn)
    return turn


def fewest_pushes(room: rooms.Room, goals: int, boxes: int, player: int) -> int | None:
    """From the front, step by step, knowing nothing but what a move does."""
    queue, seen = deque([(0, boxes, player)]), {(boxes, player)}
    while queue:
        pushes, boxes, player = queue.popleft()
        if boxes == goals:
            return pushes
        for move in rooms.MOVES:
            after = rooms.moved(room, boxes, player, move)
            if after not in seen:
                seen.add(after)
                # steps are free and pushes are not: a search in order of pushes
                (queue.appendleft if after[0] == boxes else queue.append)((pushes + (after[0] != boxes), *after))
    return None


ROOM = ("######", "#----#", "#-$.-#", "#@---#", "######")


@pytest.mark.parametrize(
    ("moves", "shown"),
    [
        (["up", "right"], ["######", "#----#", "#-@*-#", "#----#", "######"]),
        (["right", "up"], ["######", "#-$--#", "#-@.-#", "#----#", "######"]),
        (["up", "right", "right"], ["######", "#----#", "#--+$#", "#----#", "######"]),
        (["left"], list(ROOM)),
    ],
)
def test_a_room_survives_drawing_and_a_push_moves_one_box(moves: list[str], shown: list[str]) -> None:
    room, goals, boxes, player = rooms.read(list(ROOM))
    assert rooms.draw(room, goals, boxes, player) == list(ROOM)
    for move in moves:
        boxes, player = rooms.moved(room, boxes, player, move)
    assert rooms.draw(room, goals, boxes, player) == shown


@pytest.mark.parametrize("row", ["#@$$.#", "#-@$##", "#.@$*#"])
def test_what_is_blocked_does_not_move(row: str) -> None:
    rows = ["######", row, "#----#", "######"]
    room, _goals, boxes, player = rooms.read(rows)
    assert rooms.moved(room, boxes, player, "right") == (boxes, player)
    assert rooms.moved(room, boxes, player, "up") == (boxes, player)


@given(st.integers(0, 10**6), st.integers(1, 2), st.integers(3, 4), st.integers(2, 4))
@settings(max_examples=60)
def test_distances_found_by_pulls_agree_with_a_search_from_the_front(
    seed: int, count: int, rows: int, columns: int
) -> None:
    rng = Stream(b"room", seed)
    room = rooms.carve(rng, columns, rows, 15)
    if room is None or len(rooms.cells(room.floor)) < 2 * count + 1:
        return
    floor = rooms.cells(room.floor)
    goals = sum(1 << cell for cell in rng.sample(floor, count))
    *placed, player = rng.sample(floor, count + 1)
    boxes = sum(1 << cell for cell in placed)
    far = rooms.distances(room, goals, None)
    least = fewest_pushes(room, goals, boxes, player)
    assert far.get((boxes, rooms.walkable(room, boxes, player))) == least
    found = rooms.solution(room, goals, boxes, player)
    assert (found is None) == (least is None)
    pushed = 0
    for move in found or ():
        after, at = rooms.moved(room, boxes, player, move)
        assert at != player
        pushed += after != boxes
        boxes, player = after, at
    if found is not None:
        assert (boxes, pushed) == (goals, least)


@pytest.mark.parametrize("level", LEVELS)
def test_rooms_are_as_the_parameters_say(level: int) -> None:
    p = Params.at(level)
    inst = drawn(p)
    room, goals, boxes, player = rooms.read(inst.problem["room"])
    assert (goals.bit_count(), boxes.bit_count(), goals & boxes) == (p.boxes, p.boxes, 0)
    assert fewest_pushes(room, goals, boxes, player) == p.pushes
    assert room.width == p.size + 2
    state, verdict, turns = GAME.begin(inst, RNG), None, 0
    while verdict is None:
        turn = say(inst, state, GAME.oracle(inst, state))
        state, verdict, turns = turn.state, turn.verdict, turns + 1
    assert verdict.solved
    assert 2 * turns <= inst.problem["moves"] <= GAME.max_turns


@pytest.mark.parametrize("seed", range(12))
def test_no_box_begins_on_a_goal(seed: int) -> None:
    _, goals, boxes, _ = rooms.read(drawn(Params(size=5, boxes=2, pushes=2), seed).problem["room"])
    assert not goals & boxes


def test_the_same_room_turned_or_mirrored_is_the_same_content() -> None:
    rows = ["#####", "#.--#", "#-#-#", "#####"]
    turned = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    assert GAME.canonical(rows) == GAME.canonical(turned) == GAME.canonical([row[::-1] for row in rows])
    assert GAME.canonical(rows) != GAME.canonical(["#####", "#-.-#", "#-#-#", "#####"])


@pytest.mark.parametrize(
    "text", ["left", "down", "", "jump", "up or right", "<answer>up</answer><answer>right</answer>"]
)
def test_what_is_blocked_or_no_step_costs_a_step_and_changes_nothing(text: str) -> None:
    inst = game(*ROOM, moves=2)
    state = GAME.begin(inst, RNG)
    first = say(inst, state, text)
    assert first.state == state._replace(left=1)
    assert first.observation.endswith("Steps left: 1.")
    last = say(inst, first.state, text).verdict
    assert last is not None
    assert (last.score, last.solved, last.status, last.components["placed"]) == (0.0, False, "graded", 0.0)


def test_the_last_step_counts_and_all_boxes_are_needed() -> None:
    inst = game(*ROOM, moves=2)
    won = say(inst, say(inst, GAME.begin(inst, RNG), "up").state, "right").verdict
    assert won is not None
    assert (won.score, won.solved, won.components["placed"]) == (1.0, True, 1.0)
    two = game("#######", "#@$.--#", "#-$-.-#", "#-----#", "#######", moves=1)
    half = say(two, GAME.begin(two, RNG), "right").verdict
    assert half is not None
    assert (half.score, half.solved, half.components["placed"]) == (0.0, False, 0.5)


def test_pushing_to_and_fro_adds_nothing() -> None:
    loop = ["right", "down", "right", "right", "up", "left"]  # onto the goal, around, and off it again
    inst = game("########", "#@$.---#", "#------#", "#-$--.-#", "#------#", "########", moves=60)
    state, verdict, turns = GAME.begin(inst, RNG), None, 0
    while verdict is None:
        turn = say(inst, state, loop[turns % len(loop)])
        state, verdict, turns = turn.state, turn.verdict, turns + 1
    assert turns == 60
    assert verdict.score == 0.0
    assert verdict.components["placed"] <= 0.5


@pytest.mark.parametrize("bad", [{"size": 2}, {"boxes": 4}, {"pushes": 0}, {"walls": 51}])
def test_parameters_that_make_no_room_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"greater|less"):
        Params(**bad)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_smallest_splits_hold_many_problems(level: int) -> None:
    """One of these levels had some sixty problems in its test split, or fewer."""
    source = envhub.make("sokoban-v0", difficulty=level, split="test").source
    assert len({source.draw(seed)[0].fingerprint for seed in range(150)}) >= 115
