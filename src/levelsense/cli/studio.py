"""The command that starts the studio in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import LEVELS, DatabaseOption, ThreadsOption, announce_compiling, app


@app.command(rich_help_panel=LEVELS)
def studio(
    levels: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder of your level files; made when you first save.")
    ] = Path("levels"),
    database: DatabaseOption = defaults.DATABASE,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS", help="The address to listen on; any but this machine's own asks for a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any that is free.")] = 8350,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="The token that requests need.",
            show_default="a new one where others may reach the server",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A model of your own.", show_default="levelsense's own"),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
    threads: ThreadsOption = None,
) -> None:
    """Edit levels in the browser, with their difficulty beside them as you draw.

    Everything stays on this machine. Ctrl-C ends it; nothing that was drawn or played is lost.
    """
    from levelsense.cli.terminal.screen import note
    from levelsense.errors import OutputError
    from levelsense.lab import Lab
    from levelsense.playtest.runner import check_asked
    from levelsense.store import Database
    from levelsense.studio.context import Studio
    from levelsense.studio.folder import LevelFolder
    from levelsense.studio.server import Address, serve

    if levels.exists() and not levels.is_dir():
        raise OutputError(levels, "a file; expected a folder of level files")
    announce_compiling()

    def announce(address: Address) -> None:
        note(f"levelsense studio: {address.url}   levels in {levels}, database {database}; Ctrl-C ends it")

    check_asked(threads=threads)
    Database(database).close()  # one that cannot be used is told before the browser opens
    shared = Studio(Lab(database, command="studio"), LevelFolder(levels), model_file=model, threads=threads)
    _ = shared.model  # a wrong model is told before the browser opens
    serve(shared, host, port, token, ready=announce, open_browser=not no_browser)
