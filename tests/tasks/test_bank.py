"""Banks: what is read there is what would have been drawn, or it is refused by name."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import envhub
from envhub.authoring import BaseParams, SingleTurn
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Task, Verdict
from envhub.registry.registry import unregister
from envhub.tasks.bank import MANIFEST, Bank, BankRefused
from envhub.tasks.bank_building import build
from envhub.verifiers.answers.types import Integer
from tests.cli.commands import refused, run

COUNT = 12


class Banked(SingleTurn):
    """Say a number. It counts how often it is drawn."""

    answer = Integer()
    drawn: ClassVar[int] = 0
    most: ClassVar[int] = 10**9

    class Params(BaseParams):
        """None."""

    def sample(self, rng: Stream, p: Any) -> Instance:
        type(self).drawn += 1
        number = rng.below(self.most)
        return Instance({"number": number, "pair": (number, 1.5)}, key=[number])

    def prompt(self, problem: Any) -> str:
        return f"Say {problem['number']}."

    def example(self, problem: Any) -> str:
        return "0"

    def grade(self, inst: Instance, value: Any) -> Verdict:
        return Verdict.exact(value == inst.key[0])

    def solve(self, inst: Instance) -> str:
        return str(inst.key[0])


@pytest.fixture
def banked() -> Iterator[type[Banked]]:
    envhub.register("banked-v0", Banked, category="numbers")
    yield Banked
    unregister("banked-v0")


@pytest.fixture
def bank(banked: type[Banked], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first tasks of a stream, in use."""
    build(tmp_path / "bank", ["banked-v0", "guess-number-v0"], COUNT, difficulty=(1, 3), seed=5)
    monkeypatch.setenv("ENVHUB_BANK", str(tmp_path / "bank"))
    banked.drawn = 0
    return tmp_path / "bank"


def streamed(count: int = COUNT) -> list[Task]:
    stream = envhub.TaskStream({"banked-v0": 1, "guess-number-v0": 1}, difficulty=(1, 3), seed=5)
    return [next(stream) for _ in range(count)]


def spoil(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def test_a_stream_reads_what_it_would_draw(bank, banked, monkeypatch):
    read = streamed(COUNT + 5)
    beyond = sum(task.env_id == "banked-v0" for task in read[COUNT:])
    assert banked.drawn == 1 + beyond  # the first one to test the bank
    env = envhub.begin(next(task for task in read if task.env_id == "banked-v0"))
    assert env.step(env.solve())[1] == 1.0
    assert banked.drawn == 1 + beyond
    monkeypatch.delenv("ENVHUB_BANK")
    assert read == streamed(COUNT + 5)
    assert {task.env_id for task in read[:COUNT]} == {"banked-v0", "guess-number-v0"}


def test_only_its_owner_can_read_it(bank):
    assert stat.S_IMODE(bank.stat().st_mode) == 0o700
    assert stat.S_IMODE((bank / "00000.bank").stat().st_mode) == 0o600


def test_a_damaged_entry_is_drawn_again_and_reported(bank, caplog):
    intact = streamed()
    for at in range(1, 400, 7):  # the last entries
        spoil(bank / "00000.bank", -at)
    caplog.set_level(logging.WARNING)
    damaged = Bank(bank)
    assert 0 < sum(damaged.get(root) is None for root in damaged) < COUNT
    assert "is damaged; its task is drawn again" in caplog.text
    assert streamed() == intact
    result = run("bank", "check", str(bank), "--json")
    assert result.exit_code == 1
    assert 0 < json.loads(result.stdout)["damaged"] < COUNT


@pytest.mark.parametrize("keep", [0, 10, 100, -1])
def test_an_incomplete_shard_is_refused_by_name(bank, keep):
    shard = bank / "00000.bank"
    shard.write_bytes(shard.read_bytes()[:keep])
    with pytest.raises(BankRefused, match=r"00000\.bank"):
        streamed()


def test_another_file_is_no_shard(bank):
    spoil(bank / "00000.bank", 0)
    with pytest.raises(BankRefused, match=r"00000\.bank is damaged"):
        Bank(bank)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("environments", ["guess-number-v7"], r"tasks of guess-number-v7.*Did you mean 'guess-number-v0'"),
        ("envhub", 2, r"the format 2, not 1"),
        ("shards", ["00001.bank"], r"00001\.bank"),
    ],
)
def test_another_version_is_refused_by_name(bank, field, value, said):
    manifest = json.loads((bank / MANIFEST).read_text())
    (bank / MANIFEST).write_text(json.dumps({**manifest, field: value}))
    with pytest.raises(BankRefused, match=said):
        Bank(bank)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"envhub": 1}'])
def test_a_folder_without_a_manifest_is_no_bank(bank, text):
    (bank / MANIFEST).write_text(text)
    with pytest.raises(BankRefused, match="is not a bank"):
        Bank(bank)


def test_a_bank_of_other_code_is_refused_by_name(bank, banked, monkeypatch):
    monkeypatch.setattr(banked, "most", 10**6)
    with pytest.raises(BankRefused, match="tasks of banked-v0 that this version does not draw"):
        streamed()


def test_a_bank_is_replaced_only_on_request(bank):
    with pytest.raises(InvalidParameters, match="contains a bank"):
        build(bank, ["guess-number-v0"], 3)
    assert len(build(bank, ["guess-number-v0"], 3, overwrite=True)) == 3


def test_the_command_builds_and_checks(tmp_path):
    built = run(
        "bank", "build", "guess-number-v0", "-n", "5", "-o", str(tmp_path / "b"), "--difficulty", "2-4", "--json"
    )
    assert json.loads(built.stdout) == {"bank": str(tmp_path / "b"), "tasks": 5, "shards": 1}
    checked = run("bank", "check", str(tmp_path / "b"))
    assert checked.exit_code == 0
    assert "5 tasks of guess-number-v0, 0 of them damaged." in checked.stdout
    assert "is not a bank" in refused(run("bank", "check", str(tmp_path)))
    assert "contains a bank" in refused(run("bank", "build", "maze-v0", "-n", "5", "-o", str(tmp_path / "b")))
