"""The containers of an episode and of its verdict.

The verdict takes nothing from the policy's container but the content of files that the daemon says were changed. Files of
tests, settings of pytest and modules that stand in front of installed ones stay behind. In the fresh container a plugin of
ours notes the outcome of every test, and two tests with drawn names, one of which fails, show whether outcomes are forged.
"""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from envhub.core.effects import Check, Effect, Exec, Live, Outcome, Query, Resource
from envhub.core.errors import MissingExtra, ResourceError
from envhub.core.types import JSON
from envhub.envs.code.swe.reports import PLUGIN, canary, outcomes_of
from envhub.generators.user_files.patches import parse
from envhub.generators.user_files.repairs import is_test
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.workshop import Workshop
from envhub.sandbox.jobs import Result
from envhub.sandbox.resource import outcome_of

COMMAND_S: Final = 60.0
_ACTIVATE: Final = "[ ! -f /opt/miniconda3/bin/activate ] || . /opt/miniconda3/bin/activate testbed 2> /dev/null; "
"""Images of SWE-bench, SWE-rebench and SWE-smith have their packages in a conda environment of this name."""
_MOST_CARRIED: Final = 400
_LEFT_BEHIND: Final = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
        "pyproject.toml",
        "sitecustomize.py",
        "usercustomize.py",
    }
)
_IN_FRONT: Final = sys.stdlib_module_names | {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "py", "xdist"}
"""Modules that the test runner imports; a new one of such a name at the top of the repository would replace it."""


class Repositories(Resource):
    """The container in which the policy works, rebuilt by its commands."""

    def __init__(self) -> None:
        super().__init__("replay")

    def absent(self) -> str | None:
        """What the machine lacks."""
        try:
            _daemon()
        except MissingExtra as error:
            return str(error)
        return None

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Start a container of the image, without its hidden files."""
        shop = _workshop(problem)
        hidden = [path for path in problem["hidden"] if path.startswith("/")]
        hidden += [f"{shop.folder}/{path}" for path in problem["hidden"] if not path.startswith("/")]
        if hidden:
            shop.run(f"rm -rf -- {shlex.join(hidden)}", COMMAND_S)
        return _Repository(shop)


class _Repository(Live):
    def __init__(self, shop: Workshop) -> None:
        self._shop = shop

    def perform(self, effect: Effect) -> Outcome:
        """Run a command; write, read, list or patch files; tell what changed."""
        what, body = effect.payload
        if isinstance(effect, Exec) and what == "run":
            ended = self._shop.run(_ACTIVATE + body, COMMAND_S)
            if ended.timed_out:
                return outcome_of((Result(stdout=ended.output, limit="wall"),))
            return outcome_of((Result(stdout=ended.output, exit=ended.status),))
        if isinstance(effect, Exec) and what == "write":
            return self._written({self._at(path): bytes.fromhex(content) for path, content in body.items()})
        if isinstance(effect, Exec) and what == "patch":
            try:
                return self._written(patched(self._shop, body))
            except ValueError as error:
                return Outcome(data=f"The patch does not apply: {error} Nothing was changed.")
        if isinstance(effect, Query) and what == "read":
            found = {path: self._shop.read(self._at(path)) for path in body}
            return Outcome(data={path: content.hex() for path, content in found.items() if content is not None})
        if isinstance(effect, Query) and what == "changes":
            return Outcome(data=self._changes(body))
        raise ResourceError(
            f"A repository accepts run, write and patch as Exec, read and changes as Query; got {what!r}."
        )

    def close(self) -> None:
        """Remove the container."""
        self._shop.close()

    def _at(self, path: str) -> str:
        return f"{self._shop.folder}/{path}"

    def _written(self, files: Mapping[str, bytes | None]) -> Outcome:
        try:
            self._shop.write(files)
        except OSError as error:
            return Outcome(data=f"The files cannot be written: {error}")
        return Outcome()

    def _changes(self, kept: Any) -> JSON:
        """The changed files that a verdict may take over.

        Deleted files are None.

        Args:
            kept: ``never``, paths that stay as they are, and ``always``, paths that are taken over whatever their names.
        """
        found: dict[str, JSON] = {}
        always = {self._at(name): False for name in kept["always"]}  # also where they are again as the image has them
        for path, deleted in {**always, **self._shop.changed()}.items():
            name = path.removeprefix(self._shop.folder + "/")
            if name in kept["never"] or not (path in always or _may_travel(name)):
                continue
            content = None if deleted else self._shop.read(path)
            if deleted or content is not None:
                found[name] = None if content is None else content.hex()
            if len(found) > _MOST_CARRIED:
                return None
        return found


class Judges(Resource):
    """Runs tests in a fresh container for each verdict."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Return at once: each verdict has a container of its own."""
        return _Judge(problem)


class _Judge(Live):
    def __init__(self, problem: JSON) -> None:
        self._problem = problem

    def perform(self, effect: Effect) -> Outcome:
        """The outcomes of the tests on the files of a ``Check``.

        If our own tests do not run, the same is tried without the policy's files: then the image is to blame.
        """
        if not isinstance(effect, Check):
            raise ResourceError(f"A judge accepts Check, got {type(effect).__name__}.")
        asked: Any = effect.payload
        found = self._tested(asked)
        if not found["honest"] and not found["forged"]:
            control = self._tested({**asked, "files": {}})
            if not control["honest"]:
                raise ResourceError(
                    f"The tests of the image do not run. The end of the output: {control['output'][-500:]}"
                )
        return Outcome(data=found)

    def _tested(self, asked: Any) -> Any:
        shop = _workshop(self._problem)
        try:
            return _tested(shop, asked)
        except ValueError as error:
            raise ResourceError(f"The row does not fit its image: {error}") from None
        finally:
            shop.close()


def patched(shop: Workshop, diff: str) -> dict[str, bytes | None]:
    """The files that a diff changes, by absolute path.

    Deleted files are None.

    Raises:
        ValueError: The diff does not apply.
    """
    after: dict[str, bytes | None] = {}
    for change in parse(diff):
        before = shop.read(f"{shop.folder}/{change.old}") if change.old else b""
        if before is None:
            raise ValueError(f"there is no file {change.old}.")
        text = change.applied(before.decode("utf-8", "surrogateescape"))
        if change.old and change.old != change.new:
            after[f"{shop.folder}/{change.old}"] = None
        if change.new:
            after[f"{shop.folder}/{change.new}"] = text.encode("utf-8", "surrogateescape")
    return after


def _tested(shop: Workshop, asked: Any) -> Any:
    """Run the tests on the policy's files in a fresh container."""
    if asked["broken"]:
        shop.write(patched(shop, asked["broken"]))
    carried = {path: None if content is None else bytes.fromhex(content) for path, content in asked["files"].items()}
    shop.write({f"{shop.folder}/{path}": content for path, content in carried.items()})
    if asked["test_patch"]:
        shop.write(patched(shop, asked["test_patch"]))
    shop.write({f"{shop.folder}/{path}": text.encode() for path, text in asked["test_files"].items()})
    nonce = secrets.token_hex(8)
    folder, failing, passing = f"/envhub-{nonce}", f"test_{secrets.token_hex(4)}", f"test_{secrets.token_hex(4)}"
    ours = f"{shop.folder}/test_{nonce}.py"
    plugin = PLUGIN.format(place=f"{folder}/report")
    shop.write({f"{folder}/envhub_{nonce}.py": plugin.encode(), ours: canary(failing, passing).encode()})
    names = [*asked["paths"], ours]
    command = (
        f"{_ACTIVATE}export PYTHONPATH={folder}:$PYTHONPATH PYTHONDONTWRITEBYTECODE=1 PYTEST_ADDOPTS='-p envhub_{nonce}'\n"
        f"{asked['command']} {shlex.join(names)}"
    )
    ended = shop.run(command, asked["seconds"])
    if ended.timed_out:
        raise ResourceError(f"The tests did not end within {asked['seconds']:g} seconds.")
    outcomes = outcomes_of(shop.read(f"{folder}/report") or b"")
    own = {name.rpartition("::")[2]: outcomes.pop(name) for name in list(outcomes) if f"test_{nonce}.py::" in name}
    return {
        "outcomes": outcomes,
        "forged": own.get(failing) == "passed",
        "honest": own == {failing: "failed", passing: "passed"},
        "output": ended.output[-2000:].decode("utf-8", "replace"),
    }


def _may_travel(path: str) -> bool:
    """Whether a changed file may reach the tests.

    Tests stay behind, and files that change how tests run.
    """
    *folders, name = path.split("/")
    hidden = ".git" in (*folders, name) or "__pycache__" in folders or name.endswith((".pyc", ".pth"))
    top = (folders or [name])[0].removesuffix(".py")
    return not (hidden or name in _LEFT_BEHIND or is_test(path) or top in _IN_FRONT)


def _workshop(problem: Any) -> Workshop:
    try:
        daemon = _daemon()
    except MissingExtra as error:
        raise ResourceError(str(error)) from None
    return Workshop(daemon, problem["image"], problem["folder"], pull=problem["pull"])


@cache
def _daemon() -> Daemon:
    found = Daemon()
    found.clean()
    return found
