"""Write ``golden.json``: what the reference makes of the two cases, for every algorithm and the settings that they share.

Run it after a deliberate change to the reference or the cases, and read the difference before you commit it:

    python -m tests.trainer.algorithms.record

``apart(plain(outcome), VALUES["grpo/5"])`` says how far an outcome is from what is recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any

from tests.trainer.algorithms.cases import SEEDS, case
from tests.trainer.algorithms.reference import REFERENCES, Outcome

GOLDEN = Path(__file__).with_name("golden.json")
DIGITS = 13

ENTRIES: dict[str, tuple[str, Mapping[str, Any]]] = {
    # Every algorithm with its paper's settings; overrides only where the paper leaves a number open or 0 would hide a term.
    "grpo": ("grpo", {}),
    "dr_grpo": ("dr_grpo", {}),
    "dapo": ("dapo", {}),
    "rloo": ("rloo", {"beta": 0.05}),
    "reinforce++": ("reinforce++", {"beta": 0.05}),
    "reinforce++-baseline": ("reinforce++-baseline", {"kl": 0.01, "kl_kind": "k2"}),
    "remax": ("remax", {}),
    "ppo": ("ppo", {"gamma": 0.97, "lam": 0.9, "beta": 0.05, "value_coefficient": 0.7, "value_clip": 0.2}),
    "vapo": ("vapo", {"gamma": 0.97, "beta": 0.05, "alpha": 0.4, "value_clip": 0.2}),
    "prime": ("prime", {"gamma": 0.97}),
    "steps": ("steps", {"gamma": 0.97}),
    "spo": ("spo", {}),
    "gspo": ("gspo", {}),
    "gspo_token": ("gspo_token", {}),
    "cispo": ("cispo", {"clip_high": 0.28}),
    "liteppo": ("liteppo", {}),
    "gmpo": ("gmpo", {}),
    "gepo": ("gepo", {}),
    "clip_cov": ("clip_cov", {}),
    "kl_cov": ("kl_cov", {}),
    "gfpo": ("gfpo", {"keep_shortest": 2}),
    "flashrl": ("flashrl", {"tis": 2.0}),
    "spiral": ("spiral", {}),
    "vineppo": ("vineppo", {}),
    "spo_segment": ("spo_segment", {}),
    "treerl": ("treerl", {}),
    # What algorithms share, on the first case.
    "kl k2": ("grpo", {"kl": 0.1, "kl_kind": "k2"}),
    "kl none": ("grpo", {"kl": 0.0}),
    "kl k3 on sequences": ("gspo", {"kl": 0.1}),
    "entropy": ("dapo", {"entropy": 0.01}),
    "dual clip": ("dapo", {"dual_clip": 1.3}),
    "tis": ("dapo", {"tis": 1.5}),
    "tis by sequence": ("dapo", {"tis": 1.5, "tis_level": "sequence"}),
    "mask by token": ("dapo", {"mask": "token", "mask_low": 0.7, "mask_high": 1.5}),
    "mask by sequence": ("dapo", {"mask": "sequence"}),
    "top entropy": ("dapo", {"top_entropy": 0.2}),
    "std batch": ("grpo", {"std": "batch", "kl": 0.0}),
    "std none": ("grpo", {"std": "none", "kl": 0.0}),
    "token_mean": ("grpo", {"aggregate": "token_mean", "kl": 0.0}),
    "sequence_sum": ("grpo", {"aggregate": "sequence_sum", "kl": 0.0}),
    "constant": ("grpo", {"aggregate": "constant", "kl": 0.0}),
    "included of a group": ("gepo", {"keep_shortest": 2}),
    "gae to the end": ("ppo", {"gamma": 1.0, "lam": 1.0, "beta": 0.0}),
}

KEYS = {
    f"{entry}/{seed}": (entry, seed) for entry in ENTRIES for seed in SEEDS if entry in REFERENCES or seed == SEEDS[0]
}


def plain(outcome: Outcome) -> dict[str, Any]:
    """An outcome as JSON values, without what it lacks."""

    def short(value: Any) -> Any:
        return [short(x) for x in value] if isinstance(value, list) else float(f"{value:.{DIGITS}g}")

    return {name: short(value) for name, value in vars(outcome).items() if value is not None}


def numbers(value: Any) -> Iterator[float]:
    """Of nested lists, in their order."""
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    else:
        yield value


def apart(made: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, float]:
    """The largest difference of each part, absolute or relative, whichever is smaller; infinite where the parts differ."""
    if made.keys() != wanted.keys():
        return dict.fromkeys(made.keys() ^ wanted.keys(), inf)
    return {
        name: max(
            abs(x - y) / max(1.0, abs(y)) for x, y in zip(numbers(made[name]), numbers(wanted[name]), strict=True)
        )
        for name in wanted
    }


def recorded(entry: str, seed: int) -> dict[str, Any]:
    """What the reference makes of an entry."""
    name, overrides = ENTRIES[entry]
    return plain(REFERENCES[name](case(seed), **overrides))


def main() -> None:
    lines = [
        f"{json.dumps(key)}: {json.dumps(recorded(entry, seed), separators=(',', ':'))}"
        for key, (entry, seed) in KEYS.items()
    ]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
