"""Commands about players: people's results taken in, and their success rates."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense.cli.app import (
    DATABASE,
    INTERRUPTED,
    DatabaseOption,
    ExactOption,
    JsonOption,
    app,
    check_outputs,
    only_text,
    print_json,
    refuse_together,
)

players = typer.Typer(
    no_args_is_help=True,
    help="What people made of levels: take in their results, tell their success rates.",
)
app.add_typer(players, name="players")


@players.command("import")
def import_results(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="CSV or Parquet files, by suffix.", show_default=False),
    ],
    db: DatabaseOption = DATABASE,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="FIELD=HEADER",
            help="Which column holds what: level=stage, for instance; can be repeated.",
            callback=only_text,
            show_default=False,
        ),
    ] = None,
    cohort: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The cohort of all rows.", callback=only_text, show_default=False),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Put rows in the place of stored ones that say something else.")
    ] = False,
    skip_wrong: Annotated[
        bool, typer.Option("--skip-wrong", help="Leave out rows with wrong values, and say which.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Take in people's results: levels, attempts, successes, and by whom and when.

    Nothing is stored if anything is wrong; what is stored already is not stored again.
    """
    from levelsense.cli.terminal.players import show_import
    from levelsense.people.files import parse_columns
    from levelsense.people.records import read_all
    from levelsense.store import Database, PlayerResults
    from levelsense.store.address import IN_MEMORY, is_to_be_made

    records = read_all(files, parse_columns(columns or []), cohort, skip_wrong=skip_wrong)
    rows = [read.rows for read in records]
    if is_to_be_made(db):
        # Tried before: what cannot be stored leaves no empty database behind.
        with Database(IN_MEMORY) as trial:
            PlayerResults(trial).add_all(rows, replace=replace)
    with Database(db) as database:
        counts = PlayerResults(database).add_all(rows, replace=replace)
        show_import(database.name, list(zip(records, counts, strict=True)), as_json)


@players.command()
def rates(
    levels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEVEL",
            help="Only these levels: names, or patterns such as '0*'.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = DATABASE,
    cohort: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only this cohort.", callback=only_text, show_default=False),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table as CSV; - is stdout.", show_default=False),
    ] = None,
    exact: ExactOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tell people's success rate on each level, and how sure it is.

    Simulated players are told apart.
    """
    from levelsense.cli.terminal.players import show_rates
    from levelsense.store import Database

    refuse_together(csv=csv is not None, json=as_json)
    check_outputs(db, csv=csv)
    with Database(db, make=False) as database:
        show_rates(database, levels or [], cohort, csv, as_json, exact)


@players.command()
def simulate(
    levels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEVEL",
            help="Level files, folders of them, names of bundled levels.",
            show_default=False,
        ),
    ] = None,
    more: Annotated[
        list[str] | None,
        typer.Option("--levels", metavar="LEVEL", help="The same; can be repeated.", show_default=False),
    ] = None,
    number: Annotated[int, typer.Option("--players", help="How many players, at most 100,000.")] = 500,
    seed: Annotated[int, typer.Option(help="The seed of the players and of what they do.")] = 0,
    mix: Annotated[str, typer.Option(help="Which players: everyone, newcomers or veterans.")] = "everyone",
    threads: Annotated[
        int | None,
        typer.Option(
            help="How many levels are played at once; as many as there are processors if left out.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = DATABASE,
    attempts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every attempt too, as CSV or Parquet by suffix.", show_default=False
        ),
    ] = None,
    telemetry: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write every move too, as CSV or Parquet by suffix.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let simulated players try levels, and keep their results as those of a cohort of their own.

    They are no people, and every figure from them says so. The same seed gives the same results.
    """
    from levelsense.cli.terminal.players import (
        SimulationAsked,
        print_simulated,
        run_simulation,
        simulated_data,
    )
    from levelsense.cli.terminal.playtests import levels_to_play
    from levelsense.cli.terminal.screen import screen
    from levelsense.errors import PlayersError
    from levelsense.people.simulated.traits import draw_population

    words = [*(levels or ()), *(more or ())]
    if not words:
        raise PlayersError("no levels: expected level files, folders or names of bundled levels")
    check_outputs(db, attempts=attempts, telemetry=telemetry)
    population = draw_population(number, seed, mix)
    asked = SimulationAsked(levels_to_play(words), population, db, threads, attempts, telemetry)
    done = run_simulation(asked)
    if done is None:
        raise typer.Exit(INTERRUPTED)
    if as_json:
        print_json(simulated_data(population, done))
    else:
        print_simulated(screen(), population, done)
