"""Generated servers as trees of text files.

Services with their logs and releases, backups, accounts, jobs and a spool.

A server follows conventions that its own ``share/runbook.txt`` states: what a service does not set is set for all of them in
``etc/defaults.conf``, a log is named by its day, and so on. The tickets of :mod:`envhub.envs.code.terminal.tickets` rely on
these conventions. Every server has what each kind of ticket is about: two services on one port, one damaged file, messages that
came twice::

    files = server("00ff", services=6, days=5)      # path -> text, always the same
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Final

from envhub.core.seeding import Stream

TODAY: Final = "2027-03-10"
FIRST_PORT: Final = 8000
# fmt: off
NAMES: Final = (
    "alerts", "avatar", "billing", "catalog", "chat", "gateway", "geo", "images", "invoices", "ledger",
    "mailer", "metrics", "payments", "quotes", "reports", "search", "sessions", "signup", "stock", "survey",
)
USERS: Final = ("ann", "bob", "cleo", "dan", "eva", "finn", "gus", "hana", "ivan", "jule", "karl", "lena", "mara", "nils")
# fmt: on
_PATHS: Final = ("/", "/list", "/item/17", "/item/3", "/cart", "/search", "/login", "/export", "/help")
_STATUS: Final = (200, 200, 200, 204, 301, 404, 500, 502, 503)
_JOBS: Final = ("rotate", "reindex", "digest", "prune", "sync", "report")
_SUBJECTS: Final = ("Your order", "Password", "Welcome", "Invoice", "Reminder", "Survey")
RUNBOOK: Final = """\
Runbook

Today's date is in etc/today. Every date is written YYYY-MM-DD.

Services
- A service NAME is set up in etc/services/NAME.conf. A line is KEY = VALUE; what follows a # is a comment.
- What the file does not set has the value of etc/defaults.conf. In values, %s stands for the name of the service.
- log_dir is where the service writes its logs, one file a day, DATE.log.
- retention is a number of days: N days means the logs of today and of the N - 1 days before it.
- user is the account that the service runs under. A service with enabled = no does not run.
- ports of etc/defaults.conf is the pool. A port belongs to its service whether that is enabled or not.
- etc/proxy.conf routes requests to the port of each service.

Logs
- A line is TIME CLIENT USER PATH STATUS MILLISECONDS. What follows a ? in PATH are parameters, not the path.
- A status of 500 or more is an error.
- var/log/auth has the log-ins: TIME USER login ok, or failed.

Accounts
- etc/users.csv: name, group, state. Accounts of the group system belong to programs.

Releases
- srv/releases/NAME/VERSION/status says whether a version has passed or failed its tests.
- Versions are compared number by number: 1.10.0 is newer than 1.9.2.

Backups
- backup/DATE holds the files of etc/services as they were, and their SHA-256 sums in SUMS. A copy whose sum differs is broken.

Spool
- A message is a head (Id, Received), an empty line and a text. A message that was delivered twice has another head.

Jobs
- etc/cron.d: a line of a job has five fields for the time, then the script. Lines that begin with # are off.
"""


def day(ago: int) -> str:
    """The day this many days before today."""
    return (date.fromisoformat(TODAY) - timedelta(ago)).isoformat()


@lru_cache(maxsize=16)
def server(seed: str, services: int, days: int) -> dict[str, str]:
    """The files of a server; must not be changed.

    Args:
        seed: Hexadecimal digits.
        services: Number of services.
        days: Number of days with logs.
    """
    return _Server(Stream(bytes.fromhex(seed), "server"), services, days).files()


class _Server:
    """A server while it is drawn."""

    def __init__(self, rng: Stream, services: int, days: int) -> None:
        self.rng, self.days = rng, days
        self.names = sorted(rng.sample(NAMES, services))
        self.users = sorted(rng.sample(USERS, 6 + services // 3))
        ports = rng.sample(range(FIRST_PORT, FIRST_PORT + services + 2), services)
        first, second = rng.sample(range(services), 2)
        ports[second] = ports[first]  # a clash
        self.ports = dict(zip(self.names, ports, strict=True))
        self.retention = rng.between(3, max(3, days - 1))
        self.made: dict[str, str] = {}

    def files(self) -> dict[str, str]:
        """All of it, in the order of the paths."""
        self.made["etc/today"] = f"{TODAY}\n"
        self.made["share/runbook.txt"] = RUNBOOK
        self.made["etc/defaults.conf"] = (
            f"# for all services\nretention = {self.retention}\nlog_dir = var/log/%s\nuser = {self.users[0]}\n"
            f"enabled = yes\nports = {FIRST_PORT}-{FIRST_PORT + 39}\n"
        )
        routes = (f"route /{name} localhost:{port}\n" for name, port in self.ports.items())
        self.made["etc/proxy.conf"] = "# requests\n" + "".join(routes)
        damaged = self.rng.choice(self.names)
        for name in self.names:
            self._service(name, damaged=name == damaged)
        self._accounts()
        self._spool()
        self._jobs()
        return dict(sorted(self.made.items()))

    def _service(self, name: str, *, damaged: bool) -> None:
        rng = self.rng
        own = {"retention": rng.below(3) > 0, "log_dir": rng.below(3) == 0, "user": rng.below(2) == 0}
        folder = f"var/{rng.choice(('apps', 'old', 'data'))}/{name}/log" if own["log_dir"] else f"var/log/{name}"
        lines = [f"port = {self.ports[name]}"]
        if own["retention"]:
            lines.append(f"retention{rng.choice((' = ', '='))}{rng.between(1, self.days)}")
        if own["log_dir"]:
            lines.append(f"log_dir = {folder.replace(name, '%s')}")
        if own["user"]:
            lines.append(f"user = {rng.choice(self.users)}{rng.choice(('', '  # since the move'))}")
        if rng.below(4) == 0:
            lines.append("enabled = no")
        if rng.below(2) == 0:
            lines.insert(1, f"# retention = {rng.between(20, 90)}")
        self._backups(name, lines)
        text = "".join(f"{line}\n" for line in lines)
        if damaged:  # not what tickets about all services need
            kept = [line for line in lines if line.startswith(("port", "user", "enabled"))]
            text = "".join(f"{line}\n" for line in [*kept, f"retent\x7f{'~' * rng.between(3, 9)}"])
        self.made[f"etc/services/{name}.conf"] = text
        for ago in range(self.days):
            self.made[f"{folder}/{day(ago)}.log"] = "".join(self._request() for _ in range(rng.between(3, 7)))
        for version in self._versions():
            state = rng.choice(("passed", "failed"))
            self.made[f"srv/releases/{name}/{version}/status"] = f"{state}\n"
            self.made[f"srv/releases/{name}/{version}/notes.txt"] = (
                f"{name} {version}: {rng.choice(('fixes', 'faster', 'new'))}\n"
            )

    def _backups(self, name: str, lines: list[str]) -> None:
        """Backups of a file; the newest is broken."""
        for number, ago in enumerate((1, 3, 6)):
            kept = [*lines, f"# saved {day(ago)}"]
            text = "".join(f"{line}\n" for line in kept)
            sums = self.made.get(f"backup/{day(ago)}/SUMS", "")
            self.made[f"backup/{day(ago)}/SUMS"] = f"{sums}{sha256(text.encode()).hexdigest()}  {name}.conf\n"
            broken = number == 0 or (number == 1 and self.rng.below(2) == 0)
            self.made[f"backup/{day(ago)}/{name}.conf"] = text.replace("=", "-", 1) if broken else text

    def _versions(self) -> list[str]:
        """Versions whose newest is not the last in byte order."""
        rng = self.rng
        minors = [*rng.sample(range(1, 10), 3), *rng.sample(range(10, 14), 2)]
        return [f"{rng.between(1, 2) if minor < 3 else 2}.{minor}.{rng.between(0, 11)}" for minor in minors]

    def _request(self) -> str:
        rng = self.rng
        path = rng.choice(_PATHS)
        if path == "/login":
            path += f"?token={rng.bits(32):08x}{rng.choice(('', f'&next=token={rng.bits(32):08x}'))}"
        elif rng.below(3) == 0:
            path += f"?page={rng.between(1, 9)}"
        client, user = f"10.0.{rng.below(2)}.{rng.between(1, 6)}", rng.choice((*self.users, "-"))
        return f"{self._time()} {client} {user} {path} {rng.choice(_STATUS)} {rng.between(3, 900)}\n"

    def _time(self) -> str:
        return f"{self.rng.below(24):02}:{self.rng.below(60):02}:{self.rng.below(60):02}"

    def _accounts(self) -> None:
        """Accounts and log-ins.

        A program never logs in, and a person always fails to.
        """
        rng = self.rng
        program, person = rng.sample(self.users, 2)
        groups = {name: rng.choice(("dev", "ops", "dev", "system")) for name in self.users} | {
            program: "system",
            person: "dev",
        }
        states = {name: rng.choice(("open", "open", "closed")) for name in self.users} | {
            program: "open",
            person: "open",
        }
        self.made["etc/users.csv"] = "name,group,state\n" + "".join(
            f"{name},{groups[name]},{states[name]}\n" for name in self.users
        )
        others = [name for name in self.users if name not in (program, person)]
        for ago in range(self.days):
            seen = [(rng.choice(others), rng.choice(("ok", "ok", "failed"))) for _ in range(rng.between(1, 3))]
            seen += [(person, "failed")] if ago == 0 or rng.below(3) == 0 else []
            rows = (f"{self._time()} {name} login {how}\n" for name, how in rng.sample(seen, len(seen)))
            self.made[f"var/log/auth/{day(ago)}.log"] = "".join(rows)

    def _spool(self) -> None:
        rng = self.rng
        texts = [
            f"To: {rng.choice(self.users)}\n{rng.choice(_SUBJECTS)} {rng.between(100, 999)}\n"
            for _ in range(4 + len(self.names) // 2)
        ]
        texts += rng.sample(texts, 2)
        numbers = rng.sample(range(100, 1000), len(texts))
        for number, text in zip(numbers, rng.sample(texts, len(texts)), strict=True):
            received = f"{day(rng.below(3))}T{self._time()}.{number}"
            self.made[f"spool/in/{number}.msg"] = f"Id: {number}\nReceived: {received}\n\n{text}"

    def _jobs(self) -> None:
        rng = self.rng
        there = rng.sample(_JOBS, 3)
        for job in there:
            self.made[f"bin/{job}.sh"] = f"#!/bin/sh\necho {job}\n"
        for name in rng.sample(self.names, 2):
            jobs = [*rng.sample(_JOBS, 3), rng.choice([job for job in _JOBS if job not in there])]
            rows = [f"{rng.below(60)} {rng.below(24)} * * {rng.choice('*1234')} bin/{job}.sh" for job in jobs]
            rows[0] = f"# {rows[0]}"
            self.made[f"etc/cron.d/{name}.cron"] = "MAILTO=ops\n" + "".join(f"{row}\n" for row in rows)
