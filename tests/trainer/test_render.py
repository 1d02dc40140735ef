"""Conversations as tokens: only what stands between turns is rendered, and nothing is tokenised twice."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub_trainer.render import Renderer, Renderers, TemplateError
from tests.trainer.tokenizing import CHATML, ENDLESS, FORGETTING, TRIMMING, tokenizer

TOKENIZER = tokenizer()
RENDERER = Renderer(TOKENIZER)
END = TOKENIZER.convert_tokens_to_ids("<|im_end|>")
EOS = TOKENIZER.convert_tokens_to_ids("<|end|>")
TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=40)


def said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def ids_of(text: str) -> list[int]:
    found: list[int] = TOKENIZER.encode(text, add_special_tokens=False)
    return found


@given(asked=TEXT, action=TEXT, told=TEXT, again=TEXT)
def test_turn_by_turn_gives_what_the_template_gives_at_once(asked: str, action: str, told: str, again: str) -> None:
    row = RENDERER.opening([said("system", "s"), said("user", asked)])
    for spoken, answer in ((action, told), (again, asked)):
        row += [*ids_of(spoken), END]
        row += RENDERER.between(row[-1], answer)
    talk = [said("system", "s"), said("user", asked), said("assistant", action), said("user", told)]
    talk += [said("assistant", again), said("user", asked)]
    assert row == ids_of(TOKENIZER.apply_chat_template(talk, tokenize=False, add_generation_prompt=True))


def test_an_action_that_ran_out_of_budget_is_ended_with_a_given_token() -> None:
    cut = ids_of("4")
    assert RENDERER.between(cut[-1], "no") == [END, *RENDERER.between(END, "no")]


def test_another_end_token_is_followed_by_the_templates_own() -> None:
    assert RENDERER.end_ids == {END, EOS}
    assert RENDERER.between(EOS, "no")[0] == END


def test_what_the_environment_hears_has_no_end_token_and_all_else() -> None:
    assert RENDERER.text([*ids_of("<|im_start|>4 2"), END]) == "<|im_start|>4 2"
    assert RENDERER.text(ids_of("42")) == "42"
    assert RENDERER.text([END]) == ""
    assert RENDERER.text([]) == ""


@pytest.mark.parametrize("token", ["<|im_end|>", "<|im_start|>assistant\n", "<|end|>", "<s>"])
def test_a_special_token_spelled_by_an_environment_is_text(token: str) -> None:
    told = f"you said {token}: no"
    ids = RENDERER.between(END, told)
    plain = RENDERER.between(END, "no")
    specials = set(TOKENIZER.all_special_ids)
    assert [i for i in ids if i in specials] == [i for i in plain if i in specials]
    assert told in TOKENIZER.decode(ids)
    opening = RENDERER.opening([said("system", "s"), said("user", told)])
    usual = RENDERER.opening([said("system", "s"), said("user", "no")])
    assert [i for i in opening if i in specials] == [i for i in usual if i in specials]
    assert told in TOKENIZER.decode(opening)


def test_a_template_that_trims_or_begins_with_a_token_of_its_own_is_fine() -> None:
    renderer = Renderer(tokenizer(TRIMMING))
    row = renderer.opening([said("user", "a")])
    row += [*ids_of("b"), END]
    row += renderer.between(row[-1], "c")
    assert TOKENIZER.decode(row) == (
        "<s><|head|>user<|/head|>a<|im_end|><|head|>assistant<|/head|>b<|im_end|><|head|>user<|/head|>c<|im_end|>"
        "<|head|>assistant<|/head|>"
    )
    assert not renderer.rewrites


def test_a_template_that_drops_thoughts_is_found_out() -> None:
    assert Renderer(tokenizer(FORGETTING)).rewrites
    assert not RENDERER.rewrites


def test_templates_that_cannot_be_trained_with_are_refused() -> None:
    with pytest.raises(TemplateError, match="no chat template"):
        Renderer(tokenizer(None))
    with pytest.raises(TemplateError, match="must begin with a special token"):
        Renderer(tokenizer(ENDLESS))
    with pytest.raises(TemplateError, match="does not show every message"):
        Renderer(tokenizer("{{ messages[-1]['content'] }}<|im_end|>"))


def test_tools_stand_in_the_opening() -> None:
    template = "{% if tools %}tools: {{ tools | tojson }}<|im_end|>{% endif %}" + CHATML
    tool = {"type": "function", "function": {"name": "look"}}
    opening = Renderer(tokenizer(template), [tool]).opening([said("user", "a")])
    assert '"look"' in TOKENIZER.decode(opening)
    assert '"look"' not in TOKENIZER.decode(Renderer(tokenizer(template)).opening([said("user", "a")]))


def test_a_task_with_tools_of_its_own_is_rendered_with_these() -> None:
    shown = "{% for t in tools or [] %}[{{ t['function']['name'] }}]{% endfor %}" + CHATML
    renderers = Renderers(tokenizer(shown))
    env = envhub.make("function-call-v0", difficulty=1)
    for seed in (0, 1, 0):
        env.reset(seed=seed)
        ids = renderers.of(env.task).opening([{"role": "user", "content": "Go."}])
        names = "".join(f"[{tool['function']['name']}]" for tool in env.task.tools)
        assert renderers.of(env.task).text(ids).startswith(f"{names}<|im_start|>user\nGo.")
        assert renderers.of(env.task) is renderers.of(env.task)
