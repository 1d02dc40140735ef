"""OpenEnv server of an echo environment.

``python -m benchmarks.peers.openenv_echo PORT``

Written as in its documentation: an ``Environment`` with pydantic models of action and observation, an application from
``create_fastapi_app``, run by uvicorn. The session limit, 1 by default, is raised as needed.
"""

import sys

import uvicorn
from openenv.core.env_server import Action, Environment, Observation, State
from openenv.core.env_server.http_server import create_fastapi_app


class EchoAction(Action):
    message: str


class EchoObservation(Observation):
    echoed_message: str = ""


class Echo(Environment):
    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self):
        super().__init__()
        self._state = State(step_count=0)

    def reset(self, seed=None, episode_id=None, **kwargs):
        self._state = State(episode_id=episode_id, step_count=0)
        return EchoObservation(echoed_message="Say something, and it is said again.", done=False, reward=0.0)

    def step(self, action, timeout_s=None, **kwargs):
        self._state.step_count += 1
        return EchoObservation(echoed_message=action.message, done=False, reward=0.0)

    @property
    def state(self):
        return self._state


app = create_fastapi_app(Echo, EchoAction, EchoObservation, max_concurrent_envs=20_000)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
