"""The base of kinds that are one form.

A form is a list of fields; a field is its type, its name, what it offers, and its value at the beginning. The state is
what was last saved.
"""

from __future__ import annotations

from abc import abstractmethod
from html import escape
from typing import Any

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.kind import LONGEST, Draft, Kind, Step, note

Field = dict[str, Any]
_ROLES = {
    "text": "textbox",
    "date": "Date",
    "time": "InputTime",
    "number": "spinbutton",
    "password": "textbox",
    "color": "ColorWell",
    "range": "slider",
    "datalist": "combobox",
}


class Form(Kind):
    """A form. Subclasses draw its fields and the values that are wanted."""

    @abstractmethod
    def fields(self, rng: Stream, size: int) -> list[Field]:
        """The fields, each with its value at the beginning."""

    @abstractmethod
    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """The wanted values of some fields by name."""

    def words(self, name: str, field: Field, value: Any) -> str:
        """A wanted value in words."""
        return f'{name} to "{value}"'

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """See :meth:`Kind.draw`."""
        fields = self.fields(rng, size)
        rng.shuffle(fields)
        wish = self.wish(rng, fields, size)
        known = {field["name"]: field for field in fields}
        asked = "; ".join(self.words(name, known[name], value) for name, value in wish.items())
        goal = f"Open the form {title!r}, set {asked}, leave all other fields as they are, and save it."
        plan = [step for name, value in wish.items() for step in steps(known[name], value)]
        saved = {name: wish.get(name, field["value"]) for name, field in known.items()}
        items = sum(1 + len(field.get("options", ())) for field in fields)
        return Draft(
            {"title": title, "fields": fields},
            goal,
            {"saved": saved},
            (*plan, ("click", "button", "Save")),
            items=items,
        )

    def start(self, data: Any) -> Any:
        """Nothing was saved."""
        return {"saved": None}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save what can be entered, as a whole or not at all."""
        if request.method != "POST" or request.path != "/save":
            return state
        saved = {field["name"]: entered(field, request) for field in data["fields"]}
        return state if None in saved.values() or self.fault(saved) else {"saved": saved}

    def fault(self, saved: dict[str, Any]) -> str:
        """The error in the values of a form; empty without one."""
        return ""

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The form, with what was last saved."""
        said = ""
        if request.path == "/save":
            given = {field["name"]: entered(field, request) for field in data["fields"]}
            said = note(self.fault(given) or ("Not saved." if None in given.values() else "Saved."))
        now = state["saved"] or {}
        fields = "".join(shown(field, now.get(field["name"], field["value"])) for field in data["fields"])
        return f'{said}<form method="post" action="./save">{fields}<button>Save</button></form>'


def entered(field: Field, request: Request) -> Any:
    """The value requested for a field; None if it is impossible."""
    kind, name = field["type"], field["name"]
    if kind == "checkbox":
        return request.value(name) == "yes"
    if kind == "multiple":
        chosen = request.values(name)
        return sorted(chosen) if set(chosen) <= set(field["options"]) else None
    value = request.value(name)
    if kind in ("select", "radio", "datalist"):
        return value if value in field["options"] else None
    return value.strip() if kind == "text" and len(value) <= LONGEST else value if len(value) <= LONGEST else None


def steps(field: Field, value: Any) -> list[Step]:
    """The oracle's steps that enter a value."""
    kind, name = field["type"], field["name"]
    if kind == "select":
        return [("select", "combobox", name, value)]
    if kind == "multiple":
        return [("select", "listbox", name, each) for each in sorted(set(value) ^ set(field["value"]))]
    if kind == "radio":
        return [("click", "radio", value)]
    if kind == "checkbox":
        return [("click", "checkbox", name)]
    return [("type", _ROLES[kind], name, value)]


def shown(field: Field, value: Any) -> str:
    """A field with a value, as HTML."""
    kind, name = field["type"], escape(field["name"])
    options = field.get("options", ())
    if kind in ("select", "multiple"):
        chosen = value if kind == "multiple" else [value]
        rows = "".join(f"<option{' selected' * (each in chosen)}>{escape(each)}</option>" for each in options)
        more = f" multiple size={len(options)}" if kind == "multiple" else ""
        return f'<label>{name} <select name="{name}"{more}>{rows}</select></label>'
    if kind == "radio":
        rows = "".join(
            f'<label><input type="radio" name="{name}" value="{escape(each)}"{" checked" * (each == value)}> '
            f"{escape(each)}</label>"
            for each in options
        )
        return f"<fieldset><legend>{name}</legend>{rows}</fieldset>"
    if kind == "checkbox":
        return f'<label><input type="checkbox" name="{name}" value="yes"{" checked" * bool(value)}> {name}</label>'
    if kind == "datalist":
        rows = "".join(f"<option>{escape(each)}</option>" for each in options)
        return (
            f'<label>{name} <input name="{name}" list="of-{name}" value="{escape(value)}" autocomplete="off"></label>'
            f'<datalist id="of-{name}">{rows}</datalist>'
        )
    bounds = ' min="0" max="100" step="1"' if kind in ("range", "number") else ""
    return (
        f'<label>{name} <input type="{kind}" name="{name}" value="{escape(value)}"{bounds} autocomplete="off"></label>'
    )
