"""Phrases and renderings of deep-research-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON
from envhub.envs.search.wording import READING

TASK: Final = Phrase(
    "Write a short report on the topic by searching a collection of {count} documents.",
    "Search a collection of {count} documents and write a short report on the topic.",
    "You can search a collection of {count} documents. Report briefly on the topic, with a document for every fact.",
    held_out="Compile a sourced report on the topic from a searchable collection of {count} documents.",
)
_CLAIM: Final = Phrase(
    "Write each fact on a line of its own: CLAIM thing | what | value [id of a document that states it]. For example: CLAIM "
    "the baker Ada Example | birthplace | Exampleton [doc-0].",
    "Every fact is a line that begins with CLAIM, in the form CLAIM thing | what | value [id of a document that states it], "
    "such as CLAIM the baker Ada Example | birthplace | Exampleton [doc-0].",
    "State each fact in a separate line, as in CLAIM the baker Ada Example | birthplace | Exampleton [doc-0]. This is the "
    "form CLAIM thing | what | value [id of a document that states it].",
    held_out="Grammar of a claim (one line): CLAIM thing | what | value [id of a document that states it]. Instance: CLAIM "
    "the baker Ada Example | birthplace | Exampleton [doc-0].",
)
_STEPS: Final = Phrase(
    "A fact about a fact takes one claim for each step. For the seat of the publisher of a work, claim the publisher of the "
    "work, and then the seat of that company.",
    "Split a fact about a fact into one claim per step: the seat of the publisher of a work takes a claim of the publisher of "
    "the work and a claim of the seat of that company.",
    "If you must report a fact about a fact, such as the seat of the publisher of a work, claim each step: first the "
    "publisher of the work, then the seat of that company.",
    held_out="Composed facts are decomposed: for the seat of the publisher of a work, one claim for the publisher of the work "
    "and one for the seat of that company.",
)
_ONE: Final = Phrase(
    "Each claim states one fact and names one document.",
    "A claim consists of one fact and one document.",
    "Put only one fact and one document into a claim.",
    held_out="Arity: one fact and one document per claim.",
)
_NOW: Final = Phrase(
    "Claim what holds in the present. Leave out what no document states.",
    "Your claims must be about the present; a fact that no document states is left out.",
    "State what holds now, and omit facts that are in no document.",
    held_out="Time of all claims: the present. Facts without a document: omit.",
)
_SHARED: Final = Phrase(
    "If several people share a name, add the occupation, as in: the baker Ada Example.",
    "Put the occupation before a name that several people share, as in: the baker Ada Example.",
    "For people who share a name, write occupation and name, as in: the baker Ada Example.",
    held_out="Shared names: prefix the occupation, as in: the baker Ada Example.",
)
_PROSE: Final = Phrase(
    "Lines that do not begin with CLAIM are not graded.",
    "Only lines that begin with CLAIM are graded.",
    "You may add other lines, which do not begin with CLAIM; they are ignored.",
    held_out="Lines without a leading CLAIM: not evaluated.",
)
_LIMITS: Final = Phrase(
    "A report may have at most {chars} characters and {claims} claims. A longer one is returned to you ungraded.",
    "Your report must not exceed {chars} characters and {claims} claims, or else it is returned ungraded.",
    "Reports with more than {chars} characters or {claims} claims are not graded, but returned to you.",
    held_out="Size limits: {chars} characters, {claims} claims; larger reports come back ungraded.",
)
_SCORE: Final = Phrase(
    "Your score is the share of the requested facts that you claim, times the share of your claims that are true and stated "
    "by the document they name. True claims beside the topic do not count either way.",
    "Two shares are multiplied to give your score: that of the requested facts which you claim, and that of your claims which "
    "are true and stated by the document they name. A true claim that was not requested changes neither.",
    "You are scored by completeness times support. Completeness is the share of requested facts that you claim, and support "
    "is the share of your claims that are true and stated by the document they name. True claims beside the topic count for "
    "neither.",
    held_out="Score = (share of requested facts that are claimed) x (share of claims that are true and stated by the named "
    "document); true claims off the topic are disregarded.",
)
_SUBMIT: Final = Phrase(
    "You can submit only one report. It ends the task. A report without a claim, or with an unreadable CLAIM line, is "
    "returned to you ungraded, and you can submit again.",
    "Submitting a report ends the task, unless the report has no claim or a CLAIM line that cannot be read: then it is "
    "returned ungraded, and you can submit it again.",
    "A report with a CLAIM line that cannot be read, or without any claim, is not graded, and you can correct it. Any other "
    "report is graded, and the task ends with it.",
    held_out="submit is final, except for reports with no claim or with an unreadable CLAIM line, which come back ungraded.",
)
RULES: Final = (*READING, _CLAIM, _STEPS, _ONE, _NOW, _SHARED, _PROSE, _LIMITS, _SCORE, _SUBMIT)


def _lists(problem: JSON) -> str:
    rows = "\n".join(f"- {kind}: {', '.join(nouns)}" for kind, nouns in problem["nouns"].items())
    return f"Topic: {problem['topic']}.\n\nWhat can be claimed:\n{rows}"


def _sentences(problem: JSON) -> str:
    known = "; ".join(f"of {kind}: {', '.join(nouns)}" for kind, nouns in problem["nouns"].items())
    told = "In the middle of a claim, one of these is named."
    return f"The topic of the report is {problem['topic']}.\n\n{told} {known.capitalize()}."


def _json(problem: JSON) -> str:
    return json.dumps(
        {"topic": problem["topic"], "what can be claimed": problem["nouns"]}, ensure_ascii=False, indent=1
    )


def _schema(problem: JSON) -> str:
    rows = "\n".join(f"what({kind}) in {{{', '.join(nouns)}}}" for kind, nouns in problem["nouns"].items())
    return f"TOPIC\n    {problem['topic']}\nSCHEMA\n{rows}"


DATA: Final[Variants[Rendering]] = Variants(_lists, _sentences, _json, held_out=_schema, name="data")
