"""Measures the CPU time of imports and the disk space of an install."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.harness import Side, Spread, alternate
from benchmarks.report import Section, milliseconds, table
from benchmarks.venvs import PEERS, bare, core, peer

_IDS = ("arithmetic-v0", "countdown-v0", "guess-number-v0", "sudoku-v0")
_TOOLS = frozenset({"pip", "setuptools", "wheel"})
_HUBS = ("gem", "reasoning-gym", "gymnasium", "openenv", "nemo-gym")
"""Peers whose installs are measured: those that are hubs of environments."""
_SIZES = Path(__file__).with_name("sizes.py")


def imports(repeats: int) -> Section:
    """CPU time of a fresh process that imports, or creates a first environment.

    The time of an interpreter with nothing installed is subtracted.
    """
    ours, gem, reasoning_gym, gymnasium = core(), peer("gem"), peer("reasoning-gym"), peer("gymnasium")
    statements = [
        ("envhub", ours, "pass"),
        ("envhub", ours, "import envhub"),
        *(("envhub", ours, f"import envhub; envhub.make('{id}')") for id in _IDS),
        ("envhub", ours, "import gymnasium"),
        ("gymnasium", gymnasium, "import gymnasium"),
        ("gymnasium", gymnasium, "import gymnasium; gymnasium.make('CartPole-v1')"),
        ("gem", gem, "import gem"),
        ("gem", gem, "import gem; gem.make('game:GuessTheNumber-v0-easy')"),
        ("reasoning-gym", reasoning_gym, "import reasoning_gym"),
        (
            "reasoning-gym",
            reasoning_gym,
            "import reasoning_gym; reasoning_gym.create_dataset('sudoku', seed=0, size=1)[0]",
        ),
    ]
    rows = [(where, f"`{statement}`", *_cost(python, statement, repeats)) for where, python, statement in statements]
    return Section(
        "Imports and first environment",
        table(("installed package", "statement", "CPU time above bare Python", "additional modules"), rows),
        "Each in a new process with compiled byte code; user and system time. Bare Python is the same interpreter "
        "in an empty virtual environment. `pass` shows the cost of the start-up line by which envhub registers with "
        "Gymnasium. Modules of the standard library are included.",
    )


def _cost(python: str, statement: str, repeats: int) -> tuple[str, str]:
    """CPU time and modules in addition to bare Python's."""
    loaded, empty = Side(python, ("-c", statement)), Side(bare(), ("-c", "pass"))
    loaded.cpu()  # compiles
    busy, idle = alternate(loaded.cpu, empty.cpu, repeats)
    cost = Spread.of([a - b for a, b in zip(busy, idle, strict=True)])
    return milliseconds(cost), str(_modules(python, statement) - _modules(bare(), "pass"))


def _modules(python: str, statement: str) -> int:
    return int(Side(python, ("-c", f"{statement}\nimport sys; print(len(sys.modules))")).output().split()[-1])


def size(repeats: int) -> Section:
    """Disk space of a ``pip install``, without pip and setuptools; measured once."""
    rows = []
    installs = {"envhub": core(), **{PEERS[name]: peer(name) for name in _HUBS}}
    for requirement, python in installs.items():
        sizes = {package: size for package, size in _sizes(python).items() if package not in _TOOLS}
        ranked = sorted(sizes, key=sizes.__getitem__, reverse=True)
        largest = ", ".join(f"{package} {_mb(sizes[package])}" for package in ranked[:10])
        itself = sizes[requirement.partition("==")[0]]
        rows.append((f"`{requirement}`", _mb(sum(sizes.values())), str(len(sizes)), _mb(itself), largest))
    return Section(
        "Installed size",
        table(("install", "MB", "packages", "itself", "the ten largest"), rows),
        "Sum of the sizes of the files recorded by pip, including byte code, in MB of 1,000,000 bytes; without extras.",
        paired=False,
    )


def _sizes(python: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(Side(python, (str(_SIZES),)).output())
    return found


def _mb(size: float) -> str:
    return f"{size / 1e6:.1f}"
