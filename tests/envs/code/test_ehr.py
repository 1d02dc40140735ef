"""Episodes of ehr-v0 in the sandbox: what counts as right, what is counted, and cheats that gain nothing."""

from __future__ import annotations

import inspect
from math import isnan
from typing import Any, ClassVar

import pytest

import envhub
from envhub.core.effects import Resource
from envhub.core.tools import write_call
from envhub.core.types import EnvSpec
from envhub.envs.code.ehr.environment import Ehr
from envhub.gymnasium.env import Env
from envhub.sandbox.resource import Jobs, Sessions
from envhub.sandbox.sandbox import LocalSandbox
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource
from tests.envs.code.ehr_player import conditions, player, records
from tests.envs.code.lives import jailed, survives
from tests.sandbox.backends import Scripted

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("jailed")]
__all__ = ["jailed"]


def begun(level: int, seed: int = 1) -> Env:
    env = envhub.make("ehr-v0", difficulty=level, wording=0)
    env.reset(seed=seed)
    return env


def sql(query: str) -> str:
    return write_call("submit_sql", query=query)


def program(code: str) -> str:
    return write_call("submit_python", code=code)


def judged(env: Env, action: str) -> dict[str, Any]:
    _, reward, terminated, _, info = env.fork().step(action)
    verdict: dict[str, Any] = info["verdict"]
    assert terminated
    assert verdict["status"] == "graded"
    assert reward == verdict["score"] == float(verdict["solved"])
    return verdict


def playing(question: str) -> str:
    """A program that reads the question in its words."""
    lines = [line for part in (records, conditions, player) for line in inspect.getsource(part).splitlines()]
    joined = "\n".join(line for line in lines if not line.startswith("from tests."))
    return f"{joined}\n\ndef answer(path):\n    return answer_to({question!r}, path)\n"


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_a_reader_of_the_question_solves_and_near_misses_do_not(level: int) -> None:
    env = begun(level, level)
    question, key = env.task.problem["asks"][0], env.episode.instance.key
    assert question in env.task.prompt.replace("\n", " ") or question.replace('"', '\\"') in env.task.prompt
    assert judged(env, program(playing(question)))["solved"]
    assert judged(env, sql(key["query"]))["solved"]
    for wrong in key["wrong"][level % 3 :: 3][:4]:
        verdict = judged(env, sql(wrong))
        assert not verdict["solved"], wrong
        assert verdict["components"]["passed"] < 1


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_a_reader_solves_twenty_tasks_of_each_level(level: int) -> None:
    for seed in range(20):
        env = begun(level, 100 + seed)
        assert judged(env, program(playing(env.task.problem["asks"][0])))["solved"], env.task.problem["asks"][0]


READS = "import sqlite3\ndef answer(path):\n    rows = sqlite3.connect(path).execute({query!r}).fetchall()\n"


def cheats(env: Env) -> list[str]:
    """Submissions that must not be solved."""
    key, columns = env.episode.instance.key, len(env.task.problem["columns"])
    query, rows = key["query"], key["rows"]
    reads = READS.format(query=query)
    looks = (
        "import glob\ndef answer(path):\n    return [[open(name, 'rb').read()[:0] or 1] for name in "
        "glob.glob('/**/*.json', recursive=True)]"
    )
    return [
        sql("SELECT 1"),
        sql(f"SELECT * FROM ({query}) LIMIT 0"),
        sql(f"SELECT *, 1 FROM ({query})"),
        sql(f"SELECT * FROM ({query}) UNION ALL SELECT * FROM ({query})"),
        sql(f"{query}; {query}"),
        sql(f"CREATE TABLE t AS {query}"),
        sql("ATTACH 'records1.db' AS other"),
        sql("PRAGMA table_list"),
        sql("SELECT load_extension('x')"),
        sql("SELECT readfile('/etc/passwd')"),
        sql("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n"),
        sql("SELECT randomblob(1000000000)"),
        sql("not sql"),
        sql(""),
        program(f"def answer(path):\n    return {rows[0]!r}"),
        program(f"def answer(path):\n    return {dict(zip(map(str, range(9)), rows, strict=False))!r}"),
        program(f"ROWS = iter({rows[1:]!r})\ndef answer(path):\n    return next(ROWS, [])"),
        program(reads + "    return [list(map(str, row)) + ['x'] for row in rows]"),
        program(reads + "    return [[float(str(cell)[:4]) + 1e-3 if isinstance(cell, (int, float)) else cell for "
        "cell in row] for row in rows]"),
        program(reads + "    return rows * 2"),
        program(reads + "    return None"),
        program(reads + "    class Equal(list):\n        def __eq__(self, other): return True\n    return Equal([Equal([0])])"),
        program(reads + "    return True"),
        program("def answer(path):\n    import os, signal\n    os.kill(os.getppid(), signal.SIGKILL)"),
        program("def answer(path):\n    raise SystemExit(0)"),
        program("def answer(path):\n    return [[0] * 10] * 10 ** 8"),
        program("import sys\nsys.stdout.write('{\"solved\": true}')\ndef answer(path):\n    return []"),
        program("answer = 5"),
        program("def other(path):\n    return 1"),
        program(looks),
        program(f"def answer(path):\n    return [[None] * {columns}]"),
    ]  # fmt: skip


def test_cheats_gain_nothing() -> None:
    env = begun(3, 5)
    for action in cheats(env):
        assert not judged(env, action)["solved"], action
    reads = READS.format(query=env.episode.instance.key["query"])
    assert judged(env, program(reads + "    return rows"))["solved"]  # the same program without a cheat


def test_order_counts_only_where_it_is_asked() -> None:
    found = {}
    for seed in range(40):
        env = begun(2, seed)
        rows = env.episode.instance.key["rows"]
        if any(len(each) > 1 for each in rows):
            found.setdefault(bool(env.task.problem["ordered"]), env)
        if len(found) == 2:
            break
    for ordered, env in found.items():
        reads = READS.format(query=env.episode.instance.key["query"])
        assert judged(env, program(reads + "    return rows[::-1]"))["solved"] != ordered
    assert len(found) == 2


def test_looking_is_counted_and_changes_nothing() -> None:
    env = begun(1)
    calls = env.task.problem["calls"]
    text = env.step(write_call("sql", query="SELECT COUNT(*) AS n FROM patients"))[0]
    assert "n\n100\n[rows: 1]" in text
    assert f"[calls left: {calls - 1}]" in text
    for query, said in (
        ("SELEC 1", "The query failed"),
        ("DELETE FROM patients", "only SELECT statements are allowed"),
        ("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n", "100 million steps"),
        ("SELECT result_id FROM lab_results", "there are more"),
        ("SELECT meaning FROM dictionary WHERE column_name = 'per_day'", "number of intakes per day"),
    ):
        assert said in env.step(write_call("sql", query=query))[0]
    while calls - env.episode.state > 0:
        env.step(write_call("python", code="x = 1"))
    assert "no calls" in env.step(write_call("sql", query="SELECT 1"))[0]
    verdict = env.step(sql(env.episode.instance.key["query"]))[4]["verdict"]
    assert verdict["solved"]
    assert verdict["components"]["tool_calls"] == calls


def test_episodes_survive_lost_sessions_restores_and_forks() -> None:
    def actions(env: Env) -> list[str]:
        code = (
            "import sqlite3\nrows = sqlite3.connect('hospital.db').execute('SELECT MAX(patient_id) FROM "
            "patients').fetchall()"
        )
        return [
            write_call("python", code=code),
            write_call("sql", query="SELECT MIN(birth_date) FROM patients"),
            write_call("python", code="print(rows)"),
            sql(env.episode.instance.key["wrong"][0]),
        ]

    *_, last = survives("ehr-v0", actions)
    assert last[1] == 0.0


def test_a_sandbox_that_fails_is_an_error_and_no_score() -> None:
    backend = Scripted()
    backend.sick = "start"
    with LocalSandbox(backend) as sandbox:

        class Broken(Ehr):
            """The environment in a broken sandbox."""

            resources: ClassVar[dict[str, Resource]] = {"python": Sessions(sandbox=sandbox), "jobs": Jobs(sandbox)}

        spec = EnvSpec("broken-v0", f"{__name__}:Broken")
        env = Env(TaskSource(spec, Broken(), 1, "train", Broken.Params.at(1).model_dump()), Options())
        env.reset(seed=0)
        _, reward, terminated, truncated, _ = env.step(sql("SELECT 1"))
        assert isnan(float(reward))
        assert truncated
        assert not terminated
