"""The command: ``python -m benchmarks [NAME ...] [--repeats N] [--quick] [--markdown docs/benchmarks.md]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.answers import answers
from benchmarks.families import families
from benchmarks.footprint import imports, size
from benchmarks.games import games
from benchmarks.generation import dataset, generation
from benchmarks.generators import generators
from benchmarks.hub import hub
from benchmarks.prefill import prefill
from benchmarks.proofs import proofs
from benchmarks.quick import quick
from benchmarks.rates import countdown, guess_number, sudoku
from benchmarks.report import Section, insert
from benchmarks.sandbox import sandbox
from benchmarks.server import server
from benchmarks.trainer import two_recipes

BENCHMARKS: dict[str, Callable[[int], Section]] = {
    "quick": quick,
    "guess-number": guess_number,
    "sudoku": sudoku,
    "countdown": countdown,
    "generation": generation,
    "generators": generators,
    "prefill": prefill,
    "families": families,
    "dataset": dataset,
    "answers": answers,
    "games": games,
    "imports": imports,
    "size": size,
    "server": server,
    "hub": hub,
    "sandbox": sandbox,
    "proofs": proofs,
    "trl": two_recipes,
}


def main() -> None:
    """Run the named benchmarks, or all, and show or write the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="envhub and its peers, side by side.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; all if none is given")
    parser.add_argument("--repeats", type=int, default=9, help="pairs of runs (default: %(default)s)")
    parser.add_argument(
        "--quick", action="store_true", help="a single pair, of short runs where they can be: does it run?"
    )
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the results into their places in this file"
    )
    given = parser.parse_args()
    unknown = set(given.names) - set(BENCHMARKS)
    if unknown or given.repeats < 1:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}" if unknown else "--repeats is at least 1")
    repeats = 1 if given.quick else given.repeats
    for name in given.names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr)
        section = BENCHMARKS[name](repeats)
        text = section.markdown(repeats)
        print(text, end="\n\n", flush=True)
        if given.markdown:
            insert(given.markdown, name, text)
            for file, content in section.files.items():
                file.parent.mkdir(exist_ok=True)
                file.write_text(content)


if __name__ == "__main__":
    main()
