"""Pictures as a vision-language model reads them.

In a row of ids, each token of a picture is *minus the picture's number*, a digest of the picture and of the processor. So rows
differ where their pictures do, and a row names its pictures. What a model takes is made when it is called::

    row.give(tokenizer.vision.read(picture))            # the tokens of a picture, one negative number
    model.base_model(**inputs(model, ids))              # token ids, pixels and positions

The pixels of a picture are kept as long as a row or a request refers to it. An image token that a policy *writes* has no
picture: the sampler and the update both read it as token 0.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final
from weakref import WeakValueDictionary

import torch
from torch import Tensor

from envhub.scenes.picture import Picture

_LATEST: Final = 64
"""Number of pictures that are kept although no row refers to them yet."""


@dataclass(frozen=True, eq=False)
class Seen:
    """A picture that was read.

    Attributes:
        picture: The picture.
        tokens: Number of its tokens.
        pixels: The model's inputs, whose first dimension counts patches or pictures.
    """

    picture: Picture
    tokens: int
    pixels: Mapping[str, Tensor]


_SEEN: Final[WeakValueDictionary[int, Seen]] = WeakValueDictionary()


class Vision:
    """Reads pictures with a model's image processor.

    Args:
        processor: An image processor of transformers that reports a grid of patches, as Qwen2-VL's.
        token: Id of the model's image token.
    """

    def __init__(self, processor: Any, token: int) -> None:
        self.processor, self.token = processor, token
        self._salt = blake2b(json.dumps(processor.to_dict(), sort_keys=True, default=str).encode()).digest()
        self._latest: dict[int, Seen] = {}

    def read(self, picture: Picture) -> list[int]:
        """The ids of a picture's tokens."""
        from PIL import Image

        png = picture.png()
        number = 1 + (int.from_bytes(blake2b(png, digest_size=8, key=self._salt).digest(), "little") >> 2)
        seen = self._latest.pop(number, None) or _SEEN.get(number)
        if seen is None:
            found = self.processor(images=[Image.open(io.BytesIO(png)).convert("RGB")], return_tensors="pt")
            tokens = int(found["image_grid_thw"].prod()) // self.processor.merge_size**2
            seen = _SEEN[number] = Seen(picture, tokens, dict(found))
        self._latest[number] = seen
        if len(self._latest) > _LATEST:
            del self._latest[next(iter(self._latest))]
        return [-number] * seen.tokens


def placed(ids: Sequence[int]) -> list[tuple[int, Seen]]:
    """Where the pictures of a row begin; ValueError if one is unknown."""
    found: list[tuple[int, Seen]] = []
    at = 0 if ids and min(ids) < 0 else len(ids)
    while at < len(ids):
        if ids[at] < 0:
            if -ids[at] not in _SEEN:
                raise ValueError(f"A token is 0 or more, or belongs to a known picture; got {ids[at]}.")
            found.append((at, _SEEN[-ids[at]]))
        at += found[-1][1].tokens if ids[at] < 0 else 1
    return found


def sees(model: Any) -> bool:
    """Whether a model reads pictures."""
    return hasattr(model.config, "vision_config")


def plain(model: Any, ids: Any) -> Tensor:
    """Ids as the model has them: pictures are its image tokens."""
    image = model.config.image_token_id
    return torch.where(ids < 0, image, torch.where(ids == image, 0, ids))


def pixels(ids: Tensor) -> dict[str, Tensor]:
    """The pixels of all pictures in rows of ids, in their order."""
    runs = torch.unique_consecutive(ids[ids < 0], return_counts=True)
    found = [(_SEEN[-number], count) for number, count in zip(*(each.tolist() for each in runs), strict=True)]
    seen = [each for each, count in found for _ in range(count // each.tokens)]
    names = seen[0].pixels if seen else ()
    return {name: torch.cat([each.pixels[name] for each in seen]).to(ids.device) for name in names}


def rotary(model: Any, ids: Tensor, positions: Tensor | None = None) -> Tensor | None:
    """Positions of tokens as the model takes them; None for its default.

    A model with positions in time, height and width gets ``(3, B, T)``, or ``(4, B, T)`` with the given ones first.

    Args:
        model: The model.
        ids: ``(B, T)``.
        positions: ``(B, T)`` position of each token in its sequence; where it is 0 again, another sequence starts.
    """
    locate = getattr(model.base_model, "get_rope_index", None)
    rows = (ids < 0).any(1).nonzero()[:, 0].tolist()
    if locate is None or (positions is None and not rows):
        return positions
    columns = torch.arange(ids.shape[1], device=ids.device).expand(ids.shape) if positions is None else positions
    found = columns.repeat(3, 1, 1)
    for row in rows:
        for start, stop in pairwise([*(columns[row] == 0).nonzero()[:, 0].tolist(), ids.shape[1]]):
            part = ids[row : row + 1, start:stop]
            if (part < 0).any():
                grid = pixels(part)["image_grid_thw"]
                kinds = (part < 0).int()
                placed = locate(input_ids=plain(model, part), mm_token_type_ids=kinds, image_grid_thw=grid)[0]
                found[:, row, start:stop] = placed[:, 0]
    return found if positions is None else torch.cat((columns[None], found))


def inputs(model: Any, ids: Tensor, positions: Tensor | None = None) -> dict[str, Any]:
    """The forward pass's arguments for rows of ids, as for :func:`rotary`."""
    return {"input_ids": plain(model, ids), "position_ids": rotary(model, ids, positions), **pixels(ids)}
