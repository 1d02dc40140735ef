"""Carries out actions on a page with mouse, finger and keyboard."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from envhub.browser.actions import DIRECTIONS, KEYS, Refused, key_named, point
from envhub.browser.page import Page
from envhub.browser.site import ORIGIN
from envhub.core.types import JSON

_SCROLLED: Final = 300
_PARTS: Final = 6
_EVENT_S: Final = 0.02
_REST_S: Final = 1.0
_MODIFIERS: Final = {"Control+A": 2, "Shift+Tab": 8}
_FILL: Final = """function(text) {
  if (this.disabled || this.readOnly) return 'This field cannot be changed.';
  if (['date', 'time', 'color', 'range', 'number'].includes(this.type)) {
    this.focus();
    this.value = text;
    if (this.value !== text) return `Not a value of a field of type ${this.type}.`;
    this.dispatchEvent(new Event('input', {bubbles: true}));
    this.dispatchEvent(new Event('change', {bubbles: true}));
    return 'set';
  }
  if (!['INPUT', 'TEXTAREA'].includes(this.tagName) || ['checkbox', 'radio', 'submit', 'file'].includes(this.type))
    return 'No text can be typed here.';
  this.focus();
  this.select();
  return 'selected';
}"""
_SELECT: Final = """function(text) {
  if (this.tagName !== 'SELECT') return 'This is not a list of options.';
  const found = [...this.options].find(o => o.text.trim() === text.trim());
  if (!found) return 'No such option. Options: ' + [...this.options].map(o => o.text.trim()).join(', ') + '.';
  found.selected = this.multiple ? !found.selected : true;
  this.dispatchEvent(new Event('input', {bubbles: true}));
  this.dispatchEvent(new Event('change', {bubbles: true}));
  return '';
}"""
_WHOLE: Final = ("date", "time", "color", "range", "number")
"""Types of fields whose value is set as a whole, as a picker would."""
_FOCUSED: Final = "document.activeElement?.type || ''"


def act(page: Page, action: Mapping[str, Any]) -> None:
    """Carry out an action.

    Args:
        page: The page.
        action: ``do`` names the action; the rest are its arguments.

    Raises:
        Refused: The action is not possible here; nothing was done.
        BrowserLost: The page is gone.
    """
    _ACTS[action["do"]](page, action)


def _click(page: Page, action: Mapping[str, Any]) -> None:
    x, y = _place(page, action, "")
    if page.screen.touch:
        _touch(page, [(x, y)])
        page.evaluate(f"document.elementFromPoint({x}, {y})?.closest('input[type=range]')?.focus()")
        return
    _mouse(page, "mouseMoved", x, y, buttons=0)
    page.notice()
    _mouse(page, "mousePressed", x, y)
    _mouse(page, "mouseReleased", x, y)


def _hover(page: Page, action: Mapping[str, Any]) -> None:
    """Move the mouse without pressing it. A finger cannot."""
    _mouse(page, "mouseMoved", *_place(page, action, ""), buttons=0)


def _drag(page: Page, action: Mapping[str, Any]) -> None:
    x, y = _place(page, action, "")
    to_x, to_y = _place(page, action, "to_", scroll=False)
    if page.screen.touch:
        _touch(page, _between(x, y, to_x, to_y))
        return
    _mouse(page, "mouseMoved", x, y, buttons=0)
    page.notice()
    _mouse(page, "mousePressed", x, y)
    for part in (1, 2, 3, 4):
        _mouse(page, "mouseMoved", x + (to_x - x) * part / 4, y + (to_y - y) * part / 4)
    _mouse(page, "mouseReleased", to_x, to_y)


def _type(page: Page, action: Mapping[str, Any]) -> None:
    text, number = action["text"], action.get("id")
    focused = page.evaluate(_FOCUSED) if number is None else ""
    if focused.startswith("select"):
        _require(page.evaluate(f"({_SELECT}).call(document.activeElement, {json.dumps(text)})"), "")
        return
    if focused in _WHOLE:
        _require(page.evaluate(f"({_FILL}).call(document.activeElement, {json.dumps(text)})"), "set")
        return
    if number is not None:
        said = page.call_on(page.element(number), _FILL, text)
        if said == "set":
            return
        _require(said, "selected")
        if not text:
            _press(page, "Backspace")
    if text:
        page.write(text)


def _retype(page: Page, action: Mapping[str, Any]) -> None:
    """Replace what the focused field holds."""
    if not page.evaluate(_FOCUSED).startswith("select"):
        _press(page, "Control+A")
    _type(page, action)


def _require(said: Any, expected: str) -> None:
    """Refuse an action unless the page said what was expected."""
    if said != expected:
        raise Refused(str(said)[:1000])


def _key(page: Page, action: Mapping[str, Any]) -> None:
    name = key_named(action["key"])
    if action.get("id") is not None:
        page.call_on(page.element(action["id"]), "function() { this.focus(); }")
    _press(page, name)


def _press(page: Page, name: str) -> None:
    key, code, text = KEYS[name]
    shared = {"key": key, "windowsVirtualKeyCode": code, "modifiers": _MODIFIERS.get(name, 0)}
    commands = ["selectAll"] if name == "Control+A" else []
    page.call(
        "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, commands=commands, **shared
    )
    page.call("Input.dispatchKeyEvent", type="keyUp", **shared)


def _scroll(page: Page, action: Mapping[str, Any]) -> None:
    across, down = DIRECTIONS[action["direction"]]
    x, y = _place(page, action, "") if action.get("x") is not None else _middle(page)
    far = _SCROLLED
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=across * far, deltaY=down * far)


def _swipe(page: Page, action: Mapping[str, Any]) -> None:
    """Move a finger over the screen, which moves the page with it."""
    across, down = DIRECTIONS[action["direction"]]
    x, y = _place(page, action, "")
    _touch(page, _between(x, y, x + across * _SCROLLED, y + down * _SCROLLED))


def _back(page: Page, action: Mapping[str, Any]) -> None:
    page.back()


def _home(page: Page, action: Mapping[str, Any]) -> None:
    page.go(f"{ORIGIN}/")


def _select(page: Page, action: Mapping[str, Any]) -> None:
    _require(page.call_on(page.element(action["id"]), _SELECT, action["option"]), "")


def _wait(page: Page, action: Mapping[str, Any]) -> None:
    """Do nothing; a page with a clock of its own runs."""
    page.idle(action.get("ms", 0))


_ACTS: Final = {
    "click": _click,
    "hover": _hover,
    "drag": _drag,
    "type": _type,
    "retype": _retype,
    "key": _key,
    "scroll": _scroll,
    "swipe": _swipe,
    "back": _back,
    "home": _home,
    "select": _select,
    "wait": _wait,
}


def _place(page: Page, action: Mapping[str, JSON], start: str, *, scroll: bool = True) -> tuple[float, float]:
    """The point that an action names, or the middle of its element."""
    number = action.get(f"{start}id")
    if number is None:
        return point(page.screen, action[f"{start}x"], action[f"{start}y"])
    element = page.element(number)
    if scroll:
        page.call_on(element, "function() { this.scrollIntoViewIfNeeded?.(); }")
    box = page.box(element)
    if box is None or not box[2]:
        raise Refused(f"Element {number} ({element.role}) is not visible, so the mouse cannot reach it.")
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _middle(page: Page) -> tuple[float, float]:
    return page.screen.width // 2, page.screen.height // 2


def _between(x: float, y: float, to_x: float, to_y: float) -> list[tuple[float, float]]:
    """The points of a movement."""
    return [(x + (to_x - x) * part / _PARTS, y + (to_y - y) * part / _PARTS) for part in range(_PARTS + 1)]


def _touch(page: Page, points: Sequence[tuple[float, float]]) -> None:
    """Touch a point, move over others, rest, and let go.

    The times of the events are made up, so that a movement always has the same speed.
    """
    page.touched += _REST_S
    for number, (x, y) in enumerate((*points, points[-1]) if len(points) > 1 else points):
        kind, page.touched = ("touchMove" if number else "touchStart"), page.touched + _EVENT_S
        late = _REST_S if number == len(points) else 0.0  # it rests, so the page does not go on moving
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}], timestamp=page.touched + late)
    page.touched += _REST_S + _EVENT_S
    page.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[], timestamp=page.touched)


def _mouse(page: Page, kind: str, x: float, y: float, buttons: int = 1) -> None:
    button = "left" if buttons else "none"
    page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=buttons)
