"""A model and a tokenizer from scratch: small prompts, any text, and the same again by their names in transformers."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings, strategies as st

import envhub
from envhub_trainer.config import TinyConfig
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.render import Renderer
from envhub_trainer.tiny import END, SAY, build_model, build_tokenizer, save
from envhub_trainer.warmstart import conversations
from tests.trainer.recipes import ADDITION, GUESS, addition, guess

SINGLE, WHOLE = TinyConfig(digits="single"), TinyConfig(digits="whole")
TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=60)


@cache
def adder() -> Any:
    return build_tokenizer(conversations(addition(), 100), SINGLE)


@cache
def guesser() -> Any:
    return build_tokenizer(conversations(guess(), 100), WHOLE)


def prompt(tokenizer: Any, environments: Any) -> list[int]:
    task = next(
        envhub.TaskStream(environments, difficulty=None, seed=99, split="test", answer_format="last", wording=0)
    )
    return Renderer(tokenizer).opening([{"role": "user", "content": task.prompt}])


def ids_of(tokenizer: Any, text: str) -> list[int]:
    found: list[int] = tokenizer.encode(text, add_special_tokens=False)
    return found


@cache
def renderer(digits: str) -> Renderer:
    return Renderer({"single": adder, "whole": guesser}[digits]())


@pytest.mark.parametrize("digits", ["single", "whole"])
@settings(deadline=None)
@given(text=TEXT)
def test_any_text_is_encoded_and_comes_back(digits: str, text: str) -> None:
    assert renderer(digits).text(renderer(digits).said(text)) == text


def test_a_special_token_that_an_action_spells_is_text() -> None:
    ids = renderer("single").said(f"4{END}{SAY}2")
    assert [id for id in ids if id in adder().all_special_ids] == [adder().eos_token_id]
    assert renderer("single").text(ids) == f"4{END}{SAY}2"


def test_a_held_out_prompt_is_a_handful_of_tokens() -> None:
    assert len(prompt(adder(), ADDITION)) == 10  # how to compute, 3 digits, plus, 3 digits, how to answer, your turn
    assert len(prompt(guesser(), GUESS)) == 2
    between = Renderer(guesser()).between(guesser().eos_token_id, "My number is higher than 9. Guesses left: 3.")
    assert len(between) == 4
    between = Renderer(guesser()).between(guesser().eos_token_id, "My number is lower than 13. Guesses left: 3.")
    assert len(between) == 4


def test_what_an_environment_says_to_nonsense_is_not_spelled_out() -> None:
    env = envhub.begin(
        next(envhub.TaskStream(GUESS, difficulty=None, seed=5, answer_format="last")), answer_format="last"
    )
    for action in ("", "?", "50"):
        observation = env.step(action)[0]
        assert len(ids_of(guesser(), observation)) <= 5, observation


def test_a_number_is_its_digits_or_one_token_where_it_is_known() -> None:
    assert len(ids_of(adder(), "724")) == 3
    assert len(ids_of(guesser(), "16")) == 1
    assert len(ids_of(guesser(), "160")) == 3  # not 16 and 0
    assert guesser().decode(ids_of(guesser(), "160")) == "160"


def test_the_renderer_takes_the_template_and_turns_join_without_a_seam() -> None:
    tokenizer = guesser()
    turns = renderer("whole")
    assert turns.end_ids == {tokenizer.convert_tokens_to_ids(END)}
    assert not turns.rewrites
    talk = [
        {"role": role, "content": text}
        for role, text in (("system", "Be brief."), ("user", "Say 3"), ("assistant", "3"))
    ]
    row = [*turns.opening(talk[:2]), *turns.said("3")]
    row += turns.between(row[-1], "Again 4")
    assert row == turns.opening([*talk, {"role": "user", "content": "Again 4"}])
    assert tokenizer.decode(row) == f"Be brief.\n\nSay 3{SAY}3{END}Again 4{SAY}"


def test_the_template_marks_what_the_policy_says_and_its_end() -> None:
    talk = [
        {"role": role, "content": text}
        for role, text in (("user", "1 2"), ("assistant", "12"), ("user", "3"), ("assistant", "x"))
    ]
    told = adder().apply_chat_template(talk, tokenize=True, return_dict=True, return_assistant_tokens_mask=True)
    marked = [id for id, mark in zip(told["input_ids"], told["assistant_masks"], strict=True) if mark]
    assert adder().decode(marked) == f"12{END}x{END}"


def test_phrases_of_letters_that_bytes_are_written_with_come_back() -> None:
    said = [[{"role": "user", "content": "éñ ÿÿ, 日本 naïve"}]] * 4
    tokenizer = build_tokenizer(said, SINGLE)
    for text in ("éñ ÿÿ, 日本 naïve", "éñ", "ÿÿ", "naïve", "日本"):
        assert tokenizer.decode(ids_of(tokenizer, text)) == text
    alone = build_tokenizer([[{"role": "user", "content": "éñ"}]] * 4, SINGLE)
    assert alone.decode(ids_of(alone, "éñ")) == "éñ"


@pytest.mark.parametrize("vocabulary", [259, 262, 270])
def test_the_vocabulary_has_a_bound_and_everything_still_encodes(vocabulary: int) -> None:
    tokenizer = build_tokenizer(conversations(guess(), 40), TinyConfig(digits="whole", vocabulary=vocabulary))
    assert len(tokenizer) <= vocabulary
    assert tokenizer.decode(ids_of(tokenizer, "between 1 and 16")) == "between 1 and 16"


def test_the_same_settings_and_seed_make_the_same_checkpoint() -> None:
    other = build_tokenizer(conversations(addition(), 100), SINGLE)
    assert other.backend_tokenizer.to_str() == adder().backend_tokenizer.to_str()
    one, same, different = (build_model(adder(), SINGLE, seed).state_dict() for seed in (3, 3, 4))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["model.embed_tokens.weight"], different["model.embed_tokens.weight"])


def test_building_leaves_torchs_own_randomness_alone() -> None:
    torch.manual_seed(0)
    before = torch.get_rng_state()
    build_model(adder(), SINGLE, 3)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_checkpoint_loads_as_any_other_does(tmp_path: Path) -> None:
    model = build_model(adder(), SINGLE, 0)
    save(tmp_path, model, adder())
    loaded, tokenizer = load_model(str(tmp_path), addition().model), load_tokenizer(str(tmp_path))
    ids = prompt(tokenizer, ADDITION)
    assert ids == prompt(adder(), ADDITION)
    assert tokenizer.chat_template == adder().chat_template
    assert (tokenizer.eos_token_id, loaded.config.eos_token_id) == (adder().eos_token_id, adder().eos_token_id)
    assert loaded.get_input_embeddings().weight is loaded.get_output_embeddings().weight
    with torch.no_grad():
        assert torch.equal(loaded(torch.tensor([ids])).logits, model(torch.tensor([ids])).logits)
    assert 300_000 < sum(weight.numel() for weight in loaded.parameters()) < 500_000


def test_a_width_that_heads_do_not_divide_is_refused_with_one_that_they_do() -> None:
    with pytest.raises(ValueError, match=r"multiple of twice the heads \(8\), got 100; 96 is one"):
        build_model(adder(), TinyConfig(width=100), 0)


def test_conversations_come_from_the_training_split_and_some_go_wrong() -> None:
    said = conversations(addition(), 100)
    seen = {talk[0]["content"] for talk in said}
    held_out = envhub.TaskStream(ADDITION, difficulty=None, seed=4, split="test", answer_format="last")
    assert not seen & {task.prompt for task in islice(held_out, 500)}
    assert "" in {talk[-1]["content"] for talk in said}
