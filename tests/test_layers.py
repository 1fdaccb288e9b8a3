"""Every module imports only from its own layer or from those above it in the flow."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "levelsense"

# The flow of docs/design.md: a layer, a package or a module beside the packages, may use those before it,
# never those after it.
LAYERS = (
    "defaults",
    "errors",
    "json_text",
    "files",
    "cache",
    "compiled",
    "kernel",
    "arithmetic",
    "rng",
    "level",
    "game",
    "advice",
    "agents",
    "playtest",
    "edits",
    "store",
    "saga",
    "people",
    "learning",
    "prediction",
    "losses",
    "report",
    "studies",
    "lab",
    "studio",
    "bench",
    "cli",
    "gym",
    "__main__",
)
FACADE = "__init__"  # the public API gathers names of every layer; no module imports from it

# Packages that use less of levelsense than their layer may: beside themselves, these layers only.
NARROW = {
    "prediction.mixed": {"errors"},  # statistics of any counts: it knows of no level, agent or player
}
# Packages that modules of their own layer leave alone, but for these: a registry entry names an agent's.
CLOSED: dict[str, set[str]] = {
    "agents.mcts": set(),
}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    """A module's dotted name below levelsense; a package's own is that of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == FACADE else parts)


def layer_of(name: str) -> str:
    """The layer of a dotted name below levelsense; the facade's for what is no layer."""
    first = name.split(".")[0]
    return first if first in LAYERS else FACADE


def lies_in(name: str, package: str) -> bool:
    return f"{name}.".startswith(f"{package}.")


def imported_names(source: str, package: tuple[str, ...]) -> Iterator[str]:
    """What a module's source imports, wherever the import stands, as dotted names below levelsense.

    `package` is the dotted name, in parts, of the package the module lies in: relative imports count from it.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.partition(".")[2] for name in names if lies_in(name, "levelsense"))


def imports_of(path: Path) -> list[str]:
    package = ("levelsense", *path.relative_to(PACKAGE).parts[:-1])
    return list(imported_names(path.read_text(), package))


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_no_upward_import(path: Path) -> None:
    name = name_of(path)
    if name == FACADE:
        return
    layer = layer_of(name)
    assert layer != FACADE, f"{name} has no place in LAYERS: say where it stands in the flow"
    upward = {
        other
        for other in map(layer_of, imports_of(path))
        if other == FACADE or LAYERS.index(other) > LAYERS.index(layer)
    }
    assert not upward, f"{name} imports from {', '.join(sorted(upward))}, which comes after {layer}"


@pytest.mark.parametrize(("package", "allowed"), NARROW.items())
def test_a_narrow_package_uses_little(package: str, allowed: set[str]) -> None:
    members = [path for path in modules() if lies_in(name_of(path), package)]
    assert members
    for path in members:
        others = {other for other in imports_of(path) if not lies_in(other, package)}
        too_much = {other for other in others if layer_of(other) not in allowed}
        assert not too_much, f"{name_of(path)} imports {', '.join(sorted(too_much))}"


@pytest.mark.parametrize(("package", "allowed"), CLOSED.items())
def test_a_closed_package_is_left_alone_in_its_layer(package: str, allowed: set[str]) -> None:
    users = {
        name_of(path)
        for path in modules()
        if layer_of(name_of(path)) == layer_of(package) and not lies_in(name_of(path), package)
        if any(lies_in(other, package) for other in imports_of(path))
    }
    assert users == allowed


def test_the_check_sees_every_form_of_import() -> None:
    source = """
import levelsense.cli
from levelsense import studio, Level
from levelsense.report.tables import table
from ..agents import registry
from .state import State
import levelsensei
def later():
    from levelsense.bench import run_bench
"""
    names = list(imported_names(source, ("levelsense", "game")))
    layers = sorted(map(layer_of, names))
    assert layers == ["__init__", "agents", "bench", "cli", "game", "report", "studio"]
    assert {"Level", "agents.registry", "game.state.State", "report.tables.table"} <= set(names)
