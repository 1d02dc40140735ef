"""The sources of an application: functions in modules, settings, a README.

The functions of a plan stand in a topological order. Cutting this order at drawn places gives the modules, so that no two
modules import each other, however they are cut::

    app = assemble(rng, plan)
    app.sources["harbor/rules/prices.py"]; app.places["taxed_price"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.catalog import TOPICS, needs, settings
from envhub.envs.code.repo_repair.nouns import (
    DOMAINS,
    PACKAGES,
    Domain,
    folder_names,
    module_names,
    renamed,
    setting_values,
)
from envhub.envs.code.repo_repair.plan import function_texts, topic_of, used_settings

SETTINGS: Final = "settings"
_CUT_TOPIC, _CUT_INSIDE = 75, 18
"""How often, in per cent, a module ends between two topics of a layer and between two functions of a topic."""
_LEADING: Final = "from __future__ import annotations\n"
_IMPORTED: Final = {"Any": "from typing import Any", "date": "from datetime import date"}
_MAIN: Final = '''"""Run the program: python3 -m {package} FILE COMMAND [ARGUMENTS]."""

import sys
from pathlib import Path

from {module} import run


def main(words):
    """Carry out one command on a file and write the file if the command changed it. Returns the exit status."""
    file = Path(words[0])
    text = file.read_text()
    status, printed, after = run(words[1:], text)
    if after != text:
        file.write_text(after)
    sys.stdout.write(printed)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
'''


@dataclass(frozen=True, slots=True)
class Application:
    """An application.

    Attributes:
        package: The name of its package.
        domain: What it is about.
        plan: Its plan.
        library: The source of each function by name, as the library has it.
        texts: The same with the nouns of the domain.
        values: The values of its settings.
        places: The path of the module of each function, and of ``settings``.
    """

    package: str
    domain: Domain
    plan: Any
    library: Mapping[str, str]
    texts: Mapping[str, str]
    values: Mapping[str, Any]
    places: Mapping[str, str]

    def modules(self, texts: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, str]:
        """The source of each module by path, from these functions and settings."""
        found = {self.places[names[0]]: self._module(names, texts) for names in self.parts()}
        lines = [f"{name} = {value!r}" for name, value in values.items()]
        found[self.places[SETTINGS]] = '"""The settings of the program."""\n\n' + "\n".join(lines) + "\n"
        folders = {path.rpartition("/")[0] for path in found} | {self.package}
        inits = {f"{folder}/__init__.py": f'"""A part of {self.package}."""\n' for folder in sorted(folders)}
        main = _MAIN.format(package=self.package, module=self.module("run"))
        return {**inits, **found, f"{self.package}/__main__.py": main}

    def parts(self) -> list[list[str]]:
        """The functions of each module."""
        by_path: dict[str, list[str]] = {}
        for name in self.texts:
            by_path.setdefault(self.places[name], []).append(name)
        return list(by_path.values())

    def module(self, name: str) -> str:
        """The module of a function, as it is imported."""
        return self.places[name].removesuffix(".py").replace("/", ".")

    def _module(self, names: Sequence[str], texts: Mapping[str, str]) -> str:
        """The source of a module: imports, then functions."""
        source = "\n\n\n".join(texts[name] for name in names)
        known = {*_IMPORTED, *self.texts, *settings()} - set(names)
        outside = sorted({used for name in names for used in needs(texts[name], known)})
        plain = [_IMPORTED[name] for name in outside if name in _IMPORTED]
        by_module: dict[str, list[str]] = {}
        for name in outside:
            if name not in _IMPORTED:
                by_module.setdefault(self.module(SETTINGS if name in settings() else name), []).append(name)
        ours = [f"from {module} import {', '.join(used)}" for module, used in sorted(by_module.items())]
        head = "\n".join(filter(None, ["\n".join(plain) + "\n" if plain else "", "\n".join(ours)]))
        return "\n".join(filter(None, [_LEADING, head])).rstrip("\n") + f"\n\n\n{source}\n"


def assemble(rng: Stream, plan: Any) -> Application:
    """An application with this plan, its nouns and its modules drawn."""
    domain, package = rng.choice(DOMAINS), rng.choice(PACKAGES)
    library = function_texts(plan)
    texts = {name: renamed(text, domain) for name, text in library.items()}
    values = setting_values(plan, domain)
    used = {name: values[name] for name in used_settings(texts)}
    return Application(package, domain, plan, library, texts, used, _places(rng, plan, list(texts), package))


def _places(rng: Stream, plan: Any, names: Sequence[str], package: str) -> dict[str, str]:
    """The path of the module of each function."""
    folders, pools = folder_names(rng), module_names(rng)
    places, taken = {SETTINGS: f"{package}/{SETTINGS}.py"}, set[str]()
    topics = topic_of(plan)
    for part in _parts(rng, names, topics):
        topic = topics[part[0]]
        stem = next((stem for stem in pools[topic] if stem not in taken), f"{topic}_{len(taken)}")
        taken.add(stem)
        folder = folders[TOPICS[topic]]
        path = f"{package}/{folder}/{stem}.py" if folder else f"{package}/{stem}.py"
        places.update(dict.fromkeys(part, path))
    return places


def _parts(rng: Stream, names: Sequence[str], topics: Mapping[str, str]) -> Iterator[list[str]]:
    """The functions of each module.

    The order of all is cut between layers, and at drawn places inside them.
    """
    part = [names[0]]
    for name in names[1:]:
        before, here = topics[part[-1]], topics[name]
        likely = _CUT_INSIDE if before == here else _CUT_TOPIC
        if TOPICS[before] != TOPICS[here] or rng.below(100) < likely:
            yield part
            part = []
        part.append(name)
    yield part
