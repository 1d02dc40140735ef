"""Importing envhub is light, and imports run one way."""

from __future__ import annotations

import ast
import subprocess
import sys
import sysconfig
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import envhub

ROOT = Path(envhub.__file__).parent
LAYERS = [
    {"errors", "loopback", "settings", "statistics", "seeding", "strict_json", "types", "space"},
    {"effects", "resources", "difficulty", "tools", "sandbox", "generators"},
    {"verifiers"},
    {"author", "game", "rewards", "options"},
    {"cache", "attempts", "sampling"},
    {"episode", "snapshots", "outcomes"},
    {"env", "vector"},
    {"envs"},
    {"registry"},
    {"curriculum", "sources", "mixture", "making", "gym", "_gymnasium_hook", "describe", "playing"},
    {"client", "server", "adapters", "audit", "dataset", "evaluate"},  # and whatever is not named here
    {"cli", "__main__"},
]
OUTER = next(rank for rank, layer in enumerate(LAYERS) if "server" in layer)
LEAVES = {"generators": {"verifiers"}, "sandbox": {"generators"}}

# Without site: neither our start-up line nor anybody else's has run; yet everything installed could be imported.
FOREIGN = """
import sys
sys.path[:0] = {paths!r}
from importlib import import_module
import envhub
for module in {modules!r}:
    import_module(module)
own = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names) - {{"__main__", "envhub"}}
print(sorted(own), sorted(name for name in sys.modules if name.startswith("envhub")))
"""


def loaded(*modules: str) -> tuple[str, str]:
    program = FOREIGN.format(paths=[str(ROOT.parent), sysconfig.get_path("purelib")], modules=modules)
    run = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    foreign, own = run.stdout.strip().split("] [")
    return foreign + "]", "[" + own


def test_importing_envhub_loads_nothing_but_the_standard_library() -> None:
    assert loaded() == ("[]", "['envhub']")


@pytest.mark.parametrize("module", ["_gymnasium_hook", "types", "seeding", "errors", "effects", "rewards"])
def test_the_nouns_load_nothing_but_the_standard_library(module: str) -> None:
    assert loaded(f"envhub.{module}")[0] == "[]"


def test_what_loads_more_is_noticed() -> None:
    assert "pydantic" in loaded("envhub.core.difficulty")[0]


def test_the_start_up_line_loads_no_more_than_the_hook() -> None:
    program = "import sys; print(sorted(m for m in sys.modules if m.partition('.')[0] in ('envhub', 'numpy', 'yaml')))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in ("['envhub', 'envhub._gymnasium_hook']", "[]")


def test_every_public_name_is_there() -> None:
    for name in envhub.__all__:
        assert getattr(envhub, name) is not None
    assert set(envhub.__all__) <= set(dir(envhub))
    assert len(set(envhub.__all__)) == len(envhub.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'mkae'"):
        envhub.mkae
    assert not hasattr(envhub, "numpy")


# -- layers --------------------------------------------------------------------------------------------------------


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def for_type_checkers_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(tree: ast.AST, package: str) -> set[str]:
    """Every module that is imported anywhere, in functions too; not what only type checkers see."""
    found: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if for_type_checkers_only(node):
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{package} imports relatively"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                home = envhub._HOMES.get(alias.name) if node.module == "envhub" else None
                found.add(home or (whole if whole in MODULES else str(node.module)))
        found |= imports(node, package)
    return found


@cache
def graph() -> dict[str, set[str]]:
    return {
        name: {target for target in imports(ast.parse(path.read_text()), name) if target.startswith("envhub.")}
        for name, path in MODULES.items()
        if name != "envhub"
    }


def part(module: str) -> str:
    return module.split(".")[1]


def rank(module: str) -> int:
    return next((i for i, layer in enumerate(LAYERS) if part(module) in layer), OUTER)


def test_imports_run_one_way() -> None:
    breaches = [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in targets
        if rank(target) > rank(name) or part(target) in LEAVES.get(part(name), ())
    ]
    assert not breaches
    assert len(graph()) > 25


def test_imports_make_no_circle() -> None:
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    plain = {name: {t for t in targets if t != name and t not in packages} for name, targets in graph().items()}
    try:
        list(TopologicalSorter(plain).static_order())
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_no_environment_imports_another_and_none_knows_who_runs_it() -> None:
    allowed = {
        "author",
        "difficulty",
        "effects",
        "errors",
        "game",
        "generators",
        "sandbox",
        "seeding",
        "tools",
        "types",
        "verifiers",
    }
    registered = {envhub.spec(id).entry.partition(":")[0] for id in envhub.list_envs()}
    for name, targets in graph().items():
        if part(name) == "envs":  # a base that several share is no environment
            assert not targets & registered - {name}, name
            assert {part(target) for target in targets} - {"envs"} <= allowed, name


def test_the_trainer_sees_only_the_public_face_and_the_nouns() -> None:
    for path in (ROOT.parent / "trainer").rglob("*.py"):
        seen = {m for m in imports(ast.parse(path.read_text()), str(path)) if m.partition(".")[0] == "envhub"}
        assert seen <= {"envhub", "envhub.core.types", "envhub.core.seeding"}, path


def test_a_breach_of_the_layers_would_be_seen() -> None:
    tree = ast.parse(
        "def f():\n    from envhub import make, seeding\n    import envhub.server.http.app\nif TYPE_CHECKING:\n    import envhub.cli"
    )
    assert imports(tree, "x") == {"envhub.making", "envhub.core.seeding", "envhub.server.http.app"}
    assert (
        rank("envhub.making")
        > rank("envhub.registry.registry")
        > rank("envhub.envs.logic.sudoku.environment")
        > rank("envhub.authoring.environment")
    )
