"""Audits reasoning-gym's datasets and our environments with the same probes.

``python -m benchmarks.audit_peers [DATASET ...] [--all]``

Each dataset is audited twice, directly and through our adapter, and so are our own single-turn environments. The probes: the
stored answer; wrong answers (empty, garbage, the answer negated, changed by one character, hedged with another, the question
echoed, another item's answer); common constant answers; repeated questions; questions shared by two neighbouring seeds; and
an answer that is a program, which creates an empty file in a temporary folder if it is evaluated.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import envhub
from benchmarks.audited import SEED, Item, Played, Side, Stopped, Theirs, with_fixed_hashes, with_library
from benchmarks.harness import ROOT
from benchmarks.report import Section, insert, table
from benchmarks.venvs import peer
from envhub.authoring import SingleTurn
from envhub.core.errors import InvalidParameters
from envhub.registry.registry import self_contained

CHOSEN: Final = (
    # evaluate the answer
    *("binary_matrix", "countdown", "intermediate_integration", "n_queens", "polynomial_multiplication", "puzzle24"),
    *("simple_integration", "spiral_matrix", "string_insertion"),
    # give full marks to wrong answers
    *("codeio", "coin_flip", "complex_arithmetic", "decimal_arithmetic", "game_of_life_halting", "gsm_symbolic"),
    *("knights_knaves", "letter_jumble", "number_format", "number_sorting", "polynomial_equations", "power_function"),
    *("spell_backward", "time_intervals"),
    # reward guessing, repeat themselves, store no answer, fail
    *("circuit_logic", "game_of_life", "jugs", "prime_factorization", "rush_hour", "self_reference"),
    *("string_splitting", "string_synthesis", "syllogism", "tower_of_hanoi"),
    # no known defects
    *("chain_sum", "maze", "sudoku"),
)
COMMON: Final = ("0", "1", "2", "-1", "Yes", "No", "True", "False", "infeasible", "nan", "4*6*1*1")
GARBAGE: Final = ("banana", "I don't know", "nan", "inf", "[]", "{}", "( ( (")
BOMBS: Final = ("9**9**9**9", "1e99999999")
DISTINCT: Final = 500
NEIGHBOURS: Final = 100
KINDS: Final = ("nothing", "garbage", "negated", "changed", "hedged", "echoed", "another's")


@dataclass
class Found:
    """Findings of the probes on one side.

    Attributes:
        items: Number of probed items.
        oracle: Share of stored answers with full score; None if none is stored.
        wrong: By kind, number of wrong answers with full score and number tried.
        partial: Mean score of answers changed by one character.
        constant: The best constant answer and its share.
        repeated: Share of questions that occurred before.
        shared: Share of questions that also occur with a neighbouring seed.
        failures: Number of failures by kind.
        evaluated: Whether an answer was executed as a program.
    """

    items: int = 0
    oracle: float | None = None
    wrong: dict[str, tuple[int, int]] = field(default_factory=dict)
    partial: float = 0.0
    constant: tuple[str, float] = ("", 0.0)
    repeated: float | None = None
    shared: float | None = None
    failures: Counter[str] = field(default_factory=Counter)
    evaluated: bool = False


def wrong_answers(item: Item, others: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Kinds and texts of wrong answers; a changed one may be right by chance."""
    yield "nothing", ""
    yield "nothing", " \n"
    for text in GARBAGE:
        yield "garbage", text
    yield "echoed", item.question
    if item.answer is None:
        return
    right = item.answer
    if right.replace(".", "", 1).isdigit() and right.strip("0."):  # otherwise a leading sign is a list bullet
        yield "negated", f"-{right}"
    yield "negated", f"not {right}"
    for text in changed(right):
        yield "changed", text
    for other in [other for other in others if other.strip() != right.strip()][:1]:
        yield "hedged", f"{right} or {other}"
        yield "hedged", f"{other} or {right}"
        yield "hedged", f"{right}\n{other}"
        yield "another's", other


def changed(text: str) -> Iterator[str]:
    """Variants with one digit or letter changed, at up to four places.

    Never changes only the sign or the leading digit.
    """
    places = [place for place, letter in enumerate(text) if letter.isascii() and letter.isalnum()]
    for place in places[:: max(1, len(places) // 4)][:4]:
        old = text[place]
        new = str((int(old) + 1) % 10) if old.isdigit() else ("b" if old in "aA" else "a")
        yield text[:place] + new + text[place + 1 :]


def audited(side: Side, count: int, budget_s: float) -> Found:
    """Run all probes on one side.

    Wrong answers take up to the whole time budget, constants half of it, questions a quarter.

    Raises:
        Stopped: It produces no items.
    """
    found = Found()
    items = side.items(SEED, count)
    tried: Counter[str] = Counter()
    passed: Counter[str] = Counter()
    partials: list[float] = []

    def score(number: int, text: str) -> tuple[bool, float]:
        try:
            return side.score(number, text)
        except Stopped as stop:
            found.failures[str(stop)] += 1
            return False, 0.0

    stored = [(number, item.answer) for number, item in enumerate(items) if item.answer is not None]
    if stored:
        found.oracle = sum(score(number, answer)[0] for number, answer in stored) / len(stored)
    answers = [answer for _, answer in stored]
    until = time.monotonic() + budget_s
    for number, item in enumerate(items):
        if time.monotonic() > until:
            items = items[:number]
            break
        for kind, text in wrong_answers(item, answers[number + 1 :] + answers[:number]):
            full, value = score(number, text)
            tried[kind] += 1
            passed[kind] += full
            if kind == "changed":
                partials.append(value)
    found.items = len(items)
    found.wrong = {kind: (passed[kind], tried[kind]) for kind in KINDS if tried[kind]}
    found.partial = sum(partials) / len(partials) if partials else 0.0
    elsewhere = [item.answer for item in side.items(SEED + 1000, count) if item.answer is not None]
    common = [text for text, _ in Counter(elsewhere).most_common(3)]
    until = time.monotonic() + budget_s / 2
    for text in dict.fromkeys([*common, *COMMON]):
        best = sum(score(number, text)[0] for number in range(len(items))) / len(items)
        found.constant = max(found.constant, (text, best), key=lambda pair: pair[1])
        if time.monotonic() > until:
            break
    for bomb in BOMBS:
        score(0, bomb)
    found.evaluated = evaluates(side, found)
    try:
        found.repeated, found.shared = repetition(side, budget_s / 4)
    except Stopped:
        found.failures["an item in time"] += 1
    side.close()
    return found


def evaluates(side: Side, found: Found) -> bool:
    """Whether an answer's text was executed, as it is or as a list element."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace"
        Path(folder).chmod(0o777)
        program = f"__import__('pathlib').Path({str(trace)!r}).write_text('x')"
        for text in (program, f"[{program}]"):
            try:
                side.score(0, text)
            except Stopped as stop:
                found.failures[str(stop)] += 1
        return trace.exists()


def repetition(side: Side, budget_s: float) -> tuple[float, float]:
    """Shares of questions repeated within a seed and shared with a neighbouring seed.

    Uses fewer questions if they are slow.
    """
    begin = time.monotonic()
    few = len(side.items(SEED, 20))
    each = (time.monotonic() - begin) / few
    many = max(20, min(DISTINCT, int(budget_s / max(each, 1e-6))))
    questions = [item.question for item in side.items(SEED, many)]
    near = min(many, NEIGHBOURS)
    here, there = set(questions[:near]), {item.question for item in side.items(SEED + 1, near)}
    return 1 - len(set(questions)) / many, len(here & there) / len(here)


# -- tables --------------------------------------------------------------------------------------------------------------


def share(value: float | None) -> str:
    """A share as a percentage."""
    return "" if value is None else f"{value:.0%}"


def wrong(found: Found) -> str:
    """The kinds of wrong answers with full score, most frequent first."""
    shares = sorted(((n / of, kind) for kind, (n, of) in found.wrong.items() if n), reverse=True)
    return ", ".join(f"{kind} {share:.0%}" for share, kind in shares) or "none"


def failures(found: Found) -> str:
    """The failures, most frequent first."""
    return ", ".join(f"{name} {count}" for name, count in found.failures.most_common(3)) or "none"


def cells(found: Found) -> list[str]:
    """The table cells of a side."""
    text, best = found.constant
    shown = text.strip().replace("\n", " ").replace("|", "/")
    constant = f"{share(best)} (`{shown[:16]}`)" if best else "0%"
    return [
        str(found.items),
        "none stored" if found.oracle is None else share(found.oracle),
        wrong(found),
        f"{found.partial:.2f}",
        constant,
        share(found.repeated),
        share(found.shared),
        failures(found),
        "yes" if found.evaluated else "no",
    ]


HEAD: Final = (
    *("items", "right accepted", "wrong with full marks", "one character off earns", "best constant", "repeated"),
    *("shared with the next seed", "failures", "runs the answer"),
)


def compared(names: Sequence[str], python: str, count: int, limit_s: float, budget_s: float) -> Section:
    """Table of reasoning-gym's datasets, directly and through the adapter."""
    with_library(python)
    from envhub.adapters.reasoning_gym import environments as reasoning_gym

    rows: list[list[str]] = []
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        theirs = Theirs(python, name, limit_s)
        try:
            rows.append([f"`{name}`", "as it is", *cells(audited(theirs, count, budget_s))])
        except Stopped as stop:
            rows.append([f"`{name}`", "as it is", f"makes no items: {stop}", *[""] * (len(HEAD) - 1)])
        finally:
            theirs.close()
        try:
            spec = reasoning_gym.register(name)
        except InvalidParameters as refused:
            rows.append(["", "adapted", f"refused: {str(refused).partition(': ')[2]}", *[""] * (len(HEAD) - 1)])
            continue
        rows.append(["", "adapted", *cells(audited(Played(spec.id, None), count, budget_s))])
    note = (
        f"reasoning-gym {reasoning_gym.scoring.release()}, default configurations, seed {SEED}, up to {count} "
        "items each. Adapted: the same dataset through `envhub.adapters.reasoning_gym.environments`."
    )
    return Section("reasoning-gym", table(["dataset", "", *HEAD], rows), note, paired=False)


def own(count: int, budget_s: float) -> Section:
    """Table of our own single-turn environments."""
    rows = []
    for id in envhub.list_envs():
        if (
            id.startswith("reasoning-gym/")
            or not self_contained(id)
            or not isinstance(envhub.make(id).environment, SingleTurn)
        ):
            continue
        print(f"{id} ...", file=sys.stderr, flush=True)
        rows.append([f"`{id}`", *cells(audited(Played(id), count, budget_s))])
    note = f"envhub {envhub.__version__}, difficulty 3, seed {SEED}, up to {count} items each."
    return Section("envhub", table(["environment", *HEAD], rows), note, paired=False)


def main() -> None:
    """Audit the named datasets, or the default list, and show or write the findings."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit_peers", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "names", nargs="*", metavar="DATASET", help="of reasoning-gym; a list of suspects if none is given"
    )
    parser.add_argument("--all", action="store_true", help="all of its datasets")
    parser.add_argument("--items", type=int, default=20, help="items of each (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=4.0, help="seconds a probe may take (default: %(default)s)")
    parser.add_argument(
        "--budget", type=float, default=30.0, help="seconds for the wrong answers (default: %(default)s)"
    )
    parser.add_argument("--markdown", action="store_true", help="write the tables into docs/audit_peers.md")
    given = parser.parse_args()
    if given.items < 2 or given.limit <= 0:
        parser.error("--items is at least 2, --limit positive")
    with_fixed_hashes()
    python = peer("reasoning-gym")
    known = Theirs(python, "", given.limit)
    names = known.names()
    known.close()
    unknown = set(given.names) - set(names)
    if unknown:
        parser.error(f"reasoning-gym has no dataset {', '.join(sorted(unknown))}")
    chosen = names if given.all else (given.names or CHOSEN)
    for name, section in (
        ("reasoning-gym", compared(chosen, python, given.items, given.limit, given.budget)),
        ("envhub", own(given.items, given.budget)),
    ):
        text = section.markdown(1)
        print(text, end="\n\n", flush=True)
        if given.markdown:
            insert(ROOT / "docs" / "audit_peers.md", name, text)


if __name__ == "__main__":
    main()
