"""On whose behalf work is done, so that no client of a server takes the turn of the others.

The server sets it to the id of the request's API key; it is empty for work that no key asked for::

    PAYER.set(key.id)
    sandbox.run(job)                 # waits in the line of this key
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

PAYER: Final[ContextVar[str]] = ContextVar("envhub_payer", default="")
