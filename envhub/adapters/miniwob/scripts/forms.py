"""Scripts of pages on which texts are typed."""

from __future__ import annotations

import re
from typing import Final

from envhub.adapters.miniwob.scripts.view import (
    Item,
    Lost,
    Script,
    Scripted,
    View,
    choose,
    click,
    drag,
    fill,
    first,
    press,
    wait,
    write,
)


def _enter_text(view: View) -> Script:
    text = view.quoted[0]
    text = text.upper() if "upper case" in view.goal else text.lower() if "lower case" in view.goal else text
    view = yield fill(view.fields[0], text)
    yield click(view.submit)


def _enter_password(view: View) -> Script:
    for number in (0, 1):
        view = yield fill(view.fields[number], view.quoted[0])
    yield click(view.submit)


def _login(view: View) -> Script:
    for number in (0, 1):
        view = yield fill(view.fields[number], view.quoted[number])
        for close in [each for each in view.all("button|a|span|div") if each.text in ("Cancel", "Exit to home page")]:
            if close.text == "Cancel":
                view = yield click(close)
                view = yield fill(view.fields[number], view.quoted[number])
                break
    yield click(view.button("login", "ok", "submit"))


def _enter_date(view: View) -> Script:
    month, day, year = view.found(r"(\d+)/(\d+)/(\d+)")
    view = yield fill(view.one("input"), f"{year}-{month}-{day}")
    yield click(view.submit)


def _enter_time(view: View) -> Script:
    hour, minute, half = view.found(r"(\d+):(\d+) ([AP])M")
    value = int(hour) % 12 + (12 if half == "P" else 0)
    view = yield fill(view.one("input"), f"{value:02}:{minute}")
    yield click(view.submit)


def _cells(view: View) -> dict[str, str]:
    """The pairs of a table with two columns."""
    cells = view.all("td")
    return {one.text: other.text for one, other in zip(cells[::2], cells[1::2], strict=False)}


def _read_table(view: View) -> Script:
    (name,) = view.found(r"value of (.+?) into")
    view = yield fill(view.fields[0], _cells(view)[name])
    yield click(view.submit)


def _read_table_2(view: View) -> Script:
    for number, label in enumerate(view.all("label")):
        view = yield fill(view.fields[number], _cells(view)[label.text.rstrip(":")])
    yield click(view.submit)


def _copy_paste(view: View) -> Script:
    number = int(view.found(r"(\d)\w\w text area")[0]) if "text area below" in view.goal else 1
    view = yield fill(view.fields[0], str(view.all("textarea")[number - 1].has["value"]))
    yield click(view.submit)


def _find_word(view: View) -> Script:
    (number,) = view.found(r"(\d+)\w\w word")
    word = re.sub(r"\W", "", view.one("p").text.split()[int(number) - 1])
    view = yield fill(view.fields[0], word)
    yield click(view.submit)


def _scroll_text(view: View) -> Script:
    area = view.one("textarea")
    word = re.sub(r"\W", "", str(area.has["value"]).split()[-1])
    view = yield fill(view.fields[0], word)
    yield click(view.submit)


def _scroll_text_2(view: View) -> Script:
    area = view.one("textarea")
    view = yield click(area)
    for _ in range(12):
        view = yield press("PageUp" if "to the top" in view.goal else "PageDown")
    yield click(view.submit)


def _transform(view: View) -> Script:
    text = "".join(each.text for each in sorted(view.all("span"), key=lambda each: each.x))
    view = yield fill(view.fields[0], text)
    yield click(view.submit)


def _arithmetic(view: View) -> Script:
    a, sign, b = re.findall(r"-?\d+|[x+/-]", view.one(ident="math-problem").text)[:3]
    value = {"x": int(a) * int(b), "+": int(a) + int(b), "-": int(a) - int(b)}[sign]
    view = yield fill(view.fields[0], str(value))
    yield click(view.submit)


def _algebra(view: View) -> Script:
    left, right = view.one(ident="math-problem").text.split(" = ")
    a, sign, b = left.split()
    if a == "x":
        value = int(right) - int(b) if sign == "+" else int(right) + int(b)
    else:
        value = int(right) - int(a) if sign == "+" else int(a) - int(right)
    view = yield fill(view.fields[0], str(value))
    yield click(view.submit)


def _addition(view: View) -> Script:
    view = yield fill(view.fields[0], str(len(view.all("span", cls="addition-block"))))
    yield click(view.submit)


def _guess(view: View) -> Script:
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        view = yield fill(view.fields[0], str(guess))
        view = yield click(view.submit)
        said = " ".join(each.text for each in view.items).lower()
        if "lower than" in said:
            high = guess - 1
        elif "higher than" in said:
            low = guess + 1
        else:
            return


def _generate(view: View) -> Script:
    kind = first(word for word in ("greater", "less", "even", "odd") if word in view.goal)
    limit = int(re.findall(r"-?\d+", view.goal)[0]) if kind in ("greater", "less") else 0
    for _ in range(30):
        view = yield click(view.button("generate"))
        value = int(view.one(ident="display-number").text)
        fits = {"greater": value > limit, "less": value < limit, "even": value % 2 == 0, "odd": value % 2 != 0}
        if fits[kind]:
            yield click(view.button("submit"))


def _movies(view: View) -> Script:
    genre, director, year = view.found(r"for (\S+) movies directed by (\S+) from year (\d+)")
    values = {"genre": genre, "year": year, "director": director}
    for name, value in values.items():
        view = yield fill(_labelled(view, name), value)
    ends = [each for each in view.items if each.text in ("Submit", "Search", "Go") and each.tag in ("button", "div")]
    yield click(ends[0])


def _labelled(view: View, name: str) -> Item:
    """The field before or after a label, or with a placeholder."""
    words = [
        each
        for each in view.items
        if each.tag == "input" or each.text.lower().startswith(("genre", "year", "director"))
    ]
    before = words[0].tag == "input"
    for at, each in enumerate(words):
        if name in str(each.has.get("placeholder", "")).lower():
            return each
        if name in each.text.lower() and each.tag != "input":
            return words[at - 1] if before else words[at + 1]
    raise Lost(name)


def _autocomplete(view: View) -> Script:
    start = view.found(r'starts with "(.*?)"')[0]
    end = view.found(r'ends with "(.*?)"')[0] if "ends with" in view.goal else ""
    view = yield fill(view.fields[0], start)
    for _ in range(4):
        for each in view.all("div|a|li"):
            if each.text.startswith(start) and each.text.endswith(end):
                view = yield click(each)
                yield click(view.submit)
        view = yield wait(400)


def _spinner(view: View) -> Script:
    wanted = int(view.found(r"Select (-?\d+)")[0])
    for _ in range(30):
        value = int(str(view.one("input").has["value"]) or "0")
        if value == wanted:
            yield click(view.submit)
        view = yield click(view.one("a", cls="ui-spinner-up" if value < wanted else "ui-spinner-down"))


def _terminal(view: View) -> Script:
    area = view.one(ident="terminal")
    view = yield click(area)
    view = yield write("ls\n")
    view = yield wait(200)
    listed = [name for each in view.all("span", cls="output") for name in each.text.split()]
    files = [name for name in listed if re.fullmatch(r"[\w-]+(\.\w+)*", name)]
    if "no file extension" in view.goal:
        name = first(each for each in reversed(files) if "." not in each)
    else:
        (extension,) = view.found(r"extension (\.\S+)")
        name = first(each for each in reversed(files) if each.endswith(extension))
    yield write(f"rm {name}\n")


def _highlight(view: View) -> Script:
    number = int(view.found(r"(\d)\w\w paragraph")[0]) if re.search(r"\d\w\w paragraph", view.goal) else 1
    texts = view.all("p") or view.all("div", ident="randomText")
    item = texts[number - 1]
    wide, high = item.size
    left, top = item.x - wide / 2, item.y - high / 2
    view = yield drag(left + 1, top + 5, left + wide - 1, top + high - 3)
    yield click(view.submit)


def _form_sequence(view: View) -> Script:
    wanted, number = view.found(r"Select (-?\d+) with the slider, click the (\d)")
    view = yield click(view.all("span", cls="ui-slider-handle")[0])
    for _ in range(40):
        now = int(view.one(ident="val").text)
        if now == int(wanted):
            break
        view = yield press("ArrowRight" if now < int(wanted) else "ArrowLeft")
    view = yield click(view.all("input", kind="checkbox")[int(number) - 1])
    yield click(view.submit)


def _form_sequence_2(view: View) -> Script:
    radio, number, box = view.found(r'the (\d)\w\w radio button and enter the number "(-?\d+)" into the (\d)')
    view = yield click(view.all("input", kind="radio")[int(radio) - 1])
    view = yield fill(view.all("input", kind="text")[int(box) - 1], number)
    yield click(view.submit)


def _form_sequence_3(view: View) -> Script:
    option, name = view.found(r'Choose (.+?) from the dropdown, then click the button labeled "(.+?)"')
    view = yield choose(view.one("select"), option)
    yield click(view.button(name))


FORMS: Final[dict[str, Scripted]] = {
    **dict.fromkeys(("enter-text", "enter-text-2", "enter-text-dynamic"), _enter_text),
    "enter-password": _enter_password,
    **dict.fromkeys(("login-user", "login-user-popup"), _login),
    "enter-date": _enter_date,
    "enter-time": _enter_time,
    "read-table": _read_table,
    "read-table-2": _read_table_2,
    **dict.fromkeys(("copy-paste", "copy-paste-2"), _copy_paste),
    "find-word": _find_word,
    "scroll-text": _scroll_text,
    "scroll-text-2": _scroll_text_2,
    "text-transform": _transform,
    "simple-arithmetic": _arithmetic,
    "simple-algebra": _algebra,
    "visual-addition": _addition,
    "guess-number": _guess,
    "generate-number": _generate,
    **dict.fromkeys(("multi-layouts", "multi-orderings"), _movies),
    **dict.fromkeys(("use-autocomplete", "use-autocomplete-nodelay"), _autocomplete),
    "use-spinner": _spinner,
    "terminal": _terminal,
    **dict.fromkeys(("highlight-text", "highlight-text-2"), _highlight),
    "form-sequence": _form_sequence,
    "form-sequence-2": _form_sequence_2,
    "form-sequence-3": _form_sequence_3,
}
