"""Commands about players: people's results taken in, and their success rates."""

from pathlib import Path
from typing import Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import (
    INTERRUPTED,
    PLAYERS,
    DatabaseOption,
    ExactOption,
    JsonOption,
    LevelsArgument,
    SeedOption,
    ThreadsOption,
    announce_compiling,
    app,
    check_outputs,
    note_namesakes,
    only_text,
    open_lab,
    print_json,
    refuse_together,
)
from levelsense.cli.completion import complete_level

players = typer.Typer(
    no_args_is_help=True,
    help="What people made of levels: take in their results, tell success rates, check moves, find groups.",
)
app.add_typer(players, name="players", rich_help_panel=PLAYERS)


@players.command("import")
def import_results(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="CSV or Parquet files, by suffix.", show_default=False),
    ],
    db: DatabaseOption = defaults.DATABASE,
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
    from levelsense.store.address import shown_name

    imported = open_lab(db).import_players(
        files, columns=parse_columns(columns or []), cohort=cohort, replace=replace, skip_wrong=skip_wrong
    )
    show_import(shown_name(db), imported, as_json)


@players.command()
def rates(
    levels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEVEL",
            autocompletion=complete_level,
            help="Only these levels: names, or patterns such as '0*'.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = defaults.DATABASE,
    cohort: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Only this cohort, or those that match a pattern together; '*' is everybody.",
            callback=only_text,
            show_default=False,
        ),
    ] = None,
    boosters: Annotated[
        bool, typer.Option("--boosters", help="Count attempts in which boosters were used, too.")
    ] = False,
    details: Annotated[
        bool,
        typer.Option(
            "--details",
            help="Tell how many attempts a player needs, who is still stuck after 5, 10 and 20, who gave up, "
            "and moves left.",
        ),
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table as CSV; - is stdout.", show_default=False),
    ] = None,
    exact: ExactOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tell people's success rate on each level, and how sure it is.

    Cohorts, simulated players, and attempts with boosters are told apart.
    """
    from levelsense.cli.terminal.players import show_rates

    refuse_together(csv=csv is not None, json=as_json)
    check_outputs(db, csv=csv)
    table = open_lab(db).rates(levels or (), cohort=cohort, boosters=boosters, details=details)
    show_rates(db, table, csv, as_json, exact)


@players.command()
def simulate(
    levels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEVEL",
            autocompletion=complete_level,
            callback=note_namesakes,
            help="Level files, folders of them, names of bundled levels.",
            show_default=False,
        ),
    ] = None,
    more: Annotated[
        list[str] | None,
        typer.Option(
            "--levels",
            metavar="LEVEL",
            autocompletion=complete_level,
            help="The same; can be repeated.",
            show_default=False,
        ),
    ] = None,
    number: Annotated[
        int, typer.Option("--players", help="How many players, at most 100,000.")
    ] = defaults.SIMULATED_PLAYERS,
    seed: Annotated[int, typer.Option(help="The seed of the players and of what they do.")] = 0,
    mix: Annotated[
        str,
        typer.Option(
            metavar="MIX",
            help="Which players: everyone, newcomers, veterans, planners, both, or shares of types such as "
            "casual=0.4,hoarder=0.6.",
            callback=only_text,
        ),
    ] = defaults.MIX,
    leave: Annotated[
        float,
        typer.Option(
            help="Who fails much leaves: whoever gives up at a level leaves the game with this probability "
            "times the share of levels given up so far, and plays none of the later ones.",
        ),
    ] = 0.0,
    threads: Annotated[
        int | None,
        typer.Option(
            help="How many levels are played at once; as many as there are processors if left out.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = defaults.DATABASE,
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
    from levelsense.cli.terminal.players import print_simulated, simulate_watched, simulated_data
    from levelsense.cli.terminal.screen import screen

    check_outputs(db, attempts=attempts, telemetry=telemetry)
    announce_compiling()
    done = simulate_watched(
        open_lab(db),
        [*(levels or ()), *(more or ())],
        number,
        mix=mix,
        leave=leave,
        seed=seed,
        threads=threads,
        attempts=attempts,
        telemetry=telemetry,
    )
    if done is None:
        raise typer.Exit(INTERRUPTED)
    if as_json:
        print_json(simulated_data(done))
    else:
        print_simulated(screen(), done)


TelemetryFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="MOVES",
        help="Files of players' moves, CSV or Parquet (docs/telemetry.md).",
        show_default=False,
    ),
]
MovesPerLevelOption = Annotated[
    int, typer.Option(min=1, help="At most about so many moves of each level and file are used.")
]
TelemetryLevels = Annotated[
    list[str] | None,
    typer.Option(
        "--levels",
        metavar="LEVEL",
        autocompletion=complete_level,
        callback=note_namesakes,
        help="The levels of the file: level files, folders, names of bundled levels; can be repeated. "
        "The bundled levels if left out, or those that games hold.",
        show_default=False,
    ),
]


@players.command("check")
def check_telemetry(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Moves or positions, as CSV or Parquet, or a folder of the studio's games.",
            show_default=False,
        ),
    ],
    levels: TelemetryLevels = None,
    as_json: JsonOption = False,
) -> None:
    """Check moves, positions or games row by row, and tell how much there is.

    Every problem is a sentence with the row, the value and what was expected.
    """
    from levelsense.cli.terminal.players import show_check

    announce_compiling()
    show_check(file, levels, as_json)


@players.command("export")
def export_positions(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Moves that `players simulate --telemetry` wrote, or a folder of the studio's games.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write, CSV or Parquet by suffix.",
            show_default=False,
        ),
    ],
    levels: TelemetryLevels = None,
) -> None:
    """Write the positions of moves or games: a row a move, with the board it was made on.

    This is the form that other programs read, and that telemetry of people comes in.
    """
    from levelsense.cli.terminal.players import export_watched

    announce_compiling()
    export_watched(file, output, levels)


@players.command()
def personas(
    files: TelemetryFiles,
    levels: TelemetryLevels = None,
    policy: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="The policy that groups are told apart by, as `train policy` writes it."
        ),
    ] = defaults.POLICY,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file of weights with the groups.")
    ] = Path("personas.json"),
    groups: Annotated[
        int, typer.Option(help="The most groups that are tried, up to 8.")
    ] = defaults.MOST_GROUPS,
    moves_per_level: MovesPerLevelOption = defaults.PERSONA_MOVES,
    reweigh: Annotated[
        bool,
        typer.Option(
            "--reweigh",
            help="Keep the groups of --policy, and estimate only their shares among these players.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="The same seed gives the same groups.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Find groups of players by how they move and how they fare, name them, and learn to play as each.

    The file plays as `policy:model=FILE`, a group drawn for each attempt, or with `persona=1` as one group.
    """
    from levelsense.cli.terminal.personas import show_personas

    announce_compiling()
    show_personas(
        files,
        levels,
        output,
        as_json,
        policy=policy,
        reweigh=reweigh,
        most=groups,
        moves_per_level=moves_per_level,
        seed=seed,
    )


@players.command("judge")
def judge_moves(
    files: TelemetryFiles,
    levels: TelemetryLevels = None,
    policy: Annotated[
        str,
        typer.Option(metavar="FILE", help="The policy to judge, as `train policy` writes it."),
    ] = defaults.POLICY,
    moves_per_level: MovesPerLevelOption = defaults.MOVES_PER_LEVEL,
    seed: Annotated[int, typer.Option(help="The same seed takes the same moves.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Tell how well a policy tells the moves of players, beside other ways to choose.

    Levels that it was trained on flatter it: name others.
    """
    from levelsense.cli.terminal.judging import show_judged

    announce_compiling()
    show_judged(files, levels, policy, as_json, moves_per_level=moves_per_level, seed=seed)


@players.command()
def difficulty(
    levels: LevelsArgument,
    model: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="The groups of players, as `players personas` writes them.",
            show_default=False,
        ),
    ],
    attempts: Annotated[
        int, typer.Option(help="How many attempts each group has at each level.")
    ] = defaults.PERSONA_ATTEMPTS,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    as_json: JsonOption = False,
) -> None:
    """Tell how hard levels are for each group of players.

    Attempts are kept in a database; what is there already is not played again.
    """
    from levelsense.cli.terminal.personas import show_difficulty

    announce_compiling()
    result = show_difficulty(open_lab(db), levels, model, attempts, as_json, seed=seed, threads=threads)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)
