"""Pictures in the trainer: what the sampler computes with its cache is what the update computes on whole rows."""

from __future__ import annotations

import asyncio
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch

import envhub
from envhub.core.errors import InvalidParameters
from envhub.scenes.grid import grid
from envhub.scenes.picture import Drawn, Picture
from envhub_trainer import packing
from envhub_trainer.batch import collate
from envhub_trainer.config import ConfigError, TinyConfig
from envhub_trainer.episode import Episode, Row
from envhub_trainer.logprobs import score
from envhub_trainer.models import load_model, load_tokenizer
from envhub_trainer.policy import PolicyError, Sampling
from envhub_trainer.policy.forward import evaluating
from envhub_trainer.policy.hf import HfPolicy
from envhub_trainer.probe import probe
from envhub_trainer.render import Renderer, TemplateError
from envhub_trainer.setup import seeing
from envhub_trainer.tiny import build_model, build_tokenizer, save
from envhub_trainer.vision import pixels, placed
from tests.trainer.recipes import addition
from tests.trainer.seeing import digits

TINY = TinyConfig(width=32, layers=2, heads=2, pixels=40, patch=10)
CONTEXT, TOLERANCE = 256, 1e-4
SAMPLING = Sampling(max_tokens=4, temperature=0.9)


@cache
def tokenizer() -> Any:
    return build_tokenizer([[{"role": "user", "content": "Where is it? It moved."}]] * 4, TINY, CONTEXT)


@cache
def model() -> Any:
    made = build_model(tokenizer(), TINY, seed=1, context=CONTEXT)
    with torch.no_grad():  # so that a picture matters
        for name, weight in made.named_parameters():
            if "visual.merger" in name:
                weight.mul_(4)
    return made


def picture(*rows: str) -> Picture:
    """Boards of different sizes have different grids of patches."""
    return Drawn(grid([list(row) for row in rows]))


def sampler(**settings: Any) -> HfPolicy:
    return HfPolicy(
        model(), end_ids=Renderer(tokenizer()).end_ids, context=CONTEXT, vocabulary=len(tokenizer()), **settings
    )


def scored(row: Row, temperature: float = SAMPLING.temperature) -> torch.Tensor:
    """The update's log-probabilities of a row's sampled tokens."""
    mask = torch.tensor([row.mask[1:]], dtype=torch.float32)
    with evaluating(model()):
        return score(model(), torch.tensor([row.ids]), mask, temperature=temperature).logp[mask > 0]


async def talk(policy: HfPolicy, boards: list[Picture], seed: int) -> Row:
    """A conversation with a picture in each turn."""
    renderer, row = Renderer(tokenizer()), Row()
    row.give(renderer.opening([{"role": "user", "content": "Where is it?", "images": (boards[0],)}]))
    for turn, board in enumerate([*boards[1:], None]):
        found = await policy.generate(row.ids, SAMPLING, seed + turn)
        row.take(found.ids, found.logps, found.versions)
        if board is not None:
            row.give(renderer.between(row.ids[-1], "It moved.", (board,)))
    return row


BOARDS = [picture("a.", ".."), picture("..", ".a"), picture("a..", "...", "..."), picture("....", "...a")]


def talks() -> list[list[Picture]]:
    """Beginnings that are equal, and such as differ in a picture alone."""
    one, two, three, wide = BOARDS
    return [[one, two, three], [one, two, wide], [two, one], [one], [one], [wide, wide], [three, two, one]]


@pytest.mark.parametrize("slots", [2, 16])
def test_sampled_log_probabilities_are_the_updates(slots: int) -> None:
    async def played() -> tuple[list[Row], HfPolicy]:
        policy = sampler(slots=slots)
        rows = await asyncio.gather(*(talk(policy, boards, 100 * i) for i, boards in enumerate(talks())))
        return list(rows), policy

    rows, policy = asyncio.run(played())
    assert policy.stats.reused > 0
    for row, boards in zip(rows, talks(), strict=True):
        assert len(row.pictures) == len(boards)
        logps = [logp for logp, sampled in zip(row.logps, row.mask, strict=True) if sampled]
        assert float((scored(row) - torch.tensor(logps)).abs().max()) < TOLERANCE
    again, _ = asyncio.run(played())
    assert [row.ids for row in again] == [row.ids for row in rows]


def test_another_picture_gives_other_log_probabilities() -> None:
    row = asyncio.run(talk(sampler(), [BOARDS[0]], 7))
    other = row.copy()
    number = min(other.ids)
    swapped = tokenizer().vision.read(BOARDS[1])[0]
    other.ids = [swapped if id == number else id for id in other.ids]
    assert float((scored(row) - scored(other)).abs().max()) > 100 * TOLERANCE


def test_positions_are_those_of_the_model_itself() -> None:
    row = asyncio.run(talk(sampler(), [BOARDS[3], BOARDS[2]], 3))
    ids, image = torch.tensor([row.ids]), tokenizer().vision.token
    given = {"input_ids": torch.where(ids < 0, image, ids), "mm_token_type_ids": (ids < 0).int(), **pixels(ids)}
    with evaluating(model()):
        logits = model()(**given).logits[0, :-1] / SAMPLING.temperature
    sampled = torch.tensor(row.mask[1:]) > 0
    own = logits.log_softmax(-1)[sampled].gather(-1, ids[0, 1:][sampled][:, None])[:, 0]
    assert torch.allclose(own, scored(row), atol=TOLERANCE)


@pytest.mark.parametrize("packed", [False, True])
def test_a_batch_of_rows_scores_each_as_alone(packed: bool) -> None:
    async def played() -> list[Row]:
        policy = sampler()
        return list(await asyncio.gather(*(talk(policy, boards, i) for i, boards in enumerate(talks()))))

    rows = sorted(asyncio.run(played()), key=lambda row: -len(row.ids))
    rows.append(Row())
    rows[-1].give([5, 6, 7])
    rows[-1].take([8, 9], [0.0, 0.0], [0, 0])  # no picture
    batch = collate([Episode("x-v0", 1, {}, 0, rows=[row]) for row in rows])
    with evaluating(model()):
        if packed:
            found = packing.score(model(), batch.ids, batch.mask, batch.length, temperature=0.9)
            assert found.computed < batch.ids.numel()
        else:
            found = score(model(), batch.ids, batch.mask, temperature=0.9)
    for at, row in enumerate(rows):
        assert torch.allclose(found.logp[at][batch.mask[at] > 0], scored(row), atol=TOLERANCE)


def test_the_part_that_sees_is_trained() -> None:
    row = asyncio.run(talk(sampler(), [BOARDS[0]], 7))
    mask = torch.tensor([row.mask[1:]], dtype=torch.float32)
    score(model(), torch.tensor([row.ids]), mask).logp.sum().backward()  # type: ignore[no-untyped-call]
    assert float(model().model.visual.patch_embed.proj.weight.grad.abs().max()) > 0
    model().zero_grad()


def test_an_image_token_that_the_policy_writes_has_no_picture() -> None:
    async def played() -> Row:
        policy, renderer, row = sampler(), Renderer(tokenizer()), Row()
        row.give(renderer.opening([{"role": "user", "content": "Where is it?", "images": (BOARDS[0],)}]))
        row.take([tokenizer().vision.token], [0.0], [0])
        row.give(renderer.between(row.ids[-1], "It moved."))
        found = await policy.generate(row.ids, SAMPLING, 1)
        row.take(found.ids, found.logps, found.versions)
        return row

    row = asyncio.run(played())
    assert torch.allclose(
        scored(row)[1:], torch.tensor(row.logps[row.ends[0] + 1 :])[-row.lengths[1] :], atol=TOLERANCE
    )


def test_the_probe_compares_contexts_with_pictures() -> None:
    async def probed(other: bool) -> float:
        policy, looking = sampler(share=False), model()
        if other:
            looking = build_model(tokenizer(), TINY, seed=1, context=CONTEXT)  # its merger is not scaled
        ids = Renderer(tokenizer()).opening([{"role": "user", "content": "Where is it?", "images": (BOARDS[0],)}])
        return await probe(policy, looking, ids, SAMPLING, TOLERANCE)

    assert asyncio.run(probed(False)) < TOLERANCE
    with pytest.raises(PolicyError, match="does not sample from the trainer's weights"):
        asyncio.run(probed(True))


def test_a_checkpoint_holds_the_image_processor(tmp_path: Path) -> None:
    save(tmp_path, model(), tokenizer())
    config = digits().model.model_copy(update={"device": "cpu"})
    loaded, words = load_model(str(tmp_path), config), load_tokenizer(str(tmp_path))
    assert type(loaded) is type(model())
    assert words.vision.token == tokenizer().vision.token
    assert words.vision.read(BOARDS[0]) == tokenizer().vision.read(
        BOARDS[0]
    )  # the same digest of picture and processor


def test_a_text_that_spells_an_image_token_is_text() -> None:
    renderer = Renderer(tokenizer())
    for text in ("<|image|>", "Look: <|image|><|end|>"):
        ids = renderer.opening([{"role": "user", "content": text, "images": (BOARDS[0],)}])
        assert tokenizer().vision.token not in ids
        assert len(placed(ids)) == 1
        between = renderer.between(5, text, (BOARDS[1],))
        assert tokenizer().vision.token not in between
        assert len(placed(between)) == 1


def test_a_model_that_does_not_see_refuses_pictures() -> None:
    blind = build_tokenizer([[{"role": "user", "content": "Where is it?"}]] * 4, TinyConfig(), CONTEXT)
    with pytest.raises(TemplateError, match="vision-language model"):
        Renderer(blind).opening([{"role": "user", "content": "Where is it?", "images": (BOARDS[0],)}])
    with pytest.raises(ConfigError, match=r"tasks.observation.*sees no pictures"):
        seeing(digits(), blind)
    seeing(digits(), tokenizer())
    seeing(addition(), blind)
    with pytest.raises(ConfigError, match="replay"):
        seeing(digits(replay={"episodes": 1}), tokenizer())
    with pytest.raises(InvalidParameters, match="has no pictures"):
        envhub.TaskStream("arithmetic-v0", observation="image")


def test_an_unknown_picture_is_an_error() -> None:
    with pytest.raises(ValueError, match="known picture"):
        placed([1, -12345])
    with pytest.raises(ValueError, match="known picture"):
        asyncio.run(sampler().generate([1, -12345], SAMPLING, 0))
