"""Records audits for the cards of the gallery: ``python docs/audits.py [ID...]``.

Without an ID, audits all environments. Writes ``envhub/registry/audits.json``: for each environment the number of checks
that apply and that failed, and the median effort at levels 1 to 10. Run it again when an environment draws other tasks.
"""

from __future__ import annotations

import json
import sys
from statistics import median

import envhub
from envhub.audit import FAST, Subject, audit
from envhub.audit.contract import effort
from envhub.core.difficulty import LEVELS
from envhub.registry.audits import FILE, Audited
from envhub.registry.registry import builtin_ids, self_contained


def record(id: str) -> Audited:
    """The record of one environment."""
    subject = Subject(id)
    efforts = (median(effort(subject, level, seed) for seed in range(subject.depth.efforts)) for level in LEVELS)
    curve = tuple(float(f"{value:.4g}") for value in efforts)
    report = audit(id, FAST)
    applied = len(report.checks) - len(report.having("not_applicable"))
    return Audited(envhub.__version__, report.depth, applied, len(report.breaches), curve)


def main() -> None:
    """Audit the named environments, and write the file after each."""
    known = json.loads(FILE.read_text(encoding="utf-8"))
    for id in sys.argv[1:] or filter(self_contained, builtin_ids()):
        known[id] = record(id).to_json()
        FILE.write_text(json.dumps(dict(sorted(known.items()))).replace("}, ", "},\n") + "\n", encoding="utf-8")
        print(f"{id}: {known[id]['checks']} checks, {known[id]['failed']} failed", flush=True)


if __name__ == "__main__":
    main()
