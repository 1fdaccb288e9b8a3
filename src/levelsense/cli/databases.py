"""Commands about databases themselves."""

from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import (
    DATA,
    DatabaseOption,
    JsonOption,
    ThreadsOption,
    app,
    print_json,
    refuse_together,
)

DEFAULT_SAMPLE = 200
DAMAGED = 1


@app.command(rich_help_panel=DATA)
def verify(
    db: DatabaseOption = defaults.DATABASE,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many attempts to play again, drawn among all.",
            show_default=str(DEFAULT_SAMPLE),
        ),
    ] = None,
    play_all: Annotated[bool, typer.Option("--all", help="Play every attempt again.")] = False,
    seed: Annotated[
        int, typer.Option(help="The seed of the draw: another one plays other attempts again.")
    ] = 0,
    threads: ThreadsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for damage in a database: in its file, its levels, every row, and in attempts played again.

    Ends with exit code 1 if anything is damaged.
    """
    from levelsense.cli.terminal.databases import run_verification, verified_data
    from levelsense.playtest.plan import MOST_ATTEMPTS, check_seed, check_whole
    from levelsense.playtest.runner import check_asked
    from levelsense.store import Database

    refuse_together(sample=sample is not None, all=play_all)
    check_seed(seed)
    check_asked(threads=threads)
    if sample is not None:
        check_whole("sample", sample, 0, MOST_ATTEMPTS)
    number = None if play_all else DEFAULT_SAMPLE if sample is None else sample
    with Database(db, make=False) as database:
        if as_json:
            verified, damage = verified_data(database, number, seed, threads)
            print_json(verified)
        else:
            damage = run_verification(database, number, seed, threads).damaged
    if damage:
        raise typer.Exit(DAMAGED)
