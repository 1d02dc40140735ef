"""Back-off between restarts."""

from __future__ import annotations

from envhub.workers.restarts import STABLE_S, RestartBackoff, restart_delay_s


def test_the_delay_doubles_up_to_a_limit() -> None:
    delays = [restart_delay_s(failures) for failures in range(12)]
    assert delays[:4] == [0.0, 0.0, 0.25, 0.5]
    assert delays == sorted(delays)
    assert delays[-1] == restart_delay_s(10**9) == 10.0


def test_a_stable_run_starts_a_new_row_of_failures() -> None:
    backoff = RestartBackoff()
    backoff.record_failure()
    assert (backoff.failures, backoff.delay_s, str(backoff)) == (1, 0.0, "immediately")
    backoff.record_failure(ran_s=STABLE_S - 0.1)
    assert (backoff.failures, str(backoff)) == (2, "in 0.25 s, after 2 failures in a row")
    backoff.record_failure(ran_s=STABLE_S)
    assert (backoff.failures, backoff.delay_s) == (1, 0.0)
