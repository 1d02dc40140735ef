"""What makes processes of ours, and how they end."""

from __future__ import annotations

import signal

import pytest

from envhub.workers.processes import ignore_interrupts


def test_who_is_deaf_hears_again() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with ignore_interrupts():
            signal.raise_signal(signal.SIGINT)
            assert heard == []
        assert heard == [1]
        with pytest.raises(ZeroDivisionError), ignore_interrupts():
            raise ZeroDivisionError
        signal.raise_signal(signal.SIGINT)
        assert heard == [1, 1]
    finally:
        signal.signal(signal.SIGINT, before)
