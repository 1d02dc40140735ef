"""preference-v0: find out what somebody wants, and propose it.

A simulated user wants something made (a poster, a cake, a garden) and has one option of every feature in mind. Action: one tool
call a message. ``ask`` puts a question, in any words, about one feature; the user answers by rules, always the same: with the
option, with its group, with what it is not, with what it depends on, or that it has to be seen. ``propose`` shows a whole; the
user accepts it, or says what does not fit, or how much. Score 1 if a proposal is accepted before the messages are used up,
else 0.

The component ``fitting`` is the share of features that the last proposal has right; it is no reward, asking and proposing on
do not add to it, and only the accepted proposal has 1. Difficulty: more features, answers that leave more open, a user who only
counts what is wrong, and fewer spare messages; its measure is the messages that a reference needs which asks about
everything and then proposes what still fits. The messages allowed are never fewer.

What is hidden is what the user wants, so splits are divided by seed.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.author import BaseParams, ToolEnv, rejected, tool, write_call
from envhub.generators.wishes import (
    Manner,
    Theme,
    User,
    answer,
    asked,
    draw_theme,
    draw_user,
    messages_needed,
    options_of,
    wrong,
)
from envhub.seeding import Stream
from envhub.tools import Malformed, read_calls
from envhub.types import JSON, Instance, Turn, Verdict
from envhub.verifiers.extraction import drop_end_tokens, drop_thinking

_MOST_MESSAGES: Final = 48
# features, vague, excluding, depends, unsure, named, least, most, spare
_LEVELS: Final[tuple[tuple[int, int, int, int, int, bool, int, int, int], ...]] = (
    (3, 0, 0, 0, 0, True, 4, 4, 2),
    (4, 20, 10, 0, 0, True, 5, 6, 2),
    (4, 50, 20, 0, 0, True, 6, 7, 2),
    (5, 50, 20, 10, 0, True, 7, 8, 2),
    (5, 40, 20, 10, 1, True, 8, 9, 3),
    (6, 40, 20, 20, 1, False, 10, 11, 3),
    (7, 40, 20, 20, 1, False, 12, 12, 3),
    (8, 40, 20, 20, 1, False, 13, 14, 2),
    (9, 40, 20, 20, 1, False, 15, 15, 2),
    (9, 45, 10, 20, 2, False, 16, 18, 2),
)


class Params(BaseParams):
    """What is to be made, how clearly the user speaks, and how patient the user is."""

    features: int = Field(4, ge=2, le=9, description="how many features there are")
    vague: int = Field(30, ge=0, le=100, description="per cent of features of which only the group is told")
    excluding: int = Field(0, ge=0, le=100, description="per cent of which is told what is not wanted")
    depends: int = Field(0, ge=0, le=100, description="per cent that depend on another")
    unsure: int = Field(0, ge=0, le=2, description="how many the user has to see")
    named: bool = Field(True, description="whether the user names what is wrong with a proposal, or only counts")
    least: int = Field(4, ge=3, le=40, description="messages that the reference needs at least")
    most: int = Field(12, ge=3, le=40, description="and at most")
    spare: int = Field(2, ge=0, le=8, description="messages allowed beyond that")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        values: dict[str, Any] = dict(zip(cls.model_fields, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)


class State(NamedTuple):
    """Messages so far, features that were asked about, and the share that the last proposal has right."""

    messages: int = 0
    heard: frozenset[str] = frozenset()
    fitting: float = 0.0


class Preference(ToolEnv):
    """Find out what somebody wants, and propose it."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"fitting"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    counted: ClassVar[bool] = False  # it counts its messages itself

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A theme and a user, for whom the reference does not need too long; the user is the key."""
        theme = draw_theme(rng, p.features)
        user = draw_user(rng, theme, Manner(p.vague, p.excluding, p.depends, p.unsure))
        needed = messages_needed(theme, user, p.named)
        if needed is None or not p.least <= needed <= p.most:
            return None
        # the same for every task of a level: how many this user needs would tell something of what is hidden
        problem = {**theme._asdict(), "named": p.named, "messages": p.most + p.spare}
        return Instance(problem, key={**user._asdict(), "needed": needed})

    def prompt(self, problem: JSON) -> str:
        """What is to be made, and how one talks to the user."""
        lines = []
        for feature, groups in problem["features"].items():
            told = "; ".join(f"{group}: {', '.join(options)}" for group, options in groups.items())
            lines.append(f"- {feature}: {told}")
        named = problem["named"]
        says = "names the features that are not as wanted" if named else "says how many features are not as wanted"
        return (
            f"Somebody wants {problem['name']} made and has exactly one option of every feature in mind. These are the "
            "features with their options, in groups:\n\n"
            + "\n".join(lines)
            + "\n\nFind out what is wanted and propose it. "
            "Every message is one call: ask, with a question in your own words about one feature, which you name; or propose, "
            f"with an option for every feature. If a proposal is not right, the user {says}. Answers are true and never "
            f"change. You have {problem['messages']} messages; a message that is no such call is used up too."
        )

    def instruction(self) -> str:
        """The two calls, with examples that are made up."""
        ask = write_call("ask", question="Which flavour would you like?")
        propose = write_call("propose", values={"flavour": "mint", "cup": "tall"})
        return f"Write a call like this:\n{ask}\nor\n{propose}"

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing has been said."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Turn:
        """The first call of a message; what follows it is not heard."""
        calls = read_calls(drop_thinking(drop_end_tokens(action)), self.tools)
        call = calls[0]
        if isinstance(call, Malformed):
            return rejected(self._next(inst, state, call.feedback), "malformed")
        state, shown = getattr(self, call.name)(inst, state, **call.arguments)
        if isinstance(shown, Verdict):
            return Turn.end(state, shown)
        more = " One call a message is heard; the others were not." if len(calls) > 1 else ""
        return self._next(inst, state, shown + more)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """What is too long to be read is a message too."""
        return self._next(inst, state, feedback)

    @tool
    def ask(self, inst: Instance, state: State, question: str) -> tuple[State, str]:  # noqa: D417
        """Ask the user about one feature.

        Args:
            question: a question that names the feature
        """
        theme, user = _read(inst)
        about = asked(theme, question)
        if len(about) != 1:
            return state, f"Please ask me about one thing at a time: {', '.join(theme.features)}."
        return state._replace(heard=state.heard | {about[0]}), answer(theme, user, about[0])

    @tool
    def propose(self, inst: Instance, state: State, values: dict[str, str]) -> tuple[State, str | Verdict]:  # noqa: D417
        """Propose an option for every feature.

        Args:
            values: option by feature
        """
        theme, user = _read(inst)
        for feature in theme.features:
            if values.get(feature) not in options_of(theme, feature):
                return (
                    state,
                    f"A proposal names an option for every feature; the {feature} is missing or none of its options.",
                )
        if len(values) > len(theme.features):
            return state, f"A proposal has these features and no others: {', '.join(theme.features)}."
        missed = wrong(user, values)
        state = state._replace(fitting=1 - len(missed) / len(user.wants))
        if not missed:
            return state, Verdict.exact(True, "That is exactly what I want.").noting(None, fitting=1.0)
        said = f"not as I want: {', '.join(missed)}" if inst.problem["named"] else f"{len(missed)} not as I want"
        return state, f"Not quite: {said}."

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The user has no patience left."""
        return super().exhausted(inst, state).noting(None, fitting=state.fitting)

    def solve(self, inst: Instance, state: State) -> str:
        """A question about every feature, then what is wanted."""
        for feature in inst.problem["features"]:
            if feature not in state.heard:
                return write_call("ask", question=f"What should the {feature} be?")
        return write_call("propose", values=inst.key["wants"])

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random proposal."""
        theme, _ = _read(inst)
        return write_call("propose", values={f: rng.choice(options_of(theme, f)) for f in theme.features})

    def effort(self, inst: Instance) -> float:
        """Messages that the reference needs."""
        return float(inst.key["needed"])

    def _next(self, inst: Instance, state: State, shown: str) -> Turn:
        state = state._replace(messages=state.messages + 1)
        left = inst.problem["messages"] - state.messages
        if left <= 0:
            return Turn.end(state, self.exhausted(inst, state), f"{shown}\n\nThat was the last message.")
        return Turn(state, f"{shown}\n\nMessages left: {left}.")


def _read(inst: Instance) -> tuple[Theme, User]:
    problem, key = inst.problem, inst.key
    return Theme(problem["name"], problem["features"]), User(key["wants"], key["says"], key["facts"])
