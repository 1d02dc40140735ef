"""Kinds of tickets: words, effect and bash script.

A ticket says what is wrong or wanted, as a colleague reports it; where things are and what the conventions are stands in the
server's files. ``apply`` reads these files as a careful person would; ``script`` does the same in bash and was written
separately, so that each checks the other. ``slips`` are what a hasty person does; a ticket is drawn only if each of them ends
in other files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.shell.steps import Entry, Tree

Values = dict[str, Any]
Apply = Callable[[Tree, Values], Tree]


@dataclass(frozen=True, slots=True)
class Ticket:
    """One kind of ticket.

    Attributes:
        words: What is reported, with placeholders for the values.
        script: The work in bash, with the same placeholders.
        apply: Returns the files as they should be.
        slips: Wrong ways to do it.
        draw: Draws the values, besides a service.
        service: Whether it is about one service.
    """

    words: str
    script: str
    apply: Apply
    slips: tuple[Apply, ...]
    draw: Callable[[Stream], Values] = lambda rng: {}
    service: bool = True


# -- conventions of a server -------------------------------------------------------------------------------------------------


def setting(tree: Tree, name: str, key: str) -> str:
    """The value that holds for a service."""
    found = ""
    for path in ("etc/defaults.conf", f"etc/services/{name}.conf"):
        for line in tree[path].text.splitlines():
            left, equals, right = line.partition("#")[0].partition("=")
            if equals and left.strip() == key:
                found = right.strip()
    return found.replace("%s", name)


def services(tree: Tree) -> list[str]:
    """The names of all services."""
    return [path.split("/")[2].removesuffix(".conf") for path in sorted(tree) if path.startswith("etc/services/")]


def _logs(tree: Tree, folder: str) -> dict[str, str]:
    """The logs of a folder by day."""
    found = {
        path: path.removeprefix(f"{folder}/").removesuffix(".log") for path in tree if path.startswith(f"{folder}/")
    }
    return {named: path for path, named in found.items() if "/" not in named}


def _requests(tree: Tree, folder: str) -> Iterable[list[str]]:
    for _, path in sorted(_logs(tree, folder).items()):
        yield from (line.split(" ") for line in tree[path].text.splitlines())


def _log_dir(tree: Tree, v: Values) -> str:
    return setting(tree, v["service"], "log_dir")


def _since(tree: Tree, days: int) -> str:
    today = date.fromisoformat(tree["etc/today"].text.strip())
    return (today - timedelta(days - 1)).isoformat()


def _written(tree: Tree, path: str, text: str) -> Tree:
    return {**tree, path: tree.get(path, Entry())._replace(text=text)}


def _rows(rows: Iterable[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


# -- kinds -------------------------------------------------------------------------------------------------------------------


def _retain(tree: Tree, v: Values, days: int | None = None) -> Tree:
    first = _since(tree, days or int(setting(tree, v["service"], "retention")))
    old = {path for named, path in _logs(tree, _log_dir(tree, v)).items() if named < first}
    return {path: entry for path, entry in tree.items() if path not in old}


def _retain_by_default(tree: Tree, v: Values) -> Tree:
    found = re.search(r"^retention = (\d+)", tree["etc/defaults.conf"].text, re.MULTILINE)
    return _retain(tree, v, int(found[1]) if found else 1)


def _retain_one_more(tree: Tree, v: Values) -> Tree:
    return _retain(tree, v, int(setting(tree, v["service"], "retention")) + 1)


def _clients(tree: Tree, v: Values, least: int = 500, most: int = 599) -> Tree:
    counts: dict[str, int] = {}
    for _, client, _, _, status, _ in _requests(tree, _log_dir(tree, v)):
        if least <= int(status) <= most:
            counts[client] = counts.get(client, 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0].encode()))[: v["most"]]
    return _written(tree, v["out"], _rows(f"{count} {client}" for client, count in ranked))


def _slow(tree: Tree, v: Values, parameters: bool = False) -> Tree:
    spent: dict[str, list[int]] = {}
    for _, _, _, path, _, ms in _requests(tree, _log_dir(tree, v)):
        spent.setdefault(path if parameters else path.partition("?")[0], []).append(int(ms))
    means = {path: sum(all_ms) // len(all_ms) for path, all_ms in spent.items()}
    ranked = sorted(means.items(), key=lambda item: (-item[1], item[0].encode()))[: v["most"]]
    return _written(tree, v["out"], _rows(f"{ms} {path}" for path, ms in ranked))


def _mask(tree: Tree, v: Values, count: int = 0) -> Tree:
    for path in _logs(tree, _log_dir(tree, v)).values():
        lines = tree[path].text.splitlines()
        tree = _written(tree, path, _rows(re.sub("token=[0-9a-f]+", "token=***", line, count=count) for line in lines))
    return tree


def _port(tree: Tree, v: Values, proxy: bool = True, running: bool = False) -> Tree:
    first, _, last = setting(tree, v["service"], "ports").partition("-")
    taken = {
        setting(tree, name, "port") for name in services(tree) if not running or setting(tree, name, "enabled") == "yes"
    }
    port = next(str(port) for port in range(int(first), int(last) + 1) if str(port) not in taken)
    path, name = f"etc/services/{v['service']}.conf", v["service"]
    tree = _written(tree, path, re.sub(r"^( *port *= *)\d+", rf"\g<1>{port}", tree[path].text, flags=re.MULTILINE))
    routes = re.sub(
        rf"^(route /{name} localhost:)\d+", rf"\g<1>{port}", tree["etc/proxy.conf"].text, flags=re.MULTILINE
    )
    return _written(tree, "etc/proxy.conf", routes) if proxy else tree


def _restore(tree: Tree, v: Values, checked: bool = True) -> Tree:
    name = f"{v['service']}.conf"
    for folder in sorted({path.split("/")[1] for path in tree if path.startswith("backup/")}, reverse=True):
        text = tree[f"backup/{folder}/{name}"].text
        if not checked or f"{sha256(text.encode()).hexdigest()}  {name}\n" in tree[f"backup/{folder}/SUMS"].text:
            return _written(tree, f"etc/services/{name}", text)
    return tree


def _live(tree: Tree, v: Values, tested: bool = True, by_number: bool = True) -> Tree:
    start = f"srv/releases/{v['service']}/"
    states = {
        path.split("/")[3]: tree[path].text.strip()
        for path in tree
        if path.startswith(start) and path.endswith("/status")
    }
    good = [version for version, state in states.items() if state == "passed" or not tested]
    key: Callable[[str], Any] = (lambda version: [int(part) for part in version.split(".")]) if by_number else str
    newest = max(good, key=key)
    return {**tree, f"srv/live/{v['service']}": Entry(target=f"../releases/{v['service']}/{newest}")}


def _stale(tree: Tree, v: Values, failed: bool = False, programs: bool = False) -> Tree:
    first, seen = _since(tree, v["days"]), set()
    for named, path in _logs(tree, "var/log/auth").items():
        for line in tree[path].text.splitlines():
            _, user, _, how = line.split(" ")
            if named >= first and (how == "ok" or failed):
                seen.add(user)
    rows = [line.split(",") for line in tree["etc/users.csv"].text.splitlines()]
    for row in rows[1:]:
        if row[0] not in seen and (row[1] != "system" or programs):
            row[2] = "closed"
    return _written(tree, "etc/users.csv", _rows(map(",".join, rows)))


def _spool(tree: Tree, v: Values, newest: bool = False) -> Tree:
    by_text: dict[str, list[tuple[str, str]]] = {}
    for path in tree:
        if path.startswith("spool/in/"):
            head, _, text = tree[path].text.partition("\n\n")
            by_text.setdefault(text, []).append((head.partition("Received: ")[2], path))
    gone = {path for same in by_text.values() for _, path in sorted(same, reverse=newest)[1:]}
    return {path: entry for path, entry in tree.items() if path not in gone}


def _owners(tree: Tree, v: Values, all_of_them: bool = False) -> Tree:
    owned: dict[str, list[str]] = {}
    for name in services(tree):
        if all_of_them or setting(tree, name, "enabled") == "yes":
            owned.setdefault(setting(tree, name, "user"), []).append(name)
    return _written(tree, v["out"], _rows(f"{user}: {' '.join(owned[user])}" for user in sorted(owned)))


def _cron(tree: Tree, v: Values, again: bool = False) -> Tree:
    for path in [path for path in tree if path.startswith("etc/cron.d/")]:
        lines = []
        for line in tree[path].text.splitlines():
            fields = line.removeprefix("# ").split()
            off = line.startswith("#") and not again
            lines.append(f"# {line}" if len(fields) >= 6 and not off and fields[5] not in tree else line)
        tree = _written(tree, path, _rows(lines))
    return tree


def _report(rng: Stream, name: str) -> Values:
    return {"out": f"reports/{name}{rng.between(10, 99)}.txt"}


GET: Final = """\
get() {
  local f v=
  for f in etc/services/$1.conf etc/defaults.conf; do
    v=$(sed -n "s/^ *$2 *= *//p" "$f" | sed 's/ *#.*//' | tail -n 1)
    [ -n "$v" ] && break
  done
  echo "${v//%s/$1}"
}
"""
"""The value that holds for a service, in bash."""

TICKETS: Final[Mapping[str, Ticket]] = {
    "retain": Ticket(
        "The disk is filling up. Delete the logs of {service} that its retention does not cover any more.",
        'd=$(get {service} log_dir); n=$(get {service} retention); first=$(date -d "$(cat etc/today) -$((n - 1)) '
        'days" +%F)\n'
        'for f in "$d"/*.log; do [[ $(basename "$f" .log) < $first ]] && rm "$f"; done; true',
        _retain,
        (_retain_by_default, _retain_one_more),
    ),
    "clients": Ticket(
        "Customers complain about {service}. Which clients saw the most errors in all of its logs? Write the first "
        "{most} to {out}, one per line: the number of errors, a space and the client. Most errors first; clients "
        "with as many in byte order.",
        "mkdir -p reports; awk '$5 >= 500 {{c[$2]++}} END {{for (k in c) print c[k], k}}' \"$(get {service} "
        'log_dir)"/*.log | '
        "LC_ALL=C sort -k1,1nr -k2,2 | head -n {most} > {out}",
        _clients,
        (lambda tree, v: _clients(tree, v, 500, 500), lambda tree, v: _clients(tree, v, 400)),
        lambda rng: {"most": rng.between(2, 4), **_report(rng, "errors")},
    ),
    "slow": Ticket(
        "{service} feels slow. Write to {out} the {most} paths of all its logs with the longest mean time, one per "
        "line: the mean in whole milliseconds (rounded down), a space and the path. Longest first; paths with the "
        "same mean in byte order.",
        'mkdir -p reports; cat "$(get {service} log_dir)"/*.log | awk \'{{split($4, p, "?"); s[p[1]] += $6; '
        "c[p[1]]++}} END {{for (k in s) print int(s[k] / c[k]), k}}' | LC_ALL=C sort -k1,1nr -k2,2 | head -n {most} "
        "> {out}",
        _slow,
        (lambda tree, v: _slow(tree, v, parameters=True),),
        lambda rng: {"most": rng.between(2, 4), **_report(rng, "slow")},
    ),
    "mask": Ticket(
        "The logs of {service} contain tokens of users, as token= and hexadecimal digits. Replace the digits of "
        "every token in them by ***.",
        'sed -i -E "s/token=[0-9a-f]+/token=***/g" "$(get {service} log_dir)"/*.log',
        _mask,
        (lambda tree, v: _mask(tree, v, count=1),),
    ),
    "port": Ticket(
        "{service} does not start, because another service has its port. Give it the lowest port of the pool that "
        "belongs to no service. Change only the number, wherever the port of {service} is set up.",
        "taken=$(for f in etc/services/*.conf; do get $(basename $f .conf) port; done); range=$(get {service} ports)\n"
        'p=${{range%-*}}; while grep -qx "$p" <<< "$taken"; do p=$((p + 1)); done\n'
        'sed -i "s/^\\( *port *= *\\)[0-9]*/\\1$p/" etc/services/{service}.conf\n'
        'sed -i "s#^\\(route /{service} localhost:\\)[0-9]*#\\1$p#" etc/proxy.conf',
        _port,
        (lambda tree, v: _port(tree, v, proxy=False),),
    ),
    "restore": Ticket(
        "The set-up of {service} in etc/services was damaged last night. Restore the file from the most recent "
        "backup in which the copy of this file is intact. Other copies in that backup may be broken.",
        "for d in $(ls -r backup); do if (cd backup/$d && grep '  {service}.conf$' SUMS | sha256sum -c --status); "
        "then cat backup/$d/{service}.conf > etc/services/{service}.conf; break; fi; done",
        _restore,
        (lambda tree, v: _restore(tree, v, checked=False),),
    ),
    "live": Ticket(
        "Put {service} live: make srv/live/{service} a symbolic link to the newest release of it that has passed "
        "its tests. Its target is ../releases/{service}/ and the version, with nothing after it.",
        "mkdir -p srv/live; for v in $(ls srv/releases/{service} | sort -Vr); do if grep -qx passed "
        "srv/releases/{service}/$v/status; then ln -s ../releases/{service}/$v srv/live/{service}; break; fi; done",
        _live,
        (lambda tree, v: _live(tree, v, tested=False), lambda tree, v: _live(tree, v, by_number=False)),
    ),
    "stale": Ticket(
        "Close the accounts that nobody needs: set the state to closed for everybody who has not logged in "
        "successfully on any of the last {days} days, today included. Accounts of programs stay as they are.",
        'first=$(date -d "$(cat etc/today) -$(({days} - 1)) days" +%F); touch /tmp/seen; for f in '
        "var/log/auth/*.log; do "
        '[[ $(basename "$f" .log) < $first ]] || awk \'$4 == "ok" {{print $2}}\' "$f"; done > /tmp/seen\n'
        'awk -F, -v OFS=, \'FILENAME == "/tmp/seen" {{seen[$1]; next}} FNR > 1 && !($1 in seen) && $2 != "system" '
        '{{$3 = "closed"}} {{print}}\' /tmp/seen etc/users.csv > /tmp/users && cat /tmp/users > etc/users.csv',
        _stale,
        (lambda tree, v: _stale(tree, v, failed=True), lambda tree, v: _stale(tree, v, programs=True)),
        lambda rng: {"days": rng.between(2, 5)},
        service=False,
    ),
    "spool": Ticket(
        "Some messages in spool/in were delivered twice. Of messages with the same text keep the one that was "
        "received first, and delete the others.",
        "for f in spool/in/*.msg; do echo \"$(sed '1,/^$/d' $f | sha256sum | cut -c1-64) $(sed -n 's/^Received: "
        "//p' $f) $f\"; done | LC_ALL=C sort | awk '$1 == last {{print $3}} {{last = $1}}' | xargs -r rm",
        _spool,
        (lambda tree, v: _spool(tree, v, newest=True),),
        service=False,
    ),
    "owners": Ticket(
        "Who runs what? Write to {out} one line for each account that a running service runs under: the account, a "
        "colon, and its running services after a space each, by name. Lines and names are in byte order.",
        'mkdir -p reports; for f in etc/services/*.conf; do n=$(basename $f .conf); [ "$(get $n enabled)" = yes ] '
        "&& echo "
        '"$(get $n user) $n"; done | LC_ALL=C sort | awk \'$1 != u {{if (u) print ""; printf "%s:", u = $1}} '
        '{{printf " %s", $2}} END {{if (u) print ""}}\' > {out}',
        _owners,
        (lambda tree, v: _owners(tree, v, all_of_them=True),),
        lambda rng: _report(rng, "owners"),
        service=False,
    ),
    "cron": Ticket(
        'Some jobs in etc/cron.d call scripts that do not exist. Switch those jobs off by putting "# " before the '
        "line. What is off already stays as it is.",
        "for f in etc/cron.d/*.cron; do while IFS= read -r line; do set -f; a=($line); set +f; if [[ $line != '#'* "
        "&& ${{#a[@]}} "
        '-ge 6 && ! -f ${{a[5]}} ]]; then echo "# $line"; else echo "$line"; fi; done < $f > /tmp/jobs; cat '
        "/tmp/jobs > $f; done",
        _cron,
        (lambda tree, v: _cron(tree, v, again=True),),
        service=False,
    ),
}
