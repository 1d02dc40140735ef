"""The sentences of chart-qa-v0: its questions, and the data as text."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants, in_picture
from envhub.core.types import JSON

VALUES: Final = Phrase(
    "What are the values {of} for {at}? Give them in this order.",
    "Read off the values {of} for {at}, and give them in this order.",
    "State the values {of} that belong to {at}, in this order.",
    held_out="Determine, in this order, the values {of} at {at}.",
)
DIFFERENCES: Final = Phrase(
    "Compare the values {of} for {one} and {other}. How much larger is that for {one}, and what is the sum of both? "
    "Give two numbers.",
    "By how much does the value {of} for {one} exceed that for {other}, and what do the two add up to? Give the "
    "difference and the sum.",
    "Take the values {of} for {one} and for {other}. Give the first minus the second, then their sum.",
    held_out="For the values {of}, state the difference {one} minus {other}, followed by the sum of both.",
)
EXTREMES: Final = Phrase(
    "Which category has the highest value {of}, which has the lowest, and how far are the two values apart? Answer "
    "in this order.",
    "Find the categories with the highest and the lowest value {of}. Give the highest, the lowest, and the "
    "difference of their values.",
    "Name the category of the maximum {of}, then that of the minimum, then the maximum minus the minimum.",
    held_out="State argmax, argmin and range of the values {of}.",
)
RANKING: Final = Phrase(
    "Sort {at} by their values {of}, from the highest to the lowest.",
    "Put {at} in order of their values {of}, the highest first.",
    "Rank {at} by value {of}, in decreasing order.",
    held_out="List {at} in descending order of the values {of}.",
)
THRESHOLD: Final = Phrase(
    "Which categories have a value {of} greater than {limit}? List them in the order of the chart, then the sum of "
    "their values.",
    "List, in the order of the chart, all categories whose value {of} is above {limit}, and end with the sum of "
    "these values.",
    "Find all categories with more than {limit} as their value {of}. Name them in the order of the chart, and add "
    "the total of their values.",
    held_out="Enumerate the categories with values {of} strictly greater than {limit}, in chart order, followed by "
    "the sum of those values.",
)
AVERAGE: Final = Phrase(
    "What is the sum of all values {of}, and what is their mean? Give both; write the mean exactly, as a fraction if "
    "it is not an integer.",
    "Add up all values {of}. Give this total and then the exact average, as a fraction if necessary.",
    "Give the total of the values {of} and then their arithmetic mean. Do not round the mean; write a fraction if "
    "necessary.",
    held_out="State the sum and the exact arithmetic mean of the values {of}; use a fraction if needed.",
)
CHANGE: Final = Phrase(
    "From which category to the next does the value {of} rise the most, and by how much? Give the first category, "
    "the second one, and the rise.",
    "Find the largest increase of the values {of} between consecutive categories. Give the category before it, the "
    "category after it, and the increase.",
    "Between which two consecutive categories is the growth of the values {of} the largest? Name both in the order "
    "of the chart, then the growth.",
    held_out="Locate the maximum increase of the values {of} over consecutive categories: state both categories and "
    "the increase.",
)
COMPARISON: Final = Phrase(
    "In which categories is {one} higher than {other}? List them in the order of the chart, then the largest lead of "
    "{one}.",
    "List, in the order of the chart, the categories in which {one} exceeds {other}. End with the largest difference "
    "by which it does.",
    "Where does {one} have a higher value than {other}? Name these categories in the order of the chart, and then "
    "the greatest such difference.",
    held_out="Enumerate, in chart order, the categories with {one} > {other}, followed by the maximum of {one} minus "
    "{other}.",
)
CROSSINGS: Final = Phrase(
    "Where does the line of {one} cross that of {other} from lower to higher values? For each crossing, in the order "
    "of the chart, give the category before it "
    "and the category after it.",
    "Find every place at which {one} overtakes {other}. Give the categories on both sides of each such crossing, "
    "from left to right.",
    "Between which consecutive categories does {one} go from less than {other} to more? List both categories for "
    "each time this happens, from left to right.",
    held_out="List, from left to right, the pairs of consecutive categories between which {one} passes from lower "
    "values than {other} to higher ones.",
)
TOTALS: Final = Phrase(
    "Which category has the highest total over all series, and what is this total?",
    "Add the values of all series in each category. Give the category with the largest sum, and this sum.",
    "Find the category in which all series together reach the most. Give it and its total.",
    held_out="State the category that maximises the sum over all series, followed by this sum.",
)
FILTERED: Final = Phrase(
    "In how many categories is {other} greater than {limit}, and what is the sum of {one} over these categories? "
    "Give two numbers.",
    "Take the categories in which {other} exceeds {limit}. Give their number, and the total of the values of {one} "
    "in them.",
    "Select the categories with more than {limit} for {other}. How many are there, and what do the values of {one} "
    "in them add up to?",
    held_out="Over the categories with {other} > {limit}, state their number and the sum of {one}.",
)
SHARE: Final = Phrase(
    "What is the total of all slices, and what fraction of it do these make up: {at}? Give the total and then a "
    "fraction.",
    "Give the sum of all values, and the share of it that belongs to {at} (if there are several, all together), as a "
    "fraction.",
    "Add up all slices. State this total, and as a fraction how much of it is {at}, taken together if there are "
    "several.",
    held_out="State the total and the exact fraction of it contributed by {at} (jointly, if several).",
)
COORDINATES: Final = Phrase(
    "Where are the points {letters}? For each in this order, give its number of days and then its value.",
    "Read off the position of {letters}: for each point, in this order, the days and the value.",
    "Give two numbers for each of the points {letters}, in this order: first the days, then the value.",
    held_out="State, in order, the pairs (days, value) of {letters}.",
)
REGION: Final = Phrase(
    "Which points have more than {x} days and a value greater than {y}? List their letters in alphabetical order.",
    "List, in alphabetical order, the letters of all points with more than {x} days and more than {y} as their value.",
    "Find every point whose days exceed {x} and whose value exceeds {y}. Give the letters in alphabetical order.",
    held_out="Enumerate alphabetically the points with days > {x} and value > {y}.",
)
SORTED: Final = Phrase(
    "List the points of {name} from the fewest to the most days by their letters, and then the sum of their values.",
    "Take the points of {name}. Give their letters in order of increasing days, and end with the total of their "
    "values.",
    "In order of their days, fewest first, which points belong to {name}? Give the letters, followed by the sum of "
    "the values of these points.",
    held_out="State the letters of the points of {name} by increasing days, followed by the sum of their values.",
)
SLOPE: Final = Phrase(
    "A straight line goes through {one} and {other}. By how much does the value change per day on it, and what is "
    "the mean of the two values? Give exact numbers, as "
    "fractions if necessary.",
    "Give the slope of the line through {one} and {other} in units per day, and then the average of the values of "
    "both points, exactly.",
    "How much does the value grow per day from {one} to {other} (negative if it falls)? Give this as an exact "
    "number, then the mean of their two values.",
    held_out="State the exact slope (value per day) of the line through {one} and {other}, followed by the mean of "
    "their values.",
)
HIGHEST: Final = Phrase(
    "For each of {names}, in this order: which of its points has the highest value, and what is this value? Give a "
    "letter and a number for each.",
    "Find the highest point of {names}, in this order. Give its letter and its value for each of them.",
    "Name the point with the highest value of each series, in the order {names}, each followed by its value.",
    held_out="For the series {names}, in this order, state the letter and the value of the point of maximum value.",
)
GRID: Final = Phrase(
    "All values are multiples of {step}.",
    "Each value is a multiple of {step}.",
    "Values are always multiples of {step}.",
    held_out="Every value is an integer multiple of {step}.",
    seen=Phrase(
        "Every value is on a line of the grid, or is written beside its part of the chart.",
        "All values lie exactly on lines of the grid, unless the chart states them in numbers.",
        "Values are either stated in numbers or exactly on a line of the grid.",
        held_out="Each value is either printed or coincides with a grid line.",
    ),
)
STACKED: Final = Phrase(
    "The value of a part of a stacked bar is its own height.",
    "In stacked bars, the value of a series is the height of its part alone.",
    "Each part of a stacked bar counts from its lower end to its upper end.",
    held_out="In stacked bars, a value is the extent of one segment, not its upper end.",
)


def rows_of(chart: JSON) -> list[list[str]]:
    """The data as a table, its head first."""
    if chart["type"] == "scatter":
        names = [one["name"] for one in chart["series"]]
        points = [[letter, names[at], str(x), str(y * chart["step"])] for at, letter, x, y in chart["points"]]
        return [["point", "series", "days", chart["unit"]], *points]
    head = ["category", *(one["name"] or chart["unit"] for one in chart["series"])]
    return [
        head,
        *([label, *(str(one["values"][k]) for one in chart["series"])] for k, label in enumerate(chart["labels"])),
    ]


def _kind(chart: JSON) -> str:
    names = {"bar": "bar", "horizontal": "horizontal bar", "grouped": "grouped bar", "stacked": "stacked bar"}
    return names.get(chart["type"], str(chart["type"]))


def _lead(chart: JSON) -> str:
    return f'Data of a {_kind(chart)} chart, "{chart["title"]}" ({chart["unit"]}):'


def _table(chart: Any) -> str:
    return "\n".join([_lead(chart), *(" | ".join(row) for row in rows_of(chart))])


def _as_json(chart: Any) -> str:
    head, *rows = rows_of(chart)
    return "\n".join([_lead(chart), *(json.dumps(dict(zip(head, row, strict=True))) for row in rows)])


def _sentences(chart: Any) -> str:
    head, *rows = rows_of(chart)
    said = (f"- {row[0]}: " + ", ".join(f"{n} {v}" for n, v in zip(head[1:], row[1:], strict=True)) for row in rows)
    return "\n".join([_lead(chart), *said])


def _tabbed(chart: Any) -> str:
    return "\n".join([_lead(chart), *("; ".join(row) for row in rows_of(chart))])


DATA: Final = Variants(
    _table,
    _as_json,
    _sentences,
    held_out=_tabbed,
    name="data of a chart",
    seen=in_picture(
        "The chart is in the picture.",
        "See the picture for the chart.",
        "The picture shows the chart.",
        held_out="The attached figure contains the chart.",
    ),
)
