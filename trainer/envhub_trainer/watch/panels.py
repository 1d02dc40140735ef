"""Assigns every logged number to exactly one chart, by section.

::

    panels(read(folder))        # HTML

A name that no chart lists is drawn under "Everything else".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Final

from envhub.reports.svg import PALETTE, Point, Series, chart

CHARTS: Final[Mapping[str, Sequence[tuple[str, Sequence[str]]]]] = {
    "Reward and success": (
        ("reward", ("reward", "reward_std", "shaped")),
        ("solved, in training", ("solved",)),
        ("reward by environment", ("env/*/reward",)),
        ("solved by environment", ("env/*/solved",)),
        ("parts of the verdict", ("components/*",)),
        ("held-out success, sampled", ("test/pass@*", "test/sampled/*")),
        ("held-out success, greedy", ("test/greedy/*",)),
    ),
    "Optimisation": (
        ("loss", ("loss",)),
        ("norm of the gradient", ("grad_norm",)),
        ("entropy, nats a token", ("entropy",)),
        ("KL to the sampler, nats a token", ("kl",)),
        ("share of tokens clipped", ("clipped",)),
        ("largest ratio", ("ratio_max",)),
        ("learning rate", ("learning_rate",)),
        ("tokens learned from, fed, and computed with padding", ("tokens", "fed", "computed")),
        ("steps skipped", ("skipped",)),
        ("sampler and trainer apart, nats", ("probe",)),
    ),
    "What was learned from": (
        ("groups whose returns are all the same", ("zero_variance",)),
        ("episodes that failed", ("masked",)),
        ("failures by code", ("errors/*",)),
        ("staleness, versions", ("staleness", "staleness_max")),
        ("groups replaced, since the process began", ("replaced",)),
        ("episodes", ("episodes",)),
    ),
    "Lengths": (
        ("sampled tokens a turn", ("response_tokens", "response_tokens_max")),
        ("tokens an episode", ("episode_tokens",)),
        ("turns an episode", ("turns",)),
        ("out of tokens or turns", ("truncated", "overlong")),
        ("histories rewritten", ("rewritten",)),
    ),
    "Speed": (
        ("tokens a second", ("sampled_per_s", "trained_per_s")),
        ("episodes a second", ("episodes_per_s",)),
        ("share of time that the trainer waits", ("idle_trainer",)),
        ("seconds a step", ("seconds", "seconds/*")),
        ("seconds an episode", ("episode_seconds/*",)),
        ("memory, GiB", ("memory_gb", "gpu_memory_gb", "gpu_memory_reserved_gb")),
    ),
}
"""Sections of charts and, by title, the names of each chart's curves; ``*`` matches anything."""


def panels(log: Sequence[Mapping[str, float]], without: Collection[str] = ()) -> str:
    """The HTML of all curves of a log.

    Args:
        log: As :func:`envhub_trainer.watch.track.read` returns it.
        without: Names to leave out because they are shown elsewhere.
    """
    left = sorted({name for each in log for name in each} - {"step", "time"} - set(without))
    drawn = []
    for section, charts in CHARTS.items():
        figures = []
        for title, patterns in charts:
            shown = {name: label for pattern in patterns for name, label in _matching(left, pattern)}
            left = [name for name in left if name not in shown]
            figures.append(_figures(log, title, shown))
        drawn.append(_section(section, figures))
    drawn.append(_section("Everything else", [_figures(log, name, {name: name}) for name in left]))
    return "".join(drawn)


def by_section(names: Collection[str]) -> dict[str, list[str]]:
    """Names by section; the last section has those that no chart lists."""
    left, found = sorted(names), dict[str, list[str]]()
    for section, charts in CHARTS.items():
        matched = [name for _, patterns in charts for pattern in patterns for name, _ in _matching(left, pattern)]
        found[section] = list(dict.fromkeys(matched))
        left = [name for name in left if name not in found[section]]
    found["Everything else"] = left
    return {section: of for section, of in found.items() if of}


def _section(title: str, figures: Iterable[str]) -> str:
    inside = "".join(figures)
    return f"<h2>{escape(title)}</h2><div class='charts'>{inside}</div>" if inside else ""


def _matching(names: Sequence[str], pattern: str) -> list[tuple[str, str]]:
    """The names that match a pattern, with their star's text or themselves."""
    head, star, tail = pattern.partition("*")
    if not star:
        return [(name, name) for name in names if name == pattern]
    fits = [
        name for name in names if name.startswith(head) and name.endswith(tail) and len(name) > len(head) + len(tail)
    ]
    return [(name, name[len(head) : len(name) - len(tail)]) for name in fits]


def _figures(log: Sequence[Mapping[str, float]], title: str, shown: Mapping[str, str]) -> str:
    """The chart of some names, or several if colours run out."""
    series = [
        Series(label, [Point(int(each["step"]), each[name]) for each in log if name in each])
        for name, label in shown.items()
    ]
    span = (0.0, 1.0) if title.startswith("solved") else None
    return "".join(chart(title, series[at : at + len(PALETTE)], span) for at in range(0, len(series), len(PALETTE)))
