"""The prompts of the planning environments: phrasings of tasks and rules."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import FRAMES, GAME_FRAMES, Phrase, Statement, and_list, counted
from envhub.core.types import JSON
from envhub.envs.worlds.planning.domains import DOMAINS
from envhub.envs.worlds.planning.renderings import DATA

_PLAN: Final = Phrase(
    "Find a plan of at most {steps} that reaches the goal of this planning problem.",
    "Solve this planning problem: write down actions, no more than {steps}, that lead from the initial state to the goal.",
    "Which actions lead from the initial state to the goal? Give a plan with at most {steps}.",
    held_out="Determine a sequence of no more than {steps} that transforms the initial state into one that satisfies the goal.",
)
_ACT: Final = Phrase(
    "Reach the goal of this planning problem with at most {steps}, one at a time.",
    "You act in a small world, step by step. Reach its goal with no more than {steps}.",
    "Bring this world from its initial state to its goal. You have {steps}.",
    held_out="You control an agent in a planning domain. Its goal is to be reached using no more than {steps}.",
)
_CLOSED: Final = Phrase(
    "The facts listed for the initial state hold, and all other facts do not.",
    "At first, exactly the facts of the initial state are true; every other fact is false.",
    "A fact that is not listed for the initial state is false.",
    held_out="The initial state is complete: unlisted facts are false.",
)
_POSSIBLE: Final = Phrase(
    'An action is possible only if its precondition holds: its facts are true, and those after "not" are false.',
    'Before an action, all facts of its precondition must be true, and those with "not" must be false.',
    'An action may be used when each fact of its precondition is true and each one marked "not" is false.',
    held_out='Applicability: every positive fact of the precondition is true and every fact under "not" is false.',
)
_EFFECT: Final = Phrase(
    'An action first makes the facts after "not" in its effect false, and then makes the others true. Nothing else changes.',
    'The effect of an action removes its facts marked "not" and then adds the others; all other facts stay as they are.',
    'After an action, the facts of its effect are true and those after "not" are false, unless the effect also adds them. '
    "Other "
    "facts keep their value.",
    held_out='Transition: delete the facts under "not" in the effect, then add the remaining ones; leave everything else.',
)
_GOAL: Final = Phrase(
    "The goal is reached when all facts of the goal hold. Other facts do not matter.",
    "You have reached the goal if each of its facts is true, whatever else is.",
    "All facts of the goal must be true in the end; the truth of other facts is irrelevant.",
    held_out="A state is a goal state if it contains every fact of the goal.",
)
_WHOLE: Final = Phrase(
    "The goal must hold after the last action. A plan with an action that is not possible at its place fails.",
    "A plan counts if each of its actions is possible when its turn comes and the goal holds at the end.",
    "Every action must be possible in the state that the actions before it lead to, and the last state must satisfy the goal.",
    held_out="Validity requires that all actions are applicable in sequence and that the final state is a goal state.",
)
_COUNTED: Final = Phrase(
    "Send one action per message. An action that is not possible changes nothing but still counts, as does a message that "
    "is not an "
    "action.",
    "Each message is one action, and each message is counted, even if the action is impossible or the message cannot be "
    "read; then "
    "nothing changes.",
    "You act once in every message. Impossible actions and unreadable messages leave the state as it is and use up an action.",
    held_out="One message carries one action and is charged as one, whether or not it has an effect.",
)

_REPAIR: Final = Phrase(
    "The given actions are meant to be a plan for this problem, but they do not reach its goal. Repair them with at most "
    "{edits}.",
    "A plan for this problem has been damaged. Restore a plan that works by making no more than {edits} to the given actions.",
    "The given plan fails. Change it, with at most {edits}, so that it reaches the goal of this problem.",
    held_out="Correct the faulty action sequence that is given: no more than {edits} are permitted, and the result must "
    "reach the "
    "goal.",
)
_EDIT: Final = Phrase(
    "One edit leaves out an action, inserts an action, or replaces an action by another one.",
    "To leave out, to insert and to replace one action are an edit each.",
    "An edit is one of three things: an action is removed, added, or exchanged for another one.",
    held_out="Edits are deletions, insertions and substitutions of single actions.",
)
_RESULT: Final = Phrase(
    "The given actions are carried out in order, starting in the initial state. Which facts hold after the last of them?",
    "Starting in the initial state, all given actions are carried out one after another. List the facts that are true then.",
    "Work out the state after the given actions, which are carried out in order from the initial state.",
    held_out="Compute the state that results when the given actions are applied in order to the initial state.",
)
_EACH: Final = Phrase(
    "Each given action is possible when its turn comes.",
    "All given actions can be carried out.",
    "None of the given actions fails.",
    held_out="The precondition of every given action holds when it is applied.",
)
_ASKED: Final = Phrase(
    "List every fact of the predicates {fluents} that holds in the end, in any order, including those that never changed. "
    "Leave out "
    "other predicates.",
    "The answer is the complete list of true facts of {fluents}, in any order. It includes facts that stayed true from the "
    "start, and "
    "no facts of other predicates.",
    "Give all true facts whose predicate is one of {fluents}, whether or not they changed. Their order does not matter. "
    "Facts of other "
    "predicates do not belong in the list.",
    held_out="Required: the full set of facts over {fluents} that are true in the final state, changed or not, and nothing "
    "else.",
)

_RECOGNISE: Final = Phrase(
    "An agent pursues one of {goals} in this planning problem, and you have observed some of its actions. Which of these goals "
    "may be the one that it pursues?",
    "You watch an agent in a small world. It has exactly one of {goals} in mind. Find all of them that fit its actions.",
    "Which goals may an agent have that performs the given actions? It has one of {goals}.",
    held_out="Goal recognition: of {goals}, determine those that explain the observed behaviour of an agent.",
)
_SHORTEST: Final = Phrase(
    "The agent follows a plan of the fewest actions that reach its goal from the initial state.",
    "From the initial state, the agent reaches its goal by a shortest plan: no other plan for this goal has fewer actions.",
    "The agent wastes no action: its whole plan is as short as any plan from the initial state to its goal.",
    held_out="The agent is optimal: its plan for its goal has minimum length from the initial state.",
)
_FIRST: Final = Phrase(
    "The given actions are the first actions of its plan, and none is missing among them. The plan may go on after them.",
    "You saw the beginning of its plan without any gap. There may be further actions later.",
    "Its plan begins with exactly the given actions; what follows, if anything, is unknown.",
    held_out="Observed is a complete prefix of its plan; the plan may or may not continue.",
)
_MISSED: Final = Phrase(
    "You saw the given actions in the order in which the agent performs them, but you may have missed any number of other "
    "actions before, between and after them.",
    "The given actions occur in its plan in this order. Its plan may have more actions, anywhere before, between or after "
    "them.",
    "Each given action belongs to its plan, and their order is right. Actions may be missing at the beginning, in the middle "
    "and at the end.",
    held_out="Observed is a subsequence of its plan: the order is that of the plan, and unobserved actions may occur "
    "anywhere.",
)
_FITS: Final = Phrase(
    "A goal may be the agent's if at least one of the shortest plans for it agrees with what you saw. Where there are several "
    "shortest plans, one that agrees is enough.",
    "Count a goal as possible if any shortest plan for it, and not necessarily each of them, fits the observation.",
    "A goal is ruled out only if no shortest plan for it fits the observation.",
    held_out="A candidate is possible exactly if there exists a shortest plan for it that is consistent with the observation.",
)
_NAMED: Final = Phrase(
    "At least one candidate is possible. Give the numbers of all possible ones in any order.",
    "Answer with the number of each possible candidate; there is at least one, and the order does not matter.",
    "List the numbers of all candidates that are possible, in any order. There may be one or several.",
    held_out="Required: the set of the numbers of possible candidates, which is never empty.",
)


def recognition_statement(problem: JSON) -> Statement:
    """An agent whose goal is asked for."""
    return Statement(
        _RECOGNISE,
        DATA,
        problem,
        (_CLOSED, _POSSIBLE, _EFFECT, _GOAL, _SHORTEST, _MISSED if problem["gaps"] else _FIRST, _FITS, _NAMED),
        values={"goals": counted(len(problem["goals"]), "candidate goal")},
        frames=FRAMES,
    )


def repair_statement(problem: JSON) -> Statement:
    """A damaged plan."""
    return Statement(
        _REPAIR,
        DATA,
        problem,
        (_CLOSED, _POSSIBLE, _EFFECT, _GOAL, _WHOLE, _EDIT),
        values={"edits": counted(problem["edits"], "edit")},
        frames=FRAMES,
    )


def effects_statement(problem: JSON) -> Statement:
    """Actions whose outcome is asked for."""
    fluents = [name for name in DOMAINS[problem["domain"]].predicates if name in problem["fluents"]]
    return Statement(
        _RESULT,
        DATA,
        problem,
        (_CLOSED, _EFFECT, _EACH, _ASKED),
        values={"fluents": and_list(fluents)},
        frames=FRAMES,
    )


def plan_statement(problem: JSON) -> Statement:
    """A problem whose whole plan is asked for."""
    return Statement(
        _PLAN,
        DATA,
        problem,
        (_CLOSED, _POSSIBLE, _EFFECT, _GOAL, _WHOLE),
        values={"steps": counted(problem["limit"], "action")},
        frames=FRAMES,
    )


def act_statement(problem: JSON) -> Statement:
    """A problem that is solved action by action."""
    return Statement(
        _ACT,
        DATA,
        problem,
        (_CLOSED, _POSSIBLE, _EFFECT, _COUNTED),
        note=_GOAL,
        values={"steps": counted(problem["limit"], "action")},
        frames=GAME_FRAMES,
    )
