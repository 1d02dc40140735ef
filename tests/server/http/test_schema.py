"""The document of the API is true: what it describes is answered as it says, and what it does not describe is refused.

schemathesis makes the requests from the document, always the same ones.
"""

from __future__ import annotations

import atexit
import tempfile
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

import envhub
from envhub.server.auth.keys import SCOPES, KeyFile, Keyring
from envhub.server.http.app import create_app
from envhub.server.journal import MemoryJournal
from envhub.settings import ServerSettings
from tests.server.protocols.played import message, play, response
from tests.server.serving import GUESS, Api, local

pytestmark = pytest.mark.slow

schemathesis = pytest.importorskip("schemathesis", reason="comes with the extra dev")
checks, NOT_SET = schemathesis.checks, schemathesis.core.NOT_SET

ENVS = ["guess-number-v0", "arithmetic-v0", "countdown-v0"]
FEW = settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.explicit],
)
OPEN_ENDED = {"StepInfo"}
"""Answers to which environments add."""

_folder = tempfile.TemporaryDirectory(prefix="envhub-schema-")
atexit.register(_folder.cleanup)
_KEYS = Path(_folder.name) / "keys.json"
TEXT, _ = KeyFile(_KEYS).create("everything", SCOPES)


def application(keys: Path) -> Any:
    return create_app(ServerSettings(), MemoryJournal(3600, 5000), Keyring(keys))


def closed(document: Any) -> Any:
    """The document, where an answer has no field that it does not name: published, it may grow."""
    document = deepcopy(document)
    for name, schema in document["components"]["schemas"].items():
        if name not in OPEN_ENDED:
            schema.setdefault("additionalProperties", False)
    return document


def narrowed(document: Any) -> Any:
    """The document of the environments that are asked for here; without what only an environment can say of its fields."""
    document = closed(document)
    schemas = document["components"]["schemas"]
    for name in ("CreateEpisode", "DrawTasks"):
        fields = schemas[name]["properties"]
        fields["env_id"]["enum"] = ENVS
        fields["params"]["maxProperties"] = 0
        fields["difficulty"] = {"enum": [1, 10, [2, 6], None]}
    for name in ("EpisodeOptions", "DrawTasks"):
        schemas[name]["properties"]["tool_format"] = {"type": "null"}  # these environments have no tools
        schemas[name]["properties"]["observation"] = {"enum": ["text", None]}  # nor pictures
    for name in ("EpisodeOptions", "Verify"):
        weights, _ = schemas[name]["properties"]["reward"]["anyOf"]
        weights["propertyNames"] = {"enum": ["accuracy"]}
    (category,) = document["paths"]["/v1/environments"]["get"]["parameters"]
    category["schema"] = {"enum": ["games"]}
    narrow_protocols(document)
    return document


def narrow_protocols(document: Any) -> None:
    """What of a row or a response only its reader can say: one that fits, of a single question."""
    row = play("arithmetic-v0", 7, "oracle")
    fields = {name: schema.get("properties", {}) for name, schema in document["components"]["schemas"].items()}
    for name in ("NemoRow", "NemoAnswered", "NemoSeed"):
        fields[name]["ground_truth"] = {"enum": [row.ground_truth]}
        fields[name]["answer_format"] = {"type": "null"}
        fields[name]["fingerprint"] = (
            {"enum": [row.task.fingerprint, None]} if name != "NemoSeed" else {"type": ["string", "null"]}
        )
    fields["NemoSeed"]["task_data"] = fields["HttpReset"]["ground_truth"] = {"type": "null"}
    document["components"]["schemas"]["NemoSeed"]["required"] = ["ground_truth"]
    fields["NemoAnswered"]["response"] = {"enum": [response(message(row.actions[0]))]}
    fields["HttpReset"]["params"]["maxProperties"] = 0
    fields["HttpStep"]["action"] = {"enum": [{"message": row.actions[0]}]}
    for name in ("HttpReset", "TaskRequest", "TaskRangeRequest"):
        fields[name]["difficulty"] = {"enum": [1, 10, [2, 6], None]}
    fields["HttpReset"]["reward"]["anyOf"][0]["propertyNames"] = {"enum": ["accuracy"]}
    fields["TaskRangeRequest"] |= {"start": {"enum": [0, 2, None]}, "stop": {"enum": [2, 4, None]}}
    said = {"query": [row.task.prompt + row.actions[0]], "prompts": [row.task.prompt], "labels": [row.ground_truth]}
    fields["Queries"] |= {name: {"enum": [value]} for name, value in said.items()}
    fields["SlimeSample"] |= {"response": {"type": "string"}, "label": {"enum": [row.ground_truth]}}
    for path, methods in document["paths"].items():
        for parameter in (each for operation in methods.values() for each in operation.get("parameters", ())):
            if parameter["name"] in ("env_id", "env_name") and not path.startswith("/v1/"):
                parameter["schema"] = {"enum": ["arithmetic-v0"]}
            elif parameter["name"] == "reward":
                parameter["schema"] = {"enum": ["accuracy:1,format:0.5", None]}


def written(value: Any) -> Any:
    """Integers as every language writes them: 7.0 is an integer to JSON Schema, but nobody sends it for one."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [written(each) for each in value]
    return {key: written(each) for key, each in value.items()} if isinstance(value, dict) else value


def loaded(document: Any, app: Any, **config: Any) -> Any:
    schema = schemathesis.openapi.from_dict(
        document, config=schemathesis.Config.from_dict({**config, "request-timeout": 120})
    )
    schema.app = app
    return schema


WITH_KEYS = application(_KEYS)
WITHOUT_KEYS = application(_KEYS.with_name("none.json"))
AUTH = {"auth": {"openapi": {"key": {"bearer": TEXT}}}}
FIT = loaded(narrowed(WITH_KEYS.openapi()), WITH_KEYS, **AUTH)
PATHS = set(WITH_KEYS.openapi()["paths"])
ANY = loaded(closed(WITHOUT_KEYS.openapi()), WITHOUT_KEYS)
_OF_KEYS = [checks.ignored_auth, checks.missing_required_header]


def left_out(case: Any) -> bool:
    """Whether a body that is not required is not there, which is no violation, though it is made up as one."""
    bodies = list(case.operation.body)
    return bool(bodies) and case.body is NOT_SET and not any(body.is_required for body in bodies)


def another(case: Any) -> bool:
    """Whether the name of a tool is that of another operation, which answers then: the document cannot say that."""
    operation = case.operation
    return "{tool}" in operation.path and operation.path.replace("{tool}", str(case.path_parameters["tool"])) in PATHS


@pytest.fixture
def app() -> Any:
    """For each operation a server without the episodes of the others: one of another environment does not fit everywhere."""
    return application(_KEYS)


@FIT.parametrize()
@FEW
def test_what_is_documented_is_so(case: Any, app: Any) -> None:
    """Also that what fits is accepted, what does not is refused, and nothing is answered without the key."""
    assume(not another(case))
    case.body = written(case.body)
    case.call_and_validate(app=app, excluded_checks=[checks.negative_data_rejection] if left_out(case) else [])


@ANY.parametrize()
@FEW
def test_whatever_is_asked_for_is_answered_as_documented(case: Any) -> None:
    """With all environments, parameters and rewards, of which the document does not know what fits."""
    assume(not another(case))
    case.call_and_validate(excluded_checks=[*_OF_KEYS, checks.negative_data_rejection, checks.positive_data_acceptance])


class Playing(RuleBasedStateMachine):
    """Episodes that are begun, played, forked and forgotten in any order; every answer is as documented, and the right one."""

    ids = st.sampled_from(["a", "b", "c", "d"])
    actions = st.sampled_from(["<answer>7</answer>", "<answer>100</answer>", "no idea", "\ud800"])

    def __init__(self) -> None:
        super().__init__()
        self.api = Api()
        self.episodes: dict[str, tuple[Any, list[str]]] = {}  # the request that made it, and the actions since its task

    def teardown(self) -> None:
        self.api.close()

    def ask(self, method: str, path: str, body: Any = None, episode_id: str = "") -> tuple[int, Any]:
        response = self.api.send(method, path.replace("{episode_id}", episode_id), body)
        FIT[path][method].validate_response(response)
        SEEN[method, path, response.status_code] += 1
        return response.status_code, response.json() if response.content else None

    def local(self, episode_id: str, turns: int | None = None) -> tuple[envhub.Env, Any]:
        """The same episode in this process, and what its last turn gave."""
        (env_id, seed, *_), actions = self.episodes[episode_id]
        env, last = local(env_id, seed, difficulty=1), None
        for action in actions[:turns]:
            last = env.step(action)
        return env, last

    @initialize(seed=st.integers(0, 2))
    def begin(self, seed: int) -> None:
        self.create("a", GUESS, seed)

    @rule(id=ids, env_id=st.sampled_from(ENVS), seed=st.integers(0, 2))
    def create(self, id: str, env_id: str, seed: int) -> None:
        body = {"env_id": env_id, "seed": seed, "difficulty": 1, "episode_id": id}
        status, answer = self.ask("POST", "/v1/episodes", body)
        made = (env_id, seed, "create")
        if self.episodes.setdefault(id, (made, []))[0] != made:
            assert status == 409
        else:
            assert (status, answer["turn"]) == (201, 0)
            assert answer["task"] == self.local(id)[0].unwrapped.task.to_json()  # type: ignore[attr-defined]

    @rule(id=ids, action=actions, off=st.sampled_from([0, 0, -1, 1]))
    def step(self, id: str, action: str, off: int) -> None:
        actions = self.episodes[id][1] if id in self.episodes else []
        turn = max(0, len(actions) + off)
        path = "/v1/episodes/{episode_id}/step"
        repeated = actions[turn] if turn < len(actions) else action
        status, answer = self.ask("POST", path, {"turn": turn, "action": repeated}, id)
        if id not in self.episodes:
            assert status == 404
        elif turn > len(actions) or (turn == len(actions) and self.over(id)):
            assert status == 409
        else:
            assert status == 200
            if turn == len(actions):
                actions.append(action)
            _, (observation, reward, terminated, truncated, _) = self.local(id, turn + 1)
            told = [answer[name] for name in ("observation", "reward", "terminated", "truncated")]
            assert told == [observation, reward, terminated, truncated]

    def over(self, id: str) -> bool:
        _, last = self.local(id)
        return last is not None and (last[2] or last[3])

    @rule(id=ids, new_id=ids, keep=st.sampled_from([0, 0, 1, 2]))
    def fork(self, id: str, new_id: str, keep: int) -> None:
        path = "/v1/episodes/{episode_id}/fork"
        status, answer = self.ask("POST", path, {"episode_id": new_id, "turn": keep}, id)
        made = self.episodes.get(new_id)
        if made is not None:  # perhaps by the same request, which is answered again
            assert status == (201 if made[0][2:] == ("fork", id, keep) else 409)
        elif id not in self.episodes:
            assert status == 404
        elif keep > len(self.episodes[id][1]):
            assert status == 409
        else:
            assert (status, answer["turn"]) == (201, keep)
            (env_id, seed, *_), actions = self.episodes[id]
            self.episodes[new_id] = ((env_id, seed, "fork", id, keep), actions[:keep])

    @rule(id=ids)
    def get(self, id: str) -> None:
        status, answer = self.ask("GET", "/v1/episodes/{episode_id}", None, id)
        assert status == (200 if id in self.episodes else 404)
        if status == 200:
            assert answer["turn"] == len(answer["steps"]) == len(self.episodes[id][1])
            assert answer["over"] == self.over(id)

    @precondition(lambda self: len(self.episodes) > 2)
    @rule(id=ids)
    def delete(self, id: str) -> None:
        status, _ = self.ask("DELETE", "/v1/episodes/{episode_id}", None, id)
        assert status == (204 if self.episodes.pop(id, None) else 404)


SEEN: Counter[tuple[str, str, int]] = Counter()


def test_what_is_created_can_be_played_forked_and_deleted() -> None:
    SEEN.clear()
    run_state_machine_as_test(Playing, settings=settings(FEW, max_examples=40, stateful_step_count=30))
    one = "/v1/episodes/{episode_id}"
    for method, path, wanted in [
        ("POST", "/v1/episodes", (201, 409)),
        ("POST", f"{one}/step", (200, 404, 409)),
        ("POST", f"{one}/fork", (201, 404, 409)),
        ("GET", one, (200, 404)),
        ("DELETE", one, (204, 404)),
    ]:
        for status in wanted:
            assert SEEN[method, path, status], (
                f"{method} {path} was answered {status} too rarely to prove anything: {SEEN}"
            )


# -- keys ---------------------------------------------------------------------------------------------------------------


def documented() -> list[tuple[str, str, Any]]:
    paths = WITH_KEYS.openapi()["paths"].items()
    return [(method.upper(), path, what) for path, methods in paths for method, what in methods.items()]


@pytest.mark.parametrize(("method", "path", "operation"), documented(), ids=[f"{m} {p}" for m, p, _ in documented()])
def test_the_documented_scope_is_what_is_needed(
    method: str, path: str, operation: Any, tmp_path: Path, make_api: Callable[..., Api]
) -> None:
    file = KeyFile(tmp_path / "keys.json")
    headers = {scope: {"authorization": f"Bearer {file.create(scope, [scope])[0]}"} for scope in SCOPES}
    api = make_api(keyring=Keyring(tmp_path / "keys.json"))
    wanted = {scope for needed in operation["security"] for scope in needed.get("key", ())}
    open_to_all = {} in operation["security"] or not operation["security"]
    where = path.replace("{episode_id}", "nobody").replace("{env_id}", "guess-number-v0")
    bare = api.send(method, where)
    assert (bare.status_code == 401) != open_to_all
    for scope, header in headers.items():
        status = api.send(method, where, headers=header).status_code
        assert status != 401
        let_in = open_to_all or scope in wanted or (scope == "admin" and "solutions" not in wanted)
        assert (status == 403) != let_in, f"{scope}: {status}"


def test_a_document_that_is_not_true_is_noticed() -> None:
    """The tests above can fail: one field more, or one answer less, and they do."""
    for name, field in [("Health", "uptime"), ("Problem", "hint")]:
        document = narrowed(WITHOUT_KEYS.openapi())
        document["components"]["schemas"][name]["required"].append(field)
        schema = loaded(document, WITHOUT_KEYS)
        path = "/health" if name == "Health" else "/v1/episodes/{episode_id}"
        case = schema[path]["GET"].Case(path_parameters={"episode_id": "nobody"})
        with pytest.raises(BaseExceptionGroup, match=field):
            case.call_and_validate(excluded_checks=_OF_KEYS)
    document = narrowed(WITHOUT_KEYS.openapi())
    del document["paths"]["/v1/episodes/{episode_id}"]["get"]["responses"]["404"]
    case = loaded(document, WITHOUT_KEYS)["/v1/episodes/{episode_id}"]["GET"].Case(path_parameters={"episode_id": "x"})
    with pytest.raises(BaseExceptionGroup, match="Undocumented status code"):
        case.call_and_validate(excluded_checks=_OF_KEYS)
