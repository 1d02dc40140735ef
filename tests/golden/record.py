"""Record the golden digests of environments: ``python tests/golden/record.py ID...`` (all of them without an ID).

``digests.json`` holds the digests of problems and prompts, ``judgements.json`` the results of scripted episodes.

A prompt may be reworded and recorded again. A recorded problem changes only with a new version of its environment.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from envhub.audit import digests, judgements
from envhub.registry.registry import builtin_ids, self_contained

HERE = Path(__file__).parent
RECORDS = {"digests.json": digests, "judgements.json": judgements}


def main() -> None:
    for name, record in RECORDS.items():
        file = HERE / name
        golden = json.loads(file.read_text()) if file.exists() else {}
        for env_id in sys.argv[1:] or filter(self_contained, builtin_ids()):  # what is about a file is the file's
            golden[env_id] = record(env_id)
        file.write_text(json.dumps(golden, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
