"""Kinds in which a button must be found before it is pressed.

The page holds groups of things, each with a button. The state lists what was pressed, in order; pressing anything else
than what was asked for cannot be undone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from html import escape
from typing import Any, ClassVar

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.kind import Draft, Kind, Step, button, link, note
from envhub.envs.tools.gui.words import COMMANDS, FILES, GOODS, PEOPLE, SECTIONS, TOWNS


class Press(Kind):
    """Groups of things with buttons.

    The data holds ``groups``, pairs of a name and its things.
    """

    most_groups: ClassVar[int] = 10
    groups: ClassVar[Sequence[str]] = SECTIONS
    things: ClassVar[Sequence[str]] = COMMANDS

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """The same things may be in several groups."""
        count = min(self.most_groups, len(self.groups), 2 + size // 2)
        groups = [(name, rng.sample(self.things, 2 + size // 3)) for name in rng.sample(self.groups, count)]
        group, things = rng.choice(groups)
        thing = rng.choice(things)
        data = {"title": title, "groups": [[name, things] for name, things in groups]}
        return Draft(
            data,
            self.goal(title, group, thing),
            {"pressed": [[group, thing]]},
            self.plan(data, group, thing),
            items=sum(1 + len(things) for _, things in groups),
        )

    @abstractmethod
    def goal(self, title: str, group: str, thing: str) -> str:
        """The task in words."""

    @abstractmethod
    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """The oracle's steps."""

    def start(self, data: Any) -> Any:
        """Nothing was pressed."""
        return {"pressed": []}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Note what was pressed."""
        pressed = [request.value("group"), request.value("thing")]
        known = request.path == "/press" and any(
            pressed == [name, each] for name, things in data["groups"] for each in things
        )
        return {**state, "pressed": [*state["pressed"], pressed]} if known and request.method == "POST" else state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """What was pressed last, then the groups."""
        said = "".join(note(f"Done: {thing} in {group}.") for group, thing in state["pressed"][-1:])
        return said + self.shown(data, state, request)

    @abstractmethod
    def shown(self, data: Any, state: Any, request: Request) -> str:
        """The groups."""


def press(group: str, thing: str, caption: str = "") -> str:
    """The button of a thing."""
    return button(caption or thing, "/press", group=group, thing=thing)


def _group_of(request: Request, data: Any) -> Any:
    """The group that a request names, or the first."""
    wanted = request.value("group")
    return next((each for each in data["groups"] if each[0] == wanted), data["groups"][0])


class Tabs(Press):
    """One group at a time, behind tabs."""

    name = "tabs"
    titles = ("Settings", "Console", "Profile")

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, press {thing!r} on the tab {group!r}, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Open the tab, press."""
        return (("click", "link", group), ("click", "button", thing))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """The tabs and the open one."""
        name, things = _group_of(request, data)
        tabs = "".join(link(each, "/tab", f"group={each}") for each, _ in data["groups"])
        return f"<nav>{tabs}</nav><h2>{escape(name)}</h2>" + "".join(press(name, each) for each in things)


class Collapsibles(Press):
    """Sections that unfold."""

    name = "collapsibles"
    titles = ("Help centre", "Options", "Tools")

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, unfold the section {group!r} and press {thing!r} in it, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Unfold, press."""
        return (("click", "DisclosureTriangle", group), ("click", "button", thing))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """All sections, folded."""
        return "".join(
            f"<details><summary>{escape(name)}</summary>{''.join(press(name, each) for each in things)}</details>"
            for name, things in data["groups"]
        )


class Tree(Press):
    """Folders within folders."""

    name = "tree"
    titles = ("Files", "Library", "Drive")
    things = FILES

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, select the file {thing!r} in the folder {group!r}, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Unfold the folders above it, then its own."""
        names = [name for name, _ in data["groups"]]
        parent = names[_parent(names.index(group))] if names.index(group) else None
        above: list[Step] = [("click", "DisclosureTriangle", group)]
        while parent is not None:
            above.insert(0, ("click", "DisclosureTriangle", parent))
            parent = names[_parent(names.index(parent))] if names.index(parent) else None
        return (*above, ("click", "button", f"Select {thing}"))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """A folder lies in the folder with half its number."""
        return _folder(data["groups"], 0)


def _parent(number: int) -> int:
    return (number - 1) // 2


def _folder(groups: Any, number: int) -> str:
    name, things = groups[number]
    inner = "".join(_folder(groups, at) for at in range(1, len(groups)) if _parent(at) == number)
    files = "".join(f"<li>{escape(each)} {press(name, each, f'Select {each}')}</li>" for each in things)
    return f"<details><summary>{escape(name)}</summary><ul>{inner}{files}</ul></details>"


class Menus(Press):
    """Menus that open by a click and lead to commands."""

    name = "menus"
    titles = ("Editor", "Player", "Browser")

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, choose the command {thing!r} of the menu {group!r}, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Open all menus, then the right one, then choose."""
        return (("click", "link", "Menu"), ("click", "link", group), ("click", "button", thing))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """Closed, all menus, or one of them."""
        if request.path == "/menu":
            return (
                "<ul>"
                + "".join(f"<li>{link(each, '/open', f'group={each}')}</li>" for each, _ in data["groups"])
                + "</ul>"
            )
        if request.path == "/open":
            name, things = _group_of(request, data)
            return f"<h2>{escape(name)}</h2>" + "".join(press(name, each) for each in things)
        return f"<nav>{link('Menu', '/menu')}</nav>"


class ScrollList(Press):
    """A long list in a small window."""

    name = "scroll-list"
    titles = ("Catalogue", "Stations", "Inventory")
    groups = TOWNS
    things = GOODS

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, press the button of the {thing} from {group}, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Its name says what it is."""
        return (("click", "button", f"{thing} from {group}"),)

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """All in one list."""
        rows = "".join(
            f"<li>{press(name, each, f'{each} from {name}')}</li>" for name, things in data["groups"] for each in things
        )
        return f'<ul style="height:160px;overflow:auto;border:1px solid #888">{rows}</ul>'


class Pagination(Press):
    """A list over several pages."""

    name = "pagination"
    titles = ("Search results", "Staff", "Log")
    groups = TOWNS
    things = PEOPLE

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, which has several pages, press 'Invite' beside {thing} of {group}, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Turn pages until the group is there."""
        names = [name for name, _ in data["groups"]]
        return (*[("click", "link", "Next page")] * names.index(group), ("click", "button", f"Invite {thing}"))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """One group a page."""
        count, asked = len(data["groups"]), request.value("page")
        at = min(int(asked), count - 1) if asked.isascii() and asked.isdigit() and len(asked) < 4 else 0
        name, things = data["groups"][at]
        rows = "".join(f"<li>{escape(each)} {press(name, each, f'Invite {each}')}</li>" for each in things)
        turns = (link("Previous page", "/list", f"page={at - 1}") if at else "") + (
            link("Next page", "/list", f"page={at + 1}") if at < count - 1 else ""
        )
        return f"<h2>{escape(name)} (page {at + 1} of {count})</h2><ul>{rows}</ul><nav>{turns}</nav>"


class Modal(Press):
    """Every button asks again in a window."""

    name = "modal"
    titles = ("Backups", "Devices", "Accounts")
    things = ("Delete", "Restore", "Archive", "Rename", "Lock")

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, press {thing!r} of {group!r} and confirm it, once."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Ask, then confirm."""
        return (("click", "button", f"{thing} {group}"), ("click", "button", "Confirm"))

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """The buttons, and a window if one was pressed."""
        asked = request.path == "/ask"
        group, thing = escape(request.value("group")), request.value("thing")
        window = (
            f"<dialog open><p>{escape(thing)} {group}?</p>{button('Cancel', '/')}"
            f"{press(request.value('group'), thing, 'Confirm')}</dialog>"
        )
        rows = "".join(
            f"<li>{escape(name)} {button(f'{each} {name}', '/ask', group=name, thing=each)}</li>"
            for name, things in data["groups"]
            for each in things
        )
        return (window if asked else "") + f"<ul>{rows}</ul>"


class Popup(Press):
    """An advertisement covers the page; it must be closed and not accepted."""

    name = "popup"
    titles = ("News", "Weather", "Recipes")

    def goal(self, title: str, group: str, thing: str) -> str:
        """See :meth:`Press.goal`."""
        return f"In {title!r}, press {thing!r} under {group!r}, once. Accept no offer."

    def plan(self, data: Any, group: str, thing: str) -> tuple[Step, ...]:
        """Decline, then press."""
        return (("click", "button", "No, thank you"), ("click", "button", f"{thing} ({group})"))

    def start(self, data: Any) -> Any:
        """The offer is open."""
        return {"pressed": [], "offer": "open"}

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """The offer is declined in the end."""
        drawn = super().draw(rng, size, title)
        return Draft(drawn.data, drawn.goal, {**drawn.wanted, "offer": "declined"}, drawn.plan, items=drawn.items)

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """The first reply to the offer counts; nothing can be pressed before."""
        if state["offer"] == "open":
            replied = request.value("reply") if request.method == "POST" and request.path == "/offer" else ""
            return {**state, "offer": replied} if replied in ("accepted", "declined") else state
        return super().change(data, state, request)

    def shown(self, data: Any, state: Any, request: Request) -> str:
        """The offer over everything while it is open."""
        rows = "".join(
            f"<h2>{escape(name)}</h2>" + "".join(press(name, each, f"{each} ({name})") for each in things)
            for name, things in data["groups"]
        )
        if state["offer"] != "open":
            return rows
        replies = button("Yes, subscribe", "/offer", reply="accepted") + button(
            "No, thank you", "/offer", reply="declined"
        )
        return f'{rows}<div class="cover" role="dialog" aria-label="Offer"><h2>Only today!</h2>{replies}</div>'


STRUCTURES = (Tabs(), Collapsibles(), Tree(), Menus(), ScrollList(), Pagination(), Modal(), Popup())
