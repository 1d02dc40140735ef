"""``envhub picture``: a task as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from envhub.cli.options import Param, Split
from envhub.cli.terminal import FAILED


def picture(
    id: Annotated[str, typer.Argument(metavar="ID", help="Environment id, such as sudoku-v0. See envhub list.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="A .svg or .png file. Defaults to ID.svg in this folder."),
    ] = None,
    difficulty: Annotated[int, typer.Option(metavar="1..10", help="Difficulty level.")] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the task.")] = 0,
    split: Split = "train",
    param: Param = None,
    palette: Annotated[str, typer.Option(metavar="NAME", help="Colours: plain, warm or contrast.")] = "plain",
) -> None:
    """Draw the first observation of a task.

    PNG needs the extra pictures. The exit code is 1 if the environment has no picture of this task.
    """
    from envhub.core.errors import nearest
    from envhub.episodes.transcript import read_params
    from envhub.making import make
    from envhub.scenes.palette import PALETTES

    if palette not in PALETTES:
        known = f"Available: {', '.join(PALETTES)}.{nearest(palette, PALETTES)}"
        raise typer.BadParameter(f"there is no palette {palette!r}. {known}", param_hint="--palette")
    file = output or Path(f"{id.replace('/', '-')}.svg")
    if file.suffix not in (".svg", ".png"):
        raise typer.BadParameter(f"{str(file)!r} must end in .svg or .png.", param_hint="--output")
    env = make(id, difficulty=difficulty, split=split, **read_params(param or ()))
    env.reset(seed=seed)
    scene = env.scene()
    if scene is None:
        why = "this task is too large to be drawn" if env.environment.pictured else "the environment has none"
        typer.echo(f"{id}: no picture, because {why}.")
        raise typer.Exit(FAILED)
    from envhub.scenes import pixels, svg

    content = pixels.png(scene, palette) if file.suffix == ".png" else svg.svg(scene, palette).encode()
    try:
        file.write_bytes(content)
    except OSError as error:
        raise typer.BadParameter(f"{str(file)!r} cannot be written: {error.strerror}.", param_hint="--output") from None
    typer.echo(f"{file}: {scene.width} x {scene.height}")
