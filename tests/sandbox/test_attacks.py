"""Every attack is stopped by every backend; and where nothing stops them, the judge says so."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from envhub.core.errors import ResourceError
from envhub.sandbox.attacks import ATTACKS, RESIDUAL, Attack, AttackSuite, Verdict, attack
from envhub.sandbox.attacks.kinds import MEANING
from envhub.sandbox.attacks.suite import HostHung, within
from envhub.sandbox.backend import Backend
from envhub.sandbox.process.backend import PERMISSION, ProcessBackend
from tests.sandbox import jails, weak

ROOT = os.geteuid() == 0
CONTROLS = [each for each in ATTACKS if each.control]


def named(attacks: list[Attack]) -> list[str]:
    return [f"{each.number}-{each.name}" for each in attacks]


@pytest.fixture(scope="module", params=["namespace", "docker"])
def suite(request: pytest.FixtureRequest) -> Iterator[AttackSuite]:
    """The suite of a backend, in which all attacks are tried one after the other, in the same slot."""
    backend: Backend = jails.backend() if request.param == "namespace" else request.getfixturevalue("docker_backend")
    with AttackSuite(backend) as made:
        yield made


@pytest.mark.parametrize("tried", ATTACKS, ids=named(list(ATTACKS)))
def test_it_is_stopped(suite: AttackSuite, tried: Attack) -> None:
    verdict = suite.judge(tried)
    if verdict.skipped:
        jails.lacking(verdict.skipped) if tried.how != "host" else pytest.skip(verdict.skipped)
    assert verdict.breaches == {}, verdict.ended
    assert verdict.stopped


# -- the judge finds what is there to be found -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def exposed() -> Iterator[AttackSuite]:
    """The suite of the backend that isolates nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PERMISSION, "1")
        with AttackSuite(ProcessBackend()) as made:
            yield made


@pytest.mark.parametrize("tried", CONTROLS, ids=named(CONTROLS))
def test_where_nothing_is_isolated_it_succeeds(exposed: AttackSuite, tried: Attack) -> None:
    if tried.root and not ROOT:
        pytest.skip("only root could do that")
    verdict = exposed.judge(tried)
    if verdict.skipped:
        jails.lacking(verdict.skipped)
    assert tried.control in verdict.breaches
    assert not verdict.stopped


def test_what_would_do_harm_is_not_tried_where_nothing_is_isolated(exposed: AttackSuite) -> None:
    harsh = [each for each in ATTACKS if each.how != "host" and not each.control and not each.gentle]
    assert {16, 17, 30, 77} <= {each.number for each in harsh}
    for each in harsh:
        verdict = exposed.judge(each)
        assert "harm" in verdict.skipped
        assert not verdict.stopped


@pytest.mark.parametrize("number", [1, 2, 3, 4, 6, 7, 10])
def test_a_harness_beside_the_program_is_fooled(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setenv(PERMISSION, "1")
    (verdict,) = attack(weak.Naive("salt"), [each for each in ATTACKS if each.number == number], "salt")
    assert "passed" in verdict.breaches


def judged(monkeypatch: pytest.MonkeyPatch, backend: type[ProcessBackend], program: str) -> Verdict:
    monkeypatch.setenv(PERMISSION, "1")
    (verdict,) = attack(backend(), [Attack(0, "a test", "", "", program, gentle=True)])
    return verdict


def test_what_is_left_for_the_next_job_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "def solve(text): tried(); open('trace', 'w').close()"
    assert "trace" in judged(monkeypatch, weak.Sticky, program).breaches["poisoned"]
    assert judged(monkeypatch, ProcessBackend, program).stopped


def test_a_host_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = judged(monkeypatch, weak.Raising, "def solve(text): tried()  # raise it")
    assert verdict.breaches == {"upset": "RecursionError: too deep"}


def test_a_host_that_waits_without_end_is_found() -> None:
    forever = threading.Event()
    with pytest.raises(HostHung, match="not finished after"):
        within(forever.wait, 0.05)
    forever.set()
    assert within(lambda: 5) == 5
    with pytest.raises(KeyError):
        within(lambda: {}[0])


@pytest.mark.parametrize("program", ["def solve(", "def solve(text): return 1", "1 / 0"])
def test_an_attack_that_never_came_to_the_point_shows_nothing(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    assert set(judged(monkeypatch, ProcessBackend, program).breaches) == {"idle"}


def test_a_backend_that_misjudges_honest_programs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PERMISSION, "1")
    with pytest.raises(ResourceError, match="A right program was misjudged"):
        attack(weak.Naive("another"), [], "salt")


def test_the_suite_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = dict(os.environ)
    attack(jails.backend(), [each for each in ATTACKS if each.number in (1, 49, 92)])
    assert list(tmp_path.iterdir()) == []
    assert dict(os.environ) == before


# -- the list --------------------------------------------------------------------------------------------------------


def test_the_list_is_whole() -> None:
    numbers = [each.number for each in ATTACKS]
    assert len(set(numbers)) == len(numbers)
    assert set(range(1, 55)) - set(numbers) == set(RESIDUAL) == {52, 53}
    assert len(numbers) >= 52 + 15


def test_the_threat_model_names_every_attack() -> None:
    text = (Path(jails.ROOT) / "docs" / "threat-model.md").read_text("utf-8")
    rows = {int(number): row for number, row in re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE)}
    assert set(rows) == {each.number for each in ATTACKS} | set(RESIDUAL)
    for each in ATTACKS:
        assert rows[each.number].startswith(f"{each.name} | "), each.number
        assert rows[each.number].endswith(f" | {each.layer}"), each.number
    for breach in MEANING:
        assert f"`{breach}`" in text


@pytest.mark.nightly
def test_all_of_this_holds_for_an_unprivileged_user() -> None:
    # but for the daemon, which is root's: a user whom it lets in has root's rights
    jails.again_unprivileged(__file__, "-k", "not docker")
