"""Measures the cost of bombs in the pool: ``python -m benchmarks.bombs``.

One answer in ten is a bomb. Bombs rejected by a cap are compared with a load without bombs, in process and in the pool, in
pairs. Bombs that use up their deadline must not lose good answers or slow down cheap checks in this process, and must end at
their deadline; the printed overrun is measured until the process is gone. Long texts for golds of no declared kind have no
deadline, so their CPU time is measured, and that of the labelled corpora.
"""

from __future__ import annotations

import argparse
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from envhub.core.types import Verdict
from envhub.evaluation.graders import ours, read_pairs
from envhub.verifiers.answers.final_answer import compare_answer
from envhub.verifiers.math import compare
from envhub.workers.pool import Pool, abuse_verdict

CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
DEADLINE_S = 0.3
GOOD = [f"({a} + {b}) * {a + 7} - {b} / 3" for a in range(2, 12) for b in range(2, 12)]
GOLDS = ["42", "x = 2", "4, 9", r"(-\infty, 5)", r"k\pi, k \in \mathbb{Z}"]
REPEATED = [
    *(
        "x=",
        "1 and ",
        "5 cm ",
        "m/s ",
        "5!",
        "1+",
        "9^",
        "2^{",
        "\\frac12 ",
        "\\frac{1}{",
        "\\sqrt{",
        "\\sin(x)+",
        "(1,2) U ",
    ),
    *(
        "1,234,",
        "1:2:",
        "(x+1)^9",
        "n=3k+1 or ",
        "x<1 or ",
        "x>1, ",
        "\\pm 1,",
        "\\begin{pmatrix}1&2\\\\",
        "C_9^4",
        "[[1,2],",
    ),
    *("\\sum_{k=1}^{9}", "\\boxed{1}"),
]
CAPPED = ["9^9^9^9", "10^10^10", "99999999999!", "(" * 5_000 + "1" + ")" * 5_000, "1" * 1_000_000]


def read(text: str) -> bool:
    """A check with caps: parses and compares typed answers."""
    if len(text) > 65_536:  # as every environment does first
        return False
    return compare("7", text, "expression").stage != "unreadable"


def judge(text: str) -> Verdict:
    """A check without caps: ``bomb`` runs forever."""
    if text == "bomb":
        while True:
            pass
    return Verdict.exact(read(text))


def load(count: int, bombs: list[str]) -> list[str]:
    """A number of answers, with every tenth a bomb if requested."""
    good, bad = itertools.cycle(GOOD), itertools.cycle(bombs or GOOD)
    return [next(bad) if bombs and i % 10 == 9 else next(good) for i in range(count)]


def rate(work: Callable[[list[str]], None], texts: list[str]) -> float:
    """Answers per second."""
    begin = time.perf_counter()
    work(texts)
    return len(texts) / (time.perf_counter() - begin)


def capped(pool: Pool, count: int, repeats: int) -> None:
    """Throughput with bombs rejected by a cap, relative to that without bombs."""

    def in_process(texts: list[str]) -> None:
        for text in texts:
            read(text)

    def pooled(texts: list[str]) -> None:
        sent = ((text,) for text in texts if len(text) <= 65_536)
        for ran in pool.map("benchmarks.bombs:read", sent):
            assert ran.ok

    for name, work in (("in process", in_process), ("in the pool", pooled)):
        work(load(count // 10, CAPPED))
        pairs = [(rate(work, load(count, [])), rate(work, load(count, CAPPED))) for _ in range(repeats)]
        free, mixed = (median(side) for side in zip(*pairs, strict=True))
        share = median(b / a for a, b in pairs)
        print(f"capped bombs, {name}: {free:,.0f}/s without, {mixed:,.0f}/s with one in ten: {share:.0%}")


def long_texts(length: int = 4_000) -> None:
    """CPU time to compare long texts, each a repeated notation, with golds of no declared kind."""
    took: list[float] = []
    for part, gold in itertools.product(REPEATED, GOLDS):
        begin = time.process_time()
        assert not compare_answer(gold, (part * length)[:length]).same
        took.append(time.process_time() - begin)
    print(f"golds of no declared kind: {len(took)} texts of {length:,} characters:", end=" ")
    print(
        f"p50 {percentile(took, 0.5):.0f} ms, p99 {percentile(took, 0.99):.0f} ms, most {max(took) * 1e3:.0f} ms of CPU"
    )


def labelled_pairs() -> None:
    """CPU time per pair of the labelled corpora."""
    took: list[float] = []
    for pair in read_pairs(sorted(CORPUS.rglob("*.jsonl"))):
        begin = time.process_time()
        ours(pair)
        took.append(time.process_time() - begin)
    print(
        f"corpus: {len(took):,} pairs: p50 {percentile(took, 0.5):.2f} ms, p99 {percentile(took, 0.99):.1f} ms of CPU"
    )


def cheap_checks(stop: threading.Event, seconds: float) -> list[float]:
    """Durations of cheap checks in this thread, until ``stop`` or a time limit."""
    took: list[float] = []
    until = time.perf_counter() + seconds
    for text in itertools.cycle(GOOD):
        begin = time.perf_counter()
        if stop.is_set() or begin > until:
            return took
        read(text)
        took.append(time.perf_counter() - begin)
        if len(took) % 20 == 0:
            time.sleep(0.001)  # a service also waits for its requests
    return took


def percentile(took: list[float], share: float) -> float:
    """A percentile in milliseconds."""
    return sorted(took)[int(len(took) * share)] * 1e3


def burning(pool: Pool, count: int) -> None:
    """Measure bombs that use up the deadline: losses, cheap checks, overrun."""

    def loaded(texts: list[str]) -> tuple[list[Verdict], list[float]]:
        verdicts: list[Verdict] = []
        done = threading.Event()

        def grade() -> None:
            verdicts.extend(pool.judge_map("benchmarks.bombs:judge", ((text,) for text in texts)))
            done.set()

        thread = threading.Thread(target=grade)
        thread.start()
        took = cheap_checks(done, 3600)
        thread.join()
        return verdicts, took

    texts = load(count, ["bomb"])
    cheap_checks(threading.Event(), 0.3)
    before = cheap_checks(threading.Event(), 2.0)
    verdicts, during = loaded(texts)
    after = cheap_checks(threading.Event(), 2.0)
    pairs = list(zip(texts, verdicts, strict=True))
    lost = sum(verdict != Verdict.exact(True) for text, verdict in pairs if text != "bomb")
    blamed = sum(verdict == abuse_verdict() for text, verdict in pairs if text == "bomb")
    starved = sum(verdict.status == "error" for text, verdict in pairs if text == "bomb")
    print(f"burning bombs: {count} answers, one in ten a bomb: {lost} good answers lost;", end=" ")
    print(f"of {texts.count('bomb')} bombs {blamed} scored 0, {starved} errors of a machine that is too busy")
    for name, took in (("before", before), ("during", during), ("after", after)):
        print(f"  cheap checks {name}: p50 {percentile(took, 0.5):.3f} ms, p99 {percentile(took, 0.99):.3f} ms")


def outliving(pool: Pool, count: int) -> None:
    """Overrun of workers past their deadlines while this process is also busy."""

    def kills() -> Iterator[float]:
        for ran in pool.map("benchmarks.bombs:judge", [("bomb",)] * count, deadline_s=DEADLINE_S):
            assert ran.failure == "timeout"
            yield ran.seconds - DEADLINE_S

    done = threading.Event()
    busy = threading.Thread(target=lambda: [read(GOOD[0]) for _ in iter(done.is_set, True)])
    busy.start()
    over = sorted(kills())
    done.set()
    busy.join()
    print(
        f"deadlines: {count} kills, outlived by {over[len(over) // 2] * 1e3:.1f} ms (p50), {over[-1] * 1e3:.1f} ms (most)"
    )


def main() -> None:
    """Run all measurements."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bombs", description=__doc__.partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=7, help="pairs of runs (default: %(default)s)")
    parser.add_argument("--count", type=int, default=200, help="answers in the burning load (default: %(default)s)")
    given = parser.parse_args()
    labelled_pairs()
    long_texts()
    with Pool(workers=2, deadline_s=DEADLINE_S) as pool:
        capped(pool, 5_000, given.repeats)
        burning(pool, given.count)
        outliving(pool, given.count // 5)


if __name__ == "__main__":
    main()
