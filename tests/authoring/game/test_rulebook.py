"""Rulebooks: prompts of games with wordings, for one seat and for all of them."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.authoring.game import Rulebook, views
from envhub.authoring.game.rulebook import LIMIT, STRICT, VIEWS, limit_of
from envhub.authoring.wording import HELD_OUT, Phrase, Wording
from tests.authoring.game.tables import Nim

TASK = Phrase(
    "You are {seat} in a game.", "Play a game as {seat}.", "This game is yours, {seat}.", held_out="Seat: {seat}."
)
RULE = Phrase("Take up to {most}.", "At most {most} may go.", "No more than {most}.", held_out="n <= {most}")
GOAL = Phrase("Take the last one.", "The last one wins.", "Win with the last one.", held_out="n = 0")
LEFT = views(lambda p: "as words", lambda p: "as a list", held_out=lambda p: "as a set")


class Worded(Nim):
    def rules(self, problem: Any) -> str:
        return super(Nim, self).rules(problem)

    def rulebook(self, problem: Any) -> Rulebook:
        return Rulebook("Sticks", TASK, (RULE,), GOAL, values={"most": 3}, view=LEFT)


def problem(opponent: str) -> dict[str, Any]:
    return {"player": 1, "opponent": opponent, "slips": 0, "target": 1.0, "view": "Sticks: 9."}


def test_a_prompt_has_role_rules_goal_limit_and_view() -> None:
    game = Worded()
    assert game.worded(problem("random")) == (
        "You are player 2 in a game.\n\nRules:\n- Take up to 3.\n- Send exactly one move per message. If a message is not a "
        "legal move, you are told why and can try again. This can happen twice per game; the third time, you lose.\n\n"
        "Take the last one.\n\nSticks: 9."
    )
    assert "n <= 3" in game.worded(problem("random"), HELD_OUT)
    assert game.worded(problem("random"), HELD_OUT).endswith("as a set")


def test_rules_and_goal_are_still_texts_for_those_who_need_one() -> None:
    game = Worded()
    assert game.rules(problem("random")) == "Sticks.\n\nRules:\n- Take up to 3."
    assert game.goal(problem("random")) == "Take the last one."


@pytest.mark.parametrize("wording", [*(Wording(number * 397) for number in range(12)), HELD_OUT])
def test_who_plays_every_seat_sees_the_observation_as_it_is(wording: Wording) -> None:
    """The trainer replaces it by what a later seat sees."""
    stated = Worded().prompt(problem("self"))
    assert not isinstance(stated, str)
    assert "player 1 and player 2" in stated.worded(wording)
    assert "Sticks: 9." in stated.worded(wording)
    assert stated.data is VIEWS
    assert stated.note is None


def test_without_retries_the_first_illegal_move_loses() -> None:
    assert limit_of(0) == (STRICT, {})
    assert limit_of(1) == (LIMIT, {"often": "once", "last": "second"})
    assert limit_of(7) == (LIMIT, {"often": "7 times", "last": "next"})


def test_a_game_without_rules_says_what_is_missing() -> None:
    class Mute(Worded):
        def rulebook(self, problem: Any) -> Any:
            return None

    with pytest.raises(NotImplementedError, match=r"Mute must implement rulebook\(\) or rules\(\)"):
        Mute().rules(problem("random"))


@pytest.mark.parametrize("id", ["maze-v0", "kuhn-poker-v0", "sokoban-v0", "2048-v0", "blackjack-v0"])
def test_the_format_favours_no_word(id: str) -> None:
    env = envhub.make(id, difficulty=1)
    prompt, _ = env.reset(seed=0)
    shown = prompt.rpartition("Format:")[2]
    assert not any(word in shown for word in env.environment.answer.words if len(word) > 1)  # type: ignore[attr-defined]
    assert env.environment.answer.placeholder in shown


@pytest.mark.parametrize(("id", "level"), [("mastermind-v0", 10), ("wordle-v0", 1), ("blotto-v0", 10)])
def test_an_example_has_the_shape_of_a_move_and_is_not_legal(id: str, level: int) -> None:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=0)
    environment, inst = env.environment, env.episode.instance
    value = environment.answer.parse(environment.example(inst.problem))
    size = inst.problem.get("pegs") or inst.problem.get("letters") or inst.problem["fields"]
    assert len(value) == size
    assert "".join(map(str, value)) not in repr(inst.key)
