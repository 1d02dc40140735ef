"""Contract on kinds of question.

Composed questions have many kinds at every level. The environment defines the kinds (``form``); names, numbers and
wordings do not count. A puzzle with one law has no kinds.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, require
from envhub.authoring import Environment
from envhub.core.statistics import NORMAL_999, wilson

LEAST: Final = 8
"""Minimum number of forms per level."""
MOST_SHARE: Final = 0.3
"""Maximum share of draws with the same form."""

_SEED: Final = 5_000_000


def composes(environment: Environment) -> bool:
    """Whether an environment defines the forms of its questions."""
    return type(environment).form is not Environment.form


def count_forms(subject: Subject, level: int) -> Counter[str]:
    """Draws per form at a level.

    Raises:
        Breach: Only some problems of the level have a form.
    """
    if not composes(subject.environment):
        return Counter()
    return subject.once(("forms", level), lambda: _counted(subject, level))


def _counted(subject: Subject, level: int) -> Counter[str]:
    env = subject.env(level)
    found: Counter[str | None] = Counter()
    for seed in range(_SEED, _SEED + subject.depth.forms):
        env.reset(seed=seed)
        found[subject.environment.form(env.task.problem)] += 1
    bare = found.pop(None, 0)
    require(not (bare and found), f"{subject.id} at {level}: {bare} of {subject.depth.forms} problems have no form.")
    return Counter({str(form): count for form, count in found.items()})


@applies_if(lambda subject: composes(subject.environment))
def check_forms(subject: Subject) -> None:
    """At least 8 forms at every level.

    Each is at most 30 % of draws. The share is tested by its 99.9 % Wilson bound.
    """
    for level in subject.levels:
        found = count_forms(subject, level)
        drawn = found.total()
        if not drawn:  # no problem has a form: the environment's settings leave one law
            continue
        require(
            len(found) >= LEAST,
            f"{subject.id} at {level}: {len(found)} forms in {drawn} problems, {LEAST} are asked: {_shown(found)}.",
        )
        [(form, count)] = found.most_common(1)
        require(
            wilson(count, drawn, NORMAL_999)[0] <= MOST_SHARE,
            f"{subject.id} at {level}: {count} of {drawn} problems are of the form {form!r}; at most {MOST_SHARE:.0%} may be.",
        )


def _shown(found: Counter[str]) -> str:
    return ", ".join(f"{form} {count}" for form, count in found.most_common(LEAST))
