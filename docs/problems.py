"""Counts distinct problems for ``envhub info``: ``python docs/problems.py [ID...]``.

Without an ID, counts for all environments. Writes ``envhub/registry/problems.json``: for each environment the number of
seeds drawn, and for each split the number of distinct problems at levels 1 to 10. Problems are compared in canonical
form; if splits are by seed, by their whole content, including the hidden part. Run it again when an environment draws
other tasks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import envhub
from envhub.audit import Subject
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import SPLITS, canonical_json
from envhub.registry.registry import builtin_ids, self_contained
from envhub.verifiers.proofs.checker import Proofs

FILE = Path(envhub.__file__).parent / "registry" / "problems.json"
QUICK, SLOW = 300, 30


def count(env_id: str) -> dict[str, int | list[int]]:
    """The counts of one environment."""
    environment = Subject(env_id).environment
    drawn = (
        SLOW
        if environment.slow or any(isinstance(resource, Proofs) for resource in environment.resources.values())
        else QUICK
    )
    return {"drawn": drawn, **{split: [differ(env_id, level, split, drawn) for level in LEVELS] for split in SPLITS}}


def differ(env_id: str, level: int, split: str, drawn: int) -> int:
    """Number of distinct problems of a level and split among the first seeds."""
    env = envhub.make(env_id, difficulty=level, split=split)
    found = set()
    for seed in range(drawn):
        env.reset(seed=seed)
        instance = env.episode.instance
        by_content = env.environment.split_by == "content"
        found.add(env.task.fingerprint if by_content else canonical_json([instance.problem, repr(instance.key)]))
    return len(found)


def main() -> None:
    """Count the named environments, and write the file after each."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    for env_id in sys.argv[1:] or filter(self_contained, builtin_ids()):
        known[env_id] = count(env_id)
        FILE.write_text(json.dumps(dict(sorted(known.items()))).replace("}, ", "},\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
