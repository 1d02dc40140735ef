"""``envhub keys``: create, list and revoke API keys.

Running servers reload them within about a second.
"""

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
    str | None, typer.Option("--keys", metavar="PATH", help="File with the API keys.  [the server's, ENVHUB_KEYS]")
]


@app.command("create")
def create(
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the key, unique among active keys.")],
    scope: Annotated[
        list[str], typer.Option(metavar="SCOPE", help="Scope: play, verify, solutions or admin. Repeatable.")
    ],
    rate: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="Maximum request rate per server process, such as 100/s or 600/m.  [any]"),
    ] = None,
    episodes: Annotated[
        int | None, typer.Option(metavar="N", help="Maximum number of open episodes.  [the server's limit]")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="AFTER", help="Lifetime, such as 30d or 12h.  [unlimited]")
    ] = None,
    keys: KeysFile = None,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it once. Only its hash is stored.

    Scopes: play allows episodes, tasks and environments; verify allows verdicts; admin allows both, other keys' episodes
    and metrics; solutions allows reading answer keys and nothing else.
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
    typer.echo(f"Key {key.id} ({key.name}) is shown only once. Send it as: Authorization: Bearer <key>", err=True)


@app.command("list")
def list_keys(keys: KeysFile = None, as_json: AsJson = False) -> None:
    """List all keys by id and name, including expired and revoked ones.

    The keys themselves are not stored.
    """
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
def revoke(
    which: Annotated[str, typer.Argument(metavar="KEY", help="Id or name of the key.")], keys: KeysFile = None
) -> None:
    """Revoke a key permanently. Running servers reject it within about a second."""
    key = _file(keys).revoke(which)
    typer.echo(f"Key {key.id} ({key.name}) is revoked.")


def _file(path: str | None) -> KeyFile:
    """The given key file, or the server's."""
    from envhub.cli.configuration import read_settings
    from envhub.server.auth.keys import KeyFile

    given = {"host": "127.0.0.1"}  # the first key is created before a server may bind a non-loopback address
    settings = read_settings(given if path is None else {**given, "keys": path})
    return KeyFile(settings.keys_file)


def _rate(text: str) -> float:
    """Requests per second."""
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
    """The public fields of a key."""
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
