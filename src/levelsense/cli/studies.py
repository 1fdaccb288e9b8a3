"""The command that runs studies: published ones, and those that the docs show the pages of."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense.cli.app import PLAYERS, ThreadsOption, announce_compiling, app


@app.command(rich_help_panel=PLAYERS)
def study(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The study; all are listed if left out.", show_default=False),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The data, for a study that takes some.", show_default=False),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do less: a few minutes, for a first look.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="The folder for results and for the page.",
            show_default="study-NAME",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of what the study draws.")] = 1,
    threads: ThreadsOption = None,
) -> None:
    """Run a study, and write its page: Markdown with charts.

    Results are kept in the folder as they are made: interrupted, the same command goes on from there.
    """
    from levelsense.cli.terminal.interruption import interruptible
    from levelsense.cli.terminal.screen import counting, note, print_rows, screen
    from levelsense.lab import Progress
    from levelsense.studies.registry import STUDIES, find_study, run_study
    from levelsense.studies.run import StudyRun

    if name is None:
        print_rows(screen(), [("study", "about"), *((key, entry.about) for key, entry in STUDIES.items())])
        return
    find_study(name)
    folder = output or Path(f"study-{name}")
    announce_compiling()
    farewell = f"interrupted: results are kept in {folder}; the same command goes on from there"
    with interruptible(farewell) as stop, counting() as counter:
        watch = counter.watch

        def show_progress(doing: str, done: int, total: int) -> None:
            if watch is not None:
                watch(Progress(doing, done, total))

        page = run_study(name, StudyRun(folder, quick, seed, data, threads, show_progress, stop))
    note(f"{page} written")
