"""Figures that reports are made of."""

from __future__ import annotations

from envhub.envs.code.repo_repair.library.settings import STREAK_LEAST


def grouped(names: list[str], values: list[int]) -> dict[str, list[int]]:
    """The values of each name, in their order. Names and values have the same length."""
    groups: dict[str, list[int]] = {}
    for name, value in zip(names, values):
        groups.setdefault(name, []).append(value)
    return groups


def totals(names: list[str], values: list[int]) -> dict[str, int]:
    """The sum of the values of each name."""
    return {name: sum(group) for name, group in grouped(names, values).items()}


def largest_first(sums: dict[str, int]) -> list[str]:
    """The names by their sums, the largest first; names with equal sums in alphabetical order."""
    return sorted(sums, key=lambda name: (-sums[name], name))


def ranks(sums: dict[str, int]) -> dict[str, int]:
    """The rank of each name: 1 and the number of names with a larger sum. Equal sums share a rank."""
    return {name: 1 + sum(other > mine for other in sums.values()) for name, mine in sums.items()}


def running(values: list[int]) -> list[int]:
    """The sums of the first one, two, three and so on of the values."""
    return [sum(values[: place + 1]) for place in range(len(values))]


def streaks(days: list[int]) -> list[list[int]]:
    """First and last day of each run of STREAK_LEAST or more consecutive days.

    The days are in any order and may occur several times.
    """
    runs: list[list[int]] = []
    for day in sorted(set(days)):
        if runs and day == runs[-1][1] + 1:
            runs[-1][1] = day
        else:
            runs.append([day, day])
    return [span for span in runs if span[1] - span[0] + 1 >= STREAK_LEAST]


def longest_pause(days: list[int]) -> int:
    """The largest number of days without an entry between two days with one; 0 if there is none."""
    present = sorted(set(days))
    return max((later - earlier - 1 for earlier, later in zip(present, present[1:])), default=0)


def median(values: list[int]) -> int:
    """The middle of the values by size; of two middle ones their mean, rounded down. 0 without values."""
    ordered = sorted(values)
    count = len(ordered)
    if count == 0:
        return 0
    return (ordered[(count - 1) // 2] + ordered[count // 2]) // 2


def percentages(sums: dict[str, int]) -> dict[str, int]:
    """Whole percentages of sums of at least 0, which add up to 100.

    Each is rounded down first. The per cents that are left go to the largest remainders, one each; of equal remainders the
    alphabetical order decides. If all sums are 0, each is 0.
    """
    whole = sum(sums.values())
    if whole == 0:
        return dict.fromkeys(sums, 0)
    shares = {name: 100 * value // whole for name, value in sums.items()}
    waiting = sorted(sums, key=lambda name: (-(100 * sums[name] % whole), name))
    for name in waiting[: 100 - sum(shares.values())]:
        shares[name] += 1
    return shares


def change(before: int, after: int) -> str:
    """The change from one number to another in whole per cent, rounded towards 0: +25% or -5%; "new" from 0."""
    if before == 0:
        return "new" if after else "+0%"
    percent = 100 * abs(after - before) // abs(before)
    return f"{'-' if after < before else '+'}{percent}%"


def above_mean(values: list[int]) -> list[int]:
    """The places, from 0, of the values that are larger than the mean of all."""
    return [place for place, value in enumerate(values) if value * len(values) > sum(values)]
