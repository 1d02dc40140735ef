"""Programs are judged by the tests of a user's problem, in the shapes that public datasets have."""

from __future__ import annotations

import pytest

from envhub.core.errors import InvalidAction, InvalidParameters
from envhub.verifiers.code.own_tests import AgainstTests
from tests.verifiers.code.problems import CALL, DOUBLE, LISTED, METHOD, RIGHT, Row, judged, public


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("row", "source", "score"),
    [
        (DOUBLE, "print(2 * int(input()))", 1.0),
        (DOUBLE, "print(6)", 0.0),
        (DOUBLE, "print({3: 6, 71: 142}.get(int(input()), 0))", 0.0),
        (DOUBLE, "import sys\nprint(2 * int(input()))\nsys.exit(3)", 0.0),
        (CALL, "def double(n): return 2 * n", 1.0),
        (CALL, "def double(n): return 2.0 * n", 0.0),
        (CALL, "def double(n): return '6'", 0.0),
        (CALL, "def twice(n): return 2 * n", 0.0),
        (
            {**CALL, "compare": "close", "cases": [{"args": [3], "expected": 6.0}]},
            "def double(n): return 2 * n + 1e-9",
            1.0,
        ),
        ({**CALL, "cases": [{"args": [3], "expected": [3, [3]]}]}, "def double(n): return (n, (n,))", 1.0),
        ({**CALL, "cases": [{"args": [3], "expected": {"a": 1}}]}, "def double(n): return {'a': 1}", 1.0),
        ({**DOUBLE, "compare": "exact"}, "print(2 * int(input()), end='')", 0.0),
        ({**DOUBLE, "compare": "tokens"}, "print('', 2 * int(input()))", 1.0),
        ({**DOUBLE, "limits": {"wall_s": 2, "cpu_s": 1}}, "while True: pass", 0.0),
    ],
)
def test_programs_are_judged_by_the_tests(row: Row, source: str, score: float) -> None:
    verdict = judged(row, source)
    assert (verdict.score, verdict.status) == (score, "graded")
    assert "142" not in verdict.feedback


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("row", "source", "score"),
    [
        (public([[6], [142]]), RIGHT, 1.0),
        (public([[6], [142]]), LISTED, 1.0),
        (public([[6], [142]]), "def double(n): return (2 * n,)", 1.0),
        (public([[6], [142]]), "def double(n): return [[2 * n]]", 0.0),
        (public([[6], [142]]), "def double(n): return []", 0.0),
        (public([[6], [142]]), "def double(n): return 6", 0.0),
        (public([[6.0], [142.0]], compare="close"), "def double(n): return 2 * n + 1e-9", 1.0),
        (public([6, 142]), RIGHT, 1.0),
        (public([6, 142]), LISTED, 0.0),
        (public([[6], [142, 1]]), RIGHT, 0.0),
        (public(["[6]", "[142]"]), RIGHT, 0.0),
        (public(["[6]", "[142]"]), LISTED, 1.0),
        (public([[[6]], [[142]]]), LISTED, 1.0),
        (public([6, 142]), METHOD, 1.0),
        (public([[6], [142]]), METHOD, 1.0),
        (public(["6", "142"], inputs=("3", "71")), METHOD, 1.0),
        (public([6, 142]), METHOD.replace("2 *", "3 *"), 0.0),
        (public([6, 142]), METHOD + "\n# no line ends here", 1.0),
        (public([6, 142]), METHOD.replace("self, ", "").replace("    def", "    @staticmethod\n    def"), 1.0),
        (public([6, 142]), METHOD.replace("Solution", "Answer"), 0.0),
        (public([6, 142]), METHOD.replace("double", "twice") + "  # double", 0.0),
        (public([6, 142]), METHOD + "\ndef double(n): return 0", 0.0),  # the function comes first
        (public([6, 142]), METHOD.replace("2 *", "0 *") + "\n" + RIGHT, 1.0),
        (public([6, 142]), METHOD + "\n    def __init__(self, a): pass", 0.0),
        (public([6, 142]), "def double(n: List[int] | Optional[Dict]) -> Any: return 2 * n", 1.0),
        (
            public([6, 142]),
            "def double(n): return sum(Counter(a=n, b=n).values()) + math.floor(heapq.nsmallest(1, [0])[0])",
            1.0,
        ),
        (public([6, 142]), "'Words.'\nfrom __future__ import annotations\ndef double(n: Unknown): return 2 * n", 1.0),
        (public([6, 142]), "def double(n, k=Unknown): return 2 * n", 0.0),
        (
            public([6, 142], name="cast"),
            "class Solution:\n    def cast(self, n): return 2 * n",
            1.0,
        ),  # typing has one too
        (public([6, 142], name="Counter"), "x = 1  # Counter", 0.0),
        (public([6, 142]), "import sys\ndef double(n): return 2 * n + sys._getframe().f_lineno - 2", 1.0),
        (public([6, 142]), "double = ''", 0.0),
        (public([6, 142]), "double\\", 0.0),
        (public([6, 142]), "')))\ndouble = lambda n: 2 * n", 0.0),
        ({**CALL}, METHOD, 0.0),  # what is no public row promises a function
        ({**CALL}, "Numbers = List[int]\ndef double(n): return 2 * n", 0.0),
        ({**CALL, "cases": [{"args": [3], "expected": [6]}]}, RIGHT, 0.0),
    ],
)
def test_what_public_rows_take_for_granted(row: Row, source: str, score: float) -> None:
    verdict = judged(row, source)
    assert (verdict.score, verdict.status) == (score, "graded")


@pytest.mark.usefixtures("sandbox")
def test_other_languages() -> None:
    row = {**DOUBLE, "language": "bash"}
    assert judged(row, "read n; echo $((2 * n))", "bash").score == 1.0
    assert judged(row, "print(2 * int(input()))", "python").status == "no_answer"


def test_what_is_posted_is_read_or_refused() -> None:
    with pytest.raises(InvalidParameters, match="cases: expected a list"):
        AgainstTests({"prompt": "x"})
    with pytest.raises(InvalidParameters, match="cannot be read"):
        AgainstTests("{")
    with pytest.raises(InvalidAction):
        AgainstTests(DOUBLE)(["a"])
    assert AgainstTests({"cases": DOUBLE["cases"]})("no program").status == "no_answer"
