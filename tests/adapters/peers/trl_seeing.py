"""Two steps of TRL's GRPOTrainer with a model that sees; run by the interpreter that has TRL.

Arguments: a parquet file of rows of one turn with the column ``images``. The model is a tiny LLaVA, whose processor needs no
torchvision. Prints as JSON how many pictures the model was given, and what the reward function and the trainer logged.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any

import torch
from datasets import load_dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    CLIPVisionConfig,
    LlamaConfig,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from trl import GRPOConfig, GRPOTrainer

from envhub.adapters.trl import reward_func

SIDE, PATCH, STEPS, GROUP = 28, 14, 2, 2
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{% for part in message['content'] %}"
    "{{ '<image>' if part['type'] == 'image' else part['text'] }}{% endfor %}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def processor() -> Any:
    """A token a byte, and four image tokens a picture."""
    special = ["<|pad|>", "<|end|>", "<image>", "<|user|>", "<|assistant|>", "<|system|>"]
    vocabulary = {
        token: number for number, token in enumerate([*special, *sorted(pre_tokenizers.ByteLevel.alphabet())])
    }
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>", pad_token="<|pad|>")
    size = {"height": SIDE, "width": SIDE}
    eye = CLIPImageProcessorPil(size={"shortest_edge": SIDE}, crop_size=size)
    return LlavaProcessor(
        image_processor=eye,
        tokenizer=tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
        image_token="<image>",
    )


def main(path: str) -> None:
    """Train and tell."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    sees, shapes, told = processor(), [], []
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    model = LlavaForConditionalGeneration(
        LlavaConfig(
            vision_config=CLIPVisionConfig(**sizes, image_size=SIDE, patch_size=PATCH),
            text_config=LlamaConfig(**sizes, vocab_size=len(sees.tokenizer), num_key_value_heads=2, eos_token_id=1),
            image_token_id=sees.tokenizer.convert_tokens_to_ids("<image>"),
        )
    )
    features = model.model.get_image_features

    def counted(pixel_values: Any, *args: Any, **kwargs: Any) -> Any:
        shapes.append(tuple(pixel_values.shape))
        return features(pixel_values, *args, **kwargs)

    model.model.get_image_features = counted
    judge = reward_func()

    def reward(prompts: Any, completions: Any, **columns: Any) -> Any:
        told.append({"columns": sorted(columns), "images": [len(images) for images in columns["images"]]})
        return judge(prompts, completions, **columns)

    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model,
            reward_funcs=reward,
            args=GRPOConfig(
                output_dir=folder,
                max_steps=STEPS,
                per_device_train_batch_size=GROUP,
                num_generations=GROUP,
                max_completion_length=4,
                logging_steps=1,
                report_to=[],
                save_strategy="no",
                use_cpu=True,
                disable_tqdm=True,
                seed=0,
            ),
            processing_class=sees,
            train_dataset=load_dataset("parquet", data_files=path, split="train"),
        )
        trainer.train()
    print("\n" + json.dumps({"steps": trainer.state.global_step, "shapes": shapes, "rewards": told}))


if __name__ == "__main__":
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    main(*sys.argv[1:])
