"""What is shipped for running the server agrees with the server: ports, paths, limits, names of settings, time to end in."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import uvicorn
import yaml

from envhub.cli import serving
from envhub.server.http.app import create_app
from envhub.settings import ServerSettings
from tests.support.places import ROOT

DEPLOY = ROOT / "deploy"
DEFAULTS = ServerSettings()
DRAIN_S = serving._GRACE_S + 5  # see Supervisor's grace_s there
SPARE_S = 5


class _Strict(yaml.SafeLoader):
    """What a file says twice is said once in vain."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        assert len(keys) == len(set(keys)), f"{keys} at {node.start_mark}"
        return super().construct_mapping(node, deep)


def _documents(name: str) -> list[Any]:
    return list(yaml.load_all((DEPLOY / name).read_text(), _Strict))


def _seconds(text: str) -> int:
    amount, unit = re.fullmatch(r"(\d+)(s|m)?", str(text)).groups()  # type: ignore[union-attr]
    return int(amount) * (60 if unit == "m" else 1)


@pytest.fixture(scope="module")
def compose() -> Any:
    (found,) = _documents("compose.yaml")
    return found["services"]


@pytest.fixture(scope="module")
def kubernetes() -> dict[tuple[str, str], Any]:
    return {(one["kind"], one["metadata"]["name"]): one for one in _documents("kubernetes.yaml")}


@pytest.fixture(scope="module")
def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


@pytest.fixture(scope="module")
def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "envhub.service")
    return parser


# -- everywhere --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(DEPLOY.iterdir()), ids=lambda path: path.name)
def test_settings_are_settings_and_no_key_is_in_it(path: Path) -> None:
    text = path.read_text()
    named = {name.lower() for name in re.findall(r"\bENVHUB_([A-Z_]+)(?=[:=,])", text)}
    assert named <= set(ServerSettings.model_fields), named
    assert not re.search(r"envhub_[a-z2-7]{10}_", text)


@pytest.mark.parametrize("name", ["compose.yaml", "kubernetes.yaml"])
def test_redis_keeps_what_it_was_told(name: str) -> None:
    words = (DEPLOY / name).read_text().replace('"', "").replace("\n            - ", " ")
    for setting in ("--appendonly yes", "--appendfsync always", "--maxmemory-policy noeviction"):
        assert setting in words


# -- the image ---------------------------------------------------------------------------------------------------------


def test_the_image_is_made_of_files_that_are_there(dockerfile: str) -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = [
        line.split()[1:-1] for line in dockerfile.splitlines() if line.startswith("COPY") and "--from" not in line
    ]
    copied_names = {name for names in copied for name in names}
    assert copied_names == sent
    assert all((ROOT / name).exists() for name in sent)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.search(r"^ARG EXTRAS=(.*)$", dockerfile, re.MULTILINE)
    assert named
    assert set(named[1].split(",")) <= set(extras)
    assert "redis" in named[1]


def test_the_image_is_nobodys_root_and_says_how_it_is(dockerfile: str) -> None:
    assert re.search(r"^USER 10001:10001$", dockerfile, re.MULTILINE)
    assert f"EXPOSE {DEFAULTS.port}" in dockerfile
    assert f"http://127.0.0.1:{DEFAULTS.port}/health" in dockerfile


# -- compose -----------------------------------------------------------------------------------------------------------


def test_the_servers_of_compose(compose: Any) -> None:
    ports = set()
    for name in ("envhub-1", "envhub-2"):
        server = compose[name]
        assert _seconds(server["stop_grace_period"]) >= DRAIN_S + SPARE_S
        assert "keys:/keys:ro" in server["volumes"]  # the folder: a file that is replaced would not be seen
        assert server["depends_on"] == {"redis": {"condition": "service_healthy"}}
        assert server["read_only"]
        assert server["cap_drop"] == ["ALL"]
        (published,) = server["ports"]
        address, port, inside = published.split(":")
        assert (address, inside) == ("127.0.0.1", str(DEFAULTS.port))
        ports.add(port)
    upstream = (DEPLOY / "nginx-upstream-compose.conf").read_text()
    assert set(re.findall(r"server 127\.0\.0\.1:(\d+)", upstream)) == ports
    assert compose["redis"]["networks"] == ["inside"]
    assert "keys:/keys" in compose["keys"]["volumes"]


def test_nothing_of_compose_is_without_limits(compose: Any) -> None:
    for name, service in compose.items():
        assert service["read_only"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        if name != "keys":  # which runs for a second
            assert {"mem_limit", "cpus", "pids_limit", "restart"} <= set(service), name


# -- kubernetes --------------------------------------------------------------------------------------------------------


def test_the_pods(kubernetes: dict[tuple[str, str], Any]) -> None:
    deployment = kubernetes["Deployment", "envhub"]["spec"]
    pod = deployment["template"]["spec"]
    (container,) = pod["containers"]
    assert deployment["replicas"] >= 2
    assert pod["enableServiceLinks"] is False  # the service envhub would set ENVHUB_PORT
    (port,) = container["ports"]
    assert port["containerPort"] == DEFAULTS.port
    wait = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] >= wait + DRAIN_S + SPARE_S
    paths = create_app(ServerSettings(journal="memory:")).openapi()["paths"]
    probes = {kind: container[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness")}
    assert {kind: probe["httpGet"]["path"] for kind, probe in probes.items()} == {
        "startup": "/health",
        "liveness": "/health",  # a journal that is away is no reason to start again
        "readiness": "/ready",
    }
    assert all(probe["httpGet"]["path"] in paths for probe in probes.values())
    assert all(probe["httpGet"]["port"] == port["name"] for probe in probes.values())
    assert probes["readiness"]["timeoutSeconds"] > 5  # what /ready waits for a journal
    (keys,) = [mount for mount in container["volumeMounts"] if mount["name"] == "keys"]
    assert "subPath" not in keys
    (secret,) = [volume["secret"] for volume in pod["volumes"] if volume["name"] == "keys"]
    assert not secret["defaultMode"] & 0o022  # such a file is refused
    assert secret["defaultMode"] & 0o040  # it is root's, and of the pod's group


@pytest.mark.parametrize("what", [("Deployment", "envhub"), ("StatefulSet", "redis")])
def test_every_container_is_restricted(kubernetes: dict[tuple[str, str], Any], what: tuple[str, str]) -> None:
    pod = kubernetes[what]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in pod["containers"]:
        context = container["securityContext"]
        assert (context["allowPrivilegeEscalation"], context["readOnlyRootFilesystem"]) == (False, True)
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


def test_selectors_find_what_they_are_for(kubernetes: dict[tuple[str, str], Any]) -> None:
    labels = kubernetes["Deployment", "envhub"]["spec"]["template"]["metadata"]["labels"]
    redis = kubernetes["StatefulSet", "redis"]["spec"]["template"]["metadata"]["labels"]
    assert kubernetes["Service", "envhub"]["spec"]["selector"] == labels
    assert kubernetes["PodDisruptionBudget", "envhub"]["spec"]["selector"]["matchLabels"] == labels
    assert kubernetes["Service", "redis"]["spec"]["selector"] == redis
    policy = kubernetes["NetworkPolicy", "redis"]["spec"]
    assert policy["podSelector"]["matchLabels"] == redis
    assert policy["ingress"][0]["from"] == [{"podSelector": {"matchLabels": labels}}]


# -- systemd -----------------------------------------------------------------------------------------------------------


def test_the_unit(unit: RawConfigParser) -> None:
    service = unit["Service"]
    assert int(service["TimeoutStopSec"]) >= DRAIN_S + SPARE_S
    assert service["KillMode"] == "mixed"  # only the one that started the others is asked
    assert service["KillSignal"] == "SIGTERM"
    assert "-HUP" in service["ExecReload"]
    command = service["ExecStart"].split()
    flags = dict(zip(command[2::2], command[3::2], strict=True))
    assert command[1] == "serve"
    assert flags == {"--host": "127.0.0.1", "--port": str(DEFAULTS.port)}
    assert unit["Unit"]["AssertFileNotEmpty"] == f"/var/lib/{service['StateDirectory']}/keys.json"


@pytest.mark.slow
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    shipped = (DEPLOY / "envhub.service").read_text()
    copy = tmp_path / "envhub.service"
    copy.write_text(shipped.replace("/opt/envhub/bin/envhub", "/bin/true"))
    done = subprocess.run([program, "verify", copy], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# -- nginx -------------------------------------------------------------------------------------------------------------


def test_nginx_lets_pass_what_the_server_takes() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    limit = re.search(r"client_max_body_size (\d+)m;", text)
    assert limit
    assert int(limit[1]) * 2**20 == DEFAULTS.max_body_bytes
    assert f"at most {DEFAULTS.max_body_bytes} bytes" in text


@pytest.mark.parametrize("name", ["nginx-upstream.conf", "nginx-upstream-compose.conf"])
def test_nginx_keeps_no_connection_that_the_server_ends(name: str) -> None:
    text = (DEPLOY / name).read_text()
    kept = re.search(r"keepalive_timeout (\d+)s;", text)
    assert kept
    assert int(kept[1]) < uvicorn.Config("app").timeout_keep_alive
    assert f"127.0.0.1:{DEFAULTS.port}" in text
    assert len(re.findall(r"^ *server ", text, re.MULTILINE)) == 2  # one to ask again
