"""API keys: what is kept of them, who is recognised, and that a server notices what was changed."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from envhub.cli import app as cli
from envhub.core.errors import InvalidParameters
from envhub.server.auth.keys import SCOPES, TOKEN, Key, KeyFile, Keyring, KeysUnavailable


class Clock:
    """Time that passes when it is told to."""

    def __init__(self, now: float = 1_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "keys.json"


@pytest.fixture
def file(path: Path, clock: Clock) -> KeyFile:
    return KeyFile(path, clock)


def keyring(path: Path, clock: Clock, **more: Any) -> Keyring:
    return Keyring(path, clock=clock, ticks=clock, **more)


# -- what is kept ------------------------------------------------------------------------------------------------------


def test_a_key_is_recognised_and_kept_only_as_a_hash(file: KeyFile, path: Path, clock: Clock) -> None:
    text, key = file.create("trainer", ["play", "verify"], rate=2.5, episodes=7, lifetime_s=60)
    assert TOKEN.fullmatch(text.encode())
    assert key == Key(
        key.id, "trainer", frozenset({"play", "verify"}), key.digest, 2.5, 7, created=1_000.0, expires=1_060.0
    )
    assert keyring(path, clock).find(text.encode()) == key
    assert file.read() == [key]
    secret = text.rpartition(key.id)[2].strip("_")
    assert len(secret) >= 40
    for kept in path.parent.iterdir():
        assert secret not in kept.read_text()
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert secret not in repr(key)


def test_no_two_keys_are_alike(file: KeyFile) -> None:
    made = [file.create(f"k{n}", ["play"]) for n in range(20)]
    assert len({text for text, _ in made}) == len({key.id for _, key in made}) == 20


def wrong(text: str) -> list[bytes]:
    head, id, secret = text.split("_", 2)
    other = "a" if secret[-1] != "a" else "b"
    return [
        b"",
        text[:-1].encode(),
        f"{text}a".encode(),
        f"{text[:-1]}{other}".encode(),
        f"{head}_{id[:-1]}{'a' if id[-1] != 'a' else 'b'}_{secret}".encode(),
        f"{head}_{id}_{secret.swapcase()}".encode(),
        text.upper().encode(),
        f"{text}\n".encode(),
        f" {text}".encode(),
        text.encode("utf-16"),
        text.replace("e", "\u0435", 1).encode(),  # a Cyrillic letter
        f"{head}_{id}_".encode() + b"\x00" * 43,
        b"\xff" * 64,
    ]


def test_nothing_else_is_recognised(file: KeyFile, path: Path, clock: Clock) -> None:
    text, key = file.create("trainer", ["play"])
    other, _ = file.create("other", ["play"])
    ring = keyring(path, clock)
    mixed = f"envhub_{key.id}_{other.split('_', 2)[2]}"  # the id of one with the secret of another
    for presented in [*wrong(text), mixed.encode(), key.digest, key.digest.hex().encode(), key.id.encode()]:
        assert ring.find(presented) is None, presented
    assert ring.find(text.encode()) == key


def test_hashes_are_compared_in_constant_time_whether_or_not_the_id_is_known(
    file: KeyFile, path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = file.create("trainer", ["play"])
    ring = keyring(path, clock)
    compared: list[int] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(len(one) * (len(one) == len(other)))
        return one == other

    monkeypatch.setattr("envhub.server.auth.keys.compare_digest", compare)
    for presented in (text.encode(), *wrong(text)):
        ring.find(presented)
    assert compared == [32] * (1 + len(wrong(text)))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"scopes": ["ply"]}, "Unknown scope 'ply'. Available: play, verify, solutions, admin. Did you mean 'play'?"),
        ({"scopes": []}, "at least one scope"),
        ({"name": "a b"}, "got 'a b'"),
        ({"name": ""}, "got ''"),
        ({"name": "x" * 65}, "1 to 64"),
        ({"name": "a\x1b[2J"}, r"got 'a\\x1b"),
        ({"rate": 0}, "rate of a key must be more than 0"),
        ({"rate": float("nan")}, "rate of a key"),
        ({"rate": float("inf")}, "rate of a key"),
        ({"episodes": 0}, "number of episodes"),
        ({"lifetime_s": -1}, "lifetime"),
    ],
)
def test_what_is_no_key_is_not_made(file: KeyFile, path: Path, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        file.create(**{"name": "k", "scopes": ["play"], **arguments})
    assert file.read() == []


def test_a_name_is_taken_until_its_key_is_revoked(file: KeyFile) -> None:
    file.create("trainer", ["play"])
    with pytest.raises(InvalidParameters, match="There is already a key 'trainer'"):
        file.create("trainer", ["verify"])
    file.revoke("trainer")
    file.create("trainer", ["verify"])
    assert [key.state(1_000.0) for key in file.read()] == ["revoked", "active"]


def test_a_key_is_revoked_by_id_or_name(file: KeyFile) -> None:
    _, one = file.create("one", ["play"])
    _, two = file.create("two", ["play"])
    assert file.revoke(one.id).id == one.id
    assert file.revoke("two").id == two.id
    with pytest.raises(InvalidParameters, match="No active key has the id or name 'two'"):
        file.revoke("two")
    file.create("three", ["play"])
    with pytest.raises(InvalidParameters, match=r"'thre'\. Did you mean 'three'"):
        file.revoke("thre")


def test_those_that_are_made_at_once_are_all_kept(path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: KeyFile(path).create(f"k{n}", ["play"])[1], range(24)))
    assert {key.id for key in KeyFile(path).read()} == {key.id for key in made}


# -- what a server sees ------------------------------------------------------------------------------------------------


def test_a_running_server_notices_within_a_second(file: KeyFile, path: Path, clock: Clock) -> None:
    ring = keyring(path, clock)
    assert not ring.required
    text, key = file.create("trainer", ["play"])
    clock.now += 1.0
    assert ring.find(text.encode()) == key
    assert ring.required
    file.revoke("trainer")
    clock.now += 0.5
    found = ring.find(text.encode())
    assert found is not None
    assert ring.state(found) == "active"  # it looks once a second, not with every request
    clock.now += 0.5
    found = ring.find(text.encode())
    assert found is not None
    assert ring.state(found) == "revoked"


def test_the_file_is_looked_at_once_a_second_and_read_when_it_has_changed(
    file: KeyFile, path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, _ = file.create("trainer", ["play"])
    looks, reads = [], []
    real_stat, real_open = os.stat, open
    monkeypatch.setattr("envhub.server.auth.keys.os.stat", lambda p: (looks.append(p), real_stat(p))[1])
    monkeypatch.setattr("builtins.open", lambda *a, **k: (reads.append(a[0]), real_open(*a, **k))[1])
    ring = keyring(path, clock)
    for _ in range(30):
        assert ring.find(text.encode())
        clock.now += 0.125
    assert (len(looks), len(reads)) == (4, 1)


def test_a_change_within_the_same_tick_of_the_disk_is_noticed(file: KeyFile, path: Path, clock: Clock) -> None:
    file.create("trainer", ["play"])
    ring = keyring(path, clock)
    assert ring.usable() == 1
    before = path.stat()
    file.revoke("trainer")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    clock.now += 1
    assert ring.usable() == 0


def test_a_key_expires(file: KeyFile, path: Path, clock: Clock) -> None:
    text, key = file.create("trainer", ["play"], lifetime_s=10)
    ring = keyring(path, clock)
    clock.now = 1_009.9
    assert (ring.state(key), ring.usable()) == ("active", 1)
    clock.now = 1_010.0
    assert (ring.state(key), ring.usable()) == ("expired", 0)
    assert ring.find(text.encode()) == key


@pytest.mark.parametrize("change", ["revoked", "expired", "deleted", "emptied"])
def test_no_change_of_the_file_opens_a_running_server(file: KeyFile, path: Path, clock: Clock, change: str) -> None:
    file.create("trainer", ["play"], lifetime_s=10)
    ring = keyring(path, clock)
    assert ring.required
    match change:
        case "revoked":
            file.revoke("trainer")
        case "deleted":
            path.unlink()
        case "emptied":
            path.write_text('{"version": 1, "keys": []}')
    clock.now += 100
    assert ring.required
    assert ring.usable() == 0
    if change in ("revoked", "expired"):  # nor does a restart
        assert keyring(path, clock).required


def test_a_server_that_is_to_need_keys_needs_them_without_a_file(path: Path, clock: Clock) -> None:
    assert keyring(path, clock, required=True).required
    assert not keyring(path, clock).required
    assert not Keyring(None).required


DAMAGED = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"version": 2, "keys": []}',
    b'{"version": 1}',
    b'{"version": 1, "keys": [{}]}',
    b'{"version": 1, "keys": 5}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("content", DAMAGED, ids=lambda content: ascii(content[:30]))
def test_a_damaged_file_lets_nobody_in(file: KeyFile, path: Path, clock: Clock, content: bytes) -> None:
    text, _ = file.create("trainer", ["play"])
    good = path.read_bytes()
    ring = keyring(path, clock)
    path.write_bytes(content)
    clock.now += 1
    with pytest.raises(KeysUnavailable, match=r"keys\.json is not a key file"):
        ring.find(text.encode())
    assert ring.required
    with pytest.raises(KeysUnavailable):
        file.create("other", ["play"])
    assert path.read_bytes() == content  # what cannot be read is not overwritten
    path.write_bytes(good)
    clock.now += 1
    assert ring.find(text.encode()) is not None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scopes", ["everything"]),
        ("scopes", []),
        ("rate", -1),
        ("rate", "many"),
        ("expires", "soon"),
        ("expires", -1),
        ("sha256", "00"),
        ("sha256", 5),
        ("more", 1),
    ],
)
def test_a_limit_that_is_not_understood_is_not_lifted(
    file: KeyFile, path: Path, clock: Clock, field: str, value: Any
) -> None:
    file.create("trainer", ["play"])
    data = json.loads(path.read_text())
    data["keys"][0][field] = value
    path.write_text(json.dumps(data))
    with pytest.raises(KeysUnavailable):
        keyring(path, clock).usable()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_lets_nobody_in(file: KeyFile, path: Path, clock: Clock, mode: int) -> None:
    text, _ = file.create("trainer", ["play"])
    path.chmod(mode)
    with pytest.raises(KeysUnavailable, match="is writable by users other than its owner"):
        keyring(path, clock).find(text.encode())
    path.chmod(0o640)  # as a mounted secret may be
    assert keyring(path, clock).find(text.encode()) is not None


def test_a_failure_to_write_leaves_what_was_there(file: KeyFile, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.create("trainer", ["play"])
    before = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("envhub.server.auth.keys.os.fsync", full)
    with pytest.raises(KeysUnavailable, match="cannot be written: No space left on device"):
        file.create("other", ["play"])
    assert path.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["keys.json", "keys.json.lock"]


# -- the command line --------------------------------------------------------------------------------------------------


def run(*arguments: str, code: int = 0) -> Any:
    result = CliRunner().invoke(cli, ["keys", *arguments])
    assert result.exit_code == code, result.output
    return result


def test_create_list_and_revoke(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    at = ("--keys", str(path))
    options = ("--scope", "play", "--scope", "verify", "--rate", "600/m", "--episodes", "1000", "--expires", "30d")
    made = run("create", "--name", "trainer", *options, *at)
    text = made.stdout.strip()
    key = Keyring(path).find(text.encode())
    assert key is not None
    assert (key.name, key.scopes, key.rate, key.episodes) == ("trainer", {"play", "verify"}, 10.0, 1000)
    assert key.expires is not None
    assert key.expires - key.created == pytest.approx(30 * 86_400)
    assert key.id in made.stderr
    shown = run("list", *at).stdout
    for part in (key.id, "trainer", "play verify", "10/s", "1000", "active"):
        assert part in shown
    (about,) = json.loads(run("list", "--json", *at).stdout)
    assert about["id"] == key.id
    secret = text.split("_", 2)[2]
    assert secret not in shown + json.dumps(about)
    assert key.digest.hex() not in shown + json.dumps(about)
    run("revoke", "trainer", *at)
    assert "revoked" in run("list", *at).stdout


def test_every_scope_can_be_given_by_name(path: Path) -> None:
    for scope in SCOPES:
        made = json.loads(run("create", "--name", scope, "--scope", scope, "--keys", str(path), "--json").stdout)
        assert made["scopes"] == [scope]
        assert Keyring(path).find(made["key"].encode()) is not None


def test_the_first_key_can_be_made_where_the_server_is_to_be_bound_beyond_loopback(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVHUB_HOST", "0.0.0.0")
    monkeypatch.setenv("ENVHUB_KEYS", str(path))
    run("create", "--name", "first", "--scope", "play")
    assert len(KeyFile(path).read()) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rate", "fast"), "--rate is like 100/s"),
        (("--rate", "0/s"), "more than 0"),
        (("--rate", "1/d"), "--rate is like 100/s"),
        (("--expires", "tomorrow"), "--expires is like 30d"),
        (("--expires", "0d"), "more than 0"),
        (("--scope", "root"), "Unknown scope 'root'"),
    ],
)
def test_what_is_wrong_is_said(path: Path, options: tuple[str, ...], said: str) -> None:
    result = run("create", "--name", "k", "--scope", "play", *options, "--keys", str(path), code=2)
    assert said in result.stderr
    assert not path.exists()
