"""Writes the transcripts of worlds/webshop.md and worlds/customer-service.md: ``python docs/services.py``.

``python docs/services.py rates`` plays the scripted policies again and writes the tables of their rates as well.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, cast

from transcripts import Shown, section

import envhub
from envhub.authoring import write_call
from envhub.core.seeding import Stream
from envhub.envs.tools.webshop.environment import WebShop
from envhub.gymnasium.env import Env

EPISODES: Final = 200
Policy = Callable[[Env], str]


def _say(message: str) -> str:
    return write_call("say", message=message)


def _acts(*actions: str) -> tuple[str, ...]:
    return tuple(f"<answer>{action}</answer>" for action in actions)


SHOPPING: Final = Shown(
    "Level 6",
    "The cheapest of the products that match. Options show on a product's page, attributes beyond the title under Features.",
    "webshop-v0",
    _acts(
        "search[glass storage jars dishwasher safe made in portugal]",
        "click[B0ZF319667]",
        "click[< Prev]",
        "click[B0SVPW2401]",
        "click[Features]",
        "click[< Prev]",
        "click[< Prev]",
        "click[Next >]",
        "search[orrin v2401]",
        "click[B0SVPW2401]",
        "click[matte black]",
        "click[pack of 2]",
        "click[Buy Now]",
    ),
    difficulty=6,
    seed=1,
)
FLYING: Final = Shown(
    "Airline",
    "One request is against the policy, the other one is not.",
    "customer-service-v0",
    (
        _say("Hello! What are your customer number and your postcode?"),
        write_call("verify_customer", number="C1708", postcode="47213"),
        write_call("get_customer"),
        write_call("get_booking", code="YC8464"),
        _say("A basic booking cannot be moved to another date: YC8464. Is there anything else?"),
        write_call("get_booking", code="UR4822"),
        _say("You would get $519 back for UR4822. Do you confirm the cancellation?"),
        write_call("cancel_booking", code="UR4822", refund=519),
        _say("Is there anything else?"),
        write_call("close_case"),
    ),
    difficulty=4,
    seed=3,
    params=("domain=airline",),
)
PHONING: Final = Shown(
    "Telecom",
    "Dual control: the line is suspended, and three settings of the phone are wrong.",
    "customer-service-v0",
    (
        _say("What is your customer number, please? And what is your postcode?"),
        write_call("verify_customer", number="C6596", postcode="13922"),
        write_call("get_line", number="555-3756"),
        _say("Your line 555-3756 is suspended. Paying the bill costs $54. Do you confirm?"),
        write_call("resume_line", number="555-3756", charge=54),
        _say(
            "Are you abroad? Is airplane mode on? Is mobile data on? Check the VPN. Check the APN. Check the SIM card."
        ),
        _say(
            "Please turn off airplane mode. Please turn on mobile data. Please reinsert the SIM card. Does it work now?"
        ),
        _say("Great. Is there anything else?"),
        write_call("close_case"),
    ),
    difficulty=4,
    seed=2,
    params=("domain=telecom",),
)
SHOWN: Final[Mapping[str, tuple[Shown, ...]]] = {"webshop": (SHOPPING,), "customer-service": (FLYING, PHONING)}


def file(name: str) -> Path:
    """The page of a world."""
    return Path(__file__).parent / "worlds" / f"{name}.md"


def filled(page: str, block: str, text: str) -> str:
    """A page with the text between two marks replaced."""
    before, mark, rest = page.partition(f"<!-- {block} -->\n")
    _, end, after = rest.partition(f"<!-- end of {block} -->")
    if not (mark and end):
        raise ValueError(f"the page has no marks for {block}")
    return f"{before}{mark}{text}{end}{after}"


def transcripts(name: str) -> str:
    """The transcripts of a world."""
    return "\n".join(section(shown).replace("## ", "### ", 1) for shown in SHOWN[name])


# -- rates ---------------------------------------------------------------------------------------------------------------


def _papers_rule(env: Env) -> str:
    environment, inst = cast(WebShop, env.environment), env.episode.instance
    return environment.by_rule(inst, env.episode.state)


def _greedy(env: Env) -> str:
    return env.environment.greedy_action(env.episode.instance, env.episode.state, Stream(b"")) or ""


def _reference(env: Env) -> str:
    return env.environment.reference_action(env.episode.instance, env.episode.state, Stream(b"")) or ""


POLICIES: Final[Mapping[str, Mapping[str, Policy]]] = {
    "webshop": {"paper's rule": _papers_rule, "with options": _greedy, "careful shopper": _reference},
    "customer-service": {"generous": _greedy, "oracle": lambda env: env.solve()},
}


def rates(name: str) -> str:
    """The table of the rates of a world's scripted policies."""
    rows = [f"| | {' | '.join(map(str, range(1, 11)))} |", f"|---|{'---|' * 10}"]
    for policy, act in POLICIES[name].items():
        found = [_measured(f"{name}-v0", level, act) for level in range(1, 11)]
        rows.append(f"| {policy}, solved | {' | '.join(f'{solved:.2f}' for solved, _ in found)} |")
        if name == "webshop":
            rows.append(f"| {policy}, `webshop` | {' | '.join(f'{reward:.2f}' for _, reward in found)} |")
    return "\n".join(rows) + "\n"


def _measured(env_id: str, level: int, act: Policy) -> tuple[float, float]:
    """Share of solved tasks, and mean of the paper's reward."""
    env, solved, reward = envhub.make(env_id, difficulty=level), 0, 0.0
    for seed in range(EPISODES):
        env.reset(seed=seed)
        while not env.episode.over:
            env.step(act(env))
        verdict = env.episode.turns[-1].verdict
        assert verdict is not None
        solved += bool(verdict.solved)
        reward += verdict.components.get("webshop", 0.0)
    return solved / EPISODES, reward / EPISODES


if __name__ == "__main__":
    for each in SHOWN:
        text = filled(file(each).read_text(), "transcripts", transcripts(each))
        if sys.argv[1:] == ["rates"]:
            text = filled(text, "rates", rates(each))
        file(each).write_text(text)
