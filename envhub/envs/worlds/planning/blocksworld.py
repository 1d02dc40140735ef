"""blocksworld-v0: reach the goal of a planning problem action by action.

Blocks are moved one at a time by a hand, until the towers are those of the goal. With ``domain`` the other domains of
``pddl-plan-v0`` are played in the same way. Action: one action per turn, such as ``(stack b1 b2)``. One that is not
possible changes nothing and still counts, as does any other text. Score 1 as soon as the goal holds within the limit,
else 0. Difficulty: the length of the shortest plan, which is proved by search; effort is this length.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from pydantic import Field

from envhub.envs.worlds.planning import params
from envhub.envs.worlds.planning.step_by_step import StepByStep


class Params(params.Params):
    """The domain, the size, and the length of a shortest plan."""

    domain: params.DomainName = Field("blocksworld", description="domain; any: drawn for each task")


class Blocksworld(StepByStep):
    """Reach the goal of a planning problem action by action."""

    Params = Params
