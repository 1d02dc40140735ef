"""apps-v1 and apps-code-v0: a clerk who reads only the words solves the tasks, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.core.tools.schema import Call, check
from envhub.envs.tools.apps.draft import Draft, resolved
from envhub.envs.tools.apps.tables import difference
from envhub.envs.tools.office.actions import PAGE, READS, act
from envhub.envs.tools.office.drawing import _paged, same
from envhub.envs.tools.office.goals import GOALS
from envhub.envs.tools.office.questions import QUESTIONS
from envhub.envs.tools.office.tools import OfficeTools
from envhub.gymnasium.env import Env
from tests.envs.tools import office_clerk

CLERK = Path(office_clerk.__file__).read_text()
work: Any = office_clerk.work  # a program for the sandbox, without types
SEEDS = st.integers(0, 10**6)


def begun(id: str, level: int, seed: int = 0, **params: Any) -> Env:
    env = envhub.make(id, difficulty=level, **params)
    env.reset(seed=seed)
    return env


class Tools:
    """The functions of the apps, as calls of tools in an episode."""

    def __init__(self, env: Env) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        def called(**arguments: Any) -> Any:
            shown, *_ = self.env.step(write_call(name, **arguments))
            told = shown.rpartition("\n\n")[0] or shown
            return json.loads(told) if told.startswith("{") else told

        return called


def wanted(env: Env) -> list[str]:
    texts: list[str] = env.episode.instance.problem["errands"]
    return texts


def program(env: Env) -> str:
    """The clerk as a program."""
    return f"{CLERK}\nfor text in {wanted(env)!r}:\n    print('told:', work(apis, text))"


def run(env: Env, code: str) -> str:
    return str(env.step(write_call("python", code=code))[0])


def finished(env: Env, answer: str | None = None) -> dict[str, Any]:
    given = {} if answer is None else {"answer": answer}
    verdict: dict[str, Any] = env.step(write_call("done", **given))[4]["verdict"]
    return verdict


# -- what is drawn -----------------------------------------------------------------------------------------------------------


class Pure:
    """The functions of the apps, on tables."""

    def __init__(self, tables: Any) -> None:
        self.tables = tables

    def __getattr__(self, name: str) -> Any:
        def called(**arguments: Any) -> Any:
            call = check(OfficeTools.tools[name], arguments)
            assert isinstance(call, Call), call
            self.tables, told = act(self.tables, name, call.arguments)
            return told

        return called


@pytest.mark.parametrize("kind", [*GOALS, *QUESTIONS])
@settings(max_examples=12)
@given(seed=SEEDS)
def test_the_words_and_the_apps_determine_the_changes_and_the_answer(kind: str, seed: int) -> None:
    draft = Draft(Stream(b"test", seed))
    made: Any = GOALS[kind].make(draft) if kind in GOALS else QUESTIONS[kind](draft)
    tables, numbers = draft.finish(25)
    planned = tables
    for step in (step for stage in made.plan for step in stage):
        planned, _ = act(planned, *_paged(resolved(step, numbers)))
    apis = Pure(tables)
    answer = work(apis, made.text)
    assert difference(tables, apis.tables) == difference(tables, planned)
    if kind in GOALS:
        assert difference(tables, planned)
        apps = {step[0].split("_")[0] for stage in made.plan for step in stage}
        assert len(apps) == GOALS[kind].apps
    else:
        assert not difference(tables, planned)
        assert same(answer, made.answer)


@settings(max_examples=15)
@given(seed=SEEDS)
def test_goals_of_one_world_do_not_meet(seed: int) -> None:
    rng = Stream(b"test", "meet", seed)
    draft = Draft(rng)
    texts = [GOALS[name].make(draft).text for name in rng.sample(sorted(GOALS), 6)]
    question = QUESTIONS[rng.choice(sorted(QUESTIONS))](draft)
    tables, _ = draft.finish(20)
    found = []
    for order in (texts, texts[::-1]):
        apis = Pure(tables)
        assert same(work(apis, question.text), question.answer)
        for text in order:
            work(apis, text)
        assert same(work(apis, question.text), question.answer)
        found.append(difference(tables, apis.tables))
    assert found[0] == found[1]


def test_lists_come_in_pages() -> None:
    tables, _ = Draft(Stream(b"test", "pages")).finish(25)
    _, first = act(tables, "mail_list", {"folder": "inbox", "sender": "", "page": 1})
    _, last = act(tables, "mail_list", {"folder": "inbox", "sender": "", "page": 3})
    assert (len(first["mails"]), first["pages"], len(last["mails"])) == (PAGE, 3, 5)
    with pytest.raises(ValueError, match="pages 1 to 3, got 4"):
        act(tables, "mail_list", {"folder": "inbox", "sender": "", "page": 4})


@pytest.mark.parametrize(
    ("given_", "wanted_", "right"),
    [
        ("12.50", "12.50", True),
        ("12.5 euros", "12.50", True),
        ("€12.50", "12.50", True),
        (" Anna  berg ", "Anna Berg", True),
        ("012345678", "0123 45678", True),
        ("1,234.50", "1234.50", True),
        ("1 2", "12", False),
        ("12,50", "12.50", False),
        ("1,2", "12", False),
        ("7", "7", True),
        ("07", "7", True),
        ("12.51", "12.50", False),
        ("-12.50", "12.50", False),
        ("12.50 or 13.00", "12.50", False),
        ("1e1", "10", False),
        ("", "7", False),
        ("Anna Berg, Paul Voss", "Anna Berg", False),
        ("notes/a.txt", "notes/b.txt", False),
    ],
)
def test_an_answer_is_compared_by_what_it_says(given_: str, wanted_: str, right: bool) -> None:
    assert same(given_, wanted_) is right


# -- episodes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 4])
def test_a_clerk_with_tools_solves_the_task(level: int) -> None:
    for seed in range(3):
        env = begun("apps-v1", level, seed, noise=6)
        told = [work(Tools(env), text) for text in wanted(env)]
        assert finished(env, next((answer for answer in told if answer), None))["solved"]


def test_an_extra_change_or_a_wrong_answer_fails() -> None:
    env = begun("apps-v1", 6, 1, question=True)
    episode = env.episode
    answer = episode.instance.key["answer"]
    while "done" not in (said := episode.oracle()):
        env.step(said)
    assert finished(env.fork(), answer)["solved"]
    assert finished(env.fork(), answer)["components"] == {"right": 1.0, "extra": 0.0}
    for wrong in (None, "", answer + "1", f"{answer} {answer}x"):
        verdict = finished(env.fork(), wrong)
        assert not verdict["solved"]
        assert verdict["components"]["right"] < 1
    env.step(write_call("mail_send", to=["a@b.example"], subject="s", body="b"))
    verdict = finished(env, answer)
    assert not verdict["solved"]
    assert verdict["components"]["extra"] == 1


# -- code --------------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 10])
def test_a_clerk_as_a_program_solves_the_task(level: int) -> None:
    env = begun("apps-code-v0", level, 1)
    told = [line.partition("told: ")[2] for line in run(env, program(env)).splitlines() if line.startswith("told: ")]
    answer = next((text for text in told if text != "None"), None)
    assert finished(env, answer)["solved"]


@pytest.mark.slow
def test_a_program_knows_what_it_asked_for_and_keeps_it() -> None:
    env = begun("apps-code-v0", 3)
    said = run(env, "found = apis.mail_list(page=1)\nprint(found['pages'], len(found['mails']))")
    assert said.startswith("2 10\n")
    assert run(env, "print(sorted(found))").startswith("['mails', 'page', 'pages']")
    assert run(env, "print(apis.mail_read.__doc__)").startswith("- mail_read(id): Show an email.")
    refused = run(env, "try:\n    apis.mail_read(id=1)\nexcept Refused as why:\n    print('no:', why)")
    assert refused.startswith("no: There is no mail '1'.")
    assert "argument `id` must be an integer" in run(env, "apis.mail_read('x')")
    assert not any(part in run(env, "import os; print(os.listdir('.'))") for part in ("tables", "plan"))


ATTACKS = {
    "forged end": "import os; os.write(1, b'\\n\\0call\\0{}\\n'); os._exit(0)",
    "forged call": 'import os; os.write(1, b\'\\n\\0call\\0{"call": ["done", {}]}\\n\'); os._exit(0)',
    "unknown function": "import _apis; _apis._running[-1].call('done', {'answer': 'x'})",
    "wrong kinds": "import _apis; _apis._running[-1].call(['mail_list'], 7)",
    "deep": "import _apis; x = []\nfor _ in range(90000): x = [x]\n_apis._running[-1].call('mail_read', {'id': x})",
    "no end": "while True: pass",
    "no end at all": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "too many calls": "while True: apis.bank_accounts()",
    "from threads": "import threading\nfor _ in range(9): threading.Thread(target=apis.bank_accounts).start()",
    "later": "import threading\nthreading.Timer(0.1, apis.files_write, ('a.txt', '')).start()",
    "broken helper": "import _apis; _apis._running.clear(); apis.bank_accounts()",
    "no helper": "import os, sys; os.remove('_apis.py'); del sys.modules['_apis']; del apis",
    "no output": "import sys; sys.stdout = None; apis.bank_accounts(); print(1)",
    "much output": "print('x' * 10**6); apis.bank_accounts()",
    "surrogates": "print('\\ud800'); apis.contacts_find('\\ud800')",
    "large call": "apis.files_write('a.txt', 'x' * 10**6)",
    "exit": "raise SystemExit",
    "memory": "x = bytearray(10**10)",
    "recursion": "def f(): return f()\nf()",
    "answers itself": "import _apis; _apis.answer('{\"value\": 1}')",
}


@pytest.mark.slow
def test_no_attack_solves_a_task_or_breaks_the_episode() -> None:
    env = begun("apps-code-v0", 1, 2, question=False, goals=1)
    for name, code in ATTACKS.items():
        trial = begun("apps-code-v0", 1, 2, question=False, goals=1)
        shown, reward, terminated, _, info = trial.step(write_call("python", code=code))
        assert (reward, terminated) == (0.0, False), name
        assert "error" not in info, name
        assert len(shown) < 6000, name
        assert not finished(trial)["solved"], name
        del trial
    run(env, ATTACKS["no end at all"])
    run(env, program(env))
    assert finished(env)["solved"]


@pytest.mark.slow
def test_the_calls_of_a_task_are_limited() -> None:
    env = begun("apps-code-v0", 1, 2)
    said = run(env, "n = 0\nwhile True:\n    apis.bank_accounts()\n    n += 1")
    assert said.startswith("[The code made 200 calls and was stopped at the next one.")
    assert run(env, "print(n)").startswith("200")


def test_reading_is_not_a_change() -> None:
    env = begun("apps-v1", 5, 3)
    before = env.episode.state.tables
    for name in ("bank_accounts", "shop_orders", "files_list", "mail_list"):
        assert name in READS
        env.step(write_call(name))
    assert env.episode.state.tables is before
