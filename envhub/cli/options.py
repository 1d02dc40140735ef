"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from envhub.cli import completion

Split = Annotated[
    str,
    typer.Option("--split", metavar="NAME", help="Split: train, validation or test.", autocompletion=completion.split),
]
Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="NAME=VALUE",
        help="Set a parameter; the value is read as JSON, or else as text. Repeatable.",
    ),
]
AnswerFormat = Annotated[
    str | None,
    typer.Option(
        "--answer-format",
        metavar="FORM",
        help="Answer format that the prompts ask for: tag, boxed or last.",
        autocompletion=completion.answer_format,
    ),
]
ToolFormat = Annotated[
    str | None,
    typer.Option(
        "--tool-format",
        metavar="NAME",
        help="Format of tool calls, such as hermes. Defaults to accepting every format.",
        autocompletion=completion.tool_format,
    ),
]
WordingName = Annotated[
    str | None,
    typer.Option(
        "--wording", metavar="N", help="Number of one wording for all prompts, or held-out. Defaults to one per task."
    ),
]
ObservationName = Annotated[
    str,
    typer.Option(
        "--observation",
        metavar="NAME",
        help="What is shown: text, both (text and a picture), or image (the text leaves out what the picture shows).",
    ),
]
System = Annotated[str | None, typer.Option("--system", metavar="TEXT", help="System message before every prompt.")]
