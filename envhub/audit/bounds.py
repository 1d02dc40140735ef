"""Contract on parameters: at their bounds they give problems, or are refused.

Bounds hold for one parameter; what they allow together is often forgotten, and then a user's settings end in a traceback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any, Final, Literal, get_args, get_origin

from annotated_types import Ge, Le

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Breach, Subject
from envhub.authoring import Environment
from envhub.core.difficulty import BaseParams, resolve
from envhub.core.errors import EnvhubError, SamplingFailed
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.registry.registry import spec

_MOST: Final = 64
_MOST_SLOW: Final = 16
_BLOCKS: Final = 1 << 12


@applies_if(lambda subject: not subject.environment.required())
def check_bounds(subject: Subject) -> None:
    """Parameters at their bounds give problems, or are refused.

    A slow environment is asked only for the part of a problem that decides the split.
    """
    fixed = spec(subject.id).params
    most, tries = (_MOST_SLOW, 1) if subject.environment.slow else (_MOST, 2)
    for settings in corners(subject.environment.Params, fixed, most):
        try:
            params = resolve(subject.environment.Params, None, {**fixed, **settings})
            subject.environment.check(params)
            for number in range(tries):
                _attempt(subject.environment, params, number)
        except EnvhubError:
            continue
        except Exception as error:
            raise Breach(f"{subject.id} with {settings}: {type(error).__name__}: {error}") from error


def corners(params: type[BaseParams], fixed: Mapping[str, Any], most: int) -> Iterator[dict[str, Any]]:
    """Combinations of the smallest and largest values of all parameters.

    At most ``most``, or else all smallest, all largest, and these with one parameter at its other end.
    """
    ends = {name: found for name, field in params.model_fields.items() if name not in fixed and (found := _ends(field))}
    lowest, highest = ({name: values[at] for name, values in ends.items()} for at in (0, -1))
    every = [dict(zip(ends, values, strict=True)) for values in islice(product(*ends.values()), most + 1)]
    if len(every) <= most:
        yield from every
        return
    for here, there in ((lowest, highest), (highest, lowest)):
        yield here
        yield from ({**here, name: there[name]} for name in ends)


def _ends(field: Any) -> tuple[Any, ...]:
    """The smallest and the largest value, or all choices.

    Empty for a parameter without bounds.
    """
    if field.annotation is bool:
        return (False, True)
    if get_origin(field.annotation) is Literal:
        return get_args(field.annotation)
    low = next((bound.ge for bound in field.metadata if isinstance(bound, Ge)), None)
    high = next((bound.le for bound in field.metadata if isinstance(bound, Le)), None)
    return () if low is None or high is None else (low, high)


def _attempt(environment: Environment, params: BaseParams, number: int) -> None:
    """Sample once, the first stage only if there are stages."""
    rng = Stream(b"bounds", number)
    rng.watch = _ends_soon
    drawn = environment.sample(rng, params)
    if drawn is not None and not isinstance(drawn, Instance):
        next(drawn, None)


def _ends_soon(blocks: int) -> None:
    if blocks >= _BLOCKS:
        raise SamplingFailed(f"one attempt drew more than {_BLOCKS} blocks of randomness")
