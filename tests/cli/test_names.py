"""Names that somebody else chose: of levels, files and players. No terminal, drawing or table obeys them."""

import io
import json
import os
import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from levelsense.cli import app
from levelsense.cli.terminal.export import STDOUT, output
from levelsense.cli.terminal.screen import SafeConsole
from levelsense.level.level import Level
from levelsense.people.csv_text import safe_cells
from levelsense.report.rendering import chart_library

EVIL = "\x1b]0;mine\x07\x1b[31m\nsecond line\t\x9b2J\u202e"
OBEYED = ("\x1b", "\x07", "\x9b", "\u202e")


def run(*words: object) -> str:
    """What a command prints on stdout and stderr."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return str(done.output)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two levels in files with bad names, one with a bad name of its own."""
    monkeypatch.chdir(tmp_path)
    level = Level.load("17-pocket-board")
    named = json.loads(level.to_json()) | {"name": f"bad{EVIL}", "about": "about\x1b[31m"}
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / f"=1+1{EVIL}.json").write_text(json.dumps(named))
    (tmp_path / "levels" / "plain.json").write_text(json.dumps(named | {"moves": 4}))
    return tmp_path


def check_harmless(text: str) -> None:
    assert not [sign for sign in OBEYED if sign in text]
    assert not any(line.startswith("second line") for line in text.splitlines())


def test_commands(folder: Path) -> None:
    evil = f"levels/=1+1{EVIL}.json"
    check_harmless(run("show", evil))
    check_harmless(run("check", "levels"))
    check_harmless(run("playtest", "levels", "--agent", "first", "--attempts", 3))
    check_harmless(run("playtest", "levels", "--agent", "first", "--attempts", 3, "--json"))
    summary = run("results")
    check_harmless(summary)
    assert len(summary.splitlines()) == 3
    check_harmless(run("results", "--json"))
    check_harmless(CliRunner().invoke(app, ["playtest", f"nothing{EVIL}.json"]).output)


def test_drawings(folder: Path) -> None:
    run("show", f"levels/=1+1{EVIL}.json", "--svg", "level.svg")
    run("tree", f"levels/=1+1{EVIL}.json", "--agent", "mcts:simulations=5", "-o", "tree.svg")
    for name in ("level.svg", "tree.svg"):
        text = (folder / name).read_text()
        assert not [sign for sign in OBEYED if sign in text]


def test_pages(folder: Path) -> None:
    run("playtest", "levels", "--agent", "first", "--attempts", 12, "--report", "page.html")
    page = (folder / "page.html").read_text().replace(chart_library(), "")
    assert "bad␛" in page
    assert not [sign for sign in (*OBEYED, "\\u001b", "\\u009b") if sign in page]


def test_no_cell_is_a_formula(folder: Path) -> None:
    run("playtest", "levels", "--agent", "first", "--attempts", 1)
    run("results", "--csv", "safe.csv")
    run("results", "--csv", "exact.csv", "--exact")
    exact, safe = (set(pl.read_csv(f"{name}.csv")["name"]) for name in ("exact", "safe"))
    assert exact == {f"=1+1{EVIL}", "plain"}
    assert safe == {f"'=1+1{EVIL}", "plain"}


def test_rates_have_no_formula_either(folder: Path) -> None:
    (folder / "x.csv").write_text("level,player,attempts,successes\n@level,+p,3,1\nb,-q,2,2\n")
    run("players", "import", "x.csv")
    run("players", "rates", "--csv", "safe.csv")
    run("players", "rates", "--csv", "exact.csv", "--exact")
    assert set(pl.read_csv("safe.csv")["level"]) == {"'@level", "b"}
    assert set(pl.read_csv("exact.csv")["level"]) == {"@level", "b"}


def test_which_cells_a_spreadsheet_would_compute() -> None:
    texts = ["=1", "+1", "-1", "@x", "\t=1", "\r=1", "a=1", "", None, "'x"]
    table = pl.DataFrame({"text": texts, "number": range(-5, 5)})
    safe = safe_cells(table)
    assert safe["text"].to_list() == ["'=1", "'+1", "'-1", "'@x", "'\t=1", "'\r=1", "a=1", "", None, "'x"]
    assert safe["number"].equals(table["number"])


def test_a_file_name_that_is_no_text(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.json")
    Path(name).write_text(Level.load("17-pocket-board").to_json())
    run("show", name)
    done = CliRunner().invoke(app, ["playtest", name, "--attempts", "1"])
    assert done.exit_code == 2
    assert "caf\ufffd.json: a file name that is no UTF-8; expected one that can be stored" in done.output


def test_csv_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    with output(STDOUT) as file:
        file.write(f"name\n\x1b[2J{EVIL}\n".encode())
    assert not [sign for sign in OBEYED if sign in terminal.getvalue()]


def test_the_console_obeys_its_own_codes_only() -> None:
    printed = io.StringIO()
    console = SafeConsole(file=printed, force_terminal=True, color_system="truecolor", highlight=False)
    console.print("a\x1b[31mb\nc", style="bold")
    assert printed.getvalue() == "\x1b[1ma␛[31mb\x1b[0m\n\x1b[1mc\x1b[0m\n"
