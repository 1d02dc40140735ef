"""Weights as a checkpoint on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM
from transformers.utils import logging

from envhub_trainer.policy.weights import save
from tests.trainer.models import tiny_llama


@pytest.mark.parametrize("tied", [True, False])
def test_what_is_saved_is_the_model(tied: bool, tmp_path: Path) -> None:
    model = tiny_llama(1, tied=tied)
    assert save(model, tmp_path / "version-1") == tmp_path / "version-1"
    assert [each.name for each in tmp_path.iterdir()] == ["version-1"]
    written = load_file(tmp_path / "version-1" / "model.safetensors")
    expected = model.state_dict()
    assert expected.keys() - written.keys() == ({"lm_head.weight"} if tied else set())
    assert all(torch.equal(weight, expected[name]) for name, weight in written.items())
    again = AutoModelForCausalLM.from_pretrained(tmp_path / "version-1")
    ids = torch.tensor([[1, 2, 3]])
    assert torch.equal(again(ids).logits, model.eval()(ids).logits)


@pytest.mark.parametrize("tied", [True, False])
def test_weights_are_written_in_the_data_type_of_their_reader(tied: bool, tmp_path: Path) -> None:
    model = tiny_llama(1, tied=tied)
    save(model, tmp_path / "whole")
    save(model, tmp_path / "half", torch.bfloat16)
    whole, half = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "half"))
    assert whole.keys() == half.keys()
    assert all(torch.equal(half[name], tensor.bfloat16()) for name, tensor in whole.items())
    assert next(model.parameters()).dtype == torch.float32


def test_a_folder_is_never_written_over(tmp_path: Path) -> None:
    save(tiny_llama(1), tmp_path / "a")
    with pytest.raises(FileExistsError, match="a folder of their own"):
        save(tiny_llama(2), tmp_path / "a")


def test_a_save_that_breaks_off_leaves_no_folder_of_the_name_and_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_llama(1)
    whole = model.save_pretrained

    def broken(folder: Path, **settings: Any) -> None:
        whole(folder, **settings)
        (folder / "rest").write_text("half")
        raise OSError("no space left")

    monkeypatch.setattr(model, "save_pretrained", broken)
    with pytest.raises(OSError, match="no space left"):
        save(model, tmp_path / "a")
    assert not (tmp_path / "a").exists()
    monkeypatch.undo()
    save(model, tmp_path / "a")
    assert sorted(each.name for each in tmp_path.rglob("*") if each.name.startswith(("a", "rest"))) == ["a"]


@pytest.mark.parametrize("shown", [True, False])
def test_no_progress_bar_is_shown_and_the_setting_is_left(
    shown: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = logging.is_progress_bar_enabled()
    (logging.enable_progress_bar if shown else logging.disable_progress_bar)()
    try:
        save(tiny_llama(1), tmp_path / "a")
        assert logging.is_progress_bar_enabled() == shown
    finally:
        (logging.enable_progress_bar if before else logging.disable_progress_bar)()
    assert capsys.readouterr().err == ""
