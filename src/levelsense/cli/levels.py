"""Commands about levels: draw, play, check and generate them."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levelsense.cli.app import (
    INTERRUPTED,
    LEVELS,
    WRONG_INPUT,
    JsonOption,
    LevelArgument,
    LevelsArgument,
    app,
    only_text,
    print_json,
    refuse_together,
)
from levelsense.cli.completion import complete_agent, complete_goal
from levelsense.errors import LevelsenseError
from levelsense.files import write_text

if TYPE_CHECKING:
    from levelsense.level.level import Cell, Level


FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The level file to write.", show_default=False)
]
TitleOption = Annotated[
    str | None,
    typer.Option(
        "--title",
        metavar="TEXT",
        help="The level's name; made of the file's name if left out.",
        callback=only_text,
        show_default=False,
    ),
]


@app.command(rich_help_panel=LEVELS)
def new(
    file: FileArgument,
    size: Annotated[
        str, typer.Option(metavar="ROWSxCOLUMNS", help="The size of the board, from 3x3 to 12x12.")
    ] = "9x9",
    goals: Annotated[
        list[str] | None,
        typer.Option(
            "--goal",
            metavar="GOAL[=N]",
            help="What to reach: jelly, score, cherry, hazelnut, a color or a special, such as red=30; "
            "can be repeated.",
            autocompletion=complete_goal,
            show_default="jelly",
        ),
    ] = None,
    moves: Annotated[int, typer.Option(help="How many moves the player has.")] = 25,
    title: TitleOption = None,
) -> None:
    """Write a new level to begin with: an open board with a goal."""
    from levelsense.cli.terminal.levels import announce_file, parse_goals, parse_size
    from levelsense.cli.terminal.screen import announce_compiling
    from levelsense.lab.level_files import write_new_level

    announce_compiling()
    announce_file(
        file, write_new_level(file, size=parse_size(size), goals=parse_goals(goals), moves=moves, title=title)
    )


@app.command(rich_help_panel=LEVELS)
def copy(
    level: LevelArgument,
    file: FileArgument,
    title: TitleOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")] = False,
) -> None:
    """Copy a level to a file of your own, as it is written but for its name."""
    from levelsense.cli.terminal.levels import announce_file
    from levelsense.lab.level_files import copy_level

    announce_file(file, copy_level(level, file, title=title, replace=replace))


@app.command(rich_help_panel=LEVELS)
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
    from levelsense.cli.terminal.level_facts import level_facts, level_svg, print_level
    from levelsense.cli.terminal.levels import note_unwinnable
    from levelsense.level.level import Level

    refuse_together(json=as_json, svg=svg is not None)
    loaded = Level.load(level)
    note_unwinnable(level, loaded)
    cells = loaded.cells if seed is None else _dealt(loaded, seed)
    if as_json:
        print_json(level_facts(loaded))
    elif svg is not None:
        write_text(svg, level_svg(loaded, cells, f"levelsense show {level}"))
    else:
        from levelsense.cli.terminal.screen import screen

        print_level(screen(), loaded, cells)


@app.command(rich_help_panel=LEVELS)
def play(
    level: LevelArgument,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Play the attempt with this seed; another one every time if left out.", show_default=False
        ),
    ] = None,
    random: Annotated[
        bool, typer.Option("--random", help="Let the random agent play it, a line a move.")
    ] = False,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="SPEC",
            autocompletion=complete_agent,
            help="Watch an agent play, move by move, with what it thinks of the best moves.",
            show_default=False,
        ),
    ] = None,
    speed: Annotated[
        float, typer.Option(min=0, help="How fast cascades are shown: 2 is twice as fast, 0 shows no pauses.")
    ] = 1.0,
    position: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Go on from a position that `save` wrote.", show_default=False),
    ] = None,
) -> None:
    """Play a level in the terminal, cascade by cascade; type ? there for help."""
    from levelsense.agents.registry import parse_agent
    from levelsense.cli.terminal.levels import note_unwinnable
    from levelsense.cli.terminal.play import play_randomly, start
    from levelsense.cli.terminal.screen import screen
    from levelsense.cli.terminal.session import AgentSession, Session
    from levelsense.level.level import Level
    from levelsense.playtest.plan import HIGHEST_ATTEMPT_SEED, check_seed

    refuse_together(random=random, agent=agent is not None)
    watched = None if agent is None else parse_agent(agent)
    if seed is not None:
        check_seed(seed, HIGHEST_ATTEMPT_SEED)
    console, loaded = screen(), Level.load(level)
    game, seed = start(console, loaded, seed, position)
    note_unwinnable(level, loaded)
    if random:
        play_randomly(console, game, seed)
        return
    session = Session(console, game, speed)
    if watched is not None:
        session = AgentSession(console, game, speed, watched, seed, waits=sys.stdin.isatty())
    try:
        session.run()
    except EOFError:
        console.print()
    except KeyboardInterrupt:
        console.print()
        raise typer.Exit(INTERRUPTED) from None


@app.command(rich_help_panel=LEVELS)
def check(
    levels: LevelsArgument,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Say what is wrong with levels, and what a designer may want to look at again.

    Ends with exit code 1 if a level has an error, 2 if there is no such file.
    """
    from levelsense.cli.terminal.levels import check_levels, print_findings, to_data

    checked = check_levels(levels)
    if as_json:
        print_json(to_data(checked))
    else:
        from levelsense.cli.terminal.screen import screen

        print_findings(screen(), checked)
    if any(result.missing for result in checked):
        raise typer.Exit(WRONG_INPUT)
    failing = {"error", "warning"} if strict else {"error"}
    if any(finding.severity in failing for result in checked for finding in result.findings):
        raise typer.Exit(1)


@app.command(rich_help_panel=LEVELS)
def schema(
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write it to a file instead.", show_default=False
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of level files, for editors that check and complete as you type."""
    from levelsense.level.level import Level

    text = json.dumps(Level.model_json_schema(), indent=2)
    if output is None:
        typer.echo(text)
    else:
        write_text(output, text + "\n")


@app.command(rich_help_panel=LEVELS)
def levels(as_json: JsonOption = False) -> None:
    """List the bundled levels."""
    from levelsense.cli.terminal.level_facts import catalog, print_catalog

    if as_json:
        print_json(catalog())
    else:
        from levelsense.cli.terminal.screen import screen

        print_catalog(screen())


@app.command(rich_help_panel=LEVELS)
def generate(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder to write the levels to.")
    ] = Path("saga"),
    count: Annotated[
        int | None, typer.Option(help="How many levels; not with --target.", show_default="1000")
    ] = None,
    first: Annotated[int, typer.Option(help="The number of the first one in the saga.")] = 1,
    seed: Annotated[int, typer.Option(help="Another seed, another saga.")] = 1,
    target: Annotated[
        str | None,
        typer.Option(
            metavar="RATES",
            help="A level for each of these success rates of players, such as 0.2,0.4 or 20%,40%.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="With --target, the model that `fit` wrote; one fitted to simulated players if left out.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite levels of the same names that differ.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Generate a saga of levels: varied, winnable, and as hard along the way as a live game's.

    With --target, levels that hold a curve of success rates that players are expected to have.
    """
    refuse_together(target=target is not None, count=count is not None)
    if target is not None:
        _generate_curve(output, target, model, seed, first, force, as_json)
        return
    if model is not None:
        raise LevelsenseError("--model: it goes with --target, which is not given")
    _generate_saga(output, 1000 if count is None else count, first, seed, force, as_json)


def _generate_curve(
    output: Path, targets: str, model: Path | None, seed: int, first: int, force: bool, as_json: bool
) -> None:
    """Generates levels for success rates of players, writes them and prints what is predicted of each."""
    from levelsense.cli.terminal.curve import curve_data, print_curve
    from levelsense.cli.terminal.interruption import interruptible
    from levelsense.cli.terminal.prediction import note_model
    from levelsense.cli.terminal.screen import announce_compiling, counting, screen
    from levelsense.lab import Lab
    from levelsense.lab.run import read_model
    from levelsense.playtest.plan import parse_target
    from levelsense.saga.files import check_folder, write_levels

    rates = [parse_target(word) for word in targets.split(",")]
    difficulty_model = read_model(model)
    check_folder(output)
    announce_compiling()
    with interruptible("interrupted: nothing was written") as stop, counting() as counter:
        generated = Lab().generate(
            rates, saga=seed, first=first, model=difficulty_model, progress=counter.watch, stop=stop
        )
    written = write_levels(output, [level.saga for level in generated], force)
    if as_json:
        print_json(curve_data(generated, written))
    else:
        print_curve(screen(), output, generated, written)
        note_model(difficulty_model)


def _generate_saga(output: Path, count: int, first: int, seed: int, force: bool, as_json: bool) -> None:
    """Generates levels of the saga, writes them and prints what they hold."""
    from levelsense.cli.terminal.levels import generate_watched, print_saga, saga_data
    from levelsense.cli.terminal.screen import announce_compiling, screen
    from levelsense.saga.files import check_folder, check_known, write_levels
    from levelsense.saga.generate import check_request

    check_request(seed, count, first)
    check_folder(output)
    announce_compiling()
    try:
        if not force:
            check_known(output, seed, range(first, first + count))
        generated = generate_watched(seed, count, first)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    written = write_levels(output, generated, force)
    if as_json:
        print_json(saga_data(generated, written))
    else:
        print_saga(screen(), output, generated, written)


def _dealt(level: "Level", seed: int) -> "tuple[Cell, ...]":
    """The board that the attempt with a seed starts from."""
    from levelsense.cli.terminal.screen import announce_compiling
    from levelsense.game.game import Game
    from levelsense.playtest.plan import HIGHEST_ATTEMPT_SEED, check_seed

    check_seed(seed, HIGHEST_ATTEMPT_SEED)
    announce_compiling()
    return Game(level, seed).cells
