"""shell-v0: what counts as the state asked for, and what becomes of an episode whose shell is taken away."""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any

import pytest

import envhub
from envhub.authoring import write_call
from envhub.core.effects import Outcome
from envhub.core.types import Instance, Verdict
from envhub.envs.code.shell import tree
from envhub.envs.code.shell.bash_task import State, judge
from envhub.envs.code.shell.environment import Shell
from envhub.gymnasium.env import Env
from envhub.sandbox.backend import Entry
from tests.envs.code.lives import jailed, survives

pytestmark = pytest.mark.usefixtures("jailed")
__all__ = ["jailed"]
DONE = write_call("done")


def begun(level: int = 5, seed: int = 3) -> Env:
    env = envhub.make("shell-v0", difficulty=level)
    env.reset(seed=seed)
    return env


def bash(command: str) -> str:
    return write_call("bash", command=command)


def script(env: Env) -> str:
    return "\n".join(map(tree.script, env.task.problem["steps"]))


def judged(env: Env, after: str, before: str = "") -> dict[str, Any]:
    """The verdict when something is done before the right script, and after it."""
    twin = env.fork()
    for command in (before, script(env), after):
        if command:
            twin.step(bash(command))
    _, reward, terminated, _, info = twin.step(DONE)
    assert terminated
    verdict: dict[str, Any] = info["verdict"]
    assert reward == verdict["score"]
    return verdict


def judgement(inst: Instance, found: list[Entry], contents: dict[str, bytes], *, complete: bool = True) -> Verdict:
    """The verdict on a tree of the test's own."""
    judging = judge(inst, State())
    assert next(judging).payload[0] == "tree"
    assert (
        judging.send(
            Outcome(data={"entries": [list(astuple(entry)) for entry in found], "complete": complete})
        ).payload[0]
        == "read"
    )
    with pytest.raises(StopIteration) as stop:
        judging.send(Outcome(data={path: content.hex() for path, content in contents.items()}))
    verdict: Verdict = stop.value.value
    return verdict


def one_of(env: Env, *, mode: bool = False) -> str:
    """A regular file of the state asked for."""
    return next(
        p for p, (_, target, bits) in sorted(env.episode.instance.key.items()) if target is None and (bits or not mode)
    )


@pytest.mark.parametrize("level", [1, 6, 10])
def test_the_script_leads_there(level: int) -> None:
    verdict = judged(begun(level), "")
    assert (verdict["solved"], verdict["components"]["right"], verdict["components"]["tool_calls"]) == (True, 1.0, 1.0)
    assert verdict["feedback"] == "Everything is as it should be."


def test_what_does_not_matter() -> None:
    env = begun()
    path = one_of(env)
    harmless = f"mkdir -p a/b; touch /tmp/x; chmod 600 '{path}'; cp '{path}' /tmp/y; cat /tmp/y > '{path}'"
    assert judged(env, harmless)["solved"]


def wrongs() -> dict[str, str]:
    return {
        "nothing more": "rm '{}'",
        "a file too many": "touch extra",
        "a hidden file too many": "touch .extra",
        "another name": "mv '{}' '{}x'",
        "another content": "echo >> '{}'",
        "a missing newline": "truncate -s -1 '{}'",
        "one letter": "sed -i '1s/./X/' '{}'",
        "a link instead of a file": "cp '{}' /tmp/y; rm '{}'; ln -s /tmp/y '{}'",
        "a pipe": "mkfifo pipe",
        "a file in a closed directory": "mkdir a; touch a/b; chmod 0 a",
        "a file far below": "mkdir -p $(printf 'a/%.0s' $(seq 60)); touch $(printf 'a/%.0s' $(seq 60))x",
        "a directory instead of a file": "rm '{}'; mkdir '{}'",
        "very many files": "for i in $(seq 900); do : > f$i; done",
        "a file behind very many directories": "touch zz1; mkdir y{1..1100}",
        "a file behind very many bytes of names": (
            "n=$(printf 'y%.0s' {1..250}); p=.; for i in {1..14}; do p=$p/$n; mkdir $p; done; "
            "cd $p; mkdir {1..320}; cd /box/work; touch zz1"
        ),
        "a file below directories too deep to enter": (
            "for i in {1..60}; do mkdir d; cd d; done; touch x; cd /box/work"
        ),
    }


@pytest.mark.parametrize("what", wrongs())
def test_anything_else_is_wrong(what: str) -> None:
    env = begun()
    verdict = judged(env, wrongs()[what].replace("{}", one_of(env)))
    assert (verdict["score"], verdict["solved"], verdict["status"]) == (0.0, False, "graded")
    assert one_of(env) not in verdict["feedback"]


def with_step(name: str) -> Env:
    for level in (5, 6, 7, 8, 9):
        for seed in range(40):
            env = begun(level, seed)
            if env.task.problem["steps"][-1][0] == name or (
                name != "modes" and name in dict(env.task.problem["steps"])
            ):
                return env
    raise AssertionError(name)


def test_modes_and_targets_count_where_a_step_sets_them() -> None:
    env = with_step("modes")
    path = one_of(env, mode=True)
    assert judged(env, "")["solved"]
    assert not judged(env, f"chmod 711 '{path}'")["solved"]
    assert not judged(env, f"chmod u+s '{path}'")["solved"]
    env = with_step("link")
    link = next(p for p, (_, target, _) in env.episode.instance.key.items() if target)
    assert judged(env, "")["solved"]
    assert not judged(env, f"ln -sfn \"$(readlink -f '{link}')\" '{link}'")["solved"]
    assert not judged(env, f"cp --remove-destination \"$(readlink -f '{link}')\" '{link}'")["solved"]


def test_files_are_looked_at_after_the_last_message() -> None:
    env = begun()
    env.step(env.solve())
    for message in ("x" * 70_000, *[""] * (Shell.max_turns - 3)):  # one is too long to be read, and counts
        assert env.step(message)[2:4] == (False, False)
    seen, reward, terminated, _, info = env.fork().step(bash("echo here"))
    assert (reward, terminated, info["verdict"]["status"]) == (1.0, True, "graded")
    assert seen.startswith("here\n\nThat was the last message.")
    assert env.fork().step(bash("touch more"))[1] == 0.0
    seen, reward, *_ = env.fork().step(DONE)
    assert (seen, reward) == ("Everything is as it should be.", 1.0)
    assert env.fork().step("x" * 70_000)[4]["verdict"]["reason"] == "turn_limit"


def test_a_directory_that_cannot_be_looked_into_is_wrong() -> None:
    """Whether the sandbox can look into it all the same depends on the rights it has."""
    inst = Instance({}, key={"a.txt": ["x\n", None, None]})
    file, closed = Entry("a.txt", "file", 2, 0o644), Entry("d", "directory", 0, 0o300)
    assert judgement(inst, [file, replace(closed, mode=0o700)], {"a.txt": b"x\n"}).solved
    assert not judgement(inst, [file, closed], {"a.txt": b"x\n"}).solved


def test_a_listing_that_is_not_complete_is_never_a_pass() -> None:
    inst = Instance({}, key={"a.txt": ["x\n", None, None]})
    file = Entry("a.txt", "file", 2, 0o644)
    whole, part = (judgement(inst, [file], {"a.txt": b"x\n"}, complete=complete) for complete in (True, False))
    assert (whole.solved, part.solved) == (True, False)
    assert "too full to be checked" in part.feedback
    assert "too full to be checked" not in whole.feedback


def test_a_background_process_does_not_outlive_the_verdict_or_disturb_it() -> None:
    assert judged(begun(), "sleep 1000 & disown; (while :; do :; done) &")["solved"]


def test_an_episode_outlives_its_shell() -> None:
    def actions(env: Env) -> list[str]:
        begin = [
            bash("cd /tmp; x=5; echo '#' > note; mkdir -p /box/work/scratch"),
            bash("echo $x; pwd; cat note; nonsense"),
        ]
        return [*begin, bash("rmdir /box/work/scratch; cd /box/work; ls"), bash("set -e; false"), env.solve(), DONE]

    seen = survives("shell-v0", actions)
    assert seen[1][0].startswith("5\n/tmp\n#\n")
    assert seen[-1][1] == 1.0
