"""Usual SQL mistakes, applied to the template of a reference query.

A rule changes one place of the text, wherever it matches. Each mutant has a name, so that a kind of question can
declare the ones that are right by its meaning; all others are wrong by construction::

    dict(mutants("SELECT p.id FROM {P} p LEFT JOIN ..."))   # {"left join 1": "SELECT p.id FROM {P} p JOIN ...", ...}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_NESTED: Final = r"((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)"
_NO_SQL: Final = re.compile(rf"\b(?:SUM|AVG)\(DISTINCT {_NESTED}\) OVER")
"""Errors raised by SQLite for an invalid query."""
RULES: Final[tuple[tuple[str, str, str], ...]] = (
    ("case", r"(\w\.\{\w+\}) (=|<>) '(\{\w+\})'", r"lower(\1) \2 lower('\3')"),
    ("prefix", r"(\w\.\{\w+\}) = '(\{\w+\})'", r"\1 LIKE '\2%'"),
    ("literal", r"(\w\.\{\w+\}) = '(\{\w+\})'", r"\1 <> '\2'"),
    ("group by case", r"GROUP BY (\w\.(?:name|\{(?:pg|ck|il)\}))", r"GROUP BY lower(\1)"),
    ("inner join", r"LEFT JOIN", r"JOIN"),
    ("all", r"DISTINCT ", r""),
    ("greater", r" >= ", r" > "),
    ("less one", r" >= (\{\w+\}|\d+)", r" >= \1 - 1"),
    ("at least", r" > ", r" >= "),
    ("one more", r" > (\{\w+\}|\d+)", r" > \1 + 1"),
    ("at most", r" < ", r" <= "),
    ("turned", r" < ", r" > "),
    ("minimum", r"MAX\(", r"MIN("),
    ("maximum", r"MIN\(", r"MAX("),
    ("sum of different", r"\bSUM\((?!\w+\.s\))", r"SUM(DISTINCT "),
    ("maximum for sum", r"\bSUM\(", r"MAX("),
    ("average of different", r"\bAVG\(", r"AVG(DISTINCT "),
    ("middle", rf"\bAVG\({_NESTED}\)(?! OVER)", r"(MAX(\1) + MIN(\1)) / 2.0"),
    ("whole division", rf"\bAVG\({_NESTED}\)(?! OVER)", r"(SUM(\1) / COUNT(\1))"),
    ("rounded", rf"\bAVG\({_NESTED}\)(?! OVER)", r"ROUND(AVG(\1))"),
    ("unknown", rf"COALESCE\({_NESTED}, 0\)", r"\1"),
    ("exists", r"NOT EXISTS", r"EXISTS"),
    ("known", r"IS NULL", r"IS NOT NULL"),
    ("null", r"IS NOT NULL", r"IS NULL"),
    ("also unknown", r"\w\.(?:\w+|\{\w+\}) IS NOT NULL AND ", r""),
    ("also unknown 2", r" AND \w\.(?:\w+|\{\w+\}) IS NOT NULL\b", r""),
    ("also unknown 3", r"WHERE \w\.(?:\w+|\{\w+\}) IS NOT NULL(?! AND)", r"WHERE 1"),
    ("without unknown", r" OR \w\.(?:\w+|\{\w+\}) IS NULL", r""),
    ("ascending", r" DESC", r""),
    ("ranks with gaps", r"DENSE_RANK", r"RANK"),
    ("row numbers", r"DENSE_RANK", r"ROW_NUMBER"),
    ("one part", r"PARTITION BY \w\.(?:\w+|\{\w+\}) ?", r""),
    ("price alone", r"i\.count \* i\.", r"i."),
    ("count alone", r"i\.count \* i\.\{ip\}", r"i.count"),
    ("plus one", r" \+ 1\b", r""),
    ("minus one", r" - 1\b", r""),
    ("lead", r"\bLAG\(", r"LEAD("),
    ("rows of the join", r"COUNT\((?:DISTINCT )?[cip]\.id\)", r"COUNT(*)"),
)


def mutants(template: str) -> Iterator[tuple[str, str]]:
    """Every rule applied at every place.

    The rule name with the place number, and the new template.
    """
    for name, pattern, new in RULES:
        for at, found in enumerate(re.finditer(pattern, template), 1):
            changed = template[: found.start()] + found.expand(new) + template[found.end() :]
            if not _NO_SQL.search(changed):
                yield f"{name} {at}", changed
