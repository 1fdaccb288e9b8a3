"""The command line: one function a command, each a thin layer over the library."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from levelsense.errors import LevelError, LevelsenseError

if TYPE_CHECKING:
    from levelsense.game.level import Cell, Level

# Numba, Pydantic and Rich are imported inside the commands, so that `levelsense --help` answers at once.

WRONG_INPUT = 2
INTERRUPTED = 130
DATABASE = "levelsense.db"
DEFAULT_AGENT = "heuristic"


class _Commands(TyperGroup):
    """Turns the library's errors into a line each and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except LevelsenseError as error:
            from levelsense.terminal.screen import complain

            for sentence in error.problems if isinstance(error, LevelError) else [str(error)]:
                complain(sentence)
            raise typer.Exit(WRONG_INPUT) from None


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Match-3 levels for designers: draw them, check them, play them, let agents playtest them.",
    epilog="LEVEL is a level file, or the name of a bundled level: `levelsense levels` lists them.",
)

LevelArgument = Annotated[
    str,
    typer.Argument(metavar="LEVEL", help="A level file, or the name of a bundled level.", show_default=False),
]
LevelsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="LEVEL",
        help="Level files, folders of them, names of bundled levels.",
        show_default=False,
    ),
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        "--db", metavar="FILE", help="The database: a SQLite file, or the URL of a PostgreSQL database."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def main() -> None:
    """Runs the command that sys.argv names."""
    from levelsense.terminal.screen import never_fail_on_a_letter

    never_fail_on_a_letter()
    app(prog_name="levelsense")


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
) -> None:
    """Runs before every command."""


@app.command()
def show(
    level: LevelArgument,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Deal the random candies as the attempt with this seed starts.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the picture into an SVG file instead.", show_default=False),
    ] = None,
) -> None:
    """Draw a level's board and say what is in it: goals, limit, colors, blockers, drops, stars."""
    from levelsense.game.level import Level
    from levelsense.terminal.sheet import level_facts, print_sheet, sheet_svg

    shown = Level.load(level)
    cells = shown.cells if seed is None else _dealt(shown, seed)
    if as_json:
        _print_json(level_facts(shown))
    elif svg is not None:
        _write(svg, sheet_svg(shown, cells, f"levelsense show {level}"))
    else:
        from levelsense.terminal.screen import screen

        print_sheet(screen(), shown, cells)


@app.command()
def play(
    level: LevelArgument,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Play the attempt with this seed; another one every time if left out.", show_default=False
        ),
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Let a random player play it.")] = False,
    speed: Annotated[
        float, typer.Option(min=0, help="How fast cascades are shown: 2 is twice as fast, 0 shows no pauses.")
    ] = 1.0,
    position: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on from a position that `save` wrote.", show_default=False),
    ] = None,
) -> None:
    """Play a level in the terminal, cascade by cascade; type ? there for help."""
    from levelsense.game.level import Level
    from levelsense.terminal.screen import screen
    from levelsense.terminal.session import Session, play_randomly, start

    console = screen()
    game, seed = start(console, Level.load(level), seed, position)
    if random:
        play_randomly(console, game, seed)
        return
    try:
        Session(console, game, speed).run()
    except EOFError:
        console.print()
    except KeyboardInterrupt:
        console.print()
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def check(
    levels: LevelsArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with levels, and what a designer may want to look at again.

    Ends with exit code 1 if a level has an error.
    """
    from levelsense.terminal.checking import check_levels, print_findings, to_data

    checked = check_levels(levels)
    if as_json:
        _print_json(to_data(checked))
    else:
        from levelsense.terminal.screen import screen

        print_findings(screen(), checked)
    failing = {"error", "warning"} if strict else {"error"}
    if any(finding.severity in failing for result in checked for finding in result.findings):
        raise typer.Exit(1)


@app.command()
def playtest(
    levels: LevelsArgument,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
            help=f"Who plays; can be repeated. [default: {DEFAULT_AGENT}]",
            show_default=False,
        ),
    ] = None,
    attempts: Annotated[
        int,
        typer.Option(
            help="How many attempts each agent has at each level; with --precision, how many at least."
        ),
    ] = 100,
    precision: Annotated[
        float | None,
        typer.Option(
            help="Go on until every 95% interval reaches no further than this to either side: 0.03 is 3%.",
            show_default=False,
        ),
    ] = None,
    ceiling: Annotated[
        int | None,
        typer.Option(
            help="The most attempts that --precision may take. [default: 10000]", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The seed of the run: the same one gives the same attempts.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option(
            help="How many attempts are played at once; as many as there are processors if left out.",
            show_default=False,
        ),
    ] = None,
    db: DatabaseOption = DATABASE,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a page with charts for designers too, one HTML file that needs nothing else.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Tell every figure, with heat maps on the board.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Let agents play levels, and tell how often they succeed.

    Every attempt is kept in a database; what is there already is not played again.
    """
    from levelsense.terminal.playtesting import result_data, run_playtest
    from levelsense.terminal.reporting import check_place, details_data, print_details, report_text
    from levelsense.terminal.screen import screen

    if report is not None:
        check_place(report)
    result = run_playtest(
        screen(),
        levels,
        agents or [DEFAULT_AGENT],
        db,
        quiet=as_json,
        attempts=attempts,
        precision=precision,
        ceiling=ceiling,
        seed=seed,
        threads=threads,
    )
    if as_json:
        more = [{"statistics": details_data(pair)} if details else {} for pair in result.pairs]
        _print_json([result_data(pair) | extra for pair, extra in zip(result.pairs, more, strict=True)])
    elif details:
        print_details(screen(), result)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)
    if report is not None:
        _write(report, report_text(result, seed, threads))


@app.command()
def tune(
    level: LevelArgument,
    target: Annotated[
        float, typer.Option(help="The success rate to reach, between 0 and 1.", show_default=False)
    ],
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who plays.")] = DEFAULT_AGENT,
    attempts: Annotated[int, typer.Option(help="How many attempts to look at.")] = 1000,
    seed: Annotated[int, typer.Option(help="The seed of the run: the same one gives the same attempts.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option(
            help="How many attempts are played at once; as many as there are processors if left out.",
            show_default=False,
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the level with the limit found.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the limit, in moves or seconds, that gives a level a success rate.

    Ends with exit code 1 if no limit does.
    """
    import sys

    from levelsense.agents.registry import parse_agent
    from levelsense.game.level import Level
    from levelsense.playtest.tuning import tune as tune_level
    from levelsense.terminal.reporting import check_place
    from levelsense.terminal.screen import note, screen, warn_if_cold
    from levelsense.terminal.tuning import print_tuning, tuning_data

    tuned, player = Level.load(level), parse_agent(agent)
    if write is not None:
        check_place(write)
    warn_if_cold()
    tell = note if sys.stderr.isatty() else lambda sentence: None
    found = tune_level(tuned, player, target, attempts, seed, threads, tell)
    if as_json:
        _print_json(tuning_data(found))
    else:
        print_tuning(screen(), found)
    if found.tuned is None:
        raise typer.Exit(1)
    if write is not None:
        found.tuned.save(write)


@app.command()
def results(
    db: DatabaseOption = DATABASE,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--level",
            metavar="LEVEL",
            help="Only this level: a name, a pattern such as '0*', a file, a digest; can be repeated.",
            show_default=False,
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
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
    as_json: JsonOption = False,
) -> None:
    """Show what playtests have found so far: a line a level and agent, or every attempt in a file."""
    from levelsense.store import Database, Selection
    from levelsense.terminal.results import show_attempts, show_runs, show_summaries

    selection = Selection(tuple(levels or ()), tuple(agents or ()), seed, run)
    with Database(db, make=False) as database:
        if runs:
            show_runs(database, as_json)
        elif csv is not None or parquet is not None:
            show_attempts(database, selection, csv, parquet)
        else:
            show_summaries(database, selection, as_json)


@app.command()
def schema(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write it to a file instead.", show_default=False
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of level files, for editors that check and complete as you type."""
    from levelsense.game.level import Level

    text = json.dumps(Level.model_json_schema(), indent=2)
    if output is None:
        typer.echo(text)
    else:
        _write(output, text + "\n")


@app.command()
def levels(as_json: JsonOption = False) -> None:
    """List the bundled levels."""
    from levelsense.terminal.listing import catalog, print_catalog

    if as_json:
        _print_json(catalog())
    else:
        from levelsense.terminal.screen import screen

        print_catalog(screen())


@app.command()
def agents(as_json: JsonOption = False) -> None:
    """List the agents that can play, with their options and presets."""
    from levelsense.terminal.agents import agents_data, print_agents

    if as_json:
        _print_json(agents_data())
    else:
        from levelsense.terminal.screen import screen

        print_agents(screen())


@app.command()
def tree(
    level: LevelArgument,
    agent: Annotated[str, typer.Option(metavar="SPEC", help="Who searches: an mcts agent.")] = "mcts",
    seed: Annotated[int, typer.Option(help="The seed of the attempt and of the search.")] = 0,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The SVG file to write.")
    ] = Path("tree.svg"),
) -> None:
    """Draw the search tree of an mcts agent at the start of an attempt."""
    from levelsense.agents.registry import parse_agent
    from levelsense.errors import AgentError
    from levelsense.game.level import Level
    from levelsense.terminal.screen import note, warn_if_cold

    searcher, drawn = parse_agent(agent), Level.load(level)
    if searcher.family.name != "mcts":
        raise AgentError(f"--agent {agent}: it grows no search tree; expected an mcts agent")
    warn_if_cold()
    from levelsense.agents.mcts import search_tree
    from levelsense.agents.tree_drawing import draw_tree
    from levelsense.game.game import Game

    grown = search_tree(Game(drawn, seed), searcher.options, searcher.codes, seed)
    _write(output, draw_tree(grown, f"One search of {searcher.spec} on {drawn.name}"))
    note(f"{output} written")


@app.command()
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
    from levelsense.terminal.listing import print_figures
    from levelsense.terminal.screen import note, screen, warn_if_cold

    warn_if_cold()
    figures = run_bench(yardstick, rounds, note)
    if as_json:
        _print_json(figures)
    else:
        print_figures(screen(), figures)


def _dealt(level: "Level", seed: int) -> "tuple[Cell, ...]":
    """The board that the attempt with a seed starts from."""
    from levelsense.game.game import Game
    from levelsense.terminal.screen import warn_if_cold

    warn_if_cold()
    return Game(level, seed).cells


def _print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def _write(path: Path, text: str) -> None:
    """Writes a file; LevelsenseError if that cannot be done."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LevelsenseError(f"{path}: cannot be written: {error.strerror}") from None
