"""preference-v1: ask a user what matters, and recommend one of the offers.

Action: tool calls, up to eight in a message. ``say`` asks a simulated user in any words; the user answers each feature that
the message names, and each such answer is a question that counts. ``recommend`` names one offer and ends the task. Flights,
flats and laptops have prices and features. Users have one of three tastes of each feature, which the prompt states, but
not which one: not caring, or a penalty in dollars. The best offer has the least price plus penalties.

The score is 1 less the regret, as a share of the difference between the worst and the best offer, and less a tenth for each
question beyond the number that the best strategy needs in the worst case. This number is stated, and is the exact
minimum over all strategies, found by search; the oracle follows such a strategy and sees only the answers it was
given. Solved: the best offer, with no more questions. A policy that asks nothing finds the best offer for at most half of all
users of a task.

Components: ``fit`` (1 less the share of regret) and ``extra`` (questions beyond the stated number). Difficulty: more features,
features in which all offers agree, more offers. Effort is the number of questions, and of levels and prices to compare. The
user's tastes are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.recommend import wording
from envhub.envs.tools.recommend.bank import BANK
from envhub.envs.tools.recommend.offers import TASTES, Market, best_question, draw_market, questions_needed, search_of
from envhub.envs.tools.recommend.user import STYLES, User, reply, taste_in_words

_TRIES: Final = 40
_GUESSED: Final = 0.5
_CHARGE: Final = 0.1
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRST"
Text = Annotated[str, Field(max_length=2_000)]
# features, idle, offers
_LEVELS: Final = (
    (2, 0, 4),
    (3, 1, 4),
    (3, 0, 5),
    (4, 1, 6),
    (5, 2, 7),
    (5, 1, 8),
    (6, 2, 10),
    (6, 1, 10),
    (7, 2, 12),
    (7, 1, 14),
)


class Params(BaseParams):
    """What is on offer."""

    thing: Literal["any", "flight", "flat", "laptop"] = Field("any", description="what the user looks for")
    features: int = Field(3, ge=2, le=7, description="features of the offers")
    idle: int = Field(0, ge=0, le=5, description="features in which all offers agree")
    offers: int = Field(5, ge=3, le=20, description="number of offers")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if not 2 <= self.features - self.idle <= 6:
            raise ValueError("2 <= features - idle <= 6 must hold")
        if 2 ** (self.features - self.idle) < self.offers:
            raise ValueError("offers <= 2 ** (features - idle) must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        features, idle, offers = _LEVELS[difficulty - 1]
        return cls(features=features, idle=idle, offers=offers)


class State(NamedTuple):
    """Answers heard so far, and the number of questions."""

    heard: frozenset[str] = frozenset()
    questions: int = 0


class Recommend(ToolEnv):
    """Ask a user, and recommend an offer."""

    Params = Params
    slow: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"fit", "extra"})
    max_turns: ClassVar[int] = 16
    guessable: ClassVar[tuple[float, str]] = (
        _GUESSED,
        "Of the users of a task, at most half have the same best offer; tasks with another one are not drawn.",
    )

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Offers, none of them the best for most users, and a user."""
        thing = rng.choice(list(BANK)) if p.thing == "any" else p.thing
        for _ in range(_TRIES):
            market = draw_market(rng, thing, p.features, p.idle, p.offers)
            if search_of(market).shares[0] <= _GUESSED:
                break
        else:
            return None
        tastes = [rng.below(TASTES) for _ in market.features]
        problem = {
            "thing": thing,
            "features": list(market.features),
            "units": [list(pair) for pair in market.units],
            "offers": [list(levels) for levels in market.offers],
            "prices": list(market.prices),
        }
        yield {**problem, "tastes": tastes}
        key = {"tastes": tastes, "style": rng.below(STYLES)}
        return Instance({**problem, "questions": questions_needed(market)}, key)

    def prompt(self, problem: JSON) -> Statement:
        """The offers, what users may want, and how recommendations are graded."""
        market = _market(problem)
        offers = {
            letter: {
                **{
                    name: BANK[market.thing][name].levels[level]
                    for name, level in zip(market.features, levels, strict=True)
                },
                "price": price,
            }
            for letter, levels, price in zip(_LETTERS, market.offers, market.prices, strict=False)
        }
        tastes = {
            name: [taste_in_words(market.thing, name, taste, pair) for taste in (1, 2)]
            for name, pair in zip(market.features, market.units, strict=True)
        }
        return wording.statement({**problem, "offers": offers, "tastes": tastes})

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing has been asked."""
        return State()

    @tool
    def say(self, inst: Instance, state: State, message: Text) -> tuple[State, str]:  # noqa: D417
        """Ask the user something; returns the user's reply.

        Args:
            message: what you say
        """
        asked, said = reply(_user(inst), message)
        state = State(state.heard | set(asked), state.questions + len(asked))
        return state, f"User: {said}\nQuestions so far: {state.questions}"

    @tool
    def recommend(self, inst: Instance, state: State, offer: str) -> tuple[State, str | Verdict]:  # noqa: D417
        """Recommend one offer. This ends the task.

        Args:
            offer: the letter of the offer
        """
        letters = _LETTERS[: len(inst.problem["offers"])]
        if len(offer) != 1 or offer not in letters:
            return state, f"recommend: the offers are {', '.join(letters)}, got {offer[:40]!r}."
        costs = _market(inst.problem).costs(tuple(inst.key["tastes"]))
        least, most, paid = min(costs), max(costs), costs[letters.index(offer)]
        fit = 1 - (paid - least) / (most - least)
        extra = max(0, state.questions - inst.problem["questions"])
        said = (
            "It is the best offer" if paid == least else f"It costs the user ${paid - least} more than the best offer"
        )
        return state, Verdict(
            score=max(0.0, fit - _CHARGE * extra),
            solved=paid == least and extra == 0,
            components={"fit": fit, "extra": float(extra)},
            feedback=f"{said}, with {extra} questions too many.",
        ).noting(offer)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """Nothing was recommended."""
        extra = max(0, state.questions - inst.problem["questions"])
        return super().exhausted(inst, state).noting(None, fit=0.0, extra=float(extra))

    def solve(self, inst: Instance, state: State) -> str:
        """The next optimal question, or the offer once it is settled."""
        market = _market(inst.problem)
        known = {
            name: taste for name, taste in zip(market.features, inst.key["tastes"], strict=True) if name in state.heard
        }
        feature = best_question(market, known)
        if feature is not None:
            return _ask(market, market.features[feature])
        settled = search_of(market).settled(tuple(known.get(name) for name in market.features))
        return write_call("recommend", offer=_LETTERS[settled or 0])

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Several questions at once, and after small talk or unknown offers."""
        market = _market(inst.problem)
        calls, state = list[str](), State()
        while "recommend" not in (call := self.solve(inst, state)):
            calls.append(call)
            name = next(name for name in market.features if call == _ask(market, name))
            state = State(state.heard | {name}, state.questions + 1)
        yield ["\n".join([*calls, call])]
        yield [write_call("say", message="Hello!"), *calls, write_call("recommend", offer="Z"), call]
        best = _LETTERS[_costs(inst).index(min(_costs(inst)))]
        yield [write_call("recommend", offer=best)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Other offers, all at once, and the best after too many questions."""
        market, costs = _market(inst.problem), _costs(inst)
        best = _LETTERS[costs.index(min(costs))]
        for letter, cost in zip(_LETTERS, costs, strict=False):
            if cost > min(costs):
                yield [write_call("recommend", offer=letter)]
        yield [write_call("recommend", offer=", ".join(_LETTERS[: len(costs)]))]
        every = [_ask(market, name) for name in market.features] * (2 + inst.problem["questions"])
        message = " ".join(BANK[market.thing][name].phrases[0] for name in market.features)
        again = write_call("say", message=f"Tell me about {message}.")
        yield [*([again] * 4), write_call("recommend", offer=best)]
        yield ["\n".join([*every[: 1 + inst.problem["questions"]], write_call("recommend", offer=best)])]

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A question about any feature, or any offer."""
        market = _market(inst.problem)
        if rng.below(3):
            return _ask(market, rng.choice(market.features))
        return write_call("recommend", offer=_LETTERS[rng.below(len(market.offers))])

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """The offer with the least price."""
        prices = inst.problem["prices"]
        return write_call("recommend", offer=_LETTERS[prices.index(min(prices))])

    def effort(self, inst: Instance) -> float:
        """Questions, and levels and prices to compare."""
        problem = inst.problem
        return float(4 * problem["questions"] + len(problem["offers"]) * (1 + len(problem["features"])) / 4)


def _market(problem: JSON) -> Market:
    return Market(
        problem["thing"],
        tuple(problem["features"]),
        tuple((one, two) for one, two in problem["units"]),
        tuple(map(tuple, problem["offers"])),
        tuple(problem["prices"]),
    )


def _user(inst: Instance) -> User:
    market = _market(inst.problem)
    return User(market.thing, market.features, market.units, tuple(inst.key["tastes"]), inst.key["style"])


def _costs(inst: Instance) -> list[int]:
    return _market(inst.problem).costs(tuple(inst.key["tastes"]))


def _ask(market: Market, name: str) -> str:
    """A question about one feature."""
    return write_call("say", message=f"What do you think of this: {BANK[market.thing][name].phrases[0]}?")
