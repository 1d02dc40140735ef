"""preference-v0: find out a user's preferences by questions and proposals.

A simulated user wants something made (a poster, a cake, a garden) and has one option of each feature in mind. Action:
one tool call per message. ``ask`` puts a question, in any words, about one feature; the user answers by fixed rules:
with the option, its group, the options it is not, what it depends on, or that it has to be seen. ``propose`` proposes
an option for every feature; the user accepts it, or names or counts the features that do not match. Score 1 if a
proposal is accepted before the proposals or the messages are used up, else 0.

The number of proposals is what a good player needs in the worst case after asking about every feature. So every task
can be solved, and proposals without questions fail.

The component ``fitting`` is the share of features that the last proposal has right; only the accepted proposal has 1.
Difficulty: more features, answers that leave more open, and a user who only counts mismatches. The user's wishes are
hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, ToolEnv, rejected, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.tools import Malformed, read_calls
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.preference import wording
from envhub.envs.tools.preference.simulated_user import (
    GROUP,
    MOST_COMBINATIONS,
    Manner,
    Theme,
    User,
    answer,
    asked,
    draw_theme,
    draw_user,
    left_open,
    options_of,
    proposals_needed,
    words_for,
    wrong,
)
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking

_MOST_MESSAGES: Final = 48
# features, vague, unsure, excluding, depends, named, extra
_LEVELS: Final[tuple[tuple[int, int, int, int, int, bool, int], ...]] = (
    (3, 0, 0, 0, 0, True, 1),
    (4, 0, 0, 20, 20, True, 1),
    (5, 2, 0, 20, 20, True, 0),
    (6, 3, 0, 30, 30, True, 0),
    (6, 2, 0, 30, 30, False, 0),
    (7, 3, 0, 30, 30, False, 0),
    (7, 1, 1, 30, 40, False, 0),
    (8, 2, 1, 30, 40, False, 0),
    (9, 2, 1, 30, 40, False, 0),
    (9, 3, 1, 30, 40, False, 0),
)


class Params(BaseParams):
    """The theme, answer clarity, and numbers of proposals and messages."""

    features: int = Field(4, ge=2, le=9, description="number of features")
    vague: int = Field(1, ge=0, le=6, description="number of features of which the user names only the group")
    unsure: int = Field(0, ge=0, le=3, description="number of features that the user has to see")
    excluding: int = Field(0, ge=0, le=100, description="per cent of the others answered with what is not wanted")
    depends: int = Field(0, ge=0, le=100, description="per cent of the others that depend on another feature")
    named: bool = Field(
        True, description="whether the user names the features of a proposal that do not match, or counts them"
    )
    extra: int = Field(0, ge=0, le=8, description="proposals beyond those that a good player needs at worst")
    spare: int = Field(2, ge=0, le=8, description="messages beyond one question per feature and all proposals")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.vague + self.unsure > self.features:
            raise ValueError("vague + unsure <= features must hold")
        if GROUP**self.vague * (2 * GROUP) ** self.unsure > MOST_COMBINATIONS:
            raise ValueError(f"vague and unsure must leave at most {MOST_COMBINATIONS} combinations open")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        features, vague, unsure, excluding, depends, named, extra = _LEVELS[difficulty - 1]
        return cls(
            features=features,
            vague=vague,
            unsure=unsure,
            excluding=excluding,
            depends=depends,
            named=named,
            extra=extra,
        )


class State(NamedTuple):
    """Messages, proposals, features asked about, and the last proposal's score.

    The score is the share that was right.
    """

    messages: int = 0
    proposals: int = 0
    heard: frozenset[str] = frozenset()
    fitting: float = 0.0


class Preference(ToolEnv):
    """Find out what somebody wants, and propose it."""

    Params = Params
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    components: ClassVar[frozenset[str]] = frozenset({"fitting"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    counted: ClassVar[bool] = False  # it counts its messages itself

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A theme and a user; the user is the key."""
        theme = draw_theme(rng, p.features)
        user = draw_user(rng, theme, Manner(p.vague, p.unsure, p.excluding, p.depends))
        # derived from the parameters: what this user needs would reveal something hidden
        proposals = proposals_needed(p.vague, p.unsure, p.named) + p.extra
        limits = {"proposals": proposals, "messages": p.features + proposals + p.spare}
        return Instance({**theme._asdict(), "named": p.named, **limits}, key=user._asdict())

    def prompt(self, problem: JSON) -> Statement:
        """The theme, and how to talk to the user."""
        many = problem["proposals"]
        values = {
            "name": problem["name"],
            "messages": problem["messages"],
            "proposals": "1 proposal" if many == 1 else f"{many} proposals",
        }
        return Statement(wording.TASK, wording.DATA, problem, rules=wording.rules(problem), values=values)

    def instruction(self) -> str:
        """The two calls, with invented examples."""
        ask = write_call("ask", question="Which flavour would you like?")
        propose = write_call("propose", values={"flavour": "mint", "cup": "tall"})
        return f"Call a tool as in these examples, which are about something else:\n{ask}\n{propose}"

    def messages(self, problem: JSON) -> int:
        """Questions and proposals together."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """No messages yet."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Turn:
        """Process the first call of a message; further calls are ignored."""
        calls = read_calls(drop_thinking(drop_end_tokens(action)), self.tools)
        call = calls[0]
        if isinstance(call, Malformed):
            return rejected(self._next(inst, state, call.feedback), "malformed")
        state, shown = getattr(self, call.name)(inst, state, **call.arguments)
        if isinstance(shown, Verdict):
            return Turn.end(state, shown)
        more = " Only the first call of a message counts; the others were ignored." if len(calls) > 1 else ""
        return self._next(inst, state, shown + more)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
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
        """Propose one option for each feature.

        Args:
            values: the option of each feature, by the name of the feature
        """
        theme, user = _read(inst)
        for feature in theme.features:
            if feature not in values:
                return state, f"This proposal lacks the feature {feature}. It does not count as a proposal."
            if values[feature] not in options_of(theme, feature):
                return (
                    state,
                    f"{values[feature][:40]!r} is not an option of {feature}. It does not count as a proposal.",
                )
        if len(values) > len(theme.features):
            return (
                state,
                f"A proposal has these features and no others: {', '.join(theme.features)}. It does not count as a proposal.",
            )
        missed = wrong(user, values)
        state = state._replace(proposals=state.proposals + 1, fitting=1 - len(missed) / len(user.wants))
        if not missed:
            return state, Verdict.exact(True, "That is exactly what I want.").noting(None, fitting=1.0)
        many = f"{len(missed)} feature{'s do' if len(missed) > 1 else ' does'} not match"
        said = f"{many}: {', '.join(missed)}." if inst.problem["named"] else f"{many}."
        left = inst.problem["proposals"] - state.proposals
        if not left:
            said = f"{said} That was your last proposal."
            return state, Verdict.exact(False, said).noting(None, fitting=state.fitting)
        return state, f"{said} Proposals left: {left}."

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """Out of messages."""
        return super().exhausted(inst, state).noting(None, fitting=state.fitting)

    def solve(self, inst: Instance, state: State) -> str:
        """A question about every feature, then the wanted options."""
        for feature in inst.problem["features"]:
            if feature not in state.heard:
                return write_call("ask", question=f"What should the {feature} be?")
        return write_call("propose", values=inst.key["wants"])

    def alternatives(self, inst: Instance) -> Iterator[Sequence[str]]:
        """As many incomplete or invalid proposals as allowed, then the right one."""
        wants = inst.key["wants"]
        first = next(iter(wants))
        unknown = write_call("propose", values={**wants, first: "nothing"})
        lacking = write_call("propose", values={name: option for name, option in wants.items() if name != first})
        for free in (unknown, lacking):
            yield [free] * inst.problem["proposals"] + [write_call("propose", values=wants)]

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The right options with one fault.

        With an extra feature, or in the second call of every message.
        """
        right = write_call("propose", values=inst.key["wants"])
        yield [write_call("propose", values={**inst.key["wants"], "other": "nothing"})]
        yield [write_call("ask", question="Anything?") + right] * inst.problem["messages"]

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random proposal, sometimes a question in other words than the prompt's."""
        theme, _ = _read(inst)
        if rng.below(4) == 0:
            return write_call(
                "ask", question=f"Which {rng.choice(words_for(theme, rng.choice(list(theme.features))))}?"
            )
        return write_call("propose", values={f: rng.choice(options_of(theme, f)) for f in theme.features})

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A question about every feature, then a proposal that agrees.

        It is any that agrees with the answers.
        """
        for feature in inst.problem["features"]:
            if feature not in state.heard:
                return write_call("ask", question=f"What should the {feature} be?")
        found = left_open(*_read(inst))
        return write_call("propose", values={feature: rng.choice(options) for feature, options in found.items()})

    def effort(self, inst: Instance) -> float:
        """Messages that a good player needs in the worst case."""
        says = list(inst.key["says"].values())
        return float(len(says) + proposals_needed(says.count("vague"), says.count("unsure"), inst.problem["named"]))

    def _next(self, inst: Instance, state: State, shown: str) -> Turn:
        state = state._replace(messages=state.messages + 1)
        left = inst.problem["messages"] - state.messages
        if left <= 0:
            return Turn.end(state, self.exhausted(inst, state), f"{shown}\n\nThat was your last message.")
        return Turn(state, f"{shown}\n\nMessages left: {left}.")


def _read(inst: Instance) -> tuple[Theme, User]:
    problem, key = inst.problem, inst.key
    return Theme(problem["name"], problem["features"]), User(key["wants"], key["says"], key["facts"])
