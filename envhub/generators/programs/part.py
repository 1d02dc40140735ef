"""Parts of programming tasks: functions from one kind of value to another.

A part is a plain function of ours with drawn parameters. Those with a default are rules, which are optional in a task;
the specification describes the function with the parameters that it has::

    Part(rotate, INTS, INTS, _rotate, {"by": between(1, 4)}, {"flip": always})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.programs.kind import Kind

Params = dict[str, JSON]
Drawer = Callable[[Stream, Params], JSON]


@dataclass(frozen=True)
class Part:
    """A step of a program.

    Attributes:
        run: Its function, in plain Python; parameters after its values are drawn, those with a default are rules.
        takes: The kind of its input.
        gives: The kind of its result.
        say: Describes it, from its parameters by attribute.
        needs: Draws for its required parameters.
        rules: Draws for its optional ones.
    """

    run: Callable[..., Any]
    takes: Kind
    gives: Kind
    say: Callable[[Any], str]
    needs: Mapping[str, Drawer]
    rules: Mapping[str, Drawer]

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.run.__name__

    def draw(self, rng: Stream, rules: int) -> Params:
        """Parameters, with ``rules`` of the rules, or all of them."""
        chosen = set(rng.sample(list(self.rules), min(rules, len(self.rules))))
        found: Params = {}
        for name, drawn in [*self.needs.items(), *self.rules.items()]:
            if name in self.needs or name in chosen:
                found[name] = drawn(rng, found)
        return found

    def spec(self, params: Params) -> str:
        """Its description."""
        return self.say(SimpleNamespace(**{**dict.fromkeys(self.rules), **params}))


def between(low: int, high: int) -> Drawer:
    """An integer from ``low`` to ``high``."""
    return lambda rng, _: rng.between(low, high)


def one_of(*items: JSON) -> Drawer:
    """One of the values."""
    return lambda rng, _: rng.choice(items)


def always(rng: Stream, params: Params) -> JSON:
    """True: the rule applies."""
    return True


def counted(count: int, noun: str) -> str:
    """A count with its noun's right form: 1 place, 2 places."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
