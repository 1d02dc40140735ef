"""Rows with pictures in verl's own dataset and agent loop; run by an interpreter that has verl and qwen-vl-utils.

Arguments: a parquet file of ``envhub generate --format verl --observation image`` with the oracle's actions. verl's dataset
reads it with a processor of Qwen2-VL's kind, and its worker plays the first row with our agent loop. Prints as JSON what the
dataset, the engine and the update were given.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch


def without_vision_operators() -> None:
    """Declare torchvision's compiled operators if they do not load.

    Its published wheel is compiled for CUDA. Beside a CPU build of torch it cannot be imported, although reading and resizing
    pictures needs none of these operators.
    """
    try:
        import torchvision  # noqa: F401
    except RuntimeError:
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]
        library = torch.library.Library("torchvision", "DEF")
        both = ("roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool", "deform_conv2d")
        for name in ("nms", "qnms", *both, *(f"_{one}_backward" for one in both)):
            library.define(f"{name}(Tensor self) -> Tensor")
        LIBRARIES.append(library)


LIBRARIES: list[Any] = []
without_vision_operators()

import verl_worker  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import (  # noqa: E402
    PreTrainedTokenizerFast,
    Qwen2VLConfig,
    Qwen2VLImageProcessor,
    Qwen2VLProcessor,
    Qwen2VLVideoProcessor,
)
from verl import DataProto  # noqa: E402
from verl.experimental.agent_loop import AgentLoopWorker  # noqa: E402
from verl.utils import hf_processor, hf_tokenizer  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402
from verl.workers.rollout.replica import TokenOutput  # noqa: E402

END, PROMPT, RESPONSE, PATCH = "<|im_end|>", 4000, 4000, 14
SPECIAL = ("<|endoftext|>", "<|im_start|>", END, "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{% if message['content'] is string %}"
    "{{ message['content'] }}{% else %}{% for part in message['content'] %}{% if part['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LOOP = """
- name: envhub
  _target_: envhub.adapters.verl.agent_loop.EnvhubAgentLoop
  observation: image
"""


def model(folder: Path) -> Path:
    """A folder with the configuration and the processor of a tiny Qwen2-VL, a token a byte, without weights."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: number for number, token in enumerate([*SPECIAL, *alphabet])}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, pad_token=SPECIAL[0])
    tokenizer.chat_template = TEMPLATE
    size = {"shortest_edge": 28 * 28, "longest_edge": 112 * 112}
    processor = Qwen2VLProcessor(
        image_processor=Qwen2VLImageProcessor(size=size, patch_size=PATCH),
        tokenizer=tokenizer,
        video_processor=Qwen2VLVideoProcessor(size=size, patch_size=PATCH),
        chat_template=TEMPLATE,
    )
    processor.save_pretrained(folder)
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    Qwen2VLConfig(
        text_config={**sizes, "num_key_value_heads": 1, "vocab_size": len(vocabulary)},
        vision_config={"depth": 1, "embed_dim": 8, "hidden_size": 8, "num_heads": 1, "patch_size": PATCH},
        image_token_id=vocabulary["<|image_pad|>"],
        video_token_id=vocabulary["<|video_pad|>"],
        vision_start_token_id=vocabulary["<|vision_start|>"],
        vision_end_token_id=vocabulary["<|vision_end|>"],
        architectures=["Qwen2VLForConditionalGeneration"],
    ).save_pretrained(folder)
    return folder


def digest(image: Any) -> str:
    """A digest of size and pixels."""
    return hashlib.sha256(repr(image.size).encode() + image.convert("RGB").tobytes()).hexdigest()


class Engine:
    """Says one action after the other, and notes how many pictures it was given."""

    def __init__(self, tokenizer: Any, actions: list[str]) -> None:
        self._tokenizer, self._actions = tokenizer, iter(actions)
        self.pictures: list[int] = []
        self.placeholders: list[int] = []

    async def generate(
        self, request_id: str, *, prompt_ids: list[int], sampling_params: Any, image_data: Any = None, **_: Any
    ) -> Any:
        """The next action."""
        self.pictures.append(len(image_data or ()))
        self.placeholders.append(prompt_ids.count(self._tokenizer.convert_tokens_to_ids("<|vision_start|>")))
        said = self._tokenizer.encode(next(self._actions) + END, add_special_tokens=False)[
            : sampling_params["max_tokens"]
        ]
        steps = dict.fromkeys(("global_steps", "min_global_steps", "max_global_steps"), 7)
        return TokenOutput(
            token_ids=said, log_probs=[-0.5] * len(said), stop_reason="completed", num_preempted=0, extra_fields=steps
        )


def played(folder: Path, dataset: Any) -> dict[str, Any]:
    """What verl's worker makes of the first row."""
    (folder / "loops.yaml").write_text(LOOP)
    config = verl_worker.configured(
        folder / "model",
        f"actor_rollout_ref.rollout.agent.agent_loop_config_path={folder / 'loops.yaml'}",
        "actor_rollout_ref.rollout.agent.default_agent_loop=envhub",
        f"data.max_prompt_length={PROMPT}",
        f"data.max_response_length={RESPONSE}",
    )
    row = dataset[0]
    worker = AgentLoopWorker(config, None)
    worker.llm_client = Engine(worker.tokenizer, list(row["extra_info"]["solution"]))
    batch = asyncio.run(worker.generate_sequences(DataProto.from_single_dict(collate_fn([row]))))
    seen = batch.non_tensor_batch["multi_modal_inputs"][0]
    pads = int((batch.batch["input_ids"] == worker.tokenizer.convert_tokens_to_ids("<|image_pad|>")).sum())
    return {
        "reward": float(batch.batch["rm_scores"].sum()),
        "solved": float(batch.non_tensor_batch["acc"][0]),
        "actions": len(row["extra_info"]["solution"]),
        "pictures": worker.llm_client.pictures,
        "placeholders": worker.llm_client.placeholders,
        "grids": seen["image_grid_thw"].tolist(),
        "patches": list(seen["pixel_values"].shape),
        "pads": pads,
    }


def main(path: str) -> None:
    """Read, play, and tell."""
    folder = Path(tempfile.mkdtemp())
    at = str(model(folder / "model"))
    settings = OmegaConf.create(
        {"max_prompt_length": PROMPT, "filter_overlong_prompts": True, "filter_overlong_prompts_workers": 1}
    )
    dataset = RLHFDataset(path, hf_tokenizer(at), settings, hf_processor(at))
    rows = [dataset[number] for number in range(len(dataset))]
    parts = [[part for message in row["raw_prompt"] for part in message["content"]] for row in rows]
    told = {
        "columns": sorted(rows[0]),
        "kinds": [[part["type"] for part in each] for each in parts],
        "digests": [[digest(part["image"]) for part in each if part["type"] == "image"] for each in parts],
        "played": played(folder, dataset),
    }
    print("\n" + json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
