"""Worlds and their documents from a recipe, redrawn when needed and cached.

A recipe is ``(seed, people, namesakes)``. It is part of an answer key, because it determines the tables; so an episode
carries three values, and documents and index are built once per process for all episodes of a task.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.retrieval import Index
from envhub.generators.worlds.tables import World, build
from envhub.generators.worlds.text import render

Recipe = tuple[str, int, int]
RULES: Final = (
    "The documents are all there is to know, and what none of them tells is not known. Each has a year and tells what held "
    "then. Employers, main employers, heads, mayors and seats may change: a later document supersedes an earlier one, and "
    "who or what was replaced had held the place since the change before. A question without a year is about the present, "
    "2024. People, companies, towns, works and events may have a second name, which some document tells; two people may "
    "share a name, and then their trades tell them apart."
)
GLOSSARY: Final = (
    "The seat of a company is the town of its head office, its head who runs it; the setting of a work is the town in which "
    "its story takes place, its year that of its first edition; the place of an event is the town in which it was held."
)


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
