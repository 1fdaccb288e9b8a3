"""Commands about changes of a level: suggest some, compare two versions, watch a file while it is edited."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import (
    DIFFICULTY,
    DatabaseOption,
    JsonOption,
    LevelArgument,
    SeedOption,
    ThreadsOption,
    announce_compiling,
    app,
    check_outputs,
    note_namesakes,
    open_lab,
    print_json,
)
from levelsense.cli.completion import complete_level
from levelsense.cli.prediction import ModelOption, TargetOption
from levelsense.cli.running import lab_run
from levelsense.errors import LevelsenseError

if TYPE_CHECKING:
    from levelsense.prediction.suggestions import Suggestions


@app.command(rich_help_panel=DIFFICULTY)
def suggest(
    level: LevelArgument,
    target: Annotated[
        str,
        typer.Option(metavar="RATE", help="The success rate to reach: 35%, 35 or 0.35.", show_default=False),
    ],
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KINDS",
            help="What may be changed: moves, jelly, blockers, goals, colors, drops, teleporters, shape, "
            "some of them as in moves,jelly; all if left out.",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        str,
        typer.Option(
            metavar="CELLS", help="Cells that stay as they are, such as a1:c3,e5.", show_default=False
        ),
    ] = "",
    most: Annotated[int, typer.Option(help="How many changes are suggested at most.")] = defaults.SUGGESTIONS,
    write: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write the level with suggestion N, with -o.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The level file to write, with --write.",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Find the smallest changes of a level with which players are expected to succeed as often as wanted.

    Agents try edits as a designer would make them. Ends with exit code 1 if none reaches the target.
    """
    from levelsense.cli.terminal.levels import LevelOutput
    from levelsense.cli.terminal.screen import note
    from levelsense.playtest.levels import gather_one
    from levelsense.playtest.plan import check_whole, parse_target

    if (write is None) != (output is None):
        raise LevelsenseError("--write and -o: only one of them is given; expected both, or none")
    if write is not None:
        check_whole("--write", write, 1, most)
    check_outputs(db, output=output)
    target_rate = parse_target(target)
    announce_compiling()
    named = gather_one(level)
    file = None if output is None else LevelOutput(output, level, named.level)
    result = _suggest(level, target_rate, (allow or (), keep, most), model, seed, threads, db, as_json)
    if file is not None and write is not None and write <= len(result.suggestions):
        file.write(result.suggestions[write - 1].level)
        note(f"{output} written: {result.suggestions[write - 1].words}")
    elif write is not None:
        note(f"{output} not written: there is no suggestion {write}")
        raise typer.Exit(1)
    if not result.suggestions and not result.is_reached:
        raise typer.Exit(1)


def _suggest(
    level: str,
    target: float,
    constraints: "tuple[list[str] | tuple[()], str, int]",
    model: Path | None,
    seed: int,
    threads: int | None,
    db: str,
    as_json: bool,
) -> "Suggestions":
    """Finds suggestions and prints them."""
    from levelsense.cli.terminal.prediction import note_model
    from levelsense.cli.terminal.screen import screen
    from levelsense.cli.terminal.suggestions import print_suggestions
    from levelsense.lab.run import read_model

    difficulty_model = read_model(model)
    allow, keep, most = constraints
    with lab_run(db, seed, threads) as (lab, common):
        result = lab.suggest(
            level,
            target,
            allow=allow,
            keep=keep,
            most=most,
            model=difficulty_model,
            **common,
        )
    if as_json:
        print_json(result.as_data())
    else:
        print_suggestions(screen(), result)
        note_model(difficulty_model)
    return result


@app.command(rich_help_panel=DIFFICULTY)
def compare(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="A level as it was: a file, or a bundled level's name.",
            callback=note_namesakes,
            autocompletion=complete_level,
        ),
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="The level as it is now.",
            callback=note_namesakes,
            autocompletion=complete_level,
        ),
    ],
    model: ModelOption = None,
    attempts: Annotated[
        int | None,
        typer.Option(help="How many attempts each agent has at both.", show_default="as the model asks"),
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Tell what a new version of a level changes: drawn, and in success rates on the same boards."""
    from levelsense.cli.terminal.comparison import note_boards, print_comparison
    from levelsense.cli.terminal.prediction import note_model
    from levelsense.cli.terminal.screen import screen
    from levelsense.lab.run import read_model

    difficulty_model = read_model(model)
    announce_compiling()
    with lab_run(db, seed, threads) as (lab, common):
        compared = lab.compare(
            old,
            new,
            model=difficulty_model,
            attempts=attempts,
            **common,
        )
    if as_json:
        print_json(compared.as_data())
        return
    print_comparison(screen(), compared)
    note_boards(compared)
    note_model(difficulty_model)


@app.command(rich_help_panel=DIFFICULTY)
def watch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="The level file that is being edited.", autocompletion=complete_level
        ),
    ],
    target: TargetOption = None,
    model: ModelOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
) -> None:
    """Predict a level anew each time its file is saved, until Ctrl-C."""
    from levelsense.cli.terminal.comparison import print_saved
    from levelsense.cli.terminal.interruption import interruptible
    from levelsense.cli.terminal.screen import note, screen
    from levelsense.errors import LevelError
    from levelsense.playtest.plan import parse_target

    if not file.is_file():
        raise LevelError([f"{file}: no such file; expected a level file to watch"])
    target_rate = None if target is None else parse_target(target)
    announce_compiling()
    console = screen()
    with interruptible(f"{file}: no longer watched") as stop:
        for saved in open_lab(db).watch(
            file, target=target_rate, model=model, seed=seed, threads=threads, stop=stop
        ):
            print_saved(console, saved)
    note(f"{file}: no longer watched")
