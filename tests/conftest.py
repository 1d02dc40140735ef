"""Options and fixtures of the whole suite."""

from __future__ import annotations

import atexit
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

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
    if config.getoption("-m"):
        settings.load_profile("night")


@pytest.fixture(scope="session")
def drawn_tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A folder that keeps what was slow to draw."""
    from envhub.tasks import cache

    folder = str(tmp_path_factory.mktemp("drawn"))
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
        "--envs", default="", help="run the registry suite over these ids (comma-separated) instead of all of them"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    from tests.evaluation.test_graders import seed_of_this_run

    terminalreporter.write_line(f"generated pairs: ENVHUB_PAIRS_SEED={seed_of_this_run()}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "env_id" in metafunc.fixturenames:
        from envhub.registry.registry import list_envs, self_contained

        chosen = metafunc.config.getoption("--envs")  # else all but those that need a file, which have their own tests
        ids = chosen.split(",") if chosen else [id for id in list_envs() if self_contained(id)]
        metafunc.parametrize("env_id", ids, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("-m"):
        skip = pytest.mark.skip(reason="nightly: run by `make nightly`")
        for item in items:
            if "nightly" in item.keywords:
                item.add_marker(skip)
