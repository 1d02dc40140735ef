"""A wiki: categories, search, linked articles, forms, histories and a watch list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, button, note, table
from envhub.envs.tools.gui.words import PEOPLE, TOWNS
from envhub.envs.tools.gui_site.app import (
    App,
    Draw,
    Goal,
    Scene,
    anchor,
    bounded,
    click,
    fields,
    form,
    listing,
    press,
    turned,
    write,
)

_REGIONS: Final = ("Northmark", "Eastvale", "Southreach", "Westfold", "Midlands", "Isles")
_RIVERS: Final = ("Arrow", "Bellow", "Cinder", "Dove", "Elder", "Fern")
_KINDS: Final = ("Towns", "Regions", "Rivers")
_NUMBERS: Final = {"Towns": ("Population", "Founded"), "Regions": ("Area",), "Rivers": ("Length",)}


class Wiki(App):
    """Articles on towns, regions and rivers.

    A town lies in a region and on a river; a region has a capital. The state holds the versions of each article's numbers,
    with the summary of each edit, and the watch list.
    """

    name: ClassVar[str] = "wiki"
    title: ClassVar[str] = "Wiki"
    menu: ClassVar = (*((kind, f"/category?name={kind}") for kind in _KINDS), ("Watch list", "/watched"))

    @property
    def goals(self) -> Mapping[str, Draw]:
        """Edit, follow links and edit, revert, watch, answer a question."""
        return {"edit": self._edit, "chain": self._chain, "undo": self._undo, "watch": self._watch, "ask": self._ask}

    def build(self, rng: Stream, size: int) -> Any:
        """Eight to twenty towns in a few regions."""
        regions = rng.sample(_REGIONS, 2 + size // 3)
        rivers = rng.sample(_RIVERS, 2 + size // 3)
        towns = rng.sample(TOWNS, min(len(TOWNS), 6 + 2 * size))
        mayors = rng.sample(PEOPLE, len(towns))
        numbers = rng.sample(range(1000, 100_000), 2 * len(towns) + 20)
        articles = []
        for at, (town, mayor) in enumerate(zip(towns, mayors, strict=True)):
            region, river = regions[at % len(regions)], rng.choice(rivers)
            versions: list[list[Any]] = [
                [{"Population": numbers[2 * at], "Founded": rng.between(900, 1900)}, "Created"]
            ]
            for edit in range(rng.below(3)):
                changed = {**versions[-1][0], "Population": numbers[2 * at + 1] + edit}
                versions.append([changed, rng.choice(("New census", "Typing error", "Test"))])
            facts = [["Mayor", mayor], ["Region", region], ["River", river]]
            articles.append({"id": town, "kind": "Towns", "facts": facts, "versions": versions})
        for at, region in enumerate(regions):
            capital = rng.choice([each["id"] for each in articles if ["Region", region] in each["facts"]])
            versions = [[{"Area": numbers[-1 - at]}, "Created"]]
            articles.append({"id": region, "kind": "Regions", "facts": [["Capital", capital]], "versions": versions})
        for at, river in enumerate(rivers):
            versions = [[{"Length": numbers[-11 - at] // 100 + 10}, "Created"]]
            articles.append(
                {"id": river, "kind": "Rivers", "facts": [["Source", rng.choice(towns)]], "versions": versions}
            )
        return {"articles": sorted(articles, key=lambda each: str(each["id"]))}

    def start(self, data: Any) -> Any:
        """All articles as they are."""
        return {"articles": {each["id"]: each["versions"] for each in data["articles"]}, "watched": []}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save, restore or watch."""
        article = _article(data, request)
        if request.method != "POST" or article is None:
            return state
        title, versions = article["id"], state["articles"][article["id"]]
        if request.path == "/saved":
            asked = _entered(article, request)
            return state if asked is None else _edited(state, title, *asked)
        if request.path == "/restored" and request.value("version") in {str(at + 1) for at in range(len(versions))}:
            number = int(request.value("version"))
            return _edited(state, title, versions[number - 1][0], f"Restored version {number}")
        if request.path == "/watch":
            kept = [each for each in state["watched"] if each != title]
            return {**state, "watched": kept if title in state["watched"] else sorted([*kept, title])}
        return state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """A category, the watch list, an article, its form or its history."""
        article = _article(data, request)
        if request.path == "/watched":
            return f"<h2>Watch list</h2><ul>{''.join(f'<li>{escape(each)}</li>' for each in state['watched'])}</ul>"
        if article is None:
            kind = request.value("name") if request.value("name") in _KINDS else _KINDS[0]
            rows = [[anchor(each["id"], "/article", title=each["id"])] for each in _of(data, kind)]
            return f"<h2>{kind}</h2>{listing(('Article',), rows, request)}"
        versions = state["articles"][article["id"]]
        if request.path == "/history":
            return _history(article, versions)
        if request.path == "/edit":
            given = [_text(name, str(value)) for name, value in versions[-1][0].items()]
            return f"<h2>Edit {article['id']}</h2>" + form(
                "./saved", fields([*given, _text("Summary", "")]), "Save", title=article["id"]
            )
        return _shown(data, article, versions[-1][0], state, request)

    # -- goals -------------------------------------------------------------------------------------------------------

    def _edit(self, scene: Scene) -> Goal | None:
        article = scene.one(scene.data["articles"])
        if article is None:
            return None
        return _changed(scene, article, f"In the article {article['id']}", _to_article(scene.data, article))

    def _chain(self, scene: Scene) -> Goal | None:
        town = scene.one(_of(scene.data, "Towns"))
        if town is None:
            return None
        region = _by_title(scene.data, dict(town["facts"])["Region"])
        capital = _by_title(scene.data, dict(region["facts"])["Capital"])
        river = _by_title(scene.data, dict(capital["facts"])["River"])
        if river["id"] in scene.taken:
            return None
        path = (*_to_article(scene.data, town), *(click(each["id"]) for each in (region, capital, river)))
        words = f"In the article on the river of the capital of the region in which {town['id']} lies"
        return _changed(scene, river, words, path)

    def _undo(self, scene: Scene) -> Goal | None:
        known = [each for each in scene.data["articles"] if len(scene.state["articles"][each["id"]]) > 1]
        article = scene.one(known)
        if article is None:
            return None
        versions = scene.state["articles"][article["id"]]
        number = len(versions) - 1
        words = f"Undo the last edit of the article {article['id']}: restore the version before it."
        plan = (*_to_article(scene.data, article), click("History"), press(f"Restore version {number}"))
        after = _edited(scene.state, article["id"], versions[number - 1][0], f"Restored version {number}")
        return Goal(words, plan, after, touched=frozenset({article["id"]}))

    def _watch(self, scene: Scene) -> Goal | None:
        region = scene.rng.choice(_of(scene.data, "Regions"))["id"]
        towns = [each for each in _of(scene.data, "Towns") if ["Region", region] in each["facts"]]
        if len(towns) > 5 or scene.state["watched"]:
            return None
        plan = tuple(step for each in towns for step in (*_to_article(scene.data, each), press("Watch")))
        words = f"Watch the article of each town in {region}, and no other article."
        return Goal(words, plan, {**scene.state, "watched": sorted(each["id"] for each in towns)})

    def _ask(self, scene: Scene) -> Goal | None:
        river = scene.rng.choice(_of(scene.data, "Rivers"))
        source = _by_title(scene.data, dict(river["facts"])["Source"])
        region = _by_title(scene.data, dict(source["facts"])["Region"])
        capital = _by_title(scene.data, dict(region["facts"])["Capital"])
        words = f"Report the mayor of the capital of the region in which the source of the river {river['id']} lies."
        plan = (*_to_article(scene.data, river), *(click(each["id"]) for each in (source, region, capital)))
        return Goal(words, plan, scene.state, str(dict(capital["facts"])["Mayor"]))


def _article(data: Any, request: Request) -> Any:
    return next((each for each in data["articles"] if each["id"] == request.value("title")), None)


def _by_title(data: Any, title: str) -> Any:
    return next(each for each in data["articles"] if each["id"] == title)


def _of(data: Any, kind: str) -> list[Any]:
    return [each for each in data["articles"] if each["kind"] == kind]


def _text(name: str, value: str) -> Field:
    return {"type": "text", "name": name, "value": value}


def _to_article(data: Any, article: Any) -> tuple[Step, ...]:
    """The steps that open an article by its category."""
    position = _of(data, article["kind"]).index(article)
    return (click(article["kind"]), *turned(position), click(article["id"]))


def _changed(scene: Scene, article: Any, where: str, path: tuple[Step, ...]) -> Goal:
    """A goal that changes one number of an article."""
    name, summary = scene.rng.choice(_NUMBERS[article["kind"]]), f"Correction {scene.rng.between(100, 999)}"
    now = scene.state["articles"][article["id"]][-1][0]
    value = now[name] + scene.rng.between(1, 500)
    words = f'{where}, change "{name}" to {value}, with the summary "{summary}".'
    plan = (*path, click("Edit"), write(name, str(value)), write("Summary", summary), press("Save"))
    after = _edited(scene.state, article["id"], {**now, name: value}, summary)
    return Goal(words, plan, after, touched=frozenset({article["id"]}))


def _edited(state: Any, title: str, numbers: Mapping[str, int], summary: str) -> Any:
    """The state with one more version of an article."""
    versions = [*state["articles"][title], [dict(numbers), summary]]
    return {**state, "articles": {**state["articles"], title: versions}}


def _entered(article: Any, request: Request) -> tuple[dict[str, int], str] | None:
    """A form's numbers and summary; None if they are invalid."""
    given = {name: request.value(name).strip() for name in _NUMBERS[article["kind"]]}
    summary = bounded(request.value("Summary"))
    valid = all(text.isascii() and text.isdigit() and len(text) <= 9 for text in given.values())
    return ({name: int(text) for name, text in given.items()}, summary) if valid and summary else None


def _shown(data: Any, article: Any, numbers: Mapping[str, int], state: Any, request: Request) -> str:
    """An article: facts with links, and numbers."""
    title = article["id"]
    said = ""
    if request.path == "/saved":
        said = note("Not saved: numbers and a summary are needed." if _entered(article, request) is None else "Saved.")
    titles = {each["id"] for each in data["articles"]}
    facts = [
        [name, anchor(value, "/article", title=value) if value in titles else escape(value)]
        for name, value in article["facts"]
    ]
    rows: Sequence[Sequence[str]] = [*facts, *([name, str(value)] for name, value in numbers.items())]
    links = "".join(anchor(text, path, title=title) for text, path in (("Edit", "/edit"), ("History", "/history")))
    watch = button("Stop watching" if title in state["watched"] else "Watch", "/watch", title=title)
    return f"{said}<h2>{title}</h2>{table(('Fact', 'Value'), rows)}<nav>{links}</nav>{watch}"


def _history(article: Any, versions: Sequence[Any]) -> str:
    rows = [
        [
            str(at),
            escape(summary),
            escape(", ".join(f"{name} {value}" for name, value in numbers.items())),
            button(f"Restore version {at}", "/restored", title=article["id"], version=str(at)),
        ]
        for at, (numbers, summary) in enumerate(versions, 1)
    ]
    return f"<h2>History of {article['id']}</h2>{table(('Version', 'Summary', 'Numbers', ''), rows)}"
