"""Prompts of planned and generated functions: grammar, and only terms that the text uses are defined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.envs.code.synthesis import Params, Synthesis
from envhub.envs.code.wording import OWN_ARGUMENTS
from envhub.generators.programs.pipeline import PARTS, Pipeline, draw_pipeline

ENVIRONMENTS = ("code-synthesis-v0", "code-repair-v0", "code-output-v0", "code-input-v0", "code-induction-v0")


def said(pipeline: Pipeline) -> str:
    """The prompt for a pipeline, without examples, in the plain wording."""
    return Synthesis().worded({"plan": pipeline.to_json(), "examples": []})


def sentences() -> Iterator[tuple[str, str]]:
    """The words of every part with many parameters, and what it takes."""
    for name, part in PARTS.items():
        for number in range(60):
            params = part.draw(Stream(b"prompts", name, number), number % 4)
            pipeline = Pipeline(((part, params),))
            yield name, said(pipeline)


SAID = list(sentences())


@pytest.mark.parametrize(
    "mistake",
    [
        r"(?<![\d*+-] )\b1 (places|times|numbers|characters|positions|steps|words|nodes|commands|bits|lines)\b",
        r"\b(\w+) \1\b(?! \+)(?<!that that)",
        r"[,;:.]\s*[,;:.]",
        r" [,;.](?!')",
        r"\b[Aa] (?=[aeio][a-z])(?!one\b|once\b)",
        r"\b[Aa]n (?=[bcdfgjklmnpqrstvwxyz])",
        r"\.[A-Z]",
        r"\bNone\b|\bTrue\b(?! are not 1)",
        r"Instead of that",
        r"\( | \)|\(\)",
    ],
)
def test_the_words_have_no_such_mistake(mistake: str) -> None:
    for name, text in SAID:
        plain = re.sub(r"'[^']*'|\ba\.\.b\b|\ba (again|and b|in increasing|is greater)\b", "'x'", text)
        found = re.search(mistake, plain)
        assert found is None, (name, plain[max(0, found.start() - 40) : found.end() + 40])


DEFINITIONS = {
    r"A remainder is never negative": r"the remainder",
    r"A tuple is not a list": r"value: a list|\(list\[",
    r"1\.0 and True are not 1": r"\bint\b",
    r"numbers left out keep their places": r"that is not divisible by",
    r"a negative excess means": r"by at least -",
    r"after its last number comes its first": r"position i \+",
    r"the first line is number 1": r"[Ll]ines number",
    r"\bwhere y is\b": r"\+ y when",
    r"call the current number x": r"\bof x\b",
    r"the number t on its top": r"remove t\b.*add t\b",
    r"the first number has place 1": r"its place",
}


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_definition_is_given_only_with_its_term(definition: str) -> None:
    with_it = 0
    for name, text in SAID:
        if re.search(definition, text):
            with_it += 1
            rest = re.sub(definition, "", text)
            assert re.search(DEFINITIONS[definition], rest), (name, text)
    assert with_it


def test_a_remainder_is_defined_wherever_there_is_one() -> None:
    for name, text in SAID:
        assert ("remainder" in text) == ("A remainder is never negative" in text), name


def test_every_case_in_the_words_can_occur() -> None:
    """Signs and numbers below zero are spoken of only where arguments have them."""
    for name, text in SAID:
        if "If the number is negative" in text or "absolute value of the number" in text:
            assert "from -" in text, name


@pytest.mark.parametrize("level", [3, 7, 10])
def test_the_steps_of_a_chain_are_numbered_and_typed(level: int) -> None:
    p = Params.at(level)
    told = 0
    for number in range(8):
        drawn = draw_pipeline(Stream(b"chains", level, number), p.steps, p.rules, p.least, p.most)
        if drawn is None:
            continue
        told += 1
        text = said(drawn[0])
        assert re.findall(r"^(\d+)\. ", text, re.M) == [str(at + 1) for at in range(p.steps)]
        assert text.count("Result: a") == p.steps
        assert text.count("A remainder is never negative") <= 1
    assert told >= 2


@pytest.mark.parametrize("level", [1, 5])
def test_whether_arguments_may_be_changed_is_said(level: int) -> None:
    for name in ("code-synthesis-v0", "code-repair-v0", "code-induction-v0"):
        prompt, _ = envhub.make(name, difficulty=level).reset(seed=1)
        assert any(phrasing in prompt for phrasing in OWN_ARGUMENTS)


# -- forms -------------------------------------------------------------------------------------------------------------


def forms(name: str, level: int, count: int) -> Counter[str]:
    env = envhub.make(name, difficulty=level)
    found: Counter[str] = Counter()
    for seed in range(count):
        env.reset(seed=seed)
        form = env.environment.form(env.task.problem)
        assert form is not None
        assert not re.search(r"\d", form)
        found[form] += 1
    return found


@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("level", [1, 2])
def test_low_levels_have_many_forms(name: str, level: int) -> None:
    found = forms(name, level, 40)
    assert len(found) >= 8
    assert max(found.values()) <= 0.3 * 40 + 4  # 4: two standard deviations of the count


@pytest.mark.nightly
@pytest.mark.parametrize("name", ENVIRONMENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_many_forms(name: str, level: int) -> None:
    found = forms(name, level, 200)
    assert len(found) >= 8
    assert max(found.values()) <= 0.3 * 200
