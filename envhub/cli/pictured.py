"""Pictures of ``envhub play --image``, in the terminal or as files."""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from rich.console import Console

    from envhub.gymnasium.env import Env


class Pictures:
    """Shows the states of an episode as the policy may see them.

    Args:
        env: The environment.
        out: Where the conversation is shown.

    Raises:
        InvalidParameters: It has no pictures.
        MissingExtra: Pillow is not installed.
    """

    def __init__(self, env: Env, out: Console) -> None:
        from envhub.scenes.pixels import pillow
        from envhub.scenes.terminal import protocol_of

        if not env.environment.pictured:
            raise InvalidParameters(
                "This environment has no pictures. envhub info ID --json says under pictured which have."
            )
        pillow()
        self._env, self._out, self._turn = env, out, count()
        self._protocol = protocol_of(os.environ) if out.is_terminal else None
        self._folder: Path | None = None

    def show(self) -> None:
        """Show the current state."""
        if self._out.quiet:
            return
        scene = self._env.scene()
        if scene is None:
            self._out.print("\nNo picture: this state is too large to be drawn.")
            return
        from envhub.scenes import pixels
        from envhub.scenes.terminal import escape_codes

        if self._protocol is not None:
            self._out.file.write(f"\n{escape_codes(scene, self._protocol)}")
            return
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="envhub-play-"))
        file = self._folder / f"turn-{next(self._turn)}.png"
        file.write_bytes(pixels.png(scene))
        self._out.print(f"\nPicture: {file}", soft_wrap=True, highlight=False)
