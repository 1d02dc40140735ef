"""terminal-v0: work on tickets about a server with bash.

Action: tool calls. ``bash`` runs a command in a shell that lasts as long as the episode; ``done`` ends it. The working
directory is a generated server of up to 450 files: configuration with defaults, logs of several days, releases, backups,
accounts, a spool, and a runbook with the conventions. Tickets say what is wrong or wanted, as a colleague reports it; where
things are and what holds for them is to be found out. At the end the tree is inspected from outside, and every file and link
must be as it is when the tickets are handled in order, and nothing more; score 1 or 0. The component ``right`` is the share of
right paths among those that differ before or after. When the messages are used up, the tree is judged as it is. Difficulty:
more tickets, on larger servers; effort is the number of tickets times the number of files.

A ticket is drawn only if what a hasty person does (the default instead of the service's own value, the newest backup instead
of the newest intact one) ends in other files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, write_call
from envhub.authoring.wording import Statement
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.code.shell.bash_task import LIMITS, SHOWN, BashTask, State, judge
from envhub.envs.code.shell.steps import Entry, Tree
from envhub.envs.code.terminal import wording
from envhub.envs.code.terminal.machine import server
from envhub.envs.code.terminal.tickets import GET, TICKETS, Values, services, setting
from envhub.sandbox.resource import Effects, Sessions

_TRIES: Final = 8
# tickets, services, days of logs
_LEVELS: Final = (
    (1, 3, 3),
    (1, 5, 4),
    (1, 8, 5),
    (2, 8, 6),
    (2, 10, 7),
    (3, 10, 8),
    (3, 12, 9),
    (4, 12, 10),
    (5, 14, 11),
    (6, 16, 12),
)


class Params(BaseParams):
    """The tickets and the server."""

    tickets: int = Field(2, ge=1, le=8, description="what is reported")
    services: int = Field(8, ge=3, le=20, description="services of the server")
    days: int = Field(6, ge=3, le=20, description="days with logs")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        tickets, number, days = _LEVELS[difficulty - 1]
        return cls(tickets=tickets, services=number, days=days)


def _files(problem: JSON) -> Mapping[str, bytes]:
    return {path: text.encode() for path, text in _server(problem).items()}


def _server(problem: JSON) -> dict[str, str]:
    return server(problem["server"], problem["services"], problem["days"])


class Terminal(BashTask):
    """Work on tickets about a server with bash."""

    Params = Params
    max_turns: ClassVar[int] = 24
    resources: ClassVar[Mapping[str, Resource]] = {"shell": Sessions("bash", _files, LIMITS)}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A server and tickets. The key is the resulting tree."""
        problem: dict[str, Any] = {"server": f"{rng.bits(64):016x}", "services": p.services, "days": p.days}
        tree: Tree = {path: Entry(text) for path, text in _server(problem).items()}
        tickets: list[tuple[str, Values]] = []
        for name in rng.sample(list(TICKETS), p.tickets):
            drawn = _draw(rng, name, tree, {values.get("service") for _, values in tickets})
            if drawn is None:
                return None
            tickets.append((name, drawn))
            tree = TICKETS[name].apply(tree, drawn)
        problem["tickets"] = [list(ticket) for ticket in tickets]
        yield problem
        return Instance(problem, key={path: list(entry) for path, entry in tree.items()})

    def form(self, problem: JSON) -> str:
        """The kinds of the tickets."""
        return "+".join(sorted(name for name, _ in problem["tickets"]))

    def prompt(self, problem: JSON) -> Statement:
        """The tickets and the shell."""
        values = {"tool": "bash", "seconds": f"{LIMITS.wall_s:g}", "shown": SHOWN}
        texts = [TICKETS[name].words.format(**values) for name, values in problem["tickets"]]
        return Statement(task=wording.TASK, data=wording.DATA, problem=texts, rules=wording.RULES, values=values)

    def judged(self, inst: Instance, state: State) -> Effects:
        """The verdict on the files as they are."""
        return judge(inst, state, before=_server(inst.problem))

    def solve(self, inst: Instance, state: State) -> str:
        """A script for all tickets, then the end."""
        if state.calls:
            return write_call("done")
        return write_call("bash", command=script(inst.problem))

    def effort(self, inst: Instance) -> float:
        """Number of tickets times number of files."""
        return float(len(inst.problem["tickets"]) * len(_server(inst.problem)))


def script(problem: JSON) -> str:
    """The work on all tickets, in bash."""
    return "\n".join([GET, *(TICKETS[name].script.format(**values) for name, values in problem["tickets"])])


def _draw(rng: Stream, name: str, tree: Tree, taken: set[str | None]) -> Values | None:
    """Values of a ticket.

    With them it changes something, and no slip is right. None if no such values were found.
    """
    ticket = TICKETS[name]
    free = [
        each
        for each in rng.sample(services(tree), len(services(tree)))
        if each not in taken and _fits(name, each, tree)
    ]
    for each in free[:_TRIES] if ticket.service else range(_TRIES):
        values = {**({"service": each} if ticket.service else {}), **ticket.draw(rng)}
        after = ticket.apply(tree, values)
        if after != tree and all(slip(tree, values) != after for slip in ticket.slips):
            return values
    return None


def _fits(name: str, service: str, tree: Tree) -> bool:
    """Whether a ticket of this kind can be about a service."""
    damaged = "\x7f" in tree[f"etc/services/{service}.conf"].text
    if damaged or name == "restore":
        return damaged and name == "restore"
    if name == "port":
        return [setting(tree, each, "port") for each in services(tree)].count(setting(tree, service, "port")) == 2
    if name == "live":
        return any(
            entry.text == "passed\n" for path, entry in tree.items() if path.startswith(f"srv/releases/{service}/")
        )
    return True
