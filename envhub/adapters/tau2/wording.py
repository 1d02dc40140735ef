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
RULES: Final = (_CUSTOMER, _SAY, _TELL, _GRADED, _END)
RULES_WITH_DEVICE: Final = (_CUSTOMER, _SAY, _TELL, _DEVICE, _GRADED, _END)
_THEIRS: Final = "[the customer's] "


def _tools(problem: JSON) -> list[JSON]:
    marked = [{**each, "description": _THEIRS + each["description"]} for each in problem["user_tools"]]
    return [*problem["tools"], *marked]


def _lines(problem: JSON) -> str:
    tools = "\n".join(json.dumps(each, ensure_ascii=False) for each in _tools(problem))
    return (
        f"Policy:\n\n{problem['policy']}\n\nThe customer:\n\n{problem['description']}\n\n"
        f"Tools, one per line, with JSON schemas of their arguments:\n\n{tools}"
    )


def _blocks(problem: JSON) -> str:
    blocks = [
        f"{each['name']}: {each['description']}\n    {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in _tools(problem)
    ]
    return (
        f"The customer is described like this:\n\n{problem['description']}\n\nThis is the policy:\n\n{problem['policy']}\n\n"
        "The tools, each with the JSON schema of its arguments on the next line:\n\n" + "\n".join(blocks)
    )


def _tagged(problem: JSON) -> str:
    tools = "\n".join(json.dumps(each, ensure_ascii=False) for each in _tools(problem))
    return (
        f"<policy>\n{problem['policy']}\n</policy>\n<tools>\n{tools}\n</tools>\n"
        f"<customer>\n{problem['description']}\n</customer>"
    )


def _headed(problem: JSON) -> str:
    tools = "\n".join(f"- {json.dumps(each, ensure_ascii=False)}" for each in _tools(problem))
    return f"## Customer\n{problem['description']}\n\n## Tools\n{tools}\n\n## Policy\n{problem['policy']}"


DATA: Final[Variants[Rendering]] = Variants(_lines, _blocks, _tagged, held_out=_headed, name="data")
CONFIRMED: Final = "Customer: Yes, if that agrees with my description. I have nothing to add to it."
