"""Language models that an episode asks: endpoints named by each request.

A model is named by a URL, ``http://host/v1#model``, in a parameter of the task. The request is an effect, so its reply is
journaled and a replay asks nobody; a failed request is an ``error`` of the episode. Keys are read from environment variables,
never from a URL. A subclass says what a request asks, and what of a reply is kept::

    class Speakers(Models):
        def asked(self, effect):
            return endpoint_of(effect.payload["url"], "MY_KEY"), Prompt(system, user, None)
"""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import Any, Final

from envhub.core.effects import Effect, Live, Outcome, Resource
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.types import JSON
from envhub.verifiers.judge.endpoint import Endpoint, Prompt, Reply

MOST_REPLY: Final = 4_000


class Models(Resource):
    """Endpoints of language models, named by each request. Stateless."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Connections are opened per request."""
        return _Asking(self)

    @abstractmethod
    def asked(self, effect: Effect) -> tuple[Endpoint, Prompt]:
        """The endpoint and the request of an effect.

        Raises:
            InvalidParameters: The URL names no endpoint.
            ResourceError: It is not an effect of this resource.
        """

    def kept(self, reply: Reply) -> Outcome:
        """What is journaled of a reply."""
        return Outcome((reply.content or "")[:MOST_REPLY])


class _Asking(Live):
    def __init__(self, models: Models) -> None:
        self._models = models

    def perform(self, effect: Effect) -> Outcome:
        """Ask a model."""
        endpoint, prompt = self._asked(effect)
        with endpoint.connect() as connection:
            return self._models.kept(connection.ask(prompt))

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        endpoint, prompt = self._asked(effect)
        async with endpoint.aconnect() as connection:
            return self._models.kept(await connection.ask(prompt))

    def _asked(self, effect: Effect) -> tuple[Endpoint, Prompt]:
        try:
            return self._models.asked(effect)
        except InvalidParameters as error:
            raise ResourceError(str(error)) from None


def endpoint_of(url: str, key_variable: str | None = None, **settings: Any) -> Endpoint:
    """The endpoint that a URL names.

    Args:
        url: ``http://host/v1#model``.
        key_variable: Environment variable with the key, used if it is set.
        settings: Other fields of the ``Endpoint``.

    Raises:
        InvalidParameters: It names none.
    """
    base, _, model = url.partition("#")
    key = key_variable if key_variable and os.environ.get(key_variable) else None
    return Endpoint(base, model or "default", key, **settings)
