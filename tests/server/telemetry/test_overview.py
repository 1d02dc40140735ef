"""The metrics as a person reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from envhub.server.auth.keys import KeyFile, Keyring
from envhub.server.telemetry.metrics import Metrics
from envhub.server.telemetry.overview import overview
from tests.server.serving import GUESS, Api, problem

STEP = "/v1/episodes/{episode_id}/step"


def test_requests_are_added_up_over_environments_and_statuses() -> None:
    metrics = Metrics()
    for status, env, seconds in ((200, "a-v0", 0.002), (200, "b-v0", 0.002), (409, "a-v0", 0.002), (503, "", 0.002)):
        metrics.record_request("POST", STEP, status, seconds, env, "", [])
    metrics.record_request("GET", "/ready", 200, 0.002, "", "", [])
    step, ready = overview(metrics.families())["routes"]
    counts = {name: step[name] for name in ("method", "route", "count", "rejected", "failed")}
    assert counts == {"method": "POST", "route": STEP, "count": 4, "rejected": 1, "failed": 1}
    assert (ready["route"], ready["count"]) == ("/ready", 1)


def test_percentiles_lie_between_the_bounds_of_their_bucket() -> None:
    metrics = Metrics()
    for seconds in (*[0.0012] * 98, 0.2, 60.0):
        metrics.record_request("GET", "/ready", 200, seconds, "", "", [])
    route = overview(metrics.families())["routes"][0]
    assert 1 < route["p50_ms"] < 2.5
    assert 100 < route["p99_ms"] <= 250
    metrics.record_journal("step", 99.0)
    assert overview(metrics.families())["journal"][0]["p50_ms"] == 2500  # beyond the largest bound


def test_verdicts_errors_and_failures_have_their_names() -> None:
    metrics = Metrics()
    metrics.record_request("POST", STEP, 200, 0.1, "a-v0", "", [("a-v0", "graded"), ("a-v0", "error")])
    metrics.record_request("POST", STEP, 409, 0.1, "a-v0", "Conflict", [])
    metrics.record_journal("step", 0.001, failed=True)
    metrics.gauge("episodes", "Episodes", lambda: 7)
    metrics.gauge("unknown", "Fails", lambda: 1 / 0)
    found = overview(metrics.families())
    assert found["verdicts"] == [{"env": "a-v0", "count": 2, "graded": 1, "error": 1}]
    assert found["errors"] == {"Conflict": 1}
    assert (found["journal"][0]["operation"], found["journal"][0]["failed"]) == ("step", 1)
    assert found["gauges"] == {"episodes": 7.0, "unknown": None}


def test_nothing_has_happened_yet() -> None:
    found = overview(Metrics().families())
    assert found == {"routes": [], "errors": {}, "verdicts": [], "journal": [], "gauges": {}}


def test_the_operator_sees_names_of_keys_and_no_other_key_sees_anything(
    make_api: Callable[..., Api], tmp_path: Path
) -> None:
    file = KeyFile(tmp_path / "keys.json")
    operator, trainer = (file.create(name, [scope])[0] for name, scope in (("op", "admin"), ("trainer", "play")))
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    body = {"env_id": GUESS, "seed": 1}
    assert api.post("/v1/episodes", body, headers={"authorization": f"Bearer {trainer}"}).status_code == 201
    shown = api.send("GET", "/web/server", headers={"authorization": f"Bearer {operator}"})
    keys = [
        {"name": "op", "scopes": ["admin"], "state": "active"},
        {"name": "trainer", "scopes": ["play"], "state": "active"},
    ]
    assert shown.json()["keys"] == keys
    assert shown.json()["gauges"]["episodes"] == 1
    assert not any(key.id in shown.text for key in file.read())
    assert problem(api.send("GET", "/web/server", headers={"authorization": f"Bearer {trainer}"}))[:2] == (
        403,
        "Forbidden",
    )
    assert api.get("/web/server").status_code == 401


@pytest.mark.parametrize("secret", ["digest", "sha256", "envhub_"])
def test_nothing_of_a_key_but_its_name_is_shown(make_api: Callable[..., Api], tmp_path: Path, secret: str) -> None:
    text, _ = KeyFile(tmp_path / "keys.json").create("op", ["admin"])
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    assert secret not in api.send("GET", "/web/server", headers={"authorization": f"Bearer {text}"}).text
