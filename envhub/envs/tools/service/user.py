"""The simulated user, who holds a goal and acts on a device.

Rule-based. A message of the agent is searched for what it does: it instructs the user about the device, turns a request
down, asks to confirm a change, asks whether there is anything else, or asks about topics. Each of these has several
phrasings. The user reacts to all of them, by rules that nothing in a message can change, and the same message in the same
state always gets the same reply::

    memory, reply = respond(user, Memory(), "What is your customer number, please?")
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from envhub.envs.tools.intents import ascii_of, has, intents, plain
from envhub.envs.tools.service.cases import PAID_OUT, Request
from envhub.envs.tools.service.telecom import SETTINGS

TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "number": ("customer number", "customer id", "client number", "account number", "customer no"),
    "postcode": ("postcode", "post code", "postal code", "zip", "zip code"),
    "reason": ("reason", "why", "how come"),
    "date": ("which date", "what date", "new date", "which day", "what day", "when"),
    "bags": ("how many", "number of bags", "how much luggage"),
    "opened": ("opened", "sealed", "unopened", "used it"),
    "color": ("which color", "what color", "which colour", "what colour", "new color", "new colour"),
    "address": ("which address", "what address", "new address", "where should", "where shall"),
    "place": ("abroad", "which country", "where are you", "at home", "travelling", "traveling"),
    "gigabytes": ("gigabytes", "gigabyte", "gb", "how much data"),
    "which": ("which trip", "which flight", "which booking", "which order", "which item", "which line", "which phone"),
}
STYLES: Final = 3
"""Number of phrasings of each reply."""
_YES: Final = ("Yes, please.", "Yes, go ahead.", "Yes, that is fine with me.")
_NO: Final = (
    "No, {dollars} dollars is too much for me. Leave it as it is.",
    "No. I do not want to pay {dollars} dollars for that.",
    "No, thanks, not for {dollars} dollars.",
)
_ALL: Final = ("No, that is all. Thank you.", "No, nothing else. Thanks.", "That is all. Goodbye.")
_PITY: Final = ("That is a pity, but I understand.", "All right, if it cannot be done.", "I had hoped for more. Fine.")
_AGAIN: Final = ("Sorry, I do not understand.", "I do not know what you mean.", "What do you mean?")
_MORE: Final = ("anything else", "something else", "any other", "further request", "other requests", "else can i")
_CANNOT: Final = ("cannot", "can not", "can t", "unable", "not possible", "impossible")
_TEST: Final = ("test", "try again", "try it", "does it work", "is it working", "works now", "work now")
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "airplane mode": ("airplane mode", "flight mode", "aeroplane mode"),
    "mobile data": ("mobile data", "cellular data"),
    "data roaming": ("data roaming", "roaming"),
    "vpn": ("vpn",),
    "apn": ("apn", "access point"),
    "sim card": ("sim card", "sim"),
}
_RIGHT: Final = ("reset", "reinsert", "re insert", "reseat", "insert", "restore", "take out")
_ON: Final = ("turn on", "switch on", "enable", "activate")
_OFF: Final = ("turn off", "switch off", "disable", "deactivate", "disconnect")
_CHECK: Final = ("check", "is", "what", "look", "status", "tell me", "see")
_CLAUSE: Final = re.compile(r"[.;,!?\n]| and | then ")
_SPLIT: Final = re.compile(r"\b(turn|switch)((?: \w+){1,3}?) (on|off)\b")
_MONEY: Final = re.compile(r"\$ ?(\d+(?:\.\d+)?)")
_ID: Final = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)*")


class User(NamedTuple):
    """Who the user is, and what the user wants.

    Attributes:
        number: Customer number.
        postcode: Postcode.
        requests: What the user wants, in order.
        terse: Answers one topic of a message only.
        needs: Settings of the phone that must be right; empty if there is no phone.
        style: Number of the phrasings that the user prefers, from 0 to 2.
    """

    number: str
    postcode: str
    requests: list[Request]
    terse: bool
    needs: frozenset[str]
    style: int = 0


@dataclass(frozen=True)
class Memory:
    """What the conversation has changed.

    Attributes:
        shown: Number of requests that the user has stated.
        agreed: Changes that the user agreed to, as pairs of id and dollars.
        quoted: Changes that the user was asked about, agreed or not.
        refused: Ids of the requests that were turned down.
        device: Settings of the device.
        finished: Whether the user has said that there is nothing else.
    """

    shown: int = 1
    agreed: frozenset[tuple[str, int]] = frozenset()
    quoted: frozenset[tuple[str, int]] = frozenset()
    refused: frozenset[str] = frozenset()
    device: tuple[tuple[str, str], ...] = ()
    finished: bool = False


def respond(user: User, memory: Memory, message: str, working: bool = False) -> tuple[Memory, str]:
    """The user's memory after a message, and the reply.

    Arguments as for :func:`replies`.
    """
    memory, said = replies(user, memory, message, working)
    return memory, " ".join(said)


def replies(user: User, memory: Memory, message: str, working: bool = False) -> tuple[Memory, list[str]]:
    """The user's memory after a message, and the sentences of the reply.

    Args:
        user: The user.
        memory: What happened so far.
        message: What the agent says.
        working: Whether mobile data works once the device is right.
    """
    text = plain(message)
    said: list[str] = []
    if memory.device:
        memory, told = _device(user, memory, message, working)
        said += told
    cannot, confirm = has(text, _CANNOT), "confirm" in text.split()
    if cannot and confirm:
        said.append("I am confused. Can you do it, or can you not?")
    elif cannot:
        memory, answer = _turned_down(user, memory, message)
        said.append(answer)
    elif confirm:
        memory, answer = _confirmed(user, memory, message)
        said.append(answer)
    if has(text, _MORE):
        memory, answer = _further(user, memory)
        said.append(answer)
    topics = list(_topics(user, memory, text))
    said += topics[:1] if user.terse else topics
    current = user.requests[memory.shown - 1]
    return memory, list(dict.fromkeys(said)) or [_AGAIN[user.style], current.opening]


def _stated(user: User, memory: Memory, message: str) -> list[Request]:
    """The stated requests whose ids a message names."""
    ids = set(_ID.findall(ascii_of(message).upper()))
    return [request for request in user.requests[: memory.shown] if request.id in ids]


def _turned_down(user: User, memory: Memory, message: str) -> tuple[Memory, str]:
    about = _stated(user, memory, message)
    if len(about) != 1:
        return memory, "What exactly can you not do? Please name its number."
    return replace(memory, refused=memory.refused | {about[0].id}), _PITY[user.style]


def _confirmed(user: User, memory: Memory, message: str) -> tuple[Memory, str]:
    """Answer a question to confirm one id and one amount."""
    about, amounts = _stated(user, memory, message), set(_MONEY.findall(ascii_of(message)))
    whole = [int(float(amount)) for amount in amounts if len(amount) < 9 and float(amount).is_integer()]
    if len(about) != 1 or len(amounts) != 1 or not whole:
        return memory, "What exactly shall I confirm? Please name the number of one change and its amount in dollars."
    change = (about[0].id, whole[0])
    memory = replace(memory, quoted=memory.quoted | {change})
    if not agrees(about[0], whole[0]):
        return memory, _NO[user.style].format(dollars=whole[0])
    return replace(memory, agreed=memory.agreed | {change}), _YES[user.style]


def agrees(request: Request, amount: int) -> bool:
    """Whether the user agrees to an amount.

    Money that the user receives is always welcome.
    """
    return any(name in PAID_OUT for name, _ in request.asks) or amount <= request.limit


def _further(user: User, memory: Memory) -> tuple[Memory, str]:
    if memory.shown < len(user.requests):
        return replace(memory, shown=memory.shown + 1), f"Yes. {user.requests[memory.shown].opening}"
    return replace(memory, finished=True), _ALL[user.style]


def _topics(user: User, memory: Memory, text: str) -> Iterator[str]:
    """Answers about topics, for the request that was stated last."""
    answers = {
        "number": f"My customer number is {user.number}.",
        "postcode": f"My postcode is {user.postcode}.",
        **user.requests[memory.shown - 1].answers,
    }
    return (answers[topic] for topic in intents(text, TOPICS) if topic in answers)


def _device(user: User, memory: Memory, message: str, working: bool) -> tuple[Memory, list[str]]:
    """Carry out instructions about the device, clause by clause."""
    device, said = dict(memory.device), []
    for clause in _CLAUSE.split(ascii_of(message).lower().replace("-", " ")):
        text = _SPLIT.sub(r"\1 \3\2", plain(clause).strip())  # "turn it off" is "turn off it"
        text = f" {text} "
        if has(text, _TEST):
            right = working and all(device[name] == SETTINGS[name][0] for name in user.needs)
            said.append("It works now!" if right else "It does not work yet.")
        names = [name for name, words in _NAMES.items() if has(text, words)]
        if len(names) == 1 and (done := _instructed(device, names[0], text)):
            said.append(done)
    return replace(memory, device=tuple(device.items())), said


def _instructed(device: dict[str, str], name: str, text: str) -> str:
    """Act on one setting, or report it; empty if neither is meant."""
    right, wrong = SETTINGS[name]
    if {right, wrong} == {"on", "off"}:
        to = "on" if has(text, _ON) else "off" if has(text, _OFF) else None
    else:
        to = right if has(text, _RIGHT) else None
    if to is not None:
        device[name] = to
        return f"Done: {name} is {to}."
    return f"On my phone, {name} is {device[name]}." if has(text, _CHECK) else ""
