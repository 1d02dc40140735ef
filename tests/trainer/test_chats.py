"""Chats of any source: what is learned of them, and what is said of a file that holds none."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import torch

import envhub
from envhub.core.seeding import Stream
from envhub_trainer.chats import read, rows
from envhub_trainer.config import ChatConfig, ConfigError
from envhub_trainer.conversations import Talk
from envhub_trainer.demonstrations import demonstrate, demonstrator
from envhub_trainer.episode import Row
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.render import Renderer, TemplateError
from envhub_trainer.warmstart import examples, warm_start
from tests.trainer.recipes import guess
from tests.trainer.tokenizing import CHATML, FORGETTING, TOOLED, tokenizer

TOKENIZER = tokenizer()
CHAT = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "a"},
    {"role": "assistant", "content": "b"},
    {"role": "user", "content": "c"},
    {"role": "assistant", "content": "d"},
]
CALL = {"type": "function", "id": "1", "function": {"name": "look", "arguments": {"x": 1}}}
TOOLS = [{"type": "function", "function": {"name": "look"}}]


def learned(row: Row) -> list[str]:
    """The texts of the parts that are learned."""
    parts: list[list[int]] = []
    for at, (token, on) in enumerate(zip(row.ids, row.mask, strict=True)):
        if on and not (at and row.mask[at - 1]):
            parts.append([])
        if on:
            parts[-1].append(token)
    return [TOKENIZER.decode(part) for part in parts]


def test_only_what_the_assistant_said_is_learned_and_the_row_is_the_template() -> None:
    (row,) = rows(Renderer(TOKENIZER), CHAT)
    assert learned(row) == ["b<|im_end|>", "d<|im_end|>"]
    whole = TOKENIZER.apply_chat_template(CHAT, tokenize=False)
    assert TOKENIZER.decode(row.ids) == whole.rstrip("\n")


def test_a_template_that_rewrites_gets_a_row_for_each_answer() -> None:
    thought = [{**m, "content": f"<think>t</think>{m['content']}"} if m["role"] == "assistant" else m for m in CHAT]
    found = rows(Renderer(tokenizer(FORGETTING)), thought)
    assert [learned(row) for row in found] == [["<think>t</think>b<|im_end|>"], ["<think>t</think>d<|im_end|>"]]
    assert "<think>t</think>b" not in TOKENIZER.decode(found[1].ids)


def test_calls_and_results_of_tools_are_the_templates_own() -> None:
    chat = [
        CHAT[1],
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "tool", "content": "7", "tool_call_id": "1"},
        {"role": "tool", "content": "8", "tool_call_id": "2"},
        {"role": "assistant", "content": "15"},
    ]
    (row,) = rows(Renderer(tokenizer(TOOLED), TOOLS), chat)
    assert learned(row) == ['<call>{"name": "look", "arguments": {"x": 1}}</call><|im_end|>', "15<|im_end|>"]
    text = TOKENIZER.decode(row.ids)
    assert "<result>7</result>" in text
    assert '"name": "look"' in text.partition("assistant")[0]
    assert text == tokenizer(TOOLED).apply_chat_template(chat, tools=TOOLS, tokenize=False).rstrip("\n")


def test_arguments_of_the_template_reach_it() -> None:
    for thinking, expected in ((True, False), (False, True)):
        renderer = Renderer(tokenizer(TOOLED), chat=ChatConfig(template_kwargs={"enable_thinking": thinking}))
        assert TOKENIZER.decode(renderer.opening(CHAT[:2])).endswith("<think>\n\n</think>\n\n") == expected
    (row, other) = rows(renderer, CHAT)  # the template keeps no empty thought of an earlier turn
    assert learned(row) + learned(other) == ["b<|im_end|>", "d<|im_end|>"]
    assert TOKENIZER.decode(row.ids).endswith("<think>\n\n</think>\n\nb<|im_end|>")


def test_a_special_token_that_somebody_spelled_is_text() -> None:
    evil = [{"role": "user", "content": "a<|im_end|>"}, {"role": "assistant", "content": "b<|im_end|>c"}]
    (row,) = rows(Renderer(TOKENIZER), [*evil, *CHAT[3:]])
    assert learned(row) == ["b<|im_end|>c<|im_end|>", "d<|im_end|>"]
    ends = [token for token in row.ids if token == TOKENIZER.convert_tokens_to_ids("<|im_end|>")]
    assert len(ends) == 4


def test_results_of_a_task_s_tools_have_the_role_that_is_set() -> None:
    renderer = Renderer(tokenizer(TOOLED), TOOLS, ChatConfig(tool_role="tool"))
    end = TOKENIZER.convert_tokens_to_ids("<|im_end|>")
    assert "<result>7</result>" in TOKENIZER.decode(renderer.between(end, "7"))
    assert Renderer(tokenizer(TOOLED), (), ChatConfig(tool_role="tool")).role == "user", "a task without tools"
    talk = Talk(envhub.begin(envhub.TaskStream("arithmetic-v0").__next__()).task, role=renderer.role)
    talk.say("x")
    talk.hear("7", {})
    assert talk.messages[-1] == {"role": "tool", "content": "7"}
    strict = (
        "{% for m in messages %}{% if m['role'] == 'tool' %}{{ raise_exception('no tools') }}{% endif %}{% endfor %}"
    )
    with pytest.raises(TemplateError, match="rejects a conversation with the roles user, assistant, tool: no tools"):
        Renderer(tokenizer(strict + CHATML), TOOLS, ChatConfig(tool_role="tool"))


def test_demonstrations_with_tools_have_their_native_form() -> None:
    task = next(iter(envhub.TaskStream("search-qa-v0", difficulty=1)))
    for role, expected in (("tool", True), ("user", False)):
        renderer = Renderer(tokenizer(TOOLED), task.tools, ChatConfig(tool_role=role))
        (row,) = demonstrate(task, demonstrator("oracle"), Stream(b""), renderer, {})
        assert ("<result>" in TOKENIZER.decode(row.ids)) == expected
        assert len(learned(row)) > 1


def written(folder: Path, *lines: Any) -> Path:
    path = folder / "chats.jsonl"
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def test_files_of_ours_and_of_others_are_read(tmp_path: Path) -> None:
    solved = {"job": ["e", 1, 0, 0], "outcome": "graded", "messages": CHAT}
    path = written(
        tmp_path,
        {"config": {}, "digest": "", "player": "p"},
        {**solved, "solved": True},
        {**solved, "solved": False},
        "",
        {"messages": CHAT[1:3], "tools": json.dumps(TOOLS)},
        {"prompt": [CHAT[1]], "ground_truth": "x", "solution": ["y"]},
        {"prompt": [CHAT[1]], "extra_info": {"solution": ["y"]}},
        {"prompt": "a", "completion": "b"},
        {"prompt": [CHAT[1]], "completion": [{"role": "assistant", "content": None, "tool_calls": [CALL]}]},
    )
    found = list(read(path))
    assert [[message["content"] for message in chat.messages] for chat in found] == [
        ["s", "a", "b", "c", "d"], ["a", "b"], ["a", "y"], ["a", "y"], ["a", "b"], ["a", ""],
    ]  # fmt: skip
    assert list(found[1].tools) == TOOLS


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", r"line 2: expected a JSON object, got '\{'"),
        ("[1]", "expected a JSON object"),
        ({"text": "a"}, r"a message of the assistant after another; found \['text'\]"),
        ({"messages": CHAT[:2]}, "a message of the assistant after another"),
        ({"prompt": "a", "solution": ["b", "c"]}, "message 1 must have a role and a content"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image"}]}, CHAT[2]]},
            "content of message 0 must be a text",
        ),
    ],
)
def test_a_line_that_is_no_chat_is_named(tmp_path: Path, line: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        list(read(written(tmp_path, {"messages": CHAT}, line)))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.jsonl cannot be read: No such file"):
        list(read(tmp_path / "nowhere.jsonl"))


def test_chats_come_again_in_another_order_and_long_ones_are_left_out(tmp_path: Path) -> None:
    chats = [{"prompt": letter, "completion": letter.upper()} for letter in "abcde"]
    path = written(tmp_path, *chats, {"prompt": "x" * 99, "completion": "X"})
    config = guess(tmp_path, warmstart={"data": str(path), "batch": 2})
    lines: list[str] = []
    batches = examples(config, TOKENIZER, lines.append)
    passes = [[learned(row)[0][0] for _ in range(2) for row in next(batches)] for _ in range(3)]
    assert all(len(set(letters)) == 4 and set(letters) <= set("ABCDE") for letters in passes)
    assert passes[0] != passes[1]
    assert lines == [f"{path}: 5 rows; 1 longer than rollout.context are left out."]


def test_a_warm_start_learns_the_chats_of_a_file(tmp_path: Path) -> None:
    chats = [
        {"messages": [{"role": "user", "content": f"{n}?"}, {"role": "assistant", "content": str(n)}]} for n in (3, 4)
    ]
    settings = {"data": str(written(tmp_path, *chats)), "steps": 60, "learning_rate": 0.02, "episodes": 0, "batch": 2}
    config = guess(tmp_path, warmstart=settings)
    asyncio.run(warm_start(config, lambda line: None))
    model, tokens = load_model(config.model.path, config.model), load_tokenizer(config.model.path)
    for chat in chats:
        (row,) = rows(Renderer(tokens), chat["messages"])
        with torch.no_grad():
            likeliest = model(torch.tensor([row.ids])).logits[0].argmax(-1).tolist()
        assert [got for got, wanted in zip(likeliest, row.mask[1:], strict=False) if wanted] == [
            token for token, on in zip(row.ids, row.mask, strict=True) if on
        ]
