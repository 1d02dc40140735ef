"""Registers an environment for one audit, under an id that is the same in every order of tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from envhub.audit import Subject
from envhub.authoring import Environment
from envhub.registry.registry import register, unregister


@contextmanager
def registered(cls: type[Environment]) -> Iterator[Subject]:
    """The environment under audit; its id is part of what it draws, so it is named for the class."""
    env_id = f"audited-{cls.__name__.lower()}-v0"
    register(env_id, cls)
    try:
        yield Subject(env_id)
    finally:
        unregister(env_id)
