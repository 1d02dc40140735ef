"""Question kinds about the rows of a table, or their groups."""

from __future__ import annotations

from typing import Final

from envhub.envs.code.sql.questions import Kind, When

KINDS: Final[dict[str, Kind]] = {
    "least": Kind(
        "Which of {the_ps} have {a_pl} of at least {least}?",
        "SELECT p.name, p.{pl} FROM {P} p WHERE p.{pl} >= {least}{onp}",
        (("name", "t"), ("{pl}", "n")),
        (-2, 1),
        [("p.{pl} >= {least}", "COALESCE(p.{pl}, 9) >= {least}")],
        others=[(">= {least}", "> {least} - 1")],
        tables="p",
        exclude=frozenset({"level"}),
        repeats=True,
    ),
    "elsewhere": Kind(
        "Which of {the_ps} do not have the {pg} '{group}'? {A_p} whose {pg} is unknown is one of them.",
        "SELECT p.id, p.name FROM {P} p WHERE (p.{pg} <> '{group}' OR p.{pg} IS NULL){onp}",
        (("id", "k"), ("name", "t")),
        (),
        [("p.{pg} <> '{group}' OR ", ""), ("p.{pg} <>", "p.{pg} =")],
        others=[("(p.{pg} <> '{group}' OR p.{pg} IS NULL)", "p.{pg} IS NOT '{group}'")],
        tables="p",
        exclude=frozenset({"group"}),
    ),
    "combinations": Kind(
        "Which combinations of day and {ck} occur among {the_cs}? List each combination once.",
        "SELECT DISTINCT c.day, c.{ck} FROM {C} c{where}",
        (("day", "n"), ("{ck}", "t")),
        (-1, -2),
        [("DISTINCT c.day, c.{ck} FROM {C} c{where}", "c.day, c.{ck} FROM {C} c{where} GROUP BY c.day, lower(c.{ck})")],
        others=["SELECT c.day, c.{ck} FROM {C} c{where} GROUP BY 1, 2"],
        tables="c",
        exclude=frozenset({"kind"}),
    ),
    "kinds": Kind(
        "For each {ck} that occurs among {the_cs}: how many of {the_cs} have it, and to how many different {ps} do they belong?"
        " An unknown {p} is not counted.",
        "SELECT c.{ck}, COUNT(*), COUNT(DISTINCT c.{cp}) FROM {C} c{where} GROUP BY c.{ck}",
        (("{ck}", "t"), ("number of {cs}", "n"), ("number of {ps}", "n0")),
        (-1,),
        [
            ("COUNT(*)", "COUNT(c.{cp})"),
            ("DISTINCT c.{cp}", "DISTINCT COALESCE(c.{cp}, 0)"),
            "SELECT c.{ck}, COUNT(*), COUNT(DISTINCT c.{cp}) FROM {C} c JOIN {P} p ON p.id = c.{cp}{where} GROUP BY c.{ck}",
            "SELECT c.{ck}, COUNT(*), COUNT(DISTINCT p.name) FROM {C} c LEFT JOIN {P} p ON p.id = c.{cp}{where} GROUP BY "
            "c.{ck}",
        ],
        others=[("COUNT(*)", "COUNT(c.id)")],
        tables="c",
        exclude=frozenset({"kind_either"}),
    ),
    "days": Kind(
        "For each day that occurs among {the_cs}: how many of them are on that day, and what is the sum of their {ca}? Ignore "
        "{cs} whose {ca} is unknown in the sum. If all are unknown, the sum is NULL.",
        "SELECT c.day, COUNT(*), SUM(c.{ca}) FROM {C} c{where} GROUP BY c.day",
        (("day", "n"), ("number", "n"), ("sum", "n?")),
        (-1,),
        [
            ("COUNT(*)", "COUNT(c.{ca})"),
            ("SUM(c.{ca})", "AVG(c.{ca})"),
            ("COUNT(*)", "COUNT(DISTINCT c.{cp})"),
            "SELECT c.day, COUNT(*), SUM(c.{ca}) FROM {C} c JOIN {P} p ON p.id = c.{cp}{where} GROUP BY c.day",
        ],
        others=[("COUNT(*)", "COUNT(c.day)")],
        tables="c",
        exclude=frozenset({"amount"}),
    ),
    "averages": Kind(
        "For each {ck} that occurs among {the_cs}: what is the average of the known values of {ca}? Leave out {a_ck} for which "
        "no {ca} is known.",
        "SELECT c.{ck}, AVG(c.{ca}) FROM {C} c WHERE c.{ca} IS NOT NULL{on} GROUP BY c.{ck}",
        (("{ck}", "t"), ("average", "r")),
        (-2,),
        [
            "SELECT c.{ck}, AVG(COALESCE(c.{ca}, 0)) FROM {C} c{where} GROUP BY c.{ck}",
            "SELECT c.{ck}, SUM(c.{ca}) * 1.0 / COUNT(*) FROM {C} c{where} GROUP BY c.{ck} HAVING COUNT(c.{ca}) > 0",
            "SELECT c.{ck}, AVG(c.{ca}) FROM {C} c JOIN {P} p ON p.id = c.{cp} WHERE c.{ca} IS NOT NULL{on} GROUP BY c.{ck}",
        ],
        others=["SELECT c.{ck}, AVG(c.{ca}) FROM {C} c{where} GROUP BY c.{ck} HAVING COUNT(c.{ca}) > 0"],
        tables="c",
        exclude=frozenset({"amount", "kind_either"}),
    ),
    "namesakes": Kind(
        "Which names occur more than once among {the_ps}, and how often?",
        "SELECT p.name, COUNT(*) FROM {P} p{wherep} GROUP BY p.name HAVING COUNT(*) > 1",
        (("name", "t"), ("number of {ps}", "n")),
        (-2,),
        [
            ("COUNT(*)", "COUNT(DISTINCT p.{pg})"),
            When("!group", ("COUNT(*)", "COUNT(p.{pg})")),
            When("!level", ("COUNT(*)", "COUNT(p.{pl})")),
        ],
        others=[("COUNT(*) > 1", "MIN(p.id) < MAX(p.id)")],
        tables="p",
    ),
    "orphans": Kind(
        "Which of {the_cs} belong to an unknown {p}?",
        "SELECT c.id, c.day FROM {C} c WHERE c.{cp} IS NULL{on}",
        (("id", "k"), ("day", "n")),
        (-2,),
        [
            "SELECT c.id, c.day FROM {C} c{where}",
            "SELECT c.id, c.day FROM {C} c WHERE c.{cp} NOT IN (SELECT id FROM {P}){on}",
        ],
        others=["SELECT c.id, c.day FROM {C} c LEFT JOIN {P} p ON p.id = c.{cp} WHERE p.id IS NULL{on}"],
        tables="c",
    ),
    "values": Kind(
        "The worth of {a_c} is the sum of count times {ip} over its {ii}. What is the worth of each of {the_cs} with at least "
        "one {i}?",
        "SELECT c.id, SUM(i.count * i.{ip}) FROM {C} c JOIN {I} i ON i.{ic} = c.id{where} GROUP BY c.id",
        (("id of the {c}", "k"), ("worth", "n")),
        (-2,),
        [
            ("SUM(i.count * i.{ip})", "SUM(i.count) * SUM(i.{ip})"),
            ("SUM(i.count * i.{ip})", "COUNT(*)"),
            ("{C} c JOIN {I} i ON i.{ic} = c.id", "{C} c JOIN {P} p ON p.id = c.{cp} JOIN {I} i ON i.{ic} = c.id"),
            "SELECT c.id, COALESCE(SUM(i.count * i.{ip}), 0) FROM {C} c LEFT JOIN {I} i ON i.{ic} = c.id{where} GROUP BY c.id",
        ],
        others=[
            "SELECT c.id, (SELECT SUM(i.{ip} * i.count) FROM {I} i WHERE i.{ic} = c.id) FROM {C} c WHERE c.id IN (SELECT "
            "{ic} FROM {I}){on}"
        ],
        tables="c",
        exclude=frozenset({"has_line", "has_line_twice"}),
    ),
    "labels": Kind(
        "For each {il} that occurs among the {ii} of {the_cs}: what is the sum of its counts, and in how many different {cs} "
        "does it occur?",
        "SELECT i.{il}, SUM(i.count), COUNT(DISTINCT c.id) FROM {C} c JOIN {I} i ON i.{ic} = c.id{where} GROUP BY i.{il}",
        (("{il}", "t"), ("sum of counts", "n"), ("number of {cs}", "n")),
        (-2, 3),
        [
            ("SUM(i.count)", "COUNT(*)"),
            ("DISTINCT c.id", "DISTINCT c.{cp}"),
            ("{C} c JOIN {I} i ON i.{ic} = c.id", "{C} c JOIN {P} p ON p.id = c.{cp} JOIN {I} i ON i.{ic} = c.id"),
        ],
        others=[("DISTINCT c.id", "DISTINCT i.{ic}")],
        tables="c",
        exclude=frozenset({"has_line", "has_line_twice"}),
    ),
    "known": Kind(
        "For each {pg} that occurs among {the_ps}, NULL included: how many of {the_ps} have it, and how many different known "
        "values of {pl} do they have?",
        "SELECT p.{pg}, COUNT(*), COUNT(DISTINCT p.{pl}) FROM {P} p{wherep} GROUP BY p.{pg}",
        (("{pg}", "t?"), ("number of {ps}", "n"), ("number of {pl} values", "n0")),
        (-1,),
        [
            ("COUNT(*)", "COUNT(p.{pg})"),
            ("COUNT(*)", "COUNT(p.{pl})"),
            ("COUNT(*)", "COUNT(DISTINCT p.name)"),
            ("DISTINCT p.{pl}", "DISTINCT COALESCE(p.{pl}, 0)"),
            "SELECT p.{pg}, COUNT(*), COUNT(DISTINCT p.{pl}) FROM {P} p WHERE p.{pg} IS NOT NULL{onp} GROUP BY p.{pg}",
        ],
        others=[("COUNT(*)", "COUNT(p.id)")],
        tables="p",
        exclude=frozenset({"group", "level"}),
    ),
    "unlined": Kind(
        "Which of {the_cs} have no {ii} at all?",
        "SELECT c.id, c.{ck} FROM {C} c WHERE NOT EXISTS (SELECT 1 FROM {I} i WHERE i.{ic} = c.id){on}",
        (("id", "k"), ("{ck}", "t")),
        (2,),
        [
            "SELECT c.id, c.{ck} FROM {C} c{where}",
            "SELECT c.id, c.{ck} FROM {C} c LEFT JOIN {I} i ON i.{ic} = c.id{where}",
            "SELECT c.id, c.{ck} FROM {C} c JOIN {P} p ON p.id = c.{cp} WHERE NOT EXISTS (SELECT 1 FROM {I} i WHERE i.{ic} = "
            "c.id){on}",
        ],
        others=["SELECT c.id, c.{ck} FROM {C} c LEFT JOIN {I} i ON i.{ic} = c.id WHERE i.{ic} IS NULL{on}"],
        tables="c",
        exclude=frozenset({"line", "kind_either"}),
    ),
}
