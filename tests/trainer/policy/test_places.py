import random

import pytest

from envhub_trainer.policy.placement import Grant, Places, Prefixes, Slot, common


def serve(places: Places, contexts: list[list[int]]) -> list[Grant]:
    """Admit contexts and say that they have been fed."""
    grants = places.take(contexts)
    for grant, ids in zip(grants, contexts, strict=True):
        places.serve(grant.slot, ids)
    return grants


def played(places: Places, contexts: list[list[int]]) -> list[Grant]:
    """Admit contexts, feed them and take the slots back."""
    grants = serve(places, contexts)
    for grant, ids in zip(grants, contexts, strict=True):
        places.release(grant.slot, ids)
    return grants


def test_common_counts_the_shared_prefix() -> None:
    turn_seed = random.Random(0)
    for _ in range(500):
        one = [turn_seed.randrange(2) for _ in range(turn_seed.randrange(12))]
        other = one[: turn_seed.randrange(12)] + [turn_seed.randrange(2) for _ in range(turn_seed.randrange(6))]
        plain = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        assert common(one, other) == plain


def test_the_longest_prefix_is_found_among_many() -> None:
    turn_seed = random.Random(1)
    prefixes = Prefixes()
    slots = [Slot(i, i, [turn_seed.randrange(3) for _ in range(turn_seed.randrange(1, 9))]) for i in range(60)]
    for slot in slots:
        prefixes.add(slot)
    for gone in slots[::3]:
        prefixes.remove(gone)
    kept = [slot for i, slot in enumerate(slots) if i % 3]
    for _ in range(300):
        ids = [turn_seed.randrange(3) for _ in range(turn_seed.randrange(1, 10))]
        shared, best = prefixes.longest(ids)
        assert shared == max(common(ids, each.ids) for each in kept)
        assert (best in kept and common(ids, best.ids) == shared) if best else shared == 0


def test_the_next_turn_goes_on_in_its_slot_and_the_rest_do_not_take_it() -> None:
    places = Places(4)
    [first] = played(places, [[1, 2, 3, 4]])
    stranger, turn = places.take([[1, 2, 9], [1, 2, 3, 4, 5]])
    assert (turn.slot, turn.kept, turn.source) == (first.slot, 4, None)
    assert stranger.slot is not first.slot


def test_at_least_one_token_is_left_to_feed() -> None:
    places = Places(4)
    played(places, [[1, 2, 3]])
    assert places.take([[1, 2, 3]])[0].kept == 2


def test_a_short_shared_prefix_is_copied_and_the_long_context_kept() -> None:
    places = Places(4)
    [first] = played(places, [[1, 2, *range(10, 30)]])
    [grant] = places.take([[1, 2, 3]])
    assert (grant.kept, grant.source) == (2, first.slot.place)
    assert grant.slot is not first.slot


def test_a_prefix_is_copied_from_a_request_in_flight() -> None:
    places = Places(4)
    [first] = serve(places, [[1, 2, 3, 4]])
    [second] = places.take([[1, 2, 3, 9]])
    assert (second.kept, second.source) == (3, first.slot.place)


def test_equal_contexts_have_one_leader() -> None:
    grants = Places(8).take([[1, 2], [3, 4], [1, 2], [1, 2]])
    assert [grant.leader for grant in grants] == [None, None, 0, 0]
    assert len({grant.slot.place for grant in grants}) == 4


def test_when_all_slots_hold_something_the_longest_idle_goes() -> None:
    places = Places(2)
    [old] = played(places, [[1, 1, 1]])
    [new] = played(places, [[2, 2, 2]])
    [grant] = places.take([[3, 3, 3]])
    assert grant.slot is old.slot is not new.slot
    assert places.rows == 2


def test_what_older_weights_computed_serves_nobody_else() -> None:
    places = Places(4)
    played(places, [[1, 2, 3]])
    [flying] = serve(places, [[4, 5, 6]])
    places.forget()
    assert [(grant.kept, grant.source) for grant in places.take([[1, 2, 3, 4], [4, 5, 6, 7]])] == [(0, None), (0, None)]
    places.release(flying.slot, [4, 5, 6, 7])
    assert places.take([[4, 5, 6, 7, 8]])[0].kept == 0


@pytest.mark.parametrize("seed", range(20))
def test_moves_bring_the_busy_together_and_lose_nothing(seed: int) -> None:
    """Plays the tensors' part: what lies at each place is what its slot is said to hold."""
    turn_seed = random.Random(seed)
    places = Places(16)
    memory: dict[int, list[int]] = {}
    flying: list[tuple[Slot, list[int]]] = []
    for _ in range(120):
        for _ in range(turn_seed.randrange(len(flying) + 1)):
            places.release(*flying.pop(turn_seed.randrange(len(flying))))
        wanted = [
            [turn_seed.randrange(3) for _ in range(turn_seed.randrange(1, 8))]
            for _ in range(turn_seed.randrange(places.room + 1))
        ]
        grants = places.take(wanted)
        before = dict(memory)
        for grant in grants:
            if grant.source is not None:
                memory[grant.slot.place] = before[grant.source][: grant.kept]
        before = dict(memory)
        for source, target in places.compact():
            memory[target] = before.get(source, [])
        for grant, ids in zip(grants, wanted, strict=True):
            if grant.leader is None:
                assert memory.get(grant.slot.place, [])[: grant.kept] == ids[: grant.kept]
            else:
                assert wanted[grant.leader] == ids
            memory[grant.slot.place] = ids
            places.serve(grant.slot, ids)
            flying.append((grant.slot, ids))
        taken = [slot.place for slot, _ in flying]
        assert len(set(taken)) == len(taken)
        assert len(taken) >= 0.75 * places.extent
        assert all(memory[slot.place] == ids for slot, ids in flying)
