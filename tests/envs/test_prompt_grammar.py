"""Prompts and answers to odd messages of every environment: agreement, articles, doubled words, punctuation."""

from __future__ import annotations

import re

import pytest

import envhub
from envhub.authoring import ToolEnv
from envhub.registry.registry import builtin_ids, load, self_contained, spec

FAULTS = {
    "1 with a plural": r"\b(?:up to|within|of|at most|at least|have|has|and|left:) 1 "
    r"(?!is\b|was\b|has\b|across\b)[a-z]+[^s\W\d]s\b",
    "value of several": r"\b[Gg]ive the value of \w+(?:, \w+)* and ",
    "verb that does not agree": r"s(?: [\w, ]+)? is expected\b|\b1 (?:do|are|have|were)\b",
    "doubled word": r"\b([A-Za-z])([a-z]+) (?i:\1)\2\b(?<!that that)(?<!up up)",
    "doubled punctuation": r"[a-z)\]'\"](?:[,;:.?!][,;:?!]|\.\.(?!\.)|[,;:.?!] [,;:])",
    "space before punctuation": r"[a-z] [,;?!](?=\s)|[a-z] \.(?=\s[A-Z][a-z])",
    "a before a vowel": r"\b[Aa] (?!one\b|once\b|a\b|again\b|in\b|are\b|is\b|if\b|or\b|and\b|otherwise\b)[aeio][a-z]+",
    "an before a consonant": r"\b[Aa]n [bcdfgjklmnpqrstvwxyz][a-z]+",
    "placeholder": r"(?<![\w\[(, ^_}])\{\w+\}|\bNone\b(?! of)",
    "no space after a sentence": r"[a-z]{2}[.;?!][A-Z][a-z]",
    "sentence without a capital": r"[a-z]{3}[.?!] (?!submit\b|done\b|ones\()[a-z]{2,}",
    "match that is called a game": r"(?s)\bmatch of \d+ hands.*\bper game\b|\bA match has\b.*\bper game\b",
}


TEXTS = (
    r"(?s)<(text|table|template)\b.*?</\1>"  # what a task is about may be full of mistakes
    r"|^-{3,} .*?^-{3,} end[^\n]*|^The table in [^\n]*:\n\n.*?(?=\n\n)"
    r"|\{\{.*?\}\}|\{tabular\}\S*|&\w+;|<a id=.*?>"
)


def faults(text: str) -> list[str]:
    """What is wrong with the grammar of a prompt; code, quotations and data are left out."""
    text = re.sub(TEXTS, "TEXT", text, flags=re.MULTILINE)
    text = re.sub(r"(?s)```.*?```|`[^`\n]+`|<answer>.*?</answer>|<tool_call>.*?</tool_call>", "CODE", text)
    text = re.sub(r"“[^”]*”|\"[^\"\n]*\"|'[^'\n]{0,60}'", "'X'", text)
    text = re.sub(
        r"(?m)^\[doc-.*(?:\n(?!\n).*)*|^\{\"name\".*|^(?:\S{1,2} +)+\S{1,2}$|^f\(.*|^solve\(.*", "", text
    )  # data, boards, calls
    found = [name for name, pattern in FAULTS.items() if re.search(pattern, text)]
    return [f"{name}: {re.search(FAULTS[name], text).group()!r}" for name in found]  # type: ignore[union-attr]


@pytest.mark.parametrize("id", [id for id in builtin_ids() if self_contained(id)])
def test_prompts_and_answers_are_english(id: str) -> None:
    for level in (1, 10):
        env = envhub.make(id, difficulty=level)
        env.reset(seed=7)
        assert not faults(env.task.prompt), (level, faults(env.task.prompt))
        if not env.environment.resources or issubclass(load(spec(id)), ToolEnv):
            for message in ("hello there", "", "<answer></answer>", "<tool_call>{}</tool_call>"):
                if not env.episode.over:
                    seen = env.step(message)[0]
                    assert not faults(seen), (message, faults(seen))
        env.close()


@pytest.mark.parametrize(
    "wrong",
    [
        "You see the cells up to 1 columns away.",
        "You have 1 messages.",
        "Left: 1 of 1 turns.",
        "Messages left: 3. You have at most 1 guesses.",
        "Give the value of p, r and s.",
        "No answer was found; the troops on each field as numbers in order is expected.",
        "1 are wrong and 1 do not hold",
        "Which of the the members?",
        "The end.. It is over.",
        "one, two,: three",
        "one , two",
        "a age of",
        "an score of",
        "It has {hands} hands.\n{count}",
        "The end.It is over.",
        "The end. it is over.",
        "Kuhn poker, a match of 4 hands.\nThis can happen twice per game.",
    ],
)
def test_faults_are_found(wrong: str) -> None:
    assert faults(wrong)


def test_right_sentences_have_none() -> None:
    for right in (
        "You see the cells up to 1 column and 1 row away.",
        "Player 1 checks. Step 1 takes the argument. There is 1 message left.",
        "Give the values of p, r and s. A unicorn, an hour, a one-way edge.",
        "Wait... then go on: 'a, , b'.",
    ):
        assert not faults(right), faults(right)
