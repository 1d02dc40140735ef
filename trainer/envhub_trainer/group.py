"""The episodes of one task, which are compared with each other."""

from __future__ import annotations

from dataclasses import dataclass, field

from envhub.core.types import Task
from envhub_trainer.episode import Branch, Episode


@dataclass(slots=True)
class Group:
    """The episodes of one task, in self-play of one seat.

    Attributes:
        number: Number of the group in the run; the seats of a game share it.
        task: Their task.
        episodes: Episodes to learn from; some may have failed.
        greedy: One more, played greedily, if the algorithm needs it.
        branches: Continuations of the episodes, which estimate the values of their states.
        added: More episodes to learn from that are not the policy's attempts at the task, so that no measure counts them:
            branches of a tree, demonstrations, earlier successes.
        frozen: Whether the other seats were played by a frozen opponent.
        hinted: Whether the episodes begin with tokens of a demonstration.
    """

    number: int
    task: Task
    episodes: list[Episode]
    greedy: Episode | None = None
    branches: list[Branch] = field(default_factory=list)
    added: list[Episode] = field(default_factory=list)
    hinted: bool = False
    frozen: bool = False

    @property
    def sound(self) -> list[Episode]:
        """The episodes that did not fail."""
        return [episode for episode in self.episodes if episode.error is None]

    @property
    def learned(self) -> list[Episode]:
        """All episodes to learn from that did not fail."""
        return self.sound + [episode for episode in self.added if episode.error is None]

    @property
    def beside(self) -> list[Episode]:
        """All episodes but the policy's attempts, each once."""
        found = [self.greedy] if self.greedy is not None else []
        found += [*(branch.episode for branch in self.branches), *self.added]
        return list({id(episode): episode for episode in found}.values())

    @property
    def comparable(self) -> bool:
        """Whether at least two episodes, or the only one, did not fail."""
        return len(self.sound) >= min(2, len(self.episodes))
