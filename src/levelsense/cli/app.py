"""The Typer application, and what its commands share: options, exit codes, output."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from levelsense.cli.completion import complete_level
from levelsense.errors import LevelsenseError, is_text

if TYPE_CHECKING:
    from levelsense.lab import Lab

# Numba, Pydantic and Rich are imported inside the commands, so that `levelsense --help` answers at once.

WRONG_INPUT = 2
INTERRUPTED = 130

# The panels of `levelsense --help`, in its order: each command names one.
LEVELS: Final = "Levels"
DIFFICULTY: Final = "Difficulty"
AGENTS: Final = "Agents and playtests"
PLAYERS: Final = "Players and models"
DATA: Final = "Data"
PANELS: Final = (LEVELS, DIFFICULTY, AGENTS, PLAYERS, DATA)
# The commands of each panel as a designer comes to them; one that is not listed stands behind.
_ORDER: Final = (
    *("studio", "new", "copy", "levels", "show", "check", "play", "generate", "schema"),
    *("predict", "explain", "suggest", "tune", "compare", "watch", "report"),
    *("agents", "playtest", "results", "tree", "train", "bench"),
    *("players", "fit", "evaluate", "study"),
)


def _show_value(error: typer.BadParameter) -> None:
    """Adds the typed value to the message of an error that Pydantic raised, which leaves it out."""
    problems = getattr(error.__cause__, "errors", None)
    typed = problems()[0].get("input") if problems else None
    if typed is not None:
        error.message = f"{str(typed)!r}: {error.message}"


def _place_in(order: tuple[str, ...], name: str | None) -> int:
    return order.index(name) if name in order else len(order)


def _leaves(group: Any) -> Iterator[Any]:
    """The commands of a group and of the groups in it."""
    for command in group.commands.values():
        if isinstance(command, TyperGroup):
            yield from _leaves(command)
        else:
            yield command


def _show_no_types(command: Any, ctx: Any) -> None:
    """Leaves Python's types out of the help of a command and of those in it: `<bool>`, `<list[str]>`."""
    for param in command.get_params(ctx):
        if param.param_type_name == "argument":
            param.display_type = lambda ctx: ""
        elif param.metavar is None:
            param.metavar = "" if param.is_flag else "N"
    for inner in getattr(command, "commands", {}).values():
        _show_no_types(inner, ctx)


class _Commands(TyperGroup):
    """The commands in the order of the help; errors of the library become a line each and an exit code.

    Every command takes the group's option `--quiet`, too.
    """

    def format_help(self, ctx: Any, formatter: Any) -> None:
        _show_no_types(self, ctx)
        super().format_help(ctx, formatter)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _show_no_types(command, ctx)
        return command

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for command in _leaves(self):
            command.params += [param for param in self.params if param.name == "quiet"]

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=self._place)

    def _place(self, name: str) -> tuple[int, int]:
        panel = getattr(self.commands[name], "rich_help_panel", None)
        return _place_in(PANELS, panel), _place_in(_ORDER, name)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            _show_value(error)
            raise
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except LevelsenseError as error:
            from levelsense.cli.terminal.screen import complain

            for sentence, excerpt in error.parts:
                complain(with_options(sentence), excerpt)
            raise typer.Exit(WRONG_INPUT) from None


# The library's errors name arguments in backquotes; these are their options.
_OPTIONS: Final = {
    "agents": "--agent",
    "against": "--against",
    "allow": "--allow",
    "attempts": "--attempts",
    "boosters": "--boosters",
    "cohort": "--cohort",
    "columns": "--column",
    "data": "--data",
    "database": "--db",
    "first": "--first",
    "force": "--force",
    "games": "--games",
    "goals": "--goal",
    "groups": "--groups",
    "host": "--host",
    "keep": "--keep",
    "levels": "--levels",
    "model": "--model",
    "most": "--most",
    "place": "--place",
    "players": "--players",
    "port": "--port",
    "replace": "--replace",
    "seed": "--seed",
    "size": "--size",
    "skip_wrong": "--skip-wrong",
    "targets": "--target",
}


def with_options(sentence: str) -> str:
    """A sentence of the library with the names of options in place of those of arguments."""
    return re.sub(r"`(\w+)`", lambda name: _OPTIONS.get(name[1], name[0]), sentence)


def only_text(param: typer.CallbackParam, typed: Any) -> Any:
    """Callback of options that are texts, not files: gives `typed`; LevelsenseError if it is not UTF-8."""
    for word in [typed] if isinstance(typed, str) else typed or ():
        if not is_text(word):
            escaped = word.encode(errors="surrogateescape").decode(errors="backslashreplace")
            raise LevelsenseError(f"{param.opts[-1]} '{escaped}': not a text in UTF-8; expected one")
    return typed


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Match-3 levels for designers: draw them, check them, play them, let agents playtest them.",
    epilog="LEVEL is a level file, or the name of a bundled level, or how that name begins: "
    "`levelsense levels` lists them.",
)


def note_namesakes(context: typer.Context, typed: Any) -> Any:
    """Callback of arguments that name levels: notes which of two levels is meant; gives `typed`."""
    if context.resilient_parsing:  # a shell completes the command
        return typed
    from levelsense.level.bundled import namesake_words

    words = [typed] if isinstance(typed, str) else typed or ()
    for sentence in filter(None, (namesake_words(word, folders=words is typed) for word in words)):
        from levelsense.cli.terminal.screen import note

        note(sentence)
    return typed


LevelArgument = Annotated[
    str,
    typer.Argument(
        metavar="LEVEL",
        help="A level file, or the name of a bundled level.",
        show_default=False,
        callback=note_namesakes,
        autocompletion=complete_level,
    ),
]
LevelsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="LEVEL",
        help="Level files, folders of them, names of bundled levels.",
        show_default=False,
        callback=note_namesakes,
        autocompletion=complete_level,
    ),
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        "--db", metavar="FILE", help="The database: a SQLite file, or the URL of a PostgreSQL database."
    ),
]
ExactOption = Annotated[
    bool,
    typer.Option(
        "--exact",
        help="Write texts to CSV as they are, also those that a spreadsheet would compute as formulas.",
    ),
]
SeedOption = Annotated[int, typer.Option(help="The seed of the run: the same one gives the same attempts.")]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        help="How many attempts are played at once; as many as there are processors if left out.",
        show_default=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def _silence(context: typer.Context, wanted: bool) -> None:
    """Shows neither notes nor progress until the command ends."""
    if wanted:
        from levelsense.cli.terminal.screen import set_quiet

        set_quiet(True)
        context.call_on_close(lambda: set_quiet(False))


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"levelsense {version('levelsense')}")
        raise typer.Exit


@app.callback()
def levelsense(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            help="Print no remarks and no progress, only results and errors.",
            callback=_silence,
            is_eager=True,
            expose_value=False,
        ),
    ] = False,
) -> None:
    """Runs before every command."""


def open_lab(db: str) -> "Lab":
    """The Lab with a command's database; the command line is stored with its runs."""
    from levelsense.cli.terminal.playtests import command_words
    from levelsense.lab import Lab

    return Lab(db, command=command_words())


def announce_compiling() -> None:
    """From now on, a line on a terminal says what is being compiled."""
    from levelsense.cli.terminal.screen import announce_compiling as announce

    announce()


def refuse_together(**given: bool) -> None:
    """LevelsenseError if more than one of these options, which exclude each other, is given."""
    names = [f"--{name}" for name, is_given in given.items() if is_given]
    if len(names) > 1:
        raise LevelsenseError(f"{names[0]} and {names[1]}: both are given; expected only one of them")


def check_outputs(place: str | None, **outputs: Path | None) -> None:
    """LevelsenseError if an output file, by its option's name, is the database's or another option's too."""
    from levelsense.store.address import is_file_of

    options: dict[str, str] = {}
    for name, path in outputs.items():
        if path is None:
            continue
        if place is not None and is_file_of(path, place):
            raise LevelsenseError(f"{path}: for --{name} and for the database; expected two files")
        other = options.setdefault(os.path.realpath(path), name)
        if other != name:
            raise LevelsenseError(f"{path}: for --{other} and for --{name}; expected two files")


# Controls that JSON lets through, line ends of Unicode, turned directions, halves of pairs.
_UNSAFE: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def print_json(data: Any) -> None:
    """Prints data, with dataclasses in it, as JSON; control characters of terminals are escaped: \\u009b."""
    from pydantic_core import to_jsonable_python

    # Pydantic's own text has floats in another form: 0.00001 where Python writes 1e-05.
    text = json.dumps(data, indent=2, ensure_ascii=False, default=to_jsonable_python)
    print(_UNSAFE.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text))
