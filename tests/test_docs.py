"""The docs say what the program does: commands, options, keys, tokens, examples, links."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from levelsense.cli import app
from levelsense.cli.app import PANELS
from levelsense.level.level import Drop, Level, bundled_levels
from levelsense.level.tokens import DROP_PIECES, ORDERS, parse_token
from tests.page_examples import PAGES as PAGES_WITH_EXAMPLES
from tests.page_examples import examples

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CLI_PAGE = (ROOT / "docs" / "cli.md").read_text()
LEVELS_PAGE = (ROOT / "docs" / "levels.md").read_text()


def flattened(group: Any, before: str = "") -> dict[str, Any]:
    """Commands by what is typed for them; those of a group as `players import`."""
    options = {}
    for name, command in group.commands.items():
        inner = hasattr(command, "commands")
        options.update(flattened(command, f"{before}{name} ") if inner else {f"{before}{name}": command})
    return options


COMMANDS = flattened(typer.main.get_command(app))
GLOBAL = {"--help", "--quiet", "-q"}  # options of every command, which the page lists at its beginning


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of its rank."""
    match = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
    assert match, f"no heading {heading!r}"
    return match[1]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)


def first_column(text: str) -> list[str]:
    """What is in backticks in the first column of the tables of a text."""
    cells = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    return [code.replace("\\|", "|") for cell in cells for code in re.findall(r"`(.*?)`", cell)]


def options_of(command: str) -> set[str]:
    return {
        option
        for parameter in COMMANDS[command].params
        if parameter.param_type_name == "option"
        for option in parameter.opts
    }


def command_of(line: str) -> tuple[str, str]:
    """The command at the beginning of a line, of a group if its first word is one, and what follows it."""
    groups = {name.split()[0] for name in COMMANDS if " " in name}
    words = line.split(maxsplit=2)
    number = 2 if words[0] in groups else 1
    return " ".join(words[:number]), " ".join(words[number:])


def test_commands_of_groups_are_found() -> None:
    assert command_of("players rates --csv x") == ("players rates", "--csv x")
    assert command_of("players nothing") == ("players nothing", "")
    assert command_of("play 01-first-steps") == ("play", "01-first-steps")
    assert {"players import", "players rates", "play"} < set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_documented_and_no_other(command: str) -> None:
    documented = set(re.findall(r"`(--?[a-z][a-z-]*)", section(CLI_PAGE, f"levelsense {command}")))
    assert documented - GLOBAL == options_of(command) - GLOBAL


def test_every_documented_command_exists() -> None:
    assert set(re.findall(r"^## levelsense (.+)$", CLI_PAGE, re.MULTILINE)) == set(COMMANDS)


def test_every_command_stands_in_a_panel_of_the_help() -> None:
    group: Any = typer.main.get_command(app)
    panels = {name: command.rich_help_panel for name, command in group.commands.items()}
    assert {name for name, panel in panels.items() if panel not in PANELS} == set()
    listed = list(dict.fromkeys(panels[name] for name in group.list_commands(None)))
    assert listed == list(PANELS)


def test_global_options_are_documented() -> None:
    group: Any = typer.main.get_command(app)
    options = {option for parameter in group.params for option in parameter.opts}
    assert {option for option in options | GLOBAL if f"`{option}`" not in CLI_PAGE.split("## ")[0]} == set()
    assert [command for command in COMMANDS if not {"--quiet", "-q"} <= options_of(command)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_pages_exist(page: Path) -> None:
    """Each `levelsense word` in code is a command, with options that it has."""
    code = "\n".join(re.findall(r"`([^`\n]+)`", page.read_text()) + blocks(page.read_text(), "(?:sh|text)?"))
    groups = {name.split()[0] for name in COMMANDS if " " in name}
    for line in re.findall(r"^(?:\$ )?levelsense ([a-z].*)$", code, re.MULTILINE):
        if line in groups:  # a group alone lists its commands
            continue
        command, rest = command_of(line)
        assert command in COMMANDS, f"{page.name}: levelsense {line}"
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest):
            assert option in options_of(command) | GLOBAL, f"{page.name}: levelsense {command} {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_example_level_is_valid() -> None:
    Level.from_json(blocks(LEVELS_PAGE, "json")[0])


def test_every_key_of_a_level_is_documented() -> None:
    keys = {field.alias or name for name, field in Level.model_fields.items()}
    assert set(first_column(section(LEVELS_PAGE, "Keys"))) == keys


def test_every_key_of_a_drop_is_documented() -> None:
    text = section(LEVELS_PAGE, "Drops")
    assert set(first_column(text)) == set(Drop.model_fields)
    assert all(f"`{piece}`" in text for piece in DROP_PIECES)


def test_documented_tokens_are_tokens() -> None:
    tokens = first_column(section(LEVELS_PAGE, "Cell tokens"))
    assert len(tokens) >= 25
    assert [token for token in tokens if parse_token(token) is None] == []


def test_every_order_is_documented() -> None:
    text = section(LEVELS_PAGE, "Goals")
    assert [order for order in ORDERS if f"`{order}`" not in text] == []


def test_python_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    """The README's Python prints what the comments beside it say."""
    examples = blocks((ROOT / "README.md").read_text(), "python")
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
        printed = capsys.readouterr().out.splitlines()
        assert printed == re.findall(r"print\(.*\)  # (.*)$", example, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "shown"),
    [example for page in PAGES_WITH_EXAMPLES for example in examples(page)],
    ids=lambda text: text[:20],
)
def test_pages_show_what_the_program_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    """`python -m tests.page_examples` writes what is printed today into the pages."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, command.split()).stdout == shown


def test_pages_have_examples() -> None:
    commands = {command.split()[0] for page in PAGES_WITH_EXAMPLES for command, _ in examples(page)}
    assert commands == {"explain", "playtest", "predict", "tune"}


def test_the_readme_counts_the_bundled_levels() -> None:
    page = (ROOT / "README.md").read_text()
    assert re.findall(r"(\d+) levels are bundled", page) == [str(len(bundled_levels()))]
