"""terminal-v0: two programs agree on every kind of ticket, haste fails, and everything else must stay as it is."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.envs.code.shell.steps import Entry, Tree
from envhub.envs.code.terminal.environment import _draw, script
from envhub.envs.code.terminal.machine import server
from envhub.envs.code.terminal.tickets import TICKETS, Values, services, setting
from envhub.gymnasium.env import Env
from tests.envs.code.lives import jailed

__all__ = ["jailed"]
AREAS = {
    "retain": ("var/",),
    "clients": ("reports/",),
    "slow": ("reports/",),
    "mask": ("var/",),
    "port": ("etc/services/", "etc/proxy.conf"),
    "restore": ("etc/services/",),
    "live": ("srv/live/",),
    "stale": ("etc/users.csv",),
    "spool": ("spool/in/",),
    "owners": ("reports/",),
    "cron": ("etc/cron.d/",),
}
"""Where a kind of ticket may change files."""


def machine(seed: int, size: int = 8) -> Tree:
    return {path: Entry(text) for path, text in server(f"{seed:016x}", size, 6).items()}


def drawn(name: str, tree: Tree, seed: int) -> Values | None:
    return _draw(Stream(b"test", name, seed), name, tree, set())


@pytest.mark.parametrize("name", TICKETS)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_a_ticket_changes_its_own_area_and_haste_ends_elsewhere(name: str, seed: int) -> None:
    tree = machine(seed)
    values = drawn(name, tree, seed)
    if values is None:
        return
    ticket = TICKETS[name]
    after = ticket.apply(tree, values)
    changed = {path for path in tree.keys() | after.keys() if tree.get(path) != after.get(path)}
    assert changed
    assert all(path.startswith(AREAS[name]) for path in changed)
    for slip in ticket.slips:
        assert slip(tree, values) != after
    assert ticket.apply(after, values) == after or name == "port"
    assert not values.get("service") or values["service"] in ticket.words.format(**values)


@pytest.mark.parametrize("name", TICKETS)
def test_every_kind_can_be_drawn(name: str) -> None:
    assert any(drawn(name, machine(seed), seed) is not None for seed in range(12))


def test_a_service_has_its_own_values_or_those_of_all() -> None:
    tree = machine(3)
    texts = {name: tree[f"etc/services/{name}.conf"].text for name in services(tree)}
    default = setting({**tree, "etc/services/x.conf": Entry("# retention = 99\n")}, "x", "retention")
    assert default == setting({**tree, "etc/services/x.conf": Entry("")}, "x", "retention")
    assert setting({**tree, "etc/services/x.conf": Entry(" retention=7 # days\n")}, "x", "retention") == "7"
    assert setting({**tree, "etc/services/x.conf": Entry("log_dir = a/%s\n")}, "x", "log_dir") == "a/x"
    assert any("retention" in text for text in texts.values())


def test_a_broken_copy_of_another_file_does_not_rule_out_a_backup() -> None:
    tree = machine(1)
    newest, middle, _ = sorted({path.split("/")[1] for path in tree if path.startswith("backup/")}, reverse=True)
    name, other = services(tree)[:2]

    def restored(broken: tuple[str, ...]) -> str:
        files = dict(tree)
        for each in services(tree):
            text = f"port = 8000\n# copy of {middle}\n"
            files[f"backup/{middle}/{each}.conf"] = Entry(text + "?" * (each in broken))
            files[f"backup/{middle}/SUMS"] = Entry(
                "".join(f"{sha256(text.encode()).hexdigest()}  {each}.conf\n" for each in services(tree))
            )
        return TICKETS["restore"].apply(files, {"service": name})[f"etc/services/{name}.conf"].text

    assert restored(()) == restored((other,))
    assert middle in restored((other,))
    assert middle not in restored((name,))
    assert newest not in restored((name,))


def begun(level: int, seed: int = 1) -> Env:
    env = envhub.make("terminal-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def judged(env: Env, *commands: str) -> dict[str, Any]:
    twin = env.fork()
    for command in commands:
        twin.step(write_call("bash", command=command))
    verdict: dict[str, Any] = twin.step(write_call("done"))[4]["verdict"]
    return verdict


@pytest.mark.slow
@pytest.mark.usefixtures("jailed")
def test_bash_and_python_agree_and_nothing_else_may_change() -> None:
    env = begun(10)
    work = script(env.task.problem)
    assert judged(env, work)["solved"]
    assert judged(env, work)["components"]["right"] == 1
    nothing = judged(env)
    assert (nothing["solved"], nothing["components"]["right"]) == (False, 0.0)
    for extra in ("touch new", "echo >> share/runbook.txt", "rm etc/today", "ln -sf runbook.txt share/again"):
        verdict = judged(env, work, extra)
        assert not verdict["solved"], extra
        assert verdict["components"]["right"] < 1, extra


@pytest.mark.nightly
@pytest.mark.usefixtures("jailed")
@pytest.mark.parametrize("level", range(1, 11))
def test_bash_and_python_agree_on_many_servers(level: int) -> None:
    for seed in range(12):
        env = begun(level, seed)
        assert judged(env, script(env.task.problem))["solved"], env.task.problem["tickets"]
