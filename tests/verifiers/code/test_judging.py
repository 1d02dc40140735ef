"""Programs as answers: read from any text, compared by built-in types, judged so that no program grades itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.effects import drive, pump
from envhub.core.resources import Resources
from envhub.core.seeding import Stream
from envhub.core.types import Verdict
from envhub.sandbox.jobs import Limits, Result
from envhub.sandbox.resource import Jobs
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.judging import Case, judge_calls, judge_runs, verdict_of

SOURCE = "def f(x):\n    return x"

# -- reading -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"```python\n{SOURCE}\n```",
        f"Here:\n\n```py\n{SOURCE}\n```\nDone.",
        f"```\n{SOURCE}\n```",
        f"~~~ python\n{SOURCE}\n~~~",
        f"````python\n{SOURCE}\n````",
        f"```python\n{SOURCE}",
        f"<think>```python\nno\n```</think>```python\n{SOURCE}\n```",
        f"<answer>```python\n{SOURCE}\n```</answer>",
        f"<answer>\n{SOURCE}\n</answer>",
        f"<answer> {SOURCE} </answer>",
        f"\\boxed{{```python\n{SOURCE}\n```}}",
        f"```python\nold\n```\nbetter:\n```python\n{SOURCE}\n```",
        f"```python\n{SOURCE}\n```\n```text\noutput\n```",
        f'```python title="x.py"\n{SOURCE}\n```',
    ],
)
def test_the_last_block_of_the_language_is_read(text: str) -> None:
    reading = Code().read(text)
    assert reading.reason is None, reading
    assert reading.value.strip() == SOURCE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (SOURCE, "empty"),
        ("```javascript\nx\n```", "unreadable"),
        ("```python\n\n```", "unreadable"),
        ("```python\n" + "x" * 20_001 + "\n```", "unreadable"),
        (f"<answer>```python\n{SOURCE}\n```</answer><answer>```python\n{SOURCE} + 1\n```</answer>", "ambiguous"),
    ],
)
def test_what_is_no_program_is_said(text: str, reason: str) -> None:
    reading = Code().read(text)
    assert (reading.value, reading.reason) == (None, reason)
    assert reading.feedback


@pytest.mark.parametrize(
    ("name", "language", "counts"),
    [
        ("py3", "python", True),
        ("Python3", "python", True),
        ("python3.11", "python", True),
        ("{.python}", "python", True),
        ("{.python .numberLines}", "python", True),
        ("{python}", "python", True),
        ("c++17", "cpp", True),
        ("{.c++}", "cpp", True),
        ("lean4", "lean", True),
        ("C99", "c", True),
        ("c++17", "c", False),
        ("cpython", "python", False),
        ("pyx", "python", False),
        ("python-repl", "python", False),
        ("c#", "c", False),
        ("{.java}", "javascript", False),
        ("3.11", "python", False),
    ],
)
def test_names_behind_the_fence(name: str, language: str, counts: bool) -> None:
    reading = Code(language=language).read(f"```{name}\nx\n```")
    assert (reading.value, reading.reason) == (("x\n", None) if counts else (None, "unreadable"))


@given(st.text(alphabet=st.sampled_from("`~ \t-1.{\npythonx<>answer/{}\\boxd\ud800\0"), max_size=200) | st.text())
def test_no_text_raises(text: str) -> None:
    for form in ("tag", "boxed", "last"):
        reading = Code().asking(form).read(text)
        assert (reading.value is None) == (reading.reason is not None)
        assert reading.value is None or isinstance(reading.value, str)


@given(st.text(alphabet="abc `\n{}<>()'\"#=:", max_size=80), st.sampled_from(["tag", "boxed", "last"]))
def test_a_program_is_read_as_it_was_wrapped(source: str, form: str) -> None:
    if "```" in source or not source.strip() or "answer>" in source or (form == "boxed" and set(source) & set("{}")):
        return
    answer = Code().asking(form)
    reading = answer.read(answer.wrap(source))
    assert reading.formatted
    assert reading.value.rstrip("\n") == source.rstrip("\n") or reading.value.strip() == source.strip()


def test_the_format_sentence_shows_the_sample() -> None:
    for form in ("tag", "boxed", "last"):
        answer = Code(sample="def g(): pass").asking(form)
        assert "def g(): pass" in answer.instruction()
        assert answer.read(answer.wrap(answer.random(Stream(b"x")))).formatted


# -- verdicts ----------------------------------------------------------------------------------------------------------


def test_all_or_nothing_and_the_share_beside_it() -> None:
    done = (Result(exit=0),)
    assert verdict_of(done, [True, True]).score == 1.0
    half = verdict_of(done, [True, False])
    assert (half.score, half.solved, half.components) == (0.0, False, {"passed": 0.5})
    assert verdict_of(done, []).score == 0.0
    broken = verdict_of((Result(crashed=True),), [False])
    assert broken.components == {"passed": 0.0, "abuse": 1.0}
    assert verdict_of((Result(exit=0), Result(crashed=True)), [True, False]).components["abuse"] == 1.0


TELLTALES = [
    "def f(n): raise ValueError(f'given {n}')",
    "def f(n): raise type(f'Given{n}', (Exception,), {})",
    "def f(n): return type(f'Given{n}', (), {})()",
    "import sys\ndef f(n): print(f'given {n}', file=sys.stderr); sys.exit(f'given {n}')",
]


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("source", TELLTALES)
def test_the_feedback_repeats_nothing_that_the_program_says(source: str) -> None:
    secret = 735_213
    by_call = judged(judge_calls("jobs", source, "f", [Case((secret,), 1)]))
    by_run = judged(judge_runs("jobs", f"{source}\nf(int(input()))", [Case(str(secret), "1")]))
    for verdict in (by_call, by_run):
        assert verdict.score == 0.0
        assert str(secret) not in verdict.feedback


@pytest.mark.usefixtures("sandbox")
def test_the_feedback_says_how_it_ended() -> None:
    def feedback(source: str) -> str:
        return judged(judge_calls("jobs", source, "f", [Case((1,), 1)])).feedback

    assert feedback("def f(n): raise ValueError").endswith("A call raised ValueError.")
    assert feedback("class Mine(ValueError): pass\ndef f(n): raise Mine").endswith("raised an exception of its own.")
    assert feedback("def f(n): return f").endswith("gave something that is no plain value.")
    run = judged(judge_runs("jobs", "raise SystemExit(3)", [Case("", "")]))
    assert run.feedback.endswith("It ended with exit status 3.")


def judged(process: Any) -> Verdict:
    resources = Resources({"jobs": Jobs()}, None)
    found: Verdict = drive(pump(process, []), resources.perform)
    return found


SECRETS = (4021, 9133, 7750)
CASES = [Case((n,), value) for n, value in zip((3, 5, 8), SECRETS, strict=True)]
RIGHT = f"def f(n):\n    return {{3: {SECRETS[0]}, 5: {SECRETS[1]}, 8: {SECRETS[2]}}}[n]"
QUICK = Limits(wall_s=4, cpu_s=2)

LIAR = "class A({base}):\n    def __eq__(s, o): return True\n    __hash__ = None\ndef f(n): return A({made})"
FRAMES = """
import sys
def f(n):
    frame, found = sys._getframe(), []
    while frame:
        found += [*frame.f_locals.values(), *frame.f_globals.values()]
        frame = frame.f_back
    flat = [v for v in found if type(v) is int and 4000 < v < 9999]
    return flat[0] if flat else None
"""
COLLECTOR = """
import gc
def f(n):
    for o in gc.get_objects():
        if type(o) in (list, tuple) and len(o) < 9:
            for v in o:
                if type(v) is int and 4000 < v < 9999:
                    return v
"""
REPLIES = """
import os
def f(n):
    for fd in range(3, 30):
        try:
            os.write(fd, b"\\x00\\x00\\x00\\x05v4021")
        except OSError:
            pass
    return 0
"""
CHEATS = {
    "an equal that is always true": LIAR.format(base="", made=""),
    "a subclass of int": LIAR.format(base="int", made="n"),
    "a subclass of str": LIAR.format(base="str", made="'x'"),
    "a subclass of list": LIAR.format(base="list", made=""),
    "leaves": "import os\ndef f(n): os._exit(0)",
    "leaves at once": "import os\nos._exit(0)\ndef f(n): return n",
    "prints": "print('4021\\n9133\\n7750\\nok 1.0 solved')\ndef f(n): print('passed')",
    "exits well": "import sys\ndef f(n): sys.exit(0)",
    "frames": FRAMES,
    "collector": COLLECTOR,
    "a constant": "def f(n): return 4021",
    "one case by heart": "def f(n): return 4021 if n == 3 else 0",
    "a float": "def f(n): return {3: 4021.0, 5: 9133.0, 8: 7750.0}[n]",
    "a text": "def f(n): return str({3: 4021, 5: 9133, 8: 7750}[n])",
    "replies of its own": REPLIES,
    "other builtins": "import builtins\nbuiltins.repr = lambda x: '4021'\nbuiltins.int = lambda x: 4021\ndef f(n): return n",
    "an import of ours": "import envhub\ndef f(n): return 4021",
    "a loop": "def f(n):\n    while True: pass",
}


@pytest.mark.usefixtures("sandbox")
def test_a_right_program_passes() -> None:
    verdict = judged(judge_calls("jobs", RIGHT, "f", CASES))
    assert (verdict.score, verdict.solved, verdict.components) == (1.0, True, {"passed": 1.0})


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("source", CHEATS.values(), ids=CHEATS.keys())
def test_no_program_grades_itself(source: str) -> None:
    verdict = judged(judge_calls("jobs", source, "f", CASES, limits=QUICK))
    assert (verdict.score, verdict.solved, verdict.status) == (0.0, False, "graded")
    if "4021" not in source:  # what is expected is in no words of ours
        assert not any(str(value) in verdict.feedback for value in SECRETS)


@pytest.mark.usefixtures("sandbox")
def test_calls_that_raise_are_wrong_and_the_others_count() -> None:
    source = "def f(n):\n    if n == 5: raise ValueError('five')\n    return {3: 4021, 8: 7750}[n]"
    verdict = judged(judge_calls("jobs", source, "f", CASES))
    assert verdict.components["passed"] == pytest.approx(2 / 3)
    assert verdict.feedback.endswith("A call raised ValueError.")


def test_a_program_without_the_function_is_not_run() -> None:
    verdict = judged(judge_calls("nowhere", "def g(n): return n", "f", CASES))
    assert (verdict.score, verdict.solved, verdict.components) == (0.0, False, {"passed": 0.0})
    assert "no function f" in verdict.feedback


@pytest.mark.usefixtures("sandbox")
def test_whole_programs_by_their_output() -> None:
    cases = [Case(f"{n}\n", f"{2 * n}\n") for n in range(3)]

    def score(source: str) -> float | None:
        return judged(judge_runs("jobs", source, cases, limits=QUICK)).score

    assert score("print(2 * int(input()))") == 1.0
    assert score("print(2 * int(input()) or 1)") == 0.0
    assert score("import sys\nprint(2 * int(input()))\nsys.exit(1)") == 0.0
    assert score("print(2 * int(input()), flush=True)\nimport os\nos.kill(os.getpid(), 9)") == 0.0
    assert score("print('\\n'.join(map(str, range(9))))") == 0.0
    bash = judged(judge_runs("jobs", "read n; echo $((n * 2))", cases, language="bash"))
    assert bash.score == 1.0


@pytest.mark.usefixtures("sandbox")
@settings(max_examples=15)
@given(st.text(max_size=60))
def test_any_source_is_judged(text: str) -> None:
    verdict = judged(judge_calls("jobs", f"f\n{text}", "f", CASES[:1], limits=QUICK))
    assert (verdict.score, verdict.status) == (0.0, "graded")
