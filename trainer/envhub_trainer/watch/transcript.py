"""A kept episode as HTML, with sampled tokens coloured by advantage.

:func:`transcript` takes a line of ``episodes.jsonl`` (:mod:`envhub_trainer.watch.samples`). All text is escaped. Given text
is grey; an advantage above 0 is blue, one below is orange, distinguishable with any colour vision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from math import exp
from typing import Any, Final

SHADES: Final = 6
"""Number of shades of either colour."""

_UP: Final = "33, 102, 172"
_DOWN: Final = "217, 95, 14"
STYLE: Final = (
    """
.episode { border: 1px solid #dfe3e8; border-radius: 6px; padding: .6rem .9rem; margin: 1rem 0; unicode-bidi: isolate; }
.row { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.7 ui-monospace, monospace; margin: .4rem 0; }
.given { color: #77808c; } .t { border-bottom: 1px solid #9aa3af; } .t.unlearned { border-bottom-style: dotted; }
.turn { font: 12px/1.5 system-ui, sans-serif; color: #5b6675; background: #eef1f4; border-radius: 4px; padding: 0 .4em;
}
"""
    + "".join(f".p{i} {{ background: rgba({_UP}, {0.6 * i / SHADES:.2f}); }}\n" for i in range(1, SHADES + 1))
    + "".join(f".n{i} {{ background: rgba({_DOWN}, {0.6 * i / SHADES:.2f}); }}\n" for i in range(1, SHADES + 1))
)
"""Styles of the classes."""


_WHY: Final = {
    "best": "the best of its step",
    "worst": "the worst of its step",
    "failed": "one that failed",
    "between": "one from between",
}


def strongest(records: Iterable[Mapping[str, Any]]) -> float:
    """The largest absolute advantage in some episodes, or 0, for shading."""
    return max(
        (
            abs(each)
            for one in records
            for row in one["rows"]
            for part in row
            for each in part.get("advantages") or ()
            if each
        ),
        default=0.0,
    )


def transcript(record: Mapping[str, Any], scale: float) -> str:
    """The HTML of an episode.

    Args:
        record: A line of ``episodes.jsonl``.
        scale: Absolute advantage of the darkest shade.
    """
    turns = list(record["turns"])
    rows = "".join(_row(number, row, turns, scale) for number, row in enumerate(record["rows"]))
    return f"<section class='episode'>{_head(record)}{rows or _plain(turns)}</section>"


def _head(record: Mapping[str, Any]) -> str:
    level = f", difficulty {record['difficulty']}" if record["difficulty"] is not None else ""
    seat = record.get("seat")
    unsaid = (
        "could not be judged" if seat is None or record["error"] else f"seat {seat} of a game of the policy with itself"
    )
    verdict = {True: "solved", False: "not solved", None: unsaid}[record["solved"]]
    flags = [name for name in ("truncated", "overlong") if record[name]]
    parts = [f"{name} {_number(value)}" for name, value in record["components"].items()]
    told = "; ".join([_WHY[record["why"]], f"return {_number(record['reward'])}", verdict, *flags, *parts])
    failed = f"<p class='broken'>Not learned from: {escape(record['error'])}</p>" if record["error"] else ""
    return (
        f"<h3>step {record['step']}: {escape(record['env_id'])}{escape(level)}, group {record['group']}</h3>"
        f"<p><small>{escape(told)}</small></p>{failed}"
    )


def _row(number: int, row: Sequence[Mapping[str, Any]], turns: Sequence[Mapping[str, Any]], scale: float) -> str:
    """A context of the policy; a later one begins collapsed."""
    own = iter([(i, turn) for i, turn in enumerate(turns, 1) if turn["row"] == number])
    drawn = []
    for at, part in enumerate(row):
        if "given" in part:
            text = part["text"] if part["text"] is not None else f"[{part['given']} tokens given]"
            given = f"<span class='given'>{escape(text)}</span>"
            again = f"<details><summary>rewritten history, {part['given']} tokens</summary>{given}</details>"
            drawn.append(again if number and not at else given)
            continue
        turn_number, turn = next(own, (None, None))
        drawn.append(_sampled(part, turn, scale))
        if turn is not None:
            drawn.append(f"<span class='turn'>turn {turn_number}: reward {_number(turn['reward'])}</span>")
    return f"<div class='row'>{''.join(drawn)}</div>" if drawn else ""


def _sampled(part: Mapping[str, Any], turn: Mapping[str, Any] | None, scale: float) -> str:
    """The sampled tokens of a turn, or its text without kept tokens."""
    pieces = part["pieces"]
    if not pieces:
        text = turn["action"] if turn is not None else f"[{len(part['logps'])} tokens sampled]"
        return f"<span class='t'>{escape(text)}</span>"
    advantages = part["advantages"] or [None] * len(pieces)
    tokens = zip(pieces, part["logps"], advantages, strict=True)
    return "".join(_token(piece, logp, advantage, scale) for piece, logp, advantage in tokens)


def _token(piece: str, logp: float | None, advantage: float | None, scale: float) -> str:
    shown = escape(piece) or "&middot;"
    return f"<span class='{_class(advantage, scale)}' title='{_title(piece, logp, advantage)}'>{shown}</span>"


def _class(advantage: float | None, scale: float) -> str:
    if advantage is None:
        return "t unlearned"
    shade = min(round(SHADES * abs(advantage) / scale), SHADES) if scale > 0 else 0
    return f"t {'p' if advantage > 0 else 'n'}{max(shade, 1)}" if advantage else "t"


def _title(piece: str, logp: float | None, advantage: float | None) -> str:
    """The tooltip of a token."""
    parts = [] if piece else ["completes the character before"]
    if logp is not None:
        parts.append(f"log-probability {logp:.3f} ({exp(min(logp, 0.0)):.1%})")
    parts.append("not learned from" if advantage is None else f"advantage {advantage:+.3f}")
    return escape("; ".join(parts))


def _plain(turns: Sequence[Mapping[str, Any]]) -> str:
    """The turns as text, if there are no rows."""
    said = "".join(
        f"<span class='given'>{escape(turn['observation'])}</span>\n{escape(turn['action'])}\n"
        f"<span class='turn'>turn {number}: reward {_number(turn['reward'])}</span>\n"
        for number, turn in enumerate(turns, 1)
    )
    return f"<div class='row'>{said}</div>" if said else ""


def _number(value: float | None) -> str:
    return "not judged" if value is None else f"{value:.4g}"
