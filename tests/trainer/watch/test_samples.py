"""Which episodes are kept, and what of them."""

from __future__ import annotations

import json
from math import nan

import pytest
import torch

from envhub_trainer.batch import Batch, collate
from envhub_trainer.episode import Episode
from envhub_trainer.group import Group
from envhub_trainer.watch.pieces import Pieces
from envhub_trainer.watch.samples import advantages, choose, record
from tests.trainer.hand_made import Letters, episode, group, ids


def paid(chosen: list[tuple[str, Episode]]) -> list[tuple[str, float]]:
    return [(why, each.reward) for why, each in chosen]


def learned(episodes: list[Episode]) -> Batch:
    """A batch of which every prediction's advantage says where it is: 100 times its row, and its position."""
    batch = collate(episodes)
    rows, width = batch.mask.shape
    return batch.having(advantage=100.0 * torch.arange(rows)[:, None] + torch.arange(width))


def test_the_best_the_worst_a_failed_one_and_some_from_between() -> None:
    played = [episode(reward) for reward in (0.5, 0.25, 1.0, 0.0, 0.75)]
    played.insert(1, episode(7.0, error="gone: x"))
    assert paid(choose(played, 4)) == [("best", 1.0), ("worst", 0.0), ("failed", 7.0), ("between", 0.5)]
    assert paid(choose(played, 5))[3:] == [("between", 0.75), ("between", 0.25)]
    assert len(choose(played, 100)) == len({id(each) for _, each in choose(played, 100)}) == 6


@pytest.mark.parametrize("count", range(5))
def test_never_more_than_asked_for(count: int) -> None:
    assert len(choose([episode(0.0) for _ in range(3)], count)) == min(count, 3)


def test_the_first_among_equals() -> None:
    played = [episode(reward) for reward in (0.0, 1.0, 1.0, 0.0)]
    best, worst = choose(played, 2)
    assert best[1] is played[1]
    assert worst[1] is played[0]


def test_a_return_that_is_no_number_is_the_worst() -> None:
    odd = episode()
    odd.shaped = nan
    played = [episode(0.0), odd, episode(-1.0)]
    assert [each for _, each in choose(played, 2)] == [played[0], odd]


def test_advantages_find_their_tokens_although_groups_and_rows_were_left_out() -> None:
    several = episode(0.0, 1.0, answer="abc", new_rows=True)  # rows 0 and 1 of the batch
    dropped = episode(1.0, answer="a")  # row 2, of no interest
    wanted = episode(1.0, answer="abcd")  # row 3
    failed = episode(0.0, error="gone: x")
    groups = [
        group(5, episode(1.0), episode(1.0)),  # its returns are the same: not in the batch
        group(6, failed, several),
        group(7, dropped, wanted),
    ]
    batch = learned([several, dropped, wanted]).rows(torch.tensor([0, 1, 3]))
    found = advantages(groups, batch, [groups[0].episodes[0], failed, several, wanted])
    assert found[id(groups[0].episodes[0])] == [None]
    assert found[id(failed)] == [None]
    assert found[id(several)] == [[0.0, 0, 1, 2, 3], [0.0, 100, 101, 102, 103]]
    assert found[id(wanted)] == [[0.0, 300, 301, 302, 303, 304]]


def test_without_a_batch_there_are_no_advantages() -> None:
    one = episode(1.0)
    assert advantages([group(0, one)], None, [one]) == {id(one): [None]}
    assert advantages([group(0, one)], collate([one]), [one]) == {id(one): [None]}


def test_a_batch_of_other_groups_is_refused() -> None:
    groups = [group(0, episode(1.0), episode(0.0))]
    with pytest.raises(ValueError, match="1 episodes and the groups that it names 2"):
        advantages(groups, learned([groups[0].episodes[0]]), [])
    others = [episode(1.0, answer="zz"), episode(0.0)]
    with pytest.raises(ValueError, match="does not match its episode"):
        advantages([Group(0, groups[0].task, others)], learned(groups[0].episodes), others)


def test_a_record_is_json_and_holds_every_token_with_what_is_known_of_it() -> None:
    played = episode(0.25, nan, answer="abc", components={"format": nan})
    played.rows[0].logps[3] = -0.1234567
    told = json.loads(json.dumps(record(7, "best", played, Pieces(Letters()), [[0, 0, 1, 2, 3, 0, 0, 4, 5, 6]])))
    assert (told["step"], told["why"], told["reward"], told["solved"]) == (7, "best", 0.25, True)
    assert told["components"] == {"format": None}
    assert [turn["reward"] for turn in told["turns"]] == [0.25, None]
    assert told["turns"][1] == {"observation": "question 1", "action": "abc", "reward": None, "row": 0}
    assert told["rows"] == [
        [
            {"given": 2, "text": ">>"},
            {"end": 4, "pieces": ["a", "b", "c"], "logps": [-0.5, -0.12346, -0.5], "advantages": [1, 2, 3]},
            {"given": 2, "text": ">>"},
            {"end": 9, "pieces": ["a", "b", "c"], "logps": [-0.5, -0.5, -0.5], "advantages": [4, 5, 6]},
        ]
    ]


def test_turns_without_anything_between_them_are_two_segments() -> None:
    played = episode(1.0, answer="ab")
    played.rows[0].take(ids("c"), [-1.0], [0])
    assert [part.get("pieces") for part in record(1, "best", played, Pieces(Letters()), [None])["rows"][0]] == [
        None,
        ["a", "b"],
        ["c"],
    ]


def test_without_a_tokenizer_the_text_of_the_turns_is_kept() -> None:
    told = record(1, "best", episode(1.0), None, [None])
    assert told["rows"][0][0] == {"given": 2, "text": None}
    assert told["rows"][0][1]["pieces"] == []
    assert told["rows"][0][1]["logps"] == [-0.5, -0.5]
    assert told["turns"][0]["action"] == "xy"
