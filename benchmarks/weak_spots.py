"""Records the efforts of tasks for weak-spot-v0: ``python -m benchmarks.weak_spots``.

For each environment, set of options and level, the effort (``Environment.effort``) of twelve tasks. The solver of
weak-spot-v0 makes a mistake with a fixed probability per unit of effort, so its solve rate follows from these numbers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import envhub

FILE: Final = Path(__file__).parents[1] / "envhub/envs/rule_based/weak_spots/efforts.json"
TASKS: Final = 12
FIRST_SEED: Final = 9_000_000
ROWS: Final[list[tuple[str, dict[str, Any]]]] = [
    *(("base-conversion-v0", {"variant": each}) for each in ("positive", "negative")),
    *(("decimal-arithmetic-v0", {"operators": each}) for each in ("+-", "+-*")),
    *(("fraction-arithmetic-v0", {"operators": each}) for each in ("+-", "+-*/")),
    *(("inequality-v0", {"kind": each}) for each in ("polynomial", "absolute", "quotient")),
    *(("limit-v0", {"kind": each}) for each in ("quotient", "infinity", "series")),
    *(("matrix-v0", {"operation": each}) for each in ("determinant", "inverse", "product")),
    *(("knights-knaves-v0", {"connectives": each}) for each in ("basic", "all")),
    *(("household-v0", {"task": each}) for each in ("clean", "two")),
    *(("plan-effects-v0", {"domain": each}) for each in ("blocksworld", "logistics")),
    *(("percent-chain-v0", {"asked": each}) for each in ("end", "end, start")),
    *(("shortest-path-v0", {"directed": each}) for each in (False, True)),
    *(
        (name, {})
        for name in ("equation-v0", "gcd-lcm-v0", "crt-v0", "continued-fraction-v0", "recurrence-v0", "bitwise-v0")
    ),
]


def efforts(env_id: str, options: dict[str, Any], level: int) -> list[float]:
    """The efforts of tasks of a level, smallest first."""
    env = envhub.make(env_id, difficulty=level, **options)
    found = []
    for seed in range(FIRST_SEED, FIRST_SEED + TASKS):
        env.reset(seed=seed)
        found.append(round(env.environment.effort(env.episode.instance), 3))
    return sorted(found)


def main() -> None:
    """Write the record."""
    rows = []
    for env_id, options in ROWS:
        try:
            levels = [efforts(env_id, options, level) for level in range(1, 11)]
        except envhub.EnvhubError as error:
            print(f"left out: {env_id} {options}: {error}")
            continue
        rows.append({"environment": env_id, "options": options, "efforts": levels})
        print(env_id, options, [round(sum(each) / len(each), 1) for each in levels], flush=True)
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")


if __name__ == "__main__":
    main()
