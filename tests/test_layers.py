"""Every module imports only from its own layer or from those above it in the flow."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "levelsense"

# The flow of docs and design: a layer may use those before it, never those after it.
LAYERS = (
    "errors",
    "printable",
    "json_text",
    "files",
    "cache",
    "compiled",
    "kernel",
    "arithmetic",
    "game",
    "draws",
    "advice",
    "agents",
    "playtest",
    "store",
    "saga",
    "players",
    "learning",
    "prediction",
    "report",
    "studio",
    "bench",
    "terminal",
    "cli",
    "studies",
    "__main__",
)
FACADE = "__init__"  # the public API gathers names of every layer; no module imports from it


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def layer_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_layers(source: str, package: tuple[str, ...]) -> Iterator[str]:
    """The layers that a module's source imports from, wherever in the module the import stands.

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
        for parts in (name.split(".") for name in names):
            if parts[0] == "levelsense":
                yield parts[1] if len(parts) > 1 and parts[1] in LAYERS else FACADE


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_upward_import(path: Path) -> None:
    layer = layer_of(path)
    if layer == FACADE:
        return
    assert layer in LAYERS, f"{path.name} has no place in LAYERS: say where it stands in the flow"
    package = ("levelsense", *path.relative_to(PACKAGE).parts[:-1])
    wrong = {
        other
        for other in imported_layers(path.read_text(), package)
        if other == FACADE or LAYERS.index(other) > LAYERS.index(layer)
    }
    assert not wrong, f"{layer} imports from {', '.join(sorted(wrong))}, which comes after it"


def test_the_check_sees_every_form_of_import() -> None:
    source = """
import levelsense.cli
from levelsense import studio, Level
from levelsense.report.tables import table
from ..agents import registry
from .state import State
def later():
    from levelsense.bench import run_bench
"""
    found = list(imported_layers(source, ("levelsense", "game")))
    assert sorted(found) == ["__init__", "agents", "bench", "cli", "game", "report", "studio"]
