"""docs/transcripts.md is what its script writes; the parts that need a sandbox or a kernel are played where there is one."""

from __future__ import annotations

import importlib.util
import re
import sys
from types import ModuleType

import pytest

from envhub.families.member import Member
from envhub.registry.registry import list_envs, load, spec
from tests.sandbox import jails
from tests.support.kernels import toolchain
from tests.support.places import ROOT

SOURCE = ROOT / "docs" / "transcripts.py"


def _loaded() -> ModuleType:
    told = importlib.util.spec_from_file_location("docs_transcripts", SOURCE)
    assert told is not None
    assert told.loader is not None
    module = importlib.util.module_from_spec(told)
    sys.modules[told.name] = module  # where dataclasses look for it
    told.loader.exec_module(module)
    return module


TRANSCRIPTS = _loaded()
PAGE = TRANSCRIPTS.FILE.read_text()
EACH = [pytest.param(each, id=each.title) for each in TRANSCRIPTS.SHOWN]


@pytest.mark.slow
@pytest.mark.parametrize("each", EACH)
def test_a_section_is_what_is_played(each: object) -> None:
    needs = each.needs  # type: ignore[attr-defined]
    if needs:
        jails.backend()
    if needs == "lean":
        toolchain()
    assert TRANSCRIPTS.section(each) in PAGE, "make transcripts"


def test_the_page_has_the_sections_in_order_and_nothing_else() -> None:
    parts = re.split(r"\n## (?=[\w ,-]+: `)", PAGE)  # prompts have headings, too
    assert parts[0] + "\n" == TRANSCRIPTS.HEAD + "\n"
    assert [part.partition("\n")[0] for part in parts[1:]] == [
        f"{each.title}: `{each.id}`" for each in TRANSCRIPTS.SHOWN
    ]


def test_every_category_is_shown_but_those_of_families() -> None:
    builtin = [id for id in list_envs() if spec(id).source == "envhub"]
    of_families = {spec(id).category for id in builtin if issubclass(load(spec(id)), Member)}
    categories = {spec(id).category for id in builtin} - of_families
    assert {spec(each.id).category for each in TRANSCRIPTS.SHOWN} >= categories


def test_what_is_not_played_to_its_end_is_not_shown() -> None:
    with pytest.raises(RuntimeError, match="was not played to its end"):
        TRANSCRIPTS.played(TRANSCRIPTS.Shown("", "", "wordle-v0", ["<answer>rev</answer>"]))


def test_an_action_of_several_lines_is_one_line_of_the_script() -> None:
    each = TRANSCRIPTS.Shown("", "", "wordle-v0", ["a\nb", "/solve", "", "plain"])
    assert each.script == '"a\\nb"\n"/solve"\n""\nplain\n'
