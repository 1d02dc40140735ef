"""The share of a script: counted by letters, blind to formulas and tags, 0 where nothing is written."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.rewards import SCRIPTS, Language, script_share


@pytest.mark.parametrize(
    ("text", "script", "share"),
    [
        ("only words", "latin", 1.0),
        ("only words", "cyrillic", 0.0),
        ("да yes", "cyrillic", 2 / 5),
        ("因为two", "han", 2 / 5),
        ("ひらがなと漢字とカナ", "japanese", 1.0),
        ("ひらがな漢字", "kana", 4 / 6),
        ("한국어 text", "hangul", 3 / 7),
        ("नमस्ते", "devanagari", 1.0),
        ("שלום", "hebrew", 1.0),
        ("مرحبا", "arabic", 1.0),
        ("ქართული ab", "latin", 2 / 9),
        ("\u01c5ur", "latin", 1.0),
    ],
)
def test_worked_shares(text: str, script: str, share: float) -> None:
    assert script_share(text, script) == pytest.approx(share)


@pytest.mark.parametrize(
    "text",
    ["所以答案是", "<think>所以</think>", r"所以 \frac{1}{2}", "设 x 为 β. y = 2", "所以 12 + 3 = 15.", "所以𝑥"],
)
def test_tags_formulas_and_digits_are_of_no_script(text: str) -> None:
    assert script_share(text, "han") == 1.0


def test_a_word_is_not_a_formula() -> None:
    assert script_share("所以 so", "han") == 0.5


@pytest.mark.parametrize("text", ["", "  ", "12 + 3 = 15", "<think></think>", "x"])
def test_a_text_without_letters_earns_nothing(text: str) -> None:
    assert all(script_share(text, script) == 0.0 for script in SCRIPTS)


@given(st.text(max_size=100))
def test_shares_are_shares_and_no_two_scripts_have_the_same_letter(text: str) -> None:
    shares = {script: script_share(text, script) for script in SCRIPTS}
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert sum(share for script, share in shares.items() if script != "japanese") <= 1.0 + 1e-9
    assert shares["japanese"] == pytest.approx(shares["kana"] + shares["han"])


@given(st.text("abcd", min_size=2, max_size=20), st.text("абвг", min_size=2, max_size=20))
def test_more_of_another_script_lowers_the_share(latin: str, cyrillic: str) -> None:
    mixed = script_share(f"{latin} {cyrillic}", "latin")
    assert mixed == pytest.approx(len(latin) / (len(latin) + len(cyrillic)))
    assert script_share(f"{latin} {cyrillic} {cyrillic}", "latin") < mixed < script_share(latin, "latin")


def test_a_script_that_is_not_there_is_refused() -> None:
    for ask in (lambda: script_share("x", "latn"), lambda: Language("latn")):
        with pytest.raises(InvalidParameters, match="Did you mean 'latin'"):
            ask()
