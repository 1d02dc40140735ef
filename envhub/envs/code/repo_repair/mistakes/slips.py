"""Mistakes that people make between two parts of a program.

A slip replaces a piece of a function by what somebody might have written: a unit that the other side does not expect, a
bound, a missing step, a forgotten case of a format. Each piece occurs once in its function.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Slip(NamedTuple):
    """A mistake in a function of the library.

    Attributes:
        function: Its name.
        right: The piece of its source.
        wrong: The mistake.
    """

    function: str
    right: str
    wrong: str


SLIPS: Final = (
    # units that two functions do not share
    Slip("weekday", "(day + 6) % 7", "day % 7"),
    Slip("rounded_price", "(2 * amount * rate + UNIT) // (2 * UNIT)", "amount * rate // UNIT"),
    Slip("rounded_price", "(2 * amount * rate + UNIT) // (2 * UNIT)", "amount // UNIT * rate"),
    Slip("stepped_price", "min(amount, FULL_UNITS * UNIT)", "min(amount, FULL_UNITS)"),
    Slip("stepped_price", "amount - full", "amount"),
    Slip("started_price", "-(-amount // UNIT)", "(amount // UNIT + 1)"),
    Slip("percent_of", "(2 * cents * percent + 100) // 200", "cents * percent // 100"),
    Slip("parse_money", '(rest + "00")[:2]', 'rest or "0"'),
    Slip("parse_money", 'return -cents if text.startswith("-") else cents', "return cents"),
    Slip("show_money", "{abs(cents) // 100}.{abs(cents) % 100:02}", "{cents // 100}.{cents % 100:02}"),
    Slip("show_money", "{abs(cents) % 100:02}", "{abs(cents) % 100}"),
    Slip("parse_amount", 'int((rest + "000")[:3])', 'int(rest or "0")'),
    Slip("parse_amount", '60 * int(hours or "0")', '100 * int(hours or "0")'),
    Slip("show_amount", "{amount % 60:02}", "{amount % 60}"),
    Slip("show_amount", "{amount % 1000:03}", "{amount % 1000}"),
    Slip("show_amount", "if pieces else str(boxes)", "if boxes else str(pieces)"),
    Slip("show_statement", 'record["cost"] - record["paid"] for record in mine', 'record["cost"] for record in mine'),
    Slip(
        "show_owing",
        'record["cost"] - record["paid"] for record in records',
        'record["paid"] - record["cost"] for record in records',
    ),
    Slip("show_medians", 'values_of(records, "amount")', 'values_of(records, "cost")'),
    Slip("show_shares", 'values_of(records, "cost")', 'values_of(records, "amount")'),
    # bounds and numbers that are off by one
    Slip("months_between", "month_index(last) + 1", "month_index(last)"),
    Slip("month_name", "index % 12 + 1", "index % 12"),
    Slip("month_index", "+ int(number) - 1", "+ int(number)"),
    Slip("in_period", 'record["day"] <= until', 'record["day"] < until'),
    Slip("in_period", 'record["day"] >= since', 'record["day"] > since'),
    Slip("is_weekend", ">= 5", "> 5"),
    Slip("loyal_price", "earlier >= LOYAL_AFTER", "earlier > LOYAL_AFTER"),
    Slip("large_price", "amount > LARGE", "amount >= LARGE"),
    Slip("ranks", "other > mine", "other >= mine"),
    Slip("streaks", "span[1] - span[0] + 1 >= STREAK_LEAST", "span[1] - span[0] >= STREAK_LEAST"),
    Slip("longest_pause", "later - earlier - 1", "later - earlier"),
    Slip("median", "ordered[(count - 1) // 2] + ordered[count // 2]", "2 * ordered[count // 2]"),
    Slip("split_evenly", "place < rest", "place <= rest"),
    Slip("running", "values[: place + 1]", "values[:place]"),
    Slip("shortened", "line[: most - 3]", "line[:most]"),
    # order and steps that another function relies on
    Slip("load_records", ', key=lambda record: record["day"])', ', key=lambda record: record["client"])'),
    Slip("streaks", "sorted(set(days))", "list(dict.fromkeys(days))"),
    Slip("streaks", "sorted(set(days))", "sorted(days)"),
    Slip("longest_pause", "sorted(set(days))", "list(dict.fromkeys(days))"),
    Slip("median", "sorted(values)", "list(values)"),
    Slip("largest_first", "(-sums[name], name)", "-sums[name]"),
    Slip("percentages", "(-(100 * sums[name] % whole), name)", "(-sums[name], name)"),
    Slip("corrected", "sorted(last.values())", "last.values()"),
    Slip("corrected", '(record["day"], record["client"], record["article"])', '(record["day"], record["client"])'),
    Slip("corrected", '(record["day"], record["client"], record["article"])', '(record["client"], record["article"])'),
    Slip("earlier_counts", 'seen[record["client"]] = counts[-1] + 1', 'seen[record["client"]] = len(counts)'),
    Slip("charges", 'key = (record["client"], record["day"])', 'key = (record["client"], 0)'),
    Slip("charges", "charges.append(min(price, DAY_CAP - spent.get(key, 0)))", "charges.append(min(price, DAY_CAP))"),
    Slip("priced", "kept = corrected(records)", "kept = records"),
    Slip("priced", "zip(kept, charges(kept))", "zip(kept, charges(records))"),
    Slip(
        "chosen",
        'in_period(priced(records), options["since"], options["until"])',
        'priced(in_period(records, options["since"], options["until"]))',
    ),
    Slip("totals", "sum(group)", "group[-1]"),
    Slip("grouped", "groups.setdefault(name, []).append(value)", "groups[name] = [value]"),
    # defaults and cases
    Slip("status_price", "STATUS_PERCENT.get(status, 100)", "STATUS_PERCENT.get(status[:1], 100)"),
    Slip("least_price", "max(price, MINIMUM) if price else 0", "max(price, MINIMUM)"),
    Slip("with_status", 'status in ("", record["status"])', 'record["status"] == status'),
    Slip("record_from_row", 'row.get("status") or DEFAULT_STATUS', 'row.get("status", DEFAULT_STATUS)'),
    Slip("change", "abs(after - before) // abs(before)", "abs(after - before) // max(after, 1)"),
    Slip("change", "if before == 0:", "if before == 0 and after == 0:"),
    Slip("show_months", "months_between(min(months), max(months)) if months else []", "sorted(sums)"),
    Slip("show_top", 'if places[name] <= options["top"]]', '][: options["top"]]'),
    Slip("added", 'values = [*words, *[""] * len(COLUMNS)]', "values = words"),
    # forgotten cases of a format
    Slip("escape", '.replace("\\\\", "\\\\\\\\")', ""),
    Slip("escape", '.replace("\\n", "\\\\n")', '.replace("\\n", " ")'),
    Slip("unescape", '{"p": "|", "n": "\\n"}', '{"p": "|"}'),
    Slip("unescape", "            escaped = False\n", '            escaped = letter == "\\\\"\n'),
    Slip("quote", ".replace('\"', '\"\"')", ""),
    Slip("quote", 'if "," in shown or \'"\' in shown', 'if "," in shown'),
    Slip("split_row", "if not inside and previous == '\"':", "if inside and previous == '\"':"),
    Slip("split_row", "(current if quoted else current.strip())", "current.strip()"),
    Slip("split_row", '.replace("|", "\\n")', ""),
    Slip("encode", '.replace("%", "%25")', ""),
    Slip("encode", '.replace("%", "%25").replace("\\t", "%09")', '.replace("\\t", "%09").replace("%", "%25")'),
    Slip("decode", "int(piece[:2], 16)", "int(piece[:2])"),
    Slip("is_content", 'not line.startswith("#")', '"#" not in line'),
    Slip("read_rows", 'values + [""] * (len(header) - len(values))', "values"),
    Slip("fold", '"\\n  ."', '"\\n  "'),
    Slip("pairs_of", "line[3:]", "line[3:].strip()"),
    Slip("pairs_of", 'line.partition(":")', 'line.rpartition(":")'),
    Slip("write_rows", 'for name in columns if row[name] != ""', "for name in columns[:-1]"),
)
