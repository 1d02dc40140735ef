"""Names in sentences of text worlds: articles and lists."""

from __future__ import annotations

from collections.abc import Iterable

from envhub.authoring.wording import and_list


def with_article(name: str) -> str:
    """A name with its indefinite article: ``an apple 1``."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def listed(names: Iterable[str]) -> str:
    """Things in a sentence: ``an apple 1 and a mug 2``, or ``nothing``."""
    found = list(map(with_article, names))
    return and_list(found) if found else "nothing"
