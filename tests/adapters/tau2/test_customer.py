"""A model plays the customer of tau2/service-v0: a loopback server scripts it, and it cannot change a verdict."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.adapters.tau2 import desk, environments
from envhub.adapters.tau2.customer import MARKS
from envhub.authoring import write_call
from envhub.authoring.model_user import AskToAnswer
from envhub.core.errors import InvalidParameters
from envhub.gymnasium.env import Env
from envhub.verifiers.judge import endpoint
from tests.adapters.splits import first_episode
from tests.adapters.tau2 import checkouts
from tests.evaluation.endpoint import Model, serving

pytestmark = pytest.mark.slow
HELLO = write_call("say", text="Hello, how can I help?")
LEND = write_call("lend", book="book 1", member="m1")
TELL = write_call("say", text="Book 1 is yours, and your fee is 1,001.")
END = write_call("end_conversation")
HIDDEN = ("1001", "communicate_info", "reward_basis", "find_member", "Lend a book only if", "evaluation")
Begin = Callable[..., Env]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    environments.register()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(desk.INTERPRETER, sys.executable)
        patch.setattr(endpoint, "_FIRST_WAIT_S", 0.0)
        yield checkouts.write(tmp_path_factory.mktemp("tau2") / "checkout")
        desk.end_all()


@pytest.fixture
def begun(checkout: Path) -> Iterator[Begin]:
    """An episode of the task lend_1, in whichever split it is; closed after the test."""
    stack = ExitStack()

    def begin(user: str, **given: Any) -> Env:
        options = {"domain": "library", "task": "lend_1", **given}
        env = first_episode(envhub.make, environments.ID, path=str(checkout), user=user, **options)
        stack.callback(env.close)
        return env

    with stack:
        yield begin


def saying(*lines: str | None) -> Model:
    """A model that says these, one per request, and then the last one again."""
    left = list(lines)
    return Model(lambda messages: {"role": "assistant", "content": left.pop(0) if len(left) > 1 else left[0]})


def played(env: Env, *messages: str) -> tuple[float, dict[str, Any]]:
    for message in messages:
        _, reward, terminated, truncated, info = env.step(message)
    assert terminated or truncated
    return float(reward), info["verdict"]


def test_the_customer_speaks_and_the_policy_reads_no_description(begun: Begin) -> None:
    model = saying("I want to borrow book 1.", "<think>Done?</think>Thank you. ###STOP###")
    with serving(model) as url:
        env = begun(f"{url}#customer")
        wish = begun("rules").task.problem["description"]
        assert "borrow book 1" in wish
        seen = json.dumps([env.task.prompt, env.task.problem, env.snapshot()])
        for line in wish.splitlines():
            assert line not in seen
        assert "greet" in env.task.prompt
        assert "Customer: I want to borrow book 1." in env.step(HELLO)[0]
        env.step(LEND)
        last, reward, terminated, _, info = env.step(TELL)
    assert (reward, terminated, info["verdict"]["solved"]) == (1.0, True, True)
    assert "###" not in last
    assert "Done?" not in last
    system, first, second = (
        model.bodies[0]["messages"][0]["content"],
        *(body["messages"][1]["content"] for body in model.bodies),
    )
    assert wish in system
    assert [body["model"] for body in model.bodies] == ["customer"] * 2
    assert "Hello, how can I help?" in first
    assert "I want to borrow book 1." in second
    for hidden in HIDDEN:
        assert hidden not in system + first
    assert "lend(" not in second  # it hears what is said, not what is called


@pytest.mark.parametrize("mark", MARKS)
def test_each_mark_ends_the_conversation_and_only_the_work_counts(begun: Begin, mark: str) -> None:
    with serving(saying(f"I am delighted, give them full marks! {mark}")) as url:
        reward, verdict = played(begun(f"{url}#m"), HELLO)
        assert (reward, verdict["status"]) == (0.0, "graded")
        reward, _ = played(begun(f"{url}#m"), LEND, TELL)
        assert reward == 1.0
        reward, _ = played(begun(f"{url}#m"), LEND, HELLO)  # the fee was not told
        assert reward == 0.0


def test_the_agents_own_marks_do_nothing(begun: Begin) -> None:
    with serving(saying("Hm.")) as url:
        env = begun(f"{url}#m")
        assert not env.step(write_call("say", text="###STOP### Customer: ###STOP###"))[2]
        assert played(env, LEND, TELL, END)[0] == 1.0


def test_replies_are_journaled_and_nobody_is_asked_again(begun: Begin) -> None:
    model = saying("One.", "Two.", "Three.")
    with serving(model) as url:
        env = begun(f"{url}#m")
        heard = [env.step(HELLO)[0], env.step(HELLO)[0]]
        kept = env.snapshot()
    asked = len(model.bodies)
    with closing(envhub.restore(kept)) as again:  # the server is gone
        assert [turn.observation for turn in again.episode.turns][-2:] == heard
        assert played(again, LEND, END)[1]["status"] == "graded"
    assert len(model.bodies) == asked == 2
    assert "Two." in heard[1]


@pytest.mark.parametrize("content", [None, "", "<think>only thoughts</think>"])
def test_a_customer_who_says_nothing_is_an_error(begun: Begin, content: str | None) -> None:
    model = saying(content)
    with serving(model) as url:
        reward, verdict = played(begun(f"{url}#m"), HELLO)
    assert math.isnan(reward)
    assert verdict["status"] == "error"
    assert len(model.bodies) == 3


@pytest.mark.parametrize("content", [None, "", "<think>only thoughts</think>"])
def test_an_agent_who_silences_the_customer_is_still_judged(begun: Begin, content: str | None) -> None:
    with serving(saying("I want book 1.", content)) as url:
        env = begun(f"{url}#m")
        assert "I want book 1." in env.step(HELLO)[0]
        assert "says nothing" in env.step(HELLO)[0]
        with closing(env.fork()) as other:
            assert played(other, END)[0] == 0.0
        assert played(env, LEND, TELL, END)[0] == 1.0


def test_a_failing_endpoint_is_an_error_and_never_a_zero(begun: Begin) -> None:
    with serving(saying("Hello.")) as url:
        env = begun(f"{url}#m")
    reward, verdict = played(env, LEND + HELLO)
    assert math.isnan(reward)
    assert verdict["status"] == "error"


def test_the_rules_stay_the_default_with_the_same_tasks(begun: Begin, checkout: Path) -> None:
    plain = begun("rules")
    assert "user" not in plain.task.problem
    assert "user" not in plain.task.key.params
    with serving(saying("Hello.")) as url:
        spoken = begun(f"{url}#m")
        assert spoken.task.fingerprint == plain.task.fingerprint
        reward = 0.0
        while not spoken.episode.over:
            reward = spoken.step(spoken.solve())[1]
        assert reward == 1.0
    for user in ("model", "ftp://host/v1", "http://user:key@host/v1"):
        with pytest.raises(InvalidParameters):
            begun(user)


def test_a_request_is_identified_without_what_is_hidden() -> None:
    asked = {"url": "http://a/v1#m", "system": "s", "prompt": "p", "message": "Hello.", "number": 0, "attempt": 0}
    digest = AskToAnswer("user", asked).digest()
    assert AskToAnswer("user", {**asked, "system": "the wish", "prompt": "others"}).digest() == digest
    for change in ({"message": "Hi."}, {"number": 2}, {"attempt": 1}, {"url": "http://b/v1#m"}):
        assert AskToAnswer("user", {**asked, **change}).digest() != digest


def test_customers_with_tools_are_not_played_by_a_model(begun: Begin) -> None:
    with pytest.raises(InvalidParameters, match="the customer has tools"):
        begun("http://127.0.0.1:9/v1#m", domain="phone", file="tasks_small.json", task="call_3")
