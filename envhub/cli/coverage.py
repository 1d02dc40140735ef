"""``envhub coverage``: which tasks of public catalogues ours ask, with :mod:`envhub.registry.coverage`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli.terminal import console, plain, print_json, table_of

if TYPE_CHECKING:
    from envhub.registry.coverage import Coverage


def coverage(
    source: Annotated[
        str | None, typer.Argument(metavar="[SOURCE]", help="One source, task by task, such as synlogic.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Show which tasks of public catalogues envhub asks.

    A task is native if one of our environments asks it, kin if one resembles it, adapter if an adapter plays it. Tasks that
    are left out on purpose have a reason; all others are missing.
    """
    from envhub.registry.coverage import coverage as of, sources

    found = [of(name) for name in ([source] if source else sources())]
    if as_json:
        print_json([one.to_json() for one in found])
        return
    table = table_of("source", "tasks", "native", "share", "kin", "adapter", "left out", "missing")
    for one in found:
        counts = (one.kin, one.adapter, one.left_out, one.missing)
        share = f"{len(one.native) / one.total:.0%}"
        table.add_row(one.source, str(one.total), str(len(one.native)), share, *(str(len(group)) for group in counts))
    console().print(table)
    if source:
        _show_tasks(found[0])


def _show_tasks(found: Coverage) -> None:
    table = table_of("task", "covered", "by")
    for task, ids in found.native.items():
        table.add_row(
            plain(task), "native", ", ".join(ids) + plain(f". {found.differs[task]}" if task in found.differs else "")
        )
    for name, group in (("kin", found.kin), ("adapter", found.adapter), ("left out", found.left_out)):
        for task, why in group.items():
            table.add_row(plain(task), name, plain(why))
    for task in found.missing:
        table.add_row(plain(task), "missing", "")
    console().print(table)
