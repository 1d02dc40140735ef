"""pddl-steps-v0: reach a goal action by action, in any planning domain.

The problems of ``pddl-plan-v0``, from its five domains, with the rules and the score of ``blocksworld-v0``, which by default
draws problems of its own domain. Action: one action per turn, such as ``(sail boat port1 port2)``. One that is not possible
changes nothing and still counts, as does any other text. Score 1 as soon as the goal holds within the limit, else 0.
Difficulty: the length of the shortest plan, which is proved by search; effort is this length.

Problems that differ in the names of objects alone count as different.
"""

from __future__ import annotations

from envhub.envs.worlds.planning.step_by_step import StepByStep


class PddlSteps(StepByStep):
    """Reach a goal action by action, in any planning domain."""
