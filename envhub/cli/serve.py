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
        str | None, typer.Option(help="Address to bind. Non-loopback addresses require API keys.  [127.0.0.1]")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to bind. 0 selects a free port.  [8420]")] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Server processes. Crashed workers are restarted.  [1]")
    ] = None,
    episode_ttl_s: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Seconds after which an idle episode is deleted.  [3600]")
    ] = None,
    max_episodes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Maximum open episodes. Further requests get HTTP 429.  [20000]"),
    ] = None,
    max_live: Annotated[int | None, typer.Option(metavar="N", help="Maximum episodes kept in memory.  [4096]")] = None,
    max_body_bytes: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Maximum size of a request body.  [16777216]")
    ] = None,
    prefill: Annotated[
        int | None,
        typer.Option(metavar="N", help="Tasks to pre-generate for slow environments in use. 0: none.  [8]"),
    ] = None,
    prefill_processes: Annotated[
        int | None,
        typer.Option(metavar="N", help="Low-priority processes that pre-generate tasks, per worker.  [2]"),
    ] = None,
    draw_threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads that generate tasks of one slow environment.  [2]"),
    ] = None,
    draw_queue: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Maximum requests waiting for these threads. Others get HTTP 429.  [512]",
        ),
    ] = None,
    files: Annotated[
        bool | None,
        typer.Option("--files", help="Allow clients to pass paths of local files (dataset-v0).  [False]"),
    ] = None,
    opponents: Annotated[
        str | None,
        typer.Option(
            metavar="URLS",
            help="Model endpoints allowed as opponents or users, comma-separated.  []",
        ),
    ] = None,
    solutions: Annotated[
        bool | None,
        typer.Option("--solutions", help="Without keys: show the oracle's moves in the playground.  [False]"),
    ] = None,
    max_batch: Annotated[
        int | None, typer.Option(metavar="N", help="Maximum tasks or responses per request.  [4096]")
    ] = None,
    max_wall_s: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Maximum time limit that a client may set for a program.  [60]"),
    ] = None,
    max_memory_mb: Annotated[
        int | None,
        typer.Option(metavar="MIB", help="Maximum memory limit that a client may set for a program.  [4096]"),
    ] = None,
    max_answer_bytes: Annotated[
        int | None, typer.Option(metavar="BYTES", help="Maximum size of a batch response.  [67108864]")
    ] = None,
    sandbox: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Sandbox backend: namespace, docker or process; or unix:/path of a broker.  []",
        ),
    ] = None,
    sandbox_slots: Annotated[
        int | None,
        typer.Option(metavar="N", help="Maximum concurrent programs. 0: one per CPU core.  [0]"),
    ] = None,
    sandbox_sessions: Annotated[
        int | None, typer.Option(metavar="N", help="Maximum interpreters and shells kept for episodes.  [64]")
    ] = None,
    sandbox_waiting: Annotated[
        int | None,
        typer.Option(metavar="N", help="Maximum programs waiting to run. Further requests get HTTP 429.  [4096]"),
    ] = None,
    journal: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Journal of episodes: memory:, sqlite:///path or redis://host:port/db. Empty: journal.sqlite "
            "in the data folder.  []",
        ),
    ] = None,
    keys: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="File with the API keys. Empty: keys.json in the data folder.  []"),
    ] = None,
    cors_origins: Annotated[
        str | None,
        typer.Option(metavar="ORIGINS", help="Allowed CORS origins, comma-separated.  []"),
    ] = None,
    pages: Annotated[bool | None, typer.Option("--pages/--no-pages", help="Serve the web pages at /.  [True]")] = None,
    access_log: Annotated[bool | None, typer.Option("--access-log", help="Log every request.  [False]")] = None,
    log_format: Annotated[str | None, typer.Option(metavar="FORMAT", help="Log format: text or json.  [text]")] = None,
    otel: Annotated[bool | None, typer.Option("--otel", help="Export traces with OpenTelemetry.  [False]")] = None,
    ready_file: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Write the URL to this file when the server is ready; it is removed on exit."
        ),
    ] = None,
    stop_on_eof: Annotated[
        bool,
        typer.Option("--stop-on-eof", help="Stop when standard input closes, that is, when the parent process exits."),
    ] = False,
) -> None:
    """Serve the environments over HTTP.

    Ctrl-C or SIGTERM stops the server. Settings are read from flags, then ENVHUB_<NAME>, then envhub.toml. Defaults are
    in brackets.
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
        "prefill_processes": prefill_processes,
        "draw_threads": draw_threads,
        "draw_queue": draw_queue,
        "files": files,
        "opponents": opponents,
        "solutions": solutions,
        "sandbox": sandbox,
        "sandbox_slots": sandbox_slots,
        "sandbox_sessions": sandbox_sessions,
        "sandbox_waiting": sandbox_waiting,
        "journal": journal,
        "keys": keys,
        "cors_origins": cors_origins,
        "pages": pages,
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
