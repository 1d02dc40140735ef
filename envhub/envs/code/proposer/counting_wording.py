"""What the prompts of proposer-v0 say about counting and reward.

A solve rate follows from counts, so a prompt must state what is counted: ``COUNTED`` by kind of task. ``EARNED`` and
``SHARED`` state what a valid proposal earns, the latter in self-play.
"""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

EARNED: Final = Phrase(
    "A success earns 1. Another valid proposal earns 1 minus d/{width}, but at least 0, where d is the distance of its rate "
    "from the target in percentage points. Rates of 0% and 100% earn 0.",
    "You earn 1 for a success. The reward of another valid proposal falls evenly with the distance of its rate from the "
    "target, from 1 to 0 at a distance of {width} percentage points. Rates of 0% and 100% earn 0.",
    "The reward is 1 for a success. Without success, a valid proposal earns 1 - d/{width}, at least 0, for a rate that is d "
    "percentage points away from the target. A rate of 0% or 100% earns 0.",
    held_out="Rewards: 1 for a success; 1 - d/{width}, at least 0, for another valid proposal at a distance of d percentage "
    "points from the target; 0 at rates of 0% and 100%.",
)
SHARED: Final = Phrase(
    "A valid proposal earns 1 minus d/{width}, but at least 0, where d is the distance of its rate from the target in "
    "percentage points. Rates of 0% and 100% earn 0.",
    "Your reward for a valid proposal falls evenly with the distance of its rate from the target, from 1 to 0 at a distance "
    "of {width} percentage points. Rates of 0% and 100% earn 0.",
    "You earn 1 - d/{width}, at least 0, for a valid proposal whose rate is d percentage points away from the target. A rate "
    "of 0% or 100% earns 0.",
    held_out="Reward of a valid proposal: 1 - d/{width}, at least 0, at a distance of d percentage points from the target; 0 "
    "at rates of 0% and 100%.",
)
COUNTED: Final = {
    "deduction": (
        Phrase(
            "An operation with the same operands counts once. Not counted are: and, or, not, ~ and signs; operations without "
            "a variable; calls of your functions; bool, dict, list and tuple; what returns a dict or `None`; and built-ins and "
            "methods that get or return an iterator, a range, a view of a dict, or a function other than a key.",
            "The same operation on the same operands counts once in the call. These do not count: and, or, not, ~ and signs; "
            "operations without a variable; calls of your functions; bool, dict, list and tuple; operations that return a "
            "dict or `None`; built-ins and methods that get or return an iterator, a range, a view of a dict, or a function "
            "other than a key.",
            "Repeated operations on the same operands count once. There is no mistake in and, or, not, ~ and signs, in "
            "operations without a variable, in calls of your functions, in bool, dict, list and tuple, in what returns a "
            "dict or `None`, and in built-ins and methods that get or return an iterator, a range, a view of a "
            "dict, or a function other than a key.",
            held_out="Equal operations on equal operands count once. Excluded: and, or, not, ~, signs; operations without a "
            "variable; calls of your functions; bool, dict, list, tuple; anything that returns a dict or `None`; built-ins "
            "and methods that get or return an iterator, a range, a view of a dict, or a function other than a key.",
        ),
        Phrase(
            "A mistake adds 1 to an integer, flips a bool, and drops the last item of a text, list or tuple (an empty one "
            "gets an item). It happens wherever the operation occurs. A run that fails because of it is a changed result.",
            "The wrong result is an integer larger by 1, the other bool, or a text, list or tuple without its last item (or "
            "with one item if it is empty). It is the same wherever the operation occurs. If the run fails because of it, "
            "the result has changed.",
            "By a mistake, an integer becomes larger by 1, a bool becomes the other one, and a text, list or tuple loses its "
            "last item, or gets one if it is empty. This happens at each place of the operation. A run that then fails "
            "counts as a changed result.",
            held_out="Effect of an error, at all occurrences of the operation: an integer grows by 1, a bool flips, a text, "
            "list or tuple loses its last item (an empty one gets an item). A failing run is an altered result.",
        ),
    ),
    "abduction": (),
    "induction": (
        Phrase(
            "Candidates that agree on all possible arguments count once. Those with fewer than 3 different results are left "
            "out.",
            "Two candidates with the same results for all possible arguments are one, and a candidate needs at least 3 "
            "different results.",
            "A candidate has at least 3 different results on the possible arguments, and none agrees with another on all of "
            "them.",
            held_out="Candidates are distinct on the possible arguments and have at least 3 different results.",
        ),
    ),
}
