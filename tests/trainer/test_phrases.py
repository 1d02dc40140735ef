"""What conversations repeat becomes one piece; what varies stays apart."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from envhub_trainer.phrases import Conversation, numbers, phrases


def told(*texts: str) -> list[Conversation]:
    return [[{"role": "user", "content": text}] for text in texts]


SUMS = told(*(f"Compute {a} + {a * 7 % 90 + 10}. Answer like 17." for a in range(10, 60)))


def test_what_is_always_said_is_one_phrase_with_the_numbers_in_it() -> None:
    assert phrases(SUMS, "whole") == [" + ", ". Answer like ", ". Answer like 17.", "Compute "]
    assert "Find it in 4 guesses." in phrases(told(*["Find it in 4 guesses."] * 5), "single")


def test_a_number_that_varies_stays_out_though_two_conversations_share_it() -> None:
    hints = told(*(f"Higher than {i % 10}." for i in range(50)))
    assert phrases(hints, "whole") == ["Higher than "]


def test_the_words_around_a_number_are_kept_for_other_numbers() -> None:
    left = told(*["Too low. Guesses left: 3."] * 99, "Too low. Guesses left: 1.")
    assert {"Too low. Guesses left: ", "Too low. Guesses left: 3."} <= set(phrases(left, "whole"))


def test_no_phrase_begins_with_a_number_and_could_cut_a_longer_one() -> None:
    assert phrases(told(*["4 apples, 5 pears."] * 50), "whole") == [" apples, ", " apples, 5 pears.", " pears."]


def test_what_few_conversations_say_is_a_phrase_and_what_one_says_is_not() -> None:
    said = told(*["Go on."] * 97, "What is that?", "What is that?", "Never heard.")
    assert "What is that?" in phrases(said, "single")
    assert not [text for text in phrases(said, "single") if "Never" in text]


def test_a_message_said_twice_in_a_conversation_counts_once() -> None:
    talk: Conversation = [{"role": "user", "content": "Once more."}] * 9
    assert phrases([talk, *told("Stop.", "Stop.")], "single") == ["Stop."]


def test_numbers_come_by_how_many_conversations_have_them() -> None:
    assert numbers(told("3 and 16", "16", "16 3 250")) == ["16", "3", "250"]
    assert numbers([]) == []


def test_no_conversations_have_no_phrases() -> None:
    assert phrases([], "whole") == []


@pytest.mark.slow
def test_the_order_does_not_depend_on_the_interpreters_hashes() -> None:
    program = (
        "from envhub_trainer.phrases import phrases\n"
        "texts = [text for i in 'ghijklmnop' for text in (f'a{i}+b{i}', f'a{i}+c{i}', f'd{i}+b{i}')]  # either neighbour of +\n"
        "print(phrases([[{'role': 'user', 'content': text}] for text in texts], 'single'))"
    )
    outcomes = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outcomes) == 1
