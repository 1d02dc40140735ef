from __future__ import annotations

from pathlib import Path

import pytest

from envhub.sandbox.linux import ids

ALL = "         0          0 4294967295\n"


def drawn(tmp_path: Path, *texts: str) -> list[list[int] | None]:
    maps = []
    for number, text in enumerate(texts):
        maps.append(tmp_path / str(number))
        maps[-1].write_text(text)
    return [ids.draw_ids(tuple(map(str, maps))) for _ in range(200)]


def test_of_all_users_those_that_nobody_has_are_drawn_in_pairs_that_do_not_overlap(tmp_path: Path) -> None:
    pairs = [pair for pair in drawn(tmp_path, ALL, ALL) if pair is not None]
    assert all(0x70000000 <= first < second == first + 1 < 0x78000000 and first % 2 == 0 for first, second in pairs)
    assert len({first for first, _ in pairs}) > 190


@pytest.mark.parametrize("texts", [("0 1000 1\n1 100000 65536\n", ALL), (ALL, "0 1000 1\n1 100000 65536\n")])
def test_where_there_are_few_the_upper_ones_are_drawn(tmp_path: Path, texts: tuple[str, str]) -> None:
    pairs = [pair for pair in drawn(tmp_path, *texts) if pair is not None]
    assert len(pairs) == 200
    assert all(10_000 <= first < second < 65537 for first, second in pairs)


def test_where_there_is_one_none_is_drawn(tmp_path: Path) -> None:
    assert set(map(str, drawn(tmp_path, "0 1000 1\n", "0 1000 1\n"))) == {"None"}


def test_where_the_kernel_does_not_say_all_there_are_is_assumed() -> None:
    assert ids.draw_ids(("/nonexistent", "/nonexistent")) is not None
