from __future__ import annotations

import pytest

from envhub.core.errors import InvalidParameters
from envhub.sandbox.backend import Setting
from envhub.sandbox.jobs import MAX_FILES, Job, Limits, Program, Result, check_paths


@pytest.mark.parametrize("path", ["a", "src/main.py", "a b/ü.txt", ".hidden", "..a", "a..", "x" * 200])
def test_plain_relative_paths_are_taken(path: str) -> None:
    check_paths([path])
    assert Program("", files={path: b""}).files == {path: b""}


WRONG = [
    "",
    "/etc/passwd",
    "../a",
    "a/../b",
    "a/..",
    ".",
    "./a",
    "a//b",
    "a/",
    "a\0b",
    "a\nb",
    "\x7f",
    "\ud800",
    "x" * 201,
]
WRONG += ["é" * 101, "a/./b", "\u202e.txt"]


@pytest.mark.parametrize("path", WRONG)
def test_every_other_path_is_refused_wherever_it_comes_in(path: str) -> None:
    for make in (
        lambda: Program("", files={path: b""}),
        lambda: Job(Program(""), fetch=(path,)),
        lambda: Setting(files={path: b""}),
    ):
        with pytest.raises(InvalidParameters, match="path"):
            make()


def test_there_are_not_too_many_files() -> None:
    with pytest.raises(InvalidParameters, match=str(MAX_FILES)):
        check_paths([str(n) for n in range(MAX_FILES + 1)])


@pytest.mark.parametrize("limit", list(Limits().to_plain()))
@pytest.mark.parametrize("value", [0, -1, 1 << 40, True, "1", None, float("nan"), float("inf")])
def test_limits_are_positive_numbers_with_an_end(limit: str, value: object) -> None:
    with pytest.raises(InvalidParameters, match=limit):
        Limits(**{limit: value})  # type: ignore[arg-type]


def test_a_limit_that_counts_is_whole() -> None:
    assert Limits(wall_s=0.5).wall_s == 0.5
    with pytest.raises(InvalidParameters, match="integer"):
        Limits(pids=1.5)  # type: ignore[arg-type]


def test_what_a_language_cannot_do_is_said() -> None:
    with pytest.raises(InvalidParameters, match="python, got bash"):
        Job(Program("", "bash"), function="f")
    with pytest.raises(InvalidParameters, match="Did you mean 'python'"):
        Program("", "pyton")
    with pytest.raises(InvalidParameters, match="NUL"):
        Program("", args=("a\0",))
    with pytest.raises(InvalidParameters, match="python or bash"):
        Setting("c")


@pytest.mark.parametrize(
    ("result", "ok", "blame"),
    [
        (Result(exit=0), True, None),
        (Result(exit=1), False, "theirs"),
        (Result(exit=None), False, "theirs"),
        (Result(exit=0, limit="wall"), False, "theirs"),
        (Result(exit=0, stage="compile"), False, "theirs"),
        (Result(exit=0, crashed=True), False, "theirs"),
        (Result.failed("no slot"), False, "ours"),
    ],
)
def test_who_is_to_blame(result: Result, ok: bool, blame: str | None) -> None:
    assert (result.ok, result.blame) == (ok, blame)
