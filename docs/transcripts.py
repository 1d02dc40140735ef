"""Writes transcripts.md, one transcript per category: ``python docs/transcripts.py``.

Transcripts are the output of ``envhub play --script``. Scripts act like policies: mostly right, sometimes with a
mistake that gets feedback. Tasks never change under their id, so the output changes only with bugs or new wording.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("transcripts.md")

HEAD: Final = """# Transcripts

One episode of each category, played by `envhub play --script`. What follows `>` is what the policy said, and a line of the
script. `make transcripts` writes this page, and tests compare it with what is played.
"""


@dataclass(frozen=True)
class Shown:
    """An episode to show.

    Attributes:
        title: The category.
        about: What it demonstrates.
        id: The environment.
        said: Actions of the script.
        difficulty: Difficulty of the task.
        seed: Seed of the task.
        params: Parameters for ``envhub play --param``.
        needs: Requirement that not every machine has: ``sandbox`` or ``lean``.
    """

    title: str
    about: str
    id: str
    said: Sequence[str]
    difficulty: int = 1
    seed: int = 1
    params: Sequence[str] = ()
    needs: str = ""

    @property
    def arguments(self) -> list[str]:
        """Command line arguments of ``envhub``."""
        given = [word for param in self.params for word in ("--param", param)]
        return [
            "play",
            self.id,
            "--difficulty",
            str(self.difficulty),
            "--seed",
            str(self.seed),
            *given,
            "--script",
            "-",
        ]

    @property
    def script(self) -> str:
        """One action per line; multi-line actions as JSON strings."""
        return "".join(f"{json.dumps(action) if _plain(action) else action}\n" for action in self.said)


def _plain(action: str) -> bool:
    """Whether an action must be written as a JSON string."""
    return "\n" in action or not action.strip() or action[0] in '"/'


def _call(name: str, /, **arguments: object) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def _answers(*words: str) -> tuple[str, ...]:
    return tuple(f"<answer>{word}</answer>" for word in words)


def _lean(proof: str) -> str:
    theorem = "theorem asked : ∀ (xs : List Nat), f (h xs) = f xs"
    return f"```lean\n{theorem} := by\n{proof}\n```"


SHOWN: Final = (
    Shown(
        "Rule-based",
        "One question, one answer; any expression of the right worth is right.",
        "countdown-v0",
        _answers("42 + 22 - 8"),
        difficulty=2,
    ),
    Shown(
        "Logic",
        "One solution, proved to be the only one.",
        "knights-knaves-v0",
        _answers("Maria: knave, Vera: knight, Nathan: knight, Bob: knave"),
        difficulty=2,
    ),
    Shown(
        "Pictures",
        "Shapes that were turned or mirrored, here written out; as pictures with `observation=image`.",
        "rotation-v0",
        _answers("mirror, 270, 90, 180"),
        difficulty=2,
    ),
    Shown(
        "Code",
        "A Python session that lasts from call to call, in the sandbox.",
        "python-tool-v0",
        (
            _call("python", code="from math import gcd\ngcd(12, 2286 + 539)"),
            _call(
                "python",
                code="pairs = [(i, j) for j in range(1, 15) for i in range(1, j) if gcd(i, j + 2286 + 539) == 1]\n"
                "sum(i * j for i, j in pairs)",
            ),
            _call("submit", answer=3197),
        ),
        difficulty=2,
        needs="sandbox",
    ),
    Shown(
        "Game",
        "A guess of the wrong length costs one as well.",
        "wordle-v0",
        _answers("witness", "air", "airline", "vinegar"),
    ),
    Shown(
        "Two players",
        "Hidden cards, and an opponent that plays an equilibrium; decisions are graded. The first move is illegal.",
        "kuhn-poker-v0",
        _answers("call", "bet", "check", "call"),
        seed=3,
        params=("opponent=optimal", "hands=2"),
    ),
    Shown(
        "Two players, self-play",
        "The policy has both seats; a trainer gives each a conversation of its own, and each earns its payoff.",
        "kuhn-poker-v0",
        _answers("bet", "call"),
        params=("opponent=self", "hands=1"),
    ),
    Shown(
        "World",
        "An errand in a house. What is not one command, or cannot be done, costs a step all the same.",
        "household-v0",
        _answers(
            "go to countertop 1; look",
            "take potato 1 from fridge 1",
            "go to fridge 1",
            "open fridge 1",
            "take potato 1 from fridge 1",
            "go to microwave 1",
            "heat potato 1 with microwave 1",
            "go to countertop 1",
            "put potato 1 in/on countertop 1",
        ),
    ),
    Shown(
        "Search",
        "A closed corpus, and an answer that names the document it rests on.",
        "search-qa-v0",
        (
            _call("search", query="The Distant Tide", k=3),
            _call("open", doc="doc-1"),
            _call("submit", answer="Millby", documents=["doc-1"]),
        ),
        seed=3,
    ),
    Shown(
        "Tools",
        "A call whose arguments do not fit is answered with what is wrong, changes nothing and costs a message.",
        "function-call-v0",
        (
            _call("alarm_once", room="hall", date="20 May 2027", time="21:30", volume=79),
            _call("alarm_once", room="hall", date="2027-05-20", time="21:30", volume=79),
            _call("done"),
        ),
        seed=2,
    ),
    Shown(
        "Lean",
        "A proof, judged by the kernel; what is not allowed is told before it is asked, and what is left to prove after.",
        "lean-proof-v0",
        (
            _lean("  sorry"),
            _lean("  intro xs\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => show f (h xs) + 9 = f xs + 9"),
            _lean(
                "  intro xs\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => show f (h xs) + 9 = f xs + 9; rw [ih]"
            ),
        ),
        difficulty=2,
        needs="lean",
    ),
)


def played(shown: Shown) -> str:
    """The output of ``envhub play``.

    Raises:
        RuntimeError: The episode did not end, or a command failed.
    """
    from typer.testing import CliRunner

    from envhub.cli import app

    done = CliRunner().invoke(app, shown.arguments, input=shown.script)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise RuntimeError(f"{shown.id}: {done.exception!r}") from done.exception
    if done.exit_code not in (0, 1) or "Could not be judged" in done.output or "Unfinished" in done.output:
        raise RuntimeError(f"{shown.id} was not played to its end:\n{done.output[-2000:]}")
    return done.output


def section(shown: Shown) -> str:
    """The section of the page for an episode."""
    told = played(shown).rstrip()
    fence = "````" if "```" in told or "```" in shown.script else "```"
    command = f"envhub {shlex.join(shown.arguments[:-1])} script.txt"
    return f"## {shown.title}: `{shown.id}`\n\n{shown.about}\n\n{fence}sh\n{command}\n{fence}\n\n{fence}text\n{told}\n{fence}\n"


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *map(section, SHOWN)])


if __name__ == "__main__":
    FILE.write_text(page())
