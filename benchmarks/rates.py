"""Items per CPU second compared with GEM and reasoning-gym."""

from __future__ import annotations

import json
from statistics import mean

from benchmarks.harness import OURS, Side, pair, workload
from benchmarks.report import Section, number, ratio, table
from benchmarks.venvs import PEERS, peer

_HEAD = ("what", "ours, per CPU second", "theirs, per CPU second", "ours / theirs", "aim")


def guess_number(repeats: int) -> Section:
    """Steps and resets of guess-number and GEM's game under the same policy."""
    gem = peer("gem")
    rows = []
    for level, high, guesses in (("easy", 10, 4), ("hard", 50, 7)):
        for seeds in ("seeded", "unseeded"):
            ours = workload(OURS, "ours.guess_number", 20_000, high, guesses, seeds)
            theirs = workload(gem, "peers.gem_guess_number", 60_000, level, seeds)
            how, aim = ("seeded resets", "0.5") if seeds == "seeded" else ("unseeded resets", "-")
            rows.append(_row(f"steps, 1..{high} in {guesses} guesses, {how}", ours, theirs, repeats, aim))
        ours = workload(OURS, "ours.guess_number_vec", 2_000, high, guesses)
        theirs = workload(gem, "peers.gem_guess_number_vec", 6_000, level)
        rows.append(_row(f"steps, 1..{high} in {guesses} guesses, `make_vec` of 32", ours, theirs, repeats, "1"))
    return Section(
        f"guess-number-v0 against GuessTheNumber of `{PEERS['gem']}`",
        table(_HEAD, rows),
        "One process, one thread. Both sides guess 1, 2, 3, ... The messages are created in advance, in the form "
        "each side expects. An environment is reset when its episode ends; resets are included in the time but not "
        "counted as steps. Resets without a seed use a sequence of unrelated seeds on our side and Python's global "
        "generator on theirs.",
    )


def sudoku(repeats: int) -> Section:
    """Sudoku puzzles with 30 to 50 empty cells, proved to have one solution."""
    theirs = peer("reasoning-gym")
    row = _row(
        "9x9 puzzles, 30 to 50 cells empty",
        workload(OURS, "ours.sudoku", 630),
        workload(theirs, "peers.reasoning_gym_items", 84, "sudoku", "{}"),
        repeats,
        "3",
    )
    return Section(
        f"sudoku-v0 against sudoku of `{PEERS['reasoning-gym']}`",
        table(_HEAD, [row]),
        "Ours: `reset`, including the split, the fingerprint and the prompt; the number of empty cells cycles "
        "through 30..50. Theirs: one item of the dataset with its default settings, which draw that number from "
        "30..50. " + " ".join(_checked(side, grids) for side, grids in _grids(theirs)),
    )


def countdown(repeats: int) -> Section:
    """Countdown problems with 4 to 6 numbers of 1..100, targets 100..999, all operators."""
    theirs = workload(peer("reasoning-gym"), "peers.reasoning_gym_items", 130, "countdown", "{}")
    rows = [
        _row(what, workload(OURS, "ours.countdown", count, needed), theirs, repeats, aim)
        for what, count, needed, aim in (
            ("solvable problems", 6_000, 2, "10"),
            ("... with the proof that three numbers do not suffice", 3_000, 4, "-"),
        )
    ]
    return Section(
        f"countdown-v0 against countdown of `{PEERS['reasoning-gym']}`",
        table(_HEAD, rows),
        "4, 5 or 6 numbers of 1..100, target 100..999, `+ - * /`; these are their default settings. Their puzzles "
        "require all numbers to be used, without a proof that all are needed; ours allow any subset, and `needed` "
        "numbers are proved to be necessary.",
    )


def _row(what: str, ours: Side, theirs: Side, repeats: int, aim: str) -> tuple[str, ...]:
    found = pair(ours.rate, theirs.rate, repeats)
    return what, number(found.ours), number(found.theirs), ratio(found.ratio), aim


def _grids(theirs: str) -> list[tuple[str, list[list[int]]]]:
    """Puzzles of both sides, 105 each."""
    sides = {
        "our": workload(OURS, "ours.sudoku", 105, "grids"),
        "their": workload(theirs, "peers.reasoning_gym_items", 105, "sudoku", "{}", "grids"),
    }
    return [(name, json.loads(side.output())) for name, side in sides.items()]


def _checked(side: str, grids: list[list[int]]) -> str:
    from envhub.envs.logic.sudoku.grid import count_solutions

    unique = sum(count_solutions(9, grid, 2) == 1 for grid in grids)
    clues = mean(sum(map(bool, grid)) for grid in grids)
    exact = f"Of {side} {len(grids)} puzzles, {unique} have exactly one solution, as our solver finds"
    return f"{exact}; they have {clues:.1f} clues on average."
