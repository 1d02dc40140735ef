"""Phrases and renderings of preference-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You talk to a user who wants {name} made and has exactly one option of each feature in mind. Find out which options, and "
    "propose them.",
    "Find out what kind of thing a user wants, who would like to have {name} made, and propose it. The user has chosen exactly "
    "one option of each feature.",
    "A user would like to have {name} made. For each feature, the user wants exactly one of the options. Your task is to find "
    "out which ones and to propose them.",
    held_out="Elicit the wishes of a user for {name} (one option per feature) and make a proposal that matches all of them.",
)
_CALLS: Final = Phrase(
    "Each message is one call of a tool, ask or propose. If a message has several calls, only the first one counts.",
    "Send one tool call per message: ask or propose. Any further call in the same message is ignored.",
    "A message contains a call of ask or of propose. Only its first call counts.",
    held_out="One call (ask or propose) per message; surplus calls are ignored.",
)
_ASK: Final = Phrase(
    "Call ask to ask the user about one feature, in your own words. Name that feature and no other.",
    "With ask you put a question about one feature to the user. The question must name this feature, and no other.",
    "Use ask to ask about a single feature. Name the feature in your question, and do not name another one.",
    held_out="ask takes a free-form question that mentions exactly one feature by name.",
)
_ANSWERS: Final = Phrase(
    "The user may answer with the option, with its group, with all the options of the feature that it is not, with a rule "
    "about another feature, or that they have to see it. Answers are true. If you ask again, the answer is the same.",
    "The user's answer is the option, its group, the options of the feature that are not wanted, a rule that involves another "
    "feature, or that the user has to see it first. It is always true, and asking again gives the same answer.",
    "You may be given the option itself, its group, a list of the unwanted options of the feature, or a rule that depends on "
    "another feature; or the user may have to see it first. All answers are true and never change.",
    held_out="Possible answers: the option; its group; every option that is excluded; a dependency on another feature; or that "
    "it has to be seen. Answers are truthful and constant.",
)
_NAMES: Final = Phrase(
    "Call propose to propose one option for each feature. If all of them match, you succeed. Otherwise the user names the "
    "features that do not match.",
    "With propose you choose one option for each feature. You succeed if all match; if not, the user tells you which features "
    "do not match.",
    "Use propose to propose one option for every feature. If any of them do not match, the user names these features; if all "
    "match, you succeed.",
    held_out="propose takes one option per feature. Result: success if all match, else the names of the features that do not.",
)
_COUNTS: Final = Phrase(
    "Call propose to propose one option for each feature. If all of them match, you succeed. Otherwise the user tells you how "
    "many features do not match, but not which.",
    "With propose you choose one option for each feature. You succeed if all match; if not, the user tells you only the number "
    "of features that do not match.",
    "Use propose to propose one option for every feature. If any of them do not match, the user counts these features without "
    "naming them; if all match, you succeed.",
    held_out="propose takes one option per feature. Result: success if all match, else the bare number of features that do "
    "not.",
)
_PROPOSALS: Final = Phrase(
    "You may make at most {proposals}. If the last one does not match, you fail.",
    "You have {proposals}, and you fail if none of them matches.",
    "You fail unless a proposal matches, and you can make at most {proposals}.",
    held_out="Budget: {proposals}. Failure once it is spent without a match.",
)
_INVALID: Final = Phrase(
    "A proposal that lacks a feature, or has an unknown feature or option, does not count as a proposal, but the message "
    "counts.",
    "If a proposal leaves out a feature, or contains one or an option that does not exist, it uses up the message but no "
    "proposal.",
    "An incomplete proposal, or one with an unknown feature or option, is not shown to the user. It costs you a message, but "
    "no proposal.",
    held_out="Ill-formed proposals (missing or unknown feature, unknown option) cost a message and no proposal.",
)
_MESSAGES: Final = Phrase(
    "You may send at most {messages} messages. A message without a valid call still counts. If you run out of messages, you "
    "fail.",
    "There are {messages} messages, questions and proposals together. A message without a valid call counts as well, and you "
    "fail when none is left.",
    "Each message counts, even one without a valid call. You fail if no proposal has matched after {messages} messages.",
    held_out="Budget of messages: {messages}, invalid ones included. Failure once it is spent.",
)


def rules(problem: JSON) -> tuple[Phrase, ...]:
    """The rules.

    They depend on whether the user names or counts the features that do not match.
    """
    proposing = _NAMES if problem["named"] else _COUNTS
    return (_CALLS, _ASK, _ANSWERS, proposing, _PROPOSALS, _INVALID, _MESSAGES)


def _groups(problem: JSON) -> str:
    rows = [
        f"- {feature}: " + "; ".join(f"{group} ({', '.join(options)})" for group, options in groups.items())
        for feature, groups in problem["features"].items()
    ]
    return "\n".join(["The features, each with its options in two groups:", *rows])


def _table(problem: JSON) -> str:
    rows = [
        f"| {feature} | {group} | {', '.join(options)} |"
        for feature, groups in problem["features"].items()
        for group, options in groups.items()
    ]
    return "\n".join(["| feature | group | options |", "|---|---|---|", *rows])


def _json(problem: JSON) -> str:
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(groups)}" for name, groups in problem["features"].items())
    return f"The features, the two groups of options of each, and the options of each group:\n\n{{\n{rows}\n}}"


def _prose(problem: JSON) -> str:
    rows = []
    for feature, groups in problem["features"].items():
        (one, first), (two, second) = groups.items()
        rows.append(f"FEATURE {feature} = {' | '.join(first)} [group {one}] | {' | '.join(second)} [group {two}]")
    return "\n".join(rows)


DATA: Final[Variants[Rendering]] = Variants(_groups, _table, _json, held_out=_prose, name="data")
