"""WebShop's goods and instructions as an environment, from the user's files.

::

    from envhub.adapters.webshop.environments import register
    register()
    folder = "WebShop/data/"
    env = envhub.make("webshop/instructions-v0", items=folder + "items_shuffle_1000.json",
                      attributes=folder + "items_ins_v2_1000.json", people=folder + "items_human_ins.json", difficulty=3)

WebShop's ``setup.sh`` downloads the files. Source: Yao et al. 2022, arXiv 2207.01206. The pages, the search and the reward
are code of ours. Differences from WebShop:

* **Search** is BM25 with integers, over the same text (title, description, first feature, options). Lucene removes endings
  and common words and has other weights, so the order of the results differs.
* **Reward**: two of its rules differ (:mod:`envhub.adapters.webshop.matching`). Only a reward of 1 is solved.
* **Prices**: a range of prices is its middle, and the bound of an instruction is drawn with the task.
* **Tasks** that the product of the instruction cannot solve, or that no search for its title finds in time, are not drawn.
* **Difficulty**: the instructions in ten parts, in the order of the number of attributes and options.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.adapters.shared.user_tasks import tenth
from envhub.adapters.webshop import wording
from envhub.adapters.webshop.goods import Files, Store, bounds, store_of
from envhub.adapters.webshop.matching import Goal, Item, alike, reward
from envhub.adapters.webshop.pages import BUY, State, label, searched, view
from envhub.authoring import Staged, World, rejected
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.envs.tools.webshop.action import ShopAction
from envhub.envs.tools.webshop.pages import SHOWN
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType, Unreadable

__all__ = ["Instructions", "register"]

ID: Final = "webshop/instructions-v0"
_CATEGORY: Final = "webshop"
_MOST_MESSAGES: Final = 100
_ACTION: Final = re.compile(r"(search|click) ?\[([^\n]+)\]", re.IGNORECASE | re.ASCII)
MOST_CHARS: Final = 600
"""Maximum length of an action, stated in the prompt. No task that is drawn needs a longer one."""
_QUERY_WORDS: Final = 30


@dataclass(frozen=True)
class AnyShopAction(ShopAction):
    """An action of WebShop whose button may have any characters."""

    refused: ClassVar[Sequence[str]] = ("buy now", "search[]", "click[]", "search[a] then click[b]")

    def parse(self, text: str) -> tuple[str, str]:
        """Name and argument of an action."""
        text = text.strip()
        if len(text) > MOST_CHARS:
            raise Unreadable(f"the action has {len(text)} characters; it may have at most {MOST_CHARS}. Shorten it.")
        found = _ACTION.fullmatch(text)
        argument = " ".join(found[2].split()).lower() if found else ""
        if found is None or not argument or "click[" in argument or "search[" in argument:
            raise Unreadable("write search[keywords] or click[button], once.")
        return found[1].lower(), argument


class Params(UserFiles):
    """The files, and which of their instructions."""

    digests: ClassVar[Mapping[str, str]] = {
        "items": "items_digest",
        "attributes": "attributes_digest",
        "people": "people_digest",
    }

    items: str = Field("", description="the file of products, such as items_shuffle_1000.json")
    items_digest: str = Field("", description="its SHA-256; what it is now, if not given")
    attributes: str = Field("", description="the file of attributes, such as items_ins_v2_1000.json")
    attributes_digest: str = Field("", description="its SHA-256; what it is now, if not given")
    people: str = Field("", description="the file of instructions by people, items_human_ins.json")
    people_digest: str = Field("", description="its SHA-256; what it is now, if not given")
    goals: Literal["human", "synthetic"] = Field("human", description="who wrote the instructions")
    level: int | None = Field(None, ge=1, le=10, description="which tenth of the instructions, by conditions")
    messages: int = Field(20, ge=4, le=_MOST_MESSAGES, description="messages allowed")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """A tenth of the instructions."""
        return cls(level=difficulty)

    def where(self) -> Files:
        """Paths and digests."""
        return Files(*(getattr(self, name) for name in Files._fields))

    def look(self) -> None:
        """Read the files."""
        self.rows()

    def rows(self) -> Sequence[Goal]:
        """The instructions of the level."""
        ordered = _ordered(self.where(), self.goals)
        if self.level is None:
            return ordered
        return tenth(ordered, self.level)


@lru_cache(maxsize=8)
def _ordered(files: Files, goals: str) -> Sequence[Goal]:
    store = store_of(files)
    written = store.human if goals == "human" else store.synthetic
    found = [goal for goal in written if _picked(goal, store.items[goal.asin]) is not None]
    if not found:
        raise InvalidParameters(f"There are no {goals} instructions for the products of {files.items!r}.")
    return sorted(found, key=lambda goal: (len(goal.attributes) + len(goal.options), goal.asin, goal.text))


class Instructions(World):
    """Buy what an instruction describes."""

    Params = Params
    answer: AnswerType = AnyShopAction()
    files: ClassVar[tuple[str, ...]] = ("items", "attributes", "people")
    components: ClassVar[frozenset[str]] = frozenset({"attributes", "options", "price", "kind"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    cycles: ClassVar[tuple[tuple[str, ...], ...]] = (("search[red tea]", f"click[{BUY}]"),)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """An instruction with a price bound.

        The split is decided on its text.
        """
        goal, store = rng.choice(p.rows()), store_of(p.where())
        yield goal.text
        item = store.items[goal.asin]
        if p.goals == "synthetic":
            options = {group: rng.choice(values) for group, values in sorted(item.options.items()) if values}
            said = ", and ".join(f"{group}: {value}" for group, value in options.items())
            text = f"{goal.text} with {said}" if said else goal.text
            goal = goal._replace(options=tuple(options.values()), text=text)
        above = bounds(item.cents)
        if len(above) >= 2:
            most = max(rng.sample(above, 2))
            goal = goal._replace(most=most, text=f"{goal.text}, and price lower than {most // 100}.00 dollars")
        query = _query(item.name)
        picks = _picked(goal, item)
        if picks is None or (steps := _steps(store, goal.asin, query, len(picks))) is None or steps > p.messages:
            return None
        problem = {
            "instruction": goal.text,
            "goods": len(store.items),
            "messages": p.messages,
            "page": view(store, State()).shown(),
            "files": list(p.where()),
        }
        return Instance(problem, {"goal": list(goal), "query": query, "picks": picks, "steps": steps})

    def canonical(self, content: JSON) -> JSON:
        """The instruction, ignoring case and spacing, without its bound of the price."""
        text = content if isinstance(content, str) else content["instruction"]
        return " ".join(re.sub(r", and price lower than \d+\.00 dollars$", "", text).split()).casefold()

    def prompt(self, problem: JSON) -> Statement:
        """The instruction, the rules and the first page."""
        return wording.statement(problem, MOST_CHARS)

    def messages(self, problem: JSON) -> int:
        """As the parameters say."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """On the first page."""
        return State()

    def act(self, inst: Instance, state: State, value: tuple[str, str], rng: Stream) -> Turn:
        """Search or press a button."""
        store, (name, argument) = _store(inst), value
        if name == "search":
            return self._next(inst, searched(state, argument))
        page = view(store, state)
        pressed = page.named(argument)
        if pressed is None:
            seen = f"Nothing happened: this page has no button {argument[:60]!r}."
            return rejected(self._next(inst, state, seen), "illegal")
        after = page.buttons[pressed]
        return Turn.end(state, _verdict(inst, state)) if after is None else self._next(inst, after)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message still counts."""
        return self._next(inst, state, f"Nothing happened: {feedback}")

    def solve(self, inst: Instance, state: State) -> str:
        """Search for the title, open the product, choose its options, buy it."""
        key, store = inst.key, _store(inst)
        asin = key["goal"][0]
        if state.code == asin and state.place == "item":
            chosen = dict(state.chosen)
            left = [(group, value) for group, value in key["picks"] if chosen.get(group) != value]
            return f"click[{label(store.items[asin], *left[0])}]" if left else f"click[{BUY}]"
        if state.place == "results" and state.query == key["query"].lower():
            page = store.search(state.query).index(asin) // SHOWN
            return f"click[{asin}]" if page == state.at else "click[Next >]"
        return f"search[{key['query']}]"

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every button of the page."""
        return [f"click[{each}]" for each in view(_store(inst), state).buttons]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Search for the instruction, and buy the first result."""
        return self.answer.wrap(self._greedy(inst, state))

    def _greedy(self, inst: Instance, state: State) -> str:
        if state.place == "search":
            return f"search[{_query(inst.problem['instruction'])}]"
        if state.place == "results":
            found = _store(inst).search(state.query)
            return f"click[{found[0]}]" if found else "search[red]"
        return f"click[{BUY}]"

    def effort(self, inst: Instance) -> float:
        """Steps of the oracle, and conditions."""
        goal = Goal(*inst.key["goal"])
        return float(inst.key["steps"] + len(goal.attributes) + len(goal.options))

    def _next(self, inst: Instance, state: State, seen: str = "") -> Turn:
        state = state._replace(messages=state.messages + 1)
        if state.messages >= inst.problem["messages"]:
            return Turn.end(state, self.exhausted(inst, state), f"{seen}\n\nThat was the last message.".strip())
        shown = view(_store(inst), state).shown()
        return Turn(state, f"{seen}\n\n{shown}" if seen else shown)


def _store(inst: Instance) -> Store:
    return store_of(Files(*inst.problem["files"]))


def _verdict(inst: Instance, state: State) -> Verdict:
    goal, store = Goal(*inst.key["goal"]), _store(inst)
    found = reward(goal, store.items[goal.asin], store.items[state.code], [value for _, value in state.chosen])
    solved = found.total == 1.0
    words = "The purchase fits the instruction." if solved else "The purchase does not fit the instruction entirely."
    parts = {"attributes": found.attributes, "options": found.options, "price": found.price, "kind": found.kind}
    return Verdict(found.total, solved=solved, feedback=words).noting(None, **parts)


def _picked(goal: Goal, item: Item) -> list[list[str]] | None:
    """Options that can be clicked, with which the product is right.

    None without any.
    """
    picks: dict[str, str] = {}
    for wanted in goal.options:
        places = [(group, value) for group, values in item.options.items() for value in values if alike(value, wanted)]
        best = next((each for each in places if each[1] == wanted), places[0] if places else None)
        if best is None:
            return None
        picks.setdefault(*best)
    right = reward(goal, item, item, list(picks.values())).total == 1.0
    writable = all(_is_writable(f"click[{label(item, *each)}]") for each in picks.items())
    return [list(each) for each in picks.items()] if right and writable else None


def _query(text: str) -> str:
    """The first words of a text that fit a search."""
    words = re.findall(r"\w+", text)[:_QUERY_WORDS]
    while words and len(f"search[{' '.join(words)}]") > MOST_CHARS:
        words.pop()
    return " ".join(words)


def _is_writable(action: str) -> bool:
    """Whether an action can be sent.

    An option may be too long, or look like an action.
    """
    return AnyShopAction().read(AnyShopAction().wrap(action)).reason is None


def _steps(store: Store, asin: str, query: str, options: int) -> int | None:
    """Steps of the oracle; None if no search finds the product."""
    found = store.search(query)
    return 3 + found.index(asin) // SHOWN + options if asin in found else None


def register() -> EnvSpec:
    """Register ``webshop/instructions-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{Instructions.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=_CATEGORY, source=_CATEGORY)
