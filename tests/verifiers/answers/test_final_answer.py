"""A verdict does not depend on where it is given: in a thread, on an event loop, in a forked process."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import envhub
from envhub.core.seeding import Stream
from envhub.registry.registry import builtin_ids, load, spec
from envhub.verifiers.math import compare
from envhub.workers.pool import Pool
from tests.support.places import CORPUS

pytestmark = pytest.mark.slow

PAIRS = [json.loads(line) for line in (CORPUS / "dev.jsonl").read_text().splitlines()][::11]


def everything() -> list[str]:
    """Verdicts of every verifier on right, random and awkward answers, as texts."""
    said = [str(compare(p["gold"], p["answer"], p["kind"], **p["options"])) for p in PAIRS]
    for env_id in builtin_ids():
        if getattr(load(spec(env_id)), "files", ()):
            continue  # needs a file of questions, which compare() has judged above
        env = envhub.make(env_id, difficulty=4)
        env.reset(seed=11)
        rng = Stream(b"anywhere", env_id)
        for action in (env.solve(), env.random_action(rng), "5 or 3", "\\boxed{7}", "\ud800"):
            twin = env.fork()
            said.append(repr(twin.step(action)))
    with Pool(workers=1) as pool:
        ran = pool.call("envhub.verifiers.math:compare", "1/2", "0.5", "rational")
        said.append(f"{ran.value} {ran.failure}")
    return said


@pytest.fixture(scope="module")
def here() -> list[str]:
    return everything()


def in_a_thread() -> list[str]:
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(everything).result()


def in_many_threads() -> list[str]:
    with ThreadPoolExecutor(3) as executor:
        first, *others = [future.result() for future in [executor.submit(everything) for _ in range(3)]]
    assert all(other == first for other in others)
    return first


def on_an_event_loop() -> list[str]:
    async def work() -> list[str]:
        return everything()

    return asyncio.run(work())


def in_a_forked_process() -> list[str]:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            with os.fdopen(writer, "w", encoding="utf-8", errors="surrogatepass") as out:
                json.dump(everything(), out)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8", errors="surrogatepass") as told:
        said: list[str] = json.load(told)
    os.waitpid(child, 0)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("place", [in_a_thread, in_many_threads, on_an_event_loop, in_a_forked_process])
def test_verdicts_are_the_same_everywhere(place: Callable[[], list[str]], here: list[str]) -> None:
    assert place() == here


def test_there_is_something_to_compare(here: list[str]) -> None:
    assert len(here) > 100
    assert len(set(here)) > 20
