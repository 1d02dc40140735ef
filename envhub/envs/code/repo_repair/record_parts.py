"""Parts of packages about votes, telephone bills and tables of text (:mod:`envhub.envs.code.repo_repair.part`)."""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.part import Constants, Part

_NAMES: Final = ("ann", "bob", "cy", "dee", "eli", "fay")
_NUMBERS: Final = ("0800123", "0049301", "5550100", "5550199", "00800", "080")
_WORDS: Final = ("a", "of", "red", "apple", "window", "mountains", "extraordinary", "x1")


def _voting_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    names = sorted(rng.sample(_NAMES, rng.between(3, 5)))
    return [rng.sample(names, rng.between(0, len(names))) for _ in range(rng.between(4, 11))], names


def _billing_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    calls = []
    for _ in range(rng.between(3, 8)):
        seconds = rng.choice((c["short"] - 1, c["short"], c["unit"], c["unit"] + 1, rng.between(1, 900)))
        hour = rng.choice((c["open"] - 1, c["open"], c["close"] - 1, c["close"], rng.below(24)))
        calls.append([rng.choice(_NUMBERS), hour, seconds])
    return calls, rng.choice((0, rng.between(1, 12), 40))


def _layout_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    columns = rng.between(1, 3)
    rows = [
        [" ".join(rng.choice(_WORDS) for _ in range(rng.below(5))) for _ in range(columns)]
        for _ in range(rng.between(1, 6))
    ]
    sides = [rng.choice(("left", "right", "center")) for _ in range(columns)]
    return rows, [rng.between(3, 9) for _ in range(columns)], sides


RECORDS: Final[dict[str, Part]] = {
    "voting": Part(
        {
            "ballots": '''"""Ballots: lists of names, the preferred one first."""


def choice(ballot, names):
    """The first name on a ballot that is one of the names; None if there is none."""
    for name in ballot:
        if name in names:
            return name
    return None


def tally(ballots, names):
    """A dict from every one of the names to the number of ballots whose choice it is."""
    found = {name: 0 for name in names}
    for ballot in ballots:
        name = choice(ballot, names)
        if name is not None:
            found[name] += 1
    return found
''',
            "rounds": '''"""Rounds of counting."""


def last(votes):
    """The name that leaves after a round: the one with the fewest votes; of several the last in alphabetical order."""
    fewest = min(votes.values())
    return max(name for name, count in votes.items() if count == fewest)


def enough(count, total):
    """Whether count votes are more than $most per cent of all votes of a round."""
    return 100 * count > $most * total
''',
            "voting": '''"""Elections."""

from $pkg.ballots import tally
from $pkg.common import ranked
from $pkg.rounds import enough, last


def election(ballots, names):
    """Count in rounds until a name has enough votes or is the only one left; after each round before that one name leaves.

    The result has the winner, which is the name with the most votes in the last round (of several the first in alphabetical
    order), the votes of every round as pairs in alphabetical order, and the number of ballots that had no choice in the last
    round.
    """
    left, history, winner, votes = sorted(names), [], None, {}
    for _ in names:
        votes = tally(ballots, left)
        history.append(sorted(votes.items()))
        winner = ranked(votes, votes.get)[0]
        if enough(votes[winner], sum(votes.values())) or len(left) == 1:
            break
        left.remove(last(votes))
    return {"winner": winner, "rounds": history, "empty": len(ballots) - sum(votes.values())}
''',
        },
        ("voting", "election"),
        {"most": (45, 60)},
        _voting_case,
    ),
    "billing": Part(
        {
            "tariff": '''"""What a call costs."""


def units(seconds):
    """The units of a call: one for every $unit seconds that were begun, and none for a call of less than $short
    seconds.
    """
    if seconds < $short:
        return 0
    return (seconds + $unit - 1) // $unit


def rate(hour):
    """The cents of a unit: $dear in the hours from $open to $close (in hour $close no more), else $cheap."""
    return $dear if $open <= hour < $close else $cheap


def factor(number):
    """What the cents of a call are multiplied with: 0 for numbers that begin with 0800, else $abroad for numbers that
    begin with 00, else 1.
    """
    if number.startswith("0800"):
        return 0
    return $abroad if number.startswith("00") else 1
''',
            "billing": '''"""Bills."""

from $pkg.common import grouped, ranked
from $pkg.tariff import factor, rate, units


def bill(calls, included):
    """The bill for calls [number, hour, seconds] in order, with a number of included units.

    Included units are used up call by call: a call pays for the units that remain after those. Calls with a factor of 0 use no
    included units. The result has rows [number, cents] for the numbers that cost something, the most expensive first, the sum
    of all cents, and the included units that are left.
    """
    paid = []
    for number, hour, seconds in calls:
        count = units(seconds)
        if factor(number) > 0:
            used = min(count, included)
            included -= used
            count -= used
        paid.append((number, count * rate(hour) * factor(number)))
    sums = {number: sum(cents) for number, cents in grouped(paid).items()}
    rows = [[number, sums[number]] for number in ranked(sums, sums.get) if sums[number] > 0]
    return {"rows": rows, "sum": sum(sums.values()), "left": included}
''',
        },
        ("billing", "bill"),
        {
            "unit": (30, 60),
            "short": (4, 9),
            "open": (7, 9),
            "close": (17, 20),
            "dear": (5, 9),
            "cheap": (1, 4),
            "abroad": (2, 3),
        },
        _billing_case,
    ),
    "layout": Part(
        {
            "wrapping": '''"""Texts as lines of a limited width."""


def broken(word, width):
    """The pieces of a word in order, each as long as the width; the last one may be shorter."""
    return [word[at : at + width] for at in range(0, len(word), width)]


def wrapped(text, width):
    """The words of a text as lines of at most width characters.

    Words are separated by one space, and every line holds as many as fit. A word longer than the width is broken, its first
    piece beginning a line. A text without words is one empty line.
    """
    lines = [""]
    for word in text.split():
        for piece in broken(word, width):
            room = width - len(lines[-1]) - 1
            if lines[-1] and len(word) <= width and len(piece) <= room:
                lines[-1] += " " + piece
            elif lines[-1]:
                lines.append(piece)
            else:
                lines[-1] = piece
    return lines
''',
            "alignment": '''"""Lines filled up with spaces."""


def aligned(line, width, side):
    """The line with spaces to the width: after it ("left"), before it ("right") or on both sides ("center").

    In the center, the space that is left over if their number is odd stands after the line.
    """
    spare = width - len(line)
    if side == "right":
        return " " * spare + line
    if side == "center":
        return " " * (spare // 2) + line + " " * (spare - spare // 2)
    return line + " " * spare
''',
            "layout": '''"""Tables of text."""

from $pkg.alignment import aligned
from $pkg.wrapping import wrapped


def table(rows, widths, sides):
    """The lines of a table: cells wrapped and aligned in columns, with " | " between them; short cells end in blank lines.

    After every $every rows, but not after the last row, stands a line of as many hyphens as the table is wide.
    """
    lines, wide = [], sum(widths) + 3 * (len(widths) - 1)
    for number, row in enumerate(rows, 1):
        cells = [wrapped(text, width) for text, width in zip(row, widths)]
        for at in range(max(map(len, cells))):
            parts = [cell[at] if at < len(cell) else "" for cell in cells]
            lines.append(" | ".join(aligned(*found) for found in zip(parts, widths, sides)))
        if number % $every == 0 and number < len(rows):
            lines.append("-" * wide)
    return lines
''',
        },
        ("layout", "table"),
        {"every": (2, 3)},
        _layout_case,
    ),
}
