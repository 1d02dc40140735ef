"""``envhub play``: play an episode, by hand or from a script.

Locally or on a server; or watch an agent play it.
"""

from __future__ import annotations

import io
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envhub.cli import completion
from envhub.cli.options import AnswerFormat, Param, Split, ToolFormat, WordingName
from envhub.cli.terminal import FAILED, INTERRUPTED, console, plain, print_json
from envhub.core.errors import EnvhubError, InvalidParameters, nearest

if TYPE_CHECKING:
    from rich.console import Console

    from envhub.cli.pictured import Pictures
    from envhub.client.hub import RemoteEnv
    from envhub.episodes.transcript import Said, Taken, Transcript
    from envhub.gymnasium.env import Env

_COMMANDS = {
    "help": "this help",
    "solve": "show the oracle's next action (only without --url)",
    "quit": "leave the episode",
}
_HINT = "Type an action and press Enter. /help lists commands."
_LONG_HINT = (
    "Type an action of one or more lines and finish it with an empty line or a single dot. /help lists commands."
)


def play(
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="Environment id, such as sudoku-v0. See envhub list.",
            autocompletion=completion.environment,
        ),
    ],
    difficulty: Annotated[
        int, typer.Option(metavar="1..10", help="Difficulty level.", autocompletion=completion.level)
    ] = 3,
    seed: Annotated[int | None, typer.Option(help="Seed of the task. Defaults to a random one.")] = None,
    split: Split = "train",
    url: Annotated[str | None, typer.Option(help="URL of a server to play on. Defaults to this process.")] = None,
    param: Param = None,
    answer_format: AnswerFormat = None,
    tool_format: ToolFormat = None,
    wording: WordingName = None,
    script: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Play the actions in a file (- for standard input), one per line as text or as a JSON string.",
        ),
    ] = None,
    watch: Annotated[
        str | None,
        typer.Option(
            metavar="AGENT",
            help="Watch an agent play: oracle, or random (only without --url).",
            autocompletion=completion.agent,
        ),
    ] = None,
    image: Annotated[
        bool,
        typer.Option("--image", help="Show a picture of each state: in the terminal if it can, else as a PNG file."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the transcript as JSON.")] = False,
) -> None:
    """Play an episode.

    The exit code is 0 if the problem was solved, else 1.
    """
    from envhub.authoring.wording import wording_number
    from envhub.episodes.transcript import Transcript, read_params, read_script
    from envhub.gymnasium.env import Env

    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # any bytes are an action
    params = read_params(param or ())
    if watch is not None:
        _check_watch(watch, script, url)
    if image and url is not None:
        raise InvalidParameters("--image cannot be combined with --url. The server's page shows pictures in a browser.")
    lines = None if script is None else _open(script)
    typed = lines is None and watch is None
    out = console(stderr=as_json, quiet=as_json and not typed)
    env, close = _make(
        url,
        id,
        difficulty=difficulty,
        split=split,
        answer_format=answer_format,
        tool_format=tool_format,
        wording=wording_number(wording),
        **params,
    )
    transcript: Transcript | None = None
    again = ["envhub", "play", id, "--difficulty", str(difficulty), "--split", split]
    forms = (("--answer-format", answer_format), ("--tool-format", tool_format), ("--wording", wording))
    for flag, value in [*(("--param", p) for p in param or ()), *forms, ("--url", url)]:
        again += [flag, value] if value is not None else []
    try:
        pictures = _pictures(env, out) if image and isinstance(env, Env) else None
        transcript = Transcript.begin(env, seed)
        long = _has_lines(transcript.task.env_id)
        hint = None if not typed else _LONG_HINT if long else _HINT
        again += ["--seed", str(transcript.task.seed)]
        if isinstance(env, Env) and watch is not None:
            said: Iterator[Said] = _played(env, watch)
        else:
            said = read_script(lines) if lines is not None else _typed(out, long)
        _converse(env, transcript, said, out, hint, pictures)
        if not transcript.over:
            out.print(
                f"\nUnfinished after {_turns(transcript)}. The same task again: {shlex.join(again)}", soft_wrap=True
            )
    except KeyboardInterrupt:
        out.print(f"\nStopped. The same task again: {shlex.join(again)}", soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    finally:
        if as_json and transcript is not None:
            print_json(transcript.to_json())
        with suppress(EnvhubError):  # the server may be gone; the turns played have been shown
            close()
    if not transcript.solved:
        raise typer.Exit(FAILED)


def _check_watch(agent: str, script: str | None, url: str | None) -> None:
    from envhub.evaluation.demo import AGENTS

    if agent not in AGENTS:
        raise InvalidParameters(f"No agent {agent!r}; there are {', '.join(AGENTS)}.{nearest(agent, AGENTS)}")
    if script is not None or url is not None:
        other = "--script" if script is not None else "--url: a server never sends solutions"
        raise InvalidParameters(f"--watch cannot be combined with {other}.")


def _played(env: Env, agent: str) -> Iterator[Said]:
    """The actions of an agent."""
    from envhub.episodes.transcript import Action
    from envhub.evaluation.demo import AGENTS

    while True:
        yield Action(AGENTS[agent](env))


def _pictures(env: Env, out: Console) -> Pictures:
    from envhub.cli.pictured import Pictures

    return Pictures(env, out)


def _open(path: str) -> Iterator[str]:
    if path == "-":
        return iter(sys.stdin)
    try:
        return iter(Path(path).read_text(encoding="utf-8-sig", errors="replace").split("\n"))
    except OSError as error:
        raise typer.BadParameter(f"{path!r} cannot be read: {error.strerror}.", param_hint="--script") from None


def _make(url: str | None, id: str, **settings: Any) -> tuple[Env | RemoteEnv, Callable[[], None]]:
    """The environment and a function that closes it."""
    if url is None:
        from envhub.making import make

        env = make(id, **settings)
        return env, env.close

    from envhub.client.hub import connect

    hub = connect(url)
    remote = hub.make(id, **settings)

    def close() -> None:
        try:
            remote.close()
        finally:
            hub.close()

    return remote, close


def _converse(
    env: Env | RemoteEnv,
    transcript: Transcript,
    said: Iterator[Said],
    out: Console,
    hint: str | None,
    pictures: Pictures | None,
) -> None:
    """Play until the episode or the actions end, or the player quits.

    ``hint`` is shown to a person who types; ``pictures`` shows each state.
    """
    from envhub.episodes.transcript import Command

    task = transcript.task
    level = "" if task.difficulty is None else f", difficulty {task.difficulty}"
    out.print(f"{task.env_id}{level}, split {task.split}, seed {task.seed}\n")
    out.print(plain(transcript.prompt), soft_wrap=not out.is_terminal)  # words are not broken at a terminal
    if pictures is not None:
        pictures.show()
    if hint is not None:
        out.print(f"\n{hint}", style="dim", soft_wrap=True)
    for words in said:
        if isinstance(words, Command):
            if words.name == "quit":
                return
            _obey(words.name, env, out, hint or "")
            continue
        if hint is None:
            out.print(f"\n> {plain(words.text)}", soft_wrap=True)
        _show(transcript.take(env, words.text), out)
        if pictures is not None:
            pictures.show()
        if transcript.over:
            _conclude(transcript, out)
            return


def _obey(name: str, env: Env | RemoteEnv, out: Console, hint: str) -> None:
    from envhub.gymnasium.env import Env

    if name == "help":
        out.print(f"\n{hint}", soft_wrap=True)
        for command, does in _COMMANDS.items():
            out.print(f"/{command:6} {does}")
    elif name == "solve" and isinstance(env, Env):
        out.print(f"\nThe oracle would say:\n{plain(env.solve())}", soft_wrap=True)
    elif name == "solve":
        out.print("\nThe oracle is not available over --url: a server never sends solutions.", soft_wrap=True)
    else:
        known = ", ".join(f"/{command}" for command in _COMMANDS)
        hint = nearest(f"/{name}", [f"/{command}" for command in _COMMANDS])
        out.print(f"\nNo command {plain('/' + name)!r}; there are {known}.{hint}", soft_wrap=True)


def _show(turn: Taken, out: Console) -> None:
    out.print(f"\n{plain(turn.observation)}", soft_wrap=not out.is_terminal)
    if turn.terminated or turn.truncated:
        feedback = (turn.info.get("verdict") or {}).get("feedback") or ""
        if feedback and feedback not in turn.observation:
            out.print(plain(feedback), soft_wrap=True)
    out.print(f"[reward {turn.reward:g}]")


def _conclude(transcript: Transcript, out: Console) -> None:
    verdict = transcript.verdict or {}
    if verdict.get("error") is not None:
        fault = verdict["error"]
        said = f"Could not be judged ({plain(fault['code'])}): {plain(fault['reason'])}"
    else:
        score = verdict.get("score")
        said = "Solved" if transcript.solved else "Not solved"
        said += f": score {'none' if score is None else f'{score:.3f}'}, status {plain(str(verdict.get('status')))}"
        said += f", reason {plain(verdict['reason'])}" if verdict.get("reason") else ""
    cut = ", cut off" if transcript.turns[-1].truncated else ""
    out.print(f"\n{said}, {_turns(transcript)}{cut}.", soft_wrap=True)


def _turns(transcript: Transcript) -> str:
    count = len(transcript.turns)
    return f"{count} turn{'' if count == 1 else 's'}"


def _has_lines(env_id: str) -> bool:
    """Whether answers span several lines, like grids and programs."""
    from envhub.core.errors import EnvhubError
    from envhub.registry.registry import load, spec

    try:
        answer = getattr(load(spec(env_id))(), "answer", None)
    except EnvhubError:  # the server may have environments that are not installed here
        return True
    return answer is not None and "\n" in answer.example


def _typed(out: Console, long: bool) -> Iterator[Said]:
    """Actions and commands typed by a person until the input ends.

    Args:
        out: Where the prompt is shown.
        long: Whether an action ends with an empty line or a dot, instead of at the end of its line.
    """
    from envhub.episodes.transcript import Action, Command

    with suppress(ImportError):
        import readline  # noqa: F401 (importing it gives input() a line editor)
    lines: list[str] = []
    while True:
        prompt = "... " if lines else "> "
        try:
            if out.stderr:  # standard output is for the JSON only
                out.print(prompt, end="")
                prompt = ""
            line = input(prompt)
        except EOFError:
            if lines:
                yield Action("\n".join(lines))
            return
        if line.strip() not in ("", "."):
            if not lines and line.startswith("/"):
                yield Command(line[1:].strip())
            else:
                lines.append(line)
                if not long:
                    yield Action(lines.pop())
        elif lines:
            yield Action("\n".join(lines))
            lines = []
