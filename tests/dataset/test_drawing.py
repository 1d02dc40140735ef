"""Drawing candidates: whoever draws them and however far ahead, they are the same."""

from __future__ import annotations

from itertools import islice

import pytest

from envhub.core.errors import EnvhubError
from envhub.dataset import Exclusion
from envhub.dataset.drawing import Drawer, Pool, solution
from envhub.tasks.sources import prepare
from tests.dataset.workshop import Few, Unsolved, config, known, problems_of


@pytest.mark.slow
def test_a_feed_begins_anywhere_and_goes_on_beyond_what_was_expected() -> None:
    made = config("countdown-v0", "guess-number-v0", levels=(2, 2), with_solutions=True)
    one, other = made.strata
    drawer = Drawer(made, Exclusion())
    wanted = {(s, at): drawer.candidate(s, "train", at) for s in made.strata for at in range(80)}
    for processes in (1, 2):
        with Pool(made, Exclusion(), processes) as pool:
            for stratum, start, expected, count in ((one, 3, 5, 40), (other, 0, 70, 71), (one, 0, 0, 2)):
                found = list(islice(pool.feed(stratum, "train", start, expected), count))
                assert found == [wanted[stratum, at] for at in range(start, start + count)]


def test_a_candidate_is_excluded_by_its_problem_alone() -> None:
    with known("few-v0", Few):
        made = config("few-v0")
        [stratum] = made.strata
        free = [Drawer(made, Exclusion()).candidate(stratum, "train", at) for at in range(120)]
        prints = {one.task.fingerprint for one in free if one.task}
        assert len(prints) == problems_of("train")
        given = frozenset(sorted(prints)[:7])
        drawer = Drawer(made, Exclusion(given))
        for at, one in enumerate(free):
            assert one.task is not None
            found = drawer.candidate(stratum, "train", at)
            assert found.task == one.task
            assert found.excluded == (one.task.fingerprint in given)


def test_a_seed_without_a_problem_of_the_split_is_a_candidate_without_a_task() -> None:
    made = config(splits={"train": 5, "test": 5}, params={"terms": 1, "digits": 1, "operators": "+"})
    [stratum] = made.strata
    assert Drawer(made, Exclusion()).candidate(stratum, "test", 0).task is None
    assert Drawer(made, Exclusion()).candidate(stratum, "train", 0).task is not None


@pytest.mark.parametrize("id", ["arithmetic-v0", "guess-number-v0"])
def test_a_solution_is_what_the_oracle_does_to_the_end(id: str) -> None:
    source = prepare(id, 2, "train", {}, {})[0]
    drawn = source.draw(1)
    actions = solution(source, drawn)
    assert (len(actions) > 1) is (source.environment.max_turns > 1)
    import envhub

    assert envhub.verify(drawn[0], actions).solved


def test_an_oracle_that_is_wrong_is_told() -> None:
    with known("unsolved-v0", Unsolved):
        source = prepare("unsolved-v0", 2, "train", {}, {})[0]
        with pytest.raises(EnvhubError, match="oracle of unsolved-v0 does not solve the task"):
            solution(source, source.draw(1))
