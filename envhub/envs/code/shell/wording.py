"""Phrases and renderings of shell-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants, and_list
from envhub.core.types import JSON
from envhub.envs.code.shell.tree import tell
from envhub.envs.code.wording import OUTPUT, TIME

TASK: Final = Phrase(
    "Change the files in the working directory of a shell as described, one step after the other.",
    "You have a shell. Carry out these steps, in order, on the files in its working directory.",
    "Bring the files in the working directory of a shell into the state that results from these steps, carried out in order.",
    held_out="Apply the listed operations, in sequence, to the files in the shell's working directory.",
)
LINES: Final = Phrase(
    "Every line ends with a newline character, also in the files that you write.",
    "In all files, including those that you write, each line is ended by a newline character.",
    "Each line of a file, the last one too, must end with a newline character.",
    held_out="Lines are newline-terminated throughout, in new files as well.",
)
ORDER: Final = Phrase(
    "Byte order is the order of LC_ALL=C.",
    "Sorting in byte order means sorting with LC_ALL=C.",
    "By byte order we mean the order that LC_ALL=C gives.",
    held_out="Byte order: as under LC_ALL=C.",
)
_NOTHING_ELSE: Final = Phrase(
    "You may not leave any other file behind in the working directory, or change anything else in it.",
    "Apart from what the steps ask for, nothing in the working directory may differ, and it may contain no additional file.",
    "At the end, the working directory may differ only as the steps say. Delete any other file that you create in it.",
    held_out="No side effects: at the end, files beyond those required must be neither present nor changed.",
)
EMPTY: Final = Phrase(
    "Empty directories do not matter, unless there are hundreds of them.",
    "You may leave empty directories behind, as long as there are not hundreds of them.",
    "It does not matter whether empty directories exist, unless there are hundreds of them.",
    held_out="Empty directories are ignored, unless there are hundreds.",
)
SHELL: Final = Phrase(
    "The shell is bash with the usual tools and no network. What one call of bash sets is still set in the next.",
    "You use bash, with the usual command-line tools but without a network. Variables and the current directory carry over "
    "from one call of bash to the next.",
    "All calls of bash go to one shell, so its state carries over. The usual tools are installed; there is no network.",
    held_out="Shell: bash, persistent across calls, standard tools, no network.",
)
DONE: Final = Phrase(
    "Call done when the files are as they should be. It ends the task, and the files are checked then. If you never call done, "
    "they are checked after your last message.",
    "The files are checked once: when you call done, which ends the task, or else after your last message.",
    "When you have finished, call done. The task ends and the files are checked. Without a call of done, the files are checked "
    "when you have sent your last message.",
    held_out="Grading happens once, at the call of done (which is final) or after the last message, whichever is first.",
)
RULES: Final = (LINES, ORDER, _NOTHING_ELSE, EMPTY, SHELL, TIME, OUTPUT, DONE)
_BELOW: Final = (
    '"Below" a directory means in it or in any of its subdirectories. "At the top" means directly in the working directory. A '
    "file means a regular file, not a link."
)


def _tops(problem: JSON) -> list[str]:
    return sorted({path.split("/")[0] for path in problem["files"]})


def _steps(problem: JSON) -> list[str]:
    return [tell(step) for step in problem["steps"]]


def _numbered(problem: JSON) -> str:
    rows = "\n".join(f"{number}. {step}" for number, step in enumerate(_steps(problem), 1))
    there = f"The working directory contains text files in the directories {and_list(_tops(problem))} and their subdirectories."
    return f"{there}\n\nSteps:\n{rows}\n\n{_BELOW}"


def _paragraphs(problem: JSON) -> str:
    steps = _steps(problem)
    heads = ["First step.", *["Next step."] * (len(steps) - 2), "Last step."] if len(steps) > 1 else ["Only step."]
    rows = "\n\n".join(f"{head} {step}" for head, step in zip(heads, steps, strict=True))
    there = f"There are text files in these directories and their subdirectories: {and_list(_tops(problem))}."
    return f"{there} {_BELOW}\n\n{rows}"


def _json(problem: JSON) -> str:
    given = {"directories": _tops(problem), "steps": _steps(problem)}
    return f"All text files are in the listed directories and their subdirectories. {_BELOW}\n\n{json.dumps(given, indent=1)}"


def _symbols(problem: JSON) -> str:
    rows = "\n".join(f"S{number}: {step}" for number, step in enumerate(_steps(problem), 1))
    return f"Directories with text files (recursive): {{{', '.join(_tops(problem))}}}\n{rows}\nTerms: {_BELOW}"


DATA: Final[Variants[Rendering]] = Variants(_numbered, _paragraphs, _json, held_out=_symbols, name="data")
