"""The action languages of GUI agents, read into calls of tools.

Each language has its own format of one action per message: AgentCPM-GUI's JSON with points of 0 to 1000, UI-TARS's
``Action: click(start_box='(x,y)')`` with pixels, and BrowserGym's ``click('12')`` with ids. Whatever cannot be read is a
:class:`Malformed`; actions that leave the site (``goto``) do not exist here. AgentCPM-GUI's pages are a phone's, and touched.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from envhub.browser.actions import DESKTOP, DIRECTIONS, LONGEST_TEXT, PHONE, Screen
from envhub.core.errors import nearest
from envhub.core.strict_json import unrepeated
from envhub.core.tools import Call, Malformed
from envhub.core.tools.literals import arguments_at, values_at

_SCALE: Final = 1000
_FENCE: Final = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_HEAD: Final = re.compile(r"([a-z_]\w{0,40})\(")


class _Wrong(Exception):
    """The message is not an action; the text says why."""


class Language(ABC):
    """A language of actions.

    Attributes:
        name: Its name as a parameter.
        points: Whether actions name points, so that the tree must show where elements are.
        screen: What its agents see and touch.
        instruction: How to write an action, for the prompt.
        example: An example, for messages that cannot be read.
    """

    name: ClassVar[str]
    points: ClassVar[bool]
    screen: ClassVar[Screen] = DESKTOP
    instruction: ClassVar[str]
    example: ClassVar[str]

    def read(self, text: str) -> Call | Malformed:
        """The action of a message."""
        fenced = _FENCE.match(text)
        try:
            return self.parse((fenced[1] if fenced else text).strip())
        except (_Wrong, ValueError) as error:
            return Malformed(f"The action could not be read: {error}. Write one action, for example: {self.example}")

    @abstractmethod
    def parse(self, text: str) -> Call:
        """The action of a text.

        Raises:
            ValueError: The text is not an action.
        """


class AgentCpm(Language):
    """AgentCPM-GUI: a JSON object; coordinates are thousandths of width and height."""

    name = "agentcpm-gui"
    points = True
    screen = PHONE
    example = '{"POINT":[480,320]}'
    instruction = (
        "Answer with one JSON object per message, in the format of AgentCPM-GUI. POINT holds x and y in thousandths of the "
        'phone\'s width and height. {"POINT":[x,y]} taps; {"POINT":[x,y],"to":"up"} swipes up, down, left or right, and '
        'the page moves with the finger; {"POINT":[x,y],"to":[x,y]} swipes to a point; {"TYPE":"text"} replaces the text of '
        'the focused field, or chooses the option of a focused list; {"PRESS":"ENTER"} presses Enter, {"PRESS":"BACK"} opens '
        'the page before, {"PRESS":"HOME"} the start page; {"duration":500} waits; {"STATUS":"finish"} ends the task, '
        'with the answer in TYPE if one is asked for. "thought" may hold your thoughts.'
    )
    _KEYS: ClassVar = frozenset({"thought", "POINT", "to", "TYPE", "PRESS", "STATUS", "duration"})

    def parse(self, text: str) -> Call:
        """See :meth:`Language.parse`."""
        try:
            given = json.loads(text, object_pairs_hook=unrepeated)
        except RecursionError:
            raise _Wrong("it is nested too deeply") from None
        if not isinstance(given, dict):
            raise _Wrong("it must be one JSON object")
        unknown = next((key for key in given if key not in self._KEYS), None)
        if unknown is not None:
            raise _Wrong(f"unknown key {unknown[:40]!r}{nearest(unknown, self._KEYS)}")
        asked = {key: value for key, value in given.items() if key != "thought"}
        status = asked.pop("STATUS", "continue")
        if status == "finish":
            if asked.keys() - {"TYPE"}:
                raise _Wrong("the last action holds STATUS, and TYPE for an answer")
            return Call("done", {"answer": _text(asked.get("TYPE", ""))})
        if status != "continue":
            raise _Wrong('STATUS must be "continue" or "finish"')
        if not asked:
            raise _Wrong("it holds no action")
        return self._action(asked)

    def _action(self, asked: Mapping[str, Any]) -> Call:
        keys = frozenset(asked)
        if keys == {"duration"} and _number(asked["duration"]) >= 0:
            return Call("wait", {})
        if keys == {"TYPE"}:
            return Call("retype", {"text": _text(asked["TYPE"])})
        if keys == {"PRESS"}:
            return self._key(asked["PRESS"])
        if keys == {"POINT"}:
            return Call("click", self._point(asked["POINT"]))
        if keys == {"POINT", "to"}:
            start, to = self._point(asked["POINT"]), asked["to"]
            if isinstance(to, str):
                return Call("swipe", {**start, "direction": _direction(to)})
            return Call("drag", {**start, **{f"to_{name}": value for name, value in self._point(to).items()}})
        raise _Wrong(f"the keys {', '.join(sorted(keys))} are not one action")

    @staticmethod
    def _key(value: Any) -> Call:
        keys = {"ENTER": Call("key", {"key": "Enter"}), "BACK": Call("back", {}), "HOME": Call("home", {})}
        if not isinstance(value, str) or value not in keys:
            raise _Wrong(f"PRESS must be {', '.join(keys)}")
        return keys[value]

    @staticmethod
    def _point(value: Any) -> dict[str, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise _Wrong("a point is [x, y]")
        x, y = map(_number, value)
        if not (0 <= x <= _SCALE and 0 <= y <= _SCALE):
            raise _Wrong(f"coordinates are 0 to {_SCALE}")
        wide, high = PHONE.width, PHONE.height
        return {"x": min(wide - 1, round(x * wide / _SCALE)), "y": min(high - 1, round(y * high / _SCALE))}


class UiTars(Language):
    """UI-TARS: a thought, then ``Action:`` and a call with points in pixels."""

    name = "ui-tars"
    points = True
    example = "Action: click(start_box='(320,200)')"
    instruction = (
        "Write one action per message in the format of UI-TARS: an optional line 'Thought: ...' and a line 'Action: ...' with "
        "one of: click(start_box='(x,y)'), drag(start_box='(x,y)', end_box='(x,y)'), scroll(start_box='(x,y)', "
        "direction='down'), type(content='text'), hotkey(key='ctrl a'), wait(), finished(content='answer'). x and y are "
        "pixels of the page. type writes into the focused field, or chooses the option of a focused list; \\n at the end "
        "presses Enter."
    )
    _POINT: ClassVar = re.compile(
        r"\s*(?:<\|box_start\|>|<point>)?\s*\(?\s*(\d{1,5})[\s,]+(\d{1,5})\s*\)?\s*(?:<\|box_end\|>|</point>)?\s*"
    )
    _ACTION: ClassVar = re.compile(r"^Action:[ \t]*", re.MULTILINE)

    def parse(self, text: str) -> Call:
        """See :meth:`Language.parse`."""
        marks = list(self._ACTION.finditer(text))
        if len(marks) != 1:
            raise _Wrong("it must hold exactly one line that starts with 'Action:'")
        name, given = _named(text[marks[0].end() :].strip())
        read = self._READERS.get(name)
        if read is None:
            raise _Wrong(f"unknown action {name!r}{nearest(name, self._READERS)}")
        wanted, make = read
        if given.keys() != wanted:
            raise _Wrong(
                f"{name} takes {', '.join(sorted(wanted)) or 'no arguments'}, got {', '.join(given) or 'none'}"
            )
        return make(given)

    @classmethod
    def _point(cls, value: Any, start: str = "") -> dict[str, int]:
        found = cls._POINT.fullmatch(_text(value))
        if found is None:
            raise _Wrong("a point is written as '(x,y)'")
        return {f"{start}x": int(found[1]), f"{start}y": int(found[2])}

    @staticmethod
    def _typed(given: Mapping[str, Any]) -> Call:
        text = _text(given["content"])
        if text == "\n":  # nothing is written
            return Call("key", {"key": "Enter"})
        return Call("submit_text" if text.endswith("\n") else "type", {"text": text.removesuffix("\n")})

    _READERS: ClassVar[dict[str, tuple[frozenset[str], Callable[[Mapping[str, Any]], Call]]]] = {
        "click": (frozenset({"start_box"}), lambda given: Call("click", UiTars._point(given["start_box"]))),
        "drag": (
            frozenset({"start_box", "end_box"}),
            lambda given: Call("drag", UiTars._point(given["start_box"]) | UiTars._point(given["end_box"], "to_")),
        ),
        "scroll": (
            frozenset({"start_box", "direction"}),
            lambda given: Call(
                "scroll", UiTars._point(given["start_box"]) | {"direction": _direction(given["direction"])}
            ),
        ),
        "type": (frozenset({"content"}), lambda given: UiTars._typed(given)),
        "hotkey": (frozenset({"key"}), lambda given: Call("key", {"key": _text(given["key"])})),
        "wait": (frozenset(), lambda given: Call("wait", {})),
        "finished": (frozenset({"content"}), lambda given: Call("done", {"answer": _text(given["content"])})),
    }


class BrowserGym(Language):
    """BrowserGym: one Python-like call with the ids of elements."""

    name = "browsergym"
    points = False
    example = "click('12')"
    instruction = (
        "Write one action per message in the format of BrowserGym, with the ids of elements as texts: click('12'), "
        "fill('12', 'text'), select_option('12', 'option'), press('12', 'Enter'), drag_and_drop('12', '15'), "
        "mouse_click(x, y), mouse_drag_and_drop(x, y, to_x, to_y), keyboard_press('Enter'), keyboard_type('text'), "
        "scroll(0, 300), noop(), send_msg_to_user('answer'). send_msg_to_user ends the task."
    )

    def parse(self, text: str) -> Call:
        """See :meth:`Language.parse`."""
        head = _HEAD.match(text)
        if head is None:
            raise _Wrong("it must be one call")
        given, end = values_at(text, head.end())
        if text[end:].strip():
            raise _Wrong("it must be one call, with nothing after it")
        read = self._READERS.get(head[1])
        if read is None:
            raise _Wrong(f"unknown action {head[1]!r}{nearest(head[1], self._READERS)}")
        counts, make = read
        if len(given) not in counts:
            raise _Wrong(f"{head[1]} takes {' or '.join(map(str, counts))} arguments, got {len(given)}")
        return make(*given)

    @staticmethod
    def _scrolled(across: Any, down: Any) -> Call:
        x, y = _number(across), _number(down)
        if (x == 0) == (y == 0):
            raise _Wrong("scroll takes one distance other than 0")
        return Call("scroll", {"direction": ("right" if x > 0 else "left") if x else ("down" if y > 0 else "up")})

    _READERS: ClassVar[dict[str, tuple[tuple[int, ...], Callable[..., Call]]]] = {
        "click": ((1,), lambda id: Call("click", {"id": _id(id)})),
        "fill": ((2,), lambda id, text: Call("type", {"id": _id(id), "text": _text(text)})),
        "select_option": ((2,), lambda id, option: Call("select", {"id": _id(id), "option": _text(option)})),
        "press": ((2,), lambda id, key: Call("press_in", {"id": _id(id), "key": _text(key)})),
        "drag_and_drop": ((2,), lambda id, to: Call("drag", {"id": _id(id), "to_id": _id(to)})),
        "mouse_click": ((2,), lambda x, y: Call("click", {"x": _pixel(x), "y": _pixel(y)})),
        "mouse_drag_and_drop": (
            (4,),
            lambda x, y, a, b: Call("drag", {"x": _pixel(x), "y": _pixel(y), "to_x": _pixel(a), "to_y": _pixel(b)}),
        ),
        "keyboard_press": ((1,), lambda key: Call("key", {"key": _text(key)})),
        "keyboard_type": ((1,), lambda text: Call("type", {"text": _text(text)})),
        "scroll": ((2,), lambda x, y: BrowserGym._scrolled(x, y)),
        "noop": ((0, 1), lambda ms=0: Call("wait", {})),
        "send_msg_to_user": ((1,), lambda text: Call("done", {"answer": _text(text)})),
    }


LANGUAGES: Final[dict[str, Language]] = {each.name: each for each in (AgentCpm(), UiTars(), BrowserGym())}
"""The languages by name, without the tools of the environment."""


def _named(text: str) -> tuple[str, dict[str, Any]]:
    head = _HEAD.match(text)
    if head is None:
        raise _Wrong("the action must be one call")
    given, end = arguments_at(text, head.end())
    if text[end:].strip():
        raise _Wrong("there must be nothing after the action")
    return head[1], given


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        raise _Wrong(f"a text of at most {LONGEST_TEXT} characters is expected")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise _Wrong("a number is expected")
    return float(value)


def _pixel(value: Any) -> int:
    return round(_number(value))


def _id(value: Any) -> int:
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,5}", text):
        raise _Wrong("an id is the number of an element, written as a text")
    return int(text)


def _direction(value: Any) -> str:
    if not isinstance(value, str) or value not in DIRECTIONS:
        raise _Wrong(f"a direction is one of {', '.join(DIRECTIONS)}")
    return value
