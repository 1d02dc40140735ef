"""envhub sandbox: doctor, languages, broker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from envhub.cli import app
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.doctor import FALLBACKS, REQUIRED
from envhub.sandbox.process.backend import PERMISSION, ProcessBackend
from envhub.sandbox.slots.pool import PROBE, PROBED
from tests.sandbox import jails, weak

pytestmark = pytest.mark.slow


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["sandbox", *arguments])


def test_the_doctor_is_content_where_jails_can_be_made() -> None:
    jails.backend()
    found = run("doctor", "--json")
    said = json.loads(found.stdout)
    assert found.exit_code == 0
    assert said["healthy"]
    assert said["attacks"] == []
    shown = run("doctor")
    assert shown.exit_code == 0
    assert "namespace: healthy" in shown.stdout
    for name in (*REQUIRED, *FALLBACKS, "python", "control groups", "broker"):
        assert name in shown.stdout


@pytest.mark.parametrize(("layer", "codes", "said"), [("seccomp", (1, 1), "MISSING"), ("cgroup", (0, 1), "not active")])
def test_a_missing_layer_is_told_and_fails(
    monkeypatch: pytest.MonkeyPatch, layer: str, codes: tuple[int, int], said: str
) -> None:
    monkeypatch.setenv(PERMISSION, "1")
    layers = dict.fromkeys((*REQUIRED, *FALLBACKS), "active") | {layer: "no\x1b[2J such thing"}
    monkeypatch.setattr("envhub.sandbox.doctor.backend_named", lambda name: weak.Lacking(ProcessBackend(), **layers))
    found = run("doctor")
    assert found.exit_code == codes[0]
    assert f"{said}: no\\x1b[2J such thing" in found.stdout
    assert (FALLBACKS.get(layer, "NOT SAFE")) in " ".join(found.stdout.split())  # lines are as long as the terminal
    assert run("doctor", "--strict").exit_code == codes[1]


def test_attacks_that_succeed_are_told_and_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PERMISSION, "1")
    monkeypatch.setenv("ENVHUB_SANDBOX", "process")
    found = run("doctor", "--only", "70", "--only", "16", "--json")
    assert found.exit_code == 1
    harsh, reading = sorted(json.loads(found.stdout)["attacks"], key=lambda each: each["number"])
    assert (reading["stopped"], list(reading["breaches"])) == (False, ["leaked"])
    assert (harsh["stopped"], "harm" in harsh["skipped"]) == (False, True)
    shown = run("doctor", "--only", "70")
    assert "NOT STOPPED  files of the host (leaked: " in shown.stdout
    assert "0 of 1 attacks were stopped, 0 were not tried." in shown.stdout


def test_attacks_that_are_stopped_are_fine() -> None:
    jails.backend()
    found = run("doctor", "--only", "1", "--only", "70")
    assert found.exit_code == 0
    assert "2 of 2 attacks were stopped" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("doctor", "--only", "52"), "timing"),
        (("doctor", "--only", "999"), "There is no attack 999"),
        (("doctor", "--backend", "dokcer"), "Did you mean 'docker'?"),
        (("languages", "--backend", "process"), PERMISSION),
        (("broker",), "--socket"),
    ],
)
def test_bad_usage_is_told(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str) -> None:
    monkeypatch.delenv(PERMISSION, raising=False)
    jails.backend()
    found = run(*arguments)
    assert found.exit_code == 2
    assert said in found.stderr


def test_languages_are_listed() -> None:
    jails.backend()
    assert json.loads(run("languages", "--json").stdout)["python"] == "installed"
    found = run("languages")
    assert found.exit_code == 0
    assert "javascript" in found.stdout


def test_a_broker_serves_until_it_is_told_to_stop(tmp_path: Path) -> None:
    path = tmp_path / "broker.sock"
    command = [sys.executable, "-m", "envhub", "sandbox", "broker", "--socket", str(path), "--backend", "process"]
    environment = {**os.environ, PERMISSION: "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as broker:
        assert broker.stdout is not None
        try:
            assert broker.stdout.readline() == b"ready\n"
            with RemoteSandbox(path, start=False) as remote:
                assert remote.run(PROBE)[0].values == PROBED
        finally:
            broker.send_signal(signal.SIGTERM)
        assert broker.wait() == 0
    assert not path.exists()


def test_a_broker_that_cannot_start_says_so(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    assert run("broker", "--socket", str(tmp_path / "open" / "x.sock")).exit_code == 2
