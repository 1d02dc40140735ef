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
import envhub.authoring

ROOT = Path(envhub.__file__).parent
LAYERS = [  # a room imports the rooms above it in this list and, where it says so, its neighbours
    ("core",),
    ("settings", "workers", "scenes"),
    ("sandbox",),
    ("browser",),
    ("generators",),
    ("verifiers",),
    ("rewards", "authoring"),
    ("families",),
    ("envs",),
    ("registry",),
    ("tasks",),
    ("episodes",),
    ("gymnasium",),
    ("making",),
    ("gymnasium.registration", "reports", "client"),
    ("dataset", "evaluation", "audit", "web"),
    ("server", "adapters", "scaffold", "_gymnasium_hook"),
    ("viewer",),
    ("cli",),
    ("__main__",),
]

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


@pytest.mark.slow
def test_importing_envhub_loads_nothing_but_the_standard_library() -> None:
    assert loaded() == ("[]", "['envhub']")


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["_gymnasium_hook", "core.types", "core.seeding", "core.errors", "core.effects", "rewards", "authoring"]
)
def test_the_nouns_load_nothing_but_the_standard_library(module: str) -> None:
    assert loaded(f"envhub.{module}")[0] == "[]"


@pytest.mark.slow
def test_what_loads_more_is_noticed() -> None:
    assert "pydantic" in loaded("envhub.core.difficulty")[0]


@pytest.mark.slow
def test_the_start_up_line_loads_no_more_than_the_hook() -> None:
    program = "import sys; print(sorted(m for m in sys.modules if m.partition('.')[0] in ('envhub', 'numpy', 'yaml')))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() in ("['envhub', 'envhub._gymnasium_hook']", "[]")


def test_every_public_name_is_there() -> None:
    for name in envhub.__all__:
        assert getattr(envhub, name) is not None
    assert set(envhub.__all__) <= set(dir(envhub))
    assert len(set(envhub.__all__)) == len(envhub.__all__)


def test_every_name_of_the_authoring_room_is_there() -> None:
    assert set(envhub.authoring.__all__) == set(envhub.authoring._HOMES)
    for name in envhub.authoring.__all__:
        assert getattr(envhub.authoring, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Wrold'"):
        envhub.authoring.Wrold


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'mkae'"):
        envhub.mkae
    assert not hasattr(envhub, "numpy")


# -- layers --------------------------------------------------------------------------------------------------------


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


FACES = {"envhub": envhub._HOMES, "envhub.authoring": envhub.authoring._HOMES}  # their names are loaded when first used


def for_type_checkers_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def imports(tree: ast.AST, package: str) -> set[str]:
    """Every module that is imported or named to a worker, in functions too; not what only type checkers see."""
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
                home = FACES.get(str(node.module), {}).get(alias.name)
                found.add(home or (whole if whole in MODULES else str(node.module)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
            named = node.value.partition(":")[0]  # a worker is told "module:function", which hides an import
            found |= {named} & MODULES.keys() - {"envhub"}
        found |= imports(node, package)
    return found


@cache
def graph() -> dict[str, set[str]]:
    return {
        name: {target for target in imports(ast.parse(path.read_text()), name) if target.startswith("envhub.")} - {name}
        for name, path in MODULES.items()
        if name != "envhub"
    }


def room(module: str) -> str:
    return module.split(".")[1]


def rank(module: str) -> int:
    """The layer of a module: its own if the list names it, else its room's."""
    own = module.removeprefix("envhub.")
    return next(i for name in (own, room(module)) for i, layer in enumerate(LAYERS) if name in layer)


@pytest.mark.slow
def test_every_room_is_in_the_list_and_every_name_of_the_list_exists() -> None:
    listed = {name for layer in LAYERS for name in layer}
    assert {room(name) for name in graph()} == {name.partition(".")[0] for name in listed}
    assert {f"envhub.{name}" for name in listed} <= MODULES.keys()


@pytest.mark.slow
def test_imports_run_one_way() -> None:
    breaches = [
        f"{name} imports {target}"
        for name, targets in graph().items()
        for target in targets
        if rank(target) > rank(name) or (rank(target) == rank(name) and room(target) != room(name))
    ]
    assert not breaches
    assert len(graph()) > 25


def test_few_modules_lie_loose_in_a_room_with_rooms_of_its_own() -> None:
    for folder in {path.parent for path in MODULES.values()}:
        inner = [path for path in folder.iterdir() if (path / "__init__.py").exists()]
        loose = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        if inner and folder.parent.name != "envs":  # a category of environments may hold one file for each
            assert len(loose) <= 12, folder


def circle(edges: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, or none."""
    try:
        list(TopologicalSorter(edges).static_order())
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.slow
def test_imports_make_no_circle() -> None:
    assert not circle(graph())


@pytest.mark.slow
def test_rooms_make_no_circle() -> None:
    rooms: dict[str, set[str]] = {}
    for name, targets in graph().items():
        own = room(name) if name != "envhub.gymnasium.registration" else "registration"
        rooms.setdefault(own, set()).update(room(target) for target in targets if room(target) != own)
    rooms["registration"].discard("gymnasium")  # it stands above the room in which it lies
    assert not circle(rooms)


def test_no_environment_imports_another() -> None:
    registered = {envhub.spec(id).entry.partition(":")[0] for id in envhub.list_envs()}
    asks_about_others = "envhub.envs.pictures.picture_qa"
    for name, targets in graph().items():
        if room(name) == "envs" and not name.startswith(
            asks_about_others
        ):  # a base that several share is no environment
            assert not targets & registered - {name}, name


def test_an_engine_knows_nothing_of_environments() -> None:
    """In the folder of an environment only the modules that define environments import what authors subclass."""
    for name, targets in graph().items():
        defines = any(room(target) in ("authoring", "families") for target in targets)
        if room(name) == "envs" and not defines:
            assert not {
                target for target in targets if rank(target) > rank("envhub.verifiers") and room(target) != "envs"
            }


def test_the_trainer_sees_only_the_public_face_the_nouns_rewards_and_reports() -> None:
    for path in (ROOT.parent / "trainer" / "envhub_trainer").rglob("*.py"):
        seen = {m for m in imports(ast.parse(path.read_text()), str(path)) if m.partition(".")[0] == "envhub"}
        nouns = {"envhub.core.types", "envhub.core.seeding", "envhub.core.statistics", "envhub.scenes.picture"}
        face = {"envhub", "envhub.rewards", "envhub.verifiers.judge.judge", "envhub.reports.html", "envhub.reports.svg"}
        assert seen <= face | nouns, path


def test_a_breach_of_the_layers_would_be_seen() -> None:
    tree = ast.parse(
        "def f():\n    from envhub import make\n    from envhub.core import seeding\n    import envhub.server.http.app\n"
        "if TYPE_CHECKING:\n    import envhub.cli\ncall('envhub.verifiers.math.fallback:judge')"
    )
    found = {"envhub.making", "envhub.core.seeding", "envhub.server.http.app", "envhub.verifiers.math.fallback"}
    assert imports(tree, "x") == found
    names = ["gymnasium.registration", "making", "registry", "envs.logic.sudoku.environment", "authoring.environment"]
    ranks = [rank(f"envhub.{name}") for name in names]
    assert ranks == sorted(ranks, reverse=True)
    assert len(set(ranks)) == len(ranks)
    assert circle({"a": {"b"}, "b": {"a"}})
