"""Record the golden digests of environments: ``python tests/golden/record.py ID...`` (all of them without an ID).

``digests.json`` holds the digests of problems and prompts, ``judgements.json`` the results of scripted episodes, and
``pixels.json`` the first picture of environments that have one. The script prints what it recorded.

A prompt may be reworded and recorded again. A recorded problem changes only with a new version of its environment; ``--again``
records it all the same, which is right only for an environment that was never released.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from envhub.audit import digests, judgements
from envhub.registry.registry import builtin_ids, load, self_contained, spec

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))  # it is run as a file
from tests.golden import pixels  # noqa: E402

FILES = ("digests.json", "judgements.json", "pixels.json")
AGAIN = "--again"


def difference(before: Any, after: Any) -> str:
    """What a new record of digests changes."""
    if before is None:
        return "new"
    changed = [part for part in after if before.get(part) != after[part]]
    return f"other {' and '.join(changed)}" if changed else "unchanged"


def main(arguments: list[str]) -> int:
    """Record, unless a recorded problem would change; returns the exit status."""
    again, named = AGAIN in arguments, [argument for argument in arguments if argument != AGAIN]
    recorded = {name: json.loads((HERE / name).read_text()) for name in FILES}
    refused = []
    for env_id in named or filter(self_contained, builtin_ids()):  # what is about a file is the file's
        found = digests(env_id)
        what = difference(recorded["digests.json"].get(env_id), found)
        if "problem" in what and not again:
            refused.append(env_id)
            continue
        recorded["digests.json"][env_id] = found
        recorded["judgements.json"][env_id] = judgements(env_id)
        if load(spec(env_id)).pictured:
            recorded["pixels.json"] |= pixels.digests([env_id])
        if named or what != "unchanged":
            print(f"{env_id}: {what}")
    for name, golden in recorded.items():
        (HERE / name).write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")
    if refused:
        print(
            f"Not recorded, because recorded problems would change: {', '.join(refused)}. To replace them, add {AGAIN}."
        )
    return bool(refused)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
