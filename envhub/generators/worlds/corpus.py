"""Worlds and their documents from a recipe, redrawn when needed and cached.

A recipe is ``(seed, people, namesakes)``. It is part of an answer key, because it determines the tables; so an episode
carries three values, and documents and index are built once per process for all episodes of a task.
"""

from __future__ import annotations

from functools import lru_cache

from envhub.core.seeding import Stream
from envhub.generators.retrieval import Index
from envhub.generators.worlds.tables import World, build
from envhub.generators.worlds.text import render

Recipe = tuple[str, int, int]


def recipe(rng: Stream, people: int, namesakes: int) -> Recipe:
    """A new recipe."""
    return f"{rng.bits(128):032x}", people, namesakes


@lru_cache(maxsize=32)
def world_of(seed: str, people: int, namesakes: int) -> World:
    """The tables of a recipe."""
    return build(Stream(bytes.fromhex(seed), "world"), people, namesakes)


@lru_cache(maxsize=32)
def index_of(seed: str, people: int, namesakes: int) -> Index:
    """The searchable documents of a recipe."""
    return Index(render(world_of(seed, people, namesakes), Stream(bytes.fromhex(seed), "documents")))
