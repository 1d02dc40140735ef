"""Scripted agents of customer-service-v0: the oracle and a generous agent."""

from __future__ import annotations

from envhub.authoring import write_call
from envhub.core.seeding import canonical_json
from envhub.envs.tools.service.cases import AMOUNT, PAID_OUT, Request
from envhub.envs.tools.service.tools import State
from envhub.envs.tools.service.user import User

_FIXES = {
    "airplane mode": "Please turn off airplane mode.",
    "mobile data": "Please turn on mobile data.",
    "data roaming": "Please turn on data roaming.",
    "vpn": "Please turn off the VPN.",
    "apn": "Please reset the APN.",
    "sim card": "Please reinsert the SIM card.",
}


def next_call(user: User, state: State) -> str:
    """The oracle: the next call that serves the user by the policy."""
    if not state.verified:
        return write_call("verify_customer", number=user.number, postcode=user.postcode)
    request = user.requests[state.memory.shown - 1]
    if request.refused:
        if request.id not in state.memory.refused:
            return _say(f"I am sorry, I cannot do this: {request.id}.")
    else:
        step = _next_change(request, state) or _next_fix(request, state)
        if step is not None:
            return step
    return write_call("close_case") if state.memory.finished else _say("Is there anything else?")


def _say(message: str) -> str:
    return write_call("say", message=message)


def _next_change(request: Request, state: State) -> str | None:
    """Ask about the next change, or make it."""
    made = {canonical_json([row["what"], row["id"], row["amount"]]) for row in state.tables["ledger"].values()}
    for (name, arguments), amount in zip(request.asks, request.amounts or (), strict=True):
        if (request.id, amount) not in state.memory.quoted:
            return _say(f"{_offer(name, amount)} for {request.id}. Do you confirm?")
        done = canonical_json([name, request.id, amount]) in made
        if not done and (request.id, amount) in state.memory.agreed:
            return write_call(name, **arguments, **{AMOUNT[name]: amount})
    return None


def _offer(name: str, amount: int) -> str:
    return f"You would get ${amount}" if name in PAID_OUT else f"It would cost ${amount}"


def _next_fix(request: Request, state: State) -> str | None:
    device = dict(state.memory.device)
    wrong = next((name for name, value in request.fix.items() if device[name] != value), None)
    return None if wrong is None else _say(_FIXES[wrong])


def generous_call(user: User, state: State) -> str:
    """An agent that grants every request for nothing."""
    if not state.verified:
        return write_call("verify_customer", number=user.number, postcode=user.postcode)
    request = user.requests[state.memory.shown - 1]
    made = [row["what"] for row in state.tables["ledger"].values() if row["id"] == request.id]
    for name, arguments in request.asks:
        if name not in made:
            if (request.id, 0) not in state.memory.agreed:
                return _say(f"It is free for you: $0 for {request.id}. Do you confirm?")
            return write_call(name, **arguments, **{AMOUNT[name]: 0})
    step = _next_fix(request, state)
    if step is not None:
        return step
    return write_call("close_case") if state.memory.finished else _say("Is there anything else?")
