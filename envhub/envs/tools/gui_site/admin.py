"""An admin panel: a table of users, forms and confirmation dialogs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, note
from envhub.envs.tools.gui.words import PEOPLE, TOWNS
from envhub.envs.tools.gui_site.app import (
    PAGE,
    App,
    Draw,
    Goal,
    Scene,
    anchor,
    click,
    fields,
    form,
    listing,
    number_of,
    pick,
    press,
    turned,
    write,
)

_ROLES: Final = ("Viewer", "Editor", "Manager", "Owner")
_STATUSES: Final = ("Active", "Suspended", "Invited")
_DEPARTMENTS: Final = ("Sales", "Support", "Finance", "Design", "Legal", "Research")
_ORDERS: Final = ("Name", "Last login", "Largest quota")
_ANY: Final = "any"
_FILTERS: Final = ("Department", "Role", "Status")
_MOST_TICKS: Final = 50


class Admin(App):
    """Users with unique e-mail addresses; some share a name.

    The state holds the role, the status and the quota of each user who is left.
    """

    name: ClassVar[str] = "admin"
    title: ClassVar[str] = "Admin panel"
    menu: ClassVar = (("Users", "/"),)

    @property
    def goals(self) -> Mapping[str, Draw]:
        """Roles, quotas, suspensions, removals, a question."""
        return {
            "role": self._role,
            "quota": self._quota,
            "suspend": self._suspend,
            "remove": self._remove,
            "ask": self._ask,
        }

    def build(self, rng: Stream, size: int) -> Any:
        """Twelve to sixty-six users of several departments."""
        names = rng.sample(PEOPLE, min(len(PEOPLE), 5 + 2 * size))
        days = rng.sample(range(1, 330), 6 + 6 * size)
        users = []
        for at, day in enumerate(days):
            name = rng.choice(names)
            month, rest = divmod(day, 28)
            users.append(
                {
                    "id": str(at),
                    "name": name,
                    "email": f"{name.split()[0].lower()}.{rng.choice(TOWNS).split()[0].lower()}{at}@site.test",
                    "department": rng.choice(_DEPARTMENTS[: 3 + size // 3]),
                    "login": f"2025-{1 + month:02}-{1 + rest:02}",
                    "role": rng.choice(_ROLES),
                    "status": rng.choice((_STATUSES[0], *_STATUSES)),
                    "quota": 5 * rng.between(1, 40),
                }
            )
        return {"users": users}

    def start(self, data: Any) -> Any:
        """All users as they are."""
        return {"users": {each["id"]: [each["role"], each["status"], each["quota"]] for each in data["users"]}}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save a user, or change or remove those who are ticked."""
        if request.method != "POST":
            return state
        users, number = state["users"], request.value("id")
        if request.path == "/saved":
            asked = _entered(request)
            return state if asked is None or number not in users else {"users": {**users, number: asked}}
        ticked, status = _ticked(users, request), _ACTIONS.get(request.value("Action"), "")
        if request.path != "/applied" or not ticked or not status:
            return state
        if status == _REMOVED:
            return {"users": {key: each for key, each in users.items() if key not in ticked}}
        changed = {key: [each[0], status, each[2]] if key in ticked else each for key, each in users.items()}
        return {"users": changed}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The table, with any open confirmation dialog, or a user."""
        user = next((each for each in data["users"] if each["id"] == request.value("id")), None)
        if user is not None and user["id"] in state["users"] and request.path in ("/user", "/saved"):
            return _user(user, state["users"][user["id"]], request)
        said, window = "", ""
        if request.path == "/applied":
            said = note("Done.")
        if request.path == "/ask":
            ticked = _ticked(state["users"], request)
            window = _confirm(data, ticked, request.value("Action")) if ticked else note("Nobody is ticked.")
        filters = [
            _choice("Department", (_ANY, *_DEPARTMENTS), request.value("Department")),
            _choice("Role", (_ANY, *_ROLES), request.value("Role")),
            _choice("Status", (_ANY, *_STATUSES), request.value("Status")),
            _choice("Sort by", _ORDERS, request.value("Sort by")),
        ]
        chosen = {name: request.value(name) for name in _FILTERS}
        rows = [
            _row(each, state["users"][each["id"]]) for each in _listed(data, state, chosen, request.value("Sort by"))
        ]
        heads = ("", "Name", "E-mail", "Department", "Role", "Status", "Last login", "Quota")
        ticks = fields([_choice("Action", tuple(_ACTIONS))])
        listed = form("./ask", ticks + listing(heads, rows, _narrowed(request)), "Apply", "get")
        return f"{said}{window}{form('./', fields(filters), 'Show', 'get')}{listed}"

    # -- goals -------------------------------------------------------------------------------------------------------

    def _role(self, scene: Scene) -> Goal | None:
        user = _some_user(scene)
        if user is None:
            return None
        role, status, quota = scene.state["users"][user["id"]]
        wanted = scene.rng.choice([each for each in _ROLES if each != role])
        words = (
            f"Change the role of {user['name']} of the department {user['department']} ({user['email']}) to {wanted}."
        )
        plan = (*_open(scene, user), pick("Role", wanted), press("Save"))
        return Goal(words, plan, _with(scene.state, {user["id"]: [wanted, status, quota]}), touched=_touched(user))

    def _quota(self, scene: Scene) -> Goal | None:
        user = _some_user(scene)
        if user is None:
            return None
        role, status, quota = scene.state["users"][user["id"]]
        more = 5 * scene.rng.between(1, 9)
        words = f"Raise the quota of {user['name']} of the department {user['department']} ({user['email']}) by {more}."
        plan = (*_open(scene, user), write("Quota", str(quota + more)), press("Save"))
        return Goal(words, plan, _with(scene.state, {user["id"]: [role, status, quota + more]}), touched=_touched(user))

    def _suspend(self, scene: Scene) -> Goal | None:
        department = scene.rng.choice(scene.data["users"])["department"]
        filters = {"Department": department, "Status": "Active"}
        listed = _listed(scene.data, scene.state, filters, _ORDERS[1])
        if len(listed) < 2 or any(each["id"] in scene.taken for each in listed):
            return None
        count = scene.rng.between(1, min(len(listed) - 1, PAGE - 1))
        chosen, bound = listed[:count], listed[count]["login"]
        words = f"Suspend each active user of the department {department} whose last login was before {bound}."
        plan = (
            *_filtered(filters, _ORDERS[1]),
            *(click(each["email"], "checkbox") for each in chosen),
            pick("Action", "Suspend"),
            press("Apply"),
            press("Confirm"),
        )
        now = scene.state["users"]
        after = _with(
            scene.state, {each["id"]: [now[each["id"]][0], "Suspended", now[each["id"]][2]] for each in chosen}
        )
        return Goal(words, plan, after, touched=_touched(*listed))

    def _remove(self, scene: Scene) -> Goal | None:
        role = scene.rng.choice(_ROLES)
        filters = {"Role": role, "Status": "Invited"}
        listed = _listed(scene.data, scene.state, filters, _ORDERS[2])
        quotas = [scene.state["users"][each["id"]][2] for each in listed]
        if not listed or quotas.count(max(quotas)) > 1 or any(each["id"] in scene.taken for each in listed):
            return None
        words = f"Of the users with the role {role} and the status Invited, remove the one with the largest quota."
        tick = click(listed[0]["email"], "checkbox")
        plan = (*_filtered(filters, _ORDERS[2]), tick, pick("Action", "Remove"), press("Apply"), press("Confirm"))
        after = {"users": {key: each for key, each in scene.state["users"].items() if key != listed[0]["id"]}}
        return Goal(words, plan, after, touched=_touched(*listed))

    def _ask(self, scene: Scene) -> Goal | None:
        department = scene.rng.choice(scene.data["users"])["department"]
        found = [each for each in scene.data["users"] if each["department"] == department]
        if any(each["id"] in scene.taken for each in found):
            return None
        latest = max(found, key=lambda each: str(each["login"]))
        words = f"Report the e-mail address of the user of the department {department} who was the last to log in."
        filters = {"Department": department}
        plan = (*_filtered(filters, _ORDERS[1]), *turned(len(found) - 1))
        return Goal(words, plan, scene.state, latest["email"], _touched(*found))


_REMOVED: Final = "Removed"
_ACTIONS: Final[dict[str, str]] = {
    "Activate": "Active",
    "Suspend": "Suspended",
    "Remove": _REMOVED,
}


def _touched(*users: Any) -> frozenset[str]:
    return frozenset(each["id"] for each in users)


def _some_user(scene: Scene) -> Any:
    return scene.one([each for each in scene.data["users"] if each["id"] in scene.state["users"]])


def _with(state: Any, changed: Mapping[str, Any]) -> Any:
    return {"users": {**state["users"], **changed}}


def _choice(name: str, options: Sequence[str], value: str = "") -> Field:
    return {"type": "select", "name": name, "options": list(options), "value": value or options[0]}


def _values(user: Any, now: Sequence[Any]) -> dict[str, str]:
    return {"Department": user["department"], "Role": now[0], "Status": now[1]}


def _listed(data: Any, state: Any, chosen: Mapping[str, str], order: str) -> list[Any]:
    """The users who pass the filters, in an order."""
    users = state["users"]
    keys: dict[str, Any] = {
        _ORDERS[0]: lambda each: (each["name"], each["email"]),
        _ORDERS[1]: lambda each: each["login"],
        _ORDERS[2]: lambda each: (-users[each["id"]][2], each["email"]),
    }
    fitting = [
        each
        for each in data["users"]
        if each["id"] in users
        and all(value in ("", _ANY, _values(each, users[each["id"]])[name]) for name, value in chosen.items())
    ]
    return sorted(fitting, key=keys.get(order, keys[_ORDERS[0]]))


def _filtered(chosen: Mapping[str, str], order: str) -> tuple[Step, ...]:
    """The steps that show the users who pass filters."""
    return (
        click("Users"),
        *(pick(name, value) for name, value in chosen.items()),
        pick("Sort by", order),
        press("Show"),
    )


def _open(scene: Scene, user: Any) -> tuple[Step, ...]:
    filters = {"Department": user["department"]}
    position = _listed(scene.data, scene.state, filters, _ORDERS[0]).index(user)
    return (*_filtered(filters, _ORDERS[0]), *turned(position), click(user["email"]))


def _ticked(users: Mapping[str, Any], request: Request) -> list[str]:
    """The users who are ticked; empty if a request names others."""
    ticked = request.values("tick")
    return ticked if len(ticked) <= _MOST_TICKS and set(ticked) <= users.keys() else []


def _narrowed(request: Request) -> Request:
    """A request whose query is kept on other pages: filters and order."""
    kept = tuple((key, value) for key, value in request.fields if key in (*_FILTERS, "Sort by", "page"))
    return Request("GET", "/", kept)


def _row(user: Any, now: Sequence[Any]) -> list[str]:
    role, status, quota = now
    email = escape(user["email"])
    tick = f'<input type="checkbox" name="tick" value="{user["id"]}" aria-label="{email}">'
    opened = anchor(user["email"], "/user", id=user["id"])
    return [tick, escape(user["name"]), opened, user["department"], role, status, user["login"], str(quota)]


def _confirm(data: Any, ticked: Sequence[str], action: str) -> str:
    """The window that confirms an action on the users who are ticked."""
    if action not in _ACTIONS:
        return note("Choose an action.")
    names = ", ".join(each["email"] for each in data["users"] if each["id"] in ticked)
    hidden = "".join(f'<input type="hidden" name="tick" value="{escape(each)}">' for each in ticked)
    confirm = form("./applied", hidden, "Confirm", Action=action)
    return f"<dialog open><p>{action}: {escape(names)}?</p>{anchor('Cancel', '/')}{confirm}</dialog>"


def _entered(request: Request) -> list[Any] | None:
    """A form's role, status and quota; None if they are invalid."""
    role, status, quota = request.value("Role"), request.value("Status"), number_of(request.value("Quota"), -1)
    return [role, status, quota] if role in _ROLES and status in _STATUSES and 0 <= quota <= 1000 else None


def _user(user: Any, now: Sequence[Any], request: Request) -> str:
    role, status, quota = now
    given = [
        _choice("Role", _ROLES, role),
        _choice("Status", _STATUSES, status),
        {"type": "text", "name": "Quota", "value": str(quota)},
    ]
    said = ""
    if request.path == "/saved":
        said = note("Not saved." if _entered(request) is None else "Saved.")
    words = f"{user['email']}, {user['department']}, last login {user['login']}"
    return f"{said}<h2>{escape(user['name'])}</h2><p>{escape(words)}</p>{form('./saved', fields(given), 'Save', id=user['id'])}"
