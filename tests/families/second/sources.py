"""Answers with citations, read from the sources in the prompt."""

from __future__ import annotations

import re
from typing import Final

_STATED: Final = (
    r"The entry for (?P<attribute>.+) of (?P<subject>the .+) is (?P<value>.+)",
    r"(?P<subject>The .+) has an entry for (?P<attribute>.+): (?P<value>.+)",
    r"Under (?P<attribute>.+), the file on (?P<subject>the .+) says (?P<value>.+)",
)
_ANSWERED: Final = re.compile(r"([^:\n]+): ((?:[^\[\n]|\[(?!\d))*?) *((?:\[\d+\] ?)*)")

Claims = set[tuple[str, str, frozenset[str]]]


def stated(prompt: str) -> Claims:
    """The value and the sources of each attribute that the prompt asks for."""
    [(subject, asked)] = re.findall(r"attributes of (.+) and cite your sources: (.+)\.$", prompt, re.MULTILINE)
    found: dict[tuple[str, str], set[str]] = {}
    for number, source in re.findall(r"^\[(\d+)\] (.*)\.$", prompt, re.MULTILINE):
        for sentence in source.split(". "):
            for form in _STATED:
                said = re.fullmatch(form, sentence)
                if said and said["subject"].lower() == subject.lower():
                    found.setdefault((said["attribute"], said["value"]), set()).add(number)
    known = {(attribute, value.lower(), frozenset(places)) for (attribute, value), places in found.items()}
    attributes = asked.split(", ")
    unknown = set(attributes) - {attribute for attribute, _, _ in known}
    return {claim for claim in known if claim[0] in attributes} | {
        (attribute, "unknown", frozenset()) for attribute in unknown
    }


def accepts(prompt: str, text: str) -> bool:
    """Whether lines with citations say what the sources state."""
    claims: Claims = set()
    lines = [line.strip() for line in text.lower().split("\n") if line.strip()]
    for line in lines:
        found = _ANSWERED.fullmatch(line)
        cited = re.findall(r"\d+", found[3]) if found else []
        if found is None or len(cited) > len(set(cited)):
            return False
        claims.add((found[1], found[2], frozenset(cited)))
    return len(claims) == len(lines) and claims == stated(prompt)
