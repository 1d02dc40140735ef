"""Picture: the part of an observation that is seen.

A picture is a scene that is rendered when it is asked for. It is never recorded: the state is, and the picture follows from
it. Each border converts it to what its protocol expects::

    picture.png()          # the bytes of a PNG file
    picture.base64()       # the same as text
    picture.part()         # {"type": "image_url", "image_url": {"url": "data:image/png;base64,..."}}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from envhub.core.types import JSON
from envhub.scenes.pixels import png
from envhub.scenes.shapes import Scene

MEDIA_TYPE: Final = "image/png"


class Picture(ABC):
    """A picture of a state."""

    @abstractmethod
    def png(self) -> bytes:
        """The picture as a PNG file."""

    def base64(self) -> str:
        """The PNG file as text."""
        return b64encode(self.png()).decode()

    def part(self) -> JSON:
        """A part of a chat message, with a data URL."""
        return {"type": "image_url", "image_url": {"url": f"data:{MEDIA_TYPE};base64,{self.base64()}"}}


@dataclass(frozen=True)
class Drawn(Picture):
    """A picture that is drawn here, when it is first asked for.

    Attributes:
        scene: What there is to see.
        palette: The colours.
    """

    scene: Scene = field(repr=False)
    palette: str = "plain"

    @cached_property
    def _png(self) -> bytes:
        return png(self.scene, self.palette)

    def png(self) -> bytes:
        """The picture as a PNG file, drawn once."""
        return self._png


@dataclass(frozen=True)
class Received(Picture):
    """A picture that a server has drawn.

    Attributes:
        data: The bytes of the PNG file.
    """

    data: bytes = field(repr=False)

    def png(self) -> bytes:
        """The bytes that were received."""
        return self.data

    @classmethod
    def read(cls, text: str) -> Received:
        """A picture from :meth:`base64`."""
        return cls(b64decode(text, validate=True))


Pictures = tuple[Picture, ...]
"""The pictures of one observation; empty without one."""


def content(text: str, pictures: Sequence[Picture]) -> JSON:
    """The content of a chat message: text, or a list of parts.

    The pictures come after the text.
    """
    if not pictures:
        return text
    return [{"type": "text", "text": text}, *(picture.part() for picture in pictures)]


def plain(content: JSON) -> str:
    """The content of a message as text, with marks for pictures."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] if part["type"] == "text" else "[picture]" for part in content)
