"""``envhub keys``: create, list and revoke API keys; running servers notice within a second or so."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from envhub.cli.catalogue import AsJson
from envhub.cli.terminal import Group, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.server.auth.keys import Key, KeyFile

_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
_AMOUNT: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)(s|m|h|d|w)", re.ASCII)
_RATE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)/(s|m|h)", re.ASCII)

app = typer.Typer(cls=Group, no_args_is_help=True, help="Create, list and revoke the API keys of a server.")

KeysFile = Annotated[
    str | None, typer.Option("--keys", metavar="PATH", help="File of API keys.  [as of the server: ENVHUB_KEYS, ...]")
]


@app.command("create")
def create(
    name: Annotated[str, typer.Option(metavar="NAME", help="What it is for; unique among those in use.")],
    scope: Annotated[
        list[str], typer.Option(metavar="SCOPE", help="play, verify, solutions or admin; may be given again.")
    ],
    rate: Annotated[
        str | None, typer.Option(metavar="RATE", help="Most requests to a worker, such as 100/s or 600/m.  [any]")
    ] = None,
    episodes: Annotated[
        int | None, typer.Option(metavar="N", help="Most open episodes at once.  [as many as the server]")
    ] = None,
    expires: Annotated[str | None, typer.Option(metavar="AFTER", help="Such as 30d or 12h.  [never]")] = None,
    keys: KeysFile = None,
    as_json: AsJson = False,
) -> None:
    """Create a key. It is shown this once; kept is only what it can be recognised by.

    play: episodes, tasks, environments. verify: verdicts. admin: these, others' episodes and metrics. solutions: may
    ask for answer keys by name; nothing else.
    """
    text, key = _file(keys).create(
        name,
        scope,
        rate=None if rate is None else _rate(rate),
        episodes=episodes,
        lifetime_s=None if expires is None else _seconds(expires),
    )
    if as_json:
        print_json({"key": text, **_about(key)})
        return
    typer.echo(text)
    typer.echo(f"Key {key.id} ({key.name}) is not shown again. Send it as: Authorization: Bearer <key>", err=True)


@app.command("list")
def list_keys(keys: KeysFile = None, as_json: AsJson = False) -> None:
    """List the keys by id and name, with those that have expired or were revoked; the keys themselves are not kept."""
    found = [_about(key) for key in _file(keys).read()]
    if as_json:
        print_json(found)
        return
    table = table_of("id", "name", "scopes", "rate", "episodes", "created", "expires", "state")
    for about in found:
        cells = {**about, "scopes": " ".join(about["scopes"])}
        cells |= {"rate": None if about["rate"] is None else f"{about['rate']:g}/s"}
        cells |= {when: about[when] and about[when][:16] for when in ("created", "expires")}
        names = ("id", "name", "scopes", "rate", "episodes", "created", "expires", "state")
        table.add_row(*(plain("-" if cells[column] is None else str(cells[column])) for column in names))
    console().print(table)


@app.command("revoke")
def revoke(which: Annotated[str, typer.Argument(metavar="KEY", help="Id or name.")], keys: KeysFile = None) -> None:
    """Revoke a key for good; servers refuse it within a second or so."""
    key = _file(keys).revoke(which)
    typer.echo(f"Key {key.id} ({key.name}) is revoked.")


def _file(path: str | None) -> KeyFile:
    """The file that is named, or else that of the server."""
    from envhub.cli.configuration import read_settings
    from envhub.server.auth.keys import KeyFile

    given = {"host": "127.0.0.1"}  # the first key is made before a server may be bound beyond it
    settings = read_settings(given if path is None else {**given, "keys": path})
    return KeyFile(settings.keys_file)


def _rate(text: str) -> float:
    """Requests a second."""
    found = _RATE.fullmatch(text)
    if found is None:
        raise InvalidParameters(f"--rate is like 100/s, 600/m or 1000/h, got {text!r}.")
    return float(found[1]) / _SECONDS[found[2]]


def _seconds(text: str) -> float:
    found = _AMOUNT.fullmatch(text)
    if found is None:
        raise InvalidParameters(f"--expires is like 30d, 12h or 90m, got {text!r}.")
    return float(found[1]) * _SECONDS[found[2]]


def _about(key: Key) -> dict[str, Any]:
    """What may be shown of a key."""
    from envhub.server.auth.keys import SCOPES

    return {
        "id": key.id,
        "name": key.name,
        "scopes": [scope for scope in SCOPES if scope in key.scopes],
        "rate": key.rate,
        "episodes": key.episodes,
        "created": _moment(key.created),
        "expires": _moment(key.expires),
        "state": key.state(time.time()),
    }


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
