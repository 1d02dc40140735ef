"""Records an episode as play.svg for the README: ``python docs/recording.py``.

The episode is played by ``envhub play --script``; nothing in the picture is edited.
"""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

import envhub

FILE: Final = Path(__file__).with_name("play.svg")
COMMAND: Final = ["envhub", "play", "guess-number-v0", "--difficulty", "1", "--seed", "4"]
WIDTH: Final = 100


def main() -> None:
    """Play by bisection, as a person would, and draw the terminal."""
    shown = played(bisection())
    console = Console(record=True, width=WIDTH, file=StringIO())
    console.print(Text("$ " + " ".join(COMMAND), style="bold"))
    for line in shown.splitlines():
        console.print(Text(line, style="cyan" if line.startswith(">") else ""))
    drawn = console.export_svg(title="envhub play", unique_id="play")
    FILE.write_text(re.sub(r"@font-face \{.*?\}\n", "", drawn, flags=re.DOTALL))  # loads no external resource


def played(actions: list[str]) -> str:
    """The transcript of a script."""
    run = subprocess.run(
        [sys.executable, "-m", *COMMAND, "--script", "-"],
        input="\n".join(actions),
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def bisection() -> list[str]:
    """Answers of a player who bisects the range."""
    env = envhub.make("guess-number-v0", difficulty=1)
    prompt, _ = env.reset(seed=4)
    low, high = (int(number) for number in re.findall(r"between (\d+) and (\d+)", prompt)[0])
    actions: list[str] = []
    over = False
    while not over:
        guess = (low + high) // 2
        actions.append(str(guess))
        observation, _, over, _, _ = env.step(f"<answer>{guess}</answer>")
        low, high = (guess + 1, high) if "igher" in observation else (low, guess - 1)
    return actions


if __name__ == "__main__":
    main()
