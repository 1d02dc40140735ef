"""The command: ``python -m benchmarks.learning [NAME ...] [--seeds 0 1 2] [--page]``."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.learning.experiment import SEEDS
from benchmarks.learning.experiments import EXPERIMENTS
from benchmarks.learning.page import write
from benchmarks.learning.records import Records


def main() -> None:
    """Run what has no record yet, and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learning", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(EXPERIMENTS)}; all if none is given")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS), help="default: %(default)s")
    parser.add_argument(
        "--folder", type=Path, default=Path("runs/learning"), help="models and logs (default: %(default)s)"
    )
    parser.add_argument("--page", action="store_true", help="write the tables from the records, without a run")
    given = parser.parse_args()
    if unknown := set(given.names) - set(EXPERIMENTS):
        parser.error(f"no experiment {', '.join(sorted(unknown))}; there are {', '.join(EXPERIMENTS)}")
    for name in given.names or EXPERIMENTS:
        records = Records(name)
        if not given.page:
            EXPERIMENTS[name].complete(records, given.seeds, given.folder)
        write(EXPERIMENTS[name], records)


if __name__ == "__main__":
    main()
