# ruff: noqa: E501 -- a query is read best in one piece
"""Right and wrong queries for questions about the rows of a table, from their words."""

from __future__ import annotations

import re

from tests.envs.code.sql_player.reading import Parts, Reading


def single(r: Reading, v: Parts) -> tuple[str, dict[str, str]] | None:
    """The right query and wrong ones by name; None for other questions."""
    P = v.P
    C = v.C
    I = v.I  # noqa: E741
    joined = v.joined
    lined = v.lined
    ok = v.ok
    who = v.who
    amount = v.amount
    owner = v.owner
    kind = v.kind
    group = v.group
    n0 = v.n0
    worth = v.worth
    word = v.word
    number = v.number
    made: dict[str, str]
    match r.question:
        case q if re.match(r"Which of .* have an? \w+ of at least \d+\?$", q):
            level = f"a.{r.level}"
            right = f"SELECT name, {level} FROM {P} WHERE {level} > {number} - 1 AND {who}"
            made = {
                "strict": right.replace(f"> {number} - 1", f"> {number}"),
                "by id": right + f" ORDER BY {level} DESC, id",
                "id last": right + f" ORDER BY {level}, name",
                "distinct": right.replace("SELECT", "SELECT DISTINCT", 1),
                "grouped": right + f" GROUP BY name, {level}",
                "nulls": right.replace(f"WHERE {level} >", f"WHERE IFNULL({level}, 99) >"),
                "one key": right + f" ORDER BY {level} DESC",
                "nocase": right + f" ORDER BY {level} DESC, lower(name), name DESC",
            }
        case q if "do not have the" in q:
            right = f"SELECT id, name FROM {P} WHERE ({group} IS NOT '{word}') AND {who}"
            made = {
                "no null": right.replace("IS NOT", "<>"),
                "nocase": right.replace(f"{group} IS NOT '{word}'", f"ifnull(lower({group}), '') <> lower('{word}')"),
                "like": right.replace(f"IS NOT '{word}'", f"NOT LIKE '{word}%'"),
                "is": right.replace("IS NOT", "IS"),
                "null only": right.replace(f"IS NOT '{word}'", "IS NULL"),
            }
        case q if "combinations" in q:
            right = f"SELECT DISTINCT b.day, {kind} FROM {C} WHERE {ok}"
            made = {
                "all": right.replace("DISTINCT ", ""),
                "owners": right + f" AND {owner} IS NOT NULL",
                "nocase": f"SELECT b.day, {kind} FROM {C} WHERE {ok} GROUP BY b.day, lower({kind})",
                "one a day": f"SELECT b.day, MAX({kind}) FROM {C} WHERE {ok} GROUP BY b.day",
            }
        case q if "to how many different" in q:
            right = f"SELECT {kind}, COUNT(*), COUNT(DISTINCT {owner}) FROM {C} WHERE {ok} GROUP BY {kind}"
            made = {
                "not distinct": right.replace("DISTINCT ", ""),
                "known owners": right.replace(" GROUP", f" AND {owner} > 0 GROUP"),
                "null counts": right.replace(f"DISTINCT {owner}", f"DISTINCT IFNULL({owner}, -1)"),
                "nocase": right.replace(f"GROUP BY {kind}", f"GROUP BY lower({kind})"),
                "names": f"SELECT {kind}, COUNT(*), COUNT(DISTINCT a.name) FROM {C} LEFT JOIN {P} ON {joined} WHERE {ok} GROUP BY {kind}",
            }
        case q if "how many of them are on that day" in q:
            right = f"SELECT b.day, COUNT(*), SUM({amount}) FROM {C} WHERE {ok} GROUP BY b.day"
            made = {
                "zero": right.replace(f"SUM({amount})", f"TOTAL({amount})"),
                "known": right.replace("COUNT(*)", f"COUNT({amount})"),
                "no nulls": right.replace(" GROUP", f" AND {amount} IS NOT NULL GROUP"),
                "average": right.replace("SUM", "AVG"),
                "owners": right.replace(" GROUP", f" AND {owner} IS NOT NULL GROUP"),
                "distinct": right.replace("SUM(", "SUM(DISTINCT "),
            }
        case q if "what is the average of the known values" in q:
            right = f"SELECT {kind}, SUM({amount}) * 1.0 / COUNT({amount}) FROM {C} WHERE {ok} GROUP BY 1 HAVING COUNT({amount}) > 0"
            mean = f"SUM({amount}) * 1.0 / COUNT({amount})"
            made = {
                "whole": right.replace(" * 1.0", ""),
                "all rows": right.replace(f"/ COUNT({amount})", "/ COUNT(*)"),
                "with unknown": right.split(" HAVING")[0],
                "zero": right.replace(mean, f"AVG({n0})").split(" HAVING")[0],
                "middle": right.replace(mean, f"(MAX({amount}) + MIN({amount})) / 2.0"),
                "rounded": right.replace(mean, f"ROUND({mean})"),
                "rounded 1": right.replace(mean, f"ROUND({mean}, 1)"),
                "rounded 2": right.replace(mean, f"ROUND({mean}, 2)"),
                "distinct": right.replace(mean, f"AVG(DISTINCT {amount})"),
                "nocase": right.replace("GROUP BY 1", f"GROUP BY lower({kind})"),
            }
        case q if "occur more than once" in q:
            right = f"SELECT name, COUNT(*) FROM {P} WHERE {who} GROUP BY name HAVING COUNT(*) >= 2"
            made = {
                "all": right.split(" HAVING")[0],
                "three": right.replace(">= 2", ">= 3"),
                "nocase": right.replace("BY name", "BY lower(name)"),
                "twice": right.replace(">= 2", "= 2"),
                "groups": right.replace("COUNT(*)", f"COUNT(DISTINCT {group})"),
            }
        case q if "belong to an unknown" in q:
            right = f"SELECT b.id, b.day FROM {C} WHERE {owner} IS NULL AND {ok}"
            made = {
                "not in": right.replace("IS NULL", f"NOT IN (SELECT id FROM {r.owners})"),
                "known": right.replace("IS NULL", "IS NOT NULL"),
                "equal": right.replace("IS NULL", "= NULL"),
                "all": right.replace(f"{owner} IS NULL AND ", ""),
            }
        case q if q.startswith("The worth of") and "with at least one" in q:
            right = f"SELECT b.id, (SELECT SUM({worth}) FROM {I} WHERE {lined}) FROM {C} WHERE {ok} AND b.id IN (SELECT {r.row_id} FROM {r.lines})"
            made = {
                "none too": right.split(" AND b.id IN")[0],
                "zero": right.split(" AND b.id IN")[0].replace("SUM", "TOTAL"),
                "price": right.replace(worth, f"x.{r.price}"),
                "count": right.replace(worth, "x.count"),
                "product of sums": right.replace(f"SUM({worth})", f"SUM(x.count) * SUM(x.{r.price})"),
                "distinct": right.replace("SUM(", "SUM(DISTINCT "),
                "owners": right + f" AND {owner} IS NOT NULL",
            }
        case q if "sum of its counts, and in how many" in q:
            right = f"SELECT x.{r.label}, SUM(x.count), COUNT(DISTINCT b.id) FROM {C}, {I} WHERE {lined} AND {ok} GROUP BY 1"
            made = {
                "lines": right.replace("COUNT(DISTINCT b.id)", "COUNT(*)"),
                "owners": right.replace("DISTINCT b.id", f"DISTINCT {owner}"),
                "number": right.replace("SUM(x.count)", "COUNT(*)"),
                "nocase": right.replace("GROUP BY 1", f"GROUP BY lower(x.{r.label})"),
                "distinct": right.replace("SUM(", "SUM(DISTINCT "),
                "known": right.replace(" GROUP", f" AND {owner} > 0 GROUP"),
            }
        case q if "NULL included: how many of" in q and "known values of" in q:
            right = f"SELECT {group}, COUNT(*), COUNT(DISTINCT a.{r.level}) FROM {P} WHERE {who} GROUP BY {group}"
            made = {
                "known": right.replace(" GROUP", f" AND {group} IS NOT NULL GROUP"),
                "levels": right.replace("DISTINCT ", ""),
                "group": right.replace("COUNT(*)", f"COUNT({group})"),
                "nocase": right.replace(f"BY {group}", f"BY lower({group})"),
                "names": right.replace("COUNT(*)", "COUNT(DISTINCT name)"),
                "unknown": right.replace(f"DISTINCT a.{r.level}", f"DISTINCT IFNULL(a.{r.level}, 0)"),
            }
        case q if "at all?" in q:
            right = f"SELECT b.id, {kind} FROM {C} WHERE b.id NOT IN (SELECT {r.row_id} FROM {r.lines}) AND {ok}"
            made = {
                "some": right.replace("NOT IN", "IN"),
                "all": right.replace(f"b.id NOT IN (SELECT {r.row_id} FROM {r.lines}) AND ", ""),
                "known": right + f" AND {owner} IS NOT NULL",
                "ids": right.replace(f"SELECT {r.row_id}", "SELECT count"),
            }
        case _:
            return None
    return right, made
