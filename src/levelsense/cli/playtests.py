"""Commands about agents: playtests, their results, tuning, the agents themselves, benchmarks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levelsense import defaults
from levelsense.cli.app import (
    AGENTS,
    DIFFICULTY,
    INTERRUPTED,
    DatabaseOption,
    ExactOption,
    JsonOption,
    LevelArgument,
    LevelsArgument,
    SeedOption,
    ThreadsOption,
    announce_compiling,
    app,
    check_outputs,
    open_lab,
    print_json,
    refuse_together,
)
from levelsense.cli.completion import complete_agent, complete_level
from levelsense.cli.running import lab_run
from levelsense.errors import LevelsenseError, printable
from levelsense.files import check_writable, write_text

if TYPE_CHECKING:
    from levelsense.level.level import Level
    from levelsense.playtest import NamedLevel

AgentsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        metavar="SPEC",
        autocompletion=complete_agent,
        help="Who plays; can be repeated.",
        show_default=defaults.AGENT,
    ),
]
AttemptsOption = Annotated[
    int,
    typer.Option(help="How many attempts each agent has at each level; with --precision, how many at least."),
]
PrecisionOption = Annotated[
    float | None,
    typer.Option(
        help="Go on until every 95% interval reaches no further than this to either side: 0.03 is 3%.",
        show_default=False,
    ),
]
CeilingOption = Annotated[
    int | None,
    typer.Option(help="The most attempts that --precision may take.", show_default="10000"),
]
ReportOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a page with charts for designers too, one HTML file that needs nothing else.",
        show_default=False,
    ),
]
DetailsOption = Annotated[
    bool, typer.Option("--details", help="Tell every figure, with heat maps on the board.")
]


@app.command(rich_help_panel=AGENTS)
def playtest(
    levels: LevelsArgument,
    agents: AgentsOption = None,
    attempts: AttemptsOption = defaults.ATTEMPTS,
    precision: PrecisionOption = None,
    ceiling: CeilingOption = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: DatabaseOption = defaults.DATABASE,
    report: ReportOption = None,
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Let agents play levels, and tell how often they succeed.

    That is evidence and no verdict on a level: `predict` says what to expect of players. Every attempt is
    kept in a database; what is there already is not played again.
    """
    from levelsense.cli.terminal.figures import show_results
    from levelsense.cli.terminal.interruption import interruptible
    from levelsense.cli.terminal.playtests import run_playtest
    from levelsense.cli.terminal.screen import note, screen, shows_progress
    from levelsense.lab import playtest_page
    from levelsense.store.address import shown_name

    check_outputs(db, report=report)
    if report is not None:
        check_writable(report)
    announce_compiling()
    lab, wants_figures = open_lab(db), details or report is not None
    result = run_playtest(
        lab,
        levels,
        agents or [defaults.AGENT],
        (attempts, precision, ceiling),
        None if as_json else screen(),
        seed=seed,
        threads=threads,
        keep_rows=wants_figures,
    )
    figures = []
    if wants_figures:
        farewell = (
            f"interrupted: the playtest is kept in {shown_name(db)}; the same command goes on from there"
        )
        with interruptible(farewell) as stop:
            figures = lab.figures(result, threads=threads, stop=stop, note=note if shows_progress() else None)
    show_results(result, figures if details else None, as_json)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)
    if report is not None:
        playtest_page(figures, seed).save(report)


@app.command(rich_help_panel=DIFFICULTY)
def tune(
    level: LevelArgument,
    target: Annotated[
        str,
        typer.Option(metavar="RATE", help="The success rate to reach: 35%, 35 or 0.35.", show_default=False),
    ],
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The model that `fit` wrote; one fitted to simulated players if left out.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            autocompletion=complete_agent,
            help="Tune for an agent's success rate, not for players'.",
            show_default=False,
        ),
    ] = None,
    attempts: Annotated[
        int | None, typer.Option(help="How many attempts to look at, with --by.", show_default="1000")
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The database where attempts are kept, not with --by.",
            show_default=defaults.DATABASE,
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the level with the limit found.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the limit, in moves or seconds, with which players are expected to succeed as often as wanted.

    It is predicted as `predict` does. Ends with exit code 1 if no limit reaches the target.
    """
    from levelsense.cli.terminal.levels import LevelOutput
    from levelsense.cli.terminal.screen import note
    from levelsense.playtest.levels import gather_one
    from levelsense.playtest.plan import parse_target

    refuse_together(by=by is not None, model=model is not None)
    refuse_together(by=by is not None, db=db is not None)
    if by is None and attempts is not None:
        raise LevelsenseError("--attempts: it goes with --by; a model says how many attempts its agents have")
    if by is None:
        check_outputs(db or defaults.DATABASE, write=write)
    target_rate = parse_target(target)
    announce_compiling()
    named = gather_one(level)
    output = None if write is None else LevelOutput(write, level, named.level)
    if by is None:
        tuned = _tune_for_players(named, target_rate, model, db or defaults.DATABASE, seed, threads, as_json)
    else:
        number = defaults.TUNING_ATTEMPTS if attempts is None else attempts
        tuned = _tune_for_agent(named, by, target_rate, number, seed, threads, as_json)
    if tuned is None:
        if write is not None:
            note(f"{write} not written: no limit reaches the target")
        raise typer.Exit(1)
    if output is not None:
        output.write(tuned)
        note(f"{write} written")


def _tune_for_players(
    named: "NamedLevel",
    target: float,
    model: Path | None,
    db: str,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> "Level | None":
    """Tunes for players and prints the result; gives the level with the new limit, or None."""
    from levelsense.cli.terminal.prediction import note_model
    from levelsense.cli.terminal.screen import screen
    from levelsense.cli.terminal.tuning import players_tuning_data, print_players_tuning
    from levelsense.lab.run import read_model

    difficulty_model = read_model(model)
    with lab_run(db, seed, threads) as (lab, common):
        tuning = lab.tune(named, target, model=difficulty_model, **common)
    if as_json:
        print_json(players_tuning_data(tuning))
    else:
        print_players_tuning(screen(), tuning)
        note_model(difficulty_model)
    return tuning.best.level if tuning.best else None


def _tune_for_agent(
    named: "NamedLevel",
    spec: str,
    target: float,
    attempts: int,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> "Level | None":
    """Tunes for an agent and prints the result; gives the level with the new limit, or None."""
    from levelsense.cli.terminal.screen import note, screen, shows_progress
    from levelsense.cli.terminal.tuning import print_tuning, tuning_data
    from levelsense.lab import Lab

    tuning = Lab().tune_for_agent(
        named,
        spec,
        target,
        attempts,
        seed=seed,
        threads=threads,
        note=note if shows_progress() else None,
    )
    if as_json:
        print_json(tuning_data(tuning))
    else:
        print_tuning(screen(), tuning)
    return tuning.tuned


@app.command(rich_help_panel=AGENTS)
def results(
    db: DatabaseOption = defaults.DATABASE,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            autocompletion=complete_level,
            help="Only this level: a name, a pattern such as '0*', a file, a digest; can be repeated.",
            show_default=False,
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
            autocompletion=complete_agent,
            help="Only this agent: a spec, or a pattern such as 'mcts*'; can be repeated.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Only attempts of runs with this seed.", show_default=False)
    ] = None,
    run: Annotated[int | None, typer.Option(help="Only what this run was about.", show_default=False)] = None,
    runs: Annotated[bool, typer.Option("--runs", help="List the runs instead.")] = False,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the attempts as CSV; - is stdout.", show_default=False),
    ] = None,
    parquet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the attempts as a Parquet file.", show_default=False),
    ] = None,
    exact: ExactOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what playtests have found so far: a line a level and agent, or every attempt in a file."""
    from levelsense.cli.terminal.databases import show_attempts, show_runs, show_summaries
    from levelsense.playtest.plan import check_seed
    from levelsense.store import Database, Selection

    _refuse_ignored(runs, level=levels, agent=agents, seed=seed, run=run, csv=csv, parquet=parquet)
    refuse_together(csv=csv is not None, json=as_json)
    refuse_together(parquet=parquet is not None, json=as_json)
    check_outputs(db, csv=csv, parquet=parquet)
    if seed is not None:
        check_seed(seed)
    selection = Selection(tuple(levels or ()), tuple(agents or ()), seed, run)
    with Database(db, make=False) as database:
        if runs:
            show_runs(database, as_json)
        elif csv is not None or parquet is not None:
            show_attempts(database, selection, csv, parquet, exact)
        else:
            show_summaries(database, selection, as_json)


def _refuse_ignored(runs: bool, **others: object) -> None:
    """LevelsenseError if the list of runs is given an option that only attempts have."""
    for name, value in others.items():
        refuse_together(**{"runs": runs, name: value is not None})


@app.command(rich_help_panel=AGENTS)
def agents(as_json: JsonOption = False) -> None:
    """List the agents that can play, with their options and presets."""
    from levelsense.cli.terminal.agents import agents_data, print_agents

    if as_json:
        print_json(agents_data())
    else:
        from levelsense.cli.terminal.screen import screen

        print_agents(screen())


@app.command(rich_help_panel=AGENTS)
def tree(
    level: LevelArgument,
    agent: Annotated[
        str, typer.Option(metavar="SPEC", autocompletion=complete_agent, help="Who searches: an mcts agent.")
    ] = "mcts",
    seed: Annotated[int, typer.Option(help="The seed of the attempt and of the search.")] = 0,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The SVG file to write.")
    ] = Path("tree.svg"),
) -> None:
    """Draw the search tree of an mcts agent at the start of an attempt."""
    from levelsense.agents.registry import parse_agent
    from levelsense.cli.terminal.screen import note
    from levelsense.errors import AgentError
    from levelsense.playtest.levels import load_playable
    from levelsense.playtest.plan import HIGHEST_ATTEMPT_SEED, check_seed

    check_seed(seed, HIGHEST_ATTEMPT_SEED)
    searcher = parse_agent(agent)
    if searcher.family.name != "mcts":
        raise AgentError(f"--agent {agent}: it grows no search tree; expected an mcts agent")
    check_writable(output)
    announce_compiling()
    loaded = load_playable(level)
    from levelsense.agents.mcts.drawing import draw_tree
    from levelsense.agents.mcts.search import search_tree
    from levelsense.game.game import Game

    search_result = search_tree(Game(loaded, seed), searcher.options, searcher.codes, seed)
    write_text(output, draw_tree(search_result, f"One search of {searcher.spec} on {printable(loaded.name)}"))
    note(f"{output} written")


@app.command(rich_help_panel=AGENTS)
def bench(
    yardstick: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help='Another program to compare with: it prints {"moves_per_second": N}.',
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="How often each speed is measured; the median counts.")
    ] = 5,
    as_json: JsonOption = False,
) -> None:
    """Measure how fast this machine plays."""
    from levelsense.bench import run_bench
    from levelsense.cli.terminal.screen import note, print_figures, screen

    announce_compiling()
    figures = run_bench(yardstick, rounds, note)
    if as_json:
        print_json(figures)
    else:
        print_figures(screen(), figures)
