"""Registry of environments: built-in, from plug-ins, and registered at run time.

The built-in environments are listed in ``registry.yaml`` at the root of the repository; the wheel contains it as JSON. A
plug-in adds environments with the entry-point group ``envhub.environments``, one entry per id::

    [project.entry-points."envhub.environments"]
    "sum-v0" = "my_package.sum:Sum"

Entry points are read only by :func:`list_envs` and if an id is not found otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra, UnknownEnvironment, nearest
from envhub.core.types import EnvSpec
from envhub.workers import processes

if TYPE_CHECKING:
    from envhub.authoring import Environment

GROUP: Final = "envhub.environments"
PLUGIN: Final = "plugin"  # category of plug-in environments before they are loaded
_ID = re.compile(r"[a-z0-9]+(?:[-_/][a-z0-9]+)*-v[0-9]+")
_HERE = Path(__file__).parent
_registered: dict[str, EnvSpec] = {}


def spec(id: str) -> EnvSpec:
    """The registry entry of an environment.

    Raises:
        UnknownEnvironment: No environment has this id; the message suggests the closest.
    """
    found = _registered.get(id) or _builtin().get(id) or _plugins().get(id)
    if found is None:
        raise UnknownEnvironment(f"No environment {id!r}.{_hint(id)} See envhub.list_envs().")
    return found


def list_envs(category: str | None = None) -> list[str]:
    """The ids of all environments, including plug-ins, sorted.

    Args:
        category: List only this category.

    Raises:
        InvalidParameters: There is no such category.
    """
    specs = {**_plugins(), **_builtin(), **_registered}
    if category is None:
        return sorted(specs)
    known = sorted({s.category for s in specs.values()})
    if category not in known:
        raise InvalidParameters(f"No category {category!r}; there are {', '.join(known)}.{nearest(category, known)}")
    return sorted(id for id, s in specs.items() if s.category == category)


def builtin_ids() -> list[str]:
    """The ids in the registry file, sorted."""
    return sorted(_builtin())


def register(id: str, entry: str | type[Environment], **fields: Any) -> EnvSpec:
    """Add an environment to this process.

    Args:
        id: Name and version, ``my-task-v0``.
        entry: ``"module:Class"`` or the class itself.
        fields: Other fields of :class:`envhub.core.types.EnvSpec`.

    Raises:
        InvalidParameters: The id is malformed or taken.
    """
    if not _ID.fullmatch(id):
        raise InvalidParameters(
            f"An id must be lower case and end in -v and a number, such as 'my-task-v0'; got {id!r}."
        )
    if id in _registered or id in _builtin():
        raise InvalidParameters(f"The id {id!r} is taken; a new version is -v{int(id.rpartition('-v')[2]) + 1}.")
    if isinstance(entry, type):
        _classes[id] = entry
        fields.setdefault("category", entry.category)
        entry = f"{entry.__module__}:{entry.__qualname__}"
    found = EnvSpec(id=id, entry=entry, **{"source": "registered", **fields})
    _registered[id] = found
    return found


def unregister(id: str) -> None:
    """Remove an environment added by :func:`register`.

    Raises:
        UnknownEnvironment: No environment was registered with this id.
    """
    if _registered.pop(id, None) is None:
        raise UnknownEnvironment(f"{id!r} was not registered here.{nearest(id, _registered)}")
    _classes.pop(id, None)


def registered() -> list[EnvSpec]:
    """Environments added by :func:`register`, for :func:`adopt` in another process."""
    return list(_registered.values())


def adopt(specs: Iterable[EnvSpec]) -> None:
    """Add environments registered in another process.

    Classes are imported by module and name.
    """
    _registered.update({found.id: found for found in specs})


def begin_worker(specs: list[EnvSpec]) -> None:
    """Set up this process as a worker.

    Args:
        specs: Environments registered in the parent process (:func:`registered`).
    """
    processes.begin()
    adopt(specs)


def load(found: EnvSpec) -> type[Environment]:
    """Import the class of a registry entry.

    Raises:
        MissingExtra: One of its extras is not installed.
        UnknownEnvironment: The class cannot be imported.
    """
    if found.id in _classes:
        return _classes[found.id]
    module, _, name = found.entry.partition(":")
    try:
        cls: type[Environment] = getattr(import_module(module), name)
    except ImportError as error:
        if found.extras:
            extras = ",".join(found.extras)
            raise MissingExtra(f"{found.id} needs more: pip install 'envhub[{extras}]' ({error}).") from error
        raise UnknownEnvironment(f"{found.id} cannot be loaded from {found.entry!r}: {error}.") from error
    except Exception as error:  # a plug-in's module may raise anything and must not hide other environments
        reason = f"{type(error).__name__}: {error}"
        raise UnknownEnvironment(f"{found.id} cannot be loaded from {found.entry!r}: {reason}.") from error
    _classes[found.id] = cls
    return cls


_classes: dict[str, type[Environment]] = {}


def category(found: EnvSpec) -> str:
    """The category of an environment; a plug-in is loaded to find out.

    Raises:
        MissingExtra: As :func:`load`.
        UnknownEnvironment: As :func:`load`.
    """
    return load(found).category if found.category == PLUGIN else found.category


def lacking(found: EnvSpec, params: Mapping[str, Any] | None = None) -> str | None:
    """Error message if parameters lack files that an environment needs, else None.

    Raises:
        MissingExtra: As :func:`load`.
        UnknownEnvironment: As :func:`load`.
    """
    given = {**found.params, **(params or {})}
    names = [name for name in load(found).files if not given.get(name)]
    if not names:
        return None
    how = ", ".join(f'{name}="questions.jsonl"' for name in names)
    return f'{found.id} needs a file with your problems. Pass its path: make("{found.id}", {how}).'


def self_contained(id: str) -> bool:
    """Whether an environment can be made from its id alone.

    One that cannot be loaded counts; using it raises the reason.

    Raises:
        UnknownEnvironment: No environment has this id.
    """
    found = spec(id)
    try:
        return lacking(found) is None
    except EnvhubError:
        return True


def read_registry(lines: Iterable[Mapping[str, Any]]) -> dict[str, EnvSpec]:
    """The entries of the registry file by id.

    Raises:
        InvalidParameters: An id is malformed or duplicate, or a field is unknown.
    """
    found: dict[str, EnvSpec] = {}
    for line in lines:
        fields = dict(line)
        if not {"id", "class"} <= fields.keys():
            raise InvalidParameters(f"A line of the registry has an id and a class, got {fields}.")
        id = fields.pop("id")
        if not _ID.fullmatch(id) or id in found:
            raise InvalidParameters(f"The registry's id {id!r} is malformed or duplicate.")
        entry = fields.pop("class")
        for name in ("extras", "covers"):
            fields[name] = tuple(fields.get(name, ()))
        try:
            found[id] = EnvSpec(id=id, entry=entry, **fields)
        except TypeError as error:
            raise InvalidParameters(f"The registry's line of {id}: {error}.") from None
    return found


@cache
def _builtin() -> dict[str, EnvSpec]:
    source = _HERE.parents[1] / "registry.yaml"
    if source.exists():  # in a checkout the source is read, so that it is never stale
        import yaml

        return read_registry(yaml.load(source.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    return read_registry(json.loads((_HERE / "registry.json").read_text()))


@cache
def _plugins() -> dict[str, EnvSpec]:
    from importlib.metadata import entry_points  # takes 20 ms and is rarely needed

    found: dict[str, EnvSpec] = {}
    for point in entry_points(group=GROUP):
        if _ID.fullmatch(point.name):
            source = point.dist.name if point.dist else "plug-in"
            found[point.name] = EnvSpec(point.name, point.value, category=PLUGIN, source=source)
    return found


def _hint(id: str) -> str:
    known = list_envs()
    name = id.rpartition("-v")[0] or id
    same = [other for other in known if other.rpartition("-v")[0] == name]
    return f" Did you mean {same[-1]!r}?" if same else nearest(id, known)
