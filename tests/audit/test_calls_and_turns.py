"""The audit finds calls that break their schemas, illegal moves that are taken, and wrong numbers of messages."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar

import pytest

from envhub.audit import CHECKS, Breach
from envhub.audit.calls import bad_objects, equals, misfits
from envhub.audit.report import _checked
from envhub.authoring.environment import rejected
from envhub.core.types import JSON, Instance, Turn
from envhub.envs.games.blotto.environment import Blotto, State as Round, Troops
from envhub.envs.games.chess import rules
from envhub.envs.games.chess.environment import Chess
from envhub.envs.games.connect_four.environment import ConnectFour
from envhub.envs.games.guess_number import GuessNumber, State as Guessing
from envhub.envs.games.mastermind.environment import Mastermind
from envhub.envs.games.negotiation.environment import Negotiation
from envhub.envs.games.negotiation.offers import ACCEPT, DENY
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.envs.games.poker.leduc_poker import LeducPoker
from envhub.envs.tools.apps.environment import Apps
from envhub.envs.tools.function_call import environment as function_call
from envhub.envs.tools.preference.environment import Preference
from envhub.generators.chess import board, notation
from envhub.generators.typed_tools import schemas
from tests.audit.registering import registered

_GROUP: JSON = {
    "type": "object",
    "properties": {
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "day": {"type": "string", "pattern": r"^[0-9]{2}$"},
        "names": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        "loud": {"type": "boolean", "default": False},
    },
    "required": ["count", "day", "names"],
}
_RIGHT = {"count": 4, "day": "07", "names": ["a", "b"]}


class GivesOneMoreMessage(Apps):
    counted: ClassVar[bool] = False  # else the driver keeps the stated number

    def messages(self, problem: JSON) -> int:
        return super().messages(problem) - 1


class CountsNoFarGuess(GuessNumber):
    def act(self, inst: Instance, state: Guessing, value: int, rng: Any) -> Turn:
        if not 0 < value < 10**9:
            return Turn(state, "That guess is outside the range.")
        return super().act(inst, state, value, rng)


class EndsWithALongMessage(Preference):
    def reject(self, inst: Instance, state: Any, reason: str, feedback: str) -> Turn:
        return self._next(inst, state._replace(messages=inst.problem["messages"]), feedback)


class AllowsMoreFields(Blotto):
    def fault(self, inst: Instance, s: Round, value: Troops) -> str:
        return "" if sum(value) == inst.problem["troops"] else "Wrong number of troops."


class RefusesSomeMoves(Blotto):
    def fault(self, inst: Instance, s: Round, value: Troops) -> str:
        return "No." if value[0] else super().fault(inst, s, value)


class TakesAnyLength(Mastermind):
    def act(self, inst: Instance, state: Any, value: Any, rng: Any) -> Turn:
        return super().act(Instance({**inst.problem, "pegs": len(value)}, inst.key), state, value, rng)


class RefusesAllGuesses(GuessNumber):
    def act(self, inst: Instance, state: Guessing, value: int, rng: Any) -> Turn:
        return rejected(super().act(inst, state, value, rng), "illegal")


class ListsTooMuch(Negotiation):
    def legal(self, inst: Instance, s: Any) -> Sequence[Any]:
        return [ACCEPT, DENY, *self._offers(inst, s)]


class WinsWithThree(ConnectFour):
    def play(self, inst: Instance, s: Any, move: int) -> Any:
        after = super().play(inst, s, move)
        return after._replace(won=bool(after.other & after.other >> 7 & after.other >> 14))


class NeverFull(ConnectFour):
    def fault(self, inst: Instance, s: Any, value: int) -> str:
        return "" if 1 <= value <= 7 else "No such column."


class PaysWhoLoses(ConnectFour):
    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        return super().payoffs(inst, s)[::-1]


class GivesPartOfAWin(ConnectFour):
    def score(self, inst: Instance, gain: float) -> float:
        return 0.5


class ShowsBothCards(KuhnPoker):
    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        return f"{super().observe(inst, s, seat)} {s.cards}"


class DealsPairs(KuhnPoker):
    def chances(self, inst: Instance, s: Any) -> Sequence[Any]:
        return [*super().chances(inst, s), ("QQ", 1)]


class AlwaysBets(LeducPoker):
    def strategy(self, inst: Instance, s: Any) -> Sequence[Any]:
        return [(self.legal(inst, s)[-1], 1)]


class LeavesTroopsBehind(Blotto):
    def legal(self, inst: Instance, s: Round) -> Sequence[Troops]:
        return [move for move in super().legal(inst, s) if all(move)]


class ShowsLittle(Chess):
    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        return "A board." if seat else super().observe(inst, s, seat)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (GivesOneMoreMessage, "messages"),
        (CountsNoFarGuess, "messages"),
        (EndsWithALongMessage, "messages"),
        (AllowsMoreFields, "legal_moves"),
        (RefusesSomeMoves, "legal_moves"),
        (TakesAnyLength, "legal_moves"),
        (RefusesAllGuesses, "legal_moves"),
        (ListsTooMuch, "legal_moves"),
        (WinsWithThree, "known_games"),
        (NeverFull, "known_games"),
        (PaysWhoLoses, "known_games"),
        (GivesPartOfAWin, "payoffs"),
        (ShowsLittle, "known_games"),
        (ShowsBothCards, "known_games"),
        (DealsPairs, "known_games"),
        (AlwaysBets, "known_games"),
        (LeavesTroopsBehind, "known_games"),
    ],
)
def test_a_broken_rule_of_turns_is_found_out(broken: type[Any], check: str) -> None:
    with registered(broken) as subject, pytest.raises(Breach):
        CHECKS[check](subject)


@pytest.mark.parametrize(
    "sound", [Apps, GuessNumber, Mastermind, Preference, Blotto, ConnectFour, KuhnPoker, function_call.FunctionCall]
)
def test_sound_environments_pass(sound: type[Any]) -> None:
    with registered(sound) as subject:
        for check in ("calls", "messages", "legal_moves", "known_games"):
            CHECKS[check](subject)


def _without(*names: str) -> Any:
    """``fit`` for which some rules of a schema do not exist."""
    real = schemas.fit

    def strip(schema: Any) -> Any:
        if isinstance(schema, dict):
            return {key: strip(value) for key, value in schema.items() if key not in names}
        return schema

    return lambda schema, value, where="": real(strip(schema), value, where)


def _unknown_are_dropped(schema: JSON, value: Any, where: str = "") -> JSON:
    return schemas.fit(schema, {key: inner for key, inner in value.items() if key in schema["properties"]}, where)


def _order_counts(schema: JSON, value: Any, where: str = "") -> JSON:
    fitted = schemas.fit(schema, value, where)
    sets = {key for key, inner in schema["properties"].items() if inner.get("uniqueItems")}
    return {key: value.get(key, inner) if key in sets else inner for key, inner in fitted.items()}


@pytest.mark.parametrize(
    "fit",
    [
        pytest.param(_without("minimum", "maximum"), id="no bounds"),
        pytest.param(_without("pattern"), id="no patterns"),
        pytest.param(_without("uniqueItems"), id="no sets"),
        pytest.param(_unknown_are_dropped, id="unknown arguments are dropped"),
        pytest.param(_order_counts, id="the order of a set counts"),
    ],
)
def test_a_tool_that_takes_other_calls_than_its_schema_says_is_found_out(
    fit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(function_call, "fit", fit)
    with registered(function_call.FunctionCall) as subject, pytest.raises(Breach):
        CHECKS["calls"](subject)


def _fits(value: Any) -> bool:
    with suppress(schemas.Misfit):
        schemas.fit(_GROUP, value)
        return True
    return False


def test_misfits_do_not_fit_and_equal_forms_are_equal() -> None:
    wrong: Sequence[Any] = [*misfits(_GROUP, _RIGHT), *bad_objects(_GROUP, _RIGHT)]
    assert len(wrong) > 60
    assert [value for value in wrong if _fits(value)] == []
    same = list(equals(_GROUP, _RIGHT))
    assert len(same) == 4
    assert {repr(schemas.fit(_GROUP, value)) for value in same} == {repr(schemas.fit(_GROUP, _RIGHT))}


class NeverLooksAtTheList(function_call.FunctionCall):
    def _judge(self, inst: Instance, state: Any, impossible: list[int]) -> Any:
        return super()._judge(inst, state, [n for n, call in enumerate(inst.key["calls"], 1) if call is None])


def test_an_episode_that_an_environment_names_as_wrong_must_not_solve_it() -> None:
    with registered(NeverLooksAtTheList) as subject, pytest.raises(Breach, match="A wrong episode"):
        CHECKS["calls"](subject)


@pytest.mark.parametrize(
    ("module", "name", "change"),
    [
        pytest.param(board, "_passes", lambda real: lambda *a: False, id="no capture en passant"),
        pytest.param(board, "bare", lambda real: lambda p: False, id="bare kings play on"),
        pytest.param(board, "screens", lambda real: lambda *a: 0, id="no pins"),
        pytest.param(board, "covered", lambda real: lambda *a: 0, id="kings walk into check"),
        pytest.param(board, "_CORNERS", lambda real: {}, id="a king that has moved castles"),
        pytest.param(rules, "drawn", lambda real: lambda s: board.bare(s.p), id="no repetition, no fifty moves"),
        pytest.param(notation, "read", lambda real: lambda p, text: real(p, text)[:1], id="ambiguous moves are taken"),
        pytest.param(notation, "write", lambda real: lambda p, m: real(p, m).rstrip("+#"), id="checks are not marked"),
    ],
)
def test_chess_by_other_rules_is_found_out(
    module: Any, name: str, change: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(rules.moves.cache_clear)
    rules.moves.cache_clear()
    monkeypatch.setattr(module, name, change(getattr(module, name)))
    with registered(Chess) as subject:
        assert _checked("known_games", CHECKS["known_games"], subject).breach
