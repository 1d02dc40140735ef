"""``envhub serve``: the options of the server; it runs in :mod:`envhub.cli.serving`.

Precedence: flags, environment variables ``ENVHUB_*``, ``envhub.toml`` in the working directory, defaults.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to bind; not only loopback if there are keys.  [127.0.0.1]")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to bind; 0 takes a free one.  [8420]")] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes that serve; one that dies is started again.  [1]")
    ] = None,
    episode_ttl_s: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="When an idle episode is forgotten.  [3600]")
    ] = None,
    max_episodes: Annotated[
        int | None, typer.Option(metavar="N", help="Episodes held at once; more are answered 429.  [20000]")
    ] = None,
    max_live: Annotated[int | None, typer.Option(metavar="N", help="Episodes kept folded in memory.  [4096]")] = None,
    max_body_bytes: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Longest request body.  [16777216]")
    ] = None,
    prefill: Annotated[
        int | None, typer.Option(metavar="N", help="Tasks of a slow kind drawn ahead while asked for; 0: none.  [8]")
    ] = None,
    draw_threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads that draw slow tasks of one environment.  [2]")
    ] = None,
    draw_queue: Annotated[
        int | None, typer.Option(metavar="N", help="Requests that wait for these; more are answered 429.  [512]")
    ] = None,
    files: Annotated[
        bool | None, typer.Option("--files", help="Let clients name files of this machine (dataset-v0).  [False]")
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(metavar="URLS", help="Models that clients may name as opponents, comma-separated; none.  []"),
    ] = None,
    max_batch: Annotated[
        int | None, typer.Option(metavar="N", help="Most tasks or responses in one request.  [4096]")
    ] = None,
    max_wall_s: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Largest time limit of a program that clients may set.  [60]"),
    ] = None,
    max_memory_mb: Annotated[
        int | None, typer.Option(metavar="MIB", help="Largest memory limit of a program that clients may set.  [4096]")
    ] = None,
    max_answer_bytes: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Longest answer to many at once.  [67108864]")
    ] = None,
    sandbox: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How programs are isolated: namespace, docker or process; or unix:/path of a broker.  []",
        ),
    ] = None,
    sandbox_slots: Annotated[
        int | None, typer.Option(metavar="N", help="Programs run at a time; 0: as many as processors.  [0]")
    ] = None,
    sandbox_sessions: Annotated[
        int | None, typer.Option(metavar="N", help="Interpreters and shells held for episodes.  [64]")
    ] = None,
    sandbox_waiting: Annotated[
        int | None, typer.Option(metavar="N", help="Programs that wait for a slot; more are answered 429.  [4096]")
    ] = None,
    journal: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where episodes are recorded: memory:, sqlite:///path or redis://host:port/db; empty: journal.sqlite "
            "in the data folder.  []",
        ),
    ] = None,
    keys: Annotated[
        str | None, typer.Option(metavar="PATH", help="File of API keys; empty: keys.json in the data folder.  []")
    ] = None,
    cors_origins: Annotated[
        str | None, typer.Option(metavar="ORIGINS", help="Web pages that may call, comma-separated; none.  []")
    ] = None,
    access_log: Annotated[bool | None, typer.Option("--access-log", help="Log every request.  [False]")] = None,
    log_format: Annotated[str | None, typer.Option(metavar="FORMAT", help="text, or json: lines.  [text]")] = None,
    otel: Annotated[bool | None, typer.Option("--otel", help="Send traces with OpenTelemetry.  [False]")] = None,
    ready_file: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write the URL to this file once it answers; removed at the end."),
    ] = None,
    stop_on_eof: Annotated[
        bool, typer.Option("--stop-on-eof", help="Stop when standard input closes: with the program that started it.")
    ] = False,
) -> None:
    """Serve the environments over HTTP.

    Ctrl-C or SIGTERM stops the server. Every setting is taken from the flag, else from ENVHUB_<NAME>, else from
    envhub.toml, else the default in brackets.
    """
    flags: dict[str, Any] = {
        "host": host,
        "port": port,
        "workers": workers,
        "episode_ttl_s": episode_ttl_s,
        "max_episodes": max_episodes,
        "max_live": max_live,
        "max_body_bytes": max_body_bytes,
        "max_batch": max_batch,
        "max_wall_s": max_wall_s,
        "max_memory_mb": max_memory_mb,
        "max_answer_bytes": max_answer_bytes,
        "prefill": prefill,
        "draw_threads": draw_threads,
        "draw_queue": draw_queue,
        "files": files,
        "opponents": opponents,
        "sandbox": sandbox,
        "sandbox_slots": sandbox_slots,
        "sandbox_sessions": sandbox_sessions,
        "sandbox_waiting": sandbox_waiting,
        "journal": journal,
        "keys": keys,
        "cors_origins": cors_origins,
        "access_log": access_log,
        "log_format": log_format,
        "otel": otel,
    }
    for number in (signal.SIGINT, signal.SIGTERM):  # also while the imports below take their time
        signal.signal(number, _leave)
    from envhub.cli.configuration import read_settings
    from envhub.cli.serving import run

    settings = read_settings({name: value for name, value in flags.items() if value is not None})
    run(settings, ready_file=ready_file, stop_on_eof=stop_on_eof)


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
