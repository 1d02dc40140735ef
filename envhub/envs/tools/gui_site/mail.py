"""Mail: folders, search, messages, replies, and a window that confirms deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, button, note
from envhub.envs.tools.gui.words import GOODS, PEOPLE, SUBJECTS, TOWNS
from envhub.envs.tools.gui_site.app import (
    App,
    Draw,
    Goal,
    Scene,
    anchor,
    bounded,
    click,
    dialog,
    fields,
    form,
    href,
    listing,
    pick,
    press,
    turned,
    write,
)

_FOLDERS: Final = ("Inbox", "Archive", "Projects", "Receipts")
_TRASH: Final = "Trash"
_ALL: Final = (*_FOLDERS, _TRASH)


class Mail(App):
    """A mailbox. No two messages share a date, or sender and subject.

    The state holds the folder of each message, whether it has a star, and what was sent.
    """

    name: ClassVar[str] = "mail"
    title: ClassVar[str] = "Mail"
    menu: ClassVar = (*((folder, f"/?folder={folder}") for folder in _ALL), ("New message", "/new"))

    @property
    def goals(self) -> Mapping[str, Draw]:
        """Moves, stars, replies, reports, deletion, a question."""
        return {
            "move": self._move,
            "star": self._star,
            "reply": self._reply,
            "report": self._report,
            "delete": self._delete,
            "ask": self._ask,
        }

    def build(self, rng: Stream, size: int) -> Any:
        """Eight to forty-four messages, most of them in the inbox."""
        count = 4 + 4 * size
        people, subjects = rng.sample(PEOPLE, 3 + size // 2), rng.sample(SUBJECTS, 4 + size // 2)
        pairs = rng.sample([(person, subject) for person in people for subject in subjects], min(count, 12 + 3 * size))
        days = rng.sample(range(59), len(pairs))
        numbers = rng.sample(range(10_000, 99_999), len(pairs))
        messages = [
            {
                "id": str(at),
                "from": person,
                "subject": subject,
                "day": f"2026-{1 + day // 31:02}-{1 + day % 31:02}",
                "number": str(number),
                "words": f"It is about the {rng.choice(GOODS)} in {rng.choice(TOWNS)}.",
                "folder": _FOLDERS[0] if at < 2 or rng.below(3) else rng.choice(_FOLDERS[1:]),
            }
            for at, ((person, subject), day, number) in enumerate(zip(pairs, days, numbers, strict=True))
        ]
        others = [person for person in PEOPLE if person not in people]
        return {"messages": messages, "contacts": sorted([*people, *rng.sample(others, 3)])}

    def start(self, data: Any) -> Any:
        """All messages where they are."""
        return {"messages": {each["id"]: [each["folder"], False] for each in data["messages"]}, "sent": []}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Move, star, delete or send."""
        if request.method != "POST":
            return state
        if request.path == "/sent":
            return self._send(data, state, request)
        found = _message(data, request)
        if found is None:
            return state
        folder, star = state["messages"][found["id"]]
        if request.path == "/move" and request.value("Folder") in _FOLDERS:
            folder = request.value("Folder")
        elif request.path == "/star":
            star = not star
        elif request.path == "/delete":
            folder = _TRASH
        elif request.path == "/answered" and bounded(request.value("Text")):
            return _sending(state, found["from"], f"Re: {found['subject']}", bounded(request.value("Text")))
        return {**state, "messages": {**state["messages"], found["id"]: [folder, star]}}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """A folder, a message, or a form."""
        found = _message(data, request)
        if request.path in ("/new", "/sent"):
            sent = request.method == "POST" and self._send(data, state, request) != state
            said = note("Sent." if sent else "Not sent.") if request.path == "/sent" else ""
            return said + form("./sent", fields(_letter(data)), "Send")
        if found is None:
            return self._folder(data, state, request)
        return _opened(found, state["messages"][found["id"]], request)

    def _send(self, data: Any, state: Any, request: Request) -> Any:
        to, subject, text = (bounded(request.value(name)) for name in ("To", "Subject", "Text"))
        return _sending(state, to, subject, text) if to in data["contacts"] and subject and text else state

    def _folder(self, data: Any, state: Any, request: Request) -> str:
        folder = request.value("folder") if request.value("folder") in _ALL else _FOLDERS[0]
        searched = request.value("Search")
        rows = [
            [
                anchor(_line(each), "/message", id=each["id"]),
                each["day"],
                "starred" if state["messages"][each["id"]][1] else "",
            ]
            for each in _listed(data, state, folder, searched)
        ]
        search = form("./", fields([_field("Search", searched)]), "Search", "get", folder=folder)
        return f"<h2>{folder}</h2>{search}{listing(('Message', 'Date', ''), rows, request)}"

    # -- goals -------------------------------------------------------------------------------------------------------

    def _move(self, scene: Scene) -> Goal | None:
        found = scene.one(_listed(scene.data, scene.state, _FOLDERS[0]))
        if found is None:
            return None
        folder = scene.rng.choice(_FOLDERS[1:])
        plan = (*_open(scene, found), pick("Folder", folder), press("Move"))
        words = f"Move the message {_called(found)} from the folder Inbox to the folder {folder}."
        return Goal(words, plan, _placed(scene.state, found, folder), touched=_touched(found))

    def _star(self, scene: Scene) -> Goal | None:
        inbox = _listed(scene.data, scene.state, _FOLDERS[0])
        person = scene.rng.choice([each["from"] for each in inbox])
        chosen = [each for each in inbox if each["from"] == person]
        if len(chosen) > 5 or any(each["id"] in scene.taken for each in chosen):
            return None
        plan = tuple(step for each in chosen for step in (*_open(scene, each), press("Star")))
        messages = {**scene.state["messages"], **{each["id"]: [_FOLDERS[0], True] for each in chosen}}
        words = f"Star each message from {person} that is in the folder Inbox."
        return Goal(words, plan, {**scene.state, "messages": messages}, touched=_touched(*chosen))

    def _reply(self, scene: Scene) -> Goal | None:
        found = scene.one(_listed(scene.data, scene.state, scene.rng.choice(_FOLDERS)))
        if found is None:
            return None
        text = f"{scene.rng.choice(GOODS)} {scene.rng.between(10, 999)}"
        plan = (*_open(scene, found), click("Reply"), write("Text", text), press("Send"))
        words = f'Reply to the message {_called(found)}. The text of the reply is "{text}".'
        after = _sending(scene.state, found["from"], f"Re: {found['subject']}", text)
        return Goal(words, plan, after, touched=_touched(found))

    def _report(self, scene: Scene) -> Goal | None:
        found = scene.one(_listed(scene.data, scene.state, scene.rng.choice(_FOLDERS)))
        if found is None:
            return None
        to, subject = scene.rng.choice(scene.data["contacts"]), scene.rng.choice(SUBJECTS)
        letter = (write("To", to, "combobox"), write("Subject", subject), write("Text", found["number"]), press("Send"))
        words = (
            f'Send {to} a new message with the subject "{subject}". Its text is the reference number stated in the message '
            f"{_called(found)}, and nothing else."
        )
        after = _sending(scene.state, to, subject, found["number"])
        return Goal(words, (*_open(scene, found), click("New message"), *letter), after, touched=_touched(found))

    def _delete(self, scene: Scene) -> Goal | None:
        folder = scene.rng.choice(_FOLDERS)
        listed = _listed(scene.data, scene.state, folder)
        if not listed or any(each["id"] in scene.taken for each in listed):
            return None
        oldest = listed[-1]
        plan = (*_open(scene, oldest), click("Delete"), press("Confirm"))
        words = f"Delete the oldest message of the folder {folder}."
        return Goal(words, plan, _placed(scene.state, oldest, _TRASH), touched=_touched(*listed))

    def _ask(self, scene: Scene) -> Goal | None:
        inbox = _listed(scene.data, scene.state, _FOLDERS[0])
        person = scene.rng.choice([each["from"] for each in inbox])
        chosen = [each for each in inbox if each["from"] == person]
        if any(each["id"] in scene.taken for each in chosen):
            return None
        words = f"Report the reference number stated in the newest message from {person} in the folder Inbox."
        return Goal(words, _open(scene, chosen[0]), scene.state, chosen[0]["number"], _touched(*chosen))


def _field(name: str, value: str = "") -> Field:
    return {"type": "text", "name": name, "value": value}


def _letter(data: Any) -> list[Field]:
    to = {"type": "datalist", "name": "To", "options": data["contacts"], "value": ""}
    return [to, _field("Subject"), _field("Text")]


def _message(data: Any, request: Request) -> Any:
    """The message that a request names, or None."""
    return next((each for each in data["messages"] if each["id"] == request.value("id")), None)


def _line(message: Any) -> str:
    return f"{message['subject']} ({message['from']})"


def _called(message: Any) -> str:
    return f'"{message["subject"]}" from {message["from"]}'


def _touched(*messages: Any) -> frozenset[str]:
    return frozenset(each["id"] for each in messages)


def _placed(state: Any, message: Any, folder: str) -> Any:
    """The state with a message in another folder."""
    _, star = state["messages"][message["id"]]
    return {**state, "messages": {**state["messages"], message["id"]: [folder, star]}}


def _sending(state: Any, to: str, subject: str, text: str) -> Any:
    return {**state, "sent": [*state["sent"], [to, subject, text]]}


def _listed(data: Any, state: Any, folder: str, searched: str = "") -> list[Any]:
    """The messages of a folder whose line holds a text, newest first."""
    rows: Sequence[Any] = [each for each in data["messages"] if state["messages"][each["id"]][0] == folder]
    found = [each for each in rows if searched.strip().lower() in _line(each).lower()]
    return sorted(found, key=lambda each: str(each["day"]), reverse=True)


def _open(scene: Scene, message: Any) -> tuple[Step, ...]:
    """The steps that open a message: paging, or a shorter search."""
    folder = scene.state["messages"][message["id"]][0]
    start, line = (click(folder),), click(_line(message))
    turning = turned(_listed(scene.data, scene.state, folder).index(message))
    found = _listed(scene.data, scene.state, folder, message["subject"]).index(message)
    searching = (write("Search", message["subject"]), press("Search"), *turned(found))
    return (*start, *min(turning, searching, key=len), line)


def _opened(message: Any, now: Sequence[Any], request: Request) -> str:
    """A message, with what can be done with it."""
    number, (folder, star) = message["id"], now
    here = href("/message", id=number)
    window = dialog("Delete this message?", here, "/delete", id=number) if request.path == "/ask" else ""
    said = note(_SAID[request.path]) if request.method == "POST" and request.path in _SAID else ""
    move = {"type": "select", "name": "Folder", "options": list(_FOLDERS), "value": folder}
    answer = form("./answered", fields([_field("Text")]), "Send", id=number) if request.path == "/reply" else ""
    links = "".join(anchor(text, path, id=number) for text, path in (("Reply", "/reply"), ("Delete", "/ask")))
    return (
        f"{said}{window}<h2>{escape(message['subject'])}</h2>"
        f"<p>From {escape(message['from'])}, {message['day']}, in {folder}</p>"
        f"<p>{escape(message['words'])} The reference number is {message['number']}.</p><nav>{links}</nav>{answer}"
        f"{button('Remove star' if star else 'Star', '/star', id=number)}{form('./move', fields([move]), 'Move', id=number)}"
    )


_SAID: Final = {"/move": "Moved.", "/star": "Changed.", "/delete": "Deleted.", "/answered": "Sent."}
