"""Phrases and renderings of the tasks."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You are a customer service agent. Serve one customer with the tools, as the policy allows.",
    "A customer has contacted you, an agent of customer service. Follow the policy and use the tools to serve them.",
    "You work in customer service. Handle the case of one customer by the policy, with the tools that you have.",
    held_out="Role: customer service agent. Resolve one customer's case within the policy by calling tools.",
)
_CUSTOMER: Final = Phrase(
    "The customer description is complete. It addresses the customer: its 'you' means the customer, not you.",
    "Everything that the customer knows and wants is in the description, where 'you' means the customer.",
    "The description tells the customer who they are and what they want; its 'you' means the customer.",
    held_out="Customer description: complete, and written in the second person for the customer.",
)
_SAY: Final = Phrase(
    "Call say to write to the customer. The customer confirms what agrees with the description and adds nothing to it.",
    "Write to the customer with say. You will get a confirmation of what follows from the description, and nothing new.",
    "With say you send the customer a message. The reply only confirms what the description says.",
    held_out="Messages to the customer: say. Replies confirm the description and contain nothing else.",
)
_TELL: Final = Phrase(
    "Tell the customer, with say, every piece of information that they ask for.",
    "Whatever the customer wants to know must be told to them with say.",
    "If the customer asks for information, send it with say.",
    held_out="Information the customer requests must be sent with say.",
)
_DEVICE: Final = Phrase(
    "Tools marked as the customer's are used by the customer on your instruction: calling one counts as the customer's act.",
    "A tool marked as the customer's is something the customer does for you when you call it.",
    "If you call a tool marked as the customer's, the customer carries it out.",
    held_out="Customer tools: calling one makes the customer perform it.",
)
_GRADED: Final = Phrase(
    "You are graded on the final records and on what the customer was told. A change that the policy forbids makes you fail.",
    "The end state of the records and your messages to the customer decide. Forbidden or missing changes make you fail.",
    "What counts is the state of the records at the end, and what you told the customer; a wrong change makes you fail.",
    held_out="Grading: final records and information given to the customer; wrong or missing changes fail.",
)
_END: Final = Phrase(
    "Call end_conversation when the case is done. It ends the task.",
    "When nothing is left to do, call end_conversation; the task ends with it.",
    "The task ends when you call end_conversation, so call it last.",
    held_out="Final call: end_conversation, which closes the task.",
)
_TALK: Final = Phrase(
    "Call say to write to the customer. The customer's reply is in the result. The customer has not written yet: greet them "
    "with say to learn what they want.",
    "You talk to the customer with say, and its result is their reply. They wait for your greeting and have said nothing yet.",
    "With say you send the customer a message and get their reply. Begin with a greeting, for the customer has not said "
    "anything yet.",
    held_out="Conversation with the customer: say, which returns their reply. You open it; the customer has not spoken.",
)
_HANG_UP: Final = Phrase(
    "Call end_conversation when the case is done. It ends the task. The customer may also end the conversation: what you have "
    "done until then is graded, so make each change before you report it.",
    "When nothing is left to do, call end_conversation; the task ends with it. The customer can end the conversation as well, "
    "and your work so far is graded then, so change the records first and report afterwards.",
    "The task ends when you call end_conversation, or when the customer ends the conversation. What is done by then is "
    "graded. Make changes before you write that they are made.",
    held_out="The task ends with end_conversation, or when the customer leaves; only what is done by then is graded.",
)
SILENT: Final = "(The customer says nothing.)"
RULES_WITH_CUSTOMER: Final[tuple[Phrase, ...]] = (_TALK, _TELL, _GRADED, _HANG_UP)
RULES: Final[tuple[Phrase, ...]] = (_CUSTOMER, _SAY, _TELL, _GRADED, _END)
RULES_WITH_DEVICE: Final[tuple[Phrase, ...]] = (_CUSTOMER, _SAY, _TELL, _DEVICE, _GRADED, _END)
_GAP: Final = "\n\n"
_HEAD: Final = "## Customer\n"
_THEIRS: Final = "[the customer's] "


def _tools(problem: JSON) -> list[JSON]:
    marked = [{**each, "description": _THEIRS + each["description"]} for each in problem["user_tools"]]
    return [*problem["tools"], *marked]


def _customer(problem: JSON, head: str, end: str = "") -> str:
    """The description under a heading; nothing where a model plays the customer."""
    return f"{head}{problem['description']}{end}" if problem["description"] else ""


def _lines(problem: JSON) -> str:
    tools = "\n".join(json.dumps(each, ensure_ascii=False) for each in _tools(problem))
    return (
        f"Policy:\n\n{problem['policy']}\n\n{_customer(problem, f'The customer:{_GAP}', _GAP)}"
        f"Tools, one per line, with JSON schemas of their arguments:\n\n{tools}"
    )


def _blocks(problem: JSON) -> str:
    blocks = [
        f"{each['name']}: {each['description']}\n    {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in _tools(problem)
    ]
    customer = _customer(problem, f"The customer is described like this:{_GAP}", _GAP)
    return (
        f"{customer}This is the policy:\n\n{problem['policy']}\n\n"
        "The tools, each with the JSON schema of its arguments on the next line:\n\n" + "\n".join(blocks)
    )


def _tagged(problem: JSON) -> str:
    tools = "\n".join(json.dumps(each, ensure_ascii=False) for each in _tools(problem))
    customer = _customer(problem, "\n<customer>\n", "\n</customer>")
    return f"<policy>\n{problem['policy']}\n</policy>\n<tools>\n{tools}\n</tools>{customer}"


def _headed(problem: JSON) -> str:
    tools = "\n".join(f"- {json.dumps(each, ensure_ascii=False)}" for each in _tools(problem))
    return f"{_customer(problem, _HEAD, _GAP)}## Tools\n{tools}\n\n## Policy\n{problem['policy']}"


DATA: Final[Variants[Rendering]] = Variants(_lines, _blocks, _tagged, held_out=_headed, name="data")
CONFIRMED: Final = "Customer: Yes, if that agrees with my description. I have nothing to add to it."
