"""Twenty steps of TRL's GRPOTrainer on an environment of several turns; run by the interpreter that has TRL.

Arguments: an environment's id, the file of rows, and a server's address if a server is to play. The model is a tiny Llama that
was taught by a few supervised steps to call the tool with some number, so that episodes have turns. Prints as JSON what the
trainer logged.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from envhub.adapters.trl import environment

STEPS, GROUP, WARM_STEPS = 20, 4, 250
CALLS = [{"name": "act", "arguments": {"answer": str(number)}} for number in range(1, 21)]


def main(id: str, rows: str, url: str | None = None) -> None:
    """Teach, train, tell."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    Played = environment(id, url=url)
    lines = [json.loads(line) for line in Path(rows).read_text().splitlines()]
    tools, prompts = [get_json_schema(Played().act)], [line["prompt"] for line in lines]
    tokenizer = tokenizer_of(
        [json.dumps(tools), *(prompt[0]["content"] for prompt in prompts), *map(json.dumps, CALLS)]
    )
    model = tiny(tokenizer)
    teach(model, tokenizer, tools, prompts)
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model,
            args=GRPOConfig(
                output_dir=folder,
                max_steps=STEPS,
                per_device_train_batch_size=2 * GROUP,
                num_generations=GROUP,
                max_completion_length=300,
                max_tool_calling_iterations=4,
                logging_steps=1,
                report_to=[],
                save_strategy="no",
                use_cpu=True,
                disable_tqdm=True,
                seed=0,
            ),
            processing_class=tokenizer,
            train_dataset=Dataset.from_list(lines),
            environment_factory=Played,
        )
        trainer.train()
    print("\n" + json.dumps({"steps": trainer.state.global_step, "log": trainer.state.log_history}))


def tokenizer_of(texts: list[str]) -> Any:
    """Tokens made for these texts, and the chat template of a family whose tool calls TRL can read."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learning = trainers.BpeTrainer(
        vocab_size=900, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, learning)
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    made.chat_template = (Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja").read_text()
    return made


def tiny(tokenizer: Any) -> Any:
    """A Llama of some hundred thousand parameters."""
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=96,
            intermediate_size=192,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=4,
            max_position_embeddings=8192,
            pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id,
            bos_token_id=None,
        )
    )


def teach(model: Any, tokenizer: Any, tools: list[Any], prompts: list[Any]) -> None:
    """Supervised steps on a call with some number, behind prompts as they come."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    render: Callable[..., list[int]] = lambda messages, **more: tokenizer.apply_chat_template(  # noqa: E731
        messages, tools=tools, tokenize=True, return_dict=False, **more
    )
    for _ in range(WARM_STEPS):
        prompt = [*random.choice(prompts), *(each for _ in range(random.randrange(4)) for each in (said(), answered()))]
        head = render(prompt, add_generation_prompt=True)
        whole = render([*prompt, said()])
        ids = torch.tensor([whole])
        labels = ids.clone()
        labels[:, : len(head)] = -100
        loss = model(input_ids=ids, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    print(f"taught to {loss.item():.3f}", file=sys.stderr)


def said() -> dict[str, Any]:
    """A message that calls the tool with some number."""
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "function": random.choice(CALLS)}],
    }


def answered() -> dict[str, Any]:
    """What comes back."""
    return {"role": "tool", "name": "act", "content": random.choice(["My number is higher.", "My number is lower."])}


if __name__ == "__main__":
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    main(*sys.argv[1:])
