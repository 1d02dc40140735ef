"""State puzzles: legal moves by other rules, shortest solutions by another search, what a move costs, and cheats."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Any, Final

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn
from envhub.envs.puzzles.moves.ball_sort import BallSort, BallSortSteps
from envhub.envs.puzzles.moves.free_block import FreeBlockSteps
from envhub.envs.puzzles.moves.lights_out import least_presses
from envhub.envs.puzzles.moves.nullify import NullifySteps
from envhub.families.state_puzzle import StatePuzzle
from envhub.registry.registry import load, spec
from tests.families.members import members, problems

Next = Callable[[Any], Iterator[tuple[str, Any]]]


def ball_sort(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """Tubes as texts."""
    room = problem["capacity"]

    def after(tubes: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        for a, b in product(range(len(tubes)), repeat=2):
            if a != b and tubes[a] and len(tubes[b]) < room and tubes[b][-1:] in ("", tubes[a][-1]):
                made = {a: tubes[a][:-1], b: tubes[b] + tubes[a][-1]}
                yield f"{chr(65 + a)}>{chr(65 + b)}", tuple(made.get(at, tube) for at, tube in enumerate(tubes))

    def done(tubes: tuple[str, ...]) -> bool:
        return all(tube in ("", tube[:1] * room) for tube in tubes)

    return tuple("".join(map(str, tube)) for tube in problem["tubes"]), after, done


def hanoi(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """Pegs as stacks."""
    disks = range(len(problem["from"]), 0, -1)

    def stacks(places: list[int]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(d for d in disks if places[d - 1] == peg) for peg in range(problem["pegs"]))

    def after(pegs: tuple[tuple[int, ...], ...]) -> Iterator[tuple[str, Any]]:
        for a, b in product(range(len(pegs)), repeat=2):
            if a != b and pegs[a] and (not pegs[b] or pegs[b][-1] > pegs[a][-1]):
                made = {a: pegs[a][:-1], b: (*pegs[b], pegs[a][-1])}
                yield f"{chr(65 + a)}>{chr(65 + b)}", tuple(made.get(at, peg) for at, peg in enumerate(pegs))

    goal = stacks(problem["to"])
    return stacks(problem["from"]), after, lambda pegs: pegs == goal


def lights(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """Lights as a set of cells that are on."""
    height, width = problem["height"], problem["width"]

    def after(on: frozenset[complex]) -> Iterator[tuple[str, Any]]:
        for row, column in product(range(height), range(width)):
            near = {complex(column, row) + step for step in (0, 1, -1, 1j, -1j)}
            inside = {at for at in near if 0 <= at.real < width and 0 <= at.imag < height}
            yield f"{chr(97 + column)}{row + 1}", on ^ inside

    lit = frozenset(complex(at % width, at // width) for at, on in enumerate(problem["lit"]) if on)
    return lit, after, lambda on: not on


def tile_delivery(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """The whole board as rows."""
    size = problem["size"]

    def after(board: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
        gap = board.index(0)
        for at, tile in enumerate(board):
            if abs(at // size - gap // size) + abs(at % size - gap % size) == 1:
                yield str(tile), tuple(tile if k == gap else 0 if k == at else other for k, other in enumerate(board))

    return tuple(problem["board"]), after, lambda board: all(board[cell] == tile for tile, cell in problem["goals"])


def long_cat(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """Free cells that are left, and the cat."""
    height, width = problem["height"], problem["width"]
    free = frozenset(at for at in product(range(height), range(width)) if at[0] * width + at[1] not in problem["walls"])

    def after(state: tuple[tuple[int, int], frozenset[tuple[int, int]]]) -> Iterator[tuple[str, Any]]:
        (row, column), left = state
        for name, (down, right) in {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.items():
            at, passed = (row + down, column + right), set[tuple[int, int]]()
            while at in left - passed:
                passed.add(at)
                at = (at[0] + down, at[1] + right)
            if passed:
                yield name, ((at[0] - down, at[1] - right), left - passed)

    cat = divmod(problem["cat"], width)
    return (cat, free - {cat}), after, lambda state: not state[1]


def paint_lines(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """Black cells as pairs of row and column, from 1."""
    size = problem["size"]
    cells = list(product(range(1, size + 1), repeat=2))
    wanted = frozenset(cell for cell, on in zip(cells, problem["pattern"], strict=True) if on)

    def after(black: frozenset[tuple[int, int]]) -> Iterator[tuple[str, Any]]:
        for k in range(1, 2 * size):
            if k <= size:
                yield f"row {k}", black - {(k, c) for c in range(1, size + 1)}
                yield f"column {k}", black | {(r, k) for r in range(1, size + 1)}
            yield f"rising {k}", black | {(r, c) for r, c in cells if r + c == k + 1}
            yield f"falling {k}", black - {(r, c) for r, c in cells if c - r == k - size}

    return frozenset[tuple[int, int]](), after, lambda black: black == wanted


def free_block(problem: JSON) -> tuple[Any, Next, Callable[[Any], bool]]:
    """The cells of each block."""
    size = problem["size"]
    start = []
    for (across, line, length), at in zip(problem["blocks"], problem["places"], strict=True):
        start.append(frozenset((line, at + k) if across else (at + k, line) for k in range(length)))

    def after(blocks: tuple[frozenset[tuple[int, int]], ...]) -> Iterator[tuple[str, Any]]:
        for number, cells in enumerate(blocks):
            others = set(chain.from_iterable(blocks[:number] + blocks[number + 1 :]))
            across = len({row for row, _ in cells}) == 1
            for name, (down, right) in {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.items():
                to = frozenset((row + down, column + right) for row, column in cells)
                inside = all(0 <= row < size and 0 <= column < size for row, column in to)
                if (right != 0) == across and inside and not to & others:
                    yield f"{problem['names'][number]} {name}", (*blocks[:number], to, *blocks[number + 1 :])

    return tuple(start), after, lambda blocks: any(column == size - 1 for _, column in blocks[0])


RULES: Final[dict[str, Callable[[JSON], tuple[Any, Next, Callable[[Any], bool]]]]] = {
    "ball-sort-v0": ball_sort,
    "hanoi-v0": hanoi,
    "lights-out-v0": lights,
    "tile-delivery-v0": tile_delivery,
    "long-cat-v0": long_cat,
    "paint-lines-v0": paint_lines,
    "free-block-v0": free_block,
}
"""The rules of each member, written again: the first state, the moves by their text, and the goal."""
PROVED: Final = {"ball-sort-v0": 1, "hanoi-v0": 6, "tile-delivery-v0": 1, "free-block-v0": 5, "lights-out-v0": 3}
"""Members whose limit is a proved optimum, with the greatest level at which a plain search confirms it quickly."""
STEPWISE: Final = {"ball-sort-steps-v0": "ball-sort-v0", "free-block-steps-v0": "free-block-v0"}


def plain_shortest(problem: JSON, rules: Callable[[JSON], tuple[Any, Next, Callable[[Any], bool]]]) -> int:
    start, after, done = rules(problem)
    queue, far = deque([start]), {start: 0}
    while queue:
        state = queue.popleft()
        if done(state):
            return far[state]
        for _, to in after(state):
            if to not in far:
                far[to] = far[state] + 1
                queue.append(to)
    raise AssertionError("there is no solution")


def replayed(problem: JSON, text: str, rules: Callable[[JSON], tuple[Any, Next, Callable[[Any], bool]]]) -> bool:
    """Whether moves solve a puzzle, by the rules of this module."""
    state, after, done = rules(problem)
    moves = text.split(", ")
    for move in moves:
        state = dict(after(state)).get(move)
        if state is None:
            return False
    return done(state) and len(moves) <= problem["limit"]


@pytest.mark.slow
@pytest.mark.parametrize("member", RULES)
def test_most_problems_of_the_first_levels_differ(member: str) -> None:
    for level in (1, 2, 3):
        env = envhub.make(member, difficulty=level)
        found = set()
        for seed in range(200):
            env.reset(seed=seed)
            found.add(env.task.fingerprint)
        assert len(found) > 120, level


@pytest.mark.slow
def test_one_move_per_message_is_as_slow_to_draw_as_the_puzzle() -> None:
    """``slow`` decides on the cache and on the tier of the tests; the problems are the same."""
    pairs = [(cls.puzzle, cls()) for cls in (BallSortSteps, FreeBlockSteps, NullifySteps)]
    assert {puzzle.slow for puzzle, _ in pairs} == {True, False}
    for puzzle, steps in pairs:
        assert steps.slow == puzzle.slow
        for level in (1, 10):
            assert steps.searches(steps.Params.at(level)) == puzzle.searches(puzzle.Params.at(level))


def test_every_member_has_second_rules() -> None:
    assert set(members(StatePuzzle)) == set(RULES)


@pytest.mark.parametrize("member", RULES)
@pytest.mark.parametrize("levels", [(1, 5), pytest.param(range(1, 11), marks=pytest.mark.nightly)])
def test_the_solution_is_one_by_other_rules_and_random_moves_are_judged_alike(member: str, levels: Any) -> None:
    for level in levels:
        for env, inst in problems(member, level, 3):
            assert replayed(inst.problem, env.solve(inst), RULES[member])
            start, after, _ = RULES[member](inst.problem)
            rng, state, made = Stream(b"moves", member, level), start, []
            for _ in range(min(inst.problem["limit"], 12)):
                moves = list(after(state))
                legal = [env.write(move) for move, _ in env.moves(inst.problem, self_state(env, inst, made))]
                assert sorted(legal) == sorted(name for name, _ in moves)
                if not moves:
                    break
                name, state = rng.choice(moves)
                made.append(name)
            if made:
                verdict = env.grade(inst, env.answer.parse(", ".join(made)))
                assert verdict.solved == replayed(inst.problem, ", ".join(made), RULES[member])


def self_state(env: StatePuzzle, inst: Instance, made: list[str]) -> Any:
    state = env.start(inst.problem)
    for name in made:
        state = env.after(inst.problem, state, env.answer.parse(name)[0])
    return state


@pytest.mark.parametrize("member", PROVED)
@pytest.mark.parametrize("count", [1, pytest.param(8, marks=pytest.mark.nightly)])
def test_no_shorter_solution_exists(member: str, count: int) -> None:
    for level in {1, PROVED[member]}:
        for _, inst in problems(member, level, count):
            assert plain_shortest(inst.problem, RULES[member]) == len(inst.key["moves"])


def estimates(member: str) -> bool:
    """Whether a member has a bound of its own; that of the others is always 0."""
    return "bound" in vars(load(spec(member)))


@pytest.mark.parametrize("member", [*filter(estimates, RULES)])
def test_the_bound_never_exceeds_the_moves_that_are_left(member: str) -> None:
    for level in (1, 6):
        for env, inst in problems(member, level, 2):
            state, moves = env.start(inst.problem), [tuple(move) for move in inst.key["moves"]]
            assert env.bound(inst.problem, state) > 0
            for left, move in zip(range(len(moves), 0, -1), moves, strict=True):
                after = env.after(inst.problem, state, move)
                assert env.bound(inst.problem, state) <= left
                assert env.bound(inst.problem, state) - env.bound(inst.problem, after) <= 1
                state = after
            assert env.bound(inst.problem, state) == 0


@pytest.mark.parametrize(
    ("height", "width"), [(2, 2), (2, 3), (3, 3), (4, 3), pytest.param(4, 4, marks=pytest.mark.nightly)]
)
def test_the_least_presses_are_those_of_all_sets_of_presses(height: int, width: int) -> None:
    start, after, _ = lights({"height": height, "width": width, "lit": [0] * height * width})
    effects = [to for _, to in after(start)]
    least = {frozenset[complex](): 0}
    for effect in effects:
        for on, presses in list(least.items()):
            least[on ^ effect] = min(presses + 1, least.get(on ^ effect, 99))
    while True:  # sets that reach the same lights by other presses
        more = {
            on ^ effect: presses + 1
            for on, presses in least.items()
            for effect in effects
            if presses + 1 < least[on ^ effect]
        }
        if not more:
            break
        least.update(more)
    for on, presses in least.items():
        bits = sum(1 << int(at.imag) * width + int(at.real) for at in on)
        found = least_presses(height, width, bits)
        assert found is not None
        assert found[0].bit_count() == presses
    reachable = {sum(1 << int(at.imag) * width + int(at.real) for at in on) for on in least}
    assert all(
        (least_presses(height, width, bits) is not None) == (bits in reachable) for bits in range(1 << height * width)
    )


def sorting() -> tuple[BallSort, Instance]:
    problem = {"tubes": [[0, 1], [1, 0], []], "capacity": 2, "colours": ["red", "blue"], "limit": 4}
    return BallSort(), Instance(problem, key={"moves": [["a", "c"], ["b", "a"], ["b", "c"]], "steps": 1})


CHEATS: Final = (
    *("A>C, B>A", "A>C, B>A, B>C, C>B", "A>C, B>A, B>C, C>B, B>C", "A>C, A>C, B>C", "B>A, A>C, B>A, B>C"),
    *("A>C, B>A, B>C, A>A", "A>C, B>A, B>C, D>A", "C>A, A>C, B>A, B>C", "A>B, B>C", "A>C B>A B>D", "B>C, A>C, A>B"),
    *(
        "solved",
        "A>C, B>A, B>C or nothing",
        "A>C, B>A, ...",
        "",
        "[]",
        "A>C; B>A; B>\u0421",
        "1>3, 2>1, 2>3",
        "A>C>A, B>C",
    ),
    *("A>C, B>A, B>C, A>C, C>A", "<answer>A>C, B>A, B>C</answer><answer>A>C</answer>", "not A>C, B>A, B>C"),
)


@pytest.mark.parametrize("text", CHEATS)
def test_what_does_not_solve_the_puzzle_does_not_count(text: str) -> None:
    env, inst = sorting()
    turn = env.advance(inst, None, text if "<answer>" in text else f"<answer>{text}</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    assert turn.verdict.score == 0
    assert not turn.verdict.solved


@pytest.mark.parametrize(
    "text", ["A>C, B>A, B>C", "a -> c; b -> a; b -> c", "1. A>C\n2. B>A\n3. B to C", "B>C, A>B, A>C"]
)
def test_any_solution_within_the_limit_counts(text: str) -> None:
    env, inst = sorting()
    turn = env.advance(inst, None, f"<answer>{text}</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    assert turn.verdict.solved


def test_a_fault_names_the_move_and_the_reason() -> None:
    env, inst = sorting()
    verdict = env.grade(inst, env.answer.parse("A>C, B>C"))
    assert verdict.feedback == ("Move 2, B>C, is not possible: the top balls of the two tubes have different colours.")


def test_step_by_step_the_same_moves_win_and_each_message_costs_one() -> None:
    env, (_, inst) = BallSortSteps(), sorting()
    state = env.begin(inst, Stream(b"x"))
    for text, left in (("A>B", 3), ("nonsense", 2)):
        turn = env.advance(inst, state, f"<answer>{text}</answer>", Stream(b"x"))
        assert isinstance(turn, Turn)
        assert turn.info["rejected"]
        assert (turn.state.at, turn.state.left) == (state.at, left)
        state = turn.state
    for text in ("A>C", "B>A"):
        turn = env.advance(inst, state, f"<answer>{text}</answer>", Stream(b"x"))
        assert isinstance(turn, Turn)
        state = turn.state
    assert turn.verdict is not None
    assert turn.verdict.score == 0
    assert not turn.verdict.solved


@pytest.mark.parametrize("member", STEPWISE)
def test_the_steps_of_a_puzzle_are_its_plan(member: str) -> None:
    env = envhub.make(member, difficulty=2)
    env.reset(seed=5)
    whole = env.environment.puzzle
    inst = env.episode.instance
    assert whole.grade(inst, whole.answer.parse(whole.solve(inst))).solved
    done, reward, turns = False, 0.0, 0
    while not done:
        _, reward, terminated, truncated, _ = env.step(env.solve())
        done, turns = terminated or truncated, turns + 1
    assert reward == 1
    assert turns == len(inst.key["moves"])


@pytest.mark.parametrize("member", RULES)
def test_the_text_of_a_task_changes_with_the_state_and_the_scene_as_well(member: str) -> None:
    [(env, inst)] = problems(member, 3, 1)
    problem = inst.problem
    (_, first), *_ = [(move, to) for move, to in env.moves(problem, env.start(problem)) if to != env.start(problem)]
    assert env.lines(problem, first) != env.lines(problem, env.start(problem))
    if member != "paint-lines-v0":  # whose picture is the pattern
        assert env.look(problem, first) != env.look(problem, env.start(problem))
