"""The page: well formed, complete, and harmless whatever the policy wrote."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import torch

from envhub.core.statistics import wilson
from envhub_trainer.batch import collate
from envhub_trainer.config import TrackConfig
from envhub_trainer.episode import Episode
from envhub_trainer.watch.panels import CHARTS, panels
from envhub_trainer.watch.report import SHOWN, report, spread
from envhub_trainer.watch.samples import record
from envhub_trainer.watch.track import EPISODES, LOG, Track
from envhub_trainer.watch.transcript import SHADES, transcript
from tests.trainer.hand_made import Letters, episode, group

EVIL = "<script>alert('x')</script>&amp;\"</pre>]]>-->\x00\u202e\ud800"


class Page(HTMLParser):
    """Reads a page and insists that every element is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def tags(self, tag: str, kind: str = "") -> list[dict[str, str | None]]:
        """The attributes of such elements, of a class if one is named."""
        return [
            attrs
            for name, attrs in self.seen
            if name == tag and (not kind or kind in (attrs.get("class") or "").split())
        ]


def made(folder: Path) -> tuple[Page, str]:
    text = report(folder).read_text()
    return Page(text), text


def track(folder: Path, done: int = 0, samples: int = 4) -> Track:
    return Track(folder, TrackConfig(samples=samples), done, tokenizer=Letters(), clock=lambda: 86400.0)


def play(log: Track, step: int, *played: Episode, advantage: list[float] | None = None) -> None:
    """Log a step in which every prediction of an episode has the episode's advantage."""
    groups = [group(step, *played)]
    batch = None
    if advantage is not None:
        batch = collate(groups[0].sound)
        batch = batch.having(advantage=torch.tensor(advantage)[batch.episode][:, None] * batch.mask)
    log.episodes(step, groups, batch)


def test_the_page_is_well_formed_and_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"run": {"steps": 9, "folder": "x"}, "tiny": None}))
    with track(tmp_path) as log:
        log.log(0, {"test/sampled": 0.25, "test/greedy": 0.5, "test/episodes": 4})
        for step in range(1, 4):
            log.log(
                step, {"reward": step / 4, "seconds": 30.0, "episodes": 8, "masked": 0.25, "kl": float("nan"), "odd": 1}
            )
            play(log, step, episode(1.0, 0.5), episode(0.0), episode(error="gone: x"), advantage=[1.0, -1.0])
    page, text = made(tmp_path)
    assert not page.tags("script") + page.tags("link") + page.tags("img") + page.tags("iframe")
    assert "http" not in text.replace("http-equiv", "")
    assert "default-src 'none'" in text
    told = " ".join(page.text)
    for words in (
        "3 of 9",
        "1:30 min",
        "24; 6 failed",
        "25.00%",
        "1970-01-02 00:00:00 UTC",
        "run.folder",
        "gone: x",
    ):
        assert words in told, words


def test_whatever_was_written_is_text(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"tasks": {EVIL: EVIL}}))
    evil = episode(1.0, answer=EVIL, env_id=EVIL, components={EVIL: 1.0}, error=EVIL)
    evil.turns[0].observation = EVIL
    evil.rows[0].give([ord(letter) for letter in EVIL])
    failed = episode(error=EVIL, env_id=EVIL)
    with track(tmp_path) as log:
        log.log(1, {EVIL: 1.0, f"env/{EVIL}/reward": 1.0, "test/sampled": 0.5})
        play(log, 1, evil)
        play(log, 2, failed)
    with Track(tmp_path, TrackConfig(), 2) as plain:  # without a tokenizer
        plain.episodes(3, [group(3, episode(1.0, answer=EVIL, env_id=EVIL))], None)
        only_text = episode(1.0, answer=EVIL)
        only_text.turns[0].observation = EVIL
        only_text.rows = []
        plain.episodes(4, [group(4, only_text)], None)
    page, text = made(tmp_path)
    assert not page.tags("script")
    assert "<script" not in text
    assert text.count("&lt;script&gt;") >= 10
    assert not [attrs for _, attrs in page.seen if any(name.startswith("on") for name in attrs)]


def test_a_token_that_is_a_tag_is_text() -> None:
    told = record(1, "best", episode(1.0, answer="a"), None, [None])
    told["rows"][0][1] |= {"pieces": ["<script>"], "logps": [None]}
    assert ">&lt;script&gt;</span>" in transcript(told, 0.0)
    assert "<script>" not in transcript(told, 0.0)


def test_tokens_are_coloured_by_mask_and_advantage(tmp_path: Path) -> None:
    with track(tmp_path) as log:
        played = [
            episode(1.0, answer="abc"),
            episode(0.5, answer="de"),
            episode(0.0, answer="f"),
            episode(0.25, error="x: y"),
        ]
        play(log, 1, *played, advantage=[2.0, 0.0, -1.0])
    page, text = made(tmp_path)
    assert len(page.tags("span", f"p{SHADES}")) == 3
    assert len(page.tags("span", f"n{SHADES // 2}")) == 1
    assert len(page.tags("span", "unlearned")) == 2  # "xy" of the one that failed
    assert len(page.tags("span", "t")) == 3 + 2 + 1 + 2
    assert len(page.tags("span", "given")) == 4
    assert "title='log-probability -0.500 (60.7%); advantage +2.000'>a</span>" in text
    assert "title='log-probability -0.500 (60.7%); advantage -1.000'>f</span>" in text
    assert "<span class='t' title='log-probability -0.500 (60.7%); advantage +0.000'>d</span>" in text
    assert "not learned from'>x</span>" in text


def test_turns_stand_after_what_was_sampled_in_them(tmp_path: Path) -> None:
    with track(tmp_path) as log:
        play(log, 1, episode(0.25, 0.75, answer="a"))
    page, _ = made(tmp_path)
    told = "|".join(page.text)
    assert ">>|a|turn 1: reward 0.25|>>|a|turn 2: reward 0.75" in told


def test_a_rewritten_history_is_folded_away(tmp_path: Path) -> None:
    with track(tmp_path) as log:
        play(log, 1, episode(0.25, 0.75, answer="a", new_rows=True))
    page, _ = made(tmp_path)
    assert len(page.tags("details")) == 1
    assert "rewritten history, 2 tokens|>>|a|turn 2: reward 0.75" in "|".join(page.text)


def test_held_out_success_has_its_interval_over_what_was_judged(tmp_path: Path) -> None:
    with track(tmp_path) as log:
        log.log(0, {"test/sampled": 0.5, "test/sampled_failed": 2.0, "test/greedy": 0.75, "test/episodes": 10.0})
        log.log(5, {"validation/greedy": 0.5})
        log.log(6, {"test/sampled": float("nan"), "test/episodes": 10.0})
    page, text = made(tmp_path)
    low, high = wilson(4, 8)
    assert f"<td>50.0% [{low:.1%}, {high:.1%}]</td>" in text
    low, high = wilson(7.5, 10)
    assert f"<td>75.0% [{low:.1%}, {high:.1%}]</td>" in text
    assert "<tr><td>5</td><td></td><td>50.0%</td></tr>" in text  # no count, no interval
    assert len(page.tags("line", "bounds")) == 2
    assert text.count("<h2>Held-out success") == 2


def test_every_number_is_drawn_once_with_all_its_points() -> None:
    names = [
        "reward",
        "kl",
        "env/b-v0/solved",
        "env/a-v0/solved",
        "errors/x",
        "seconds",
        "seconds/wait",
        "my/own",
        "loss",
    ]
    text = panels([{"step": step, "time": 0.0, **dict.fromkeys(names, step / 2)} for step in (0, 1)], without={"loss"})
    found = re.findall(r"<title>([^<]*), step 1: 0.5</title>", text)
    assert sorted(found) == ["a-v0", "b-v0", "kl", "my/own", "reward", "seconds", "wait", "x"]
    assert text.count("<figure>") == 6
    assert text.index("Everything else") < text.index("my/own")
    assert "Lengths" not in text


def test_more_environments_than_colours_are_several_charts() -> None:
    text = panels([{"step": 1, "time": 0.0, **{f"env/{i:02}/reward": 0.5 for i in range(16)}}])
    assert text.count("<figure>") == 3
    assert len(re.findall("<title>.*?, step 1", text)) == 16


def test_no_number_is_asked_for_by_two_charts() -> None:
    patterns = [pattern for charts in CHARTS.values() for _, names in charts for pattern in names]
    assert len(patterns) == len(set(patterns))


def test_a_run_in_progress_and_one_that_was_taken_up_again(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"holds no run: there is no log.jsonl"):
        report(tmp_path)
    log = track(tmp_path)
    assert "Nothing was logged yet" in made(tmp_path)[1]
    for step in range(1, 4):
        log.log(step, {"reward": 1.0})
        play(log, step, episode(1.0, env_id=f"env{step}-v0"))
    for name in (LOG, EPISODES):
        with open(tmp_path / name, "ab") as file:
            file.write(b'{"step": 4, "re')
    assert ">3</td>" in made(tmp_path)[1]
    log.close()
    with track(tmp_path, done=1) as log:
        log.log(2, {"reward": 0.125})
    text = made(tmp_path)[1]
    assert ">2</td>" in text
    assert "step 2: 0.125" in text
    assert "env1-v0" in text
    assert "env2-v0" not in text
    assert sorted(path.name for path in tmp_path.iterdir()) == [EPISODES, LOG, "report.html"]


def test_of_a_long_run_episodes_from_the_first_to_the_last_step_are_shown(tmp_path: Path) -> None:
    with track(tmp_path, samples=2) as log:
        for step in range(1, 41):
            play(log, step, episode(1.0), episode(0.0))
    page, text = made(tmp_path)
    steps = [int(step) for step in re.findall(r"<h3>step (\d+):", text)]
    assert len(steps) == SHOWN == 2 * len(set(steps))
    assert (steps[0], steps[-1]) == (40, 1)
    assert len(page.tags("section", "episode")) == SHOWN


@pytest.mark.parametrize(
    ("count", "left"), [(1, [9]), (2, [0, 9]), (4, [0, 3, 6, 9]), (10, list(range(10))), (99, list(range(10)))]
)
def test_spreading(count: int, left: list[int]) -> None:
    assert spread(list(range(10)), count) == left
    assert spread([], count) == []


def test_of_a_step_with_many_episodes_the_best_and_the_worst_are_among_those_shown(tmp_path: Path) -> None:
    with track(tmp_path, samples=SHOWN + 4) as log:
        play(log, 1, *(episode(float(number)) for number in range(SHOWN + 4)))
    page, _ = made(tmp_path)
    assert len(page.tags("section", "episode")) == SHOWN
    told = " ".join(page.text)
    assert f"the best of its step; return {SHOWN + 3};" in told
    assert "the worst of its step; return 0;" in told


def test_a_reports_name_is_the_runs(tmp_path: Path) -> None:
    folder = tmp_path / "a <run>"
    with track(folder) as log:
        log.log(1, {})
    told: Any = made(folder)[1]
    assert "<title>a &lt;run&gt;</title>" in told
