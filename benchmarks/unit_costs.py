"""CPU time of one job and of one proof, by process: ``python -m benchmarks.unit_costs``.

Milliseconds of processor time per job in the process that asks, and in the runner, the zygote and the short-lived processes of
a slot, with the page faults of each. Needs root and control groups of version 1, whose clock counts processes that have ended.
Run it in two checkouts in turns to compare them.
"""

from __future__ import annotations

import argparse
import glob
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.proofs import _RIGHT, _STATEMENT, _WRONG
from benchmarks.sandbox import _JOB
from envhub.sandbox import LocalSandbox
from envhub.sandbox.jobs import Job, Program
from envhub.verifiers.proofs.lean import LeanKernel

_ECHO: Final = Program("def f(x): return x\n")
JOBS: Final[Mapping[str, Job]] = {
    "an empty program": Job(Program("")),
    "one call": Job(_ECHO, function="f", calls=((1,),)),
    "101 calls": Job(_ECHO, function="f", calls=tuple((number,) for number in range(101))),
    "the job of `benchmarks sandbox`": _JOB,
}
_WARM_UP: Final = 20
_SETTLED_S: Final = 0.2


def main() -> None:
    """Measure jobs, then proofs if Lean is set up."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unit_costs", description=__doc__)
    parser.add_argument("--jobs", type=int, default=200, help="jobs of each kind (default: %(default)s)")
    parser.add_argument("--proofs", type=int, default=0, help="proofs of each kind (default: none)")
    given = parser.parse_args()
    for name, job in JOBS.items():
        print(f"{name}: {_job_cost(job, given.jobs)}", flush=True)
    if given.proofs:
        _print_proofs(given.proofs)


def _job_cost(job: Job, count: int) -> str:
    with LocalSandbox("namespace", slots=1) as sandbox:
        for _ in range(_WARM_UP):
            sandbox.run(job)
        runner, zygote = _processes_of_slot()
        before = _readings(runner, zygote)
        for _ in range(count):
            sandbox.run(job)
        time.sleep(_SETTLED_S)  # until the processes that wait for the next job do so
        after = _readings(runner, zygote)
    spent = {name: (after[name] - before[name]) / count for name in before}
    spent["children"] = spent["slot"] - spent["runner"] - spent["zygote"]
    times = ", ".join(f"{name} {spent[name]:.2f}" for name in ("host", "runner", "zygote", "children"))
    faults = f"{spent['zygote faults']:.0f} page faults of the zygote and {spent['child faults']:.0f} of the children"
    return f"{spent['host'] + spent['slot']:.2f} ms ({times}); {faults}"


def _readings(runner: int, zygote: int) -> dict[str, float]:
    """Counters in milliseconds and page faults."""
    return {
        "host": time.process_time() * 1e3,
        "slot": _slots_ms(),
        "runner": _process_ms(runner),
        "zygote": _process_ms(zygote),
        "zygote faults": _stat(zygote)[7],
        "child faults": _stat(runner)[8],
    }


def _processes_of_slot() -> tuple[int, int]:
    """Process ids of the runner and the zygote of the only slot."""
    (supervisor,) = _children(os.getpid())
    (runner,) = _children(supervisor)
    space = os.readlink(f"/proc/{runner}/ns/pid")
    (zygote,) = (pid for pid in _children(runner) if os.readlink(f"/proc/{pid}/ns/pid") == space)
    return runner, zygote


def _children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def _process_ms(pid: int) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


def _stat(pid: int) -> list[int]:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1:]
    return [0, *map(int, fields)]


def _slots_ms() -> float:
    """CPU time of all slots of this process, from their control groups."""
    groups = glob.glob(f"/sys/fs/cgroup/cpuacct/**/envhub-*-{os.getpid()}-*", recursive=True)
    return sum(int(Path(group, "cpuacct.usage").read_text()) for group in groups) / 1e6


def _print_proofs(count: int) -> None:
    """CPU time of a right and of a wrong proof, cold and in forks of a started Lean, without and with a live server."""
    with LocalSandbox("namespace", slots=1) as sandbox:
        kernels = {
            f"{'warm' if warm else 'cold'}{', live server' * servers}": LeanKernel(sandbox, servers=servers, warm=warm)
            for warm in (False, True)
            for servers in (0, 1)
        }
        checks: dict[str, Callable[[LeanKernel], object]] = {
            "right": lambda kernel: kernel.check(_STATEMENT, _RIGHT),
            "wrong": lambda kernel: kernel.check(_STATEMENT, _WRONG[0]),
        }
        for kernel in kernels.values():
            kernel.check(_STATEMENT, _RIGHT)
        for what, check in checks.items():
            for name, kernel in kernels.items():
                before = time.process_time() * 1e3 + _slots_ms()
                for _ in range(count):
                    check(kernel)
                spent = time.process_time() * 1e3 + _slots_ms() - before
                print(f"a {what} proof, {name}: {spent / count:.1f} ms", flush=True)
        for kernel in kernels.values():
            kernel.close()


if __name__ == "__main__":
    main()
