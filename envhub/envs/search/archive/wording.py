"""Phrases and renderings of deep-research-v1."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.core.types import JSON
from envhub.envs.search.archive.schema import ATTRIBUTES, KINDS, OF, PLURAL

_TASK: Final = Phrase(
    "Answer a question from an archive of {count} documents, and report the steps to the answer with citations.",
    "Search an archive of {count} documents for the answer to a question, and write a report that cites a paragraph for "
    "each step.",
    "You can search an archive of {count} documents. Find the answer to the question, and prove every step of it in a "
    "report with citations.",
    held_out="Given: an archive of {count} documents and a question. Wanted: the answer, and a report that cites a "
    "paragraph for each step.",
)
_ONLY: Final = Phrase(
    "Use only the documents. They describe an invented country.",
    "The country is invented, so nothing that you know helps; the documents are your only source.",
    "Everything in the archive is invented. Only what its documents state counts.",
    held_out="Closed, fictional archive: no other source counts.",
)
_ORDER: Final = Phrase(
    "Documents often disagree. Of those that state a value, one from a more reliable source decides. If they are from the "
    "same kind of source, the one with the later date decides.",
    "If documents state different values, the one from the more reliable source is right. Within one kind of source, the "
    "later document is right.",
    "Where values differ, take the value of the most reliable source. Between documents of the same kind of source, take "
    "that of the later one.",
    held_out="Conflict resolution: first reliability of the source; within a source, the later date.",
)
_CUTOFF: Final = Phrase(
    "Documents dated after {cutoff} do not count: they decide nothing, and you may not cite them.",
    "Leave out every document that is dated after {cutoff}. It decides nothing and may not be cited.",
    "Only documents dated {cutoff} or earlier count. You may not use or cite others.",
    held_out="Cut-off date {cutoff}: documents dated after it are neither evidence nor citable.",
)
_RUMOURS: Final = Phrase(
    "A document states a value only if it asserts it. Plans, guesses, questions and denials state nothing.",
    "What a document only guesses, plans, asks, denies or withdraws is not stated by it.",
    "Guesses, plans, questions and denials are no statements, so they decide nothing.",
    held_out="Statements are assertions; guesses, plans, questions, denials and withdrawn accounts are not.",
)
_SETS: Final = Phrase(
    "If the question is about all things with a property, these are the things whose deciding value has it. At least one "
    "document states the property for each of them.",
    "A question about all things with a property means every thing for which the deciding value has this property, and no "
    "other thing.",
    "When things with a property are compared or counted, a thing belongs to them if its deciding value has the property.",
    held_out="Sets: a thing is a member if and only if its deciding value has the property.",
)
_SEARCH: Final = Phrase(
    "The search looks at index terms: the names in the statements of a document, the attributes that it states, its source "
    "and its year. Use find to look for other words in a document.",
    "Search terms are matched with the index of each document: names and attributes in its statements, source, year. To look "
    "for other words in a document, use find.",
    "For each document, the search knows only names and attributes in its statements, its source and its year. For other "
    "words, open the document or use find.",
    held_out="Indexed per document: names and attributes in its statements, source, year. Full text: only by find or open.",
)
_STEPS: Final = Phrase(
    "Claim every step of the question: each link that it follows and the last value. For things that it compares or counts, "
    "claim the property of each of them and the value that is compared.",
    "The report needs one claim for each link in the question and for the last value. If things are compared or counted, it "
    "also needs, for each of them, the shared property and the compared value.",
    "State each link of the question and the last value as a claim. Of things that are compared or counted, claim for each "
    "one its property and the value that is compared.",
    held_out="Required claims: every link; the last value; in comparisons and counts, property and compared value of each "
    "member.",
)
_CLAIM: Final = Phrase(
    "A claim is one sentence about one fact, followed by one citation with the id of a document and the number of a "
    "paragraph, such as: The owner of the Example is Example Paper [doc-0:1]. You may also write: Example Paper is the owner "
    "of the Example [doc-0:1]. Or: The Example's owner is Example Paper [doc-0:1].",
    "Write each claim as a sentence of its own, in one of these forms: The owner of the Example is Example Paper [doc-0:1]. "
    "Example Paper is the owner of the Example [doc-0:1]. The Example's owner is Example Paper [doc-0:1]. The brackets hold "
    "the id of a document and the number of a paragraph.",
    "Each claim has one fact and one citation. Its forms are: The Example's owner is Example Paper [doc-0:1]. The owner of "
    "the Example is Example Paper [doc-0:1]. Example Paper is the owner of the Example [doc-0:1]. Here, doc-0 is the id of a "
    "document and 1 the number of a paragraph in it.",
    held_out="Claim syntax, one fact and one citation (document id, colon, paragraph number): The owner of the Example is "
    "Example Paper [doc-0:1]. | Example Paper is the owner of the Example [doc-0:1]. | The Example's owner is Example Paper "
    "[doc-0:1].",
)
_NAMES: Final = Phrase(
    "Write names in full, and use the names of attributes that are listed with the question.",
    "Claims use full names and the listed names of attributes.",
    "In a claim, give every name in full, and call each attribute as it is listed.",
    held_out="Claims: full names; attribute names as listed.",
)
_SUPPORT: Final = Phrase(
    "The cited paragraph must state the claim. It may be in any document that counts, not only in the one that decides.",
    "You must cite a paragraph that states the fact. The document need not be the deciding one, but it must count.",
    "Cite any paragraph that states what you claim, in a document that counts.",
    held_out="A citation is valid if the paragraph states the claim and its document counts.",
)
_PROSE: Final = Phrase(
    "Sentences without a citation are not graded.",
    "Only sentences with a citation are graded.",
    "You may add sentences without a citation, which are ignored.",
    held_out="Sentences without a citation: not evaluated.",
)
_SCORE: Final = Phrase(
    "If the answer is wrong, the score is 0. Otherwise it is the share of the steps that you claim, times the share of your "
    "claims that are true and supported. True claims beside the question do not count either way.",
    "With a wrong answer you score 0. With the right one, two shares are multiplied: that of the steps which you claim, and "
    "that of your claims which are true and supported. A true claim that is not a step changes neither.",
    "A wrong answer scores 0. A right one scores completeness times support: the share of the steps that you claim, and the "
    "share of your claims that are true and supported. True claims that are no steps count for neither.",
    held_out="Score = 0 for a wrong answer; else (share of steps claimed) x (share of claims that are true and supported); "
    "true claims that are not steps are disregarded.",
)
_SUBMIT: Final = Phrase(
    "You can submit once. A report without a claim, with a claim in another form, or with more than {chars} characters or "
    "{claims} claims is returned ungraded, and you can submit again.",
    "Submitting ends the task, unless the report has no claim, a claim that cannot be read, more than {chars} characters or "
    "more than {claims} claims: then it is returned ungraded, and you can submit it again.",
    "A report that has no claim or one in another form, or that exceeds {chars} characters or {claims} claims, is not graded, "
    "and you can correct it. Any other report ends the task.",
    held_out="submit is final, except for reports without claims, with unreadable claims, or with more than {chars} characters "
    "or {claims} claims, which come back ungraded.",
)


def statement(problem: JSON, chars: int, claims: int) -> Statement:
    """The question and the rules."""
    cutoff = [_CUTOFF] if problem["cutoff"] else []
    rules = (
        *(_ONLY, _ORDER, *cutoff, _RUMOURS, _SETS, _SEARCH),
        *(_STEPS, _CLAIM, _NAMES, _SUPPORT, _PROSE, _SCORE, _SUBMIT),
    )
    values = {"count": problem["documents"], "chars": chars, "claims": claims, "cutoff": problem["cutoff"] or ""}
    return Statement(_TASK, _DATA, problem, rules=rules, values=values)


def _attributes() -> dict[str, dict[str, str]]:
    """The attributes of each kind, with what they mean."""
    return {PLURAL[kind]: {ATTRIBUTES[at].noun: f"the {ATTRIBUTES[at].gloss}" for at in OF[kind]} for kind in KINDS}


def _lists(problem: JSON) -> str:
    rows = "\n".join(
        f"- {kind}: {'; '.join(f'{noun} ({gloss})' for noun, gloss in nouns.items())}"
        for kind, nouns in _attributes().items()
    )
    order = "\n".join(f"{at}. {source}" for at, source in enumerate(problem["order"], 1))
    return f"Question: {problem['question']}\n\nSources, the most reliable first:\n{order}\n\nAttributes:\n{rows}"


def _sentences(problem: JSON) -> str:
    rows = "\n".join(
        f"The attributes of {kind} are: {', '.join(f'{noun}, {gloss}' for noun, gloss in nouns.items())}."
        for kind, nouns in _attributes().items()
    )
    first, *others = problem["order"]
    order = f"The most reliable source is a {first}, followed by {', '.join(others)}, in this order."
    return f"The question is: {problem['question']}\n\n{order}\n\n{rows}"


def _json(problem: JSON) -> str:
    data = {
        "question": problem["question"],
        "sources from most to least reliable": problem["order"],
        "attributes": _attributes(),
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


def _schema(problem: JSON) -> str:
    rows = "\n".join(
        f'{kind}.{noun.replace(" ", "_")}: "{noun}", {gloss}'
        for kind, nouns in _attributes().items()
        for noun, gloss in nouns.items()
    )
    return f"QUERY\n    {problem['question']}\nRELIABILITY\n    {' > '.join(problem['order'])}\nATTRIBUTES\n{rows}"


_DATA: Final[Variants[Rendering]] = Variants(_lists, _sentences, _json, held_out=_schema, name="data")
