"""Counts what the documentation of envhub and its peers holds.

``python -m benchmarks.docs_features [--mirrors FOLDER] [--markdown]``

A feature is the files that make it, as a pattern of paths in a repository at a pinned commit. The lists of files are
fetched from GitHub without their contents, or read from repositories that ``--mirrors`` holds as ``owner+name/repo``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.harness import ROOT
from benchmarks.report import insert, table
from envhub.registry.registry import builtin_ids, self_contained

FEATURES: Final = {
    "site": "files that configure a site",
    "reference": "pages of a reference of the API",
    "environments": "pages of single environments",
    "tutorials": "pages of tutorials",
    "notebooks": "notebooks of tutorials",
    "playground": "files of a web page that plays an environment",
    "viewer": "files of a viewer of recorded episodes",
    "pictures": "pictures",
}
_NO: Final = r"(?!)"
"""A pattern that no path matches: nothing of the kind was found in the repository."""


@dataclass(frozen=True)
class Documented:
    """A repository, and the paths that make each feature.

    Attributes:
        name: Its name in the table.
        repo: ``owner/name`` on GitHub; empty for this repository.
        commit: What was looked at.
        install: The line that its documentation gives to install it.
        paths: A pattern of paths for each feature; a missing one means that nothing of the kind was found.
    """

    name: str
    repo: str
    commit: str
    install: str
    paths: Mapping[str, str] = field(default_factory=dict)


OURS: Final = Documented(
    "envhub",
    "",
    "",
    "pip install envhub",
    {
        "site": r"mkdocs\.yml",
        "reference": r"docs/(reference/.+|api)\.md",
        "tutorials": r"docs/tutorials/.+\.md",
        "notebooks": r"docs/notebooks/.+\.ipynb",
        "playground": r"envhub/web/static/js/.*(play|board).*\.js",
        "viewer": r"envhub/(viewer/.+\.py|web/static/js/.*view.*\.js)",
        "pictures": r"docs/.+\.(svg|png|gif)",
    },
)
PEERS: Final = (
    Documented(
        "Gymnasium",
        "Farama-Foundation/Gymnasium",
        "3f0476a8cc224dcce2167cc4b6971ae0f04d5cfc",
        "pip install gymnasium",
        {
            "site": r"docs/conf\.py",
            "reference": r"docs/api/.+\.md",
            "environments": r"docs/environments/[^/]+/[^/]+\.md",
            "tutorials": r"docs/tutorials/.+\.(py|md)",
            "pictures": r"docs/.+\.(svg|png|gif|jpg)",
        },
    ),
    Documented(
        "Reasoning Gym",
        "open-thought/reasoning-gym",
        "49b07130b3fcd12f2d064bba7c43869543a0e7e7",
        "pip install reasoning-gym",
        {"pictures": r"assets/.+\.(svg|png|gif|jpg)"},
    ),
    Documented(
        "verifiers",
        "PrimeIntellect-ai/verifiers",
        "a60a606ecc4d309247edf9ff92c3eabca362781f",
        "uv tool install prime",
        {
            "site": r"docs/mint\.json",
            "reference": r"docs/.*reference\.md",
            "environments": r"environments/[^/]+/README\.md",
            "tutorials": r"docs/v1/getting_started\.md",
            "viewer": r"verifiers/cli/tui\.py",
            "pictures": r"(docs|assets)/.+\.(svg|png|gif|jpg)",
        },
    ),
    Documented(
        "OpenEnv",
        "meta-pytorch/OpenEnv",
        "685de411e5f77286b0fd94798d42c4467cf8a1bc",
        "pip install openenv-core",
        {
            "site": r"docs/mkdocs\.yml|docs/source/conf\.py",
            "reference": r"docs/reference/.+\.md",
            "environments": r"docs/source/environments/.+\.md",
            "tutorials": r"docs/source/(tutorials/(?!index).+\.md|getting_started/plot_.+\.py)|tutorial/\d.+\.md",
            "notebooks": r"(tutorial/)?examples/.+\.ipynb",
            "playground": r"src/openenv/core/env_server/web_interface\.py",
            "pictures": r"(docs|tutorial)/.+\.(svg|png|gif|jpg)",
        },
    ),
    Documented(
        "NeMo Gym",
        "NVIDIA-NeMo/Gym",
        "07d6b0d07b22fcf530b4c211dae2ee23100428e4",
        "pip install nemo-gym",
        {
            "site": r"fern/docs\.yml",
            "reference": r"fern/versions/latest/pages/(api-reference|reference)/.+\.mdx",
            "environments": r"resources_servers/[^/]+/README\.md",
            "tutorials": r"fern/versions/latest/pages/[a-z]+-tutorials/(?!index).+\.mdx",
            "notebooks": r"resources_servers/.+\.ipynb",
            "pictures": r"fern/.+\.(svg|png|gif|jpg)",
        },
    ),
    Documented(
        "Inspect",
        "UKGovernmentBEIS/inspect_ai",
        "499e6152e7b8fc8cbd8ac5283536572aa6e4ab17",
        "pip install inspect-ai",
        {
            "site": r"docs/_quarto\.yml",
            "reference": r"docs/reference/.+\.qmd",
            "tutorials": r"docs/tutorial\.qmd",
            "viewer": r"src/inspect_ai/_view/dist/.+\.js",
            "pictures": r"docs/.+\.(svg|png|gif|jpg)",
        },
    ),
)


def compared(files: Mapping[str, Sequence[str]]) -> str:
    """The table of features; each cell is a number of files, or *no*."""
    all_of_them = (OURS, *PEERS)
    rows = [
        (means, *(_count(each, feature, files[each.name]) for each in all_of_them))
        for feature, means in FEATURES.items()
    ]
    rows.append(("line to install", *(f"`{each.install}`" for each in all_of_them)))
    rows.append(("commit", "this", *(f"`{each.commit[:8]}`" for each in PEERS)))
    return table(("", *(each.name for each in all_of_them)), rows)


def _count(of: Documented, feature: str, files: Sequence[str]) -> str:
    if of is OURS and feature == "environments":
        return str(sum(map(self_contained, builtin_ids())))  # the site makes a page of each
    wanted = re.compile(of.paths.get(feature, _NO))
    return str(sum(wanted.fullmatch(path) is not None for path in files) or "no")


def files_of(of: Documented, mirrors: Path | None) -> list[str]:
    """The paths of a repository at its commit."""
    if not of.repo:
        return _git(ROOT, "ls-files").splitlines()
    if mirrors is not None:
        return _tree(mirrors / of.repo.replace("/", "+") / "repo", of.commit)
    with tempfile.TemporaryDirectory() as folder:
        _git(Path(folder), "init", "--quiet")
        _git(
            Path(folder),
            "fetch",
            "--quiet",
            "--depth=1",
            "--filter=blob:none",
            f"https://github.com/{of.repo}",
            of.commit,
        )
        return _tree(Path(folder), of.commit)


def _tree(repository: Path, commit: str) -> list[str]:
    return _git(repository, "ls-tree", "-r", "--name-only", commit).splitlines()


def _git(folder: Path, *command: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *command], check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Show the table, or write it into docs/differs.md."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.docs_features", description=__doc__.partition("\n")[0])
    parser.add_argument("--mirrors", type=Path, metavar="FOLDER", help="folder with the peers' repositories")
    parser.add_argument("--markdown", action="store_true", help="write the table into docs/differs.md")
    given = parser.parse_args()
    text = compared({each.name: files_of(each, given.mirrors) for each in (OURS, *PEERS)})
    print(text)
    if given.markdown:
        insert(ROOT / "docs" / "differs.md", "docs", text)


if __name__ == "__main__":
    main()
