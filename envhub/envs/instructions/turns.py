"""instructions-turns-v0: rewrite a text as instructions change over several messages.

Action: in each message, the whole text. A message of the user adds, changes or lifts instructions; all that are in
force count each time, and every text must be right. Difficulty: more facts, messages and edits; effort is the number
of conditions over all messages. The order of facts and of the edits in a message does not change the problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring.environment import Staged
from envhub.authoring.wording import PLAIN, Statement, Wording, counted, read_wording
from envhub.authoring.world import World
from envhub.core.seeding import canonical_json
from envhub.core.types import Turn
from envhub.families.constraint_phrases import sentence
from envhub.families.text_constraints import APART, ASCII, FACTS, FLOOR, REPORT, WHOLE, floor, judge, terms
from envhub.families.text_kit import JSON, Instance, Phrase, Stream, Verdict, knob, levels
from envhub.generators.constraints.dialogue import draw_dialogue, in_force
from envhub.generators.constraints.facts import draw_facts
from envhub.generators.constraints.sets import broken
from envhub.generators.constraints.units import Text
from envhub.generators.constraints.writer import write
from envhub.verifiers.answers.verbatim import Prose

_TASK: Final = Phrase(
    "Write a text about {subject}. You send {messages}, each with the whole text. Between them I change the instructions.",
    "We will write a text about {subject} together. I change the instructions after each text. You send the whole "
    "text every time, in {messages}.",
    "Please write about {subject}. You have {messages}, and each must contain the complete text. After each one but "
    "the last, I change the instructions.",
    held_out="Maintain a text about {subject} under changing instructions; return it in full in each of {messages}.",
)
_FORCE: Final = Phrase(
    "An instruction stays in force until I change or lift it. A change replaces the earlier form. Each text is "
    "graded, and all of them must be right.",
    "Every instruction holds for all later messages unless I change or lift it. A changed instruction replaces the old one. "
    "Every text is graded; none may break a rule.",
    "What I ask for once holds from then on, until it is changed or lifted; the new form of a changed instruction replaces "
    "the old form. I grade each text, and every one must be right.",
    held_out="Instructions persist until changed (replaced) or lifted. Grading: every text, all of which must "
    "satisfy the rules in force.",
)
_AGAIN: Final = Phrase(
    "Now send the whole text again, with these edits of the instructions:",
    "Send the whole text once more. The instructions change as follows:",
    "Please send the complete text again, after these changes of the instructions:",
    held_out="Next version, in full. Changes of the instructions:",
)
_VERBS: Final = {"add": "New", "change": "Changed", "lift": "Lifted, no longer in force"}


class Progress(NamedTuple):
    """Texts so far.

    Attributes:
        wording: The wording of all messages.
        done: Number of texts.
        wrong: Number of wrong ones among them.
    """

    wording: Wording
    done: int = 0
    wrong: int = 0


class Turns(World):
    """Follow instructions that are added, changed and lifted."""

    Params = levels(
        facts=knob("facts to report", 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, at_least=2, at_most=10),
        messages=knob("messages of the policy", 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, at_least=2),
        edits=knob("edits of the instructions in each message", 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, at_most=4),
    )
    answer = Prose(sample="This is one sentence. This is another one.")
    max_turns: ClassVar[int] = 10

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Facts and edits; the key is a text for each message."""
        facts = draw_facts(rng, p.facts)
        edits = draw_dialogue(rng, p.messages, p.edits)
        yield {**facts, "edits": edits}
        texts = [write(rng, facts, in_force(edits[: at + 1])) for at in range(p.messages)]
        return Instance({**facts, "edits": edits}, key=texts)

    def accepts(self, inst: Instance) -> bool:
        """Reject a dialogue in which one text fits two messages."""
        edits = inst.problem["edits"]
        right = (self.judged(inst, at, text).solved for at, text in enumerate(inst.key))
        later = ((in_force(edits[: at + 2]), Text(text)) for at, text in enumerate(inst.key[:-1]))
        return all(right) and all(broken(constraints, text) for constraints, text in later)

    def canonical(self, content: JSON) -> JSON:
        """The facts and the edits of each message, in fixed orders."""
        edits = [sorted(canonical_json(edit).decode() for edit in message) for message in content["edits"]]
        return [content["subject"], sorted(content["rows"]), edits]

    def prompt(self, problem: JSON) -> Statement:
        """The facts, the first instructions, and the rules of all messages."""
        first = tuple(sentence(name, settings) for _, name, settings in problem["edits"][0])
        used = {name: settings for message in problem["edits"] for _, name, settings in message}
        rules = (*first, REPORT, APART, FLOOR, ASCII, WHOLE, _FORCE, *terms(list(used.items())))
        return Statement(_TASK, FACTS, problem, rules, None, {**problem, **self.values(problem)})

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The number of messages and the least number of words."""
        return {"messages": counted(len(problem["edits"]), "message"), "floor": floor(problem["rows"])}

    def messages(self, problem: JSON) -> int:
        """One message for each group of edits."""
        return len(problem["edits"])

    def begin_worded(self, inst: Instance, rng: Stream, wording: int | str | None) -> Progress:
        """No text so far; later messages are worded like the prompt."""
        return Progress(read_wording(wording) or PLAIN)

    def judged(self, inst: Instance, done: int, text: str) -> Verdict:
        """Whether a text is right as message ``done + 1``."""
        return judge(inst.problem["rows"], in_force(inst.problem["edits"][: done + 1]), text)

    def act(self, inst: Instance, state: Progress, value: str, rng: Stream) -> Turn:
        """Judge the text by all instructions in force."""
        verdict = self.judged(inst, state.done, value)
        return self.after(inst, state, verdict.feedback if not verdict.solved else "")

    def reject(self, inst: Instance, state: Progress, reason: str, feedback: str) -> Turn:
        """A message without a text counts as a wrong text."""
        return self.after(inst, state, feedback)

    def after(self, inst: Instance, state: Progress, fault: str) -> Turn:
        """The turn after a text with a fault, or without one."""
        now = state._replace(done=state.done + 1, wrong=state.wrong + bool(fault))
        if now.done == len(inst.problem["edits"]):
            report = f"Wrong texts: {now.wrong} of {now.done}. {fault}".strip()
            return Turn.end(now, Verdict.exact(not now.wrong, report))
        asked = (
            f"- {_VERBS[kind]}: {now.wording.pick(phrase).format_map(phrase.values)}"
            for kind, name, settings in inst.problem["edits"][now.done]
            for phrase in [sentence(name, settings)]
        )
        opening = f"That text was wrong. {fault}" if fault else "That text was right."
        return Turn(now, "\n".join([f"{opening} {now.wording.pick(_AGAIN)}", *asked]))

    def solve(self, inst: Instance, state: Progress) -> str:
        """The text written for this message."""
        return str(inst.key[state.done])

    def effort(self, inst: Instance) -> float:
        """Conditions over all messages."""
        edits = inst.problem["edits"]
        return float(sum(len(inst.problem["rows"]) + len(in_force(edits[: at + 1])) for at in range(len(edits))))
