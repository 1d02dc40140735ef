"""Values that the shell completes with Tab: ids, levels and names.

``envhub --install-completion`` sets up bash, zsh, fish or PowerShell. A function receives the unfinished word and returns the
words that complete it. None of them loads an environment, so a completion costs as much as ``envhub --help``.
"""

from __future__ import annotations

from collections.abc import Iterable


def environment(incomplete: str) -> list[str]:
    """Environment ids."""
    from envhub.registry.registry import list_envs

    return _starting(list_envs(), incomplete)


def environments(incomplete: str) -> list[str]:
    """The last of several environment ids, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + id for id in environment(last)]


def level(incomplete: str) -> list[str]:
    """Difficulty levels."""
    from envhub.core.difficulty import LEVELS

    return _starting(map(str, LEVELS), incomplete)


def split(incomplete: str) -> list[str]:
    """Names of splits."""
    from envhub.core.seeding import SPLITS

    return _starting(SPLITS, incomplete)


def answer_format(incomplete: str) -> list[str]:
    """Names of answer formats."""
    from envhub.verifiers.answers.extraction import FORMS

    return _starting(FORMS, incomplete)


def tool_format(incomplete: str) -> list[str]:
    """Names of formats of tool calls."""
    from envhub.core.tools import FORMATS

    return _starting(FORMATS, incomplete)


def row_format(incomplete: str) -> list[str]:
    """Names of formats of dataset rows."""
    from envhub.dataset.formats import FORMATS

    return _starting(FORMATS, incomplete)


def agent(incomplete: str) -> list[str]:
    """Names of agents that ``envhub play --watch`` shows."""
    from envhub.evaluation.demo import AGENTS

    return _starting(AGENTS, incomplete)


def _starting(words: Iterable[str], incomplete: str) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]
