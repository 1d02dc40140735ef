"""OpenSpiel itself, nightly: every game plays and replays, and our own rules agree with its, move by move and in value."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import envhub
from envhub.authoring.game import CHANCE, exploitability, game_value
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.blotto import environment as our_blotto
from envhub.envs.games.connect_four.environment import ConnectFour
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.envs.games.poker.leduc_poker import LeducPoker
from envhub.envs.games.poker.match import card_of
from envhub.envs.games.tic_tac_toe.environment import TicTacToe
from envhub.envs.games.twenty48 import tiles
from tests.support.peers import folder_of, on_path

pytestmark = pytest.mark.nightly
OURS = ("envhub.adapters.open_spiel.environments", "envhub.adapters.open_spiel.states")
PLAYOUTS = 200


@pytest.fixture(scope="module")
def spiel() -> Iterator[Any]:
    """The adapter over the library."""
    with on_path(folder_of("open-spiel", "pyspiel"), *OURS, prefix="open-spiel/", library="pyspiel"):
        yield importlib.import_module(OURS[0])


@pytest.fixture
def pyspiel(spiel: Any) -> Any:
    return importlib.import_module("pyspiel")


# -- the adapter ---------------------------------------------------------------------------------------------------------------


def test_most_games_make_environments_and_the_rest_say_why(spiel: Any) -> None:
    refused = {name: spiel.states.refusal(name) for name in spiel.states.names()}
    assert len(spiel.register_all()) >= 100
    assert "luck inside" in refused["negotiation"]
    assert "population" in refused["mfg_garnet"]
    assert "needs parameters" in refused["misere"]
    assert "cannot be played" in refused["crossword"]
    assert spiel.register("misere(game=kuhn_poker())").id == "open-spiel/misere-game-kuhn_poker-v0"


def test_every_game_ends_with_a_verdict_and_replays(spiel: Any) -> None:
    for spec in spiel.register_all():
        env = envhub.make(spec.id, opponent="random")
        env.reset(seed=3)
        rng = Stream(b"", "nightly", spec.id)
        while not env.episode.over:
            info = env.step(env.random_action(rng))[4]
        assert info["verdict"]["status"] in ("graded", "no_answer"), (spec.id, info["verdict"])
        again = envhub.restore(env.snapshot())
        assert [turn.observation for turn in again.episode.turns] == [turn.observation for turn in env.episode.turns]


@pytest.mark.parametrize("game", ["goofspiel(num_cards=4)", "kuhn_poker(players=3)", "leduc_poker", "gin_rummy", "pig"])
def test_opponents_that_search_are_deterministic(spiel: Any, game: str) -> None:
    env = envhub.make(spiel.register(game).id, opponent="mcts:20", seat=0)
    env.reset(seed=5)
    twin, rng = env.fork(), Stream(b"", "twins")
    for _ in range(4):
        if env.episode.over:
            break
        action = env.random_action(rng)
        assert env.step(action)[0] == twin.step(action)[0]


def test_a_stronger_opponent_is_stronger(spiel: Any) -> None:
    def won(opponent: str) -> float:
        env = envhub.make(spiel.register("tic_tac_toe").id, opponent=opponent)
        total = 0.0
        for seed in range(60):
            env.reset(seed=seed)
            rng = Stream(b"", "weak", seed)
            while not env.episode.over:
                env.step(env.random_action(rng))
            total += env.episode.turns[-1].verdict.payoff
        return total / 60

    assert won("random") > won("mcts:20") + 0.3 > won("mcts:200") + 0.3 - 0.2
    assert won("mcts:200") < -0.7


# -- our rules beside its --------------------------------------------------------------------------------------------------


def side_by_side(
    pyspiel: Any,
    theirs: str,
    game: Any,
    inst: Instance,
    named: Callable[[Any, Any], str],
    dealt: Callable[[Any, Any], list[int]] = lambda s, move: [],
) -> int:
    """Random playouts of both: the same seat decides, the same moves are legal, the same is paid. How many plies."""
    loaded, plies = pyspiel.load_game(theirs), 0
    for number in range(PLAYOUTS):
        rng = Stream(b"", "side by side", theirs, number)
        s, state = game.start(inst), loaded.new_initial_state()
        while game.to_move(s) is not None:
            plies += 1
            assert not state.is_terminal()
            if game.to_move(s) == CHANCE:
                move = game.draw(inst, s, rng)
                for action in dealt(s, move):
                    chances = dict(state.chance_outcomes())
                    assert chances[action] > 0
                    state.apply_action(action)
                s = game.play(inst, s, move)
                continue
            seat = game.to_move(s)
            assert state.current_player() == seat
            there = {state.action_to_string(seat, action): action for action in state.legal_actions()}
            moves = {named(s, move): move for move in game.legal(inst, s)}
            assert moves.keys() == there.keys()
            name = rng.choice(sorted(moves))
            s = game.play(inst, s, moves[name])
            state.apply_action(there[name])
        assert state.is_terminal()
        assert list(game.paid(inst, s)) == list(state.returns())
    return plies


def test_tic_tac_toe(pyspiel: Any) -> None:
    def named(s: str, move: int) -> str:
        return f"{'xo'[(9 - s.count('.')) % 2]}({(move - 1) // 3},{(move - 1) % 3})"

    inst = Instance({"board": "." * 9, "misere": False})
    assert side_by_side(pyspiel, "tic_tac_toe", TicTacToe(), inst, named) > 1_000


def test_connect_four(pyspiel: Any) -> None:
    def named(s: Any, move: int) -> str:
        return f"{'xo'[(s.mine | s.other).bit_count() % 2]}{move - 1}"

    inst = Instance({"moves": "", "win_in": 0})
    game = ConnectFour()
    full = game.start(inst)._replace(left=-1)
    game.start = lambda inst: full  # type: ignore[method-assign]
    assert side_by_side(pyspiel, "connect_four", game, inst, named) > 3_000


ONE_HAND = Instance({"hands": 1, "opponent": "optimal", "slips": 0, "player": 0, "target": 0.0})


def test_kuhn_poker(pyspiel: Any) -> None:
    words = {"check": "Pass", "fold": "Pass", "bet": "Bet", "call": "Bet"}
    game = KuhnPoker()
    dealt = lambda s, move: ["JQK".index(card) for card in move]  # noqa: E731
    assert side_by_side(pyspiel, "kuhn_poker", game, ONE_HAND, lambda s, move: words[move], dealt) > 500


class Copies:
    """Which of two equal cards OpenSpiel deals: the first that is left."""

    def __init__(self) -> None:
        self.gone: list[int] = []

    def __call__(self, s: Any, move: str) -> list[int]:
        if not s.cards:
            self.gone = []
        actions = []
        for card in move:
            rank = "JQK".index(card)
            action = next(at for at in (2 * rank, 2 * rank + 1) if at not in self.gone)
            self.gone.append(action)
            actions.append(action)
        return actions


WORDS = {"check": "Call", "call": "Call", "bet": "Raise", "raise": "Raise", "fold": "Fold"}


def test_leduc_poker(pyspiel: Any) -> None:
    game = LeducPoker()
    assert side_by_side(pyspiel, "leduc_poker", game, ONE_HAND, lambda s, move: WORDS[move], Copies()) > 500


def test_blotto(pyspiel: Any) -> None:
    loaded = pyspiel.load_game("blotto(coins=8,fields=3,players=2)")
    rng = Stream(b"", "blotto")
    ours = our_blotto.divisions(3, 8)
    state = loaded.new_initial_state()
    there = {state.action_to_string(0, action): action for action in state.legal_actions(0)}
    assert {str(list(troops)).replace(" ", "") for troops in ours} == {name.replace(" ", "") for name in there}
    by_name = {name.replace(" ", ""): action for name, action in there.items()}
    for _ in range(PLAYOUTS):
        pair = [rng.choice(ours) for _ in range(2)]
        state = loaded.new_initial_state()
        state.apply_actions([by_name[str(list(troops)).replace(" ", "")] for troops in pair])
        assert state.returns()[0] == our_blotto.beats(*pair)


def test_2048(pyspiel: Any) -> None:
    """Slides, where tiles appear and with what chance, and when it is over.

    In some positions 2.0.2 leaves out a move that does change the board, such as ``left`` over a row of 16 16 0 0; what it
    allows is what we allow, and comes to the same.
    """
    loaded, checked, missing = pyspiel.load_game("2048"), 0, 0
    for number in range(10):
        rng, state = Stream(b"", "2048", number), loaded.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
                continue
            board = exponents(state)
            moves = {state.action_to_string(0, action).lower(): action for action in state.legal_actions()}
            changing = {way for way in tiles.MOVES if tiles.slide(board, way) != board}
            assert moves.keys() <= changing
            missing += len(changing - moves.keys())
            way = rng.choice(sorted(moves))
            state.apply_action(moves[way])
            slid = exponents(state)
            assert slid == tiles.slide(board, way)
            chances = {1: 0.0, 2: 0.0}
            for action, turn_seed in state.chance_outcomes():
                ((cell, tile),) = new_tiles(slid, exponents(state.child(action)))
                assert cell in tiles.empty(slid)
                chances[tile] += turn_seed
            assert chances == pytest.approx({1: 0.9, 2: 0.1})
            checked += 1
        assert not tiles.movable(exponents(state))
    assert checked > 500
    assert missing < checked / 10


def new_tiles(before: tiles.Board, after: tiles.Board) -> list[tuple[tuple[int, int], int]]:
    cells = [(row, column) for row in range(4) for column in range(4)]
    return [(cell, after[cell[0]][cell[1]]) for cell in cells if before[cell[0]][cell[1]] != after[cell[0]][cell[1]]]


def exponents(state: Any) -> tuple[tuple[int, ...], ...]:
    rows = [line.split() for line in str(state).splitlines() if line.strip()]
    return tuple(tuple(int(cell).bit_length() - 1 if int(cell) else 0 for cell in row) for row in rows[:4])


# -- values ------------------------------------------------------------------------------------------------------------------


def test_kuhn_pokers_value_and_exploitability(spiel: Any, pyspiel: Any) -> None:
    words = {"check": 0, "fold": 0, "bet": 1, "call": 1}
    game = KuhnPoker()

    compare(spiel, pyspiel, "kuhn_poker", game, words)


def test_leduc_pokers_value_and_exploitability(spiel: Any, pyspiel: Any) -> None:
    words = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
    game = LeducPoker()

    compare(spiel, pyspiel, "leduc_poker", game, words)


def compare(spiel: Any, pyspiel: Any, theirs: str, game: Any, words: dict[str, int]) -> None:
    """Our solver over our rules, and OpenSpiel's over its own, of the same strategies: an equilibrium and three drawn ones."""
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score, exploitability as theirs_of

    start, loaded = game.start(ONE_HAND), pyspiel.load_game(theirs)
    there_is = pair_up(game, loaded)
    for number in range(4):
        drawn: dict[str, list[tuple[Any, float]]] = {}

        def strategy(s: Any, number: int = number, drawn: dict[str, Any] = drawn) -> Any:
            at = f"{card_of(s)} {s.seen}"
            if at not in drawn:
                rng = Stream(b"", "strategy", number, at)
                branches = dict(game.strategy(ONE_HAND, s)) if number == 0 else {}
                drawn[at] = [
                    (move, branches.get(move, 0) if number == 0 else rng.between(1, 9))
                    for move in game.legal(ONE_HAND, s)
                ]
            return drawn[at]

        value = game_value(game, ONE_HAND, start, strategy)
        ours = exploitability(game, ONE_HAND, start, strategy)
        table = policies.TabularPolicy(loaded)
        for state, row in zip(table.states, table.action_probability_array, strict=True):
            branches = strategy(there_is[state.information_state_string()])
            total = sum(weight for _, weight in branches)
            row[:] = 0
            for move, weight in branches:
                row[words[move]] = weight / total
        there = expected_game_score.policy_value(loaded.new_initial_state(), [table, table])[0]
        assert value == pytest.approx(there, abs=1e-6)
        assert ours == pytest.approx(theirs_of.exploitability(loaded, table), abs=1e-6)
        assert (ours < 1e-3) is (number == 0)


def pair_up(game: Any, loaded: Any) -> dict[str, Any]:
    """One of our states for each of OpenSpiel's information states, by walking through both games."""
    words = {"Pass": {"check", "fold"}, "Bet": {"bet", "call"}}
    words |= {"Call": {"check", "call"}, "Raise": {"bet", "raise"}, "Fold": {"fold"}}
    found: dict[str, Any] = {}

    def walk(s: Any, state: Any) -> None:
        if state.is_terminal():
            return
        if state.is_chance_node():
            if game.to_move(s) == CHANCE and not s.cards:
                for first, _ in state.chance_outcomes():
                    for second, _ in state.child(first).chance_outcomes():
                        ranks = "JQK" if loaded.get_type().short_name == "kuhn_poker" else "JJQQKK"
                        walk(game.play(ONE_HAND, s, ranks[first] + ranks[second]), state.child(first).child(second))
                return
            for action, _ in state.chance_outcomes():
                walk(game.play(ONE_HAND, s, "JJQQKK"[action]), state.child(action))
            return
        found[state.information_state_string()] = s
        for action in state.legal_actions():
            same = words[state.action_to_string(action)]
            move = next(move for move in game.legal(ONE_HAND, s) if move in same)
            walk(game.play(ONE_HAND, s, move), state.child(action))

    walk(game.start(ONE_HAND), loaded.new_initial_state())
    return found
