"""Kinds for the mouse: drag into an order, click a shape."""

from __future__ import annotations

from html import escape
from typing import Any, ClassVar

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.kind import Draft, Kind, Step, note
from envhub.envs.tools.gui.words import COLOURS, GOODS

_DRAG = """
const list = document.querySelector('.drag');
let held = null;
if (list) {
  list.addEventListener('pointerdown', event => { held = event.target.closest('li'); event.preventDefault(); });
  document.addEventListener('pointerup', event => {
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest('.drag li');
    if (held && target && target !== held) {
      const items = [...list.children];
      target[items.indexOf(held) < items.indexOf(target) ? 'after' : 'before'](held);
      document.querySelector('[name=order]').value = [...list.children].map(item => item.dataset.name).join(',');
    }
    held = null;
  });
}
"""


class Order(Kind):
    """Drag things into an order.

    A dragged thing takes the place that it is dropped on.
    """

    name: ClassVar[str] = "drag-order"
    titles: ClassVar = ("Ranking", "Playlist", "Queue")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Three to six things."""
        things = rng.sample(GOODS, 3 + size // 3)
        while (wanted := rng.sample(things, len(things))) == things:
            pass
        plan: list[Step] = []
        now = list(things)
        for at, name in enumerate(wanted):
            if now[at] != name:
                plan.append(("drag", "button", name, now[at]))
                now.remove(name)
                now.insert(at, name)
        goal = f"In {title!r}, drag the things into this order from top to bottom: {', '.join(wanted)}. Then save it."
        return Draft(
            {"title": title, "things": things},
            goal,
            {"order": wanted},
            (*plan, ("click", "button", "Save")),
            items=len(things),
        )

    def start(self, data: Any) -> Any:
        """Nothing was saved."""
        return {"order": None}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save an order of all things."""
        order = request.value("order").split(",")
        known = request.method == "POST" and request.path == "/save" and sorted(order) == sorted(data["things"])
        return {"order": order} if known else state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The list and a form with its order."""
        now = state["order"] or data["things"]
        rows = "".join(f'<li role="button" data-name="{escape(name)}">{escape(name)}</li>' for name in now)
        said = note("Saved.") if request.path == "/save" else ""
        form = (
            f'<form method="post" action="./save"><input type="hidden" name="order" value="{escape(",".join(now))}">'
            "<button>Save</button></form>"
        )
        return f'{said}<ul class="drag">{rows}</ul>{form}'

    def script(self) -> str:
        """Moves a thing to where it is dropped."""
        return _DRAG


class Shape(Kind):
    """Click the one shape of a size, a colour and a form."""

    name: ClassVar[str] = "shape"
    titles: ClassVar = ("Shapes", "Sorting box", "Drawing")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Shapes in the cells of a grid; no two are alike."""
        kinds = [[s, c, f] for s in ("small", "large") for c in COLOURS for f in ("circle", "square", "triangle")]
        shapes = rng.sample(kinds, 4 + 2 * size)
        cells = rng.sample(range(30), len(shapes))
        wanted = " ".join(rng.choice(shapes))
        goal = f"In {title!r}, click the {wanted}, once."
        data = {"title": title, "shapes": shapes, "cells": cells}
        return Draft(data, goal, {"clicked": [wanted]}, (("click", "link", wanted),), items=len(shapes))

    def start(self, data: Any) -> Any:
        """Nothing was clicked."""
        return {"clicked": []}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Note which shape was clicked."""
        shape = request.value("shape")
        known = request.path == "/click" and any(shape == " ".join(each) for each in data["shapes"])
        return {"clicked": [*state["clicked"], shape]} if known else state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """A drawing whose shapes are links."""
        said = "".join(note(f"Clicked: {each}.") for each in state["clicked"][-1:])
        drawn = "".join(_drawn(shape, cell) for shape, cell in zip(data["shapes"], data["cells"], strict=True))
        return f'{said}<svg width="480" height="340" style="border:1px solid #888">{drawn}</svg>'


def _drawn(shape: list[str], cell: int) -> str:
    size, colour, form = shape
    x, y, r = 40 + cell % 6 * 80, 34 + cell // 6 * 68, 12 if size == "small" else 28
    marks = {
        "circle": f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/>',
        "square": f'<rect x="{x - r}" y="{y - r}" width="{2 * r}" height="{2 * r}" fill="{colour}"/>',
        "triangle": f'<path d="M{x} {y - r}L{x + r} {y + r}L{x - r} {y + r}Z" fill="{colour}"/>',
    }
    words = f"{size} {colour} {form}"
    return f'<a href="./click?shape={words.replace(" ", "+")}" aria-label="{words}">{marks[form]}</a>'


POINTER = (Order(), Shape())
