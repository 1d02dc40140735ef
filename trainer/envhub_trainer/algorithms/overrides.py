"""Settings of an algorithm by name.

They have the form of a configuration file: ``{"clip_high": 0.3, "kl": 0}``. :func:`overridden` applies them to a row. A setting
that does not apply to the row raises an error that lists those that do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from envhub_trainer.algorithms.advantages import GroupRelative, LeaveOneOut, WhitenedGroup
from envhub_trainer.algorithms.checks import nearest, one_of, within
from envhub_trainer.algorithms.controllers import AdaptiveKl, EntropyTarget
from envhub_trainer.algorithms.corrections import Masked, Tis
from envhub_trainer.algorithms.filters import KeepShortest, varied
from envhub_trainer.algorithms.focus import HighEntropy
from envhub_trainer.algorithms.imitation import Likelihood, Shaped
from envhub_trainer.algorithms.positives import Positives
from envhub_trainer.algorithms.process import ProcessAdvantage
from envhub_trainer.algorithms.ratios import token
from envhub_trainer.algorithms.regularisers import Entropy, Kl
from envhub_trainer.algorithms.row import Algorithm
from envhub_trainer.algorithms.shaping import LengthPenalty, SoftOverlong
from envhub_trainer.algorithms.surrogates import Cispo
from envhub_trainer.algorithms.weights import AGGREGATIONS

Setting = float | str | bool | None

_FIELDS = {
    "clip_low": ("surrogate", "low"),
    "clip_high": ("surrogate", "high"),
    "dual_clip": ("surrogate", "dual"),
    "std": ("advantage", "std"),
    "gamma": ("advantage", "gamma"),
    "lam": ("advantage", "lam"),
    "beta": ("advantage", "beta"),
    "critic_lam": ("advantage", "critic_lam"),
    "alpha": ("advantage", "alpha"),
    "value_coefficient": ("critic", "coefficient"),
    "value_clip": ("critic", "clip"),
    "value_trunk": ("critic", "trunk"),
    "value_warmup": ("critic", "warmup"),
    "value_normalise": ("critic", "normalise"),
    "value_learning_rate": ("critic", "learning_rate"),
    "process_beta": ("process", "beta"),
    "process_learning_rate": ("process", "learning_rate"),
    "tracker_half": ("tracker", "half"),
    "tracker_low": ("tracker", "low"),
    "tracker_high": ("tracker", "high"),
    "explore": ("tracker", "explore"),
    "role_decay": ("roles", "decay"),
    "whiten": ("advantage", "whiten"),
    "at": ("forks", "at"),
    "states": ("forks", "states"),
    "continuations": ("forks", "continuations"),
    "cuts": ("forks", "cuts"),
    "tree": ("forks", "tree"),
}
"""Overrides that set one field of one choice; they apply to rows whose choice has that field."""

_OF_GROUPS = (GroupRelative, LeaveOneOut, ProcessAdvantage, WhitenedGroup)


def overridden(name: str, row: Algorithm, settings: Mapping[str, Setting]) -> Algorithm:
    """Return the row with changed settings.

    Args:
        name: Name of the algorithm, for messages.
        row: The algorithm.
        settings: Values by name, in any order.

    Raises:
        ValueError: A name is unknown or does not apply to this algorithm, or a value is invalid.
    """
    possible = applicable(row)
    for each in settings:
        if each not in possible:
            known = each in _FIELDS or each in _PARTS
            why = "does not apply to" if known else "is not a setting of"
            raise ValueError(f"{each!r} {why} {name}; what applies: {', '.join(possible)}.{nearest(each, possible)}")
    has_kl = any(isinstance(each, Kl) for each in row.regularisers)
    if "kl_kind" in settings and not (has_kl or settings.get("kl")):
        raise ValueError(
            f"'kl_kind' does not apply to {name} without a KL term in the loss; set 'kl' to its coefficient."
        )
    given = {each for each, value in settings.items() if value}
    if given & {"tis", "tis_level"} and given & {"mask", "mask_low", "mask_high"}:
        raise ValueError(f"{name} has one correction of the sampler: set 'tis' or 'mask', not both.")
    # In table order, not the caller's: details of a part are set before the part may be removed.
    for choice in dict.fromkeys(choice for choice, _ in _FIELDS.values()):
        changes = {field: settings[each] for each, (of, field) in _FIELDS.items() if of == choice and each in settings}
        if changes:
            row = _with_fields(row, choice, changes)
    for each, change in _PARTS.items():
        if each in settings:
            row = change(row, settings[each])
    return row


def applicable(row: Algorithm) -> list[str]:
    """The names of the settings that apply to a row, sorted."""
    names = [name for name, (choice, field) in _FIELDS.items() if _has(getattr(row, choice), field)]
    names += [name for name in _PARTS if name not in _ONLY or _ONLY[name](row)]
    return sorted(names)


def _has(choice: object, field: str) -> bool:
    return is_dataclass(choice) and any(each.name == field for each in fields(choice))


def _with_fields(row: Algorithm, choice: str, changes: Mapping[str, Setting]) -> Algorithm:
    old = getattr(row, choice)
    new = replace(old, **changes)
    # A surrogate that also selects tokens (Clip-Cov) uses the same settings for both.
    chooser = {"choose": new.choose} if choice == "surrogate" and row.choose is not None else {}
    return replace(row, **{choice: new}, **chooser)


def _swapped(parts: tuple[Any, ...], kind: type, new: object | None) -> tuple[Any, ...]:
    """The parts with one type replaced, added, or (None) removed."""
    if new is None:
        return tuple(part for part in parts if not isinstance(part, kind))
    if any(isinstance(part, kind) for part in parts):
        return tuple(new if isinstance(part, kind) else part for part in parts)
    return (*parts, new)


def _found(parts: tuple[Any, ...], kind: type, otherwise: Any) -> Any:
    return next((part for part in parts if isinstance(part, kind)), otherwise)


def _kl(row: Algorithm, value: Any) -> Algorithm:
    new = replace(_found(row.regularisers, Kl, Kl()), coefficient=value) if value else None
    return replace(row, regularisers=_swapped(row.regularisers, Kl, new))


def _kl_kind(row: Algorithm, value: Any) -> Algorithm:
    return replace(
        row, regularisers=_swapped(row.regularisers, Kl, replace(_found(row.regularisers, Kl, Kl()), kind=value))
    )


def _entropy(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, regularisers=_swapped(row.regularisers, Entropy, Entropy(value) if value else None))


def _aggregate(row: Algorithm, value: Any) -> Algorithm:
    one_of("aggregate", "its value", value, AGGREGATIONS)
    return replace(row, weigh=AGGREGATIONS[value])


def _tis(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, correct=replace(_found((row.correct,), Tis, Tis()), cap=value) if value else None)


def _tis_level(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, correct=replace(_found((row.correct,), Tis, Tis()), level=value))


def _mask(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, correct=replace(_found((row.correct,), Masked, Masked()), level=value) if value else None)


def _mask_bound(field: str) -> Callable[[Algorithm, Any], Algorithm]:
    def changed(row: Algorithm, value: Any) -> Algorithm:
        return replace(row, correct=replace(_found((row.correct,), Masked, Masked()), **{field: value}))

    return changed


def _kl_target(row: Algorithm, value: Any) -> Algorithm:
    if value and not row.needs_ref:
        raise ValueError("'kl_target' needs a divergence to control; set 'kl', or 'beta', to its first coefficient.")
    new = AdaptiveKl(value) if value else None
    return replace(row, controllers=_swapped(row.controllers, AdaptiveKl, new))


def _entropy_target(row: Algorithm, value: Any) -> Algorithm:
    if not value:
        return replace(row, controllers=_swapped(row.controllers, EntropyTarget, None))
    bonus = _found(row.regularisers, Entropy, Entropy(0.0))
    return replace(
        row,
        regularisers=_swapped(row.regularisers, Entropy, bonus),
        controllers=_swapped(row.controllers, EntropyTarget, EntropyTarget(value)),
    )


def _success(row: Algorithm, value: Any) -> Algorithm:
    if not any(_has(choice, "success") for choice in (*row.keep, row.imitate, row.process)):
        raise ValueError(
            "'success' is the least return of a right answer, which nothing here uses; set 'positives' too."
        )

    def changed(choice: Any) -> Any:
        return replace(choice, success=value) if _has(choice, "success") else choice

    keep = tuple(changed(each) for each in row.keep)
    return replace(row, keep=keep, imitate=changed(row.imitate), process=changed(row.process))


def _length(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, shape=_swapped(row.shape, LengthPenalty, LengthPenalty(value) if value else None))


def _overlong_penalty(row: Algorithm, value: Any) -> Algorithm:
    new = replace(_found(row.shape, SoftOverlong, SoftOverlong()), penalty=value)
    return replace(row, shape=_swapped(row.shape, SoftOverlong, new))


def _overlong_buffer(row: Algorithm, value: Any) -> Algorithm:
    found = _found(row.shape, SoftOverlong, SoftOverlong())
    new = None if value == 0 else replace(found, buffer=value)
    return replace(row, shape=_swapped(row.shape, SoftOverlong, new))


def _keep_shortest(row: Algorithm, value: Any) -> Algorithm:
    return replace(row, include=KeepShortest(value) if value else None)


def _drop_uniform(row: Algorithm, value: Any) -> Algorithm:
    others = tuple(each for each in row.keep if each is not varied)
    return replace(row, keep=(*others, varied) if _flag("drop_uniform", value) else others)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is True or False, got {value!r}.")
    return value


def _imitation(kind: type) -> Callable[[Algorithm, Any], Algorithm]:
    return lambda row, value: replace(
        row, demonstrated=_swapped(row.demonstrated, kind, kind(value) if value else None)
    )


def _importance(row: Algorithm, value: Any) -> Algorithm:
    within("importance", "the cap of the ratio", value, 1)
    return replace(row, ratio=token, surrogate=Cispo(low=1.0, high=value - 1))


def _grouped(row: Algorithm) -> bool:
    return isinstance(row.advantage, _OF_GROUPS)


_ONLY: dict[str, Callable[[Algorithm], bool]] = {
    "keep_shortest": _grouped,
    "drop_uniform": _grouped,
    "importance": lambda row: row.on_policy,
}
"""Overrides that apply only to some rows: with a group-relative advantage, or without an importance ratio."""

_PARTS: dict[str, Callable[[Algorithm, Any], Algorithm]] = {
    "kl_kind": _kl_kind,
    "kl": _kl,
    "entropy": _entropy,
    "aggregate": _aggregate,
    "kl_target": _kl_target,
    "entropy_target": _entropy_target,
    "tis": _tis,
    "tis_level": _tis_level,
    "mask": _mask,
    "mask_low": _mask_bound("low"),
    "mask_high": _mask_bound("high"),
    "top_entropy": lambda row, value: replace(row, focus=HighEntropy(value) if value else None),
    "positives": lambda row, value: replace(row, imitate=Positives(value) if value else None),
    "success": _success,
    "length": _length,
    "overlong_penalty": _overlong_penalty,
    "overlong_buffer": _overlong_buffer,
    "importance": _importance,
    "shaping": _imitation(Shaped),
    "likelihood": _imitation(Likelihood),
    "keep_shortest": _keep_shortest,
    "drop_uniform": _drop_uniform,
    "drop_overlong": lambda row, value: replace(row, drop_overlong=_flag("drop_overlong", value)),
    "refill": lambda row, value: replace(row, refill=_flag("refill", value)),
}
"""Overrides that add, replace or remove a whole choice; 0 removes it (except that a penalty of 0 is a penalty of 0)."""
