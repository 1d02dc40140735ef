"""Options and fixtures of the whole suite."""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.support import budget
from tests.support.places import TESTS
from tests.support.tiers import REACH, TIERS, tier_of, tier_of_directory, tier_of_module

if TYPE_CHECKING:
    from envhub.authoring import Environment

# What one test drew is no other test's business; those of the cache name a folder of their own.
os.environ["ENVHUB_CACHE"] = "off"
# Nor does a server outlive its test, unless the test says so.
os.environ["ENVHUB_JOURNAL"] = "memory:"

# Nor are the keys and the journal of whoever runs them.
_data = tempfile.TemporaryDirectory(prefix="envhub-tests-")
atexit.register(_data.cleanup)
os.environ["XDG_DATA_HOME"] = _data.name

# A test's time depends on the machine; what it promises does not. Examples are the same in every run: by night there are more.
ORDINARY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=50)
settings.register_profile("envhub", ORDINARY)
settings.register_profile("night", ORDINARY, max_examples=200)
settings.load_profile("envhub")


def pytest_configure(config: pytest.Config) -> None:
    if _tier(config) in ("nightly", "all"):
        settings.load_profile("night")
    budget.watch()


@pytest.fixture(scope="session")
def drawn_tasks(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A folder that keeps what was slow to draw, for all processes of this run."""
    from envhub.tasks import cache

    own = tmp_path_factory.getbasetemp()
    folder = str((own.parent if hasattr(request.config, "workerinput") else own) / "drawn")
    yield folder
    if kept := cache._cache_in(folder, ""):
        kept.close()


@pytest.fixture
def drawn_once(drawn_tasks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that are slow to draw are drawn once for all tests that ask for this: those of what is done with a task."""
    monkeypatch.setenv("ENVHUB_CACHE", drawn_tasks)


@pytest.fixture
def register() -> Iterator[Callable[[str, type[Environment]], str]]:
    """Registers environments for one test."""
    import envhub
    from envhub.registry import registry

    added: list[str] = []

    def add(id: str, cls: type[Environment]) -> str:
        envhub.register(id, cls)
        added.append(id)
        return id

    yield add
    for id in added:
        del registry._registered[id], registry._classes[id]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=list(TIERS),
        help="quick, slow, nightly, day (quick and slow: the default without -m) or all; see tests/support/tiers.py",
    )
    parser.addoption(
        "--envs",
        default="",
        help="run the registry suite and the tests of families for these ids only (comma-separated)",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whether no test of a directory or a module is of the chosen tier: it is not even imported, unless it is named."""
    if any(Path(name.partition("::")[0]).resolve() == collection_path for name in config.args):
        return None
    if collection_path.is_dir():
        tier = tier_of_directory(collection_path)
    elif collection_path.name.startswith("test_") and collection_path.suffix == ".py":
        tier = tier_of_module(collection_path)
    else:
        return None
    return True if not TIERS[_tier(config)] & REACH[tier] else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``env_id`` is every environment: quick for those that are chosen, else slow; behind a server else nightly."""
    if "env_id" not in metafunc.fixturenames:
        return
    from tests.support import chosen

    if named := metafunc.config.getoption("--envs"):
        ids = named.split(",")
    elif metafunc.definition.path.is_relative_to(TESTS / "client") or metafunc.definition.path.is_relative_to(
        TESTS / "server"
    ):
        ids = [pytest.param(id, marks=chosen.marks(id)) for id in chosen.everything()]
    else:
        quick = chosen.quick()
        rest = {id: pytest.mark.slow if id in chosen.daily() else pytest.mark.nightly for id in chosen.everything()}
        ids = [id if id in quick else pytest.param(id, marks=mark) for id, mark in rest.items()]
    metafunc.parametrize("env_id", ids, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    due = TIERS[_tier(config)]
    named = str(config.getoption("--envs"))
    kept, left = [], []
    for item in items:
        tier = tier_of(item.path, (marker.name for marker in item.iter_markers()), getattr(item, "fixturenames", ()))
        member = (
            item.callspec.params.get("member")
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else None
        )
        chosen = not named or member is None or member in named.split(",")
        (kept if tier in due and chosen else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    budget.begin(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    if call.when == "teardown":
        budget.end(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    from tests.evaluation.test_graders import seed_of_this_run

    terminalreporter.write_line(f"generated pairs: ENVHUB_PAIRS_SEED={seed_of_this_run()}")
    if _tier(config) == "quick":
        reports = [report for found in terminalreporter.stats.values() for report in found]
        for line in budget.exceeded(report for report in reports if isinstance(report, pytest.TestReport)):
            terminalreporter.write_line(line)


def _tier(config: pytest.Config) -> str:
    return str(config.getoption("--tier") or ("all" if config.getoption("-m") else "day"))
